/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic top in a full screen: the loop, and what each key does.
 */
#include <curses.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "cli_ctl_web.h"
#include "cli_story.h"
#include "cli_top.h"

#define KEY_ESC 27
#define STEP_MS 100
#define POOLS_S 5.0 /* answer times come with the pools, which are asked for that often */
#define LIST_S 2.0  /* likewise the list of a screen */
#define FIRST_S 3.0 /* so long it may take until something is heard */

struct loop {
	struct cli_top *top;
	struct cli_feed *feed;
	struct cli_top_view view;
	uint64_t looks;
	double looked_s, pools_s, list_s;
	bool is_over;
};

static bool is_silent(const struct loop *loop)
{
	return loop->view.now.heard_s > CLI_BOARD_STALE_S;
}

/* Not while the agent is silent: the screen would wait for it. */
static void look_at_pools(struct loop *loop)
{
	static const struct cli_ctl_ask ask = { .words = { "pools" }, .count = 1 };
	struct cli_http_place place = loop->top->place;
	struct cli_ctl_web web = { .ask = &ask };

	if (is_silent(loop) || cli_now_s() - loop->pools_s < POOLS_S)
		return;
	loop->pools_s = cli_now_s();
	place.timeout_s = 1;
	if (cli_http_open(&web.http, &place, web.error) == CLI_OK && cli_ctl_pools(&web) == CLI_OK) {
		json_decref(loop->view.pools);
		loop->view.pools = json_incref(web.reply.json);
	}
	cli_http_drop(&web.reply);
	cli_http_close(web.http);
}

/* The list of the screen, where it has one that the stream does not tell. */
static void look_at_list(struct loop *loop)
{
	struct cli_http_place place = loop->top->place;
	struct cli_top_view *view = &loop->view;
	struct cli_http *http = NULL;

	if (view->screen <= CLI_TOP_CHANGED || is_silent(loop) || cli_now_s() - loop->list_s < LIST_S)
		return;
	place.timeout_s = 1;
	cli_board_free(&view->board); /* borrows from the list */
	json_decref(view->list);
	view->list = NULL;
	snprintf(view->list_error, sizeof(view->list_error), "not told");
	if (cli_http_open(&http, &place, view->list_error) == CLI_OK)
		view->list = cli_top_ask(http, view->screen, view->list_error);
	cli_http_close(http);
	loop->list_s = cli_now_s();
}

static void look(struct loop *loop)
{
	if (!loop->view.is_paused || loop->looks == 0) {
		cli_feed_drop(&loop->view.now);
		cli_feed_look(loop->feed, &loop->view.now);
		look_at_pools(loop);
		json_decref(loop->view.story);
		loop->view.story = cli_story(loop->view.now.status);
		look_at_list(loop);
	}
	loop->looks++;
	loop->looked_s = cli_now_s();
	cli_top_arrange(&loop->view);
	loop->is_over = loop->top->updates > 0 && loop->looks > loop->top->updates;
}

/* Takes the chosen node out of selection, or puts it back. */
static void want(struct loop *loop, const char *verb)
{
	struct cli_top_view *view = &loop->view;
	char reason[96] = "", before[CLI_BOARD_CELL + 20], node[CLI_BOARD_CELL];
	struct cli_http *http = NULL;

	if (view->is_read_only || view->screen != CLI_TOP_NODES || view->row >= view->board.count) {
		snprintf(view->said, sizeof(view->said), "%s",
			 view->is_read_only ? "read-only: nothing is changed" : "choose a node on screen 1");
		return;
	}
	snprintf(node, sizeof(node), "%s", view->board.row[view->row].cell[0]);
	snprintf(before, sizeof(before), "%s %s, reason: ", verb, node);
	if (!cli_top_prompt(before, reason, sizeof(reason)) || reason[0] == '\0') {
		snprintf(view->said, sizeof(view->said), "nothing was changed");
		return;
	}
	struct cli_ctl_ask ask = { .words = { verb, node }, .count = 2, .reason = reason };
	struct cli_ctl_web web = { .ask = &ask };
	int code = cli_http_open(&http, &loop->top->place, web.error);
	web.http = http;
	if (code == CLI_OK)
		code = cli_ctl_want(&web);
	snprintf(view->said, sizeof(view->said), "%.150s", code == CLI_OK ? web.done : web.error);
	cli_http_drop(&web.reply);
	cli_http_close(http);
}

static void move_row(struct cli_top_view *view, long by)
{
	long row = (long)view->row + by, last = (long)view->board.count - 1;

	row = row > last ? last : row;
	view->row = row < 0 ? 0 : (size_t)row;
}

static void show(struct loop *loop, unsigned screen)
{
	struct cli_top_view *view = &loop->view;

	cli_board_free(&view->board); /* may borrow from the list */
	json_decref(view->list);
	view->list = NULL;
	view->list_error[0] = '\0';
	loop->list_s = 0;
	view->screen = screen;
	view->row = view->first = 0;
	view->sort = CLI_BOARD_COLUMNS;
	view->is_detail = view->is_help = false;
	look_at_list(loop);
	cli_top_arrange(view);
}

