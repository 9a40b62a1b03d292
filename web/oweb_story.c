/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What goes on, in sentences: who asks for less and how much, do we obey, does it help, who causes it; what this node asks for itself; or
 * that nobody asks.
 */
#include "oweb_story.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../evidence/app/oev_app.h"
#include "oweb_inner.h"
#include "oweb_view.h"
#include "oweb_words.h"

#define SENTENCES_MAX 3u

/* What is in force: states held here, worst first, and orders of our own that no such state stands for. Behind the @states that are in force
 * stand those that ended, @held in all. */
struct asking {
	struct oweb_facts facts;
	struct oc_ocs_view *ocs;
	struct oc_report_view *order;
	uint32_t states, held, orders;
	struct oweb_past *past; /* NULL: nothing is recorded, or nobody asks */
};

/* In force or not, then what is taken away now; a rate cannot be compared, so it comes after every share. */
static int worse(const void *a, const void *b)
{
	const struct oc_ocs_view *x = a, *y = b;

	if (x->active != y->active)
		return x->active ? -1 : 1;
	return x->share_ppm != y->share_ppm ? (x->share_ppm < y->share_ppm ? 1 : -1)
					    : (x->version > y->version) - (x->version < y->version);
}

static void take_states(const struct oweb_node *node, struct asking *asking)
{
	uint32_t room = node->states(node->ctx, NULL, 0);

	asking->ocs = calloc(room + 1, sizeof(*asking->ocs));
	uint32_t count = asking->ocs == NULL || room == 0 ? 0 : node->states(node->ctx, asking->ocs, room);
	asking->held = count < room ? count : room;
	if (asking->held > 0)
		qsort(asking->ocs, asking->held, sizeof(*asking->ocs), worse);
	while (asking->states < asking->held && asking->ocs[asking->states].active)
		asking->states++;
}

static bool is_held_here(const struct asking *asking, const struct oc_report_key *key)
{
	for (uint32_t i = 0; i < asking->states; i++) {
		const struct oc_ocs_view *ocs = &asking->ocs[i];
		if (ocs->is_own && ocs->type == key->type && ocs->app_id == key->app_id &&
		    ocs->subject == key->subject)
			return true;
	}
	return false;
}

static void take_orders(const struct oweb_node *node, struct asking *asking)
{
	uint32_t room = node->orders(node->ctx, NULL, 0);

	asking->order = calloc(room + 1, sizeof(*asking->order));
	uint32_t count =
		asking->order == NULL || room == 0 ? 0 : node->orders(node->ctx, asking->order, room);
	for (uint32_t i = 0; i < count && i < room; i++) {
		const struct oc_report_view *order = &asking->order[i];
		if (!order->is_withdrawn && !order->is_ended && !is_held_here(asking, &order->order.key))
			asking->order[asking->orders++] = *order;
	}
}

/* "30 % less", "at most 250 requests/s". */
static void say_value(struct oweb_sentence *sentence, bool has_rate, uint32_t rate_rps, bool has_reduction,
		      uint32_t reduction_pct)
{
	char count[OWEB_WORDS_MAX];

	if (has_rate)
		oweb_sentence_say(sentence, "at most %s requests/s", oweb_words_count(rate_rps, count));
	if (has_reduction)
		oweb_sentence_say(sentence, "%s%" PRIu32 " %% less", has_rate ? " or " : "", reduction_pct);
}

static const char *app_text(uint32_t app_id, char buf[static 16])
{
	return app_id == OC_APP_ANY ? "all applications" : oev_app_text(app_id, buf);
}

static void say_obeys(struct oweb_sentence *sentence, const struct asking *asking,
		      const struct oc_ocs_view *ocs)
{
	if (asking->facts.is_observing)
		oweb_sentence_say(sentence, "we only observe, and forward everything");
	else if (ocs->is_observed)
		oweb_sentence_say(sentence, "we only observe it (shadow), and forward everything");
	else if (ocs->same_matched == 0)
		oweb_sentence_say(sentence, "no request has matched it yet");
	else
		oweb_sentence_say(sentence, "we obey and selected %.2f %%",
				  100.0 * (double)ocs->same_selected / (double)ocs->same_matched);
}

