/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Intake: one scan of the octets of every message, kept beside it; reports of answers go to the agent.
 */
#include "ofd.h"

#include "../../agent/oc_err.h"

/* What the host makes room for beside each message. Its block is small, and the allocator quick about it. */
struct beside {
	struct fd_hook_permsgdata *ctx;
};

/* Never called for relayed requests: its address marks a request whose context is ours. */
static void marker(void *data, struct msg **pmsg)
{
	(void)data;
	(void)pmsg;
}

struct fd_hook_permsgdata *ofd_context_of_request(struct msg *req)
{
	void (*callback)(void *, struct msg **) = NULL;
	void *data = NULL;

	if (fd_msg_anscb_get(req, &callback, NULL, &data) != 0 || callback != marker)
		return NULL;
	return data;
}

uint32_t ofd_context_name(struct ofd *ofd, const char *id, size_t len)
{
	bool is_new = false;
	uint32_t number;

	if (!id)
		return OC_NAME_NONE;
	number = oc_names_id(ofd->names, (struct oc_bytes){ (const uint8_t *)id, len }, &is_new);
	if (is_new)
		oc_agent_on_new_names(ofd->agent, &number, 1, ofd_clock_mono_ns());
	return number;
}

static void on_octets(struct ofd *ofd, const struct fd_cnx_rcvdata *data, struct fd_hook_permsgdata *ctx)
{
	struct oc_msg_found found;
	struct oc_bytes octets = { data->buffer, data->length };
	int rc = oc_msg_scan(octets, ofd->names, &ofd->pseudonym_key, &ctx->msg, &found);

	ctx->scanned = rc == OC_OK ? 1 : 2;
	if (found.count)
		oc_agent_on_new_names(ofd->agent, found.id, found.count, ofd_clock_mono_ns());
	if (ofd->identity)
		ofd_identity_meet(ofd, &ctx->msg, &found);
}

/* Follow the request from here: mark it, arm its deadline, and have its events made when it goes. */
static void on_request(struct ofd *ofd, struct msg *msg, struct fd_hook_permsgdata *ctx)
{
	struct timespec deadline;
	bool limited = ofd->conf.deadline_ms != 0;

	if (limited)
		ofd_clock_deadline(ofd->conf.deadline_ms, &deadline);
	if (fd_msg_anscb_associate(msg, marker, ctx, limited ? ofd_answer_expired : NULL,
				   limited ? &deadline : NULL))
		return;
	ctx->ofd = ofd;
}

static void on_answer(struct ofd *ofd, struct msg *msg, struct fd_hook_permsgdata *ctx)
{
	struct fd_hook_permsgdata *asked;
	struct msg *req = NULL;

	if (fd_msg_answ_getq(msg, &req) != 0 || !req)
		return;
	asked = ofd_context_of_request(req);
	if (!asked)
		return;
	if (!asked->edit)
		asked->edit = ofd_keep_edit_new(ofd->keep);
	if (asked->edit)
		oc_agent_on_answer(ofd->agent, &ctx->msg, ctx->peer, ofd_clock_mono_ns(), &asked->txn,
				   asked->edit);
	else /* out of memory: the answer passes as it is, and teaches nothing */
		oc_agent_on_failopen(ofd->agent, &asked->txn);
	asked->answered = 1;
	asked->answer_doic_avps = ctx->msg.doic_avps;
	asked->answer_olrs = ctx->msg.olr_count;
	asked->answer_loads = ctx->msg.load_avps;
}

static void on_intake(enum fd_hook_type type, struct msg *msg, struct peer_hdr *peer, void *other,
		      struct fd_hook_permsgdata *room, void *regdata)
{
	struct ofd *ofd = regdata;
	struct beside *beside = (void *)room;
	struct fd_hook_permsgdata *ctx;

	if (!beside)
		return;
	if (!beside->ctx)
		beside->ctx = ofd_keep_new(ofd->keep);
	ctx = beside->ctx;
	if (!ctx)
		return;
	if (type == HOOK_DATA_RECEIVED) {
		on_octets(ofd, other, ctx);
		return;
	}
	/* Link-local messages (Application-ID 0) are none of DOIC's business (spec row D-007). */
	if (!peer || ctx->scanned == 0 || ctx->msg.app_id == 0)
		return;
	ctx->peer = ofd_context_name(ofd, peer->info.pi_diamid, peer->info.pi_diamidlen);
	if (oc_msg_is_request(&ctx->msg))
		on_request(ofd, msg, ctx);
	else
		on_answer(ofd, msg, ctx);
}

/* The host keeps the list of per-message data behind the octets of a message, and has put the four octets it always reads
 * first into the room of a message that says it has none: over the head of that list. Nothing is in the list yet, so
 * its head can be written again, before the host looks into it for on_intake(). */
static void mend_empty_message(enum fd_hook_type type, struct msg *msg, struct peer_hdr *peer, void *other,
			       struct fd_hook_permsgdata *none, void *regdata)
{
	const struct fd_cnx_rcvdata *data = other;
	struct fd_msg_pmdl *list;

	(void)type;
	(void)msg;
	(void)peer;
	(void)none;
	(void)regdata;
	if (data->length != 0)
		return;
	list = (struct fd_msg_pmdl *)data->buffer;
	list->sentinel.next = &list->sentinel;
}

/* The request of @ctx goes: what is still owed about it is told. */
static void on_request_freed(struct fd_hook_permsgdata *ctx)
{
	uint64_t now_ns;

	if (!ctx->ofd || !ctx->ofd->agent || oc_agent_is_over(&ctx->txn))
		return;
	now_ns = ofd_clock_mono_ns();
	/* Given up while it waited to be routed: it is accounted for all the same. */
	oc_agent_on_unrouted(ctx->ofd->agent, &ctx->msg, ctx->peer, now_ns, &ctx->txn);
	oc_agent_on_gone(ctx->ofd->agent, &ctx->txn, now_ns);
}

static void on_message_freed(struct fd_hook_permsgdata *room)
{
	struct beside *beside = (void *)room;

	if (!beside->ctx)
		return;
	on_request_freed(beside->ctx);
	ofd_keep_free(beside->ctx);
}

int ofd_context_start(struct ofd *ofd)
{
	int rc = fd_hook_data_register(sizeof(struct beside), NULL, on_message_freed, &ofd->data_hdl);

	if (rc == 0) /* the host calls in the order of registration: this one first */
		rc = fd_hook_register(HOOK_MASK(HOOK_DATA_RECEIVED), mend_empty_message, ofd, NULL,
				      &ofd->hook_mend);
	if (rc != 0)
		return rc;
	return fd_hook_register(HOOK_MASK(HOOK_DATA_RECEIVED, HOOK_MESSAGE_RECEIVED), on_intake, ofd,
				ofd->data_hdl, &ofd->hook_in);
}
