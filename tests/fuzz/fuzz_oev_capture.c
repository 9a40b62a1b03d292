/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzzes the reading of captures behind tshark. The first octet chooses: 'm' messages, each with an octet for its way, one for the
 * time that passes and two for its length; 'f' a file as tshark exports it; 'l' lines as tshark writes them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/capture/oev_capture.h"
#include "evidence/capture/oev_tracks.h"

#define NODES 8u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct told {
	uint64_t decisions[OEV_NODES_MAX], outcomes[OEV_NODES_MAX];
	uint32_t begun, ended;
};

static void expect(bool is_true)
{
	if (!is_true)
		abort();
}

static int on_begin(void *ctx, uint32_t node, uint32_t name, uint64_t now_ns)
{
	struct told *told = ctx;

	expect(node == told->begun++ && name > OC_NAME_OVERFLOW);
	(void)now_ns;
	return OC_OK;
}

/* Decisions are numbered without a hole, and nothing in them is made up. */
static int on_event(void *ctx, uint32_t node, const struct oc_event *event)
{
	struct told *told = ctx;

	expect(node < told->begun && oc_event_size(event) != 0);
	if (event->kind == OC_EVENT_DECISION) {
		const struct oc_decision *d = &event->u.decision;
		expect(d->id == ++told->decisions[node] && d->verdict == OC_FORWARD && d->random == 0);
		expect(d->realm.version + d->host.version + d->peer.version == 0);
	}
	if (event->kind == OC_EVENT_OUTCOME) {
		expect(event->u.outcome.id <= told->decisions[node]);
		told->outcomes[node]++;
	}
	return OC_OK;
}

static int on_end(void *ctx, uint32_t node, uint64_t now_ns)
{
	struct told *told = ctx;

	expect(node == told->ended++);
	expect(told->decisions[node] == told->outcomes[node]);
	(void)now_ns;
	return OC_OK;
}

static void check(const struct oev_capture *capture)
{
	const struct oev_capture_count *count = &capture->count;
	uint64_t requests = 0, answers = 0, unanswered = 0, unpaired = 0, sent = 0;
	uint32_t node_count;
	const struct oev_node *nodes = oev_capture_model_nodes(capture->model, &node_count);

	for (uint32_t i = 0; i < count->row_count; i++) {
		requests += count->row[i].requests;
		answers += count->row[i].answers;
		unanswered += count->row[i].unanswered;
		unpaired += count->row[i].unpaired;
	}
	expect(requests == count->requests && answers == count->answers);
	expect(requests + answers == count->messages);
	expect(requests - unanswered == answers - unpaired); /* pairs, seen from both ends */
	for (uint32_t i = 0; i < node_count; i++)
		sent += nodes[i].requests;
	expect(sent <= requests);
}

static void tell(FILE *file)
{
	struct told *told = calloc(1, sizeof(*told));
	struct oev_capture *capture = calloc(1, sizeof(*capture));
	const struct oev_capture_sink sink = {
		.ctx = told, .begin = on_begin, .event = on_event, .end = on_end
	};
	const struct oev_capture_options options = { .pseudonym_key = { { 1 } },
						     .names_max = 1024,
						     .sink = &sink };

	if (told == NULL || capture == NULL)
		abort();
	int rc = oev_capture_tell(capture, file, &options);
	expect(rc == OC_OK || rc == OC_EMALFORMED);
	if (rc == OC_OK) {
		expect(told->begun == told->ended);
		check(capture);
	}
	oev_capture_fini(capture);
	free(capture);
	free(told);
}

static FILE *new_file(void)
{
	int memory = memfd_create("capture", MFD_CLOEXEC);
	FILE *file = memory >= 0 ? fdopen(memory, "w+b") : NULL;

	if (file == NULL)
		abort();
	return file;
}

static void put_u16(FILE *file, unsigned value)
{
	fputc((int)(value >> 8 & 255), file);
	fputc((int)(value & 255), file);
}

