/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One account per direction. A frame without a message of its own waits until a later one names it as a part; what still waits at the
 * end is in no message.
 */
#include "oev_tracks.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_cover.h"
#include "oev_map.h"

#define TRACKS_MAX 65536u
#define WAITING_MAX 128u
#define PPID_DIAMETER 46u /* RFC 6733 section 11.4 */
#define PPID_DTLS 47u
#define PPID_NONE 0u

/* What tells the directions apart: TCP by tshark's stream, SCTP by verification tag, which both change with every new connection. */
struct key {
	uint32_t connection;
	uint32_t contact; /* stream or tag */
	uint8_t side;
	uint8_t transport;
};

struct track {
	struct key key;
	struct oev_cover cover;
	uint64_t decoded;   /* TCP: octets of messages */
	int64_t unfinished; /* SCTP: user messages that ended here - Diameter messages */
	uint32_t last_frame;
	uint32_t hole_count, waiting_count;
	uint32_t hole[OEV_MISSED_LISTED]; /* frames that came after something missing */
	uint32_t waiting[WAITING_MAX];
	uint64_t given_up; /* frames that waited too long to be kept */
	bool has_tls;
};

struct oev_tracks {
	struct track **tracks;
	struct oev_map map;
	uint32_t count, room;
	size_t port_count;
	uint16_t ports[];
};

struct oev_tracks *oev_tracks_new(const uint16_t *ports, size_t count)
{
	struct oev_tracks *tracks = calloc(1, sizeof(*tracks) + count * sizeof(ports[0]));

	if (tracks == NULL)
		return NULL;
	tracks->port_count = count;
	memcpy(tracks->ports, ports, count * sizeof(ports[0]));
	return tracks;
}

void oev_tracks_free(struct oev_tracks *tracks)
{
	if (tracks == NULL)
		return;
	for (uint32_t i = 0; i < tracks->count; i++)
		free(tracks->tracks[i]);
	free(tracks->tracks);
	oev_map_fini(&tracks->map);
	free(tracks);
}

static bool is_port(const struct oev_tracks *tracks, uint16_t port)
{
	for (size_t i = 0; i < tracks->port_count; i++)
		if (tracks->ports[i] == port)
			return true;
	return false;
}

static bool is_key(const struct key *a, const struct key *b)
{
	return a->connection == b->connection && a->contact == b->contact && a->side == b->side &&
	       a->transport == b->transport;
}

static uint64_t print_of(const struct key *key)
{
	uint64_t print = ((uint64_t)key->connection << 32 | key->contact) * 0x9e3779b97f4a7c15ull;

	return (print ^ print >> 29 ^ key->side ^ (uint64_t)key->transport << 1) * 0xbf58476d1ce4e5b9ull >> 7;
}

static struct track *find(const struct oev_tracks *tracks, const struct key *key)
{
	struct oev_map_walk walk = oev_map_first(&tracks->map, print_of(key));

	for (uint32_t i; (i = oev_map_next(&walk)) != 0;)
		if (is_key(&tracks->tracks[i - 1]->key, key))
			return tracks->tracks[i - 1];
	return NULL;
}

static int add(struct oev_tracks *tracks, const struct key *key, struct track **out)
{
	if (tracks->count == tracks->room) {
		uint32_t room = tracks->room != 0 ? tracks->room * 2 : 16;
		struct track **grown = realloc(tracks->tracks, room * sizeof(struct track *));
		if (grown == NULL)
			return OC_ENOMEM;
		tracks->tracks = grown;
		tracks->room = room;
	}
	struct track *track = calloc(1, sizeof(*track));
	if (track == NULL)
		return OC_ENOMEM;
	if (oev_map_add(&tracks->map, print_of(key), tracks->count + 1) != OC_OK) {
		free(track);
		return OC_ENOMEM;
	}
	track->key = *key;
	tracks->tracks[tracks->count++] = track;
	*out = track;
	return OC_OK;
}

static void wait_for_end(struct track *track, uint32_t frame)
{
	if (track->waiting_count == WAITING_MAX) {
		track->given_up++;
		memmove(&track->waiting[OEV_MISSED_LISTED], &track->waiting[OEV_MISSED_LISTED + 1],
			(WAITING_MAX - OEV_MISSED_LISTED - 1) * sizeof(track->waiting[0]));
		track->waiting_count--;
	}
	track->waiting[track->waiting_count++] = frame;
}

/* A later frame names @frame as a part of its message. */
static void found(struct track *track, uint32_t frame)
{
	for (uint32_t i = track->waiting_count; i-- > 0;) {
		if (track->waiting[i] != frame)
			continue;
		memmove(&track->waiting[i], &track->waiting[i + 1],
			(track->waiting_count - i - 1) * sizeof(track->waiting[0]));
		track->waiting_count--;
		return;
	}
}

/* Adds to the cover and notes @frame when it leaves a hole behind it. Returns what is new. */
static uint32_t cover(struct track *track, uint32_t frame, uint32_t at, uint32_t len)
{
	uint64_t before = oev_cover_missing(&track->cover);
	uint32_t fresh = oev_cover_add(&track->cover, at, len);

	if (oev_cover_missing(&track->cover) > before && track->hole_count < OEV_MISSED_LISTED)
		track->hole[track->hole_count++] = frame;
	return fresh;
}

