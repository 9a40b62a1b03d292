/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Capture file writer.
 */
#include "dt_dump.h"

#include <string.h>
#include <time.h>

#define LINK_ETHERNET 1u
#define HEADERS_SIZE 54u /* Ethernet 14, IPv4 20, TCP 20 */
#define PAYLOAD_MAX (65535u - 40u)

FILE *dt_dump_open(const char *path)
{
	/* Magic of microsecond stamps, version 2.4, zone 0, accuracy 0, snapshot length, link type. */
	const uint32_t header[] = { 0xa1b2c3d4u, 0x00040002u, 0, 0, 262144, LINK_ETHERNET };
	FILE *file = fopen(path, "wb");
	if (file && fwrite(header, sizeof(header), 1, file) != 1) {
		fclose(file);
		return NULL;
	}
	return file;
}

static void set_u16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static uint32_t ip_checksum(const uint8_t *header)
{
	uint32_t sum = 0;
	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)header[i] << 8 | header[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16)) & 0xffff;
}

static void make_headers(uint8_t *p, const struct dt_flow *flow, bool sent, size_t len)
{
	memset(p, 0, HEADERS_SIZE);
	p[5] = sent ? 1 : 2; /* made-up MAC addresses */
	p[11] = sent ? 2 : 1;
	set_u16(p + 12, 0x0800);
	uint8_t *ip = p + 14;
	ip[0] = 0x45;
	set_u16(ip + 2, (uint32_t)(40 + len));
	ip[8] = 64;
	ip[9] = 6;
	memcpy(ip + 12, sent ? &flow->local_addr : &flow->remote_addr, 4);
	memcpy(ip + 16, sent ? &flow->remote_addr : &flow->local_addr, 4);
	set_u16(ip + 10, ip_checksum(ip));
	uint8_t *tcp = p + 34;
	set_u16(tcp, sent ? flow->local_port : flow->remote_port);
	set_u16(tcp + 2, sent ? flow->remote_port : flow->local_port);
	dt_set_u32(tcp + 4, sent ? flow->sent_seq : flow->received_seq);
	dt_set_u32(tcp + 8, sent ? flow->received_seq : flow->sent_seq);
	tcp[12] = 0x50;
	tcp[13] = 0x18; /* PSH, ACK */
	set_u16(tcp + 14, 65535);
}

void dt_dump_msg(FILE *file, struct dt_flow *flow, bool sent, const uint8_t *msg, size_t len)
{
	uint8_t headers[HEADERS_SIZE];
	struct timespec now;

	if (len > PAYLOAD_MAX)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	uint32_t total = (uint32_t)(HEADERS_SIZE + len);
	const uint32_t record[] = { (uint32_t)now.tv_sec, (uint32_t)(now.tv_nsec / 1000), total, total };
	make_headers(headers, flow, sent, len);
	*(sent ? &flow->sent_seq : &flow->received_seq) += (uint32_t)len;
	fwrite(record, sizeof(record), 1, file);
	fwrite(headers, sizeof(headers), 1, file);
	fwrite(msg, len, 1, file);
}
