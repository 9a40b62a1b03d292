/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is said in one second: the state as it is, what changed of it, the seconds that were told since, entries of "what changed".
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "oweb_text.h"

struct oweb_server;

/* What the last tick said. Zero: nothing yet. */
struct oweb_tick {
	json_t *state;
	uint64_t second; /* the last one that was told */
	uint64_t change; /* number of the last entry */
	uint64_t number;
};

/* Makes tick @last->number + 1 and moves @last on: its text to @tick, the whole state to @snapshot, both with ids of @life. */
void oweb_tick_make(struct oweb_server *server, uint64_t life, struct oweb_tick *last, struct oweb_text *tick,
		    struct oweb_text *snapshot);
