/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Following claims through traffic: which requests concern a claim, in which phase of it, and who counts them. Private to the audit.
 */
#pragma once

#include "oev_audit_scan.h"
#include "oev_strand.h"

/* One claim in the life at hand. */
struct oev_follow {
	uint32_t claim;
	uint32_t app_id;
	uint32_t type;			       /* enum oc_report_type */
	uint32_t subject;		       /* name number in this life */
	uint32_t origin;		       /* likewise: the only client it speaks of; 0 all */
	uint64_t from_us, until_us;	       /* counted in this time */
	uint32_t version_first, version_count; /* its versions in this life */
	struct oev_effect *effect;
	struct oev_series *series;
};

/* What begins or ends for any of them, by both clocks. */
struct oev_instants {
	struct oev_edges wall, mono;
};

struct oev_follows {
	struct oev_follow *all;
	size_t count;
	struct oev_strands strands;
	struct oev_instants requests, answers; /* the same; where the last request was, and the last answer */
	struct oev_edges told;		       /* edges.mono once more; when the last answer arrived */
	uint64_t step_us;		       /* of all series the common divisor */
	struct oev_index names;		       /* name number of this life: number in audit->names */
};

/* Requests that are alike as one claim sees them. */
struct oev_concern {
	uint64_t times; /* how many */
	enum oev_phase phase;
	bool is_offered;     /* in its scope */
	bool is_compared;    /* with a version of it */
	bool is_selected;    /* by it */
	bool is_arrival;     /* sent to its subject */
	bool is_alternative; /* sent elsewhere in its application */
};

/* oev_follow_alike.c: the edges of all in @follows. Returns OC_OK, OC_ENOMEM. */
int oev_follows_edges(const struct oev_audit *audit, struct oev_follows *follows);
void oev_instants_fini(struct oev_instants *times);

/* oev_effect.c: range and instants before the scan; sums of requests and answers; spans after it. */
void oev_effect_begin(struct oev_audit *audit, uint32_t claim);
void oev_effect_request(struct oev_scan *scan, const struct oev_follow *follow,
			const struct oev_concern *concern, const struct oev_row *row, unsigned retried);
void oev_effect_answer(struct oev_scan *scan, const struct oev_follow *follow,
		       const struct oev_concern *concern, const struct oev_row *row,
		       const struct oev_answer *answer);
void oev_effect_end(struct oev_audit *audit, uint32_t claim);

/* Whether the answer shows that the request came to the subject of @follow, though it was sent to somebody else. */
bool oev_effect_came_through(const struct oev_follow *follow, const struct oev_row *row,
			     const struct oev_answer *answer);
/* Answered with success from upstream, before the client lost patience. */
bool oev_effect_is_useful(const struct oev_audit *audit, const struct oev_answer *answer);

/* oev_series.c: likewise. Return OC_OK, OC_ENOMEM. */
int oev_series_begin(struct oev_audit *audit, uint32_t claim);
void oev_series_request(const struct oev_follow *follow, const struct oev_concern *concern,
			const struct oev_row *row);
void oev_series_answer(struct oev_scan *scan, const struct oev_follow *follow,
		       const struct oev_concern *concern, const struct oev_row *row,
		       const struct oev_answer *answer);
int oev_series_end(struct oev_audit *audit, uint32_t claim);

/* The answer is of the realm that the request was for, as far as is told: an answer made by the recording node names none. */
static inline bool oev_answer_of_realm(const struct oev_row *row, const struct oev_answer *answer)
{
	return answer->answered_realm == 0 || answer->answered_realm == row->dest_realm;
}

/* Whether a version of the claim was in force at @mono_ns of the life at hand. */
bool oev_follow_is_in_force(const struct oev_audit *audit, const struct oev_follow *follow, uint64_t mono_ns);

/* oev_origin.c: likewise. */
void oev_origin_request(struct oev_scan *scan, const struct oev_follow *follow,
			const struct oev_concern *concern, const struct oev_row *row);
void oev_origin_answer(struct oev_scan *scan, const struct oev_follow *follow,
		       const struct oev_concern *concern, const struct oev_row *row,
		       const struct oev_answer *answer);
void oev_origins_end(struct oev_audit *audit);

/* Number in audit->names of the name @id of this life; 0 when it has none, or @may_ask is false and it was not asked for before. */
uint32_t oev_follow_name(struct oev_scan *scan, uint32_t id, bool may_ask);
