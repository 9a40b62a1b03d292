/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * An independent reading of OC-OLR octets, to hold against what the node wrote into its columns.
 *
 * Deliberately not the agent's own decoder: a mistake there must not hide here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_avp.h"
#include "oev_audit_parts.h"

struct raw_olr {
	uint64_t sequence;
	uint32_t type, reduction_pct, validity_s, rate_rps;
	bool has_sequence, has_type, has_reduction, has_validity, has_rate;
	bool is_specific;
};

static uint64_t big_endian(const uint8_t *at, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		value = value << 8 | at[i];
	return value;
}

/* One AVP inside the group (RFC 6733 section 4.1). The first of several counts. */
static void take_avp(struct raw_olr *olr, uint32_t code, const uint8_t *value, size_t len)
{
	const struct {
		uint32_t code;
		uint32_t *out;
		bool *has;
	} words[] = {
		{ OC_AVP_REPORT_TYPE, &olr->type, &olr->has_type },
		{ OC_AVP_REDUCTION_PERCENTAGE, &olr->reduction_pct, &olr->has_reduction },
		{ OC_AVP_VALIDITY_DURATION, &olr->validity_s, &olr->has_validity },
		{ OC_AVP_MAXIMUM_RATE, &olr->rate_rps, &olr->has_rate },
	};

	if (code == OC_AVP_SEQUENCE_NUMBER && len == 8 && !olr->has_sequence) {
		olr->sequence = big_endian(value, 8);
		olr->has_sequence = true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i].code != code || len != 4 || *words[i].has)
			continue;
		*words[i].out = (uint32_t)big_endian(value, 4);
		*words[i].has = true;
	}
}

static int read_group(struct raw_olr *olr, const uint8_t *raw, size_t len)
{
	size_t at = 8;

	if (len < 8 || big_endian(raw, 4) != OC_AVP_OLR || (raw[4] & 0x80u) != 0)
		return OC_EMALFORMED;
	size_t end = (size_t)big_endian(raw + 5, 3);
	if (end < 8 || end > len)
		return OC_EMALFORMED;
	while (at < end) {
		if (end - at < 8)
			return OC_EMALFORMED;
		uint32_t code = (uint32_t)big_endian(raw + at, 4);
		bool vendor = (raw[at + 4] & 0x80u) != 0;
		size_t head = vendor ? 12 : 8, size = (size_t)big_endian(raw + at + 5, 3);
		if (size < head || size > end - at)
			return OC_EMALFORMED;
		uint32_t of = vendor ? (uint32_t)big_endian(raw + at + 8, 4) : 0;
		olr->is_specific |= of == OC_VENDOR_3GPP && code == OC_AVP3_SPECIFIC_REDUCTION;
		if (of == 0)
			take_avp(olr, code, raw + at + head, size - head);
		at += (size + 3u) & ~(size_t)3u;
	}
	return OC_OK;
}

static int differs(char *detail, size_t size, const char *what, uint64_t raw, const char *column)
{
	snprintf(detail, size, "raw octets say %s %" PRIu64 ", the column says %s", what, raw, column);
	return OC_EREFUSED;
}

int oev_audit_raw(const struct oev_report *report, const uint8_t *raw, size_t len, char *detail, size_t size)
{
	struct raw_olr olr = { 0 };
	char sequence[24], column[24];

	if (read_group(&olr, raw, len) != OC_OK) {
		snprintf(detail, size, "raw octets are no OC-OLR");
		return OC_EMALFORMED;
	}
	snprintf(sequence, sizeof(sequence), "%" PRIu64, olr.sequence);
	if (olr.has_sequence != report->has_sequence ||
	    (olr.has_sequence && strcmp(sequence, report->sequence) != 0))
		return differs(detail, size, "sequence", olr.sequence, report->sequence);
	const struct {
		const char *what;
		uint32_t raw, column;
		bool has_raw, has_column;
	} pairs[] = {
		{ "type", olr.type, report->type, olr.has_type, true },
		{ "reduction", olr.reduction_pct, report->reduction_pct, olr.has_reduction,
		  report->has_reduction },
		{ "validity", olr.validity_s, report->validity_s, olr.has_validity, report->has_validity },
		{ "rate", olr.rate_rps, report->rate_rps, olr.has_rate, report->has_rate },
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		snprintf(column, sizeof(column), pairs[i].has_column ? "%" PRIu32 : "absent",
			 pairs[i].column);
		if (pairs[i].has_raw != pairs[i].has_column ||
		    (pairs[i].has_raw && pairs[i].raw != pairs[i].column))
			return differs(detail, size, pairs[i].what, pairs[i].raw, column);
	}
	return OC_OK;
}

bool oev_audit_raw_is_specific(const uint8_t *raw, size_t len)
{
	struct raw_olr olr = { 0 };

	return read_group(&olr, raw, len) == OC_OK && olr.is_specific;
}