static void take_tcp(struct track *track, const struct oev_frame *frame)
{
	uint32_t fresh = cover(track, frame->number, frame->sequence, frame->payload);

	track->decoded += frame->message_octets;
	track->has_tls |= frame->has_tls;
	if (fresh > 0 && frame->messages == 0)
		wait_for_end(track, frame->number);
}

static void take_sctp(struct track *track, const struct oev_frame *frame, struct oev_missed *missed)
{
	uint32_t fresh = 0;

	for (uint32_t i = 0; i < frame->chunk_count; i++) {
		const struct oev_chunk *chunk = &frame->chunk[i];
		bool is_new = cover(track, frame->number, chunk->tsn, 1) > 0;
		if (chunk->ppid == PPID_DTLS)
			oev_missed_add(missed, OEV_MISSED_DTLS, is_new, is_new ? frame->number : 0);
		if (!is_new || (chunk->ppid != PPID_DIAMETER && chunk->ppid != PPID_NONE))
			continue;
		fresh++;
		track->unfinished += chunk->is_last;
	}
	track->unfinished -= frame->messages;
	if (fresh > 0 && frame->messages == 0)
		wait_for_end(track, frame->number);
}

/* Whether the frame is of a connection of Diameter as far as it says itself. */
static bool is_diameter(const struct oev_tracks *tracks, const struct oev_frame *frame)
{
	if (frame->messages > 0 || is_port(tracks, frame->from.port) || is_port(tracks, frame->to.port))
		return true;
	for (uint32_t i = 0; i < frame->chunk_count; i++)
		if (frame->chunk[i].ppid == PPID_DIAMETER || frame->chunk[i].ppid == PPID_DTLS)
			return true;
	return false;
}

int oev_tracks_frame(struct oev_tracks *tracks, const struct oev_frame *frame,
		     const struct oev_sender *sender, struct oev_missed *missed)
{
	if (frame->has_esp)
		oev_missed_add(missed, OEV_MISSED_ESP, 1, frame->number);
	if (sender == NULL)
		return OC_OK;
	bool is_tcp = frame->transport == OEV_TRANSPORT_TCP;
	const struct key key = { .connection = sender->connection,
				 .contact = is_tcp ? frame->stream : frame->tag,
				 .side = sender->side,
				 .transport = frame->transport };
	struct track *track = find(tracks, &key);
	if (track == NULL && !is_diameter(tracks, frame))
		return OC_OK;
	if (track == NULL && tracks->count == TRACKS_MAX) {
		oev_missed_add(missed, OEV_MISSED_TABLE, 1, frame->number);
		return OC_OK;
	}
	int rc = track == NULL ? add(tracks, &key, &track) : OC_OK;
	if (rc != OC_OK)
		return rc;
	track->last_frame = frame->number;
	if (frame->is_cut)
		oev_missed_add(missed, OEV_MISSED_CUT, 1, frame->number);
	if (is_tcp)
		take_tcp(track, frame);
	else
		take_sctp(track, frame, missed);
	for (uint32_t i = 0; i < frame->part_count; i++)
		found(track, frame->part[i]);
	return OC_OK;
}

/* @amount of @kind, at the frames that wait. When none does, a message is broken off where something is missing, or begins in the
 * last frame and does not end. */
static void tell(const struct track *track, enum oev_missed_kind kind, uint64_t amount,
		 struct oev_missed *missed)
{
	const uint32_t *frames = track->waiting_count > 0 ? track->waiting : track->hole;
	uint32_t count = track->waiting_count > 0 ? track->waiting_count : track->hole_count;

	oev_missed_add(missed, kind, amount, count == 0 ? track->last_frame : 0);
	for (uint32_t i = 0; i < count; i++)
		oev_missed_add(missed, kind, 0, frames[i]);
	missed->sum[kind].frames += track->given_up;
}

static void end_tcp(const struct track *track, uint64_t lost, struct oev_missed *missed)
{
	oev_missed_add(missed, OEV_MISSED_LOST, lost, 0);
	for (uint32_t i = 0; lost > 0 && i < track->hole_count; i++)
		oev_missed_add(missed, OEV_MISSED_LOST, 0, track->hole[i]);
	/* messages in TLS: the capture brought its keys, and what TLS adds is no loss */
	if (track->cover.seen > track->decoded && !(track->has_tls && track->decoded > 0))
		tell(track, track->has_tls ? OEV_MISSED_TLS : OEV_MISSED_OCTETS,
		     track->cover.seen - track->decoded, missed);
}

static void end_sctp(const struct track *track, uint64_t lost, struct oev_missed *missed)
{
	oev_missed_add(missed, OEV_MISSED_LOST_CHUNKS, lost, 0);
	for (uint32_t i = 0; lost > 0 && i < track->hole_count; i++)
		oev_missed_add(missed, OEV_MISSED_LOST_CHUNKS, 0, track->hole[i]);
	/* one that began and never ended is at least one message */
	if (track->unfinished > 0 || track->waiting_count > 0)
		tell(track, OEV_MISSED_CHUNKS, track->unfinished > 0 ? (uint64_t)track->unfinished : 1,
		     missed);
}

void oev_tracks_end(const struct oev_tracks *tracks, struct oev_missed *missed)
{
	for (uint32_t i = 0; i < tracks->count; i++) {
		const struct track *track = tracks->tracks[i];
		uint64_t lost = oev_cover_missing(&track->cover);
		if (track->key.transport == OEV_TRANSPORT_TCP)
			end_tcp(track, lost, missed);
		else
			end_sctp(track, lost, missed);
	}
}
