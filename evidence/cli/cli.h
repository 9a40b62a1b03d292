/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the verbs of the command line share: the verb table, output, colour, progress, suggestions.
 */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../app/oev_nearest.h"

#define CLI_TOOL "doic " DOIC_VERSION

enum cli_exit {
	CLI_OK = 0,
	CLI_NO = 1,
	CLI_USAGE = 2,
	CLI_UNSURE = 3,
	CLI_INPUT = 4,
	CLI_UNREACHABLE = 5,
	CLI_REFUSED = 6,
	CLI_BUG = 70,
	CLI_INTERRUPTED = 130
};

struct cli_verb {
	const char *name;
	const char *does; /* one line of `doic --help` */
	const char *help; /* at most 24 lines, an example first */
	int (*run)(int argc, char **argv);
	const struct argp_option *options; /* those completion offers; NULL none */
	const char
		*words; /* arguments completion offers, spaces between; "" none, "VERB" verbs, NULL files */
};

/* cli_verbs.c. NULL when there is no such verb, or no more. */
const struct cli_verb *cli_verb_get(const char *name);
const struct cli_verb *cli_verb_at(size_t place); /* in the order of the overview */
void cli_print_overview(FILE *out);

/* Says on stderr, and with @json as one object on stdout, that @name is no verb, and the nearest one; CLI_USAGE. */
int cli_unknown_verb(const char *name, bool json);

/* One per file. Return the exit code. */
int cli_audit(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_completion(int argc, char **argv);
int cli_ctl(int argc, char **argv);
int cli_help(int argc, char **argv);
int cli_import_counters(int argc, char **argv);
int cli_reveal(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_prove(int argc, char **argv);
int cli_check_proof(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_whatif(int argc, char **argv);
int cli_top(int argc, char **argv);
int cli_version(int argc, char **argv);
int cli_wireshark(int argc, char **argv);
/* In web/cli/, since they need the HTTP server. */
int cli_export(int argc, char **argv);
int cli_serve(int argc, char **argv);
int cli_token(int argc, char **argv);
extern const char cli_audit_help[];
extern const char cli_check_help[];
extern const char cli_completion_help[];
extern const char cli_ctl_help[];
extern const char cli_help_help[];
extern const char cli_reveal_help[];
extern const char cli_verify_help[];
extern const char cli_import_counters_help[];
extern const char cli_prove_help[];
extern const char cli_check_proof_help[];
extern const char cli_import_help[];
extern const char cli_replay_help[];
extern const char cli_whatif_help[];
extern const char cli_top_help[];
extern const char cli_version_help[];
extern const char cli_wireshark_help[];
extern const char cli_export_help[];
extern const char cli_serve_help[];
extern const char cli_token_help[];
extern const struct argp_option cli_audit_options[];
extern const struct argp_option cli_check_verb_options[];
extern const struct argp_option cli_ctl_options[];
extern const struct argp_option cli_import_counters_options[];
extern const struct argp_option cli_reveal_options[];
extern const struct argp_option cli_verify_options[];
extern const struct argp_option cli_prove_options[];
extern const struct argp_option cli_check_proof_options[];
extern const struct argp_option cli_import_options[];
extern const struct argp_option cli_replay_options[];
extern const struct argp_option cli_whatif_options[];
extern const struct argp_option cli_top_options[];
extern const struct argp_option cli_version_options[];
extern const struct argp_option cli_wireshark_options[];
extern const struct argp_option cli_export_options[];
extern const struct argp_option cli_serve_options[];
extern const struct argp_option cli_token_options[];

/* cli_suggest.c: checks the long options of @argv against @options before argp sees them, and that each has its value. 0, or
 * CLI_USAGE with *@error filled. */
int cli_check_options(int argc, char **argv, const struct argp_option *options, char *error, size_t size);
/* Checks them, then has @parser fill @settings, whose member *@error the parser may fill with what is wrong. CLI_OK, or
 * CLI_USAGE with *@error filled. */
int cli_parse_options(const struct argp *parser, int argc, char **argv, void *settings, char *error,
		      size_t size);

/* Whether --json stands in @argv: even a usage error is said in JSON then. */
bool cli_wants_json(int argc, char **argv);

/* cli_out.c: stdout, or a temporary file beside @path that becomes @path only when all went well. */
struct cli_out {
	FILE *file;
	char *path; /* NULL: stdout */
	char *temp;
};
int cli_out_open(struct cli_out *out, const char *path);
int cli_out_close(struct cli_out *out, bool keep);

enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };
/* Whether escape codes may go to @out: always, never, or a terminal without NO_COLOR and not TERM=dumb. */
bool cli_wants_color(enum cli_color color, const struct cli_out *out);

/* @text without control characters: it may come from a database somebody else wrote. In place; returns @text. */
char *cli_safe(char *text);
/* Likewise printable ASCII only, so that it can stand in JSON. */
char *cli_ascii(char *text);

/* cli_progress.c: on stderr only. */
enum cli_progress_kind {
	CLI_PROGRESS_AUTO,
	CLI_PROGRESS_BAR,
	CLI_PROGRESS_PLAIN,
	CLI_PROGRESS_JSON,
	CLI_PROGRESS_NONE
};
struct cli_progress {
	enum cli_progress_kind kind;
	const char *unit; /* of what is counted; NULL decisions */
	double started_s;
	double said_s;
	bool drawn;
};
double cli_now_s(void);
void cli_progress_start(struct cli_progress *progress, enum cli_progress_kind kind);
void cli_progress_say(struct cli_progress *progress, uint64_t done, uint64_t total);
void cli_progress_stop(struct cli_progress *progress);

/* cli_table.c: a table of @columns (NULL-terminated; '>' before a name aligns right, '~' lets it hold
 * cells of several lines); NULL when out of memory. */
#define CLI_WIDTH 110
struct libscols_line;
struct libscols_table *cli_table_new(bool color, const char *const *columns);
/* Sets the cell @column of @line to @text, in lines of at most @room. */
void cli_table_wrap(struct libscols_line *line, size_t column, const char *text, size_t room);
/* Prints @table two columns to the right and frees it. */
void cli_table_print(struct libscols_table *table, FILE *out);
/* Prints @text after @head ("  gap         "), in lines of at most CLI_WIDTH that begin below it. */
void cli_print_wrapped(const char *head, const char *text, FILE *out);

/* Writes the SIGINT wish into a flag; true once it came. */
void cli_catch_interrupt(void);
bool cli_interrupted(void);
