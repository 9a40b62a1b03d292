/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The walk: identities, then pairs.
 */
#include "oev_capture_walk.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_avp.h"

#define SENT_SLOTS (1u << 17) /* requests remembered to know them when they come again */

/* A request somebody sent: RFC 6733 section 3 has Origin-Host and End-to-End Identifier unique for four minutes. */
struct sent {
	uint64_t time_ns;
	uint32_t end_to_end, origin_host, command, from;
};

struct oev_capture_walk {
	struct oev_walk_conf conf;
	struct oev_contacts *contacts;
	struct oev_exchanges *waiting;
	struct sent *sent;
	uint64_t now_ns;
	uint64_t requests;
};

static void on_over(void *ctx, struct oev_exchange *exchange)
{
	struct oev_capture_walk *walk = ctx;

	walk->conf.hearer.unanswered(walk->conf.hearer.ctx, exchange, walk->now_ns);
}

struct oev_capture_walk *oev_capture_walk_new(const struct oev_walk_conf *conf)
{
	struct oev_capture_walk *walk = calloc(1, sizeof(*walk));

	if (walk == NULL)
		return NULL;
	walk->conf = *conf;
	walk->contacts = oev_contacts_new(conf->names, conf->connections);
	walk->waiting = oev_exchanges_new(on_over, walk);
	walk->sent = calloc(SENT_SLOTS, sizeof(*walk->sent));
	if (walk->contacts != NULL && walk->waiting != NULL && walk->sent != NULL)
		return walk;
	oev_capture_walk_free(walk);
	return NULL;
}

void oev_capture_walk_free(struct oev_capture_walk *walk)
{
	if (walk == NULL)
		return;
	oev_contacts_free(walk->contacts);
	oev_exchanges_free(walk->waiting);
	free(walk->sent);
	free(walk);
}

static int read_one(struct oev_capture_walk *walk, const struct oev_pdu *pdu, struct oev_message *message,
		    struct oev_sender *sender)
{
	int rc = oev_message_read(message, pdu, walk->conf.names, &walk->conf.pseudonym_key);

	return rc == OC_OK ? oev_connections_get(walk->conf.connections, pdu->transport, &pdu->from, &pdu->to,
						 sender)
			   : rc;
}

int oev_capture_walk_learn(struct oev_capture_walk *walk, const struct oev_pdu *pdu,
			   struct oev_message *message)
{
	struct oev_sender sender;
	int rc = read_one(walk, pdu, message, &sender);

	return rc == OC_OK ? oev_contacts_learn(walk->contacts, &sender, message, pdu->frame) : rc;
}

void oev_capture_walk_again(struct oev_capture_walk *walk)
{
	oev_contacts_again(walk->contacts);
}

/* Whether this node sent the request before. What two requests that meet in one slot lose is a repeat not noticed. */
static bool was_sent(struct oev_capture_walk *walk, const struct oev_walked *walked)
{
	const struct oc_msg *msg = &walked->message->msg;
	struct sent now = { .time_ns = walked->time_ns,
			    .end_to_end = msg->end_to_end,
			    .origin_host = msg->origin_host,
			    .command = msg->command,
			    .from = walked->from };
	uint64_t print = ((uint64_t)now.origin_host << 32 | now.end_to_end) * 0x9e3779b97f4a7c15ull;
	struct sent *slot =
		&walk->sent[(uint32_t)((print ^ (uint64_t)now.from << 40) >> 40) & (SENT_SLOTS - 1)];
	bool is_known = slot->time_ns != 0 && slot->end_to_end == now.end_to_end &&
			slot->origin_host == now.origin_host && slot->command == now.command &&
			slot->from == now.from && now.time_ns - slot->time_ns < OEV_EXCHANGE_WAIT_NS;

	*slot = now;
	return is_known;
}

static int take_request(struct oev_capture_walk *walk, const struct oev_walked *walked)
{
	const struct oc_msg *msg = &walked->message->msg;
	bool is_again = was_sent(walk, walked) || (msg->flags & OC_FLAG_RETRANSMIT) != 0;
	const struct oev_exchange exchange = { .time_ns = walked->time_ns,
					       .number = ++walk->requests,
					       .frame = walked->pdu->frame,
					       .contact = walked->contact,
					       .hop_by_hop = walked->message->hop_by_hop,
					       .end_to_end = msg->end_to_end,
					       .app_id = msg->app_id,
					       .command = msg->command,
					       .from = walked->from,
					       .to = walked->to,
					       .side = walked->side,
					       .is_again = is_again };
	struct oev_exchange *kept = oev_exchanges_add(walk->waiting, &exchange);

	if (kept == NULL)
		return OC_ENOMEM;
	walk->conf.hearer.request(walk->conf.hearer.ctx, walked, kept);
	return OC_OK;
}

static void take_answer(struct oev_capture_walk *walk, const struct oev_walked *walked)
{
	const struct oc_msg *msg = &walked->message->msg;
	struct oev_exchange exchange;
	bool is_paired =
		oev_exchanges_take(walk->waiting, walked->contact, !walked->side, walked->message->hop_by_hop,
				   msg->end_to_end, msg->command, &exchange);

	walk->conf.hearer.answer(walk->conf.hearer.ctx, walked, is_paired ? &exchange : NULL);
}

int oev_capture_walk_step(struct oev_capture_walk *walk, const struct oev_pdu *pdu,
			  struct oev_message *message)
{
	struct oev_sender sender;
	int rc = read_one(walk, pdu, message, &sender);

	if (rc != OC_OK)
		return rc;
	uint32_t number = oev_contacts_of(walk->contacts, &sender, message);
	if (number == 0)
		return OC_EINVAL;
	const struct oev_contact *contact = oev_contacts_get(walk->contacts, number);
	walk->now_ns = pdu->time_ns > walk->now_ns ? pdu->time_ns : walk->now_ns;
	const struct oev_walked walked = { .pdu = pdu,
					   .message = message,
					   .time_ns = walk->now_ns,
					   .contact = number,
					   .side = sender.side,
					   .from = contact->name[sender.side],
					   .to = contact->name[!sender.side] };
	oev_exchanges_expire(walk->waiting, walk->now_ns);
	if (oc_msg_is_request(&message->msg))
		return take_request(walk, &walked);
	take_answer(walk, &walked);
	return OC_OK;
}

void oev_capture_walk_end(struct oev_capture_walk *walk)
{
	oev_exchanges_expire(walk->waiting, UINT64_MAX);
}

const struct oev_contacts *oev_capture_walk_contacts(const struct oev_capture_walk *walk)
{
	return walk->contacts;
}
