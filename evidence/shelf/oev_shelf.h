/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * An evidence folder that is asked many short questions while it is, perhaps, being written: which segments there are, pages of rows,
 * one decision with everything it depends on, the sessions of a subscriber.
 *
 * A shelf keeps a read connection to each segment asked about (a bounded number; sealed ones are opened immutable) and looks at the
 * folder again when something changed in it. Any thread may ask; each question takes one of a few connection sets and never
 * waits for the recorder. What is found is bounded: a question that would have to look at too many rows stops, says how far it came,
 * and gives a cursor from which to go on.
 *
 * A segment that is finished cannot be sealed while a reader has it open, so none stays open between questions; but the recorder seals its
 * last one when it stops, so close the shelf before.
 *
 * Numbers. Decisions, reports, versions count up within one life of the agent, so the name of a row is its life and number: "RUN-N".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../agent/oc_event.h"

#define OEV_SHELF_TEXT_MAX 512u
#define OEV_SHELF_NAME_MAX 256u
#define OEV_SHELF_RUN_MAX 40u
#define OEV_SHELF_CURSOR_MAX 96u

struct oev_shelf;

/* Opens @folder for questions; it may be empty yet. @index_folder: where indexes of sessions are kept (made when absent, never inside
 * @folder, for this folder alone: what is of no segment in it is removed); NULL: in memory. Returns OC_OK, OC_ENOENT, OC_EIO, OC_ENOMEM; then *@error is one sentence. */
int oev_shelf_open(struct oev_shelf **out, const char *folder, const char *index_folder,
		   char error[static OEV_SHELF_TEXT_MAX]);
void oev_shelf_close(struct oev_shelf *shelf);

struct oev_shelf_segment {
	char name[128];
	char run[OEV_SHELF_RUN_MAX];
	char node[OEV_SHELF_NAME_MAX];
	uint64_t part;
	uint64_t octets;
	uint64_t from_us, until_us; /* wall clock of what it holds */
	uint64_t first_decision, last_decision;
	uint64_t batches_first, batches_last;
	bool is_sealed, is_capture;
	char closed_how[16]; /* "" still being written, or cut off */
	char sha256[65];     /* of a sealed one, as its seal says */
	uint64_t sealed_us;
	char trouble
		[160]; /* why nothing can be asked of it; "" it can. What is missing above is 0 and "" then */
};

/* In the order of time; *@out is for the caller to free(). Returns OC_OK, OC_EIO, OC_ENOMEM. */
int oev_shelf_segments(struct oev_shelf *shelf, struct oev_shelf_segment **out, size_t *count);

/* What decisions are wanted. Texts: "" any. Names without regard to case. */
struct oev_shelf_filter {
	uint64_t from_us, until_us; /* until 0: no end */
	bool has_app, has_command, has_version, has_class, has_result, has_maker;
	uint32_t app_id, command;
	uint32_t result_code; /* of the answer; has_maker likewise: what has no outcome does not pass */
	uint32_t version;     /* of an OCS: any of the three looks; needs run */
	uint8_t klass;
	uint8_t maker; /* enum oc_maker */
	char run[OEV_SHELF_RUN_MAX];
	char origin_host[OEV_SHELF_NAME_MAX], origin_realm[OEV_SHELF_NAME_MAX];
	char dest_host[OEV_SHELF_NAME_MAX], dest_realm[OEV_SHELF_NAME_MAX];
	char client[OEV_SHELF_NAME_MAX];   /* adjacent peer it came from */
	char next_hop[OEV_SHELF_NAME_MAX]; /* adjacent peer it went to */
	char verdict[16];		   /* "forwarded", "diverted", "refused" */
	uint64_t session, subscriber;	   /* pseudonyms; 0 any */
	bool only_observed;		   /* decided in observe mode: not enforced */
	bool oldest_first;
};

/* One decision as it is listed; names as text, 0 and "" where there is nothing. */
struct oev_shelf_decision {
	char run[OEV_SHELF_RUN_MAX];
	uint64_t id;
	uint64_t wall_us;
	struct oc_decision d; /* name numbers in it are of its segment: use the texts */
	char client[OEV_SHELF_NAME_MAX], origin_host[OEV_SHELF_NAME_MAX], origin_realm[OEV_SHELF_NAME_MAX];
	char dest_host[OEV_SHELF_NAME_MAX], dest_realm[OEV_SHELF_NAME_MAX];
	char first_choice[OEV_SHELF_NAME_MAX], next_hop[OEV_SHELF_NAME_MAX];
	bool is_broken; /* it names a flow or a way that no row tells of: altered evidence */
	bool has_outcome;
	bool is_outcome_far; /* none was found as far as was looked: there may be one much later */
	uint64_t took_ns;
	uint32_t result_code;
	uint16_t hints; /* enum oc_hint: what the answer says of itself; 0 too where nothing tells */
	uint8_t maker;	/* enum oc_maker */
	uint8_t attempts;
	char answered_by[OEV_SHELF_NAME_MAX], answered_realm[OEV_SHELF_NAME_MAX]; /* Origin-Host, -Realm */
	char from_peer[OEV_SHELF_NAME_MAX];					  /* adjacent peer */
};

