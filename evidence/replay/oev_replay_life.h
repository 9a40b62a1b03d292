/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One life of an agent as a folder holds it: which segments, how the agent began, its names and its first policy.
 *
 * A life can be done again from its first part on, as far as its parts follow each other. What comes after a missing part, or
 * before the first one, depends on state that nobody told of.
 */
#pragma once

#include "../../agent/oc_agent.h"
#include "oev_replay_names.h"

#define OEV_REPLAY_ERROR_MAX 512u
#define OEV_REPLAY_WORD_MAX 64u

/* What happened while the agent lived that leaves a replay without its inputs. */
enum oev_life_lack {
	OEV_LACKS_NOTHING = 0,
	OEV_LACKS_BEGINNING, /* its first part is not there */
	OEV_LACKS_PART,	     /* one in between; what lies before it is done again */
	OEV_LACKS_SCHEMA,    /* written before replays were thought of */
	OEV_LACKS_AGENT,     /* made from a capture: nobody decided anything */
	OEV_LACKS_FACTS,     /* meta core.* is not there */
	OEV_LACKS_COUNT
};

struct oev_life_segment {
	char *path;
	char *node;
	char *run;
	uint64_t part;
	uint64_t started_us;
	uint64_t life_us;   /* when its life began, as far as it is there */
	uint64_t decisions; /* about */
};

struct oev_replay_life {
	const struct oev_life_segment *parts; /* in order; the first part_count can be done again */
	uint32_t part_count;
	uint32_t parts_beyond; /* that cannot */
	enum oev_life_lack lack;
	char node[OC_IDENT_MAX + 1];
	char realm[OC_IDENT_MAX + 1];
	char run[OEV_REPLAY_WORD_MAX];
	char version[OEV_REPLAY_WORD_MAX]; /* of the program that wrote it */
	uint64_t started_us;
	uint64_t until_us;	   /* the parts that are done again tell of it until then */
	uint64_t decisions;	   /* in these, about */
	uint64_t decisions_beyond; /* in the others */
	uint64_t gap_ns;	   /* events may be lost from then on; UINT64_MAX: none */
	uint64_t gap_events;
	uint64_t since_ns, until_ns; /* window */
	bool was_cut;		     /* it did not end by itself, or is going on */
	uint32_t policy_version;     /* of the first policy */
	struct oc_agent_conf conf;   /* names is owned */
	struct oc_policy policy;
};

struct oev_replay_window {
	uint64_t since_us, until_us;
};

/* Fills *@life, zeroed before, from @count segments of one life in order of part. What it cannot do again is told by lack. Returns OC_OK,
 * OC_EIO, OC_ENOMEM, OC_EMALFORMED, OC_EVERSION with *@error. Free with _fini in every case. */
int oev_replay_life_load(struct oev_replay_life *life, const struct oev_life_segment *parts, uint32_t count,
			 const struct oev_replay_window *window, char error[static OEV_REPLAY_ERROR_MAX]);
void oev_replay_life_fini(struct oev_replay_life *life);

/* How many decisions @segment holds if no number is missing. */
uint64_t oev_life_decisions(const struct oev_segment *segment);

/* "the life's first part is not there" ... "" for OEV_LACKS_NOTHING. */
const char *oev_life_lack_text(enum oev_life_lack lack);
