/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Buffered Diameter connection.
 */
#include "dt_conn.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void learn_flow(struct dt_conn *conn, bool we_listen)
{
	struct sockaddr_in local = { 0 }, remote = { 0 };
	socklen_t local_len = sizeof(local), remote_len = sizeof(remote);

	if (getsockname(conn->fd, (struct sockaddr *)&local, &local_len) != 0 ||
	    getpeername(conn->fd, (struct sockaddr *)&remote, &remote_len) != 0)
		return;
	conn->flow = (struct dt_flow){ .local_addr = local.sin_addr,
				       .remote_addr = remote.sin_addr,
				       .local_port = we_listen ? 3868 : ntohs(local.sin_port),
				       .remote_port = we_listen ? ntohs(remote.sin_port) : 3868,
				       .sent_seq = 1,
				       .received_seq = 1 };
}

struct dt_conn *dt_conn_new(int fd, bool we_listen, const struct dt_notes *notes)
{
	const int on = 1;
	struct dt_conn *conn = calloc(1, sizeof(*conn));

	if (conn) {
		conn->in = malloc(DT_CONN_IN_SIZE);
		conn->out = malloc(DT_CONN_OUT_SIZE);
	}
	if (!conn || !conn->in || !conn->out) {
		close(fd);
		if (conn) {
			conn->fd = -1;
			dt_conn_free(conn);
		}
		return NULL;
	}
	conn->fd = fd;
	conn->notes = *notes;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	learn_flow(conn, we_listen);
	return conn;
}

void dt_conn_free(struct dt_conn *conn)
{
	if (!conn)
		return;
	if (conn->fd >= 0)
		close(conn->fd);
	free(conn->in);
	free(conn->out);
	free(conn);
}

int dt_conn_read(struct dt_conn *conn)
{
	if (conn->in_at > 0) {
		memmove(conn->in, conn->in + conn->in_at, conn->in_len - conn->in_at);
		conn->in_len -= conn->in_at;
		conn->in_at = 0;
	}
	if (conn->in_len == DT_CONN_IN_SIZE)
		return 0;
	ssize_t got = recv(conn->fd, conn->in + conn->in_len, DT_CONN_IN_SIZE - conn->in_len, 0);
	if (got > 0) {
		conn->in_len += (size_t)got;
		return (int)got;
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	conn->closed = true;
	return OC_EIO;
}

const uint8_t *dt_conn_next(struct dt_conn *conn, uint32_t *len)
{
	const uint8_t *msg = conn->in + conn->in_at;
	size_t left = conn->in_len - conn->in_at;

	if (left < DT_HEADER_SIZE || conn->closed)
		return NULL;
	*len = dt_msg_length(msg);
	if (msg[0] != 1 || *len < DT_HEADER_SIZE || *len > DT_MSG_MAX) {
		conn->closed = true; /* framing is lost for good */
		return NULL;
	}
	if (*len > left)
		return NULL;
	conn->in_at += *len;
	if (dt_notes_any(&conn->notes))
		dt_notes_msg(&conn->notes, &conn->flow, false, msg, *len);
	return msg;
}

void dt_conn_reserve(struct dt_conn *conn, struct dt_out *out)
{
	if (conn->out_at > DT_CONN_OUT_SIZE / 2) {
		memmove(conn->out, conn->out + conn->out_at, conn->out_len - conn->out_at);
		conn->out_len -= conn->out_at;
		conn->out_at = 0;
	}
	dt_out_init(out, conn->out + conn->out_len, DT_CONN_OUT_SIZE - conn->out_len);
}

int dt_conn_commit(struct dt_conn *conn, const struct dt_out *out)
{
	if (out->overflow)
		return OC_ENOSPC;
	if (dt_notes_any(&conn->notes))
		dt_notes_msg(&conn->notes, &conn->flow, true, out->data, out->len);
	conn->out_len += out->len;
	return OC_OK;
}

bool dt_conn_has_room(const struct dt_conn *conn)
{
	return conn->out_len - conn->out_at < DT_CONN_OUT_HIGH / 2;
}

int dt_conn_flush(struct dt_conn *conn)
{
	while (conn->out_at < conn->out_len) {
		ssize_t put =
			send(conn->fd, conn->out + conn->out_at, conn->out_len - conn->out_at, MSG_NOSIGNAL);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 && errno == EAGAIN)
			return OC_EBUSY;
		if (put < 0) {
			conn->closed = true;
			return OC_EIO;
		}
		conn->out_at += (size_t)put;
	}
	conn->out_at = conn->out_len = 0;
	return OC_OK;
}
