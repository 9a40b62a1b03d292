/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a claim did to traffic: the same counts before, during and after it, at its subject and at the alternatives.
 *
 * Times of comparison: "during" is all the time a version was in force, "ramp" what followed each until nothing was reduced any
 * more, "before" and "after" as long as "during" (at least OEV_EFFECT_LEAST_US, at most OEV_EFFECT_MOST_US) right before the
 * first version and after the last ramp, "apart" everything else in the window. Counts are of decisions in that time, and of what became of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum oev_phase {
	OEV_PHASE_BEFORE = 0,
	OEV_PHASE_DURING = 1,
	OEV_PHASE_RAMP = 2,
	OEV_PHASE_AFTER = 3,
	OEV_PHASE_APART = 4,
	OEV_PHASE_COUNT
};

#define OEV_EFFECT_LEAST_US 10000000ull
#define OEV_EFFECT_MOST_US 600000000ull
#define OEV_ALTERNATIVES_MAX 32u

/* Classes of answers that came from upstream. */
enum oev_class_of_answer {
	OEV_ANSWER_SUCCESS = 0,	  /* 2xxx */
	OEV_ANSWER_PROTOCOL = 1,  /* 3xxx, 3004 (too busy) apart */
	OEV_ANSWER_BUSY = 2,	  /* 3004 */
	OEV_ANSWER_TRANSIENT = 3, /* 4xxx */
	OEV_ANSWER_PERMANENT = 4, /* 5xxx */
	OEV_ANSWER_OTHER = 5,	  /* 1xxx, experimental, none */
	OEV_ANSWER_COUNT
};

struct oev_traffic {
	uint64_t span_us; /* time the evidence tells of */
	uint64_t offered; /* requests in scope of the claim */
	uint64_t matched; /* of these: compared with a version of it, drawn or not */
	uint64_t selected;
	uint64_t refused; /* for whatever reason */
	uint64_t diverted;
	uint64_t retried;		    /* they had been tried before (oev_retry.h) */
	uint64_t passed;		    /* of the offered, sent to the subject */
	uint64_t arrived;		    /* sent to the subject, in scope or not */
	uint64_t answers[OEV_ANSWER_COUNT]; /* of these, answered from upstream */
	uint64_t useful;		    /* of these, 2xxx within the client's patience */
	uint64_t alternatives; /* sent to other next hops in the same application; not of realm claims */
	uint64_t alternatives_useful;
};

/* One other next hop. */
struct oev_alternative {
	uint32_t name; /* in audit->names */
	uint64_t sent[OEV_PHASE_COUNT];
	uint64_t useful[OEV_PHASE_COUNT];
};

struct oev_effect {
	struct oev_traffic phase[OEV_PHASE_COUNT];
	struct oev_alternative alternative[OEV_ALTERNATIVES_MAX]; /* the first that were met */
	uint32_t alternative_count;
	uint64_t alternatives_unlisted; /* requests to further ones */
	uint64_t around_us;		/* length of before and after */
	uint64_t first_us;		/* first version began */
	uint64_t ended_us;		/* last version was over */
	uint64_t normal_us;		/* nothing was reduced any more; 0 no row tells */
	uint64_t selected_us;		/* first selected; 0 none was */
	uint64_t slowest_effect_us;	/* longest time from a version's beginning to its first selection */
	uint64_t slowest_normal_us;	/* longest time from a version's end to normal */
	bool has_normal;		/* some version came to normal */
	bool is_adjacent;		/* the subject is a next hop of this node (of a realm: always) */
};

/* Answers from upstream of all classes. */
static inline uint64_t oev_traffic_answered(const struct oev_traffic *traffic)
{
	uint64_t sum = 0;

	for (int i = 0; i < OEV_ANSWER_COUNT; i++)
		sum += traffic->answers[i];
	return sum;
}

const char *oev_phase_text(enum oev_phase phase);		     /* "before" */
const char *oev_class_of_answer_text(enum oev_class_of_answer kind); /* "success" */
enum oev_class_of_answer oev_class_of_result(uint32_t result_code);
