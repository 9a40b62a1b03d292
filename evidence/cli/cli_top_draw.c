/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The full screen of doic top, drawn anew each time. Focus is reverse video, what is wrong is bold and has a word for it.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli_top.h"

#define TOP_LINES 3 /* above the table */
#define KEY_ESC 27

enum { PAIR_BAD = 1, PAIR_STALE };

static const char *const help[] = {
	"1 2 3      nodes; states held and our reports; what changed",
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

static struct cli_board changes_of(const json_t *changes)
{
	static const char *const titles[] = { "TIME", "WHAT", "", NULL };
	struct cli_board board = { .titles = titles, .columns = 2 };
	size_t count = json_array_size(changes);

	board.row = calloc(count + 1, sizeof(*board.row));
	for (size_t i = 0; board.row != NULL && i < count; i++) {
		const json_t *change = json_array_get(changes, i);
		const char *time = json_string_value(json_object_get(change, "time"));
		const char *text = json_string_value(json_object_get(change, "text"));
		snprintf(board.row[i].cell[0], CLI_BOARD_CELL, "%.8sZ",
			 time != NULL && strlen(time) > 19 ? time + 11 : "-");
		snprintf(board.row[i].cell[1], CLI_BOARD_CELL, "%s", text != NULL ? text : "-");
		cli_ascii(board.row[i].cell[1]);
		board.row[i].weight = (double)(count - i); /* newest first */
		board.count++;
	}
	return board;
}

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
	view->board = view->screen == CLI_TOP_NODES    ? cli_board_nodes(view->now.status, view->pools)
		      : view->screen == CLI_TOP_STATES ? cli_board_states(view->now.status)
						       : changes_of(view->now.changes);
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

/* The change whose text the chosen row begins; NULL. */
static json_t *change_of(const struct cli_top_view *view)
{
	const char *cell = view->board.row[view->row].cell[1];
	json_t *change;
	size_t i;

	json_array_foreach(view->now.changes, i, change)
	{
		const char *text = json_string_value(json_object_get(change, "text"));
		if (text != NULL && strncmp(text, cell, CLI_BOARD_CELL - 1) == 0)
			return change;
	}
	return NULL;
}

/* What is known of the chosen row, as JSON in lines. */
static void draw_detail(const struct cli_top_view *view)
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
		json_object_set(object, "change", change_of(view));
	}
	char *text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(6)), *rest = NULL;
	mvaddnstr(TOP_LINES, 1, name, COLS - 2);
	int y = TOP_LINES + 1;
	for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line != NULL && y < LINES - 1;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strpbrk(line, ":]") != NULL)
			mvaddnstr(y++, 1, cli_ascii(line), COLS - 2);
	}
	free(text);
	json_decref(object);
}

static void draw_top(const struct cli_top_view *view)
{
	static const char *const names[] = { "1 Nodes", "2 States and reports", "3 Changes" };
	double heard_s = view->now.heard_s;
	char head[512], line[CLI_HTTP_ERROR_MAX + 64];
	int x = 1;

	cli_board_head(view->now.status, heard_s, head, sizeof(head));
	attron(A_BOLD);
	mvaddnstr(0, 1, head, COLS - 1);
	attroff(A_BOLD);
	const char *sentence =
		json_string_value(json_array_get(json_object_get(view->now.status, "sentences"), 0));
	snprintf(line, sizeof(line), "%s", sentence != NULL ? sentence : "-");
	if (heard_s > CLI_BOARD_STALE_S)
		snprintf(line, sizeof(line), "STALE: nothing heard for %.0f s%s%s", heard_s,
			 view->now.error[0] != '\0' ? ": " : "", view->now.error);
	attron(heard_s > CLI_BOARD_STALE_S ? A_BOLD : A_NORMAL);
	mvaddnstr(1, 1, cli_ascii(line), COLS - 1);
	attroff(A_BOLD);
	for (unsigned i = 0; i < CLI_TOP_SCREENS; i++) {
		attron(view->screen == i + 1 ? A_REVERSE : A_NORMAL);
		mvprintw(2, x, " %s ", names[i]);
		attroff(A_REVERSE);
		x += (int)strlen(names[i]) + 3;
	}
	if (view->is_paused)
		mvaddstr(2, x, "PAUSED (p)");
	if (view->filter[0] != '\0')
		mvprintw(2, x + 12, "filter: %s (Esc)", view->filter);
}

static void draw_table(struct cli_top_view *view)
{
	static const char *const empty[] = { "no node was seen yet", "nobody asks for less",
					     "nothing changed since this began" };
	struct cli_board reports = { 0 };
	int room = LINES - TOP_LINES - 2, below = 0;

	if (view->screen == CLI_TOP_STATES) {
		reports = cli_board_reports(view->now.status);
		below = reports.count > 0 ? (int)(reports.count < 5 ? reports.count : 5) + 2 : 0;
	}
	if (view->board.count == 0)
		mvaddstr(TOP_LINES, 1,
			 view->filter[0] != '\0' ? "no row has this text" : empty[view->screen - 1]);
	else
		draw_rows(view, TOP_LINES, room - below);
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
	draw_top(view);
	if (view->is_help)
		for (int i = 0; help[i] != NULL; i++)
			mvaddnstr(TOP_LINES + 1 + i, 2, help[i], COLS - 2);
	else if (view->is_detail && view->row < view->board.count)
		draw_detail(view);
	else
		draw_table(view);
	attron(A_REVERSE);
	mvhline(LINES - 1, 0, ' ', COLS);
	mvaddnstr(LINES - 1, 1,
		  view->said[0] != '\0' ? view->said
		  : view->is_read_only ? "1-3 screen  arrows  Enter  Esc  / filter  s sort  p pause  ? help  "
					 "q quit  (read-only)"
				       : "1-3 screen  arrows  Enter  Esc  / filter  s sort  o out  i in  p "
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
