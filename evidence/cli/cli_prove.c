/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic prove: a proof of one row, or of the log's growth, that needs no database.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "../shelf/oev_shelf.h"
#include "../verify/oev_check_proof.h"
#include "../verify/oev_prove.h"
#include "cli.h"
#include "cli_look.h"
#include "cli_say.h"

const char cli_prove_help[] =
	"doic prove /var/lib/doic/evidence --decision 88120 -o proof.json\n\n"
	"Writes a proof that a row was recorded: the row, the way of its hash to a signed checkpoint, and "
	"the public key,\n"
	"in one JSON file. Whoever trusts the key checks it with doic check-proof, without the database. "
	"What is\n"
	"written was checked before; the folder is only read.\n\n"
	"  --decision RUN-N     decision N of life RUN, as doic ctl why names it; N alone when one life has "
	"it\n"
	"  --run R              life of the agent (meta run), when several have such a number\n"
	"  --alone              without the rows it names: numbers in place of words\n"
	"  --table T --row N    any other row, by its rowid; name the segment instead of the folder\n"
	"                       when several have it\n"
	"  --consistency A B    instead: that the log only grew between two checkpoints; A and B are "
	"numbers\n"
	"                       of batches, \"first\" or \"last\"\n"
	"  -o, --output F       into a file, never half-written (default: stdout)\n"
	"  -q                   says nothing on stderr when all went well\n"
	"  --json               an object on stdout when there is no proof, too\n\n"
	"exit: 0 written, 1 the evidence does not prove it, 2 usage, 3 no checkpoint covers it yet,\n"
	"      4 not found or unusable, 70 bug, 130 interrupted\n"
	"more: man doic-prove\n";

enum { KEY_DECISION = CLI_LOOK_OWN, KEY_RUN, KEY_ALONE, KEY_TABLE, KEY_ROW, KEY_CONSISTENCY };

const struct argp_option cli_prove_options[] = {
	{ .name = "decision", .key = KEY_DECISION, .arg = "RUN-N" },
	{ .name = "run", .key = KEY_RUN, .arg = "R" },
	{ .name = "alone", .key = KEY_ALONE },
	{ .name = "table", .key = KEY_TABLE, .arg = "T" },
	{ .name = "row", .key = KEY_ROW, .arg = "N" },
	{ .name = "consistency", .key = KEY_CONSISTENCY, .arg = "A" },
	CLI_LOOK_OPTIONS,
	{ 0 },
};

struct settings {
	struct oev_prove_options prove;
	struct cli_look look;
	const char *words[2]; /* what stands without an option: the folder, and B */
	unsigned word_count;
	bool has_row;
	char run[OEV_SHELF_RUN_MAX]; /* of RUN-N */
};

static error_t take_decision(struct settings *settings, const char *text)
{
	uint64_t number;

	settings->prove.table = "decision";
	if (oev_shelf_id_parse(text, settings->run, &number) != OC_OK) {
		snprintf(settings->look.error, sizeof(settings->look.error),
			 "--decision \"%.60s\" is no number, and no RUN-N", text);
		return EINVAL;
	}
	settings->prove.row = (int64_t)number;
	settings->has_row = true;
	if (settings->run[0] != '\0')
		settings->prove.run = settings->run;
	return 0;
}

static error_t take_number(struct settings *settings, const char *text)
{
	char *end;

	errno = 0;
	settings->prove.row = strtoll(text, &end, 10);
	settings->has_row = true;
	if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0)
		return 0;
	snprintf(settings->look.error, sizeof(settings->look.error), "--row \"%.60s\" is no whole number",
		 text);
	return EINVAL;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_DECISION:
		return take_decision(settings, arg);
	case KEY_RUN:
		settings->prove.run = arg;
		return 0;
	case KEY_ALONE:
		settings->prove.alone = true;
		return 0;
	case KEY_TABLE:
		settings->prove.table = arg;
		return 0;
	case KEY_ROW:
		return take_number(settings, arg);
	case KEY_CONSISTENCY:
		settings->prove.older = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (settings->word_count < 2)
			settings->words[settings->word_count] = arg;
		settings->word_count++;
		return 0;
	default:
		return cli_look_take(&settings->look, key, arg);
	}
}

/* "prove FOLDER --consistency A B" and "prove --consistency A B FOLDER" are the same: B follows A,
 * wherever that stands. Asked before the options are parsed, which moves them. */
