/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How often somebody may show a wrong token: a number in a minute for each address, and one for all addresses together, since each attempt
 * costs a slow hash.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct oweb_throttle;

#define OWEB_ATTEMPTS_PER_ADDRESS 10u
#define OWEB_ATTEMPTS_OF_ALL 120u
#define OWEB_ATTEMPTS_MINUTE_S 60u

struct oweb_throttle *oweb_throttle_new(void);
void oweb_throttle_free(struct oweb_throttle *throttle);

/* An attempt of @address begins. False: not now; *@is_first says whether it is the first turned away in this minute. Any thread. */
bool oweb_throttle_enter(struct oweb_throttle *throttle, const char *address, uint64_t now_ns,
			 bool *is_first);

/* It was right: it does not count. */
void oweb_throttle_forgive(struct oweb_throttle *throttle, const char *address);
