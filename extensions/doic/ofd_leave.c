/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The last look at what leaves: the real next hop of a request, and every answer, whoever made it.
 */
#include "ofd.h"

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_avp.h"

static enum oc_maker maker_of(const struct fd_hook_permsgdata *asked)
{
	if (asked->fate == OFD_FATE_REFUSED)
		return OC_MADE_AGENT;
	if (asked->fate == OFD_FATE_EXPIRED)
		return OC_MADE_DEADLINE;
	return asked->answered ? OC_MADE_UPSTREAM : OC_MADE_DAEMON;
}

static void dress(struct ofd *ofd, struct msg *msg, const struct oc_answer_edit *edit)
{
	if ((edit->add_caps || edit->add_load || edit->own_count) &&
	    ofd_avp_dress_answer(ofd, msg, edit) != 0)
		LOG_E("doic: cannot add overload AVPs to an answer");
}

static void edit_relayed(struct ofd *ofd, struct msg *msg, struct fd_hook_permsgdata *asked)
{
	struct oc_answer_edit *edit = asked->edit;
	const struct ofd_avp_counts counts = { .doic = asked->answer_doic_avps,
					       .olrs = asked->answer_olrs,
					       .loads = asked->answer_loads };

	if (ofd->conf.strip_answer_route_record)
		ofd_avp_remove_stray_route_record(msg);
	if (!edit)
		return;
	if (counts.doic || counts.loads)
		ofd_avp_edit_answer(msg, edit, &counts);
	if (edit->strip_drmp)
		ofd_avp_remove_all(msg, OC_AVP_DRMP);
	if (edit->rewrite_drmp && ofd_avp_set_drmp(&ofd->models, msg, edit->drmp_to) != 0)
		LOG_E("doic: cannot rewrite DRMP of an answer");
	dress(ofd, msg, edit);
	asked->edit = NULL;
	ofd_keep_edit_free(ofd->keep, edit);
}

/* An answer made on this node says what this node supports and asks for, as a relayed one does
 * (RFC 7683 section 5.1.2, RFC 8581 section 6.2.4; spec rows D-021, D-230). */
static void edit_own(struct ofd *ofd, struct msg *msg, struct fd_hook_permsgdata *asked, uint64_t now_ns)
{
	struct oc_answer_edit edit;

	memset(&edit, 0, offsetof(struct oc_answer_edit, own));
	oc_agent_on_own_answer(ofd->agent, &asked->txn, now_ns, &edit);
	dress(ofd, msg, &edit);
}

/* Result-Code of an answer the daemon made itself: its AVPs carry values, nothing has to be parsed. */
static uint32_t result_code_of(struct msg *msg)
{
	struct avp *avp = NULL;
	struct avp_hdr *hdr = NULL;

	if (fd_msg_browse(msg, MSG_BRW_FIRST_CHILD, &avp, NULL) != 0)
		return 0;
	while (avp) {
		if (fd_msg_avp_hdr(avp, &hdr) == 0 && hdr->avp_code == OC_AVP_RESULT_CODE && hdr->avp_value &&
		    !(hdr->avp_flags & AVP_FLAG_VENDOR))
			return hdr->avp_value->u32;
		if (fd_msg_browse(avp, MSG_BRW_NEXT, &avp, NULL) != 0)
			return 0;
	}
	return 0;
}

static void leave_answer(struct ofd *ofd, struct msg *msg)
{
	struct fd_hook_permsgdata *asked;
	struct msg *req = NULL;
	enum oc_maker maker;
	uint64_t now_ns;

	if (fd_msg_answ_getq(msg, &req) != 0 || !req)
		return;
	asked = ofd_context_of_request(req);
	if (!asked)
		return;
	now_ns = ofd_clock_mono_ns();
	/* The daemon may answer before routing has asked the agent anything. */
	oc_agent_on_unrouted(ofd->agent, &asked->msg, asked->peer, now_ns, &asked->txn);
	maker = maker_of(asked);
	if (maker == OC_MADE_UPSTREAM)
		edit_relayed(ofd, msg, asked);
	else
		edit_own(ofd, msg, asked, now_ns);
	oc_agent_on_answer_leaving(ofd->agent, &asked->txn, maker,
				   maker == OC_MADE_UPSTREAM ? 0 : result_code_of(msg), now_ns);
}

static void leave_request(struct ofd *ofd, struct msg *msg, const struct peer_hdr *peer)
{
	struct fd_hook_permsgdata *ctx = ofd_context_of_request(msg);
	uint32_t next_hop;

	if (!ctx)
		return;
	ctx->answered = 0;
	next_hop = ofd_context_name(ofd, peer->info.pi_diamid, peer->info.pi_diamidlen);
	oc_agent_on_sent(ofd->agent, &ctx->txn, next_hop, ofd_clock_mono_ns());
	if ((ctx->msg.hints & OC_HINT_DRMP) && !oc_agent_may_carry_drmp(ofd->agent, next_hop))
		ofd_avp_remove_all(msg, OC_AVP_DRMP);
}

/* No per-message data is asked for here: all that is needed is beside the request. */
static void on_sending(enum fd_hook_type type, struct msg *msg, struct peer_hdr *peer, void *other,
		       struct fd_hook_permsgdata *none, void *regdata)
{
	struct msg_hdr *hdr = NULL;
	struct ofd *ofd = regdata;

	(void)type;
	(void)other;
	(void)none;
	if (fd_msg_hdr(msg, &hdr) != 0 || !peer)
		return;
	if (hdr->msg_appl == 0) {
		if (hdr->msg_code == CC_DISCONNECT_PEER && (hdr->msg_flags & CMD_FLAG_REQUEST))
			ofd_drain_farewell();
		else if (hdr->msg_code == CC_DISCONNECT_PEER)
			ofd_peers_goodbye(ofd, peer);
		return;
	}
	oev_journal_expect(ofd->journal);
	if (hdr->msg_flags & CMD_FLAG_REQUEST)
		leave_request(ofd, msg, peer);
	else
		leave_answer(ofd, msg);
}

int ofd_leave_start(struct ofd *ofd)
{
	return fd_hook_register(HOOK_MASK(HOOK_MESSAGE_SENDING), on_sending, ofd, NULL, &ofd->hook_leave);
}
