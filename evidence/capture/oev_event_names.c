/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Name numbers by kind of event: of those a capture has.
 */
#include "oev_event_names.h"

static uint32_t of_decision(const struct oc_decision *d, uint32_t *names)
{
	names[0] = d->client_peer;
	names[1] = d->origin_host;
	names[2] = d->origin_realm;
	names[3] = d->dest_host;
	names[4] = d->dest_realm;
	names[5] = d->next_hop;
	return 6;
}

static uint32_t of_report(const struct oc_event_report *report, uint32_t *names)
{
	names[0] = report->peer;
	names[1] = report->subject;
	names[2] = report->origin_host;
	names[3] = report->origin_realm;
	return 4;
}

static uint32_t of_outcome(const struct oc_event_outcome *outcome, uint32_t *names)
{
	names[0] = outcome->answered_by;
	names[1] = outcome->answered_realm;
	names[2] = outcome->from_peer;
	return 3;
}

static uint32_t of_capability(const struct oc_event_capability *capability, uint32_t *names)
{
	names[0] = capability->peer;
	names[1] = capability->source;
	names[2] = capability->origin_host;
	return 3;
}

uint32_t oev_event_names(const struct oc_event *event, uint32_t names[OEV_EVENT_NAMES_MAX])
{
	switch (event->kind) {
	case OC_EVENT_DECISION:
		return of_decision(&event->u.decision, names);
	case OC_EVENT_OUTCOME:
		return of_outcome(&event->u.outcome, names);
	case OC_EVENT_REPORT:
		return of_report(&event->u.report, names);
	case OC_EVENT_CAPABILITY:
		return of_capability(&event->u.capability, names);
	case OC_EVENT_OCS_VERSION:
		names[0] = event->u.ocs_version.subject;
		names[1] = event->u.ocs_version.origin;
		return 2;
	case OC_EVENT_LOAD:
		names[0] = event->u.load.node;
		names[1] = event->u.load.peer;
		return 2;
	case OC_EVENT_PROFILE:
		names[0] = event->u.profile.profile.source;
		return 1;
	default:
		return 0;
	}
}
