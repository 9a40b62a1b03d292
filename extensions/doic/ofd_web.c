/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The HTTP server inside the daemon: what it may ask of the agent and order, and its life.
 *
 * Its threads are its own. What it asks of the core takes the core's lock as briefly as a message does; nothing here waits for a
 * callback, and no callback waits for it.
 */
#include "ofd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

static uint64_t now_ns(void *ctx)
{
	(void)ctx;
	return ofd_clock_mono_ns();
}

static uint64_t wall_us(void *ctx)
{
	(void)ctx;
	return ofd_clock_wall_us();
}

static void stats(void *ctx, struct oc_stats *out)
{
	oc_agent_stats(((struct ofd *)ctx)->agent, out);
}

static uint32_t states(void *ctx, struct oc_ocs_view *out, uint32_t max)
{
	return oc_agent_snapshot(((struct ofd *)ctx)->agent, ofd_clock_mono_ns(), out, max);
}

static uint32_t loads(void *ctx, struct oc_load_view *out, uint32_t max)
{
	return oc_agent_loads(((struct ofd *)ctx)->agent, ofd_clock_mono_ns(), out, max);
}

static uint32_t orders(void *ctx, struct oc_report_view *out, uint32_t max)
{
	return oc_agent_orders(((struct ofd *)ctx)->agent, out, max);
}

static char *policy_text(void *ctx, uint32_t *version, uint64_t *since_us)
{
	struct ofd *ofd = ctx;

	pthread_mutex_lock(&ofd->policy_lock);
	char *copy = strdup(ofd->policy_text);
	*version = ofd->policy.version;
	*since_us = ofd->policy_since_us;
	pthread_mutex_unlock(&ofd->policy_lock);
	return copy;
}

static enum oweb_done done_of(int rc)
{
	switch (rc) {
	case 0:
		return OWEB_DONE;
	case EINVAL:
		return OWEB_REFUSED;
	case ESTALE:
		return OWEB_CONFLICT;
	default:
		return OWEB_FAILED;
	}
}

_Static_assert(OWEB_ERROR_MAX >= OEV_CONF_ERROR_MAX, "one buffer serves both");

static enum oweb_done policy_apply(void *ctx, const char *text, size_t len, uint32_t expected,
				   const struct oweb_actor *by, char error[static OWEB_ERROR_MAX])
{
	snprintf(error, OWEB_ERROR_MAX, "out of memory");
	return done_of(ofd_policy_apply(ctx, text, len, expected, by, error));
}

static enum oweb_done policy_reload(void *ctx, const struct oweb_actor *by, char error[static OWEB_ERROR_MAX])
{
	snprintf(error, OWEB_ERROR_MAX, "out of memory");
	return done_of(ofd_policy_reload(ctx, by, error));
}

static enum oweb_done want(void *ctx, const char *peer, bool is_out, const struct oweb_actor *by,
			   char error[static OWEB_ERROR_MAX])
{
	struct ofd *ofd = ctx;
	struct peer_hdr *known = NULL;
	size_t len = strlen(peer);

	if (fd_peer_getbyid((DiamId_t)(uintptr_t)peer, len, 1, &known) != 0 || !known) {
		snprintf(error, OWEB_ERROR_MAX, "%.200s is no neighbour of this node", peer);
		return OWEB_NOT_FOUND;
	}
	if (ofd_want_set(ofd, ofd_context_name(ofd, peer, len), is_out)) {
		ofd_act(ofd, "want", peer, is_out ? "in" : "out", is_out ? "out" : "in", by);
		if (!ofd_want_keep(ofd))
			LOG_E("doic: that %s is %s cannot be written beside %s: a restart forgets it", peer,
			      is_out ? "out" : "in", ofd->sequence_path);
	}
	return OWEB_DONE;
}

static void act(void *ctx, const char *what, const char *object, const struct oweb_actor *by)
{
	ofd_act(ctx, what, object, "", "", by);
}

