/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of the verb top: what is heard of the agent, and the screen. Private to it.
 */
#pragma once

#include <jansson.h>

#include "cli_board.h"
#include "cli_http.h"

#define CLI_TOP_CHANGES 200u

/* cli_top_feed.c: a thread that follows the stream of events, and begins again when it ends. */
struct cli_feed;

struct cli_feed_view {
	json_t *status;			/* as of GET /api/v1/status; NULL nothing heard yet */
	json_t *changes;		/* newest first: {"time","kind","text"} */
	double heard_s;			/* ago; -1 never */
	char error[CLI_HTTP_ERROR_MAX]; /* why nothing is heard; "" all is well */
};

int cli_feed_start(struct cli_feed **out, const struct cli_http_place *place,
		   char error[static CLI_HTTP_ERROR_MAX]);
/* A copy; to be dropped. */
void cli_feed_look(struct cli_feed *feed, struct cli_feed_view *out);
void cli_feed_drop(struct cli_feed_view *view);
void cli_feed_stop(struct cli_feed *feed);

/* Makes @object what merge patch @patch (RFC 7396) makes of it. */
void cli_merge_patch(json_t *object, const json_t *patch);

enum {
	CLI_TOP_NODES = 1,
	CLI_TOP_STATES,
	CLI_TOP_CHANGED,
	CLI_TOP_DECISIONS,
	CLI_TOP_EVIDENCE,
	CLI_TOP_POLICY,
	CLI_TOP_SCREENS = CLI_TOP_POLICY
};

/* cli_top_lists.c: the list of screen 3 or one above it, as the API has it now, to be dropped; NULL with a sentence in *@error. */
json_t *cli_top_ask(struct cli_http *http, unsigned screen, char error[static CLI_HTTP_ERROR_MAX]);
/* As rows, which borrow from @list. @now: the time of the status, NULL not known. */
struct cli_board cli_top_list(const json_t *list, unsigned screen, const char *now);
/* What stands above it; "" nothing. */
void cli_top_note(const json_t *status, unsigned screen, char *out, size_t size);
/* What to say where a screen has no row. */
const char *cli_top_empty(unsigned screen);

struct cli_top {
	struct cli_http_place place;
	double every_s;
	uint64_t updates; /* -n; 0 no end */
	bool once, read_only, json, help;
	unsigned screen; /* 1 to CLI_TOP_SCREENS */
	char error[CLI_HTTP_ERROR_MAX];
};

/* cli_top_once.c: the table, @top->updates times. */
int cli_top_once(struct cli_top *top);

/* cli_top_screen.c: the full screen until q, SIGINT, or the number of updates. */
int cli_top_screen(struct cli_top *top);

/* What one screen shows. */
struct cli_top_view {
	struct cli_feed_view now;
	json_t *pools; /* as of cli_ctl_pools(); NULL not known */
	json_t *story; /* as of cli_story(); NULL none yet */
	json_t *list;  /* as of cli_top_ask() for the screen; NULL not known */
	char list_error[CLI_HTTP_ERROR_MAX];
	struct cli_board board;
	unsigned screen;
	size_t row, first; /* chosen, and first drawn */
	size_t sort;	   /* column; the count of columns: worst first */
	char filter[64];
	char said[160]; /* outcome of what was done last */
	bool is_detail, is_help, is_paused, is_read_only, has_color;
};

/* cli_top_draw.c */
void cli_top_draw(struct cli_top_view *view);
/* Asks for a line of text at the bottom, beginning with @before; false: Esc. */
bool cli_top_prompt(const char *before, char *text, size_t size);
/* The board of the screen, filtered and sorted, in place of the one before. */
void cli_top_arrange(struct cli_top_view *view);
