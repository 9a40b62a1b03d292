/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Answers the agent makes itself: refusals, and the honest end of a request nobody answered in time.
 */
#include "ofd.h"

struct code_name {
	uint32_t code;
	const char *name; /* as the daemon's dictionary calls it */
};

static const struct code_name code_names[] = {
	{ OC_RC_TOO_BUSY, "DIAMETER_TOO_BUSY" },
	{ OC_RC_UNABLE_TO_COMPLY, "DIAMETER_UNABLE_TO_COMPLY" },
	{ OC_RC_UNABLE_TO_DELIVER, "DIAMETER_UNABLE_TO_DELIVER" },
};

static const char *name_of(uint32_t code)
{
	for (size_t i = 0; i < sizeof(code_names) / sizeof(code_names[0]); i++) {
		if (code_names[i].code == code)
			return code_names[i].name;
	}
	return "DIAMETER_UNABLE_TO_COMPLY";
}

/* Text for people that goes with a refusal (Error-Message). */
static const char *text_of(const struct oc_decision *decision)
{
	if (decision->why == OC_WHY_OUTSTANDING)
		return "Too many unanswered requests at the destination";
	if (decision->why == OC_WHY_OWN)
		return "Throttled: this agent is overloaded";
	if (decision->selected_by == OC_SCOPE_PEER)
		return "Throttled: the next hop reports overload";
	return decision->selected_by == OC_SCOPE_REALM ? "Throttled: the destination realm reports overload"
						       : "Throttled: the destination host reports overload";
}

/* The request's Session-Id must come first in the answer. Copied here since letting the host library do it would
 * create a session object for every refusal. Absent is fine. */
static int copy_session_id(struct ofd *ofd, struct msg *req, struct avp **out)
{
	struct avp *avp = NULL;
	struct avp_hdr *hdr = NULL;
	int rc;

	*out = NULL;
	rc = fd_msg_search_avp(req, ofd->models.session_id, &avp);
	if (rc != 0 || !avp)
		return rc == ENOENT ? 0 : rc;
	rc = fd_msg_avp_hdr(avp, &hdr);
	if (rc != 0 || !hdr->avp_value)
		return rc;
	rc = fd_msg_avp_new(ofd->models.session_id, 0, out);
	if (rc != 0)
		return rc;
	rc = fd_msg_avp_setvalue(*out, hdr->avp_value);
	if (rc != 0) {
		(void)fd_msg_free(*out);
		*out = NULL;
	}
	return rc;
}

/* 3xxx carries the E bit by rule; 5xxx does too here, since an agent cannot compose the application's own
 * answer (RFC 6733 section 7.2, spec row D-166). P is as in the request. */
static void set_flags(struct msg *answer, uint8_t request_flags)
{
	struct msg_hdr *hdr = NULL;

	if (fd_msg_hdr(answer, &hdr) != 0)
		return;
	hdr->msg_flags |= CMD_FLAG_ERROR;
	hdr->msg_flags |= (uint8_t)(request_flags & CMD_FLAG_PROXIABLE);
}

int ofd_answer_make(struct ofd *ofd, struct msg **pmsg, uint32_t result_code, const char *text)
{
	struct avp *session = NULL;
	struct msg_hdr *hdr = NULL;
	int rc = fd_msg_hdr(*pmsg, &hdr);
	uint8_t flags = rc == 0 ? hdr->msg_flags : 0;

	if (rc == 0)
		rc = copy_session_id(ofd, *pmsg, &session);
	if (rc == 0)
		rc = fd_msg_new_answer_from_req(fd_g_config->cnf_dict, pmsg,
						MSGFL_ANSW_ERROR | MSGFL_ANSW_NOSID);
	if (rc != 0)
		goto out;
	/* From here on *pmsg is the answer; a defect in it still beats no answer at all. */
	if (session && fd_msg_avp_add(*pmsg, MSG_BRW_FIRST_CHILD, session) == 0)
		session = NULL;
	if (fd_msg_rescode_set(*pmsg, (char *)name_of(result_code), (char *)text, NULL, 1) != 0)
		LOG_E("doic: cannot set Result-Code %u", result_code);
	set_flags(*pmsg, flags);
out:
	if (session)
		(void)fd_msg_free(session);
	return rc;
}

bool ofd_answer_refuse(struct ofd *ofd, struct msg **pmsg, struct fd_hook_permsgdata *ctx)
{
	const struct oc_decision *decision = &ctx->txn.decision;

	if (ofd_answer_make(ofd, pmsg, decision->result_code, text_of(decision)) != 0) {
		oc_agent_on_failopen(ofd->agent, &ctx->txn);
		return false;
	}
	ctx->fate = OFD_FATE_REFUSED;
	return true;
}

void ofd_answer_expired(void *data, DiamId_t sent_to, size_t sent_to_len, struct msg **pmsg)
{
	struct fd_hook_permsgdata *ctx = data;

	(void)sent_to;
	(void)sent_to_len;
	if (!ctx || !ctx->ofd)
		return;
	if (ofd_answer_make(ctx->ofd, pmsg, OC_RC_UNABLE_TO_DELIVER, "No answer from the next hop in time") !=
	    0)
		return;
	ctx->fate = OFD_FATE_EXPIRED;
	(void)fd_msg_send(pmsg, NULL, NULL);
}
