/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic export: rows of an evidence folder as NDJSON or CSV, as the API streams them, without a server.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/app/oev_nearest.h"
#include "../../evidence/cli/cli_look.h"
#include "../../evidence/cli/cli_say.h"
#include "../../evidence/oev_clock.h"
#include "../../evidence/oev_time.h"
#include "../oweb_csv.h"
#include "../oweb_evidence.h"
#include "../oweb_json.h"

#define DECISIONS OEV_SHELF_LIST_COUNT /* in place of a list */

const char cli_export_help[] =
	"doic export /var/lib/doic/evidence --since 14:00 --until 14:05 -o decisions.ndjson\n\n"
	"Writes rows of an evidence folder, oldest first, with the members that the API has. The last line "
	"of "
	"NDJSON\n"
	"says how many there are and which gaps lie among them; CSV has no such line. The folder is only "
	"read.\n\n"
	"  --what W            decisions (default), or a list: reports, repeats, versions, changes, orders,\n"
	"                      own_reports, peers, capabilities, loads, gaps, checkpoints, removals, "
	"recoveries,\n"
	"                      policies, acts\n"
	"  --format F          ndjson (default), or csv: of decisions alone; a cell that a spreadsheet would "
	"take for a\n"
	"                      formula begins with an apostrophe\n"
	"  --since T, --until T   RFC 3339, 14:00, -10m\n"
	"  --run R             of one life of the agent\n"
	"  -o, --output F      into a file, never half-written (default: stdout); -q says nothing when all "
	"went well\n"
	"  --progress KIND     auto, bar, plain, json, none: on stderr\n"
	"  --json              an object on stdout when there is nothing to write, too\n\n"
	"exit: 0 written, 2 usage, 3 written without a segment that cannot be read, 4 not found or "
	"unusable,\n"
	"      70 bug, 130 interrupted\n"
	"more: man doic-export\n";

enum { KEY_WHAT = CLI_LOOK_OWN, KEY_FORMAT, KEY_SINCE, KEY_UNTIL, KEY_RUN };

const struct argp_option cli_export_options[] = {
	{ .name = "what", .key = KEY_WHAT, .arg = "WHAT" },
	{ .name = "format", .key = KEY_FORMAT, .arg = "FORMAT" },
	{ .name = "since", .key = KEY_SINCE, .arg = "TIME" },
	{ .name = "until", .key = KEY_UNTIL, .arg = "TIME" },
	{ .name = "run", .key = KEY_RUN, .arg = "RUN" },
	CLI_LOOK_OPTIONS,
	{ 0 },
};

struct settings {
	struct cli_look look;
	const char *folder, *run;
	unsigned folders;
	unsigned what; /* enum oev_shelf_list, or DECISIONS */
	bool is_csv;
	uint64_t from_us, until_us;
};

/* What one export works on. */
struct exporting {
	const struct settings *settings;
	struct oev_shelf *shelf;
	FILE *out;
	json_t *rows; /* of the page at hand */
	uint64_t written, examined, all;
	char left_out[sizeof(((struct oev_shelf_page *)NULL)->left_out)];
	struct cli_progress shown;
};

static error_t take_what(struct settings *settings, const char *word)
{
	const char *words[OEV_SHELF_LIST_COUNT + 2] = { NULL };

	words[DECISIONS] = "decisions";
	for (unsigned i = 0; i < OEV_SHELF_LIST_COUNT; i++)
		words[i] = oev_shelf_list_text((enum oev_shelf_list)i);
	for (settings->what = 0; words[settings->what] != NULL; settings->what++)
		if (strcmp(words[settings->what], word) == 0)
			return 0;
	const char *near = oev_nearest(word, words);
	snprintf(settings->look.error, sizeof(settings->look.error), "--what \"%.60s\": no such rows%s%s%s",
		 word, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
		 near != NULL ? "\"?" : "");
	return EINVAL;
}

static error_t take_format(struct settings *settings, const char *word)
{
	settings->is_csv = strcmp(word, "csv") == 0;
	if (settings->is_csv || strcmp(word, "ndjson") == 0)
		return 0;
	snprintf(settings->look.error, sizeof(settings->look.error), "--format \"%.60s\": not ndjson or csv",
		 word);
	return EINVAL;
}

