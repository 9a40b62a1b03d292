/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The doic command: finds the verb and hands over.
 */
#include <string.h>

#include "cli.h"

static const char help_help[] =
	"doic help audit\n\n"
	"Prints the short help of a verb. The long text is its manual page: man doic-audit.\n";
static const char version_help[] = "doic version\n\nPrints name and version.\n";

static const struct cli_verb verbs[] = {
	{ "audit", "check what an evidence folder proves about an overload", cli_audit_help, cli_audit },
	{ "ctl", "tell a running agent what to report, or ask what it holds", cli_ctl_help, cli_ctl },
	{ "import-counters", "take what a node counted itself into an evidence folder",
	  cli_import_counters_help, cli_import_counters },
	{ "help", "short help of a verb", help_help, cli_help },
	{ "replay", "make every recorded decision again, and find the first that differs", cli_replay_help,
	  cli_replay },
	{ "verify", "check that evidence is whole and as it was written", cli_verify_help, cli_verify },
	{ "whatif", "try another policy on recorded traffic", cli_whatif_help, cli_whatif },
	{ "version", "name and version", version_help, cli_version },
};
#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

const struct cli_verb *cli_verb_get(const char *name)
{
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

void cli_print_overview(FILE *out)
{
	fprintf(out, "doic audit /var/lib/doic/evidence\n\nusage: doic [--version|--help] VERB [OPTIONS] "
		     "[ARGS]\n\n");
	for (size_t i = 0; i < VERB_COUNT; i++)
		fprintf(out, "  %-15s %s\n", verbs[i].name, verbs[i].does);
	fprintf(out, "\nexit: 0 holds, 1 refuted, 2 usage, 3 cannot tell, 4 unusable input,\n"
		     "      5 daemon unreachable, 6 daemon refused, 70 bug, 130 interrupted\n"
		     "more: doic VERB --help, man doic\n");
}

int cli_unknown_verb(const char *name)
{
	const char *words[VERB_COUNT + 1] = { NULL };

	for (size_t i = 0; i < VERB_COUNT; i++)
		words[i] = verbs[i].name;
	const char *near = cli_nearest(name, words);
	fprintf(stderr, "doic: no %s \"%s\"", name[0] == '-' ? "option" : "verb", name);
	if (name[0] == '-')
		fprintf(stderr, " before the verb");
	else if (near != NULL)
		fprintf(stderr, "; did you mean \"%s\"?", near);
	fprintf(stderr, "  (doic --help)\n");
	return CLI_USAGE;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		cli_print_overview(stderr);
		return CLI_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return cli_version(argc - 1, argv + 1);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return cli_help(1, argv);
	const struct cli_verb *verb = cli_verb_get(argv[1]);
	return verb != NULL ? verb->run(argc - 1, argv + 1) : cli_unknown_verb(argv[1]);
}
