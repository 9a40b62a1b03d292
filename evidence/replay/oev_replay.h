/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic replay: every recorded decision made again by the same core from the recorded inputs, and held against the record.
 *
 * Each life in a folder is done again by a fresh agent from its beginning, whatever the window: what it decides depends on all
 * that came before. Decisions inside the window are compared. A difference says that the record is not what the core decided from
 * these inputs: rows were altered, inputs are missing that the record does not admit to miss, or the core is another one.
 * docs/replay.md says what is input and what the result proves.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "oev_lives.h"

enum oev_replay_outcome {
	OEV_REPLAY_IDENTICAL,
	OEV_REPLAY_DIFFERS,
	OEV_REPLAY_UNSURE,
	OEV_REPLAY_UNUSABLE,
	OEV_REPLAY_USAGE,
	OEV_REPLAY_INTERRUPTED,
	OEV_REPLAY_BUG,
	OEV_REPLAY_OUTCOME_COUNT
};

#define OEV_DIFFERENCES_LISTED 20u
#define OEV_REPLAY_TEXT_MAX 640u

/* A state that a decision was held against, in words. */
struct oev_replay_state {
	uint32_t version; /* 0: none */
	char text[OEV_REPLAY_TEXT_MAX];
};

/* A decision that came out otherwise, with what went into it. */
struct oev_difference {
	uint32_t life; /* of replay->lives */
	uint64_t wall_us;
	const char *field; /* of struct oc_decision: "verdict", "host.nth" ... */
	struct oc_decision recorded;
	struct oc_decision replayed;
	char client[OC_IDENT_MAX + 1];
	char origin_host[OC_IDENT_MAX + 1];
	char origin_realm[OC_IDENT_MAX + 1];
	char dest_host[OC_IDENT_MAX + 1];
	char dest_realm[OC_IDENT_MAX + 1];
	char hops[4][OC_IDENT_MAX + 1];	      /* recorded first choice, next hop; replayed likewise */
	char candidates[OEV_REPLAY_TEXT_MAX]; /* "" not known */
	struct oev_replay_state states[OC_SCOPE_COUNT]; /* recorded, by enum oc_scope */
};

struct oev_replay_tally {
	uint64_t decisions; /* compared, in the window */
	uint64_t differing;
	uint64_t first_differing;	 /* its number, 0 none */
	uint64_t inexact;		 /* made as given: their candidates are not in the record */
	uint64_t outside;		 /* made again outside the window, for the state */
	uint64_t beyond;		 /* in the window or not, of parts that could not be done again */
	uint64_t missing;		 /* numbers without a decision, up to the last */
	uint64_t late, orphans, unknown; /* as of struct oc_replay_counts */
};

/* One life, and how it went. */
struct oev_replayed_life {
	char node[OC_IDENT_MAX + 1];
	char run[OEV_REPLAY_WORD_MAX];
	char version[OEV_REPLAY_WORD_MAX];
	char why[OEV_REPLAY_TEXT_MAX]; /* when it is not identical */
	uint64_t started_us, until_us;
	uint32_t parts, parts_beyond;
	uint32_t policy_first, policy_last;
	bool same_core; /* written by this version of the program */
	bool was_cut;
	uint64_t gap_events;
	enum oev_replay_outcome outcome;
	struct oev_replay_tally tally;
};

struct oev_replay_options {
	struct oev_lives_options lives;
	const char *version; /* of this program */
	bool stop_at_first;
};

struct oev_replay {
	struct oev_replay_options options; /* with the window as it was settled */
	enum oev_replay_outcome outcome;
	char error[OEV_REPLAY_ERROR_MAX];
	struct oev_replayed_life *lives;
	size_t life_count;
	struct oev_replay_tally total;
	struct oev_difference *differences; /* the first ones */
	size_t difference_count;
};

/* Does everything again. *@out zeroed before; free with _fini in every case. out->outcome says how it went, out->error why when it could
 * not be done. Returns the same as an error code: OC_OK, OC_EINTERRUPTED, OC_EIO, OC_EMALFORMED, OC_EVERSION, OC_ENOMEM. */
int oev_replay_run(struct oev_replay *out, const struct oev_replay_options *options);
void oev_replay_fini(struct oev_replay *replay);

const char *oev_replay_outcome_text(enum oev_replay_outcome outcome); /* "identical" */
int oev_replay_exit(enum oev_replay_outcome outcome);

/* One line, as the command line says it first. */
void oev_replay_verdict(const struct oev_replay *replay, char *out, size_t size);

/* The object "doic.replay/1" on @out; @seconds it took. 0, or -1 when it could not be written. */
int oev_replay_json(const struct oev_replay *replay, const char *tool, double seconds, FILE *out);
