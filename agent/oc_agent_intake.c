/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A received report: whether it is believed, and what it changes.
 */
#include "oc_arrival.h"

#include "doic/oc_caps.h"
#include "doic/oc_match.h"
#include "doic/oc_trust.h"
#include "oc_err.h"
#include "wire/oc_avp.h"

/* A report that changed nothing: told once, then counted. */
static void tell_or_count(struct oc_agent *agent, struct oc_arrival *a, const struct oc_ocs_entry *entry,
			  struct oc_batch *batch)
{
	uint64_t fingerprint = oc_arrival_fingerprint(a);

	struct oc_repeat *own = entry ? &oc_ocs_record(agent->ocs, entry)->repeat : NULL;
	if (own && a->verdict == OC_INTAKE_REPEATED && own->fingerprint == fingerprint) {
		oc_repeat_count(own, a->now_ns);
		return;
	}
	fingerprint =
		(fingerprint ^ (((uint64_t)a->version << 32) | ((uint32_t)a->verdict << 8) | a->reason)) *
		0x9e3779b97f4a7c15ull;
	struct oc_repeat *slot = oc_repeats_slot(&agent->repeats, fingerprint);
	if (slot->report != 0 && slot->fingerprint == fingerprint) {
		oc_repeat_count(slot, a->now_ns);
		return;
	}
	oc_agent_tell_repeat(slot, a->now_ns, batch);
	oc_repeat_begin(slot, ++agent->next_report, fingerprint);
	oc_arrival_tell(a, slot->report, batch);
}

/* Ends the version @old, which a newer report takes the place of. */
static void give_way(struct oc_agent *agent, struct oc_ocs_entry *old, bool is_end, uint64_t now_ns,
		     struct oc_batch *batch)
{
	bool ends = is_end && old->recover.phase == OC_PHASE_ACTIVE;

	oc_agent_tell_change(agent, old, ends ? OC_END_ENDED : OC_END_REPLACED, now_ns, batch);
}

/* Spreads the buckets of equal agents, for who knows what was recorded: its own pseudonym of the session, and the time. */
static uint32_t chance_of(const struct oc_arrival *a)
{
	uint64_t x = (a->now_ns ^ a->txn->decision.session_hash) * 0x9e3779b97f4a7c15ull;

	x = (x ^ (x >> 32) ^ a->txn->decision.end_to_end) * 0xd6e8feb86659fd93ull;
	return (uint32_t)(x >> 32);
}

