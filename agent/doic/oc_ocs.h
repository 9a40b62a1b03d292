/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Overload control state (OCS) of the reacting node: what reports this node believes (RFC 7683 section 5.2.1.1).
 *
 * One entry per (Application-ID, report type, host, realm or peer, and for a rate the client it was allotted to). Each
 * accepted report makes a new version of its
 * entry; versions are numbered through the agent's life, so that a decision can name what it obeyed. An entry
 * outlives its report: through the controlled return (oc_recover.h), and until forget_ns so that a
 * late report cannot reopen what has ended (D-070). Capacity is fixed and nothing is allocated after
 * oc_ocs_new(); a lookup probes a few neighbouring slots whatever the number of entries. Not locked: the agent's L1
 * guards it.
 */
#pragma once

#include "oc_debt.h"
#include "oc_loss.h"
#include "oc_olr.h"
#include "oc_rate.h"
#include "oc_recover.h"
#include "oc_specifics.h"
struct oc_ocs;

struct oc_ocs_key {
	uint32_t app_id;
	uint32_t subject; /* name number of the host, realm or peer */
	uint32_t
		origin : 24; /* client a HOST rate was allotted to, realm of a REALM rate (RFC 8582 section 6.1); 0 = for all */
	uint32_t type : 8; /* enum oc_report_type */
};

/* Word-for-word repeats of one recorded report, waiting to be told. */
struct oc_repeat {
	uint64_t report;
	uint64_t fingerprint; /* of its words and its sender */
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t count;
};

/* One state. It holds what a decision touches and fills one cache line: with thousands of states the memory is what a
 * decision waits for. The rest is in its record. */
struct oc_ocs_entry {
	struct oc_ocs_key key;
	struct oc_loss loss;
	struct oc_debt debt;
	uint32_t version; /* 0 = free */
	struct oc_recover recover;
	uint64_t matched; /* drawn requests of this version: see struct oc_event_ocs_change */
	uint64_t selected;
	uint64_t expected_ppm;
};
_Static_assert(sizeof(struct oc_ocs_entry) == 64, "one cache line");

struct oc_ocs_record {
	struct oc_olr_value value;
	struct oc_rate rate; /* of a rate report while it is active */
	struct oc_probe probe;
	uint8_t specific; /* place in the pool, 0 = none */
	bool is_own;	  /* of an order of this agent's own; the caller's */
	uint32_t via; /* next hop the entry's requests go by, 0 unknown; the caller's, kept across versions */
	uint64_t remembered;
	uint64_t since_ns;
	uint64_t begun_ns; /* of the condition: of the first of its unbroken versions */
	uint64_t earlier_matched, earlier_selected; /* of the unbroken versions before that asked the same */
	uint64_t expires_ns;
	uint64_t forget_ns;
	uint64_t nonzero_expires_ns; /* expiry of the last report whose validity was not 0 */
	struct oc_repeat repeat;
};

/* @max: 1..1048574 entries, of which three quarters may have an origin. NULL when out of memory or range. */
struct oc_ocs *oc_ocs_new(uint32_t max);
void oc_ocs_free(struct oc_ocs *ocs);

/* Entry of @key or NULL. It may lag behind the time: see oc_ocs_settle(). */
struct oc_ocs_entry *oc_ocs_get(struct oc_ocs *ocs, const struct oc_ocs_key *key);

/* The record of @entry. */
struct oc_ocs_record *oc_ocs_record(struct oc_ocs *ocs, const struct oc_ocs_entry *entry);

/* Position @i of 0..oc_ocs_span()-1, NULL when free: to walk the table. The span follows the entries held at once,
 * not the capacity, so that the walk of an idle agent costs nothing. */
struct oc_ocs_entry *oc_ocs_at(struct oc_ocs *ocs, uint32_t i);
uint32_t oc_ocs_span(const struct oc_ocs *ocs);
uint32_t oc_ocs_held(const struct oc_ocs *ocs);
uint32_t oc_ocs_active(const struct oc_ocs *ocs);

/* Entries held whose key has an origin; of report type @type. While 0 such keys need not be looked up. */
uint32_t oc_ocs_with_origin(const struct oc_ocs *ocs);
uint32_t oc_ocs_of_type(const struct oc_ocs *ocs, uint8_t type);

/* Brings @entry one change further if one is due at @now_ns. True: *@how happened to its version at *@at_ns;
 * repeat until false. On OC_END_FORGOTTEN nothing is freed yet: take its last figures, then oc_ocs_forget(). */
bool oc_ocs_settle(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
		   uint64_t now_ns, enum oc_ocs_end *how, uint64_t *at_ns);

/* Frees @entry. */
void oc_ocs_forget(struct oc_ocs *ocs, struct oc_ocs_entry *entry);

/* A report that comes this soon after the one before it ran out goes on with the same condition. */
#define OC_OCS_UNBROKEN_NS 2000000000ull

/* How @value stands to what is held for @key at @now_ns (settled before): OC_INTAKE_NEW, _UPDATED, _STALE
 * or _REPEATED. *@entry is the entry compared with, NULL when none. */
enum oc_intake oc_ocs_compare(struct oc_ocs *ocs, const struct oc_ocs_key *key,
			      const struct oc_olr_value *value, uint64_t now_ns, struct oc_ocs_entry **entry);

/* From when, under which policy and under which number a report is held. */
struct oc_ocs_birth {
	const struct oc_policy *policy;
	uint64_t now_ns;
	uint32_t version;
	uint32_t random;		    /* 32 fresh bits, for the bucket of a rate */
	const struct oc_specific *specific; /* of a loss report on Gy, copied; NULL or count 0: it has none */
};

/* Holds @value for @key; call it for OC_INTAKE_NEW and _UPDATED, with @old from the comparison. A validity of 0
 * starts the return from the share that was in force. A newer rate changes the bucket of a rate in force, any other rate
 * begins one (spec section 2.1.1, point 4). Specific reductions stay through the return; when OC_SPECIFICS_MAX other
 * entries have some, the general percentage is all that is applied. What requests still owe (oc_debt.h) stays with a
 * condition through all its versions. Returns the entry, or NULL when the table is full or the key has a reserved name (both only
 * possible without @old). */
struct oc_ocs_entry *oc_ocs_put(struct oc_ocs *ocs, struct oc_ocs_entry *old, const struct oc_ocs_key *key,
				const struct oc_olr_value *value, const struct oc_ocs_birth *birth);

/* Specific reductions of @entry, which has some (recover.is_specific), and the percentage for requests none of them matches.
 * The entry's own share is the highest of them all. */
const struct oc_specific *oc_ocs_specific(const struct oc_ocs *ocs, const struct oc_ocs_entry *entry,
					  uint8_t *general_pct);
