/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names that mean the same in every life: numbers for texts, given as they are asked for.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oev_index.h"

struct oev_names { /* zeroed: empty */
	char **texts;
	size_t count;
	struct oev_index by_hash;
};

/* Number of @text, from 1; the same text has the same number. 0: out of memory. */
uint32_t oev_names_put(struct oev_names *names, const char *text);

/* "" for 0. */
const char *oev_names_text(const struct oev_names *names, uint32_t number);

void oev_names_fini(struct oev_names *names);
