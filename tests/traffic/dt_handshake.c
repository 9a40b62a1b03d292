/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The client's connections: opening, capabilities exchange, probing the route, saying goodbye.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dt_client.h"
#include "dt_net.h"

#define ANSWER_WAIT_MS 5000
#define RETRY_MS 50

static void pause_ms(unsigned ms)
{
	struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };
	nanosleep(&pause, NULL);
}

static void identity_of(const struct dt_client *client, uint32_t slot, struct dt_identity *me)
{
	*me = client->options->common.me;
	memcpy(me->host, client->peer_name[slot], sizeof(me->host));
	if (client->conn[slot])
		me->addr = client->conn[slot]->flow.local_addr;
}

/* Waits for the next message; watchdog and disconnect requests are answered on the way. NULL: gone or too late. */
static const uint8_t *next_message(struct dt_client *client, uint32_t slot, uint64_t until_ns, uint32_t *len)
{
	struct dt_conn *conn = client->conn[slot];
	for (;;) {
		const uint8_t *msg = dt_conn_next(conn, len);
		uint64_t now_ns = dt_now_ns();
		struct pollfd readable = { .fd = conn->fd, .events = POLLIN };
		struct dt_identity me;
		struct dt_out out;

		if (msg && !dt_msg_is_request(msg))
			return msg;
		if (msg) {
			identity_of(client, slot, &me);
			dt_conn_reserve(conn, &out);
			dt_base_reply(&out, &me, msg);
			dt_conn_commit(conn, &out);
			dt_conn_flush(conn);
			continue;
		}
		if (conn->closed || now_ns >= until_ns)
			return NULL;
		if (poll(&readable, 1, (int)((until_ns - now_ns) / 1000000u + 1)) > 0)
			dt_conn_read(conn);
	}
}

/* CER and CEA. 0, or the reason why not: a Result-Code, or 1 for silence. */
static uint32_t exchange(struct dt_client *client, uint32_t slot)
{
	struct dt_identity me;
	struct dt_scan scan;
	struct dt_out out;
	uint32_t len;

	identity_of(client, slot, &me);
	dt_conn_reserve(client->conn[slot], &out);
	dt_base_cer(&out, &me);
	dt_conn_commit(client->conn[slot], &out);
	dt_conn_flush(client->conn[slot]);
	const uint8_t *msg = next_message(client, slot, dt_now_ns() + ANSWER_WAIT_MS * 1000000ull, &len);
	if (!msg || dt_msg_command(msg) != DT_CMD_CE)
		return 1;
	dt_scan_msg(&scan, msg, len);
	snprintf(client->neighbour[slot], DT_NAME_MAX, "%.*s", (int)scan.origin.len,
		 scan.origin.code ? (const char *)scan.origin.data : "");
	return scan.result == 2001 ? 0 : scan.result + 1;
}

static int connect_one(struct dt_client *client, uint32_t slot, char *why, size_t why_size)
{
	int fd = dt_connect_tcp(&client->options->connect, ANSWER_WAIT_MS);
	if (fd < 0) {
		snprintf(why, why_size, "%s", strerror(errno));
		return OC_EIO;
	}
	client->conn[slot] = dt_conn_new(fd, false, &client->notes);
	uint32_t refusal = client->conn[slot] ? exchange(client, slot) : 1;
	if (refusal == 0)
		return OC_OK;
	dt_conn_free(client->conn[slot]);
	client->conn[slot] = NULL;
	if (refusal == 1)
		snprintf(why, why_size, "the peer sent no capabilities answer");
	else
		snprintf(why, why_size, "the peer refused the capabilities exchange with Result-Code %u",
			 refusal - 1);
	return OC_EIO;
}

int dt_client_connect(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	uint64_t until_ns = dt_now_ns() + options->wait_ns;
	char why[128] = "";

	for (uint32_t slot = 0; slot < options->connections; slot++) {
		while (connect_one(client, slot, why, sizeof(why)) != OC_OK) {
			if (dt_now_ns() < until_ns) {
				pause_ms(RETRY_MS);
				continue;
			}
			fprintf(stderr, "doic-traffic: cannot connect %s to %s:%u: %s\n",
				client->peer_name[slot], inet_ntoa(options->connect.sin_addr),
				ntohs(options->connect.sin_port), why);
			return OC_EIO;
		}
		client->alive++;
	}
	return OC_OK;
}

/* One request outside the count. Its Result-Code, or 0 for silence. */
static uint32_t probe_once(struct dt_client *client, uint64_t until_ns)
{
	const struct dt_source_place place = { 0 };
	const struct dt_tmpl *tmpl = dt_source_get(&client->source, &place);
	struct dt_conn *conn = client->conn[0];
	struct dt_fill fill = { .hop = client->end_to_end,
				.end_to_end = client->end_to_end,
				.session = UINT32_MAX,
				.drmp = client->options->drmp.code[0] };
	struct dt_scan scan;
	struct dt_out out;
	const uint8_t *msg;
	uint32_t len;

	if (!tmpl)
		return 0;
	client->end_to_end++;
	dt_conn_reserve(conn, &out);
	dt_tmpl_emit(tmpl, out.data, &fill);
	out.len = tmpl->len;
	dt_conn_commit(conn, &out);
	dt_conn_flush(conn);
	while ((msg = next_message(client, 0, until_ns, &len)) != NULL) {
		if (dt_msg_end_to_end(msg) != fill.end_to_end)
			continue;
		dt_scan_msg(&scan, msg, len);
		return scan.result;
	}
	return 0;
}

int dt_client_probe(struct dt_client *client)
{
	uint64_t until_ns = dt_now_ns() + client->options->wait_answer_ns;
	uint32_t result = 0;

	if (client->options->wait_answer_ns == 0)
		return OC_OK;
	client->conn[0]->notes.record = NULL; /* probes are no part of the run */
	while (dt_now_ns() < until_ns && !client->conn[0]->closed) {
		uint64_t answer_ns = dt_now_ns() + 1000000000u;
		result = probe_once(client, answer_ns < until_ns ? answer_ns : until_ns);
		if (result != 0 && result != 3002) { /* UNABLE_TO_DELIVER: the relay has no server yet */
			client->conn[0]->notes.record = client->notes.record;
			return OC_OK;
		}
		pause_ms(RETRY_MS);
	}
	fprintf(stderr, "doic-traffic: no server behind the peer answers (last Result-Code %u)\n", result);
	return OC_EIO;
}

void dt_client_goodbye(struct dt_client *client)
{
	for (uint32_t slot = 0; slot < client->options->connections; slot++) {
		struct dt_conn *conn = client->conn[slot];
		struct dt_identity me;
		struct dt_out out;
		uint32_t len;
		const uint8_t *msg;

		if (!conn || conn->closed)
			continue;
		identity_of(client, slot, &me);
		dt_conn_reserve(conn, &out);
		dt_base_dpr(&out, &me);
		dt_conn_commit(conn, &out);
		dt_conn_flush(conn);
		do {
			msg = next_message(client, slot, dt_now_ns() + 500000000u, &len);
		} while (msg && dt_msg_command(msg) != DT_CMD_DP);
	}
}
