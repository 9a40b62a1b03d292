/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Makes captures worse: writes COUNT damaged copies of a small capture into one file, each with a network of its own, so that one run of
 * tshark reads them all. Octets are flipped, frames cut, doubled, dropped, exchanged, joined with others.
 *
 *   mutate-capture IN OUT COUNT SEED [file]    with "file" the octets of one copy are damaged as they lie in the file, headers too
 */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES_MAX 400u /* of the capture; the rest is left out */
#define FRAME_MAX 65535u
#define DAMAGES_MAX 8u
#define PROTO_SCTP 132

struct frame {
	uint32_t len;
	uint32_t cap;
	uint64_t at_us;
	uint8_t *data; /* room for FRAME_MAX */
};

struct capture {
	int link;
	uint32_t count;
	struct frame frame[FRAMES_MAX];
};

static uint64_t random_state;

static uint32_t chance(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return below > 0 ? (uint32_t)(random_state >> 32) % below : 0;
}

static int read_capture(struct capture *out, const char *path)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *in = pcap_open_offline(path, error);
	struct pcap_pkthdr *header;
	const uint8_t *data;

	if (in == NULL) {
		fprintf(stderr, "mutate-capture: %s\n", error);
		return -1;
	}
	out->link = pcap_datalink(in);
	while (out->count < FRAMES_MAX && pcap_next_ex(in, &header, &data) == 1) {
		struct frame *frame = &out->frame[out->count++];
		frame->cap = header->caplen < FRAME_MAX ? header->caplen : FRAME_MAX;
		frame->len = header->len;
		frame->at_us = (uint64_t)header->ts.tv_sec * 1000000u + (uint64_t)header->ts.tv_usec;
		frame->data = malloc(FRAME_MAX);
		if (frame->data == NULL)
			return -1;
		memcpy(frame->data, data, frame->cap);
	}
	pcap_close(in);
	return 0;
}

/* Octets before IPv4 or IPv6. */
static uint32_t link_len(int link)
{
	switch (link) {
	case DLT_EN10MB:
		return 14;
	case DLT_LINUX_SLL:
		return 16;
	case DLT_NULL:
		return 4;
	default:
		return 0;
	}
}

/* Gives the copy a network of its own, by the second and third octet of both addresses; of SCTP also by the verification tag, since
 * several addresses may be one association. */
static void move(struct frame *frame, uint32_t at, uint32_t copy)
{
	if (frame->cap < at + 20 || frame->data[at] >> 4 != 4)
		return;
	for (uint32_t address = at + 12; address <= at + 16; address += 4) {
		frame->data[address + 1] ^= (uint8_t)(copy >> 8);
		frame->data[address + 2] ^= (uint8_t)copy;
	}
	uint32_t tag = at + (frame->data[at] & 15u) * 4 + 4;
	if (frame->data[at + 9] != PROTO_SCTP || frame->cap < tag + 4)
		return;
	frame->data[tag] ^= (uint8_t)(copy >> 8);
	frame->data[tag + 1] ^= (uint8_t)copy;
}

static void copy_frame(struct frame *to, const struct frame *from)
{
	memcpy(to->data, from->data, from->cap);
	to->cap = from->cap;
	to->len = from->len;
	to->at_us = from->at_us;
}

static void flip(struct frame *frame, uint32_t from)
{
	if (frame->cap > from)
		frame->data[from + chance(frame->cap - from)] ^= (uint8_t)(1u << chance(8));
}

static void overwrite(struct frame *frame, uint32_t from)
{
	if (frame->cap <= from)
		return;
	uint32_t at = from + chance(frame->cap - from), count = chance(16) + 1;

	for (uint32_t i = at; i < frame->cap && i < at + count; i++)
		frame->data[i] = chance(3) == 0 ? 0xff : (uint8_t)chance(256);
}

static void cut(struct frame *frame)
{
	frame->cap = chance(frame->cap + 1);
	if (chance(2) == 0)
		frame->len = frame->cap;
}

/* Takes octets out of the middle, or puts some in. */
static void shift(struct frame *frame, uint32_t from)
{
	if (frame->cap <= from + 8 || frame->cap > FRAME_MAX - 64)
		return;
	uint32_t at = from + chance(frame->cap - from - 8), count = chance(8) + 1;

	if (chance(2) == 0) {
		memmove(frame->data + at, frame->data + at + count, frame->cap - at - count);
		frame->cap -= count;
	} else {
		memmove(frame->data + at + count, frame->data + at, frame->cap - at);
		frame->cap += count;
	}
	frame->len = frame->cap;
}

