/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The full screen of doic top, drawn anew each time. Focus is reverse video, what is wrong is bold and has a word for it.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli_top.h"

#define STORY_LINES 6 /* at most, on the first screen of a window that is high enough */
#define NOTE_LINES 3  /* at most, above a list */
#define HIGH 20
#define KEY_ESC 27

enum { PAIR_BAD = 1, PAIR_STALE };

static const char *const help[] = {
	"1 to 6     nodes; states held and our reports; what changed; decisions; evidence; policy",
	"arrows     choose a row; left and right: the screen before and after",
	"Enter      everything about the row; Esc: back, or no filter",
	"/          only rows with this text",
	"s          sort by the next column; after the last: worst first",
	"o  i       take the node out of selection for new sessions, or put it back; asks for a reason",
	"p          pause and go on",
	"q          quit",
	"",
	"\"-\" is not known, never 0. Figures older than 3 s are said to be.",
	NULL,
};

static bool is_wanted(const struct cli_board *board, const struct cli_board_row *row, const char *filter)
{
	for (size_t c = 0; c < board->columns; c++)
		if (strcasestr(row->cell[c], filter) != NULL)
			return true;
	return filter[0] == '\0';
}

void cli_top_arrange(struct cli_top_view *view)
{
	size_t kept = 0;

	cli_board_free(&view->board);
	const char *now = json_string_value(json_object_get(view->now.status, "time"));
	view->board = view->screen == CLI_TOP_NODES	? cli_board_nodes(view->now.status, view->pools)
		      : view->screen == CLI_TOP_STATES	? cli_board_states(view->now.status)
		      : view->screen == CLI_TOP_CHANGED ? cli_top_list(view->now.changes, view->screen, now)
							: cli_top_list(view->list, view->screen, now);
	for (size_t i = 0; i < view->board.count; i++)
		if (is_wanted(&view->board, &view->board.row[i], view->filter))
			view->board.row[kept++] = view->board.row[i];
	view->board.count = kept;
	cli_board_sort(&view->board, view->sort);
	if (view->row >= kept)
		view->row = kept > 0 ? kept - 1 : 0;
}

/* Columns of the first @count titles and cells, as wide as their widest. */
static void widths_of(const struct cli_board *board, int widths[static CLI_BOARD_COLUMNS])
{
	for (size_t c = 0; c < board->columns; c++) {
		const char *title = board->titles[c];
		widths[c] = (int)strlen(title) - (title[0] == '>');
		for (size_t i = 0; i < board->count; i++) {
			int len = (int)strlen(board->row[i].cell[c]);
			widths[c] = len > widths[c] ? len : widths[c];
		}
	}
}

/* One line of cells, cut at the edge. */
static void draw_cells(int y, const struct cli_board *board, const char *const *cells, const int *widths)
{
	char line[CLI_BOARD_COLUMNS * (CLI_BOARD_CELL + 3)];
	size_t at = 0;

	for (size_t c = 0; c < board->columns && at + CLI_BOARD_CELL + 3 < sizeof(line); c++) {
		bool is_right = board->titles[c][0] == '>';
		at += (size_t)snprintf(line + at, sizeof(line) - at, is_right ? "%*s  " : "%-*s  ", widths[c],
				       cells[c]);
	}
	mvaddnstr(y, 1, line, COLS - 1);
}

static void draw_rows(struct cli_top_view *view, int from, int room)
{
	const struct cli_board *board = &view->board;
	const char *cells[CLI_BOARD_COLUMNS];
	int widths[CLI_BOARD_COLUMNS] = { 0 };

	widths_of(board, widths);
	for (size_t c = 0; c < board->columns; c++)
		cells[c] = board->titles[c] + (board->titles[c][0] == '>');
	attron(A_UNDERLINE);
	draw_cells(from, board, cells, widths);
	attroff(A_UNDERLINE);
	if (view->row < view->first)
		view->first = view->row;
	if (room > 0 && view->row >= view->first + (size_t)room)
		view->first = view->row - (size_t)room + 1;
	for (int y = 0; y < room && view->first + (size_t)y < board->count; y++) {
		size_t at = view->first + (size_t)y;
		attr_t look = (at == view->row ? A_REVERSE : 0) | (board->row[at].is_bad ? A_BOLD : 0);
		if (board->row[at].is_bad && view->has_color)
			look |= COLOR_PAIR(PAIR_BAD);
		for (size_t c = 0; c < board->columns; c++)
			cells[c] = board->row[at].cell[c];
		attron(look);
		draw_cells(from + 1 + y, board, cells, widths);
		attroff(look);
	}
}

