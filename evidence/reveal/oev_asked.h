/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The identities that were asked for, each once, found by their text.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oev_traces.h"

#define OEV_ASKED_NONE UINT32_MAX

struct oev_identity {
	char *text; /* octets as given, and NUL */
	uint32_t len;
	uint32_t traces; /* first of its chain */
};

struct oev_asked { /* zeroed before */
	struct oev_identity *items;
	uint32_t count, room;
	uint32_t *index; /* place + 1; 0 free */
	uint32_t mask;
};

void oev_asked_fini(struct oev_asked *asked);

/* Place of @text, OEV_ASKED_NONE when it was not asked for. */
uint32_t oev_asked_find(const struct oev_asked *asked, const char *text, size_t len);

/* Adds @text unless it is there. OC_OK, OC_ENOSPC (@limit), OC_ENOMEM. */
int oev_asked_add(struct oev_asked *asked, const char *text, size_t len, uint32_t limit);
