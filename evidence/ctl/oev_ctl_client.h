/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One client of the control socket, as a state machine over a file descriptor that never blocks. Private to the server.
 */
#pragma once

#include "oev_ctl_server.h"

struct oev_ctl_client {
	int fd;	    /* -1: free */
	char *line; /* OEV_CTL_LINE_MAX octets, kept for the next client */
	size_t used;
	char *reply; /* being written; NULL none */
	size_t reply_len, written;
	int64_t active_ms; /* last progress, monotonic */
	uint32_t user;	   /* who is there, by the system's word */
	bool closing;	   /* gone when the reply is written */
};

/* Takes @fd over. Returns OC_OK or OC_ENOMEM. */
int oev_ctl_client_open(struct oev_ctl_client *client, int fd, int64_t now_ms);
void oev_ctl_client_close(struct oev_ctl_client *client);

/* What poll() should wait for. */
short oev_ctl_client_wants(const struct oev_ctl_client *client);

/* Reads, carries out whole lines one at a time, writes. Closes by itself at the end or on an error. */
void oev_ctl_client_serve(struct oev_ctl_client *client, oev_ctl_answer_fn answer, void *ctx, int64_t now_ms);
