/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sessions, sending and receiving of the client.
 */
#include "dt_pending.h"

#include <stdlib.h>
#include <string.h>

#include "dt_answer.h"

#define REFUSALS_NS 1000000u

static uint64_t gap_ns(struct dt_client *client)
{
	uint64_t mean_ns = (uint64_t)(1e9 / client->options->rate_rps);
	return client->options->paced ? mean_ns : dt_rng_exponential(&client->rng, mean_ns);
}

static uint32_t origins_per_conn(const struct dt_client *client)
{
	return client->source.origin_count / client->options->connections;
}

/* False when every life there is has begun: the session is over for good. */
static bool begin_life(struct dt_client *client, uint32_t number)
{
	struct dt_session *session = &client->session[number];
	uint32_t each = origins_per_conn(client);
	uint32_t conn = number % client->options->connections;

	if (client->lives == client->lives_max)
		return false;
	session->life = client->lives++;
	session->place = (struct dt_source_place){
		.life = (uint32_t)(session->life % client->source.life_count),
		.origin = conn * each + (uint32_t)(session->life % each),
	};
	return true;
}

static void push_ready(struct dt_client *client, uint32_t number)
{
	uint32_t at = client->ready_head + client->ready_count++;
	client->ready[at < client->sessions ? at : at - client->sessions] = number;
}

int dt_client_flow_init(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	uint32_t room = options->rate_rps > 0 ? options->max_outstanding : options->window;

	client->sessions = options->sessions ? options->sessions : room;
	client->session = calloc(client->sessions, sizeof(*client->session));
	client->ready = calloc(client->sessions, sizeof(*client->ready));
	if (!client->session || !client->ready || dt_pending_init(client, room) != OC_OK)
		return OC_ENOMEM;
	client->dests = 1;
	for (uint32_t i = 0; i < client->sessions; i++) {
		if (begin_life(client, i))
			push_ready(client, i);
	}
	return OC_OK;
}

void dt_client_flow_fini(struct dt_client *client)
{
	free(client->session);
	free(client->ready);
	free(client->pending);
}

/* The session goes on, or a new life begins in its place. A synthetic session whose first request failed is over. */
static void advance(struct dt_client *client, uint32_t number, bool is_success)
{
	struct dt_session *session = &client->session[number];
	bool is_failed = !is_success && session->place.step == 0 && !client->source.captured;

	bool is_over = is_failed || ++session->place.step >= client->source.life[session->place.life].count;
	if (!is_over || begin_life(client, number))
		push_ready(client, number);
}

static uint32_t next_drmp(struct dt_client *client)
{
	const struct dt_mix *drmp = &client->options->drmp;
	return drmp->count ? dt_mix_pick(drmp, &client->rng) : 0;
}

/* The peer whose reports are heeded on a connection; NULL when peer reports were not announced. */
static const char *reporting_peer(const struct dt_client *client, uint32_t slot)
{
	return client->options->peer_reports ? client->neighbour[slot] : NULL;
}

static bool is_allowed(const struct dt_client *client, uint32_t slot, const uint8_t *msg,
		       const struct dt_scan *scan, uint64_t now_ns)
{
	return !client->obey ||
	       dt_obey_allows(client->obey, scan, dt_msg_app(msg), reporting_peer(client, slot), now_ns);
}

static void throttle(struct dt_client *client, struct dt_pending *pending, const uint8_t *msg,
		     const struct dt_scan *scan)
{
	uint32_t number = pending->session;
	dt_stats_throttled(client->stats, msg, scan);
	dt_pending_release(client, pending);
	if (client->refusals)
		client->refusals--;
	advance(client, number, false);
}

