/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sentences, and events that make them.
 */
#include "help_says.h"

#include <stdio.h>
#include <string.h>

#include "agent/wire/oc_msg.h"
#include "evidence/oev_clock.h"
#include "web/oweb_sentence.h"
#include "web/oweb_view.h"

#define US_PER_S 1000000ull
#define PASSES 1u /* number of answers with a report that travels on */

json_t *help_says_all(void)
{
	return oweb_view_sentences(help_web.server);
}

const char *help_says(size_t place)
{
	static char kept[4][1024];
	static unsigned next;
	char *out = kept[next++ % 4];
	struct oweb_text text = { 0 };
	json_t *all = help_says_all();

	oweb_sentence_text(json_array_get(all, place), &text);
	snprintf(out, sizeof(kept[0]), "%s", text.data != NULL ? text.data : "");
	oweb_text_free(&text);
	json_decref(all);
	return out;
}

static uint64_t base_us;

void help_says_begin(void)
{
	base_us = oev_clock_wall_us() / US_PER_S * US_PER_S;
}

static void take(struct oc_event event, uint64_t wall_us)
{
	const struct oc_event *one = &event;

	event.mono_ns = wall_us * 1000;
	oev_watch_take(help_web.agent->watch, &one, 1, 0);
}

static void request(const struct help_traffic *t, uint64_t wall_us, bool is_refused, bool is_useful)
{
	static uint64_t id;
	uint32_t sender = help_web_name(t->sender), server = help_web_name(t->server);

	take((struct oc_event){ .kind = OC_EVENT_DECISION,
				.u.decision = { .id = ++id,
						.at_ns = wall_us * 1000,
						.app_id = OC_APP_GX,
						.client_peer = sender,
						.origin_host = sender,
						.dest_host = server,
						.first_choice = server,
						.next_hop = is_refused ? 0 : server,
						.verdict = is_refused ? OC_REFUSE : OC_FORWARD,
						.flags = OC_DEC_DOIC_CLIENT } },
	     wall_us);
	take((struct oc_event){ .kind = OC_EVENT_OUTCOME,
				.u.outcome = { .id = id,
					       .took_ns = 1000,
					       .result_code = is_refused  ? 5012
							      : is_useful ? 2001
									  : 3004,
					       .maker = is_refused ? OC_MADE_AGENT : OC_MADE_UPSTREAM,
					       .answered_by = server,
					       .from_peer = is_refused ? 0 : server,
					       .profile = PASSES } },
	     wall_us);
}

void help_says_traffic(const struct help_traffic *t, unsigned from_ago, unsigned until_ago)
{
	for (unsigned ago = from_ago; ago > until_ago; ago--) {
		uint64_t second_us = base_us - ago * US_PER_S;
		unsigned all = t->sent + t->refused;
		for (unsigned i = 0; i < all; i++)
			request(t, second_us + i * US_PER_S / all, i >= t->sent, i < t->useful);
	}
}

void help_says_held(unsigned ago)
{
	uint64_t at_us = base_us - ago * US_PER_S;
	struct oc_event profile = { .kind = OC_EVENT_PROFILE };

	profile.u.profile.id = PASSES;
	profile.u.profile.profile.hints = OC_HINT_PASSES;
	take(profile, at_us);
	take((struct oc_event){ .kind = OC_EVENT_OCS_VERSION,
				.u.ocs_version = { .version = 41,
						   .report = 1,
						   .app_id = OC_APP_GX,
						   .subject = help_web_name("pcrf-2.example"),
						   .type = OC_REPORT_HOST,
						   .algorithm = OC_ALGO_LOSS,
						   .reduction_pct = 30,
						   .validity_s = 600,
						   .expires_ns = (at_us + 600 * US_PER_S) * 1000 } },
	     at_us);
}

void help_says_reached(unsigned ago)
{
	struct help_node *agent = help_web.agent;

	oev_watch_reached(agent->watch, base_us);
	pthread_mutex_lock(&agent->lock);
	agent->state[0].begun_ns = oev_clock_mono_ns() - ago * 1000000000ull - 200000000;
	agent->state[0].since_ns = oev_clock_mono_ns();
	pthread_mutex_unlock(&agent->lock);
}
