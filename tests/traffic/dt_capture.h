/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Diameter requests out of a packet capture (pcap or pcapng), TCP or SCTP over IPv4 or IPv6, octet for octet.
 *
 * Link types: Ethernet (with VLAN tags), Linux cooked (both versions), raw IP, BSD loopback. SCTP DATA chunks are put
 * together by stream, TCP by sequence number (segments in order or out of order within a window); what was
 * captured twice counts once.
 */
#pragma once

#include "dt_tail.h"

struct dt_cap_msg {
	uint8_t *data;
	uint32_t len;
};

struct dt_capture {
	struct dt_cap_msg *msg;
	uint32_t count;
	uint32_t room;
	uint32_t packets;
	uint32_t messages; /* all Diameter messages seen, base protocol and answers included */
	uint32_t lost;	   /* fragments, gaps and octets that are not Diameter */
	bool everything;   /* keep answers and base protocol as well (tests) */
};

/* Appends the requests of @path that are not base protocol to *@capture (zeroed by the caller).
 * OC_OK, OC_EIO with *@why, OC_ENOMEM. */
int dt_capture_load(struct dt_capture *capture, const char *path, char *why, size_t why_size);
void dt_capture_fini(struct dt_capture *capture);
/* Keeps a copy of one whole message if it is of the kind wanted. For the reader. */
int dt_capture_take(struct dt_capture *capture, const uint8_t *msg, size_t len);

/* What replaying changes. */
struct dt_rewrite {
	const char *session_host; /* first part of the new Session-Ids */
	uint32_t session_high;
	const char *origin_host; /* NULL: kept */
	const char *origin_realm;
	const char *dest_host;	/* NULL: kept, "": removed */
	const char *dest_realm; /* NULL: kept */
	struct dt_tail tail;	/* added, in place of what was captured */
	const char *source_id;	/* SourceID; NULL: none */
	uint32_t app_id;	/* 0: every application */
};

/* A template from captured octets: Session-Id renewed, digits of Subscription-Id-Data and User-Name and the
 * Framed-IP-Address to be varied per subscriber (unchanged for subscriber 0), everything else octet for octet.
 * OC_OK, OC_EMALFORMED, OC_ENOSPC, OC_ENOMEM. */
int dt_rewrite_msg(const struct dt_cap_msg *msg, const struct dt_rewrite *rewrite, struct dt_tmpl *tmpl);