static void put_tag(FILE *file, unsigned tag, uint32_t value)
{
	put_u16(file, tag);
	put_u16(file, 4);
	put_u16(file, value >> 16);
	put_u16(file, value & 0xffffu);
}

static void put_host(FILE *file, uint32_t value)
{
	fwrite(&value, sizeof(value), 1, file);
}

/* One of NODES clients and one server, either way, by TCP or SCTP. */
static void put_tags(FILE *file, uint8_t way, uint32_t frame)
{
	uint32_t client = 0x0a000001u + (way & 7u), server = 0x0a000101u;
	bool is_back = (way & 0x80u) != 0;

	put_u16(file, 12);
	put_u16(file, 8);
	fwrite("diameter", 8, 1, file);
	put_tag(file, 20, is_back ? server : client);
	put_tag(file, 21, is_back ? client : server);
	put_tag(file, 24, way & 0x40u ? 1 : 2);
	put_tag(file, 25, is_back ? 3868 : 40000);
	put_tag(file, 26, is_back ? 40000 : 3868);
	put_tag(file, 30, frame);
	put_host(file, 0); /* the end, in any byte order */
}

static void put_header(FILE *file)
{
	const uint32_t header[] = { 0xa1b23c4du, 4u << 16 | 2u, 0, 0, 262144, 252 };

	fwrite(header, sizeof(header), 1, file);
}

static void fuzz_messages(const uint8_t *data, size_t size)
{
	FILE *file = new_file();
	uint64_t at_ms = 1700000000000ull;
	uint32_t frame = 0;

	put_header(file);
	while (size >= 4) {
		size_t len = (size_t)data[2] << 8 | data[3];
		len = len < size - 4 ? len : size - 4;
		at_ms += (uint64_t)data[1] * 10;
		uint32_t packet = (uint32_t)(12 + 6 * 8 + 4 + len);
		put_host(file, (uint32_t)(at_ms / 1000));
		put_host(file, (uint32_t)(at_ms % 1000) * 1000000u);
		put_host(file, packet);
		put_host(file, packet);
		put_tags(file, data[0], ++frame);
		fwrite(data + 4, len, 1, file);
		data += 4 + len;
		size -= 4 + len;
	}
	fflush(file);
	tell(file);
}

static void fuzz_file(const uint8_t *data, size_t size)
{
	FILE *file = new_file();

	fwrite(data, size, 1, file);
	fflush(file);
	tell(file);
}

static void fuzz_lines(const uint8_t *data, size_t size)
{
	static const uint16_t ports[] = { 3868 };
	struct oev_connections *connections = oev_connections_new();
	struct oev_tracks *tracks = oev_tracks_new(ports, 1);
	struct oev_frame *frame = malloc(sizeof(*frame));
	struct oev_missed missed = { 0 };
	struct oev_sender sender;

	expect(connections != NULL && tracks != NULL && frame != NULL);
	while (size > 0) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t len = end != NULL ? (size_t)(end - data) : size;
		if (oev_frame_parse(frame, (const char *)data, len) == OC_OK) {
			bool has = oev_connections_note(connections, frame, &sender) == OC_OK;
			expect(oev_tracks_frame(tracks, frame, has ? &sender : NULL, &missed) == OC_OK);
		}
		data += len + (end != NULL);
		size -= len + (end != NULL);
	}
	oev_tracks_end(tracks, &missed);
	for (unsigned i = 0; i < OEV_MISSED_COUNT; i++)
		expect(missed.sum[i].listed <= OEV_MISSED_LISTED);
	oev_connections_free(connections);
	oev_tracks_free(tracks);
	free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] == 'm')
		fuzz_messages(data + 1, size - 1);
	else if (data[0] == 'f')
		fuzz_file(data + 1, size - 1);
	else if (data[0] == 'l')
		fuzz_lines(data + 1, size - 1);
	return 0;
}
