/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reports this agent makes: the overload control state of the reporting node (RFC 7683 sections 5.2.1.2, 5.2.1.4, 5.2.3;
 * RFC 8581 sections 6.2.1.1, 6.2.2, 6.2.4; RFC 8582 sections 6.1, 6.3).
 *
 * An order says what is wanted ("host S3: 30 % less"); from it come the contents that answers carry. Each change of
 * contents takes the next sequence number of one row for all reports of this agent, so a new condition always
 * exceeds every number that is still held somewhere (D-092), and the row begins beyond every number of an earlier
 * life (D-093): @first_sequence is the caller's to persist. Contents are renewed when half their validity is over, since
 * repeating a number does not extend it (D-082, D-094). An order that is withdrawn falls in steps (D-110), then ends: the
 * end is told until the last remote state it caused is over (D-098).
 *
 * A loss order has one content for all receivers (D-112). A rate order is a total, split among the reacting
 * nodes heard of lately: the sum of what is allotted never exceeds it. An order may have both: each receiver
 * gets the one its answer's algorithm calls for (D-048). A rate ends without steps. Capacity is fixed, nothing is allocated
 * after oc_reports_new(). Not locked: the agent's L1 guards it.
 *
 * Where several orders fit an answer, one for its application goes before one for all (OC_APP_ANY), then one for its
 * neighbour before one for every neighbour; what has ended gives way to what is in force, whose contents are then made
 * again, so that they have the higher number.
 */
#pragma once

#include "../oc_event.h"
#include "../oc_policy.h"
#include "../wire/oc_msg.h"

#define OC_REPORT_ORDERS_MAX 64u
#define OC_REPORT_TARGETS_MAX 1024u

struct oc_reports;

struct oc_report_key {
	uint32_t app_id; /* or OC_APP_ANY */
	uint32_t
		subject; /* host or realm; of a PEER report the neighbour that gets it, 0 = every one (D-049) */
	uint8_t type;	 /* enum oc_report_type */
};

static inline bool oc_report_same_key(const struct oc_report_key *a, const struct oc_report_key *b)
{
	return a->app_id == b->app_id && a->subject == b->subject && a->type == b->type;
}

struct oc_report_order {
	struct oc_report_key key;
	bool has_reduction;
	bool has_rate;
	uint32_t reduction_pct; /* 0..100 */
	uint32_t rate_rps;	/* total for all reacting nodes */
	uint32_t validity_s;	/* 1..86400, 0 = the policy's */
	uint64_t until_ns;	/* withdrawn by itself then; 0 = stays until withdrawn */
};

/* One content: equal (number) means equal octets (D-096). Of what was allotted to a target key.app_id is the application
 * the target was met in, also under an order for all. */
struct oc_report_content {
	uint64_t sequence;
	uint64_t made_ns;
	struct oc_report_key key;
	uint32_t target;     /* reacting node a rate was allotted to; 0 = content for all */
	uint32_t validity_s; /* 0 = the end */
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint8_t algorithm; /* enum oc_algo */
	uint8_t step;	   /* enum oc_report_step */
	uint8_t is_note;   /* 1: no content, but what became of one without a word to anybody */
};

/* NULL when out of memory. */
struct oc_reports *oc_reports_new(uint64_t first_sequence);
void oc_reports_free(struct oc_reports *reports);

/* Puts @order in force or changes the one of the same key. A higher percentage counts at once; a lower one is reached in
 * steps as long as somebody may hold a higher one (D-110). An algorithm it no longer has is withdrawn. OC_OK, OC_EINVAL (neither percentage nor rate, a percentage above
 * 100, a validity above 86400, an unknown type, a HOST or REALM order without subject), OC_ENOSPC. */
int oc_reports_order(struct oc_reports *reports, const struct oc_report_policy *policy,
		     const struct oc_report_order *order, uint64_t now_ns);

/* Withdraws the order of @key: steps down, then the end, until nobody can hold anything of it (D-098). Gone at once when nobody
 * does (D-097). OC_OK, OC_ENOENT (also when it is withdrawn already). */
int oc_reports_withdraw(struct oc_reports *reports, const struct oc_report_policy *policy,
			const struct oc_report_key *key, uint64_t now_ns);

/* One thing that is due at @now_ns: a renewal, a step of a fall, an end, a new split. True: *@out is what was made; repeat until
 * false. Contents made by the calls above are reported here too, so this is the one place to tell the trail from.
 * A rate split among many makes one content per target. OC_REPORT_GONE repeats the last content and takes no number; a target
 * that was idle too long is gone alone, all others are over with the end of their order, which has no target. While 2048
 * contents wait here unread, no more are made: answers then go without those that would be new. */