static error_t take_time(struct settings *settings, const char *option, const char *text, uint64_t *out)
{
	if (oev_time_parse(text, oev_clock_wall_us(), out) == OC_OK)
		return 0;
	snprintf(settings->look.error, sizeof(settings->look.error),
		 "%s \"%.60s\": no time (RFC 3339, 14:00, -10m)", option, text);
	return EINVAL;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_WHAT:
		return take_what(settings, arg);
	case KEY_FORMAT:
		return take_format(settings, arg);
	case KEY_SINCE:
		return take_time(settings, "--since", arg, &settings->from_us);
	case KEY_UNTIL:
		return take_time(settings, "--until", arg, &settings->until_us);
	case KEY_RUN:
		settings->run = arg;
		return 0;
	case ARGP_KEY_ARG:
		settings->folder = arg;
		settings->folders++;
		return 0;
	default:
		return cli_look_take(&settings->look, key, arg);
	}
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_export_options, .parser = take };
	struct cli_look *look = &settings->look;

	cli_look_first(look, argc, argv);
	int rc = cli_parse_options(&parser, argc, argv, settings, look->error, sizeof(look->error));
	if (rc != CLI_OK || look->help)
		return rc;
	const char *wrong = settings->folders == 0  ? "name an evidence folder"
			    : settings->folders > 1 ? "name one folder"
			    : settings->is_csv && settings->what != DECISIONS
				    ? "--format csv is of decisions alone; leave it out"
				    : NULL;
	if (wrong == NULL)
		return CLI_OK;
	snprintf(look->error, sizeof(look->error), "%s", wrong);
	return CLI_USAGE;
}

static struct oev_shelf_list_filter window_of(const struct settings *settings)
{
	return (struct oev_shelf_list_filter){ .from_us = settings->from_us,
					       .until_us = settings->until_us,
					       .run = settings->run,
					       .oldest_first = true };
}

static int read_page(struct exporting *e, const char *cursor, struct oev_shelf_page *page,
		     char error[static OEV_SHELF_TEXT_MAX])
{
	const struct settings *s = e->settings;
	const struct oev_shelf_list_filter window = window_of(s);

	if (s->what != DECISIONS)
		return oweb_read_list(e->shelf, (enum oev_shelf_list)s->what, &window, cursor,
				      OWEB_STREAM_PAGE, e->rows, page, error);
	struct oev_shelf_filter filter = { .from_us = s->from_us,
					   .until_us = s->until_us,
					   .oldest_first = true };
	snprintf(filter.run, sizeof(filter.run), "%s", s->run != NULL ? s->run : "");
	return oweb_read_decisions(e->shelf, &filter, cursor, OWEB_STREAM_PAGE, e->rows, page, error);
}

static bool put_text(struct exporting *e, struct oweb_text *text)
{
	bool is_put = !text->failed && fwrite(text->data, 1, text->len, e->out) == text->len;

	oweb_text_free(text);
	return is_put;
}

static bool put_head(struct exporting *e)
{
	struct oweb_text text = { 0 };

	if (!e->settings->is_csv)
		return true;
	oweb_csv_head(&text, oweb_decision_columns);
	return put_text(e, &text);
}

static bool put_line(struct exporting *e, const json_t *row)
{
	return json_dumpf(row, e->out, OWEB_JSON_DUMP) == 0 && fputc('\n', e->out) != EOF;
}

static bool put_rows(struct exporting *e)
{
	bool is_put = true;
	json_t *row;
	size_t i;

	json_array_foreach(e->rows, i, row)
	{
		struct oweb_text text = { 0 };
		if (e->settings->is_csv)
			oweb_csv_row(&text, oweb_decision_columns, row);
		is_put = is_put && (e->settings->is_csv ? put_text(e, &text) : put_line(e, row));
	}
	e->written += json_array_size(e->rows);
	json_array_clear(e->rows);
	return is_put;
}

/* {"end": true, "rows": N, "gaps": [...]}: a file that is cut lacks it. */
static bool put_end(struct exporting *e)
{
	const struct oev_shelf_list_filter window = window_of(e->settings);
	json_t *gaps = oweb_read_gaps(e->shelf, &window, e->left_out, sizeof(e->left_out));
	json_t *last = json_pack("{s:b, s:I, s:o}", "end", 1, "rows", (json_int_t)e->written, "gaps", gaps);

	if (e->left_out[0] != '\0')
		json_object_set_new(last, "left_out", json_string(e->left_out));
	bool is_put = put_line(e, last);
	json_decref(last);
	return is_put;
}