/* Called for each row, in the asking thread; false stops the page there. It must not ask the shelf itself. */
typedef bool (*oev_shelf_take_fn)(void *ctx, const struct oev_shelf_decision *row);

struct oev_shelf_page {
	uint32_t rows;			 /* taken */
	uint64_t examined;		 /* rows looked at */
	bool is_end;			 /* nothing follows */
	char next[OEV_SHELF_CURSOR_MAX]; /* opaque; "" at the end. Bound to the filter it was made with */
	uint64_t reached_us;		 /* time of the last row looked at: how far an unfinished page came */
	char left_out
		[320]; /* a segment on the way that cannot be read, and why: its rows are missing; "" none */
};

#define OEV_SHELF_LIMIT_MAX 10000u
#define OEV_SHELF_EXAMINE 10000u /* rows that are looked at in a few milliseconds */

/* Up to @limit (1..10000) decisions that pass @filter, newest first unless it says otherwise, from @cursor ("" : from the beginning) on.
 * At most about @examine_max rows are looked at. Returns OC_OK, OC_EINVAL (cursor of another filter, or none of ours),
 * OC_ENOENT (the segment the cursor stands in is gone), OC_EIO, OC_ENOMEM; then *@error is one sentence. */
int oev_shelf_decisions(struct oev_shelf *shelf, const struct oev_shelf_filter *filter, const char *cursor,
			uint32_t limit, uint64_t examine_max, oev_shelf_take_fn take, void *ctx,
			struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX]);

/* An OCS version a decision was held against, with the report that made it. */
struct oev_shelf_look {
	uint32_t version; /* 0: none of this scope; "" and 0 below: no row tells of it */
	uint32_t share_ppm, nth;
	bool has_version_row, has_report_row;
	char type[16], algorithm[16], sequence[24];
	char subject[OEV_SHELF_NAME_MAX];
	uint32_t app_id, reduction_pct, rate_rps, validity_s;
	bool has_reduction, has_rate;
	uint64_t from_us;
	uint64_t report; /* number */
	uint64_t report_us;
	char report_peer[OEV_SHELF_NAME_MAX]; /* adjacent peer it came from */
	uint8_t *raw;			      /* the report octet for octet, as far as kept */
	size_t raw_len, raw_total;
};

struct oev_shelf_candidate {
	char name[OEV_SHELF_NAME_MAX];
	int32_t score;
};

struct oev_shelf_policy {
	uint64_t version;
	uint64_t wall_us;
	char sha256[65];
};

/* Another decision of the same session. */
struct oev_shelf_retry {
	char run[OEV_SHELF_RUN_MAX];
	uint64_t id;
	uint64_t wall_us;
	uint8_t verdict;
};

#define OEV_SHELF_CANDIDATES_MAX 30u
#define OEV_SHELF_RETRIES_MAX 50u

/* One decision with everything it depends on. */
struct oev_shelf_whole {
	struct oev_shelf_decision row;
	char segment[128]; /* that holds it: table "decision", row id, for a proof */
	struct oev_shelf_look looks[OC_SCOPE_COUNT]; /* by enum oc_scope */
	bool has_profile, has_policy;
	struct oc_profile profile; /* look at has_profile */
	struct oev_shelf_policy policy;
	uint32_t candidate_count;
	struct oev_shelf_candidate candidates[OEV_SHELF_CANDIDATES_MAX];
	bool is_retries_whole; /* false: the index does not reach that far, or there are more */
	uint32_t retry_count;
	struct oev_shelf_retry retries[OEV_SHELF_RETRIES_MAX]; /* in the order of time */
};

/* Decision @id of life @run ("": there must be one life alone that has it). *@out is for the caller to give to
 * oev_shelf_whole_free(), also NULL. Returns OC_OK, OC_ENOENT, OC_EINVAL (several lives have it), OC_EIO, OC_ENOMEM. */
int oev_shelf_decision(struct oev_shelf *shelf, const char *run, uint64_t id, struct oev_shelf_whole **out,
		       char error[static OEV_SHELF_TEXT_MAX]);
void oev_shelf_whole_free(struct oev_shelf_whole *whole);

/* "RUN-N" into its parts. OC_OK or OC_EINVAL. */
int oev_shelf_id_parse(const char *text, char run[static OEV_SHELF_RUN_MAX], uint64_t *id);