bool oc_reports_step(struct oc_reports *reports, const struct oc_report_policy *policy, uint64_t now_ns,
		     struct oc_report_content *out);

/* Who gets the answer that is about to leave, and what it may carry. */
struct oc_report_receiver {
	uint32_t app_id;
	uint32_t host;		/* Origin-Host of the request: target of a HOST rate */
	uint32_t realm;		/* Origin-Realm of the request: target of a REALM rate */
	uint32_t peer;		/* neighbour the request came from: target of PEER */
	uint8_t algorithm;	/* enum oc_algo of HOST and REALM reports in this answer */
	uint8_t peer_algorithm; /* of PEER reports; OC_ALGO_NONE = the neighbour does not support them */
};

/* Algorithms of the reports about @subject (PEER: for that neighbour) that are in force, or if there are none, of those
 * whose end is still told: OC_FV_LOSS, OC_FV_RATE. What the caller can choose among for the answer (D-024, R-5). */
uint64_t oc_reports_algorithms(const struct oc_reports *reports, uint8_t type, uint32_t app_id,
			       uint32_t subject);

/* Content of @type about @subject (Origin-Host or Origin-Realm of the answer; ignored for PEER) for @to, and counts it as
 * sent at @now_ns (D-098, D-107). False: there is none. A rate for a reacting node not met before is allotted here:
 * floor(total / n) of n, for it and with that for all the others. When OC_REPORT_TARGETS_MAX are met, one more gets no
 * rate: 0 would shut it out, anything else would exceed the total. The caller may ask again with OC_ALGO_LOSS. */
bool oc_reports_content(struct oc_reports *reports, const struct oc_report_policy *policy, uint8_t type,
			uint32_t subject, const struct oc_report_receiver *to, uint64_t now_ns,
			struct oc_report_content *out);

/* Whom this node reacts for, in its own orders. */
struct oc_report_claim {
	uint32_t host; /* this node */
	uint32_t realm;
	bool for_clients;    /* some that cannot react to HOST and REALM reports were heard of lately */
	bool for_neighbours; /* some that cannot be told of PEER reports were */
};

/* Counts this node among the reacting nodes of the orders that have a rate only: those that cannot react are held to its part.
 * What is new comes out of oc_reports_step(); where it is counted already nothing happens. */
void oc_reports_claim(struct oc_reports *reports, const struct oc_report_policy *policy,
		      const struct oc_report_claim *claim, uint64_t now_ns);

/* Somebody this node stands for was heard of at @now_ns: where it is counted, it stays so for another while. */
void oc_reports_keep(struct oc_reports *reports, const struct oc_report_claim *claim, uint64_t now_ns);

/* Whether the order of @key is in force with a rate and no percentage. */
bool oc_reports_is_rate_only(const struct oc_reports *reports, const struct oc_report_key *key);

/* The loss content in force for answers about @subject (PEER: to that neighbour), without counting it as sent. False: there is
 * none. */
bool oc_reports_peek(const struct oc_reports *reports, uint8_t type, uint32_t app_id, uint32_t subject,
		     struct oc_report_content *out);

/* Whether an order about @subject is in force or its end is still told, without counting anything. */
bool oc_reports_has(const struct oc_reports *reports, uint8_t type, uint32_t app_id, uint32_t subject);

/* Number of orders held; 0 lets callers skip all of the above. */
uint32_t oc_reports_count(const struct oc_reports *reports);

/* One order as it stands, for snapshots. */
struct oc_report_view {
	struct oc_report_order order;
	uint64_t sequence;	/* of the content for all, or the highest of the targets */
	uint64_t told_until_ns; /* the last remote state ends then */
	uint64_t sent;		/* answers that carried it */
	uint32_t reduction_pct; /* told now, on its way down after a withdrawal */
	uint32_t rate_each_rps; /* allotted to each target */
	uint32_t targets;
	bool is_withdrawn;
	bool is_ended;
};

/* Copies up to @max; returns how many there are. */
uint32_t oc_reports_snapshot(const struct oc_reports *reports, struct oc_report_view *out, uint32_t max);

/* The number the next content will take: what the caller persists must stay above it. */
uint64_t oc_reports_next_sequence(const struct oc_reports *reports);

/* That number, which no content will carry then: for an end that is told to nobody but this node. */
uint64_t oc_reports_take_number(struct oc_reports *reports);

/* Fills @olr with @content, ready for oc_encode_olr(); SourceID is marked present for PEER. */
void oc_report_olr(const struct oc_report_content *content, struct oc_olr *olr);
