/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Learning who is at the sides of a connection.
 */
#include "oev_lives.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define LIVES_MAX (1u << 20)

/* What messages of one kind said of their sender. */
struct word {
	uint32_t name; /* 0: nothing yet */
	uint32_t realm;
	bool is_torn; /* they said different things */
};

struct side {
	struct word by[OEV_KNOWN_BY_EXCHANGE + 1];
};

struct life {
	struct oev_life told;
	struct side side[2];
	uint32_t next; /* life of the same connection, 0 last */
};

/* Lives of one connection. */
struct line {
	uint32_t first, current;
	bool is_begun; /* the current one had messages */
};

struct oev_lives {
	struct oc_names *names;
	struct oev_connections *connections;
	struct life *lives;
	struct line *lines; /* by connection */
	uint32_t count, room, line_room;
};

struct oev_lives *oev_lives_new(struct oc_names *names, struct oev_connections *connections)
{
	struct oev_lives *lives = calloc(1, sizeof(*lives));

	if (lives != NULL) {
		lives->names = names;
		lives->connections = connections;
	}
	return lives;
}

void oev_lives_free(struct oev_lives *lives)
{
	if (lives == NULL)
		return;
	free(lives->lives);
	free(lives->lines);
	free(lives);
}

static int reach_line(struct oev_lives *lives, uint32_t connection)
{
	uint32_t room = lives->line_room != 0 ? lives->line_room : 64;

	if (connection < lives->line_room)
		return OC_OK;
	while (room <= connection)
		room *= 2;
	struct line *grown = realloc(lives->lines, room * sizeof(*grown));
	if (grown == NULL)
		return OC_ENOMEM;
	memset(grown + lives->line_room, 0, (room - lives->line_room) * sizeof(*grown));
	lives->lines = grown;
	lives->line_room = room;
	return OC_OK;
}

static int add_life(struct oev_lives *lives, uint32_t connection, uint32_t frame)
{
	struct line *line = &lives->lines[connection];

	if (lives->count == lives->room) {
		uint32_t room = lives->room != 0 ? lives->room * 2 : 64;
		struct life *grown = room <= LIVES_MAX ? realloc(lives->lives, room * sizeof(*grown)) : NULL;
		if (grown == NULL)
			return room <= LIVES_MAX ? OC_ENOMEM : OC_ENOSPC;
		lives->lives = grown;
		lives->room = room;
	}
	lives->lives[lives->count++] =
		(struct life){ .told = { .connection = connection, .first_frame = frame } };
	if (line->first == 0)
		line->first = lives->count;
	else
		lives->lives[line->current - 1].next = lives->count;
	line->current = lives->count;
	line->is_begun = false;
	return OC_OK;
}

static bool is_first_word(const struct oev_message *message)
{
	return message->msg.command == OEV_CMD_CAPABILITIES && message->msg.app_id == 0 &&
	       oc_msg_is_request(&message->msg);
}

static enum oev_known_by kind_of(const struct oev_message *message)
{
	const struct oc_msg *msg = &message->msg;

	if (msg->app_id == 0 && msg->command == OEV_CMD_CAPABILITIES)
		return OEV_KNOWN_BY_EXCHANGE;
	if (msg->app_id == 0 && (msg->command == OEV_CMD_WATCHDOG || msg->command == OEV_CMD_DISCONNECT))
		return OEV_KNOWN_BY_BASE;
	if (!oc_msg_is_request(msg))
		return OEV_KNOWN_BY_ANSWERS;
	return message->route_records == 0 ? OEV_KNOWN_BY_REQUESTS : OEV_KNOWN_BY_ADDRESS;
}

static void hear(struct side *side, const struct oev_message *message)
{
	const struct oc_msg *msg = &message->msg;
	struct word *word = &side->by[kind_of(message)];

	if (msg->origin_host <= OC_NAME_OVERFLOW || kind_of(message) == OEV_KNOWN_BY_ADDRESS)
		return;
	if (word->name == OC_NAME_NONE) {
		word->name = msg->origin_host;
		word->realm = msg->origin_realm;
	}
	word->is_torn |= word->name != msg->origin_host;
}

int oev_lives_learn(struct oev_lives *lives, const struct oev_sender *sender,
		    const struct oev_message *message, uint32_t frame)
{
	int rc = reach_line(lives, sender->connection);

	if (rc != OC_OK)
		return rc;
	struct line *line = &lives->lines[sender->connection];
	if (line->current == 0 || (line->is_begun && is_first_word(message)))
		rc = add_life(lives, sender->connection, frame);
	if (rc != OC_OK)
		return rc;
	line->is_begun = true;
	struct life *life = &lives->lives[line->current - 1];
	life->told.messages[sender->side]++;
	hear(&life->side[sender->side], message);
	return OC_OK;
}

/* A name for who is known by nothing better. */
static uint32_t name_by_address(struct oev_lives *lives, uint32_t connection, unsigned side)
{
	struct oev_end ends[2];
	char text[OEV_END_TEXT_MAX];

	oev_connections_ends(lives->connections, connection, &ends[0], &ends[1]);
	oev_end_text(&ends[side], text);
	return oc_names_id(lives->names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static void settle(struct oev_lives *lives, struct life *life, unsigned side)
{
	for (unsigned by = OEV_KNOWN_BY_EXCHANGE; by > OEV_KNOWN_BY_ADDRESS; by--) {
		const struct word *word = &life->side[side].by[by];
		if (word->name == OC_NAME_NONE || (word->is_torn && by < OEV_KNOWN_BY_BASE))
			continue;
		life->told.name[side] = word->name;
		life->told.realm[side] = word->realm;
		life->told.known_by[side] = (uint8_t)by;
		return;
	}
	life->told.name[side] = name_by_address(lives, life->told.connection, side);
}

void oev_lives_again(struct oev_lives *lives)
{
	for (uint32_t i = 0; i < lives->count; i++) {
		settle(lives, &lives->lives[i], 0);
		settle(lives, &lives->lives[i], 1);
	}
	for (uint32_t i = 0; i < lives->line_room; i++) {
		lives->lines[i].current = lives->lines[i].first;
		lives->lines[i].is_begun = false;
	}
}

uint32_t oev_lives_of(struct oev_lives *lives, const struct oev_sender *sender,
		      const struct oev_message *message)
{
	if (sender->connection >= lives->line_room)
		return 0;
	struct line *line = &lives->lines[sender->connection];
	if (line->current == 0)
		return 0;
	uint32_t next = lives->lives[line->current - 1].next;
	if (line->is_begun && next != 0 && is_first_word(message))
		line->current = next;
	line->is_begun = true;
	return line->current;
}

const struct oev_life *oev_lives_get(const struct oev_lives *lives, uint32_t life)
{
	return &lives->lives[life - 1].told;
}

uint32_t oev_lives_count(const struct oev_lives *lives)
{
	return lives->count;
}
