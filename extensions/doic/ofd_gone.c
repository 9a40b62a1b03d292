/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Keeps the daemon alive when a request that it must refuse itself came from a peer that goes away.
 *
 * The daemon answers such a request with an error at once, from its routing thread, over the connection it came from. When
 * that has just been taken down while the peer is still known, this fails, the routing thread ends, and with it the whole
 * daemon: any peer could end a relay by sending such requests and hanging up. Before it answers the daemon calls a hook;
 * there the request is made to come from nobody, and the daemon drops it, as it does for peers it has forgotten.
 *
 * The host tells of a broken connection before it takes it down, in the thread that will do so. That thread leaves a mark
 * and, when the peer was answered so a moment ago, waits: an answer begun without seeing the mark is out before the
 * connection is gone.
 */
#include "ofd.h"

#include <string.h>
#include <time.h>

#include "../../agent/wire/oc_hash.h"

#define SETTLE_NS 100000000L	    /* far longer than the daemon needs from its hook to its send */
#define MARK_LASTS_NS 1000000000ull /* by then the state of the peer says it too */

/* No peer can have this identity (RFC 2606 section 2). */
static const char nobody[] = "gone.invalid";

/* Peers whose names meet here share a mark; the one that is well may lose an error answer in that second. */
static struct ofd_gone_mark *mark_of(struct ofd *ofd, const struct peer_hdr *peer)
{
	uint64_t hash = oc_hash(peer->info.pi_diamid, peer->info.pi_diamidlen, ofd->names_seed);

	return &ofd->gone[hash % OFD_GONE_MARKS];
}

static bool is_recent(atomic_uint_fast64_t *at)
{
	uint64_t at_ns = atomic_load(at);

	return at_ns != 0 && ofd_clock_mono_ns() - at_ns < MARK_LASTS_NS;
}

/* A peer that said goodbye counts as gone too: its connection may be taken down at any time. */
static bool is_staying(struct peer_hdr *peer)
{
	switch (fd_peer_get_state(peer)) {
	case STATE_OPEN:
	case STATE_OPEN_NEW:
	case STATE_SUSPECT:
	case STATE_REOPEN:
		return true;
	default:
		return false;
	}
}

static void on_error_due(enum fd_hook_type type, struct msg *msg, struct peer_hdr *none, void *other,
			 struct fd_hook_permsgdata *ctx, void *regdata)
{
	struct ofd_gone_mark *mark;
	struct peer_hdr *peer = NULL;
	struct msg_hdr *hdr = NULL;
	DiamId_t from = NULL;
	size_t len = 0;

	(void)type;
	(void)none;
	(void)other;
	(void)ctx;
	if (!msg || fd_msg_hdr(msg, &hdr) != 0 || !(hdr->msg_flags & CMD_FLAG_REQUEST))
		return;
	if (fd_msg_source_get(msg, &from, &len) != 0 || !from)
		return;
	if (fd_peer_getbyid(from, len, 0, &peer) != 0 || !peer)
		return;
	mark = mark_of(regdata, peer);
	atomic_store(&mark->answered_ns,
		     ofd_clock_mono_ns()); /* before the look at broken_ns: one of the two sees the other */
	if (!is_staying(peer) || is_recent(&mark->broken_ns))
		(void)fd_msg_source_set(msg, (DiamId_t)nobody, strlen(nobody)); /* copies the name */
}

void ofd_gone_peer(struct ofd *ofd, const struct peer_hdr *peer, bool up)
{
	const struct timespec settle = { 0, SETTLE_NS };
	struct ofd_gone_mark *mark = mark_of(ofd, peer);

	atomic_store(&mark->broken_ns, up ? 0 : ofd_clock_mono_ns());
	if (!up && is_recent(&mark->answered_ns))
		(void)nanosleep(&settle, NULL);
}

int ofd_gone_start(struct ofd *ofd)
{
	return fd_hook_register(HOOK_MASK(HOOK_MESSAGE_PARSING_ERROR, HOOK_MESSAGE_ROUTING_ERROR),
				on_error_due, ofd, NULL, &ofd->hook_gone);
}