static json_t *state_sentence(const struct oweb_server *server, const struct asking *asking,
			      const struct oc_ocs_view *ocs)
{
	const char *subject = oweb_view_name(server, ocs->subject);
	const struct oweb_effect effect = oweb_story_effect_of(server, asking->past, ocs);
	bool is_rate = ocs->algorithm == OC_ALGO_RATE;
	struct oweb_sentence sentence = { 0 };
	char app[16], held[OWEB_WORDS_MAX];

	if (ocs->is_own)
		oweb_sentence_say(&sentence, "This node itself");
	else
		oweb_sentence_state(&sentence, subject, ocs->version);
	oweb_sentence_say(&sentence, " asks for ");
	say_value(&sentence, is_rate, ocs->rate_rps, !is_rate, ocs->reduction_pct);
	oweb_sentence_brief(&sentence);
	if (ocs->is_own) {
		oweb_sentence_say(&sentence, " to ");
		oweb_sentence_state(&sentence, subject, ocs->version);
	}
	oweb_sentence_say(&sentence, " (%s%s, %s, %s), held for %s; ", ocs->is_own ? "its own order, " : "",
			  oc_algo_text(ocs->algorithm), oc_report_type_text(ocs->type),
			  app_text(ocs->app_id, app), oweb_words_time(effect.for_s, held));
	say_obeys(&sentence, asking, ocs);
	oweb_sentence_say(&sentence, "; ");
	oweb_story_effect(&sentence, &effect);
	oweb_sentence_say(&sentence, ".");
	return oweb_sentence_end(&sentence, "warn");
}

/* What becomes of it: neighbours that react are told, to others requests are refused here. */
static void say_gate(struct oweb_sentence *sentence, const struct oweb_server *server)
{
	struct oev_watch_second second = { 0 };
	uint64_t latest = server->watch == NULL ? 0 : oev_watch_latest(server->watch);
	char arrive[OWEB_WORDS_MAX], refuse[OWEB_WORDS_MAX];

	if (latest != 0)
		oev_watch_seconds(server->watch, latest, 1, &second);
	if (second.is_known)
		oweb_sentence_say(sentence, "; of %s that arrive we refuse %s, of those who cannot react",
				  oweb_words_rate(second.count.requests, arrive),
				  oweb_words_rate(second.population.refused_why[OC_WHY_OWN], refuse));
	else
		oweb_sentence_say(sentence, "; we refuse it to those who cannot react");
}

static json_t *order_sentence(const struct oweb_server *server, const struct oc_report_view *order)
{
	const struct oc_report_order *of = &order->order;
	const char *subject = of->key.subject == 0 ? "" : oweb_view_name(server, of->key.subject);
	bool is_peer = of->key.type == OC_REPORT_PEER;
	struct oweb_sentence sentence = { 0 };
	char app[16], sent[OWEB_WORDS_MAX];

	oweb_sentence_screen(&sentence, "This node itself", "reports");
	oweb_sentence_say(&sentence, " asks %s for ",
			  !is_peer	       ? "its clients"
			  : subject[0] != '\0' ? subject
					       : "all its neighbours");
	say_value(&sentence, of->has_rate, of->rate_rps, of->has_reduction, of->reduction_pct);
	if (of->has_reduction && order->reduction_pct != of->reduction_pct)
		oweb_sentence_say(&sentence, ", now %" PRIu32 " %%", order->reduction_pct);
	oweb_sentence_brief(&sentence);
	oweb_sentence_say(&sentence, "%s%s (its own order, %s, %s), told in %s answers",
			  is_peer ? "" : " to ", is_peer ? "" : subject, oc_report_type_text(of->key.type),
			  app_text(of->key.app_id, app), oweb_words_count((double)order->sent, sent));
	if (is_peer)
		say_gate(&sentence, server);
	oweb_sentence_say(&sentence, ".");
	return oweb_sentence_end(&sentence, "warn");
}

static json_t *returning(const struct oweb_server *server, const struct oc_ocs_view *ocs)
{
	struct oweb_sentence sentence = { 0 };
	char app[16];

	oweb_sentence_say(&sentence, "Returning to full traffic");
	oweb_sentence_brief(&sentence);
	oweb_sentence_say(&sentence, ": %.0f %% still held back (%s, ", 100.0 * ocs->share_ppm / OC_PPM,
			  oc_report_type_text(ocs->type));
	oweb_sentence_state(&sentence, oweb_view_name(server, ocs->subject), ocs->version);
	oweb_sentence_say(&sentence, ", %s); nobody asks for less any more.", app_text(ocs->app_id, app));
	return oweb_sentence_end(&sentence, "busy");
}

/* That nobody is connected; NULL when somebody is. */
static json_t *closed(const struct oweb_node *node)
{
	uint32_t room = node->peers(node->ctx, NULL, 0), configured = 0, up = 0;
	struct oweb_peer *peer = calloc(room + 1, sizeof(*peer));
	uint32_t count = peer == NULL || room == 0 ? 0 : node->peers(node->ctx, peer, room);
	struct oweb_sentence sentence = { 0 };

	for (uint32_t i = 0; i < count && i < room; i++) {
		configured += peer[i].is_configured;
		up += peer[i].is_up;
	}
	free(peer);
	if (up > 0)
		return NULL;
	oweb_sentence_say(&sentence, "No Diameter peer is open; %" PRIu32 " %s configured", configured,
			  configured == 1 ? "is" : "are");
	oweb_sentence_brief(&sentence);
	oweb_sentence_say(&sentence, ". ");
	oweb_sentence_screen(&sentence, "See Pools", "pools");
	oweb_sentence_say(&sentence, ".");
	return oweb_sentence_end(&sentence, "bad");
}

