/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * First decision on a request, in the routing-in thread: realm report, host report of its Destination-Host,
 * capability for the next hop. A refusal here is the cheapest place.
 */
#include "ofd.h"

#include "../../agent/wire/oc_avp.h"

static void announce(struct ofd *ofd, struct msg *msg, struct fd_hook_permsgdata *ctx)
{
	struct oc_group group;
	enum oc_caps_action action = oc_agent_caps_for_request(ofd->agent, &ctx->msg, &ctx->txn, &group);

	if (action == OC_CAPS_KEEP)
		return;
	if (action == OC_CAPS_REPLACE)
		ofd_avp_remove_all(msg, OC_AVP_SUPPORTED_FEATURES);
	if (ofd_avp_add_caps(&ofd->models, msg, &group) != 0) {
		ctx->txn.announced = 0;
		oc_agent_on_failopen(ofd->agent, &ctx->txn);
	}
}

/* P-19, P-20: whose priority counts here. */
static void edit_drmp(struct ofd *ofd, struct msg *msg, struct fd_hook_permsgdata *ctx)
{
	enum oc_drmp_action action = oc_agent_drmp_for_request(&ctx->txn);

	if (action == OC_DRMP_STRIP)
		ofd_avp_remove_all(msg, OC_AVP_DRMP);
	else if (action == OC_DRMP_REWRITE && ofd_avp_set_drmp(&ofd->models, msg, ctx->txn.drmp_to) != 0)
		oc_agent_on_failopen(ofd->agent, &ctx->txn);
}

static void refuse(struct ofd *ofd, struct msg **pmsg, struct fd_hook_permsgdata *ctx)
{
	if (ofd_answer_refuse(ofd, pmsg, ctx) && fd_msg_send(pmsg, NULL, NULL) != 0)
		oc_agent_on_failopen(ofd->agent, &ctx->txn);
}

int ofd_route_request(void *cbdata, struct msg **pmsg)
{
	struct ofd *ofd = cbdata;
	struct fd_hook_permsgdata *ctx = ofd_context_of_request(*pmsg);
	enum oc_verdict verdict;

	if (!ctx || ctx->scanned != 1)
		return 0;
	/* A report travels in answers only; in a request it is never acted on and never passed on (D-073). */
	if (ctx->msg.olr_count)
		ofd_avp_remove_all(*pmsg, OC_AVP_OLR);
	verdict = oc_agent_on_request(ofd->agent, &ctx->msg, ctx->peer, ofd_clock_mono_ns(),
				      ofd_clock_random(ofd), &ctx->txn);
	if (verdict == OC_REFUSE)
		refuse(ofd, pmsg, ctx);
	else
		announce(ofd, *pmsg, ctx);
	if (verdict != OC_REFUSE && (ctx->msg.hints & OC_HINT_DRMP))
		edit_drmp(ofd, *pmsg, ctx);
	return 0;
}
