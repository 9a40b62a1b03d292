/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Keeps the daemon's queues moving while it stops, so that SIGTERM under load ends cleanly.
 *
 * The daemon stops its routing threads first. With traffic still coming in, the bounded queues in front of them fill
 * up, the threads of the peers wait for room in them, and so never get to say goodbye to their peers: the daemon hangs
 * for 16 s and then tears everything down. The host tells extensions nothing of this, but the routing-out thread
 * ends, and a thread-specific value of ours has a destructor that runs in it at that moment. There the messages
 * nobody will route any more are taken out and freed until the last peer is gone. Their events say "lost".
 *
 * The second trap: when the last peer is gone the daemon destroys the queues, and aborts when a thread that waits in one
 * does not wake up within 20 ms, which a busy machine does not promise. The routing threads look for their order
 * to stop once a second; so the goodbye to each peer (DPR) is held back until they have surely left.
 */
#include "ofd.h"

#include <time.h>

/* Exported by libfdcore, declared in no public header. */
extern struct fifo *fd_g_incoming;
extern struct fifo *fd_g_outgoing;

#define PAUSE_NS 1000000L
#define FAREWELL_NS 1100000000L /* a little more than the second the routing threads wait at most */

static void empty(struct fifo *queue)
{
	struct msg *msg = NULL;

	while (fd_fifo_tryget(queue, &msg) == 0)
		(void)fd_msg_free(msg);
}

/* Whether peers are left. The list's lock is held while the queues are touched: the daemon needs it to take the last
 * peer off the list, and destroys the queues only after that. */
static bool drain_once(void)
{
	bool peers_left;

	if (pthread_rwlock_rdlock(&fd_g_peers_rw) != 0)
		return false;
	peers_left = !FD_IS_LIST_EMPTY(&fd_g_peers);
	if (peers_left) {
		empty(fd_g_incoming);
		empty(fd_g_outgoing);
	}
	(void)pthread_rwlock_unlock(&fd_g_peers_rw);
	return peers_left;
}

static void on_routing_thread_end(void *value)
{
	const struct timespec pause = { 0, PAUSE_NS };

	(void)value;
	LOG_N("doic: the daemon is stopping; messages still queued are given up");
	while (drain_once())
		(void)nanosleep(&pause, NULL);
}

void ofd_drain_farewell(void)
{
	const struct timespec wait = { FAREWELL_NS / 1000000000L, FAREWELL_NS % 1000000000L };

	(void)nanosleep(&wait, NULL);
}

int ofd_drain_start(struct ofd *ofd)
{
	int rc = pthread_key_create(&ofd->drain_key, on_routing_thread_end);

	ofd->drain_started = rc == 0;
	return rc;
}

void ofd_drain_watch(struct ofd *ofd)
{
	if (!pthread_getspecific(ofd->drain_key))
		(void)pthread_setspecific(ofd->drain_key, ofd);
}

void ofd_drain_stop(struct ofd *ofd)
{
	if (ofd->drain_started)
		(void)pthread_key_delete(ofd->drain_key);
	ofd->drain_started = false;
}
