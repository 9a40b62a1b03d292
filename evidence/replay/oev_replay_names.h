/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The names of a life, gathered from its parts, so that each gets the number it had.
 */
#pragma once

#include "../../agent/wire/oc_names.h"
#include "../audit/oev_query.h"

struct oev_replay_names { /* zeroed: empty */
	char **texts;	  /* by number; NULL: a hole */
	uint32_t count;	  /* the highest number and one */
};

/* Adds those of @segment. Returns OC_OK, OC_EIO, OC_ENOMEM, OC_EMALFORMED (two names with one number). Free with _fini, also then. */
int oev_replay_names_add(struct oev_replay_names *names, const struct oev_segment *segment);
void oev_replay_names_fini(struct oev_replay_names *names);

/* A table in which every name has its number, and what has no name one that nobody can have. Returns OC_OK, OC_ENOMEM,
 * OC_EMALFORMED (one name with two numbers, or no name at all). */
int oev_replay_names_make(const struct oev_replay_names *names, struct oc_names **out);
