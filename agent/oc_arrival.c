/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Events of a received report: itself, the rest of its octets, the version it made.
 */
#include "oc_arrival.h"

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ (hash >> 29);
}

uint64_t oc_arrival_fingerprint(const struct oc_arrival *a)
{
	const struct oc_olr *olr = a->olr;
	uint32_t origin = a->algorithm == OC_ALGO_RATE ? a->origin : OC_NAME_NONE;
	uint64_t hash = mix(a->from_peer, ((uint64_t)a->msg->app_id << 32) | a->subject);

	hash = mix(hash, ((uint64_t)a->msg->origin_host << 32) | a->msg->origin_realm);
	hash = mix(hash, olr->sequence ^ ((uint64_t)origin << 40));
	hash = mix(hash, ((uint64_t)olr->reduction_pct << 32) | olr->validity_s);
	hash = mix(hash, ((uint64_t)olr->type << 32) | olr->rate_rps);
	hash = mix(hash, ((uint64_t)olr->source << 32) | ((uint32_t)a->algorithm << 8) | olr->has);
	for (uint32_t i = 0; i < olr->raw_len; i++)
		hash = mix(hash, a->msg->raw[olr->raw_at + i]);
	return hash;
}

/* Octets of the whole AVP: from its own header when not all was kept. */
static uint16_t raw_total(const struct oc_arrival *a)
{
	const uint8_t *raw = a->msg->raw + a->olr->raw_at;

	if (!(a->olr->has & OC_OLR_RAW_CUT) || a->olr->raw_len < 8)
		return a->olr->raw_len;
	uint32_t total = ((uint32_t)raw[5] << 16) | ((uint32_t)raw[6] << 8) | raw[7];
	return total > UINT16_MAX ? UINT16_MAX : (uint16_t)total;
}

static void tell_raw(const struct oc_arrival *a, uint64_t report, struct oc_batch *batch)
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

void oc_arrival_tell(const struct oc_arrival *a, uint64_t report, struct oc_batch *batch)
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

void oc_arrival_tell_version(const struct oc_ocs_entry *entry, const struct oc_ocs_record *record,
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
	e->rate_rps = record->value.rate_rps;
	e->origin = entry->key.origin;
	e->type = (uint8_t)entry->key.type;
	e->algorithm = record->value.algorithm;
}
