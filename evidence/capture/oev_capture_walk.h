/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Walks over the messages of a capture in the order of time: who sent each, which answer belongs to which request, what was never
 * answered, what was sent again.
 *
 * Two readings of the same messages: oev_capture_walk_learn() for all, then oev_capture_walk_again(), then
 * oev_capture_walk_step() for all, then oev_capture_walk_end(). One thread.
 */
#pragma once

#include "oev_contacts.h"
#include "oev_exchange.h"

struct oev_capture_walk;

/* One message, with who it is from. */
struct oev_walked {
	const struct oev_pdu *pdu;
	const struct oev_message *message;
	uint64_t time_ns; /* of the message, never before the one before it */
	uint32_t contact;
	uint8_t side;
	uint32_t from, to; /* names of the nodes at both sides */
};

/* Who hears of it. Nothing may be NULL. */
struct oev_walk_hearer {
	void *ctx;
	/* A request; *@exchange is kept until it is over. */
	void (*request)(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange);
	/* An answer; @exchange: the request, NULL when it is not in the capture or was answered. */
	void (*answer)(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange);
	/* A request that was never answered; @now_ns: time of the capture by now. */
	void (*unanswered)(void *ctx, const struct oev_exchange *exchange, uint64_t now_ns);
};

struct oev_walk_conf {
	struct oc_names *names; /* borrowed, as the next */
	struct oev_connections *connections;
	struct oc_keyed_key pseudonym_key;
	struct oev_walk_hearer hearer;
};

/* NULL when out of memory. */
struct oev_capture_walk *oev_capture_walk_new(const struct oev_walk_conf *conf);
void oev_capture_walk_free(struct oev_capture_walk *walk);

/* First reading. *@message is filled unless OC_EMALFORMED: no Diameter header, passed over in both readings. OC_OK, OC_ENOMEM, OC_ENOSPC. */
int oev_capture_walk_learn(struct oev_capture_walk *walk, const struct oev_pdu *pdu,
			   struct oev_message *message);
void oev_capture_walk_again(struct oev_capture_walk *walk);

/* Second reading; the same returns. *@message is filled unless OC_EMALFORMED. */
int oev_capture_walk_step(struct oev_capture_walk *walk, const struct oev_pdu *pdu,
			  struct oev_message *message);

/* All that still waits is unanswered. */
void oev_capture_walk_end(struct oev_capture_walk *walk);

/* Borrowed. */
const struct oev_contacts *oev_capture_walk_contacts(const struct oev_capture_walk *walk);
