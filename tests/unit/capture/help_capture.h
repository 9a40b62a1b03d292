/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Makes Diameter messages, and files of them as tshark exports them, for tests of the capture reader.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "evidence/capture/oev_capture.h"

#define HELP_OCTETS_MAX 2048u
#define HELP_S 1000000000ull
#define HELP_START (1700000000ull * HELP_S)

struct help_octets {
	uint8_t data[HELP_OCTETS_MAX];
	size_t len;
};

/* What a test wants to say of a message; what is left out is not in it. */
struct help_said {
	uint32_t app, command, hop, end;
	uint8_t flags;
	uint32_t result;
	const char *host, *realm, *to_host, *to_realm, *session;
	const char *route; /* one Route-Record */
	bool features;	   /* OC-Supported-Features 0x1 */
	bool report;	   /* OC-OLR with the next five */
	uint64_t sequence;
	uint32_t type, pct, validity;
	bool no_validity;
};

void help_message(struct help_octets *out, const struct help_said *said);

/* One exported message. @from and @to: last octet of 10.0.0.x; ports. */
struct help_sent {
	uint64_t at_ms; /* since HELP_START */
	uint8_t from, to;
	uint16_t from_port, to_port;
	uint8_t port_type; /* 1 SCTP, 2 TCP */
	uint32_t frame;
};

FILE *help_export_open(void);
void help_export(FILE *file, const struct help_sent *sent, const struct help_octets *octets);

/* Tags and octets of one exported packet. */
void help_packet(struct help_octets *out, const struct help_sent *sent, const struct help_octets *octets,
		 const char *dissector);

/* Everything a sink was told, kept. */
#define HELP_TOLD_MAX 512u
struct help_told {
	struct oev_capture_sink sink;
	struct oc_event event[HELP_TOLD_MAX];
	uint32_t node[HELP_TOLD_MAX];
	uint32_t count;
	uint32_t begun, ended;
	int fails_at; /* event that is refused, 0 none */
};
void help_told_init(struct help_told *told);
/* The @nth (from 0) event of @kind of @node; NULL when there is none. */
const struct oc_event *help_told_get(const struct help_told *told, uint32_t node, unsigned kind,
				     unsigned nth);
