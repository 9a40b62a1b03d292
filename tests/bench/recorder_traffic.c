/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making up the events of an overload.
 */
#include "recorder_traffic.h"

#include <stdio.h>
#include <stdlib.h>

#define SPACING_NS 50000u
#define DEADLINE_SLOTS 200000u /* 10 s */
#define START_NS 1000000000000u
#define HASH_BITS 47u

/* Requests are numbered from 0 here; an answer is due in the slot of a later request. */
struct traffic {
	uint64_t first_id;
	uint32_t requests;
	uint32_t at;	  /* request to be told next */
	uint32_t slot;	  /* whose answers are told */
	uint32_t *next;	  /* by request: the next one answered in the same slot, + 1 */
	uint32_t *due;	  /* by slot: the first one answered in it, + 1 */
	uint32_t session; /* number of the session that goes on */
	uint32_t rest;	  /* requests left in it */
	uint32_t swapped; /* the request that was put after the next one, + 1 */
	uint32_t nth;	  /* draws so far */
};

static uint64_t mix(uint64_t n)
{
	n ^= n >> 30;
	n *= 0xbf58476d1ce4e5b9u;
	n ^= n >> 27;
	n *= 0x94d049bb133111ebu;
	return n ^ (n >> 31);
}

struct traffic *traffic_new(uint64_t first_id, uint32_t requests)
{
	struct traffic *traffic = calloc(1, sizeof(*traffic));

	if (traffic) {
		traffic->next = calloc(requests, sizeof(*traffic->next));
		traffic->due = calloc((size_t)requests + DEADLINE_SLOTS + 1, sizeof(*traffic->due));
	}
	if (!traffic || !traffic->next || !traffic->due) {
		fprintf(stderr, "bench-recorder: out of memory\n");
		exit(2);
	}
	traffic->first_id = first_id;
	traffic->requests = requests;
	return traffic;
}

void traffic_free(struct traffic *traffic)
{
	free(traffic->next);
	free(traffic->due);
	free(traffic);
}

static bool is_refused(uint32_t request)
{
	return mix(request + 7) % 10 < 3;
}

/* From the request to its answer. */
static uint64_t latency_ns(uint32_t request)
{
	uint64_t chance = mix(request + 11);

	if (is_refused(request))
		return 20000 + chance % 30000;
	if (chance % 100 == 0)
		return (uint64_t)DEADLINE_SLOTS * SPACING_NS;
	double unit = (double)(chance >> 11) / 9007199254740992.0;
	return 300000 + (uint64_t)(unit * unit * unit * 19700000.0);
}

static uint64_t at_ns(uint32_t request)
{
	return START_NS + (uint64_t)request * SPACING_NS + mix(request + 13) % 20000;
}

static uint32_t server_of(uint32_t request)
{
	return 300 + (uint32_t)(mix(request + 5) % 8);
}

static void note_answer(struct traffic *traffic, uint32_t request)
{
	uint32_t slot = request + 1 + (uint32_t)(latency_ns(request) / SPACING_NS);

	traffic->next[request] = traffic->due[slot];
	traffic->due[slot] = request + 1;
}

static void tell_decision(struct traffic *traffic, uint32_t request, struct oc_event *out)
{
	struct oc_decision *d = &out->u.decision;
	uint64_t session = mix(traffic->session + 1000003u);
	bool refused = is_refused(request);

	if (traffic->rest-- == 0) {
		traffic->session++;
		traffic->rest = 1 + mix(traffic->session) % 3;
	}
	*out = (struct oc_event){ .kind = OC_EVENT_DECISION, .mono_ns = at_ns(request) + 9000 };
	d->id = traffic->first_id + request;
	d->at_ns = at_ns(request);
	d->out_ns = d->at_ns + 2000 + mix(request + 17) % 6000;
	d->session_hash = session >> (64 - HASH_BITS);
	d->subscriber_hash = mix(session % 5000000) >> (64 - HASH_BITS);
	d->random = mix(request + 19);
	d->host = (struct oc_look){ .version = 3, .share_ppm = 300000, .nth = ++traffic->nth };
	d->app_id = 16777238;
	d->command = 272;
	d->end_to_end = (uint32_t)mix(request + 23);
	d->client_peer = 10 + (uint32_t)(session % 4);
	d->origin_host = 30 + (uint32_t)(session % 50);
	d->origin_realm = 6;
	d->dest_realm = 5;
	d->candidates = 1;
	d->profile = 1 + (uint32_t)(session % 3);
	d->first_choice = server_of(request);
	d->next_hop = refused ? 0 : d->first_choice;
	d->verdict = refused ? OC_REFUSE : OC_FORWARD;
	d->why = refused ? OC_WHY_REPORT : OC_WHY_NONE;
	d->selected_by = refused ? OC_SCOPE_HOST : OC_SCOPE_NONE;
	d->result_code = refused ? OC_RC_UNABLE_TO_COMPLY : 0;
	d->klass = 2;
	d->drmp = OC_DRMP_NONE;
	d->cc_request_type = 1 + (uint8_t)(mix(request + 29) % 3);
	d->flags = OC_DEC_DOIC_CLIENT | OC_DEC_REALM_ROUTED;
	note_answer(traffic, request);
}

static void tell_outcome(const struct traffic *traffic, uint32_t request, struct oc_event *out)
{
	bool refused = is_refused(request);
	uint64_t took_ns = latency_ns(request);
	bool is_late = took_ns >= (uint64_t)DEADLINE_SLOTS * SPACING_NS;
	struct oc_event_outcome *e = &out->u.outcome;

	*out = (struct oc_event){ .kind = OC_EVENT_OUTCOME, .mono_ns = at_ns(request) + took_ns };
	*e = (struct oc_event_outcome){ .id = traffic->first_id + request, .took_ns = took_ns };
	e->maker = refused ? OC_MADE_AGENT : is_late ? OC_MADE_DEADLINE : OC_MADE_UPSTREAM;
	e->result_code = refused ? OC_RC_UNABLE_TO_COMPLY : is_late ? OC_RC_UNABLE_TO_DELIVER : OC_RC_SUCCESS;
	e->answered_by = refused || is_late ? 2 : server_of(request);
	e->answered_realm = 5;
	e->from_peer = refused || is_late ? 0 : server_of(request);
	e->attempts = refused ? 0 : 1;
}

/* Which request is told now: one in ten lets the next one pass. */
static uint32_t take_request(struct traffic *traffic)
{
	uint32_t request = traffic->at;

	if (traffic->swapped) {
		request = traffic->swapped - 1;
		traffic->swapped = 0;
	} else if (mix(request + 31) % 10 == 0 && request + 1 < traffic->requests) {
		traffic->swapped = request + 1;
		request++;
	}
	traffic->at++;
	return request;
}

bool traffic_next(struct traffic *traffic, struct oc_event *out)
{
	uint32_t slots = traffic->requests + DEADLINE_SLOTS;
	uint32_t *due = &traffic->due[traffic->slot];

	/* A swapped request may add to the slot of the one before: answers are told before the next request. */
	while (*due == 0 && traffic->slot < slots) {
		if (traffic->slot == traffic->at && traffic->at < traffic->requests) {
			tell_decision(traffic, take_request(traffic), out);
			return true;
		}
		due = &traffic->due[++traffic->slot];
	}
	if (*due == 0)
		return false;
	uint32_t request = *due - 1;
	*due = traffic->next[request];
	tell_outcome(traffic, request, out);
	return true;
}