static struct oweb_node node_of(struct ofd *ofd)
{
	return (struct oweb_node){ .ctx = ofd,
				   .names = ofd->names,
				   .watch = ofd->watch,
				   .now_ns = now_ns,
				   .wall_us = wall_us,
				   .facts = ofd_web_facts,
				   .stats = stats,
				   .states = states,
				   .loads = loads,
				   .orders = orders,
				   .peers = ofd_web_peers,
				   .policy_text = policy_text,
				   .policy_apply = policy_apply,
				   .policy_reload = policy_reload,
				   .want = want,
				   .act = act };
}

static struct oweb_conf conf_of(const struct ofd *ofd)
{
	const struct oev_process *conf = &ofd->conf;
	struct oweb_conf out = { .reads_need_token = conf->http_reads_need_token,
				 .socket_mode = conf->http_socket_mode == OEV_SOCKET_GROUP ? 0660 : 0600 };

	snprintf(out.bind, sizeof(out.bind), "%s", conf->http_bind);
	snprintf(out.socket_path, sizeof(out.socket_path), "%s", conf->http_socket);
	snprintf(out.tls_cert, sizeof(out.tls_cert), "%s", conf->http_tls_cert);
	snprintf(out.tls_key, sizeof(out.tls_key), "%s", conf->http_tls_key);
	snprintf(out.tokens_path, sizeof(out.tokens_path), "%s", conf->http_tokens);
	snprintf(out.folder, sizeof(out.folder), "%s", conf->evidence_enabled ? conf->evidence_folder : "");
	snprintf(out.index_folder, sizeof(out.index_folder), "%s", conf->http_index_folder);
	snprintf(out.key_path, sizeof(out.key_path), "%s", conf->key_path);
	snprintf(out.names, sizeof(out.names), "%s", conf->http_names);
	snprintf(out.label, sizeof(out.label), "%s", conf->http_label);
	return out;
}

static void say(void *ctx, int error, const char *text)
{
	(void)ctx;
	if (error)
		LOG_E("doic: http: %s", text);
	else
		LOG_N("doic: http: %s", text);
}

/* The charts begin where those of the process before ended; without it they begin anew. */
static void start_past(struct ofd *ofd)
{
	char error[OEV_WATCH_PAST_ERROR];

	if (!ofd->conf.http_index_folder[0])
		return;
	(void)oev_watch_past_start(&ofd->past, ofd->watch, ofd->conf.http_index_folder, ofd->started_us,
				   error);
	if (error[0])
		LOG_N("doic: %s", error);
}

int ofd_web_prepare(struct ofd *ofd)
{
	ofd->started_us = ofd_clock_wall_us();
	if (!ofd->conf.evidence_enabled || (!ofd->conf.http_bind[0] && !ofd->conf.http_socket[0]))
		return 0;
	if (oev_watch_new(&ofd->watch, ofd->names) != OC_OK)
		return ENOMEM;
	oev_watch_set_self(ofd->watch, fd_g_config->cnf_diamid);
	ofd->listener = oev_watch_listener(ofd->watch);
	start_past(ofd);
	return 0;
}

void ofd_web_start(struct ofd *ofd)
{
	struct oweb_conf conf = conf_of(ofd);
	char error[OWEB_ERROR_MAX] = "";

	if (!conf.bind[0] && !conf.socket_path[0])
		return;
	ofd->node = node_of(ofd);
	if (oweb_server_start(&ofd->web, &conf, &ofd->node, ofd->watch, say, NULL, error) != OC_OK)
		LOG_E("doic: no HTTP server: %s", error);
	else if (oweb_server_port(ofd->web))
		LOG_N("doic: dashboard and API at %s://%s, port %u", conf.tls_cert[0] ? "https" : "http",
		      conf.bind, oweb_server_port(ofd->web));
}

void ofd_web_stop(struct ofd *ofd)
{
	oweb_server_stop(ofd->web);
	ofd->web = NULL;
}

void ofd_web_free(struct ofd *ofd)
{
	char error[OEV_WATCH_PAST_ERROR];

	if (!oev_watch_past_stop(ofd->past, error))
		LOG_N("doic: %s", error);
	oev_watch_free(ofd->watch);
	ofd->watch = NULL;
	ofd->past = NULL;
}
