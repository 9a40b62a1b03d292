/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the server does with one message.
 */
#include "dt_server.h"

#include <stdio.h>
#include <string.h>

struct dt_work_plan dt_serve_plan(const struct dt_work_plan *base, uint64_t capacity_rps)
{
	struct dt_work_plan plan = *base;
	if (capacity_rps) {
		/* All workers together do @capacity_rps; a service time given as well is latency on top. */
		plan.workers = plan.workers ? plan.workers : 1;
		plan.busy_ns = plan.workers * 1000000000ull / capacity_rps;
	} else if (plan.workers) {
		plan.busy_ns = plan.delay_ns;
		plan.delay_ns = 0;
	}
	return plan;
}

/* Answers @msg, of which @request is the scan. */
static void answer(struct dt_server *server, uint32_t slot, const uint8_t *msg, const struct dt_scan *request,
		   uint32_t result, uint64_t now_ns, struct dt_name *origin)
{
	struct dt_answer made = { .result = result, .raw = &server->options->raw };
	struct dt_conn *conn = server->conn[slot];
	struct dt_scan sent;
	struct dt_out out;

	dt_serve_doic(server, slot, dt_msg_app(msg), request, origin, now_ns, &made);
	dt_conn_reserve(conn, &out);
	dt_answer_put(&out, &server->stats->me, msg, request, &made);
	if (dt_conn_commit(conn, &out) != OC_OK) {
		server->stats->dropped++;
		return;
	}
	dt_scan_msg(&sent, out.data, out.len);
	sent.result = result;
	dt_stats_answer(server->stats, out.data, &sent, origin, dt_scan_drmp(request));
}

static bool is_muted(struct dt_server *server, uint64_t now_ns)
{
	if (server->mute_count) {
		server->mute_count--;
		return true;
	}
	return now_ns < server->mute_until_ns;
}

static void serve_request(struct dt_server *server, uint32_t slot, const uint8_t *msg, uint32_t len,
			  uint64_t now_ns)
{
	struct dt_scan scan;
	struct dt_job *job;

	if (dt_scan_msg(&scan, msg, len) != OC_OK)
		server->stats->malformed++;
	if (server->script_ns == 0)
		server->script_ns = now_ns;
	struct dt_name *origin = dt_stats_request(server->stats, msg, &scan, now_ns);
	if (is_muted(server, now_ns)) {
		server->stats->dropped++;
		return;
	}
	if (!server->work) {
		answer(server, slot, msg, &scan, dt_mix_pick(&server->mix, &server->rng), now_ns, origin);
		return;
	}
	if (dt_work_arrive(server->work, msg, len, now_ns, &job) == OC_OK) {
		job->conn = slot;
		job->conn_serial = server->serial[slot];
		job->origin = origin;
	} else if (server->options->over_drop) {
		server->stats->dropped++;
	} else {
		answer(server, slot, msg, &scan, 3004, now_ns, origin); /* DIAMETER_TOO_BUSY */
	}
}

void dt_serve_job(struct dt_server *server, const struct dt_job *job, uint64_t now_ns)
{
	struct dt_scan scan;

	if (!server->conn[job->conn] || server->serial[job->conn] != job->conn_serial)
		return; /* its connection is gone */
	dt_scan_msg(&scan, job->msg, job->len);
	answer(server, job->conn, job->msg, &scan, dt_mix_pick(&server->mix, &server->rng), now_ns,
	       job->origin);
}

/* Who the peer on a connection is: the Origin-Host of its CER. */
static void learn_neighbour(struct dt_server *server, uint32_t slot, const uint8_t *msg)
{
	struct dt_scan scan;
	dt_scan_msg(&scan, msg, dt_msg_length(msg));
	snprintf(server->neighbour[slot], DT_NAME_MAX, "%.*s", (int)scan.origin.len,
		 scan.origin.code ? (const char *)scan.origin.data : "");
}

static void serve_base(struct dt_server *server, uint32_t slot, const uint8_t *msg)
{
	struct dt_conn *conn = server->conn[slot];
	struct dt_identity me = server->stats->me;
	struct dt_out out;

	if (dt_msg_command(msg) == DT_CMD_CE)
		learn_neighbour(server, slot, msg);

	dt_conn_reserve(conn, &out);
	me.addr = conn->flow.local_addr;
	if (dt_msg_command(msg) == DT_CMD_CE)
		dt_base_cea(&out, &me, msg, 2001);
	else
		dt_base_reply(&out, &me, msg);
	dt_conn_commit(conn, &out);
}

void dt_serve_msg(struct dt_server *server, uint32_t slot, const uint8_t *msg, uint32_t len, uint64_t now_ns)
{
	if (!dt_msg_is_request(msg))
		return;
	if (dt_msg_is_base(msg))
		serve_base(server, slot, msg);
	else
		serve_request(server, slot, msg, len, now_ns);
}
