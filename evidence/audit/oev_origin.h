/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who offered how much before and during a claim: clients that react by themselves, and those who were told and went on.
 *
 * A client that announces DOIC and reacts itself gets the report in the answers this node relays to it. A host report asks it to hold
 * back requests whose Destination-Host is that host, and no others: of a request that names none it cannot know who will serve it
 * (RFC 7683 section 2). A realm report speaks of requests to that realm that name no host. Of these requests alone, and only of
 * clients to which an answer from that host or realm brought a report, is asked whether they became fewer, from the first
 * such answer on. A client obeyed when it offered no more than the number it should have offered, as far as chance (five
 * standard deviations, of both numbers) explains it. Beyond that it "went on" when it offered more than half way between that number and
 * the number it offered before; up to half way it held back partly, which is neither. Its rate before is that since its first request:
 * one that had just begun is not taken for one that sent little. A PEER report speaks to this node alone, which holds back for everybody.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum oev_obedience {
	OEV_OBEYED = 0,
	OEV_WENT_ON = 1,       /* it ignored the report */
	OEV_HELD_HERE = 2,     /* it announced nothing: this node reacted on its behalf */
	OEV_TOO_FEW = 3,       /* too few requests to tell */
	OEV_NOT_TOLD = 4,      /* no answer that carried the report went to it in this time */
	OEV_NOT_ADDRESSED = 5, /* its requests name no host */
	OEV_ABSENT = 6,	       /* it came after the report */
	OEV_PARTLY = 7,	       /* more than asked, fewer than before */
	OEV_OBEDIENCE_COUNT
};

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

const char *oev_obedience_text(enum oev_obedience obedience); /* "went_on" */
const char *oev_obedience_why(enum oev_obedience obedience);  /* a sentence's worth of words */
bool oev_obedience_is_open(enum oev_obedience obedience); /* it reacts by itself, and how cannot be told */
