/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Peers coming and going, and the socket options the daemon has no setting for.
 */
#include "ofd.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* The daemon describes a connection as "TCP,soc#12": the one public way to its socket. -1 when it is not TCP. */
static int socket_of(struct peer_hdr *peer)
{
	char text[64] = "";
	const char *mark;

	if (fd_peer_cnx_proto_info(peer, text, sizeof(text)) != 0 || strncmp(text, "TCP", 3) != 0)
		return -1;
	mark = strstr(text, "soc#");
	return mark ? (int)strtol(mark + 4, NULL, 10) : -1;
}

/* Sets the option and says what the system made of it. */
static void set_option(int fd, int level, int option, int value, const char *what, const char *peer)
{
	socklen_t len = sizeof(value);

	if (setsockopt(fd, level, option, &value, sizeof(value)) != 0 ||
	    getsockopt(fd, level, option, &value, &len) != 0)
		LOG_E("doic: peer=%s %s cannot be set: %s", peer, what, strerror(errno));
	else
		LOG_N("doic: peer=%s %s=%d", peer, what, value);
}

static void tune_socket(struct ofd *ofd, struct peer_hdr *peer)
{
	int fd;

	if (!ofd->conf.tcp_nodelay && ofd->conf.send_buffer_bytes == 0)
		return;
	fd = socket_of(peer);
	if (fd < 0)
		return;
	if (ofd->conf.tcp_nodelay)
		set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1, "TCP_NODELAY", peer->info.pi_diamid);
	if (ofd->conf.send_buffer_bytes)
		set_option(fd, SOL_SOCKET, SO_SNDBUF, (int)ofd->conf.send_buffer_bytes, "SO_SNDBUF",
			   peer->info.pi_diamid);
}

static void tell(struct ofd *ofd, const struct peer_hdr *peer, bool up, const char *reason)
{
	uint32_t name = ofd_context_name(ofd, peer->info.pi_diamid, peer->info.pi_diamidlen);

	oc_agent_on_peer(ofd->agent, name, up, ofd_clock_mono_ns());
	LOG_N("doic: peer=%s %s%s%s", peer->info.pi_diamid, up ? "open" : "closed", reason ? " reason=" : "",
	      reason ? reason : "");
}

/* With nothing pending the daemon takes the connection down right after this answer, and tells no hook; else it waits for what is pending, and
 * tells. */
void ofd_peers_goodbye(struct ofd *ofd, struct peer_hdr *peer)
{
	if (fd_peer_get_state(peer) == STATE_CLOSING)
		tell(ofd, peer, false, "the peer disconnected (DPR)");
}

static void on_connection(enum fd_hook_type type, struct msg *msg, struct peer_hdr *peer, void *other,
			  struct fd_hook_permsgdata *ctx, void *regdata)
{
	struct ofd *ofd = regdata;
	bool up = type == HOOK_PEER_CONNECT_SUCCESS;

	(void)msg;
	(void)ctx;
	if (!peer) {
		LOG_N("doic: a connection was refused: %s", other ? (const char *)other : "no reason given");
		return;
	}

	ofd_gone_peer(ofd, peer, up);
	tell(ofd, peer, up, up ? NULL : other);
	if (up)
		tune_socket(ofd, peer);
}

int ofd_peers_start(struct ofd *ofd)
{
	return fd_hook_register(HOOK_MASK(HOOK_PEER_CONNECT_SUCCESS, HOOK_PEER_CONNECT_FAILED), on_connection,
				ofd, NULL, &ofd->hook_peers);
}