/* What is known of the chosen row, as JSON in lines. */
static void draw_detail(const struct cli_top_view *view, int top)
{
	const char *name = view->board.row[view->row].cell[0];
	json_t *object = json_object();

	if (view->screen == CLI_TOP_NODES) {
		json_object_set(object, "neighbour",
				json_object_get(json_object_get(view->now.status, "peers"), name));
		json_object_set(object, "last_second",
				json_object_get(json_object_get(view->now.status, "nodes"), name));
	} else if (view->screen == CLI_TOP_STATES) {
		json_object_set(object, "state",
				json_object_get(json_object_get(view->now.status, "states"), name + 1));
	} else {
		json_object_update(object, (json_t *)(uintptr_t)view->board.row[view->row].object);
	}
	char *text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(6)), *rest = NULL;
	mvaddnstr(top, 1, name, COLS - 2);
	int y = top + 1;
	for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line != NULL && y < LINES - 1;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strpbrk(line, ":]") != NULL)
			mvaddnstr(y++, 1, cli_ascii(line), COLS - 2);
	}
	free(text);
	json_decref(object);
}

/* How much of @text goes on a line of @room: whole words, unless one is longer. */
static int line_of(const char *text, int room)
{
	int len = (int)strlen(text), cut = room;

	if (len <= room)
		return len;
	while (cut > 0 && text[cut] != ' ')
		cut--;
	return cut > 0 ? cut : room;
}

/* @text from line @y on, up to line @most; returns the line after it. */
static int draw_wrapped(char *text, int y, int most)
{
	for (const char *at = cli_ascii(text); *at != '\0' && y <= most; at += *at == ' ') {
		int len = line_of(at, COLS - 3);
		mvaddnstr(y++, at == text ? 1 : 3, at, len);
		at += len;
	}
	return y;
}

static int draw_sentence(const json_t *sentence, int y, int most)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s", json_string_value(sentence));
	return draw_wrapped(text, y, most);
}

/* The sentences from line 1 on, @most lines: the worst, then the last, which says who causes it, then others while there is room. Returns the
 * line after them. */
static int draw_story(const struct cli_top_view *view, int most)
{
	size_t count = json_array_size(view->story);
	int y = 1;

	for (size_t i = 0; i < count; i++)
		y = draw_sentence(json_array_get(view->story, i == 0   ? 0
							      : i == 1 ? count - 1
								       : i - 1),
				  y, most);
	return y > 1 ? y : 2;
}

/* The sentences, or that the agent is silent. Returns the line after them. */
static int draw_said(const struct cli_top_view *view)
{
	double heard_s = view->now.heard_s;
	char line[CLI_HTTP_ERROR_MAX + 64];
	bool is_first = view->screen == CLI_TOP_NODES && !view->is_detail && !view->is_help;

	if (heard_s <= CLI_BOARD_STALE_S)
		return draw_story(view, is_first && LINES >= HIGH ? STORY_LINES : 1);
	snprintf(line, sizeof(line), "STALE: nothing heard for %.0f s%s%s", heard_s,
		 view->now.error[0] != '\0' ? ": " : "", view->now.error);
	attron(A_BOLD);
	mvaddnstr(1, 1, cli_ascii(line), COLS - 1);
	attroff(A_BOLD);
	return 2;
}

