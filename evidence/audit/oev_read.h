/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One decision and one outcome as the audit sees them, whatever schema they were written in, and how they are read.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "oev_dict.h"
#include "oev_times.h"

struct oev_row {
	uint64_t id;
	uint64_t mono_ns; /* when it was held against the reports of arrival (step 1) */
	uint64_t out_ns;  /* when a peer was chosen (step 3); as mono_ns when it did not come that far */
	uint64_t wall_us; /* of mono_ns */
	uint64_t session; /* pseudonym, 0 none */
	uint32_t app_id, client, origin_host, dest_host, dest_realm, first_choice, next_hop, end_to_end;
	uint32_t result_code;
	uint32_t version[OC_SCOPE_COUNT]; /* by enum oc_scope */
	uint32_t share_ppm[OC_SCOPE_COUNT];
	uint32_t nth[OC_SCOPE_COUNT]; /* number of the draw under that version; 0 not drawn */
	uint16_t flags;
	uint8_t verdict, why, selected_by, klass;
	bool in_window;
	bool is_broken; /* it names a flow or a way that no row tells of */
};

struct oev_answer {
	uint64_t decision;
	uint64_t took_ns;
	uint32_t result_code; /* 0: no answer left this node */
	uint32_t answered_by, answered_realm, from_peer;
	uint16_t attempts;
	uint8_t maker; /* enum oc_maker */
	bool passes; /* a host or realm report of others went on to the client in it; true where nothing tells */
	bool is_broken;
};

/* What one thread needs to make rows whole. Zeroed before. */
struct oev_reader {
	const struct oev_times *times;
	size_t times_hint;
	uint64_t base_ns;
	uint32_t schema;
	bool is_capture;
	struct oev_dict flows, ways, endings;
};

/* How oev_feed reads one kind of rows; the questions call oev_take(), which hands its values to fill(). */
struct oev_read_kind {
	size_t row_size;
	enum oev_question question;
	unsigned thread; /* of segment.thread_db */
	int (*open)(struct oev_reader *reader, const struct oev_segment *segment);
	void (*fill)(struct oev_reader *reader, void *row, int count, sqlite3_value **values);
};
extern const struct oev_read_kind oev_read_decisions;
extern const struct oev_read_kind oev_read_outcomes;

/* Prepares @reader for @kind on segment->db; @times outlives it. Returns OC_OK, OC_EIO, OC_ENOMEM. Free with _fini, also then. */
int oev_reader_init(struct oev_reader *reader, const struct oev_read_kind *kind,
		    const struct oev_segment *segment, const struct oev_times *times);
/* The same for a few decisions, without loading what they may name. */
int oev_reader_init_few(struct oev_reader *reader, const struct oev_segment *segment,
			const struct oev_times *times);
void oev_reader_fini(struct oev_reader *reader);
