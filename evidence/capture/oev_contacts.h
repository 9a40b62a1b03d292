/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who is at the two sides of each connection: the identity of the adjacent node, not of those behind it.
 *
 * Told by, in this order: capabilities exchange; watchdog and disconnection, which are between neighbours too; requests without
 * Route-Record, which their sender made itself; answers, if they all name one host. Where none of these is in the capture, or they
 * contradict each other, the node is called by its address and port. A capabilities exchange request on a connection that had
 * messages begins a new contact of it: ports are used again. The capture is read twice: first to learn, then, after oev_contacts_again(),
 * with every name known from the first message on.
 */
#pragma once

#include "oev_connections.h"
#include "oev_message.h"

struct oev_contacts;

/* How well a side is known. */
enum oev_known_by {
	OEV_KNOWN_BY_ADDRESS = 0,
	OEV_KNOWN_BY_ANSWERS = 1,
	OEV_KNOWN_BY_REQUESTS = 2,
	OEV_KNOWN_BY_BASE = 3, /* watchdog, disconnection */
	OEV_KNOWN_BY_EXCHANGE = 4
};

struct oev_contact {
	uint32_t connection;
	uint32_t name[2];  /* of side 0 and 1; valid after oev_contacts_again() */
	uint32_t realm[2]; /* 0 not known */
	uint8_t known_by[2];
	uint64_t messages[2]; /* each side sent; valid after oev_contacts_again() */
	uint32_t first_frame;
};

/* @names and @connections are borrowed. NULL when out of memory. */
struct oev_contacts *oev_contacts_new(struct oc_names *names, struct oev_connections *connections);
void oev_contacts_free(struct oev_contacts *contacts);

/* Learns from a message that @sender sent; first reading. OC_OK, OC_ENOMEM, OC_ENOSPC. */
int oev_contacts_learn(struct oev_contacts *contacts, const struct oev_sender *sender,
		       const struct oev_message *message, uint32_t frame);

/* Settles every name, and goes back to the first message. */
void oev_contacts_again(struct oev_contacts *contacts);

/* Number, from 1, of the contact the message belongs to; second reading, the same messages in the same order. 0: of none. */
uint32_t oev_contacts_of(struct oev_contacts *contacts, const struct oev_sender *sender,
			 const struct oev_message *message);

/* Contacts are numbered 1..count. */
const struct oev_contact *oev_contacts_get(const struct oev_contacts *contacts, uint32_t contact);
uint32_t oev_contacts_count(const struct oev_contacts *contacts);
