/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One TCP connection carrying Diameter: one input and one output buffer, batched reads and writes.
 *
 * Messages are appended to the output buffer in place (dt_conn_reserve, dt_conn_commit) and written by dt_conn_flush,
 * once per turn of the event loop. Buffers are allocated once per connection.
 */
#pragma once

#include "dt_notes.h"

#define DT_CONN_OUT_SIZE (1u << 20)
#define DT_CONN_OUT_HIGH (DT_CONN_OUT_SIZE - 2 * DT_MSG_MAX) /* above: no room for sure, stop producing */
#define DT_CONN_IN_SIZE (1u << 18)

struct dt_conn {
	int fd;
	bool closed; /* the peer is gone, or said something that is not Diameter */
	size_t in_at;
	size_t in_len;
	size_t out_at;
	size_t out_len;
	uint8_t *in;
	uint8_t *out;
	struct dt_notes notes; /* borrowed files */
	struct dt_flow flow;
};

/* Takes over @fd: sets it non-blocking with TCP_NODELAY. @we_listen says whose port is shown as 3868 in dumps.
 * NULL when out of memory, and then @fd is closed. */
struct dt_conn *dt_conn_new(int fd, bool we_listen, const struct dt_notes *notes);
void dt_conn_free(struct dt_conn *conn);

/* Reads once. Returns octets got, 0 when there is nothing now, or OC_EIO with closed set. */
int dt_conn_read(struct dt_conn *conn);
/* Next whole message in the input buffer, or NULL; valid until the next dt_conn_read. */
const uint8_t *dt_conn_next(struct dt_conn *conn, uint32_t *len);

/* A writer over the free output space, then its end: what was written is a whole message unless overflow is set. */
void dt_conn_reserve(struct dt_conn *conn, struct dt_out *out);
int dt_conn_commit(struct dt_conn *conn, const struct dt_out *out);
bool dt_conn_has_room(const struct dt_conn *conn);
/* Writes what it can. OC_OK, OC_EBUSY when something is left, OC_EIO with closed set. */
int dt_conn_flush(struct dt_conn *conn);
