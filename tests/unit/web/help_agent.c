/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The made-up agent.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/oev_clock.h"
#include "help_agent.h"

static uint64_t now_ns(void *ctx)
{
	struct help_node *agent = ctx;

	pthread_mutex_lock(&agent->lock);
	uint64_t ahead_ns = agent->ahead_ns;
	pthread_mutex_unlock(&agent->lock);
	return oev_clock_mono_ns() + ahead_ns;
}

static uint64_t wall_us(void *ctx)
{
	(void)ctx;
	return oev_clock_wall_us();
}

static void facts(void *ctx, struct oweb_facts *out)
{
	struct help_node *agent = ctx;

	pthread_mutex_lock(&agent->lock);
	*out = agent->facts;
	pthread_mutex_unlock(&agent->lock);
}

static void stats(void *ctx, struct oc_stats *out)
{
	struct help_node *agent = ctx;

	pthread_mutex_lock(&agent->lock);
	*out = agent->stats;
	pthread_mutex_unlock(&agent->lock);
}

/* Copies up to @max of @count things. */
static uint32_t copy(struct help_node *agent, void *out, const void *from, size_t size, uint32_t count,
		     uint32_t max)
{
	pthread_mutex_lock(&agent->lock);
	if (max > 0)
		memcpy(out, from, size * (count < max ? count : max));
	pthread_mutex_unlock(&agent->lock);
	return count;
}

static uint32_t states(void *ctx, struct oc_ocs_view *out, uint32_t max)
{
	struct help_node *agent = ctx;

	return copy(agent, out, agent->state, sizeof(*out), agent->states, max);
}

static uint32_t loads(void *ctx, struct oc_load_view *out, uint32_t max)
{
	struct help_node *agent = ctx;

	return copy(agent, out, agent->load, sizeof(*out), agent->loads, max);
}

static uint32_t orders(void *ctx, struct oc_report_view *out, uint32_t max)
{
	struct help_node *agent = ctx;

	return copy(agent, out, agent->order, sizeof(*out), agent->orders, max);
}

static uint32_t peers(void *ctx, struct oweb_peer *out, uint32_t max)
{
	struct help_node *agent = ctx;

	return copy(agent, out, agent->peer, sizeof(*out), agent->peers, max);
}

static char *policy_text(void *ctx, uint32_t *version, uint64_t *since_us)
{
	struct help_node *agent = ctx;

	pthread_mutex_lock(&agent->lock);
	char *text = strdup(agent->policy);
	*version = agent->policy_version;
	*since_us = 1764500000000000ull;
	pthread_mutex_unlock(&agent->lock);
	return text;
}

static enum oweb_done note(struct help_node *agent, const struct oweb_actor *by,
			   char error[static OWEB_ERROR_MAX])
{
	agent->writes++;
	agent->by = *by;
	if (agent->done != OWEB_DONE)
		snprintf(error, OWEB_ERROR_MAX, "policy.yaml:3:5 is not so");
	return agent->done;
}

static enum oweb_done policy_apply(void *ctx, const char *text, size_t len, uint32_t expected,
				   const struct oweb_actor *by, char error[static OWEB_ERROR_MAX])
{
	struct help_node *agent = ctx;

	pthread_mutex_lock(&agent->lock);
	enum oweb_done done = note(agent, by, error);
	if (done == OWEB_DONE && expected != agent->policy_version)
		done = OWEB_CONFLICT;
	if (done == OWEB_DONE) {
		snprintf(agent->policy, sizeof(agent->policy), "%.*s", (int)len, text);
		agent->policy_version++;
		if (agent->policy_then != NULL) {
			snprintf(agent->policy, sizeof(agent->policy), "%s", agent->policy_then);
			agent->policy_version++;
		}
		agent->facts.policy_version = agent->policy_version;
	}
	pthread_mutex_unlock(&agent->lock);
	return done;
}

static enum oweb_done policy_reload(void *ctx, const struct oweb_actor *by, char error[static OWEB_ERROR_MAX])
{
	struct help_node *agent = ctx;

	pthread_mutex_lock(&agent->lock);
	enum oweb_done done = note(agent, by, error);
	pthread_mutex_unlock(&agent->lock);
	return done;
}

