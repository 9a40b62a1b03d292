/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A long life with something new in each slice of it.
 */
#include "audit_evidence.h"

#include <stdlib.h>

#include "tests/unit/replay/help_traffic.h"

#define START_NS 1000000000000ull
#define SLICES 100u
#define GAP_NS 50000u	    /* 20,000 requests a second, */
#define LATENCY_NS 5000000u /* some 200 of them under way */
#define JITTER_NS 10000000u
#define SEGMENTS 5u
#define OCTETS_PER_DECISION 92u

const char *const audit_facts_names[] = { "decisions", "forwarded", "diverted", "refused", "by_realm",
					  "by_host",   "by_peer",   "outcomes", "relayed", "success",
					  "reports",   "versions",  "drawn",	"selected" };
_Static_assert(sizeof(audit_facts_names) / sizeof(audit_facts_names[0]) == AUDIT_FACTS, "a name for each");

static void count_draw(struct audit_facts *facts, const struct oc_decision *d, const struct oc_look *look,
		       enum oc_scope scope)
{
	bool is_drawn = look->version != 0 && look->nth != 0;

	facts->drawn += is_drawn;
	facts->selected += is_drawn && d->selected_by == scope && (d->flags & OC_DEC_PROBE) == 0;
}

static void count_decision(struct audit_facts *facts, const struct oc_decision *d)
{
	bool for_report = d->verdict == OC_REFUSE && d->why == OC_WHY_REPORT;

	facts->decisions++;
	facts->forwarded += d->verdict == OC_FORWARD && d->next_hop != 0;
	facts->diverted += d->verdict == OC_DIVERT;
	facts->refused += d->verdict == OC_REFUSE;
	facts->by_realm += for_report && d->selected_by == OC_SCOPE_REALM;
	facts->by_host += for_report && d->selected_by == OC_SCOPE_HOST;
	facts->by_peer += for_report && d->selected_by == OC_SCOPE_PEER;
	count_draw(facts, d, &d->realm, OC_SCOPE_REALM);
	count_draw(facts, d, &d->host, OC_SCOPE_HOST);
	count_draw(facts, d, &d->peer, OC_SCOPE_PEER);
}

static void count_event(void *ctx, const struct oc_event *event)
{
	struct audit_facts *facts = ctx;

	switch (event->kind) {
	case OC_EVENT_DECISION:
		count_decision(facts, &event->u.decision);
		break;
	case OC_EVENT_OUTCOME: {
		const struct oc_event_outcome *outcome = &event->u.outcome;
		bool relayed = outcome->maker == OC_MADE_UPSTREAM;
		facts->outcomes++;
		facts->relayed += relayed;
		facts->success += relayed && outcome->result_code / 1000 == 2;
		break;
	}
	case OC_EVENT_REPORT:
		facts->reports++;
		break;
	case OC_EVENT_OCS_VERSION:
		facts->versions++;
		break;
	default:
		break;
	}
}

/* One server has something new to say: in ten slices six host reports of 30 %, of which one is of the realm, a rate, a
 * peer report, an end, and nothing. */
static void report(struct help_traffic *t, uint32_t slice)
{
	uint32_t server = slice % HELP_SERVERS;

	switch (slice % 10) {
	case 9:
		help_traffic_quiet(t, server);
		break;
	case 7:
		help_traffic_rate(t, server, 60 + slice, 10); /* a client sends 200 a second there */
		break;
	case 5:
		help_traffic_loss(t, server, OC_REPORT_PEER, 20, 5);
		break;
	case 3:
		help_traffic_loss(t, server, OC_REPORT_REALM, 10, 10);
		break;
	case 1:
		help_traffic_loss(t, server, OC_REPORT_HOST, 0, 0);
		break;
	default:
		help_traffic_loss(t, server, OC_REPORT_HOST, 30, 10);
	}
}

/* Loads, a report of the relay's own, a server that goes and comes back. */
static void upset(struct help_traffic *t, uint32_t slice)
{
	struct help_server *loaded = &t->servers[(slice + 1) % HELP_SERVERS];

	loaded->has_load = slice % 2 != 0;
	loaded->load = 600u * slice;
	if (slice % 20 == 3)
		help_traffic_order(t, 10);
	if (slice % 20 == 13)
		help_traffic_withdraw(t);
	if (slice % 25 == 11)
		help_traffic_peer(t, slice % HELP_SERVERS, false);
	for (uint32_t i = 0; slice % 25 == 12 && i < HELP_SERVERS; i++)
		if (!t->servers[i].is_up)
			help_traffic_peer(t, i, true);
}

void audit_evidence_make(const char *folder, uint64_t decisions, uint32_t sessions, struct audit_facts *facts)
{
	struct help_traffic *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	*facts = (struct audit_facts){ 0 };
	help_record_segment_mib((uint32_t)(decisions * OCTETS_PER_DECISION / SEGMENTS >> 20) + 1);
	help_traffic_begin(t, folder, START_NS, help_policy);
	t->record.watch = count_event;
	t->record.watch_ctx = facts;
	t->gap_ns = GAP_NS;
	t->latency_ns = LATENCY_NS;
	t->jitter_ns = JITTER_NS;
	t->apps = 3;
	t->sessions = sessions;
	for (uint32_t i = 0; i < SLICES; i++) {
		report(t, i);
		upset(t, i);
		help_traffic_run(t, decisions / SLICES);
	}
	help_traffic_pass(t, LATENCY_NS + 2 * JITTER_NS); /* every request has its answer */
	help_traffic_end(t);
	free(t);
}