static void send_one(struct dt_client *client, uint32_t slot, uint32_t number, uint64_t due_ns,
		     uint64_t now_ns)
{
	struct dt_conn *conn = client->conn[slot];
	struct dt_session *session = &client->session[number];
	const struct dt_tmpl *tmpl = dt_source_get(&client->source, &session->place);
	struct dt_pending *pending = tmpl ? dt_pending_take(client) : NULL;
	struct dt_scan scan;
	struct dt_out out;

	if (!pending) {
		client->failed = client->stopping = true;
		return;
	}
	pending->session = number;
	pending->end_to_end = client->end_to_end++;
	pending->sent_ns = due_ns;
	struct dt_fill fill = { .hop = pending->hop,
				.end_to_end = pending->end_to_end,
				.session = (uint32_t)session->life,
				.subscriber = session->life / client->source.life_count %
					      client->source.subscribers,
				.step = session->place.step,
				.drmp = next_drmp(client) };
	dt_conn_reserve(conn, &out);
	dt_tmpl_emit(tmpl, out.data, &fill);
	out.len = tmpl->len;
	dt_scan_msg(&scan, out.data, out.len);
	if (!is_allowed(client, slot, out.data, &scan, now_ns)) {
		throttle(client, pending, out.data, &scan);
		return;
	}
	pending->origin = dt_stats_request(client->stats, out.data, &scan, due_ns);
	pending->drmp = (uint8_t)dt_scan_drmp(&scan);
	dt_conn_commit(conn, &out);
	client->sent++;
}

/* Takes the next ready session whose connection has room, and sends or throttles; false when there is none. */
static bool send_next(struct dt_client *client, uint64_t due_ns, uint64_t now_ns)
{
	for (uint32_t tries = client->ready_count; tries > 0; tries--) {
		uint32_t number = client->ready[client->ready_head];
		uint32_t slot = number % client->options->connections;
		struct dt_conn *conn = client->conn[slot];

		client->ready_head = client->ready_head + 1 == client->sessions ? 0 : client->ready_head + 1;
		client->ready_count--;
		if (!conn)
			continue; /* this session ends with its connection */
		if (dt_conn_has_room(conn)) {
			send_one(client, slot, number, due_ns, now_ns);
			return true;
		}
		push_ready(client, number);
	}
	return false;
}

bool dt_client_has_sent_all(const struct dt_client *client)
{
	/* Lives that are to be sent whole wait for their turn; otherwise a missed arrival is gone. */
	uint64_t missed = client->lives_max == UINT64_MAX ? client->stats->not_sent : 0;
	uint64_t done = client->sent + client->stats->throttled + missed;
	return !client->options->idle && done >= client->count;
}

static void send_open_loop(struct dt_client *client, uint64_t now_ns)
{
	if (client->next_arrival_ns == 0)
		client->next_arrival_ns = now_ns + gap_ns(client);
	while (client->next_arrival_ns <= now_ns && !dt_client_has_sent_all(client)) {
		bool has_room = client->spare != DT_NO_PENDING;
		if (!has_room || !send_next(client, client->next_arrival_ns, now_ns))
			client->stats->not_sent++;
		client->next_arrival_ns += gap_ns(client);
	}
}

/* A throttled request takes no room in the window: without a bound a report that forbids all would keep this loop busy
 * for ever. So at most a window of them is throttled per millisecond. */
static void send_closed_loop(struct dt_client *client, uint64_t now_ns)
{
	if (now_ns >= client->refusals_ns) {
		client->refusals = client->options->window;
		client->refusals_ns = now_ns + REFUSALS_NS;
	}
	while (client->spare != DT_NO_PENDING && client->refusals && !dt_client_has_sent_all(client) &&
	       send_next(client, now_ns, now_ns))
		;
}

void dt_client_send_due(struct dt_client *client, uint64_t now_ns)
{
	if (client->stopping || client->options->idle)
		return;
	if (client->options->rate_rps > 0) {
		send_open_loop(client, now_ns);
		return;
	}
	send_closed_loop(client, now_ns);
}

