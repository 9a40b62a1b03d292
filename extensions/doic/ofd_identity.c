/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Identities in clear, by the operator's choice: the text behind a pseudonym is told when the pseudonym is met for the first
 * time, or for the first time since another one took its place in a small table.
 */
#include "ofd.h"

#include <stdlib.h>
#include <string.h>

#define PLACES 65536u

struct ofd_identity {
	atomic_uint_fast64_t met[PLACES]; /* pseudonym and kind of those told last, by pseudonym */
};

int ofd_identity_start(struct ofd *ofd)
{
	if (ofd->conf.identities != OEV_IDENTITIES_CLEAR || !ofd->journal)
		return 0;
	ofd->identity = calloc(1, sizeof(*ofd->identity));
	return ofd->identity ? 0 : ENOMEM;
}

void ofd_identity_stop(struct ofd *ofd)
{
	free(ofd->identity);
	ofd->identity = NULL;
}

/* Two threads may both tell one: that is a row too many and nothing else. */
static bool is_known(struct ofd_identity *identity, uint64_t pseudonym, enum oc_identity_kind kind)
{
	atomic_uint_fast64_t *place = &identity->met[pseudonym % PLACES];
	uint64_t word = pseudonym << 1 | (uint64_t)kind;

	if (atomic_load_explicit(place, memory_order_relaxed) == word)
		return true;
	atomic_store_explicit(place, word, memory_order_relaxed);
	return false;
}

static void meet(struct ofd *ofd, uint64_t pseudonym, enum oc_identity_kind kind, struct oc_bytes text)
{
	struct oc_event event = { .kind = OC_EVENT_IDENTITY };
	struct oc_event_identity *e = &event.u.identity;

	if (pseudonym == 0 || is_known(ofd->identity, pseudonym, kind))
		return;
	event.mono_ns = ofd_clock_mono_ns();
	e->pseudonym = pseudonym;
	e->kind = (uint8_t)kind;
	e->len = (uint8_t)(text.len < OC_IDENTITY_TEXT_MAX ? text.len : OC_IDENTITY_TEXT_MAX);
	memcpy(e->text, text.data, e->len);
	oev_journal_emit(ofd->journal, &event);
}

void ofd_identity_meet(struct ofd *ofd, const struct oc_msg *msg, const struct oc_msg_found *found)
{
	meet(ofd, msg->session_hash, OC_IDENTITY_SESSION, found->session);
	meet(ofd, msg->subscriber_hash, OC_IDENTITY_SUBSCRIBER, found->subscriber);
}
