/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Figures of a capture: messages by application and command, sessions, result classes, pairs.
 */
#pragma once

#include "oev_capture_walk.h"
#include "oev_map.h"

#define OEV_COUNT_ROWS_MAX 1024u
#define OEV_COUNT_SESSIONS_MAX (1u << 24)

/* One (application, command). */
struct oev_count_row {
	uint32_t app_id, command;
	uint64_t requests, answers;
	uint64_t with_report; /* messages with an OC-OLR */
	uint64_t with_doic;   /* messages with OC-Supported-Features */
	uint64_t
		result[10]; /* answers by the first digit of Result-Code, 0: none, or none that can be read */
	uint64_t unanswered, unpaired, again;
};

struct oev_capture_count {
	uint64_t messages, requests, answers, sessions;
	uint64_t first_ns, last_ns; /* times of the first and the last message */
	uint32_t row_count;
	bool has_more_sessions; /* than are counted */
	struct oev_count_row row
		[OEV_COUNT_ROWS_MAX]; /* in order of application and command; what has no room is in the last */
	struct oev_map seen;
};

/* Zeroed by the caller. */
void oev_capture_count_fini(struct oev_capture_count *count);

/* One message; @exchange: of an answer the request, NULL unpaired; of a request as the walk has it. */
void oev_capture_count_message(struct oev_capture_count *count, const struct oev_walked *walked,
			       const struct oev_exchange *exchange);
void oev_capture_count_unanswered(struct oev_capture_count *count, const struct oev_exchange *exchange);
