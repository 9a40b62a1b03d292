/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Every message as a packet of a capture file: Ethernet, IPv4 and TCP headers are made up (one server port, 3868), so
 * that any capture reader shows Diameter. One packet is one message; addresses are the real ones.
 */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>

#include "dt_wire.h"

/* One direction's addresses and sequence numbers, kept by the connection. */
struct dt_flow {
	struct in_addr local_addr;
	struct in_addr remote_addr;
	uint16_t local_port;
	uint16_t remote_port;
	uint32_t sent_seq;
	uint32_t received_seq;
};

/* A pcap file opened for writing, its header written; NULL with errno on failure. */
FILE *dt_dump_open(const char *path);
void dt_dump_msg(FILE *file, struct dt_flow *flow, bool sent, const uint8_t *msg, size_t len);