static void exchange(struct capture *capture)
{
	struct frame *a = &capture->frame[chance(capture->count)],
		     *b = &capture->frame[chance(capture->count)];
	struct frame kept = *a;

	*a = *b;
	*b = kept;
}

/* Puts a piece of one frame into another. */
static void splice(struct capture *capture, struct frame *frame, uint32_t from)
{
	const struct frame *other = &capture->frame[chance(capture->count)];

	if (frame->cap <= from || other->cap <= from)
		return;
	uint32_t at = from + chance(frame->cap - from), source = from + chance(other->cap - from);
	uint32_t room = frame->cap - at, count = other->cap - source;
	memmove(frame->data + at, other->data + source, count < room ? count : room);
}

/* A dropped frame is one of no octets; a doubled one takes the place of another. */
static void damage(struct capture *capture, uint32_t ip_at)
{
	struct frame *frame = &capture->frame[chance(capture->count)];
	uint32_t transport = ip_at + 20, from = chance(4) == 0 ? ip_at : transport + chance(24);

	switch (chance(10)) {
	case 0:
		cut(frame);
		break;
	case 1:
		frame->cap = frame->len = 0;
		break;
	case 2:
		copy_frame(frame, &capture->frame[chance(capture->count)]);
		break;
	case 3:
		exchange(capture);
		break;
	case 4:
		shift(frame, from);
		break;
	case 5:
		splice(capture, frame, from);
		break;
	case 6:
		overwrite(frame, from);
		break;
	default:
		flip(frame, from);
		break;
	}
}

static void write_frames(pcap_dumper_t *out, const struct capture *capture)
{
	for (uint32_t i = 0; i < capture->count; i++) {
		const struct frame *frame = &capture->frame[i];
		struct pcap_pkthdr header = { .caplen = frame->cap, .len = frame->len };
		header.ts.tv_sec = (time_t)(frame->at_us / 1000000u);
		header.ts.tv_usec = (suseconds_t)(frame->at_us % 1000000u);
		if (frame->cap > 0)
			pcap_dump((uint8_t *)out, &header, frame->data);
	}
}

static void write_copies(pcap_dumper_t *out, const struct capture *whole, struct capture *copy,
			 uint32_t copies)
{
	uint32_t ip_at = link_len(whole->link);

	copy->link = whole->link;
	for (uint32_t i = 0; i < copies; i++) {
		copy->count = whole->count;
		for (uint32_t k = 0; k < whole->count; k++) {
			copy_frame(&copy->frame[k], &whole->frame[k]);
			move(&copy->frame[k], ip_at, i + 1);
		}
		for (uint32_t k = chance(DAMAGES_MAX) + 1; k > 0; k--)
			damage(copy, ip_at);
		write_frames(out, copy);
	}
}

/* Damages the finished file, its headers too. */
static int damage_file(const char *path)
{
	FILE *file = fopen(path, "r+b");
	long size;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) <= 0) {
		if (file != NULL)
			fclose(file);
		return -1;
	}
	for (uint32_t k = chance(DAMAGES_MAX) + 1; k > 0; k--) {
		/* one in four near the front, where the headers are */
		long at = (long)chance((uint32_t)(chance(4) == 0 && size > 200 ? 200 : size));
		fseek(file, at, SEEK_SET);
		int octet = fgetc(file);
		fseek(file, at, SEEK_SET);
		fputc(chance(2) == 0 ? octet ^ (1 << chance(8)) : (int)chance(256), file);
	}
	if (chance(3) == 0 && ftruncate(fileno(file), (off_t)chance((uint32_t)size)) != 0)
		perror("mutate-capture");
	return fclose(file);
}

int main(int argc, char **argv)
{
	static struct capture whole, copy;

	if (argc < 5 || read_capture(&whole, argv[1]) != 0 || whole.count == 0) {
		fprintf(stderr, "usage: mutate-capture IN OUT COUNT SEED [file]\n");
		return 2;
	}
	random_state = strtoull(argv[4], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
	for (uint32_t i = 0; i < FRAMES_MAX; i++)
		if ((copy.frame[i].data = malloc(FRAME_MAX)) == NULL)
			return 1;
	pcap_t *dead = pcap_open_dead(whole.link, 262144);
	pcap_dumper_t *out = pcap_dump_open(dead, argv[2]);
	if (out == NULL) {
		fprintf(stderr, "mutate-capture: %s\n", pcap_geterr(dead));
		return 1;
	}
	write_copies(out, &whole, &copy, (uint32_t)strtoul(argv[3], NULL, 10));
	pcap_dump_close(out);
	pcap_close(dead);
	return argc > 5 && damage_file(argv[2]) != 0 ? 1 : 0;
}
