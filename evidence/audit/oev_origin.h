/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who offered how much before and during a claim: clients that react by themselves, and those who were told and went on.
 *
 * A client that announces DOIC and reacts itself gets the report in the answers this node relays to it. Whether it obeyed can be
 * read from what it offers: with the share asked, fewer than before. It "went on" when it offered more than half way between
 * the number it should have offered and the number it offered before, and chance (five standard deviations) does not explain it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum oev_obedience {
	OEV_OBEYED = 0,
	OEV_WENT_ON = 1,   /* it ignored the report */
	OEV_HELD_HERE = 2, /* it announced nothing: this node reacted on its behalf */
	OEV_TOO_FEW = 3,   /* too few requests to tell */
	OEV_NOT_TOLD = 4,  /* no answer went to it in this time */
	OEV_OBEDIENCE_COUNT
};

#define OEV_ORIGINS_MAX 16384u /* of all claims together */

struct oev_origin {
	uint32_t claim;
	uint32_t name;			/* Origin-Host, in audit->names */
	uint64_t before, during, after; /* requests in scope that it offered */
	uint64_t told;			/* of those during, answered: each answer may carry the report */
	uint64_t reacting;		/* of those during, offered by a client that reacts itself */
	double expected;		/* during, had it obeyed */
	enum oev_obedience obedience;
};

const char *oev_obedience_text(enum oev_obedience obedience); /* "went_on" */