static void back(struct cli_top_view *view)
{
	if (view->is_help || view->is_detail)
		view->is_help = view->is_detail = false;
	else
		view->filter[0] = '\0';
	view->said[0] = '\0';
	cli_top_arrange(view);
}

static void move_key(struct loop *loop, int key)
{
	struct cli_top_view *view = &loop->view;

	switch (key) {
	case KEY_UP:
		move_row(view, -1);
		break;
	case KEY_DOWN:
		move_row(view, 1);
		break;
	case KEY_PPAGE:
		move_row(view, -10);
		break;
	case KEY_NPAGE:
		move_row(view, 10);
		break;
	case KEY_LEFT:
		show(loop, view->screen > 1 ? view->screen - 1 : CLI_TOP_SCREENS);
		break;
	case KEY_RIGHT:
		show(loop, view->screen % CLI_TOP_SCREENS + 1);
		break;
	default:
		break;
	}
}

static void take_key(struct loop *loop, int key)
{
	struct cli_top_view *view = &loop->view;

	if (key >= '1' && key <= '0' + CLI_TOP_SCREENS) {
		show(loop, (unsigned)(key - '0'));
		return;
	}
	switch (key) {
	case 'q':
		loop->is_over = true;
		break;
	case '\n':
	case KEY_ENTER:
		view->is_detail = view->board.count > 0;
		break;
	case KEY_ESC:
		back(view);
		break;
	case '/':
		(void)cli_top_prompt("filter: ", view->filter, sizeof(view->filter));
		view->row = 0;
		cli_top_arrange(view);
		break;
	case 's':
		view->sort = view->sort >= view->board.columns ? 0 : view->sort + 1;
		cli_top_arrange(view);
		break;
	case 'p':
		view->is_paused = !view->is_paused;
		break;
	case '?':
		view->is_help = !view->is_help;
		break;
	case 'o':
		want(loop, "out");
		break;
	case 'i':
		want(loop, "in");
		break;
	default:
		move_key(loop, key);
	}
}

static void run(struct loop *loop)
{
	look(loop);
	while (!loop->is_over && !cli_interrupted()) {
		cli_top_draw(&loop->view);
		timeout(STEP_MS);
		int key = getch();
		if (key != ERR)
			take_key(loop, key);
		if (cli_now_s() - loop->looked_s >= loop->top->every_s)
			look(loop);
	}
}

/* Waits until the first snapshot came, or says why none comes. */
static int wait_first(struct cli_top *top, struct cli_feed *feed)
{
	double until_s = cli_now_s() + FIRST_S;
	struct cli_feed_view view = { .heard_s = -1 };

	while (!cli_interrupted() && view.heard_s < 0 && view.error[0] == '\0' && cli_now_s() < until_s) {
		cli_feed_drop(&view);
		napms(STEP_MS / 2);
		cli_feed_look(feed, &view);
	}
	bool is_heard = view.heard_s >= 0;
	snprintf(top->error, sizeof(top->error), "%s",
		 view.error[0] != '\0' ? view.error : "the daemon does not answer");
	cli_feed_drop(&view);
	return is_heard ? CLI_OK : cli_interrupted() ? CLI_INTERRUPTED : CLI_UNREACHABLE;
}

static bool wants_color(void)
{
	const char *none = getenv("NO_COLOR");

	return (none == NULL || none[0] == '\0') && has_colors();
}

/* A question first: its refusal has a code of its own. */
static int ask_first(struct cli_top *top)
{
	struct cli_http *http = NULL;
	struct cli_http_reply reply = { 0 };
	int code = cli_http_open(&http, &top->place, top->error);

	if (code == CLI_OK)
		code = cli_http_ask(http, "GET", "/api/v1/status", NULL, NULL, &reply, top->error);
	cli_http_drop(&reply);
	cli_http_close(http);
	return code;
}

int cli_top_screen(struct cli_top *top)
{
	struct loop loop = { .top = top };
	int code = ask_first(top);

	if (code == CLI_OK)
		code = cli_feed_start(&loop.feed, &top->place, top->error);
	if (code == CLI_OK)
		code = wait_first(top, loop.feed);
	if (code == CLI_OK) {
		setlocale(LC_CTYPE, "");
		set_escdelay(25);
		SCREEN *screen = newterm(NULL, stdout, stdin);
		if (screen == NULL) {
			cli_feed_stop(loop.feed);
			return cli_top_once(top); /* a terminal nobody described */
		}
		loop.view.has_color = wants_color();
		loop.view.is_read_only = top->read_only;
		cli_catch_interrupt(); /* in place of the library's */
		show(&loop, top->screen);
		run(&loop);
		endwin();
		delscreen(screen);
		code = cli_interrupted() ? CLI_INTERRUPTED : CLI_OK;
	}
	cli_board_free(&loop.view.board);
	json_decref(loop.view.pools);
	json_decref(loop.view.story);
	json_decref(loop.view.list);
	cli_feed_drop(&loop.view.now);
	cli_feed_stop(loop.feed);
	return code;
}
