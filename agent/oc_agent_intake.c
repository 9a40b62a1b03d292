/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Taking in reports and deciding what of an answer's overload control may travel on.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "doic/oc_match.h"
#include "doic/oc_trust.h"
#include "wire/oc_avp.h"

/* One received report on its way in. */
struct arrival {
	const struct oc_msg *msg;
	const struct oc_olr *olr;
	uint32_t from_peer;
	uint32_t subject;
	uint64_t now_ns;
	enum oc_algo algorithm;
	enum oc_report_reason reason;
	enum oc_intake verdict;
	uint32_t version;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ (hash >> 29);
}

/* Equal for word-for-word repeats through the same peer. */
static uint64_t fingerprint_of(const struct arrival *a)
{
	const struct oc_olr *olr = a->olr;
	uint64_t hash = mix(a->from_peer, ((uint64_t)a->msg->app_id << 32) | a->subject);

	hash = mix(hash, ((uint64_t)a->msg->origin_host << 32) | a->msg->origin_realm);
	hash = mix(hash, olr->sequence);
	hash = mix(hash, ((uint64_t)olr->reduction_pct << 32) | olr->validity_s);
	hash = mix(hash, ((uint64_t)olr->type << 32) | olr->rate_rps);
	hash = mix(hash, ((uint64_t)olr->source << 32) | ((uint32_t)a->algorithm << 8) | olr->has);
	for (uint32_t i = 0; i < olr->raw_len; i++)
		hash = mix(hash, a->msg->raw[olr->raw_at + i]);
	return hash;
}

/* Octets of the whole AVP: from its own header when not all was kept. */
static uint16_t raw_total(const struct arrival *a)
{
	const uint8_t *raw = a->msg->raw + a->olr->raw_at;

	if (!(a->olr->has & OC_OLR_RAW_CUT) || a->olr->raw_len < 8)
		return a->olr->raw_len;
	uint32_t total = ((uint32_t)raw[5] << 16) | ((uint32_t)raw[6] << 8) | raw[7];
	return total > UINT16_MAX ? UINT16_MAX : (uint16_t)total;
}

static void tell_raw(const struct arrival *a, uint64_t report, struct oc_batch *batch)
{
	const struct oc_olr *olr = a->olr;

	for (uint32_t at = OC_EVENT_RAW_MAX; at < olr->raw_len; at += OC_EVENT_RAW_MAX) {
		uint32_t len = olr->raw_len - at;
		struct oc_event_report_raw *e =
			&oc_batch_add(batch, OC_EVENT_REPORT_RAW, a->now_ns)->u.report_raw;
		e->report = report;
		e->at = (uint16_t)at;
		e->raw_len = (uint16_t)(len < OC_EVENT_RAW_MAX ? len : OC_EVENT_RAW_MAX);
		memcpy(e->raw, a->msg->raw + olr->raw_at + at, e->raw_len);
	}
}

static void tell_report(const struct arrival *a, uint64_t report, struct oc_batch *batch)
{
	const struct oc_olr *olr = a->olr;
	struct oc_event_report *e = &oc_batch_add(batch, OC_EVENT_REPORT, a->now_ns)->u.report;

	e->report = report;
	e->sequence = olr->sequence;
	e->version = a->version;
	e->peer = a->from_peer;
	e->app_id = a->msg->app_id;
	e->subject = a->subject;
	e->origin_host = a->msg->origin_host;
	e->origin_realm = a->msg->origin_realm;
	e->type = olr->type;
	e->reduction_pct = olr->reduction_pct;
	e->validity_s = olr->validity_s;
	e->rate_rps = olr->rate_rps;
	e->has = olr->has;
	e->verdict = (uint8_t)a->verdict;
	e->reason = (uint8_t)a->reason;
	e->algorithm = (uint8_t)a->algorithm;
	e->raw_total = raw_total(a);
	e->raw_len = olr->raw_len < OC_EVENT_RAW_MAX ? olr->raw_len : OC_EVENT_RAW_MAX;
	memcpy(e->raw, a->msg->raw + olr->raw_at, e->raw_len);
	tell_raw(a, report, batch);
}

static void tell_version(const struct oc_ocs_entry *entry, const struct oc_ocs_record *record,
			 uint32_t replaces, struct oc_batch *batch)
{
	struct oc_event_ocs_version *e =
		&oc_batch_add(batch, OC_EVENT_OCS_VERSION, record->since_ns)->u.ocs_version;

	e->report = record->repeat.report;
	e->sequence = record->value.sequence;
	e->expires_ns = record->expires_ns;
	e->version = entry->version;
	e->replaces = replaces;
	e->app_id = entry->key.app_id;
	e->subject = entry->key.subject;
	e->reduction_pct = record->value.reduction_pct;
	e->validity_s = record->value.validity_s;
	e->type = entry->key.type;
	e->algorithm = record->value.algorithm;
}

/* A report that changed nothing: told once, then counted. */
static void tell_or_count(struct oc_agent *agent, struct arrival *a, const struct oc_ocs_entry *entry,
			  struct oc_batch *batch)
{
	uint64_t fingerprint = fingerprint_of(a);

	struct oc_repeat *own = entry ? &oc_ocs_record(agent->ocs, entry)->repeat : NULL;
	if (own && a->verdict == OC_INTAKE_REPEATED && own->fingerprint == fingerprint) {
		oc_repeat_count(own, a->now_ns);
		return;
	}
	fingerprint =
		mix(fingerprint, ((uint64_t)a->version << 32) | ((uint32_t)a->verdict << 8) | a->reason);
	struct oc_repeat *slot = oc_repeats_slot(&agent->repeats, fingerprint);
	if (slot->report != 0 && slot->fingerprint == fingerprint) {
		oc_repeat_count(slot, a->now_ns);
		return;
	}
	oc_agent_tell_repeat(slot, a->now_ns, batch);
	oc_repeat_begin(slot, ++agent->next_report, fingerprint);
	tell_report(a, slot->report, batch);
}

