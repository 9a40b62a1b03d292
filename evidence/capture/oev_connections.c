/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Connections by their paths, and SCTP's by their tags too.
 */
#include "oev_connections.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_hash.h"
#include "oev_map.h"

#define PATHS_MAX (1u << 20)
#define SEED 0x6f65765f6c696e6bull

/* One pair of ends. */
struct path {
	struct oev_end low, high; /* in the order of oev_end_compare() */
	uint32_t connection;
	uint8_t transport;
	uint8_t low_side; /* side of the connection the low end is at */
};

/* Packets with this tag between these ports come from one side of one association. */
struct tagged {
	uint32_t tag;
	uint16_t from_port, to_port;
	struct oev_sender sender;
};

struct oev_connections {
	struct path *paths;
	struct tagged *tags;
	struct oev_map by_ends, by_tag;
	uint32_t path_count, path_room, tag_count, tag_room, count;
	uint32_t *first_path; /* of each connection */
	uint32_t first_room;
};

struct oev_connections *oev_connections_new(void)
{
	return calloc(1, sizeof(struct oev_connections));
}

void oev_connections_free(struct oev_connections *connections)
{
	if (connections == NULL)
		return;
	oev_map_fini(&connections->by_ends);
	oev_map_fini(&connections->by_tag);
	free(connections->paths);
	free(connections->tags);
	free(connections->first_path);
	free(connections);
}

/* Room for one more of @size octets in *@array. */
static int make_room(void **array, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return OC_OK;
	uint32_t wanted = *room != 0 ? *room * 2 : 16;
	void *grown = wanted <= PATHS_MAX ? realloc(*array, wanted * size) : NULL;
	if (grown == NULL)
		return wanted <= PATHS_MAX ? OC_ENOMEM : OC_ENOSPC;
	*array = grown;
	*room = wanted;
	return OC_OK;
}

static uint64_t print_of(const struct path *path)
{
	uint64_t print = oc_hash(&path->low, sizeof(path->low), SEED + path->transport);

	return oc_hash(&path->high, sizeof(path->high), print);
}

static struct path path_of(uint8_t transport, const struct oev_end *from, const struct oev_end *to)
{
	bool is_up = oev_end_compare(from, to) <= 0;

	return (struct path){ .low = is_up ? *from : *to,
			      .high = is_up ? *to : *from,
			      .transport = transport };
}

static const struct path *find_path(const struct oev_connections *c, const struct path *key, uint64_t print)
{
	struct oev_map_walk walk = oev_map_first(&c->by_ends, print);

	for (uint32_t i; (i = oev_map_next(&walk)) != 0;) {
		const struct path *path = &c->paths[i - 1];
		if (path->transport == key->transport && oev_end_compare(&path->low, &key->low) == 0 &&
		    oev_end_compare(&path->high, &key->high) == 0)
			return path;
	}
	return NULL;
}

/* Adds @path, whose connection 0 means a new one. */
static int add_path(struct oev_connections *c, struct path *path, uint64_t print)
{
	int rc = make_room((void **)&c->paths, c->path_count, &c->path_room, sizeof(c->paths[0]));

	rc = rc == OC_OK ? make_room((void **)&c->first_path, c->count, &c->first_room, sizeof(uint32_t))
			 : rc;
	rc = rc == OC_OK ? oev_map_add(&c->by_ends, print, c->path_count + 1) : rc;
	if (rc != OC_OK)
		return rc;
	if (path->connection == 0) {
		c->first_path[c->count++] = c->path_count;
		path->connection = c->count;
	}
	c->paths[c->path_count++] = *path;
	return OC_OK;
}

static struct oev_sender sender_of(const struct path *path, const struct oev_end *from)
{
	bool is_low = oev_end_compare(from, &path->low) == 0;

	return (struct oev_sender){ .connection = path->connection,
				    .side = is_low ? path->low_side : !path->low_side };
}

int oev_connections_get(struct oev_connections *connections, uint8_t transport, const struct oev_end *from,
			const struct oev_end *to, struct oev_sender *out)
{
	struct path key = path_of(transport, from, to);
	uint64_t print = print_of(&key);
	const struct path *path = find_path(connections, &key, print);

	if (path == NULL) {
		int rc = add_path(connections, &key, print);
		if (rc != OC_OK)
			return rc;
		path = &connections->paths[connections->path_count - 1];
	}
	*out = sender_of(path, from);
	return OC_OK;
}

static uint64_t tag_print_of(const struct oev_frame *frame)
{
	return (((uint64_t)frame->tag << 32) | ((uint32_t)frame->from.port << 16) | frame->to.port) *
	       0x9e3779b97f4a7c15ull;
}

static struct tagged *find_tag(const struct oev_connections *c, const struct oev_frame *frame, uint64_t print)
{
	struct oev_map_walk walk = oev_map_first(&c->by_tag, print);

	for (uint32_t i; (i = oev_map_next(&walk)) != 0;) {
		struct tagged *tagged = &c->tags[i - 1];
		if (tagged->tag == frame->tag && tagged->from_port == frame->from.port &&
		    tagged->to_port == frame->to.port)
			return tagged;
	}
	return NULL;
}

static int add_tag(struct oev_connections *c, const struct oev_frame *frame, uint64_t print,
		   struct oev_sender sender)
{
	int rc = make_room((void **)&c->tags, c->tag_count, &c->tag_room, sizeof(c->tags[0]));

	rc = rc == OC_OK ? oev_map_add(&c->by_tag, print, c->tag_count + 1) : rc;
	if (rc != OC_OK)
		return rc;
	c->tags[c->tag_count++] = (struct tagged){
		.tag = frame->tag, .from_port = frame->from.port, .to_port = frame->to.port, .sender = sender
	};
	return OC_OK;
}

/* A path of the association that @tagged is of. */
static int add_sctp_path(struct oev_connections *c, const struct oev_frame *frame, struct oev_sender sender)
{
	struct path path = path_of(OEV_TRANSPORT_SCTP, &frame->from, &frame->to);
	bool is_low = oev_end_compare(&frame->from, &path.low) == 0;

	path.connection = sender.connection;
	path.low_side = is_low ? sender.side : !sender.side;
	return add_path(c, &path, print_of(&path));
}

int oev_connections_note(struct oev_connections *connections, const struct oev_frame *frame,
			 struct oev_sender *out)
{
	struct path key = path_of(frame->transport, &frame->from, &frame->to);

	if (frame->transport == OEV_TRANSPORT_NONE)
		return OC_ENOENT;
	if (frame->transport != OEV_TRANSPORT_SCTP)
		return oev_connections_get(connections, frame->transport, &frame->from, &frame->to, out);
	uint64_t print = tag_print_of(frame);
	const struct tagged *tagged = find_tag(connections, frame, print);
	const struct path *path = find_path(connections, &key, print_of(&key));
	if (path == NULL && tagged != NULL) {
		*out = tagged->sender;
		return add_sctp_path(connections, frame, tagged->sender);
	}
	int rc = oev_connections_get(connections, frame->transport, &frame->from, &frame->to, out);
	return rc == OC_OK && tagged == NULL ? add_tag(connections, frame, print, *out) : rc;
}

void oev_connections_ends(const struct oev_connections *connections, uint32_t connection,
			  struct oev_end *side0, struct oev_end *side1)
{
	const struct path *path = &connections->paths[connections->first_path[connection - 1]];

	*side0 = path->low_side == 0 ? path->low : path->high;
	*side1 = path->low_side == 0 ? path->high : path->low;
}

uint32_t oev_connections_count(const struct oev_connections *connections)
{
	return connections->count;
}