/* Nobody asks for less, and nothing is held back any more. */
static json_t *silence(const struct oweb_server *server, const struct oweb_facts *facts)
{
	uint64_t now_us = oweb_server_wall_us(server), obeyed;
	uint64_t up_s = now_us > facts->started_us ? (now_us - facts->started_us) / 1000000 : 0;
	struct oweb_sentence sentence = { 0 };
	struct oc_stats stats = { 0 };
	char up[OWEB_WORDS_MAX], count[OWEB_WORDS_MAX];

	server->node->stats(server->node->ctx, &stats);
	obeyed = stats.value[OC_STAT_REPORTS_NEW] + stats.value[OC_STAT_REPORTS_UPDATED];
	oweb_words_time(up_s, up);
	oweb_sentence_say(&sentence, "Nobody %s for less", obeyed > 0 ? "asks" : "has asked");
	oweb_sentence_brief(&sentence);
	if (obeyed > 0)
		oweb_sentence_say(&sentence, " now; %s reports were obeyed since start (%s).",
				  oweb_words_count((double)obeyed, count), up);
	else
		oweb_sentence_say(&sentence, " since start (%s). That is normal.", up);
	return oweb_sentence_end(&sentence, "ok");
}

/* Nobody asks for less: that nobody could; what is held back still of a state that ended. */
static void add_quiet(json_t *list, const struct oweb_server *server, const struct asking *asking)
{
	const struct oc_ocs_view *ended = asking->held > 0 ? &asking->ocs[0] : NULL;
	bool is_returning =
		ended != NULL && ended->share_ppm > 0 && !asking->facts.is_observing && !ended->is_observed;
	json_t *none = closed(server->node);

	if (none != NULL)
		json_array_append_new(list, none);
	json_array_append_new(list,
			      is_returning ? returning(server, ended) : silence(server, &asking->facts));
}

static json_t *finished(void)
{
	struct oweb_sentence sentence = { 0 };

	oweb_sentence_say(&sentence,
			  "No agent runs here: what is shown is the end of a finished evidence folder");
	oweb_sentence_brief(&sentence);
	oweb_sentence_say(&sentence, ". Reports, pools and policy need a running agent.");
	return oweb_sentence_end(&sentence, "busy");
}

static json_t *more(uint32_t count)
{
	struct oweb_sentence sentence = { 0 };
	char text[40];

	snprintf(text, sizeof(text), "And %" PRIu32 " more.", count);
	oweb_sentence_screen(&sentence, text, "reports");
	return oweb_sentence_end(&sentence, "warn");
}

static void add_asking(json_t *list, const struct oweb_server *server, const struct asking *asking)
{
	uint64_t now_ns = oweb_server_now_ns(server), longest_s = 0;

	for (uint32_t i = 0; i < asking->states; i++) {
		uint64_t for_s = oweb_seconds_since(asking->ocs[i].begun_ns, now_ns);
		longest_s = for_s > longest_s ? for_s : longest_s;
		if (i < SENTENCES_MAX)
			json_array_append_new(list, state_sentence(server, asking, &asking->ocs[i]));
	}
	if (asking->states > SENTENCES_MAX)
		json_array_append_new(list, more(asking->states - SENTENCES_MAX));
	for (uint32_t i = 0; i < asking->orders && i < SENTENCES_MAX; i++)
		json_array_append_new(list, order_sentence(server, &asking->order[i]));
	json_t *heed = oweb_story_heed(server);
	if (heed != NULL)
		json_array_append_new(list, heed);
	json_array_append_new(list, oweb_story_cause(server, asking->past, longest_s));
}

json_t *oweb_view_sentences(const struct oweb_server *server)
{
	struct asking asking = { 0 };
	json_t *list = json_array();

	if (server->node == NULL) {
		json_array_append_new(list, finished());
		return list;
	}
	server->node->facts(server->node->ctx, &asking.facts);
	take_states(server->node, &asking);
	take_orders(server->node, &asking);
	if (asking.states + asking.orders > 0)
		asking.past = oweb_past_new(server->watch);
	if (asking.states + asking.orders > 0)
		add_asking(list, server, &asking);
	else
		add_quiet(list, server, &asking);
	free(asking.past);
	free(asking.ocs);
	free(asking.order);
	return list;
}