/* A report that makes a new version. False: no room. */
static bool accept(struct oc_agent *agent, struct arrival *a, const struct oc_ocs_key *key,
		   const struct oc_olr_value *value, struct oc_ocs_entry *old, struct oc_batch *batch)
{
	struct oc_ocs_birth birth = { .policy = &agent->policy,
				      .now_ns = a->now_ns,
				      .version = agent->next_version + 1 };
	uint32_t replaces = old ? old->version : 0;

	if (old) {
		bool is_end = value->validity_s == 0 && old->recover.phase == OC_PHASE_ACTIVE;
		oc_agent_tell_change(agent, old, is_end ? OC_END_ENDED : OC_END_REPLACED, a->now_ns, batch);
	}
	struct oc_ocs_entry *entry = oc_ocs_put(agent->ocs, old, key, value, &birth);
	if (!entry)
		return false;
	a->version = ++agent->next_version;
	struct oc_ocs_record *record = oc_ocs_record(agent->ocs, entry);
	oc_repeat_begin(&record->repeat, ++agent->next_report, fingerprint_of(a));
	tell_report(a, record->repeat.report, batch);
	tell_version(entry, record, replaces, batch);
	oc_agent_settle(agent, entry, a->now_ns, batch);
	return true;
}

static void count(struct oc_agent *agent, enum oc_intake verdict)
{
	static const enum oc_stat by_verdict[OC_INTAKE_COUNT] = {
		[OC_INTAKE_NEW] = OC_STAT_REPORTS_NEW,
		[OC_INTAKE_UPDATED] = OC_STAT_REPORTS_UPDATED,
		[OC_INTAKE_STALE] = OC_STAT_REPORTS_STALE,
		[OC_INTAKE_REPEATED] = OC_STAT_REPORTS_REPEATED,
		[OC_INTAKE_REFUSED] = OC_STAT_REPORTS_REFUSED,
	};
	agent->stats[by_verdict[verdict]]++;
}

/* Form, scope and values, in the order that lets an untrusted report be known as such whatever it says. */
static enum oc_report_reason judge(struct oc_agent *agent, const struct arrival *a,
				   struct oc_olr_value *value)
{
	struct oc_trust_case c = {
		.flags = oc_peers_trust(agent->peers, &agent->policy, a->from_peer),
		.is_from_origin = a->msg->origin_host == a->from_peer,
		.peer = oc_names_text(agent->names, a->from_peer),
		.realm = oc_names_text(agent->names, a->msg->origin_realm),
	};
	enum oc_report_reason reason = oc_olr_check_form(a->olr);

	if (reason == OC_REASON_NONE && a->olr->type == OC_REPORT_PEER)
		reason = OC_REASON_TYPE_UNSUPPORTED;
	if (reason == OC_REASON_NONE)
		reason = oc_trust_check_scope(&agent->policy, &c);
	if (reason == OC_REASON_NONE && a->algorithm == OC_ALGO_RATE)
		reason = OC_REASON_ALGORITHM;
	if (reason == OC_REASON_NONE)
		reason = oc_olr_value_from(a->olr, a->algorithm, value);
	return reason;
}

/* Holds a well-judged report against what is there. */
static void take(struct oc_agent *agent, struct arrival *a, const struct oc_olr_value *value,
		 struct oc_batch *batch)
{
	struct oc_ocs_key key = { .app_id = a->msg->app_id, .subject = a->subject, .type = value->type };
	struct oc_ocs_entry *entry;

	oc_agent_entry(agent, &key, a->now_ns, batch);
	a->verdict = oc_ocs_compare(agent->ocs, &key, value, a->now_ns, &entry);
	a->version = entry ? entry->version : 0;
	if (a->verdict == OC_INTAKE_STALE || a->verdict == OC_INTAKE_REPEATED) {
		tell_or_count(agent, a, entry, batch);
	} else if (!accept(agent, a, &key, value, entry, batch)) {
		a->verdict = OC_INTAKE_REFUSED;
		a->reason = OC_REASON_TABLE_FULL;
		tell_or_count(agent, a, NULL, batch);
	}
}

enum oc_report_reason oc_agent_intake(struct oc_agent *agent, const struct oc_msg *msg, uint32_t i,
				      uint32_t from_peer, enum oc_report_reason way, uint64_t now_ns,
				      struct oc_batch *batch)
{
	const struct oc_olr *olr = &msg->olr[i];
	struct oc_olr_value value;
	struct arrival a = {
		.msg = msg, .olr = olr, .from_peer = from_peer, .now_ns = now_ns, .reason = way
	};
	bool is_odd = false;

	a.subject = olr->type == OC_REPORT_REALM  ? msg->origin_realm
		    : olr->type == OC_REPORT_PEER ? olr->source
						  : msg->origin_host;
	if (oc_caps_usable(&msg->caps))
		a.algorithm = oc_caps_algorithm(&msg->caps, olr, &is_odd);
	agent->stats[OC_STAT_PROTOCOL_WARNINGS] += is_odd;
	if (way == OC_REASON_NONE)
		a.reason = judge(agent, &a, &value);
	a.verdict = OC_INTAKE_REFUSED;
	if (a.reason == OC_REASON_NONE)
		take(agent, &a, &value, batch);
	else
		tell_or_count(agent, &a, NULL, batch);
	count(agent, a.verdict);
	return a.reason;
}
