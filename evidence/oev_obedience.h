/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Was a sender told to send less, and did it? One rule, for the audit of a folder and for the watch that looks live.
 *
 * A client that announces DOIC and reacts by itself gets the report in the answers this node relays to it. A host report asks it to hold
 * back requests whose Destination-Host is that host, and no others: of a request that names none it cannot know who will serve it
 * (RFC 7683 section 2). A realm report speaks of requests to that realm that name no host. Of these requests alone, and only of
 * clients to which an answer from that host or realm brought a report, is asked whether they became fewer, from the first
 * such answer on. A client obeyed when it offered no more than the number it should have offered, as far as chance (five
 * standard deviations, of both numbers) explains it. Beyond that it "went on" when it offered more than half way between that number and
 * the number it offered before; up to half way it held back partly, which is neither. Its rate before is that since its first request:
 * one that had just begun is not taken for one that sent little. A PEER report speaks to this node alone, which holds back for everybody.
 *
 * Pure: no state, any thread.
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
	OEV_ABSENT = 6,	       /* it came after the report; never of one in force */
	OEV_PARTLY = 7,	       /* more than asked, fewer than before */
	OEV_UNKNOWN = 8,       /* nothing tells of before, or events were lost */
	OEV_OBEDIENCE_COUNT
};

/* What was asked of one sender, as sums over the time a report was in force through all its versions. */
struct oev_demand {
	double active_s; /* in force */
	double untold_s; /* of this, before the sender was told */
	double share_s;	 /* since it was told: the share to be taken away (0 to 1) times seconds */
	double allowed;	 /* since it was told: requests that a rate would have let it send */
};

/* What is known of one sender under one report. */
struct oev_conduct {
	bool is_peer;		 /* a PEER report */
	bool has_loss;		 /* events of the time before or in force were lost */
	bool knows_before;	 /* something tells of the time before, be it that nothing was sent */
	uint64_t seen;		 /* requests in scope, before and in force */
	uint64_t reacting;	 /* of these, offered by a client that reacts by itself */
	uint64_t before, during; /* requests it would know the report to mean */
	uint64_t unaddressed;	 /* in force, further ones in scope: they named no host */
	uint64_t told;		 /* answers that carried the report to it while it was in force */
	double times_before; /* how many times as long as its "before" the report was in force; 0 no before */
	struct oev_demand asked;
};

struct oev_judgement {
	enum oev_obedience obedience;
	double usual;	 /* requests it would have offered in force at its rate before */
	double expected; /* had it obeyed */
};

struct oev_judgement oev_obedience_judge(const struct oev_conduct *conduct);

const char *oev_obedience_text(enum oev_obedience obedience); /* "went_on" */
const char *oev_obedience_why(enum oev_obedience obedience);  /* a sentence's worth of words */
bool oev_obedience_is_open(enum oev_obedience obedience); /* it reacts by itself, and how cannot be told */

/* Order of lists: 0 it went on, 1 it held back partly, 2 all others. */
int oev_obedience_rank(enum oev_obedience obedience);
