/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sizes and words of events.
 */
#include "oc_event.h"

#define PART_SIZE(member) sizeof(((struct oc_event *)0)->u.member)

static const uint16_t part_sizes[] = {
	[OC_EVENT_NONE] = 0,
	[OC_EVENT_NAME] = PART_SIZE(name),
	[OC_EVENT_PEER] = PART_SIZE(peer),
	[OC_EVENT_CAPABILITY] = PART_SIZE(capability),
	[OC_EVENT_REPORT] = PART_SIZE(report),
	[OC_EVENT_REPORT_RAW] = PART_SIZE(report_raw),
	[OC_EVENT_REPORT_REPEAT] = PART_SIZE(report_repeat),
	[OC_EVENT_OCS_VERSION] = PART_SIZE(ocs_version),
	[OC_EVENT_OCS_CHANGE] = PART_SIZE(ocs_change),
	[OC_EVENT_DECISION] = PART_SIZE(decision),
	[OC_EVENT_OUTCOME] = PART_SIZE(outcome),
	[OC_EVENT_OWN_REPORT] = PART_SIZE(own_report),
	[OC_EVENT_OWN_SENT] = PART_SIZE(own_sent),
	[OC_EVENT_LOAD] = PART_SIZE(load),
	[OC_EVENT_PROFILE] = PART_SIZE(profile),
	[OC_EVENT_CANDIDATES] = PART_SIZE(candidates),
	[OC_EVENT_ORDER] = PART_SIZE(order),
	[OC_EVENT_IDENTITY] = PART_SIZE(identity),
	[OC_EVENT_ACT] = PART_SIZE(act),
};
_Static_assert(sizeof(part_sizes) / sizeof(part_sizes[0]) == OC_EVENT_KIND_COUNT, "one size per kind");

static const char *const kinds[OC_EVENT_KIND_COUNT] = {
	"none",	       "name",	     "peer",	 "capability", "report",     "report_raw", "report_repeat",
	"ocs_version", "ocs_change", "decision", "outcome",    "own_report", "own_sent",   "load",
	"profile",     "candidates", "order",	 "identity",   "act",
};
static const char *const report_types[OC_REPORT_COUNT] = { "host", "realm", "peer" };
static const char *const algos[OC_ALGO_COUNT] = { "none", "loss", "rate" };
static const char *const intakes[OC_INTAKE_COUNT] = {
	"new", "updated", "stale", "repeated", "refused",
};
static const char *const report_reasons[OC_REASON_COUNT] = {
	"",
	"untrusted_peer",
	"not_adjacent",
	"out_of_scope",
	"no_features",
	"not_announced",
	"in_request",
	"type_unsupported",
	"incomplete",
	"percentage_range",
	"percentage_missing",
	"algorithm",
	"malformed",
	"source_mismatch",
	"table_full",
	"unsolicited",
	"rate_missing",
	"clash",
};
static const char *const ocs_ends[OC_END_COUNT] = {
	"expired", "ended", "replaced", "recovered", "forgotten", "shutdown",
};
static const char *const scopes[OC_SCOPE_COUNT] = { "none", "realm", "host", "peer" };
static const char *const verdicts[OC_VERDICT_COUNT] = { "forwarded", "diverted", "refused" };
static const char *const whys[OC_WHY_COUNT] = { "", "report", "outstanding", "failopen", "unrouted", "own" };
static const char *const makers[OC_MADE_COUNT] = { "upstream", "agent", "deadline", "daemon", "lost" };

static const char *const report_steps[OC_REPORT_STEP_COUNT] = { "begun", "changed", "renewed", "ended",
								"gone" };
static const char *const order_bys[OC_BY_COUNT] = { "policy", "control", "law" };
static const char *const identity_kinds[OC_IDENTITY_KIND_COUNT] = { "session", "subscriber" };
static const char *const load_types[OC_LOAD_TYPE_COUNT] = { "host", "peer" };

static const char *word(const char *const *table, unsigned count, unsigned value)
{
	return value < count ? table[value] : "?";
}

size_t oc_event_size(const struct oc_event *event)
{
	if (event->kind == OC_EVENT_NONE || event->kind >= OC_EVENT_KIND_COUNT)
		return 0;
	return (offsetof(struct oc_event, u) + part_sizes[event->kind] + 7u) & ~(size_t)7u;
}

const char *oc_event_kind_text(unsigned kind)
{
	return word(kinds, OC_EVENT_KIND_COUNT, kind);
}

const char *oc_report_type_text(unsigned type)
{
	return word(report_types, OC_REPORT_COUNT, type);
}

const char *oc_algo_text(unsigned algo)
{
	return word(algos, OC_ALGO_COUNT, algo);
}

const char *oc_intake_text(unsigned verdict)
{
	return word(intakes, OC_INTAKE_COUNT, verdict);
}

const char *oc_report_reason_text(unsigned reason)
{
	return word(report_reasons, OC_REASON_COUNT, reason);
}

const char *oc_ocs_end_text(unsigned how)
{
	return word(ocs_ends, OC_END_COUNT, how);
}

const char *oc_scope_text(unsigned scope)
{
	return word(scopes, OC_SCOPE_COUNT, scope);
}

const char *oc_verdict_text(unsigned verdict)
{
	return word(verdicts, OC_VERDICT_COUNT, verdict);
}

const char *oc_why_text(unsigned why)
{
	return word(whys, OC_WHY_COUNT, why);
}

const char *oc_maker_text(unsigned maker)
{
	return word(makers, OC_MADE_COUNT, maker);
}

const char *oc_report_step_text(unsigned step)
{
	return word(report_steps, OC_REPORT_STEP_COUNT, step);
}

const char *oc_load_type_text(unsigned type)
{
	return word(load_types, OC_LOAD_TYPE_COUNT, type);
}

const char *oc_order_by_text(unsigned by)
{
	return word(order_bys, OC_BY_COUNT, by);
}

const char *oc_identity_kind_text(unsigned kind)
{
	return word(identity_kinds, OC_IDENTITY_KIND_COUNT, kind);
}
