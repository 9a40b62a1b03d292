/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Makes small captures for tests, and finds the real ones.
 */
#pragma once

#include <pcap/pcap.h>
#include <stddef.h>
#include <stdint.h>

struct help_pcap {
	char path[64];
	pcap_dumper_t *file;
};

void help_pcap_open(struct help_pcap *capture);
/* Closes; the caller unlinks. */
void help_pcap_close(struct help_pcap *capture);
/* One packet of IPv4 @protocol with @payload (transport header included). */
void help_pcap_packet(struct help_pcap *capture, uint8_t protocol, const uint8_t *payload, size_t len);
/* A TCP segment of one connection. */
void help_pcap_tcp(struct help_pcap *capture, uint32_t seq, uint8_t flags, const uint8_t *data, size_t len);
/* An SCTP packet with one DATA chunk. @flags: 2 begin, 1 end. */
void help_pcap_sctp(struct help_pcap *capture, uint32_t tsn, uint8_t flags, const uint8_t *data, size_t len);

/* A Credit-Control request with Session-Id @session, of @pad octets more. Returns its length. */
size_t help_request(uint8_t *buffer, size_t size, const char *session, size_t pad);

/* Path of a real capture, or 0 when the folder of real captures is absent. */
int help_capture_path(char *path, size_t size, const char *name);
