/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The pass over the decisions and outcomes of one life, and the tables they are looked up in. Private to the audit.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "oev_audit_parts.h"
#include "oev_index.h"
#include "oev_open.h"
#include "oev_read.h"
#include "oev_retry.h"

#define OEV_SCAN_APPS 16u

/* Requests that reports of a scope took away so far, of one application. */
struct oev_removed {
	uint32_t app_id;
	uint64_t by_realm, by_host;
};

struct oev_follows;

/* Reads single decisions of one segment. */
struct oev_late {
	bool is_ready;
	uint32_t segment;
	struct oev_times times;
	struct oev_reader reader;
	sqlite3_stmt *stmt;
	struct oev_row *row; /* where oev_take() puts it */
	bool found;
};

struct oev_scan {
	struct oev_audit *audit;
	uint32_t life;
	uint32_t segment;	     /* the part at hand */
	struct oev_index version_at; /* by version number: 1 + index in audit->versions */
	struct oev_index claim_head; /* by name number: 1 + claim whose subject it is */
	uint32_t *claim_next;	     /* by claim: the next with the same subject, 1 + claim */
	struct oev_index
		server_at; /* by name number: 1 + first agreement row of that server, likewise client */
	struct oev_index client_at;
	struct oev_index hop_at; /* by name number and application: 1 + place in audit->hops */
	struct oev_removed removed[OEV_SCAN_APPS]; /* the last one is shared by all further applications */
	uint32_t removed_count;
	struct oev_open open;
	struct oev_retries retries;
	struct oev_late late;
	struct oev_follows *follows; /* oev_follow.c */
};

/* oev_audit_tables.c: tables of @life. Returns OC_OK, OC_ENOMEM. Free with _fini, also then. */
int oev_scan_init(struct oev_scan *scan, struct oev_audit *audit, uint32_t life);
void oev_scan_fini(struct oev_scan *scan);

/* oev_audit_tables.c: before the first row of part scan->segment: versions that go on from a part that is not there begin with the
 * sums it carries. Returns OC_OK, OC_EIO, OC_ENOMEM. */
int oev_scan_begin_part(struct oev_scan *scan);

/* oev_audit_look.c: holds one decision against the versions it names and those it should have named. */
void oev_scan_decision(struct oev_scan *scan, const struct oev_row *row);

/* oev_audit_count.c: populations and counters of one decision, and of its outcome. */
void oev_scan_count(struct oev_scan *scan, const struct oev_row *row, unsigned retried);
void oev_scan_count_answer(struct oev_scan *scan, const struct oev_row *row, const struct oev_answer *answer);

/* oev_audit_late.c: an outcome whose decision does not wait in memory. Returns true and *@row when the segment has it after all. */
bool oev_scan_late(struct oev_scan *scan, const struct oev_answer *answer, enum oev_wait wait,
		   struct oev_row *row);
void oev_scan_late_fini(struct oev_scan *scan);
/* A decision that has no outcome, as far as can be told now. @by +1 notes it, -1 takes that back. */
void oev_scan_loose(struct oev_scan *scan, const struct oev_row *row, int by);

/* oev_hop.c: by next hop. */
void oev_hop_request(struct oev_scan *scan, const struct oev_row *row);
void oev_hop_answer(struct oev_scan *scan, const struct oev_row *row, const struct oev_answer *answer);

/* oev_follow.c: what claims did to traffic. */
int oev_follows_init(struct oev_scan *scan);
void oev_follows_fini(struct oev_scan *scan);
void oev_follow_decision(struct oev_scan *scan, const struct oev_row *row, unsigned retried);
void oev_follow_answer(struct oev_scan *scan, const struct oev_row *row, const struct oev_answer *answer);
