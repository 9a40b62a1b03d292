/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who offered how much before and during a claim: clients that react by themselves, and those who were told and went on. How it is
 * judged: ../oev_obedience.h.
 */
#pragma once

#include <stdint.h>

#include "../oev_obedience.h"

#define OEV_ORIGINS_MAX 16384u /* of all claims together */

struct oev_origin {
	uint32_t claim;
	uint32_t name; /* Origin-Host, in audit->names */
	uint64_t before, during,
		after; /* requests it offered that a reacting client would know the report to mean */
	uint64_t
		unaddressed; /* during, further ones in scope: they named no host, and the host was chosen on the way */
	uint64_t answered; /* of all in scope during, answered */
	uint64_t told;	   /* answers that carried the report to it while it was in force */
	uint64_t first_us; /* of those before the first */
	uint64_t told_us;  /* the first of them; 0 none */
	uint64_t seen;	   /* all in scope, before and during */
	uint64_t reacting; /* of these, offered by a client that reacts itself */
	double expected;   /* during, had it obeyed */
	enum oev_obedience obedience;
};
