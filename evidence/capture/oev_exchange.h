/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One request of a capture on its way to its answer, and the table of those that wait for theirs.
 *
 * An answer belongs to the oldest waiting request of the same connection, the other direction, with the same Hop-by-Hop and End-to-End
 * Identifiers (RFC 6733 section 6.2). A request waits four minutes of the capture's time, as long as its End-to-End Identifier is
 * its own (section 3).
 */
#pragma once

#include "../../agent/oc_agent.h"

#define OEV_EXCHANGE_WAIT_NS 240000000000ull
#define OEV_EXCHANGES_MAX 262144u

struct oev_exchange {
	uint64_t time_ns; /* of the request */
	uint64_t number;  /* of the request in this capture, from 1 */
	uint32_t frame;
	uint32_t contact; /* of the connection */
	uint32_t hop_by_hop, end_to_end;
	uint32_t app_id, command;
	uint32_t from, to; /* names of the nodes at both sides */
	uint8_t side;	   /* the request's sender */
	bool is_again;	   /* a retransmission: T flag, or the same End-to-End Identifier seen before */
	uint64_t decision; /* the model's, as the rest: number of the request at its node */
	uint32_t node;	   /* + 1; 0 none */
	uint32_t state[OC_REPORT_COUNT]; /* states in force it is in scope of, + 1 */
	struct oc_txn txn;
};

struct oev_exchanges;

/* Tells of a request that waits no longer. @exchange goes after the call. */
typedef void (*oev_exchange_over_fn)(void *ctx, struct oev_exchange *exchange);

/* NULL when out of memory. */
struct oev_exchanges *oev_exchanges_new(oev_exchange_over_fn over, void *ctx);
void oev_exchanges_free(struct oev_exchanges *exchanges);

/* Keeps a copy of *@exchange; where it is kept is returned, NULL when out of memory. When the table is full the oldest gives way. */
struct oev_exchange *oev_exchanges_add(struct oev_exchanges *exchanges, const struct oev_exchange *exchange);

/* Takes out the request that an answer of @contact, not from @side's sender, answers: into *@out. False: there is none. */
bool oev_exchanges_take(struct oev_exchanges *exchanges, uint32_t contact, uint8_t side, uint32_t hop_by_hop,
			uint32_t end_to_end, uint32_t command, struct oev_exchange *out);

/* Tells of all that have waited too long at @now_ns; UINT64_MAX: of all. */
void oev_exchanges_expire(struct oev_exchanges *exchanges, uint64_t now_ns);
