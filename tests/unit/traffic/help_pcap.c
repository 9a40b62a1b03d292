/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Captures for tests.
 */
#include "help_pcap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dt_wire.h"

void help_pcap_open(struct help_pcap *capture)
{
	snprintf(capture->path, sizeof(capture->path), "/tmp/dt_pcap_XXXXXX");
	close(mkstemp(capture->path));
	pcap_t *dead = pcap_open_dead(DLT_EN10MB, 65535);
	capture->file = pcap_dump_open(dead, capture->path);
	pcap_close(dead);
}

void help_pcap_close(struct help_pcap *capture)
{
	pcap_dump_close(capture->file);
}

void help_pcap_packet(struct help_pcap *capture, uint8_t protocol, const uint8_t *payload, size_t len)
{
	uint8_t packet[4096] = { [12] = 0x08, [14] = 0x45, [23] = protocol, [26] = 10, [30] = 10 };
	struct pcap_pkthdr header = { .caplen = (uint32_t)(34 + len), .len = (uint32_t)(34 + len) };

	packet[16] = (uint8_t)((20 + len) >> 8);
	packet[17] = (uint8_t)(20 + len);
	memcpy(packet + 34, payload, len);
	pcap_dump((uint8_t *)capture->file, &header, packet);
}

void help_pcap_tcp(struct help_pcap *capture, uint32_t seq, uint8_t flags, const uint8_t *data, size_t len)
{
	uint8_t segment[4096] = { 0x12, 0x34, 0x0f, 0x1c, [12] = 0x50, [13] = flags };

	dt_set_u32(segment + 4, seq);
	if (len)
		memcpy(segment + 20, data, len);
	help_pcap_packet(capture, 6, segment, 20 + len);
}

void help_pcap_sctp(struct help_pcap *capture, uint32_t tsn, uint8_t flags, const uint8_t *data, size_t len)
{
	uint8_t packet[4096] = { 0x12, 0x34, 0x0f, 0x1c, 1, 2, 3, 4, [13] = flags };

	packet[14] = (uint8_t)((16 + len) >> 8);
	packet[15] = (uint8_t)(16 + len);
	dt_set_u32(packet + 16, tsn);
	memcpy(packet + 28, data, len);
	help_pcap_packet(capture, 132, packet, (28 + len + 3) & ~(size_t)3);
}

size_t help_request(uint8_t *buffer, size_t size, const char *session, size_t pad)
{
	uint8_t filler[2048];
	struct dt_out out;

	memset(filler, 'f', sizeof(filler));
	dt_out_init(&out, buffer, size);
	dt_msg_begin(&out, OC_FLAG_REQUEST | OC_FLAG_PROXIABLE, DT_CMD_CC, 4);
	dt_put_text(&out, OC_AVP_SESSION_ID, 0, session);
	dt_put_text(&out, OC_AVP_ORIGIN_HOST, 0, "old.example.org");
	dt_put(&out, 33, 0, filler, pad);
	dt_msg_end(&out);
	return out.len;
}

int help_capture_path(char *path, size_t size, const char *name)
{
	const char *shared = getenv("DOIC_SHARED");
	if (shared)
		snprintf(path, size, "%s/captures/%s", shared, name);
	else
		snprintf(path, size, "%s/../shared/captures/%s", DOIC_SOURCE_DIR, name);
	if (access(path, R_OK) == 0)
		return 1;
	printf("\n    skipped: %s is absent (set DOIC_SHARED)\n", path);
	return 0;
}
