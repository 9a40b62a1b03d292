/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * GET /api/v1/events: server-sent events, once a second.
 *
 * A client first gets "snapshot", the whole state as one JSON object; then each second "tick", a merge patch (RFC 7396) that makes the
 * next state of it: changed values only. "event" is one entry of what changed. One thread makes the text of each second, once for
 * all clients; a client's connection sleeps (suspended) in between and takes no thread. The last OWEB_TICKS texts are kept: who comes
 * back with Last-Event-ID gets what it missed. Who cannot (too old, another life of the server), or reads so slowly that it is more than
 * OWEB_TICKS_BEHIND behind, gets "reset" and a snapshot. The server never waits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "oweb_request.h"

#define OWEB_TICKS 600u
#define OWEB_TICKS_BEHIND 30u
#define OWEB_STREAMS_MAX 64u
#define OWEB_STREAM_LIFE_S 900u /* where reading needs a token */

struct oweb_events;
struct MHD_Response;

/* Starts the thread. Returns OC_OK, OC_ENOMEM, OC_EIO. */
int oweb_events_start(struct oweb_events **out, struct oweb_server *server);

/* From now on no stream sleeps and all end; must come before the daemons are stopped. The thread ends. */
void oweb_events_end(struct oweb_events *events);
void oweb_events_free(struct oweb_events *events);

/* The resource. */
void oweb_events_get(struct oweb_request *request);
/* For oweb_send.c: the response of a stream. NULL when out of memory. */
struct MHD_Response *oweb_events_response(struct oweb_request *request);

uint32_t oweb_events_streams(struct oweb_events *events);
/* Ticks that slow clients did not get. */
uint64_t oweb_events_dropped(struct oweb_events *events);
