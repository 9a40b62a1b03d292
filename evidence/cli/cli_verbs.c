/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The verbs: one row each, in the order in which somebody meets them.
 */
#include <jansson.h>
#include <string.h>

#include "cli.h"

static const struct cli_verb verbs[] = {
	{ "audit", "check what an evidence folder proves about an overload", cli_audit_help, cli_audit,
	  cli_audit_options, NULL },
	{ "verify", "check that evidence is whole and as it was written", cli_verify_help, cli_verify,
	  cli_verify_options, NULL },
	{ "prove", "prove that a row was recorded, or that the log only grew", cli_prove_help, cli_prove,
	  cli_prove_options, NULL },
	{ "check-proof", "check a proof file, without the database", cli_check_proof_help, cli_check_proof,
	  cli_check_proof_options, NULL },
	{ "replay", "make every recorded decision again, and find the first that differs", cli_replay_help,
	  cli_replay, cli_replay_options, NULL },
	{ "whatif", "try another policy on recorded traffic", cli_whatif_help, cli_whatif, cli_whatif_options,
	  NULL },
	{ "import", "make evidence of a capture, for networks where this agent never ran", cli_import_help,
	  cli_import, cli_import_options, NULL },
	{ "import-counters", "take what a node counted itself into an evidence folder",
	  cli_import_counters_help, cli_import_counters, cli_import_counters_options, NULL },
	{ "export", "rows of an evidence folder as NDJSON or CSV", cli_export_help, cli_export,
	  cli_export_options, NULL },
	{ "reveal", "find what evidence holds of a subscriber or session, with the key", cli_reveal_help,
	  cli_reveal, cli_reveal_options, NULL },
	{ "ctl", "ask a running agent what it does, or tell it what to do", cli_ctl_help, cli_ctl,
	  cli_ctl_options,
	  "status pools peers reports sessions why out in policy metrics tap report load states stats reload "
	  "ping" },
	{ "top", "a running agent in a full screen, as it goes on", cli_top_help, cli_top, cli_top_options,
	  "" },
	{ "check", "whether configuration and system let the agent do its work", cli_check_help, cli_check,
	  cli_check_verb_options, NULL },
	{ "serve", "show an evidence folder over HTTP: dashboard and API, read-only", cli_serve_help,
	  cli_serve, cli_serve_options, NULL },
	{ "token", "make, list or revoke a token for the agent's HTTP server", cli_token_help, cli_token,
	  cli_token_options, "observer administrator list revoke" },
	{ "wireshark", "install plugin and profile for reading overload reports in Wireshark",
	  cli_wireshark_help, cli_wireshark, cli_wireshark_options, "" },
	{ "completion", "completion of this command line for a shell", cli_completion_help, cli_completion,
	  NULL, "bash zsh fish" },
	{ "help", "short help of a verb", cli_help_help, cli_help, NULL, "VERB" },
	{ "version", "name and version", cli_version_help, cli_version, cli_version_options, "" },
};
#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

const struct cli_verb *cli_verb_get(const char *name)
{
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

const struct cli_verb *cli_verb_at(size_t place)
{
	return place < VERB_COUNT ? &verbs[place] : NULL;
}

void cli_print_overview(FILE *out)
{
	fprintf(out,
		"doic audit /var/lib/doic/evidence\nusage: doic [--version|--help] VERB [OPTIONS] [ARGS]\n");
	for (size_t i = 0; i < VERB_COUNT; i++)
		fprintf(out, "  %-15s  %s\n", verbs[i].name, verbs[i].does);
	fprintf(out, "exit: 0 holds, 1 refuted, 2 usage, 3 cannot tell, 4 unusable input,\n"
		     "      5 daemon unreachable, 6 daemon refused, 70 bug, 130 interrupted\n"
		     "more: doic VERB --help, man doic\n");
}

static void say_json(const char *error)
{
	json_t *root = json_pack("{s:s, s:s, s:s, s:i, s:s}", "schema", "doic/1", "tool", CLI_TOOL, "outcome",
				 "usage", "exit", (int)CLI_USAGE, "error", error);

	json_dumpf(root, stdout, JSON_INDENT(1));
	puts("");
	json_decref(root);
}

int cli_unknown_verb(const char *name, bool json)
{
	const char *words[VERB_COUNT + 1] = { NULL }, *near = NULL;
	bool is_option = name[0] == '-';
	char error[256];

	for (size_t i = 0; i < VERB_COUNT; i++)
		words[i] = verbs[i].name;
	if (!is_option)
		near = oev_nearest(name, words);
	snprintf(error, sizeof(error), "no %s \"%.100s\"%s%s%s", is_option ? "option" : "verb", name,
		 is_option	? " before the verb"
		 : near != NULL ? "; did you mean \""
				: "",
		 near != NULL ? near : "", near != NULL ? "\"?" : "");
	fprintf(stderr, "doic: %s  (doic --help)\n", cli_ascii(error));
	if (json)
		say_json(error);
	return CLI_USAGE;
}
