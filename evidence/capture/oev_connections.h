/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which packets belong to one connection, and which of its two sides sent them.
 *
 * A TCP connection is its two ends. An SCTP association may use several addresses at each end: paths that carry the same
 * verification tag between the same ports are one association.
 */
#pragma once

#include "../../agent/oc_types.h"
#include "oev_frame.h"

struct oev_connections;

/* One side of a connection as the sender of something. */
struct oev_sender {
	uint32_t connection; /* from 1 */
	uint8_t side;	     /* 0 or 1 */
};

/* NULL when out of memory. */
struct oev_connections *oev_connections_new(void);
void oev_connections_free(struct oev_connections *connections);

/* Notes the ends (and for SCTP the verification tag) of @frame. Fills *@out. OC_OK; OC_ENOENT: neither TCP nor SCTP; OC_ENOSPC,
 * OC_ENOMEM. */
int oev_connections_note(struct oev_connections *connections, const struct oev_frame *frame,
			 struct oev_sender *out);

/* Side that sent from @from to @to; as a new connection when these ends were never noted. OC_OK, OC_ENOSPC, OC_ENOMEM. */
int oev_connections_get(struct oev_connections *connections, uint8_t transport, const struct oev_end *from,
			const struct oev_end *to, struct oev_sender *out);

/* First ends noted of @connection: *@side0, *@side1. */
void oev_connections_ends(const struct oev_connections *connections, uint32_t connection,
			  struct oev_end *side0, struct oev_end *side1);

/* Connections are numbered 1..count. */
uint32_t oev_connections_count(const struct oev_connections *connections);
