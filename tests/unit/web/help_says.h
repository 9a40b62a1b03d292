/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * For tests of the sentences: what the server says now, and traffic to say it of.
 */
#pragma once

#include "help_web.h"

/* Sentence number @place of what is said now, its parts joined; "" there is none. In a buffer of its own for each of the last four calls. */
const char *help_says(size_t place);
/* The whole, as the API has it; to be dropped. */
json_t *help_says_all(void);

/* What one sender asks of a server in a second. */
struct help_traffic {
	const char *sender, *server;
	unsigned sent, useful; /* to the server, of these answered without error */
	unsigned refused;      /* further ones */
};

/* What follows counts "ago" from now. */
void help_says_begin(void);
/* Tells the watch that @traffic was so in each second from @from_ago to @until_ago seconds ago (from_ago > until_ago), the second @until_ago
 * itself not. */
void help_says_traffic(const struct help_traffic *traffic, unsigned from_ago, unsigned until_ago);
/* State 41, of pcrf-2.example, is held since @ago seconds; all answers tell of it. */
void help_says_held(unsigned ago);
/* All up to then is told, and the state of the made-up agent is asked for since @ago seconds, renewed just now. */
void help_says_reached(unsigned ago);