/* An exit code, with @error unless it is CLI_OK. */
static int walk(struct exporting *e, char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf_page page = { 0 };
	char cursor[OEV_SHELF_CURSOR_MAX] = "";
	bool is_put = put_head(e);
	int rc = OC_OK;

	do {
		rc = read_page(e, cursor, &page, error);
		memcpy(cursor, page.next, sizeof(cursor));
		if (page.left_out[0] != '\0')
			memcpy(e->left_out, page.left_out, sizeof(e->left_out));
		is_put = is_put && put_rows(e);
		e->examined += page.examined;
		cli_progress_say(&e->shown, e->examined < e->all ? e->examined : e->all, e->all);
	} while (rc == OC_OK && is_put && !page.is_end && !cli_interrupted());
	if (rc != OC_OK)
		return CLI_INPUT;
	if (cli_interrupted()) {
		snprintf(error, OEV_SHELF_TEXT_MAX, "interrupted");
		return CLI_INTERRUPTED;
	}
	if (is_put && (e->settings->is_csv || put_end(e)))
		return CLI_OK;
	snprintf(error, OEV_SHELF_TEXT_MAX, "the rows could not be written: %s", strerror(errno));
	return CLI_BUG;
}

/* Decisions there are, for the progress. */
static uint64_t count_all(struct oev_shelf *shelf)
{
	struct oev_shelf_segment *segments = NULL;
	size_t count = 0;
	uint64_t all = 0;

	if (oev_shelf_segments(shelf, &segments, &count) == OC_OK)
		for (size_t i = 0; i < count; i++)
			all += segments[i].last_decision == 0
				       ? 0
				       : segments[i].last_decision - segments[i].first_decision + 1;
	free(segments);
	return all;
}

static int run(struct exporting *e, char error[static OEV_SHELF_TEXT_MAX])
{
	const struct settings *settings = e->settings;
	struct cli_out out;

	if (cli_out_open(&out, settings->look.output) != 0) {
		snprintf(error, OEV_SHELF_TEXT_MAX, "%.200s: cannot be written: %s", settings->look.output,
			 strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	e->out = out.file;
	e->all = settings->what == DECISIONS ? count_all(e->shelf) : 0;
	e->rows = json_array();
	cli_progress_start(&e->shown, settings->look.progress);
	int code = walk(e, error);
	cli_progress_stop(&e->shown);
	json_decref(e->rows);
	if (cli_out_close(&out, code == CLI_OK) != 0 && code == CLI_OK) {
		snprintf(error, OEV_SHELF_TEXT_MAX, "the rows could not be written: %s", strerror(errno));
		code = CLI_BUG;
	}
	return code;
}

static int tell(const struct exporting *e)
{
	char left_out[sizeof(e->left_out)];

	snprintf(left_out, sizeof(left_out), "%s", e->left_out);
	if (left_out[0] != '\0')
		fprintf(stderr, "doic export: not all could be read: %s\n", cli_safe(left_out));
	else if (!e->settings->look.quiet)
		fprintf(stderr, "doic export: %" PRIu64 " rows\n", e->written);
	return left_out[0] != '\0' ? CLI_UNSURE : CLI_OK;
}

int cli_export(int argc, char **argv)
{
	struct settings settings = { .what = DECISIONS };
	struct exporting exporting = { .settings = &settings };
	char error[OEV_SHELF_TEXT_MAX] = "";

	if (read_options(&settings, argc, argv) != CLI_OK)
		return cli_fail("export", settings.look.json, CLI_USAGE, "usage", settings.look.error);
	if (settings.look.help) {
		fputs(cli_export_help, stdout);
		return CLI_OK;
	}
	cli_catch_interrupt();
	if (oev_shelf_open(&exporting.shelf, settings.folder, NULL, error) != OC_OK)
		return cli_fail("export", settings.look.json, CLI_INPUT, "unusable", error);
	int code = run(&exporting, error);
	oev_shelf_close(exporting.shelf);
	if (code != CLI_OK)
		return cli_fail("export", settings.look.json, code,
				code == CLI_INTERRUPTED ? "interrupted"
				: code == CLI_BUG	? "bug"
				: code == CLI_USAGE	? "usage"
							: "unusable",
				error);
	return tell(&exporting);
}