static enum oweb_done want(void *ctx, const char *peer, bool is_out, const struct oweb_actor *by,
			   char error[static OWEB_ERROR_MAX])
{
	struct help_node *agent = ctx;
	uint32_t name = oc_names_find(agent->names, (struct oc_bytes){ (const uint8_t *)peer, strlen(peer) });
	enum oweb_done done = OWEB_NOT_FOUND;

	pthread_mutex_lock(&agent->lock);
	snprintf(error, OWEB_ERROR_MAX, "no such peer");
	for (uint32_t i = 0; i < agent->peers; i++)
		if (agent->peer[i].name == name) {
			done = note(agent, by, error);
			agent->peer[i].is_out = done == OWEB_DONE ? is_out : agent->peer[i].is_out;
		}
	pthread_mutex_unlock(&agent->lock);
	return done;
}

static void act(void *ctx, const char *what, const char *object, const struct oweb_actor *by)
{
	struct help_node *agent = ctx;

	pthread_mutex_lock(&agent->lock);
	agent->acts++;
	snprintf(agent->act, sizeof(agent->act), "%s %s %s %s", what, object, by->who, by->reason);
	pthread_mutex_unlock(&agent->lock);
}

uint32_t help_agent_name(struct help_node *agent, const char *name)
{
	return oc_names_id(agent->names, (struct oc_bytes){ (const uint8_t *)name, strlen(name) }, NULL);
}

static void fill(struct help_node *agent)
{
	uint32_t s1 = help_agent_name(agent, "pcrf-1.example"), s2 = help_agent_name(agent, "pcrf-2.example");

	agent->facts = (struct oweb_facts){ .identity = "dra-01.example",
					    .realm = "example",
					    .label = "LAB",
					    .evidence_folder = "/var/lib/doic/evidence",
					    .started_us = oev_clock_wall_us() - 7800000000ull,
					    .policy_version = 17,
					    .journal_records = 1000,
					    .journal_waiting = 30,
					    .blocks_when_full = true,
					    .rows = 31002,
					    .disk_free = 410,
					    .disk_size = 1000,
					    .checkpoint_us = oev_clock_wall_us() - 2000000,
					    .checkpoint_rows = 31000 };
	snprintf(agent->facts.key, sizeof(agent->facts.key), "4f:9a");
	agent->stats.value[OC_STAT_REQUESTS] = 1000;
	agent->stats.value[OC_STAT_FORWARDED] = 700;
	agent->stats.value[OC_STAT_REFUSED] = 300;
	agent->state[0] = (struct oc_ocs_view){ .version = 41,
						.sequence = 8812,
						.since_ns = 1,
						.expires_ns = oev_clock_mono_ns() + 22000000000ull,
						.matched = 1000,
						.selected = 300,
						.same_matched = 1000,
						.same_selected = 300,
						.app_id = OC_APP_GX,
						.subject = s2,
						.reduction_pct = 30,
						.share_ppm = 300000,
						.type = OC_REPORT_HOST,
						.algorithm = OC_ALGO_LOSS,
						.active = 1 };
	agent->states = 1;
	agent->peer[0] =
		(struct oweb_peer){ .name = s1, .is_up = true, .is_configured = true, .outstanding = 3 };
	agent->peer[1] = (struct oweb_peer){ .name = s2, .is_configured = true };
	snprintf(agent->peer[0].state, sizeof(agent->peer[0].state), "open");
	agent->peers = 2;
	agent->load[0] =
		(struct oc_load_view){ .node = s1, .host_value = 48112, .peer_value = -1, .weight = 7 };
	agent->loads = 1;
	snprintf(agent->policy, sizeof(agent->policy), "mode: enforce\n");
	agent->policy_version = 17;
}

struct help_node *help_agent_new(void)
{
	struct help_node *agent = calloc(1, sizeof(*agent));

	agent->names = oc_names_new(4096, 7);
	CU_ASSERT_FATAL(agent->names != NULL);
	CU_ASSERT_FATAL(oev_watch_new(&agent->watch, agent->names) == 0);
	pthread_mutex_init(&agent->lock, NULL);
	agent->node = (struct oweb_node){ .ctx = agent,
					  .names = agent->names,
					  .watch = agent->watch,
					  .now_ns = now_ns,
					  .wall_us = wall_us,
					  .facts = facts,
					  .stats = stats,
					  .states = states,
					  .loads = loads,
					  .orders = orders,
					  .peers = peers,
					  .policy_text = policy_text,
					  .policy_apply = policy_apply,
					  .policy_reload = policy_reload,
					  .want = want,
					  .act = act };
	fill(agent);
	return agent;
}

void help_agent_free(struct help_node *agent)
{
	oev_watch_free(agent->watch);
	oc_names_free(agent->names);
	pthread_mutex_destroy(&agent->lock);
	free(agent);
}
