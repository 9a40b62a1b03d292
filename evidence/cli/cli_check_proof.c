/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic check-proof: what a proof file says, and whether it holds, without the database.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "../verify/oev_check_proof.h"
#include "cli.h"
#include "cli_look.h"

const char cli_check_proof_help[] =
	"doic check-proof proof.json --key dra-01.key.txt\n\n"
	"Says whether a proof made by doic prove holds, and what it proves: a row in words, or that a log "
	"only grew.\n"
	"Every step is recomputed from what is in the file: columns, canonical octets, leaf, batch, log, "
	"signature.\n"
	"No database is needed.\n\n"
	"  --key F              public key you trust; without it the key in the file is only shown\n"
	"  --json               one object on stdout, for every outcome\n"
	"  -q                   verdict line only\n"
	"  -o, --output F       --color auto|always|never\n\n"
	"exit: 0 holds, signed by the key given; 1 does not hold, or another key; 2 usage; 3 holds, but "
	"nobody vouches\n"
	"      for the key in it; 4 no proof file; 70 bug\n"
	"more: man doic-check-proof\n";

enum { KEY_KEY = CLI_LOOK_OWN };

const struct argp_option cli_check_proof_options[] = {
	{ .name = "key", .key = KEY_KEY, .arg = "FILE" },
	CLI_LOOK_OPTIONS,
	{ 0 },
};

struct settings {
	struct cli_look look;
	const char *path;
	const char *key;
	unsigned paths;
};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_KEY:
		settings->key = arg;
		return 0;
	case ARGP_KEY_ARG:
		settings->path = arg;
		settings->paths++;
		return 0;
	default:
		return cli_look_take(&settings->look, key, arg);
	}
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	static const struct argp parser = { .options = cli_check_proof_options, .parser = take };
	struct cli_look *look = &settings->look;

	cli_look_first(look, argc, argv);
	int rc = cli_parse_options(&parser, argc, argv, settings, look->error, sizeof(look->error));
	if (rc != CLI_OK || look->help)
		return rc;
	if (settings->paths != 1)
		snprintf(look->error, sizeof(look->error), "name one proof file");
	return look->error[0] == '\0' ? CLI_OK : CLI_USAGE;
}

static const char *color_of(int code)
{
	return code == CLI_OK ? "\033[1;32m" : code == CLI_NO ? "\033[1;31m" : "\033[1;33m";
}

static const char *key_words(const struct oev_proof_check *check, bool has_key)
{
	if (check->is_trusted)
		return "the one given";
	return has_key ? "the one in the file" : "the one in the file, not confirmed: pass --key";
}

static void print_key(const struct oev_proof_check *check, bool has_key, FILE *out)
{
	fprintf(out, "  key %s of %s (%s)\n", check->key[0] != '\0' ? check->key : "-",
		check->node[0] != '\0' ? check->node : "-", key_words(check, has_key));
}

static void print_row(const struct oev_proof_check *check, FILE *out)
{
	char written[OEV_TIME_TEXT_MAX];

	oev_time_text(check->batch_us, written);
	if (check->says != NULL)
		fprintf(out, "  says: %s; written %s\n", cli_safe(check->says), written);
	fprintf(out, "  row: %s\n", check->row != NULL ? cli_safe(check->row) : "-");
	fprintf(out, "  leaf %" PRIu64 " of %" PRIu64 " in batch %" PRIu64 ", written %s into %s\n",
		check->leaf + 1, check->leaves, check->batch, written, check->segment);
}

static void print(const struct oev_proof_check *check, const struct settings *settings,
		  const struct cli_out *out)
{
	const struct cli_look *look = &settings->look;
	char at[OEV_TIME_TEXT_MAX];
	bool color = cli_wants_color(look->color, out);
	int code = oev_proof_exit(check->outcome);

	fprintf(out->file, "%s%s%s  %s\n", color ? color_of(code) : "", oev_proof_title(check->outcome),
		color ? "\033[0m" : "", check->what);
	if (look->quiet || check->outcome > OEV_PROOF_REFUTED)
		return;
	if (!check->is_growth)
		print_row(check, out->file);
	if (check->size != 0) {
		oev_time_text(check->signed_us, at);
		fprintf(out->file, "  checkpoint of %" PRIu64 " batches, signed %s\n", check->size, at);
	}
	print_key(check, settings->key != NULL, out->file);
}

static int say(const struct oev_proof_check *check, const struct settings *settings)
{
	const struct cli_look *look = &settings->look;
	struct cli_out out;
	int rc = 0;

	if (cli_out_open(&out, look->output) != 0) {
		fprintf(stderr, "doic check-proof: %s: cannot be written: %s\n", look->output,
			strerror(errno));
		cli_out_close(&out, false);
		return CLI_USAGE;
	}
	if (look->json)
		rc = oev_proof_json(check, CLI_TOOL, out.file);
	else
		print(check, settings, &out);
	if (cli_out_close(&out, rc == 0) != 0 || rc != 0) {
		fprintf(stderr, "doic: the result could not be written\n");
		return CLI_BUG;
	}
	return oev_proof_exit(check->outcome);
}

static int tell(struct oev_proof_check *check, const struct settings *settings)
{
	if (check->outcome < OEV_PROOF_UNUSABLE)
		return say(check, settings);
	fprintf(stderr, "doic check-proof: %s%s\n", cli_safe(check->what),
		check->outcome == OEV_PROOF_USAGE ? "  (doic check-proof --help)" : "");
	return settings->look.json ? say(check, settings) : oev_proof_exit(check->outcome);
}

int cli_check_proof(int argc, char **argv)
{
	struct settings settings = { .path = NULL };
	struct oev_proof_check check = { .outcome = OEV_PROOF_USAGE };

	if (read_options(&settings, argc, argv) != CLI_OK) {
		snprintf(check.what, sizeof(check.what), "%s", settings.look.error);
		return tell(&check, &settings);
	}
	if (settings.look.help) {
		fputs(cli_check_proof_help, stdout);
		return CLI_OK;
	}
	oev_proof_check(&check, settings.path, settings.key);
	int code = tell(&check, &settings);
	oev_proof_check_fini(&check);
	return code;
}
