/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Second decision, in the routing-out thread, after every other routing callback: which peer, and for
 * realm-routed requests that server's host report.
 */
#include "ofd.h"

/* The queue the routing-out thread itself serves. fd_msg_send() from here would wait for itself once that queue
 * is full; posting without waiting does not. Exported by libfdcore, declared in no public header. */
extern struct fifo *fd_g_outgoing;

struct usable {
	struct oc_candidate candidate[OFD_CANDIDATES_MAX];
	struct rtd_candidate *entry[OFD_CANDIDATES_MAX];
	uint32_t count;
	int best;
};

static void collect(struct ofd *ofd, struct fd_list *candidates, struct usable *usable)
{
	usable->count = 0;
	usable->best = 0;
	for (struct fd_list *li = candidates->next; li != candidates; li = li->next) {
		struct rtd_candidate *entry = (struct rtd_candidate *)li;

		if (entry->score < 0 || usable->count == OFD_CANDIDATES_MAX)
			continue;
		usable->entry[usable->count] = entry;
		usable->candidate[usable->count].peer =
			ofd_context_name(ofd, entry->diamid, entry->diamidlen);
		usable->candidate[usable->count].score = entry->score;
		usable->count++;
		if (entry->score > usable->best)
			usable->best = entry->score;
	}
}

static void refuse(struct ofd *ofd, struct msg **pmsg, struct fd_hook_permsgdata *ctx)
{
	if (!ofd_answer_refuse(ofd, pmsg, ctx) || fd_fifo_post_noblock(fd_g_outgoing, (void **)pmsg) == 0)
		return;
	/* The answer holds the request: free both rather than leave the daemon a message it cannot route. */
	(void)fd_msg_free(*pmsg);
	*pmsg = NULL;
}

int ofd_out_request(void *cbdata, struct msg **pmsg, struct fd_list *candidates)
{
	struct ofd *ofd = cbdata;
	struct fd_hook_permsgdata *ctx = ofd_context_of_request(*pmsg);
	struct usable usable;
	enum oc_verdict verdict;
	uint32_t pick;

	ofd_drain_watch(ofd);
	if (!ctx || ctx->scanned != 1)
		return 0;
	collect(ofd, candidates, &usable);
	usable.count = ofd_want_sift(ofd, usable.candidate, usable.entry, usable.count, ctx->msg.dest_host);
	pick = usable.count;
	verdict = oc_agent_on_candidates(ofd->agent, &ctx->msg, usable.candidate, usable.count,
					 ofd_clock_mono_ns(), ofd_clock_random(ofd), &ctx->txn, &pick);
	if (verdict == OC_REFUSE)
		refuse(ofd, pmsg, ctx);
	else if (pick < usable.count)
		usable.entry[pick]->score = usable.best + 1;
	return 0;
}