static uint32_t learn_dest(struct dt_client *client, const struct dt_scan *scan)
{
	struct dt_name *name = dt_names_get(&client->stats->answerers, scan->origin.data, scan->origin.len);
	for (uint32_t i = 1; i < client->dests; i++) {
		if (client->source.dest[i] == name->text)
			return i;
	}
	if (client->dests == DT_DESTS_MAX)
		return 0;
	client->source.dest[client->dests] = name->text;
	return client->dests++;
}

static void take_answer(struct dt_client *client, uint32_t slot, const uint8_t *msg, uint32_t len,
			uint64_t now_ns)
{
	struct dt_pending *pending = dt_pending_find(client, dt_msg_hop(msg), dt_msg_end_to_end(msg));
	struct dt_scan scan;

	if (!pending) {
		client->stats->late++;
		return;
	}
	if (dt_scan_msg(&scan, msg, len) != OC_OK)
		client->stats->malformed++;
	uint64_t took_ns = now_ns > pending->sent_ns ? now_ns - pending->sent_ns : 0;
	bool is_success = scan.result / 1000 == 2;
	uint32_t number = pending->session;
	dt_stats_answer(client->stats, msg, &scan, pending->origin, pending->drmp);
	if (client->obey)
		dt_obey_answer(client->obey, &scan, dt_msg_app(msg), reporting_peer(client, slot), now_ns);
	dt_hist_add(&client->stats->latency, took_ns);
	if (is_success)
		dt_hist_add(&client->stats->latency_ok, took_ns);
	dt_pending_release(client, pending);
	const char *dest_host = client->options->dest_host;
	if (is_success && dest_host && strcmp(dest_host, "learn") == 0)
		client->session[number].place.dest = learn_dest(client, &scan);
	advance(client, number, is_success);
}

static void take_request(struct dt_client *client, uint32_t slot, const uint8_t *msg)
{
	struct dt_identity me = client->options->common.me;
	struct dt_out out;

	memcpy(me.host, client->peer_name[slot], sizeof(me.host));
	dt_conn_reserve(client->conn[slot], &out);
	if (dt_msg_is_base(msg)) {
		dt_base_reply(&out, &me, msg);
	} else {
		struct dt_scan scan;
		struct dt_answer unsupported = { .result = 3001 }; /* COMMAND_UNSUPPORTED */
		client->stats->unexpected++;
		dt_scan_msg(&scan, msg, dt_msg_length(msg));
		dt_answer_put(&out, &me, msg, &scan, &unsupported);
	}
	dt_conn_commit(client->conn[slot], &out);
}

void dt_client_receive(struct dt_client *client, uint32_t slot, uint64_t now_ns)
{
	struct dt_conn *conn = client->conn[slot];
	const uint8_t *msg;
	uint32_t len;

	dt_conn_read(conn);
	while ((msg = dt_conn_next(conn, &len)) != NULL) {
		if (dt_msg_is_request(msg))
			take_request(client, slot, msg);
		else if (!dt_msg_is_base(msg))
			take_answer(client, slot, msg, len, now_ns);
	}
}

void dt_client_expire(struct dt_client *client, uint64_t now_ns)
{
	while (client->oldest != DT_NO_PENDING) {
		struct dt_pending *pending = &client->pending[client->oldest];
		uint32_t number = pending->session;
		if (now_ns < pending->sent_ns + client->options->timeout_ns)
			break;
		client->stats->timeouts++;
		dt_pending_release(client, pending);
		advance(client, number, false);
	}
}

uint64_t dt_client_next_ns(const struct dt_client *client)
{
	uint64_t next_ns = UINT64_MAX;
	if (client->oldest != DT_NO_PENDING)
		next_ns = client->pending[client->oldest].sent_ns + client->options->timeout_ns;
	if (client->stopping || client->options->idle)
		return next_ns;
	bool is_open = client->options->rate_rps > 0;
	if (is_open && client->next_arrival_ns < next_ns)
		next_ns = client->next_arrival_ns;
	if (!is_open && client->refusals == 0 && client->refusals_ns < next_ns)
		next_ns = client->refusals_ns;
	return next_ns;
}
