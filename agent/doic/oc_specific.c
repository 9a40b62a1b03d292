/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads the specific reductions of a report and finds the one that a request falls under.
 */
#include "oc_specific.h"

#include "../wire/oc_avp.h"
#include "../wire/oc_avp_walk.h"

#define REQUEST_TYPE_MAX 4u /* EVENT_REQUEST, RFC 8506 section 8.3 */

/* One reduction while it is read: its first percentage counts. */
struct reading {
	struct oc_specific_reduction *out;
	bool has_pct;
};

static bool read_rating_group(struct reading *reading, const struct oc_avp *avp)
{
	struct oc_specific_reduction *out = reading->out;

	if (oc_avp_len(avp) != OC_AVP_HEADER_VENDOR + 4u || out->group_count == OC_SPECIFIC_GROUPS_MAX)
		return false;
	out->rating_group[out->group_count++] = oc_octets_u32(oc_avp_vendor_value(avp).data);
	return true;
}

/* A type that is none would leave the list empty, and that means all types: it is a defect. */
static bool read_request_type(struct reading *reading, const struct oc_avp *avp)
{
	if (oc_avp_len(avp) != OC_AVP_HEADER_VENDOR + 4u)
		return false;
	uint32_t type = oc_octets_u32(oc_avp_vendor_value(avp).data);
	if (type == 0 || type > REQUEST_TYPE_MAX)
		return false;
	reading->out->request_types = (uint8_t)(reading->out->request_types | 1u << type);
	return true;
}

static bool read_percentage(struct reading *reading, const struct oc_avp *avp)
{
	if (oc_avp_len(avp) != OC_AVP_HEADER + 4u)
		return false;
	uint32_t pct = oc_octets_u32(oc_avp_value(avp).data);
	if (pct > 100)
		return false;
	if (!reading->has_pct)
		reading->out->reduction_pct = (uint8_t)pct;
	reading->has_pct = true;
	return true;
}

static bool read_field(struct reading *reading, const struct oc_avp *avp)
{
	if (oc_avp_is_of_vendor(avp, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP))
		return read_rating_group(reading, avp);
	if (oc_avp_is_of_vendor(avp, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE))
		return read_request_type(reading, avp);
	if (oc_avp_is_base(avp) && oc_avp_code(avp) == OC_AVP_REDUCTION_PERCENTAGE)
		return read_percentage(reading, avp);
	return true;
}

static bool read_reduction(struct oc_bytes group, uint8_t general_pct, struct oc_specific_reduction *out)
{
	struct oc_avp_walk walk = oc_avp_walk_of(group);
	struct reading reading = { .out = out };
	struct oc_avp avp;

	*out = (struct oc_specific_reduction){ .reduction_pct = general_pct };
	while (oc_avp_walk_next(&walk, &avp)) {
		if (!read_field(&reading, &avp))
			return false;
	}
	return oc_avp_walk_complete(&walk);
}

/* Finds the inner AVPs of @whole, which must be one OC-OLR and whole. */
static bool open_olr(struct oc_bytes whole, struct oc_avp_walk *inner)
{
	struct oc_avp_walk walk = oc_avp_walk_of(whole);
	struct oc_avp olr;

	if (!oc_avp_walk_next(&walk, &olr) || !oc_avp_is_base(&olr) || oc_avp_code(&olr) != OC_AVP_OLR)
		return false;
	*inner = oc_avp_walk_of(oc_avp_value(&olr));
	return true;
}

/* Reads all reductions; false at the first that cannot be taken as it is. */
static bool read_all(struct oc_avp_walk walk, uint8_t general_pct, struct oc_specific *out)
{
	struct oc_avp avp;

	while (oc_avp_walk_next(&walk, &avp)) {
		if (!oc_avp_is_of_vendor(&avp, OC_VENDOR_3GPP, OC_AVP3_SPECIFIC_REDUCTION))
			continue;
		if (out->count == OC_SPECIFIC_MAX)
			return false;
		struct oc_specific_reduction *reduction = &out->reduction[out->count++];
		if (!read_reduction(oc_avp_vendor_value(&avp), general_pct, reduction))
			return false;
		if (reduction->reduction_pct > out->highest_pct)
			out->highest_pct = reduction->reduction_pct;
	}
	return oc_avp_walk_complete(&walk);
}

bool oc_specific_read(struct oc_bytes whole, uint8_t general_pct, struct oc_specific *out)
{
	struct oc_avp_walk inner;

	out->count = 0;
	out->highest_pct = 0;
	bool is_good = open_olr(whole, &inner) && read_all(inner, general_pct, out) && out->count != 0;
	if (!is_good) {
		out->count = 0;
		out->highest_pct = 0;
	}
	return is_good;
}

static bool lists_group(const struct oc_specific_reduction *reduction, uint32_t group)
{
	for (unsigned i = 0; i < reduction->group_count; i++) {
		if (reduction->rating_group[i] == group)
			return true;
	}
	return false;
}

/* A request that names no rating group asks for none that is restricted. */
static bool groups_match(const struct oc_specific_reduction *reduction, const struct oc_msg *request)
{
	if (reduction->group_count == 0)
		return true;
	if (request->rating_group_count == 0 || request->has_more_rating_groups)
		return false;
	for (unsigned i = 0; i < request->rating_group_count; i++) {
		if (!lists_group(reduction, request->rating_group[i]))
			return false;
	}
	return true;
}

static bool matches(const struct oc_specific_reduction *reduction, const struct oc_msg *request)
{
	bool is_of_type = reduction->request_types == 0 ||
			  (reduction->request_types >> request->cc_request_type & 1u) != 0;

	return is_of_type && groups_match(reduction, request);
}

uint8_t oc_specific_pct(const struct oc_specific *specific, const struct oc_msg *request, uint8_t general_pct)
{
	for (uint32_t i = 0; i < specific->count; i++) {
		if (matches(&specific->reduction[i], request))
			return specific->reduction[i].reduction_pct;
	}
	return general_pct;
}
