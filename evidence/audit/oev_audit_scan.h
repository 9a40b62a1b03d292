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

/* A claim as one subject of requests: its versions in the life at hand. */
struct oev_subject {
	uint64_t key;
	uint32_t claim, type;
	struct oev_version *versions; /* in order of time */
	uint32_t count;
	uint32_t origin;	 /* who the rate was allotted to, by name number; 0 all */
	struct oev_lapse *lapse; /* what this life should hold and does not; NULL nothing */
	bool is_last;		 /* of those with the same key */
	struct {
		uint64_t from_ns, until_ns;
		struct oev_version *version;
	} begun[2]; /* found last, by use */
};

enum oev_subject_use { OEV_USE_ARRIVAL = 0, OEV_USE_CHECK = 1 };

static inline uint64_t oev_subject_key(uint32_t name, uint32_t app_id)
{
	return (uint64_t)name << 32 | app_id;
}

struct oev_scan {
	struct oev_audit *audit;
	uint32_t life;
	uint32_t segment;	      /* the part at hand */
	struct oev_index version_at;  /* by version number: 1 + index in audit->versions */
	struct oev_subject *subjects; /* claims about hosts and realms, by name number and application */
	struct oev_index subject_at;  /* by oev_subject_key(): 1 + place of the first one */
	bool has_peers;		      /* some are about peers; they are there for their lapses alone */
	bool has_any_app;	      /* some are of all applications */
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

/* oev_audit_subject.c: makes them for scan->life. Returns OC_OK, OC_ENOMEM. */
int oev_subjects_make(struct oev_scan *scan);

/* The first one of name @name for application @app_id, OC_APP_ANY for those of all; NULL when there is none. The others follow until
 * is_last. */
struct oev_subject *oev_subjects_of(const struct oev_scan *scan, uint32_t name, uint32_t app_id);

/* The last version of @subject that began at or before @mono_ns; NULL when none did. Times near those of the last call for the
 * same use are found at once. */
struct oev_version *oev_subject_begun(struct oev_subject *subject, enum oev_subject_use use,
				      uint64_t mono_ns);

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
/* Hands on what was counted so far; to be done before the end. */
void oev_follows_tell(struct oev_scan *scan);
void oev_follow_decision(struct oev_scan *scan, const struct oev_row *row, unsigned retried);
void oev_follow_answer(struct oev_scan *scan, const struct oev_row *row, const struct oev_answer *answer);
