/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic top without a full screen: the head line and one table.
 */
#include <time.h>

#include "cli_ctl_web.h"
#include "cli_say.h"
#include "cli_story.h"
#include "cli_top.h"

static void print_board(struct cli_board board, const char *empty)
{
	cli_board_print(&board, empty, stdout);
	cli_board_free(&board);
}

/* A list of the API, or why there is none. */
static void print_list(const struct cli_top *top, struct cli_http *http, const json_t *status)
{
	const char *now = json_string_value(json_object_get(status, "time"));
	char error[CLI_HTTP_ERROR_MAX] = "not told", note[400];
	json_t *list = cli_top_ask(http, top->screen, error);

	cli_top_note(status, top->screen, note, sizeof(note));
	if (note[0] != '\0')
		printf("%s\n", cli_safe(note));
	if (list == NULL)
		printf("%s\n", cli_safe(error));
	else
		print_board(cli_top_list(list, top->screen, now), cli_top_empty(top->screen));
	json_decref(list);
}

static void print_nodes(const json_t *status, const json_t *pools)
{
	struct cli_board nodes = cli_board_nodes(status, pools);
	json_t *story = cli_story(status);

	cli_board_story(story, stdout);
	cli_board_print(&nodes, cli_top_empty(CLI_TOP_NODES), stdout);
	cli_board_notes(&nodes, pools != NULL, stdout);
	cli_board_free(&nodes);
	json_decref(story);
}

static void print(const struct cli_top *top, struct cli_http *http, const json_t *status, const json_t *pools)
{
	char head[512];

	cli_board_head(status, 0, head, sizeof(head));
	printf("%s\n", head);
	if (top->screen == CLI_TOP_NODES) {
		print_nodes(status, pools);
	} else if (top->screen == CLI_TOP_STATES) {
		print_board(cli_board_states(status), cli_top_empty(CLI_TOP_STATES));
		print_board(cli_board_reports(status), "no report is made here");
	} else {
		print_list(top, http, status);
	}
}

/* What the screen lists, null where it lists nothing; and what the state says in sentences. */
static void add_list(json_t *object, const struct cli_top *top, struct cli_http *http)
{
	char error[CLI_HTTP_ERROR_MAX];
	const json_t *status = json_object_get(object, "status");
	json_t *list = cli_top_ask(http, top->screen, error);

	json_object_set_new(object, "list", list != NULL ? list : json_null());
	json_object_set_new(object, "story", cli_story(status));
}

static int look(struct cli_top *top, struct cli_http *http)
{
	static const struct cli_ctl_ask ask = { .words = { "pools" }, .count = 1 };
	struct cli_ctl_web web = { .ask = &ask, .http = http };
	struct cli_http_reply reply;
	int code = cli_http_ask(http, "GET", "/api/v1/status", NULL, NULL, &reply, top->error);

	if (code == CLI_OK) /* answer times are told there; without them the table stands too */
		(void)cli_ctl_pools(&web);
	if (code == CLI_OK && top->json) {
		json_t *object = cli_object("top", CLI_OK, "looked");
		json_object_set(object, "status", reply.json);
		json_object_set_new(object, "pools",
				    web.reply.json != NULL ? json_incref(web.reply.json) : json_null());
		add_list(object, top, http);
		code = cli_put_object(object, stdout) == 0 ? CLI_OK : CLI_BUG;
	} else if (code == CLI_OK) {
		print(top, http, reply.json, web.reply.json);
	}
	cli_http_drop(&web.reply);
	cli_http_drop(&reply);
	return code;
}

int cli_top_once(struct cli_top *top)
{
	struct cli_http *http = NULL;
	struct timespec wait = { .tv_sec = (time_t)top->every_s,
				 .tv_nsec = (long)((top->every_s - (double)(time_t)top->every_s) * 1e9) };
	int code = cli_http_open(&http, &top->place, top->error);
	uint64_t updates = top->updates > 0 ? top->updates : 1;

	for (uint64_t i = 0; code == CLI_OK && i < updates; i++) {
		if (i > 0)
			nanosleep(&wait, NULL);
		code = cli_interrupted() ? CLI_INTERRUPTED : look(top, http);
		fflush(stdout);
	}
	if (code == CLI_INTERRUPTED)
		snprintf(top->error, sizeof(top->error), "interrupted");
	cli_http_close(http);
	return code;
}