static const char *find_newer(int argc, char **argv)
{
	static const char name[] = "--consistency";

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], name) == 0 && i + 2 < argc)
			return argv[i + 2];
		if (strncmp(argv[i], name, sizeof(name) - 1) == 0 && argv[i][sizeof(name) - 1] == '=' &&
		    i + 1 < argc)
			return argv[i + 1];
	}
	return NULL;
}

static void place_words(struct settings *settings, const char *newer)
{
	unsigned at = settings->word_count == 2 && settings->words[0] == newer ? 1 : 0;

	settings->prove.path = settings->words[at];
	if (settings->prove.older != NULL && settings->word_count == 2)
		settings->prove.newer = settings->words[1 - at];
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_prove_options, .parser = take };
	struct cli_look *look = &settings->look;
	const char *newer = find_newer(argc, argv);

	cli_look_first(look, argc, argv);
	int rc = cli_parse_options(&parser, argc, argv, settings, look->error, sizeof(look->error));

	if (rc != CLI_OK || look->help)
		return rc;
	place_words(settings, newer);
	const char *wrong = NULL;
	if (settings->prove.path == NULL)
		wrong = "name an evidence folder";
	else if (settings->prove.older != NULL && settings->prove.newer == NULL)
		wrong = "--consistency needs two checkpoints: a number of batches, first or last";
	else if (settings->prove.older == NULL && (settings->prove.table == NULL || !settings->has_row))
		wrong = "say which row: --decision RUN-N, or --table T --row N";
	else if (settings->word_count > (settings->prove.older != NULL ? 2u : 1u))
		wrong = "name one folder";
	if (wrong == NULL)
		return CLI_OK;
	snprintf(look->error, sizeof(look->error), "%s", wrong);
	return CLI_USAGE;
}

static bool on_stop(void *ctx)
{
	(void)ctx;
	return cli_interrupted();
}

static int put(const struct oev_prove_result *result, const struct cli_look *look)
{
	struct cli_out out;

	if (cli_out_open(&out, look->output) != 0) {
		fprintf(stderr, "doic prove: %s: cannot be written: %s\n", look->output, strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	bool good = fputs(result->text, out.file) >= 0 && fputc('\n', out.file) != EOF;
	if (cli_out_close(&out, good) != 0 || !good) {
		fprintf(stderr, "doic: the proof could not be written\n");
		return CLI_BUG;
	}
	return CLI_OK;
}

static void tell(const struct oev_prove_result *result, const struct settings *settings)
{
	char at[OEV_TIME_TEXT_MAX];

	if (settings->look.quiet)
		return;
	oev_time_text(result->signed_us, at);
	if (settings->prove.older != NULL)
		fprintf(stderr, "doic prove: the log of %" PRIu64 " batches grew to %" PRIu64 ", signed %s\n",
			result->batch, result->size, at);
	else
		fprintf(stderr,
			"doic prove: %s %" PRId64 " of %s, batch %" PRIu64 ", checkpoint of %" PRIu64
			" batches signed %s\n",
			settings->prove.table, settings->prove.row, result->segment, result->batch,
			result->size, at);
}

/* What the file says of a decision, in words. */
static void tell_words(const struct oev_prove_result *result, const struct settings *settings)
{
	struct oev_proof_check check;

	if (settings->look.quiet || settings->prove.older != NULL || settings->prove.alone)
		return;
	oev_proof_check_text(&check, result->text, strlen(result->text));
	if (check.says != NULL)
		fprintf(stderr, "doic prove: %s\n", cli_safe(check.says));
	oev_proof_check_fini(&check);
}

static int run(const struct settings *settings)
{
	struct oev_prove_result result;
	int code;

	oev_prove(&result, &settings->prove);
	if (result.outcome == OEV_VERIFY_INTACT) {
		code = put(&result, &settings->look);
		if (code == CLI_OK) {
			tell(&result, settings);
			tell_words(&result, settings);
		}
	} else {
		code = cli_fail("prove", settings->look.json, oev_verify_exit(result.outcome),
				oev_verify_outcome_text(result.outcome), result.error);
	}
	oev_prove_fini(&result);
	return code;
}

int cli_prove(int argc, char **argv)
{
	struct settings settings = { .prove = { .stop = on_stop } };

	if (read_options(&settings, argc, argv) != CLI_OK)
		return cli_fail("prove", settings.look.json, CLI_USAGE, "usage", settings.look.error);
	if (settings.look.help) {
		fputs(cli_prove_help, stdout);
		return CLI_OK;
	}
	cli_catch_interrupt();
	return run(&settings);
}
