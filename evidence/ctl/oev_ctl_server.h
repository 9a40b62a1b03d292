/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The control socket: a thread of its own that reads command lines and writes reply lines.
 *
 * Whoever may open the socket (mode 0600) may command. At most OEV_CTL_CLIENTS_MAX are served at once, lines are at most
 * OEV_CTL_LINE_MAX octets, a client that is silent, or does not read its reply, for OEV_CTL_IDLE_MS is dropped.
 * Nothing here is on the way of a message; a slow client delays other clients only.
 */
#pragma once

#include "oev_ctl.h"

#define OEV_CTL_CLIENTS_MAX 8u
#define OEV_CTL_IDLE_MS 10000

struct oev_ctl_server;

/* Carries out @command and returns its reply (oev_ctl_reply_*); NULL when out of memory. On the server's thread, one
 * call at a time. */
typedef char *(*oev_ctl_answer_fn)(void *ctx, const struct oev_ctl_command *command);

/* Binds @path and starts the thread. A socket left behind is replaced when nobody answers there; anything else at
 * @path stays. On failure *@error is one sentence. Returns OC_OK, OC_EBUSY (somebody answers there), OC_EIO, OC_ENOMEM. */
int oev_ctl_server_start(struct oev_ctl_server **out, const char *path, oev_ctl_answer_fn answer, void *ctx,
			 char *error, size_t error_size);

/* Waits for a command at work, drops all clients, removes the socket when it is still the one made here, frees.
 * NULL is fine. */
void oev_ctl_server_stop(struct oev_ctl_server *server);