/* A report that makes a new version. False: no room. */
static bool accept(struct oc_agent *agent, struct oc_arrival *a, const struct oc_ocs_key *key,
		   const struct oc_olr_value *value, struct oc_ocs_entry *old, struct oc_batch *batch)
{
	struct oc_ocs_birth birth = { .policy = &agent->policy,
				      .now_ns = a->now_ns,
				      .version = agent->next_version + 1,
				      .random = chance_of(a),
				      .specific = a->specific.count ? &a->specific : NULL };
	uint32_t replaces = old ? old->version : 0;

	if (old)
		give_way(agent, old, value->validity_s == 0, a->now_ns, batch);
	struct oc_ocs_entry *entry = oc_ocs_put(agent->ocs, old, key, value, &birth);
	if (!entry)
		return false;
	a->version = ++agent->next_version;
	agent->has_peer_states |= key->type == OC_REPORT_PEER;
	struct oc_ocs_record *record = oc_ocs_record(agent->ocs, entry);
	record->via = a->from_peer;
	record->is_own = a->from_peer == agent->self;
	oc_repeat_begin(&record->repeat, ++agent->next_report, oc_arrival_fingerprint(a));
	oc_arrival_tell(a, record->repeat.report, batch);
	oc_arrival_tell_version(entry, record, replaces, batch);
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

/* Whether the peer may speak for what the report is about. A peer report is the neighbour's own or nobody's (D-200..D-204,
 * D-214); what this agent reports for itself has one source (D-113, D-115). */
static enum oc_report_reason check_scope(struct oc_agent *agent, const struct oc_arrival *a)
{
	struct oc_trust_case c = {
		.flags = oc_peers_trust(agent->peers, &agent->policy, a->from_peer),
		.is_from_origin = oc_name_is_same(a->msg->origin_host, a->from_peer),
		.peer = oc_names_text(agent->names, a->from_peer),
		.realm = oc_names_text(agent->names, a->msg->origin_realm),
	};

	if (a->olr->type == OC_REPORT_PEER)
		return (a->olr->has & OC_OLR_HAS_SOURCE) && oc_name_is_same(a->olr->source, a->from_peer)
			       ? OC_REASON_NONE
			       : OC_REASON_SOURCE_MISMATCH;
	enum oc_report_reason reason = oc_trust_check_scope(&agent->policy, &c);
	if (reason != OC_REASON_NONE || oc_reports_count(agent->reports) == 0)
		return reason;
	if (!oc_reports_has(agent->reports, (uint8_t)a->olr->type, a->msg->app_id, a->subject))
		return OC_REASON_NONE;
	agent->stats[OC_STAT_REPORT_CLASHES]++;
	return OC_REASON_CLASH;
}

/* What it means, with the specific reductions a loss report on Gy may have (spec section 3.5). */
static enum oc_report_reason read_value(struct oc_arrival *a, struct oc_olr_value *value)
{
	struct oc_bytes whole = { .data = a->msg->raw + a->olr->raw_at, .len = a->olr->raw_len };
	bool has_general = (a->olr->has & OC_OLR_HAS_REDUCTION) && a->olr->reduction_pct <= 100;
	uint8_t general_pct = has_general ? (uint8_t)a->olr->reduction_pct : 0;

	if (a->msg->app_id != OC_APP_GY || a->algorithm != OC_ALGO_LOSS || (a->olr->has & OC_OLR_RAW_CUT) ||
	    !oc_specific_read(whole, general_pct, &a->specific))
		return oc_olr_value_from(a->olr, a->algorithm, value);
	return oc_olr_value_with_specific(a->olr, a->algorithm, value);
}

/* Form, scope and values, in the order that lets an untrusted report be known as such whatever it says. */
static enum oc_report_reason judge(struct oc_agent *agent, struct oc_arrival *a, struct oc_olr_value *value)
{
	enum oc_report_reason reason = oc_olr_check_form(a->olr);

	if (reason == OC_REASON_NONE)
		reason = check_scope(agent, a);
	if (reason == OC_REASON_NONE && a->algorithm == OC_ALGO_RATE && !agent->policy.rate.is_on)
		reason = OC_REASON_ALGORITHM;
	return reason == OC_REASON_NONE ? read_value(a, value) : reason;
}

/* Key of the state a rate allotted to this transaction's side alone has, or would have. */
static struct oc_ocs_key key_of(const struct oc_arrival *a, const struct oc_olr_value *value,
				bool is_allotted)
{
	return (struct oc_ocs_key){ .app_id = a->msg->app_id,
				    .subject = a->subject,
				    .origin = is_allotted ? a->origin & 0xffffffu : 0,
				    .type = value->type };
}

/* The other state the same reporting node may have here: for all against for one. A report must be newer than that
 * too, since numbers are one row per type (D-092). */
static enum oc_intake compare_rival(struct oc_agent *agent, const struct oc_arrival *a,
				    const struct oc_olr_value *value, enum oc_intake verdict,
				    struct oc_ocs_entry **rival, struct oc_batch *batch)
{
	struct oc_ocs_key key = key_of(a, value, value->algorithm != OC_ALGO_RATE);

	*rival = NULL;
	if (a->origin == OC_NAME_NONE || value->type == OC_REPORT_PEER ||
	    (value->algorithm != OC_ALGO_RATE && oc_ocs_with_origin(agent->ocs) == 0))
		return verdict;
	struct oc_ocs_entry *entry = oc_agent_entry(agent, &key, a->now_ns, batch);
	if (!entry || entry->recover.phase != OC_PHASE_ACTIVE)
		return verdict;
	enum oc_intake other = oc_ocs_compare(agent->ocs, &key, value, a->now_ns, rival);
	return other == OC_INTAKE_UPDATED ? verdict : other;
}

/* A loss report for all ends the rate its receiver had alone. */
static void end_rival(struct oc_agent *agent, struct oc_ocs_entry *rival, const struct oc_olr_value *value,
		      uint64_t now_ns, struct oc_batch *batch)
{
	if (!rival || value->algorithm == OC_ALGO_RATE)
		return;
	give_way(agent, rival, false, now_ns, batch);
	oc_ocs_forget(agent->ocs, rival);
}

/* Holds a well-judged report against what is there. */
static void take(struct oc_agent *agent, struct oc_arrival *a, const struct oc_olr_value *value,
		 struct oc_batch *batch)
{
	struct oc_ocs_key key = key_of(a, value, value->algorithm == OC_ALGO_RATE);
	struct oc_ocs_entry *entry;
	struct oc_ocs_entry *rival = NULL;

	oc_agent_entry(agent, &key, a->now_ns, batch);
	a->verdict = oc_ocs_compare(agent->ocs, &key, value, a->now_ns, &entry);
	a->version = entry ? entry->version : 0;
	if (a->verdict == OC_INTAKE_NEW || a->verdict == OC_INTAKE_UPDATED)
		a->verdict = compare_rival(agent, a, value, a->verdict, &rival, batch);
	if (a->verdict == OC_INTAKE_STALE || a->verdict == OC_INTAKE_REPEATED) {
		tell_or_count(agent, a, entry, batch);
		return;
	}
	end_rival(agent, rival, value, a->now_ns, batch);
	if (!accept(agent, a, &key, value, entry, batch)) {
		a->verdict = OC_INTAKE_REFUSED;
		a->reason = OC_REASON_TABLE_FULL;
		tell_or_count(agent, a, NULL, batch);
	}
}

static void name_parties(struct oc_arrival *a)
{
	const struct oc_msg *msg = a->msg;

	switch (a->olr->type) {
	case OC_REPORT_REALM:
		a->subject = msg->origin_realm;
		a->origin = a->txn->decision.origin_realm;
		break;
	case OC_REPORT_PEER:
		a->subject = a->olr->source;
		break;
	default:
		a->subject = msg->origin_host;
		a->origin = a->txn->decision.origin_host;
		break;
	}
}

enum oc_report_reason oc_agent_intake(struct oc_agent *agent, const struct oc_msg *msg, uint32_t i,
				      uint32_t from_peer, enum oc_report_reason way, const struct oc_txn *txn,
				      uint64_t now_ns, struct oc_batch *batch)
{
	struct oc_olr_value value;
	struct oc_arrival a = { .msg = msg,
				.olr = &msg->olr[i],
				.txn = txn,
				.from_peer = from_peer,
				.now_ns = now_ns,
				.reason = way };
	bool is_odd = false;

	name_parties(&a);
	if (oc_caps_usable(&msg->caps))
		a.algorithm = oc_caps_algorithm(&msg->caps, a.olr, &is_odd);
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

/* The octets of the one report in @msg, as our neighbours get them. */
static void keep_octets(struct oc_msg *msg)
{
	struct oc_group group;
	size_t len = 0;

	if (oc_encode_olr(&group, &msg->olr[0], NULL) != OC_OK ||
	    oc_encode_group(&group, OC_AVP_OLR, msg->raw, sizeof(msg->raw), &len) != OC_OK)
		return;
	msg->olr[0].raw_len = msg->raw_len = (uint16_t)len;
}

void oc_agent_hold_own(struct oc_agent *agent, const struct oc_ocs_key *key, const struct oc_olr_value *value,
		       uint64_t now_ns, struct oc_batch *batch)
{
	struct oc_msg msg = { .app_id = key->app_id,
			      .origin_host = agent->self,
			      .origin_realm = agent->self_realm,
			      .olr_count = 1 };
	struct oc_txn none = { 0 };
	struct oc_arrival a = { .msg = &msg,
				.olr = &msg.olr[0],
				.txn = &none,
				.from_peer = agent->self,
				.subject = key->subject,
				.now_ns = now_ns,
				.algorithm = (enum oc_algo)value->algorithm };

	msg.olr[0] = (struct oc_olr){ .sequence = value->sequence,
				      .type = key->type,
				      .reduction_pct = value->reduction_pct,
				      .validity_s = value->validity_s,
				      .rate_rps = value->rate_rps,
				      .has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY };
	msg.olr[0].has |= value->algorithm == OC_ALGO_RATE ? OC_OLR_HAS_RATE : OC_OLR_HAS_REDUCTION;
	keep_octets(&msg);
	struct oc_ocs_entry *old = oc_agent_entry(agent, key, now_ns, batch);
	a.verdict = old ? OC_INTAKE_UPDATED : OC_INTAKE_NEW;
	if ((!old && agent->is_full_assumed) || !accept(agent, &a, key, value, old, batch)) {
		a.verdict = OC_INTAKE_REFUSED;
		a.reason = OC_REASON_TABLE_FULL;
		tell_or_count(agent, &a, NULL, batch);
	}
	count(agent, a.verdict);
}
