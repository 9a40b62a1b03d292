/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the verbs replay and whatif have in common: their options and how their result is said.
 */
#pragma once

#include "../replay/oev_lives.h"
#include "cli_look.h"

enum {
	CLI_AGAIN_SINCE = CLI_LOOK_OWN,
	CLI_AGAIN_UNTIL,
	CLI_AGAIN_WINDOW,
	CLI_AGAIN_NODE,
	CLI_AGAIN_OWN /* the first key of a verb's own */
};

struct cli_again {
	const char **inputs; /* room for all arguments */
	size_t input_count;
	const char *node;
	uint64_t now_us, since_us, until_us;
	uint64_t last_us; /* of --window, 0 none */
	struct cli_look look;
	struct cli_progress shown;
};

/* Fills the defaults. 0, or -1 when out of memory; free with _fini. */
int cli_again_init(struct cli_again *again, int argc);
void cli_again_fini(struct cli_again *again);

/* One option that both know, as argp hands it; ARGP_ERR_UNKNOWN when it is another. */
error_t cli_again_take(int key, char *arg, struct cli_again *again);

/* What is wrong with all of them together. CLI_OK, or CLI_USAGE with again->look.error. */
int cli_again_check(struct cli_again *again);

/* Which lives to walk through, with progress on stderr and an end when interrupted. @again outlives it. */
struct oev_lives_options cli_again_lives(struct cli_again *again);

/* "(6.1 s, 525 k decisions/s)" */
void cli_again_speed(uint64_t decisions, double seconds, char *out, size_t size);

/* The first word of @line in colour, the rest plain. */
void cli_again_verdict(FILE *out, const char *line, bool color, int code);