/* Returns the line the table begins at. */
static int draw_top(const struct cli_top_view *view)
{
	static const char *const names[] = { "1 Nodes",	    "2 States and reports", "3 Changes",
					     "4 Decisions", "5 Evidence",	    "6 Policy" };
	char head[512];
	int x = 1;

	cli_board_head(view->now.status, view->now.heard_s, head, sizeof(head));
	attron(A_BOLD);
	mvaddnstr(0, 1, head, COLS - 1);
	attroff(A_BOLD);
	int y = draw_said(view);
	for (unsigned i = 0; i < CLI_TOP_SCREENS; i++) {
		attron(view->screen == i + 1 ? A_REVERSE : A_NORMAL);
		mvprintw(y, x, " %s ", names[i]);
		attroff(A_REVERSE);
		x += (int)strlen(names[i]) + 3;
	}
	if (view->is_paused)
		mvaddstr(y, x, "PAUSED (p)");
	if (view->filter[0] != '\0')
		mvprintw(y, x + 12, "filter: %s (Esc)", view->filter);
	cli_top_note(view->now.status, view->screen, head, sizeof(head));
	return head[0] != '\0' ? draw_wrapped(head, y + 1, y + NOTE_LINES) : y + 1;
}

static void draw_empty(struct cli_top_view *view, int top)
{
	const char *text = view->filter[0] != '\0'	 ? "no row has this text"
			   : view->list_error[0] != '\0' ? cli_ascii(view->list_error)
							 : cli_top_empty(view->screen);

	mvaddnstr(top, 1, text, COLS - 2);
}

static void draw_table(struct cli_top_view *view, int top)
{
	struct cli_board reports = { 0 };
	int room = LINES - top - 2, below = 0;

	if (view->screen == CLI_TOP_STATES) {
		reports = cli_board_reports(view->now.status);
		below = reports.count > 0 ? (int)(reports.count < 5 ? reports.count : 5) + 2 : 0;
	}
	if (view->board.count == 0)
		draw_empty(view, top);
	else
		draw_rows(view, top, room - below);
	if (below > 0 && room > below) {
		struct cli_top_view part = { .board = reports, .row = reports.count };
		mvaddstr(LINES - 1 - below, 1, "reports of our own");
		draw_rows(&part, LINES - below, below - 2);
	}
	cli_board_free(&reports);
}

void cli_top_draw(struct cli_top_view *view)
{
	if (view->has_color && !is_term_resized(LINES, COLS)) {
		start_color();
		use_default_colors();
		init_pair(PAIR_BAD, COLOR_RED, -1);
	}
	keypad(stdscr, TRUE);
	noecho();
	cbreak();
	curs_set(0);
	erase();
	int top = draw_top(view);
	if (view->is_help)
		for (int i = 0; help[i] != NULL; i++)
			mvaddnstr(top + 1 + i, 2, help[i], COLS - 2);
	else if (view->is_detail && view->row < view->board.count)
		draw_detail(view, top);
	else
		draw_table(view, top);
	attron(A_REVERSE);
	mvhline(LINES - 1, 0, ' ', COLS);
	mvaddnstr(LINES - 1, 1,
		  view->said[0] != '\0' ? view->said
		  : view->is_read_only ? "1-6 screen  arrows  Enter  Esc  / filter  s sort  p pause  ? help  "
					 "q quit  (read-only)"
				       : "1-6 screen  arrows  Enter  Esc  / filter  s sort  o out  i in  p "
					 "pause  ? help  q quit",
		  COLS - 2);
	attroff(A_REVERSE);
	refresh();
}

bool cli_top_prompt(const char *before, char *text, size_t size)
{
	size_t len = strlen(text);

	timeout(-1);
	curs_set(1);
	for (;;) {
		mvhline(LINES - 1, 0, ' ', COLS);
		mvprintw(LINES - 1, 1, "%s%s", before, text);
		int key = getch();
		if (key == '\n' || key == KEY_ENTER)
			return true;
		if (key == KEY_ESC || (key == ERR && cli_interrupted()))
			return false;
		if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && len > 0)
			text[--len] = '\0';
		else if (key >= ' ' && key <= '~' && len + 1 < size) {
			text[len++] = (char)key;
			text[len] = '\0';
		}
	}
}
