/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Learning who is at the sides of a connection.
 */
#include "oev_contacts.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define CONTACTS_MAX (1u << 20)

/* What messages of one kind said of their sender. */
struct word {
	uint32_t name; /* 0: nothing yet */
	uint32_t realm;
	bool is_torn; /* they said different things */
};

struct side {
	struct word by[OEV_KNOWN_BY_EXCHANGE + 1];
};

struct contact {
	struct oev_contact told;
	struct side side[2];
	uint32_t next; /* contact of the same connection, 0 last */
};

/* Contacts of one connection. */
struct line {
	uint32_t first, current;
	bool is_begun; /* the current one had messages */
};

struct oev_contacts {
	struct oc_names *names;
	struct oev_connections *connections;
	struct contact *contacts;
	struct line *lines; /* by connection */
	uint32_t count, room, line_room;
};

struct oev_contacts *oev_contacts_new(struct oc_names *names, struct oev_connections *connections)
{
	struct oev_contacts *contacts = calloc(1, sizeof(*contacts));

	if (contacts != NULL) {
		contacts->names = names;
		contacts->connections = connections;
	}
	return contacts;
}

void oev_contacts_free(struct oev_contacts *contacts)
{
	if (contacts == NULL)
		return;
	free(contacts->contacts);
	free(contacts->lines);
	free(contacts);
}

static int reach_line(struct oev_contacts *contacts, uint32_t connection)
{
	uint32_t room = contacts->line_room != 0 ? contacts->line_room : 64;

	if (connection < contacts->line_room)
		return OC_OK;
	while (room <= connection)
		room *= 2;
	struct line *grown = realloc(contacts->lines, room * sizeof(*grown));
	if (grown == NULL)
		return OC_ENOMEM;
	memset(grown + contacts->line_room, 0, (room - contacts->line_room) * sizeof(*grown));
	contacts->lines = grown;
	contacts->line_room = room;
	return OC_OK;
}

static int add_contact(struct oev_contacts *contacts, uint32_t connection, uint32_t frame)
{
	struct line *line = &contacts->lines[connection];

	if (contacts->count == contacts->room) {
		uint32_t room = contacts->room != 0 ? contacts->room * 2 : 64;
		struct contact *grown =
			room <= CONTACTS_MAX ? realloc(contacts->contacts, room * sizeof(*grown)) : NULL;
		if (grown == NULL)
			return room <= CONTACTS_MAX ? OC_ENOMEM : OC_ENOSPC;
		contacts->contacts = grown;
		contacts->room = room;
	}
	contacts->contacts[contacts->count++] =
		(struct contact){ .told = { .connection = connection, .first_frame = frame } };
	if (line->first == 0)
		line->first = contacts->count;
	else
		contacts->contacts[line->current - 1].next = contacts->count;
	line->current = contacts->count;
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

int oev_contacts_learn(struct oev_contacts *contacts, const struct oev_sender *sender,
		       const struct oev_message *message, uint32_t frame)
{
	int rc = reach_line(contacts, sender->connection);

	if (rc != OC_OK)
		return rc;
	struct line *line = &contacts->lines[sender->connection];
	if (line->current == 0 || (line->is_begun && is_first_word(message)))
		rc = add_contact(contacts, sender->connection, frame);
	if (rc != OC_OK)
		return rc;
	line->is_begun = true;
	struct contact *contact = &contacts->contacts[line->current - 1];
	contact->told.messages[sender->side]++;
	hear(&contact->side[sender->side], message);
	return OC_OK;
}

/* A name for who is known by nothing better. */
static uint32_t name_by_address(struct oev_contacts *contacts, uint32_t connection, unsigned side)
{
	struct oev_end ends[2];
	char text[OEV_END_TEXT_MAX];

	oev_connections_ends(contacts->connections, connection, &ends[0], &ends[1]);
	oev_end_text(&ends[side], text);
	return oc_names_id(contacts->names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static void settle(struct oev_contacts *contacts, struct contact *contact, unsigned side)
{
	for (unsigned by = OEV_KNOWN_BY_EXCHANGE; by > OEV_KNOWN_BY_ADDRESS; by--) {
		const struct word *word = &contact->side[side].by[by];
		if (word->name == OC_NAME_NONE || (word->is_torn && by < OEV_KNOWN_BY_BASE))
			continue;
		contact->told.name[side] = word->name;
		contact->told.realm[side] = word->realm;
		contact->told.known_by[side] = (uint8_t)by;
		return;
	}
	contact->told.name[side] = name_by_address(contacts, contact->told.connection, side);
}

void oev_contacts_again(struct oev_contacts *contacts)
{
	for (uint32_t i = 0; i < contacts->count; i++) {
		settle(contacts, &contacts->contacts[i], 0);
		settle(contacts, &contacts->contacts[i], 1);
	}
	for (uint32_t i = 0; i < contacts->line_room; i++) {
		contacts->lines[i].current = contacts->lines[i].first;
		contacts->lines[i].is_begun = false;
	}
}

uint32_t oev_contacts_of(struct oev_contacts *contacts, const struct oev_sender *sender,
			 const struct oev_message *message)
{
	if (sender->connection >= contacts->line_room)
		return 0;
	struct line *line = &contacts->lines[sender->connection];
	if (line->current == 0)
		return 0;
	uint32_t next = contacts->contacts[line->current - 1].next;
	if (line->is_begun && next != 0 && is_first_word(message))
		line->current = next;
	line->is_begun = true;
	return line->current;
}

const struct oev_contact *oev_contacts_get(const struct oev_contacts *contacts, uint32_t contact)
{
	return &contacts->contacts[contact - 1].told;
}

uint32_t oev_contacts_count(const struct oev_contacts *contacts)
{
	return contacts->count;
}
