/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads OC-Supported-Features, OC-OLR and Load: sub-AVPs in any order, M set or clear (spec rows D-263,
 * D-264, L-21), the first of each kind counts, unknown ones are passed over, defects mark the group only.
 */
#include "oc_scan.h"

#include <string.h>

#include "oc_avp.h"

/* Where one value of a group goes: presence is noted in *has. */
struct field {
	uint8_t *has;
	uint8_t present;   /* flag for "has this value" */
	uint8_t malformed; /* flag for "the group has a defect" */
};

static bool field_opens(const struct field *field, bool well_formed)
{
	if (!well_formed) {
		*field->has |= field->malformed;
		return false;
	}
	bool is_first = (*field->has & field->present) == 0;
	*field->has |= field->present;
	return is_first;
}

static void read_u32(const struct field *field, const struct oc_avp *avp, uint32_t *value)
{
	if (field_opens(field, oc_avp_len(avp) == OC_AVP_HEADER + 4u))
		*value = oc_octets_u32(avp->at + OC_AVP_HEADER);
}

static void read_u64(const struct field *field, const struct oc_avp *avp, uint64_t *value)
{
	if (field_opens(field, oc_avp_len(avp) == OC_AVP_HEADER + 8u))
		*value = oc_octets_u64(avp->at + OC_AVP_HEADER);
}

/* A SourceID that is no name at all is a defect of the group. Only the first is looked at: the table of
 * new names has room for one of each group. */
static void read_source(struct oc_scan *scan, const struct field *field, const struct oc_avp *avp,
			uint32_t *source)
{
	if ((*field->has & field->present) != 0)
		return;
	uint32_t id = oc_scan_name(scan, avp);
	if (field_opens(field, id != OC_NAME_NONE))
		*source = id;
}

/* Keeps the octets of the whole AVP, or as many as there is room for. Returns how many. */
static uint16_t keep_raw(struct oc_msg *msg, const struct oc_avp *avp, uint16_t *at)
{
	uint32_t room = OC_MSG_RAW_MAX - msg->raw_len;
	uint32_t kept = oc_avp_len(avp) < room ? oc_avp_len(avp) : room;

	*at = msg->raw_len;
	memcpy(msg->raw + msg->raw_len, avp->at, kept);
	msg->raw_len = (uint16_t)(msg->raw_len + kept);
	return (uint16_t)kept;
}

static void count_up(uint8_t *counter)
{
	if (*counter < UINT8_MAX)
		++*counter;
}

static void caps_field(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_caps *caps = &scan->msg->caps;
	struct field field = { .has = &caps->has, .malformed = OC_CAPS_MALFORMED };

	switch (oc_avp_code(avp)) {
	case OC_AVP_FEATURE_VECTOR:
		field.present = OC_CAPS_HAS_VECTOR;
		read_u64(&field, avp, &caps->vector);
		break;
	case OC_AVP_PEER_ALGO:
		field.present = OC_CAPS_HAS_PEER_ALGO;
		read_u64(&field, avp, &caps->peer_algo);
		break;
	case OC_AVP_SOURCE_ID:
		field.present = OC_CAPS_HAS_SOURCE;
		read_source(scan, &field, avp, &caps->source);
		break;
	default:
		break;
	}
}

void oc_scan_caps(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_caps *caps = &scan->msg->caps;
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_value(avp));
	struct oc_avp inner;

	count_up(&scan->msg->doic_avps);
	if ((caps->has & OC_CAPS_PRESENT) != 0) {
		caps->has |= OC_CAPS_REPEATED;
		return;
	}
	caps->has = OC_CAPS_PRESENT;
	while (oc_avp_walk_next_base(&walk, &inner))
		caps_field(scan, &inner);
	if (!oc_avp_walk_complete(&walk))
		caps->has |= OC_CAPS_MALFORMED;
	caps->raw_len = keep_raw(scan->msg, avp, &caps->raw_at);
	if (caps->raw_len < oc_avp_len(avp))
		caps->has |= OC_CAPS_RAW_CUT;
}

static void olr_field(struct oc_scan *scan, struct oc_olr *olr, const struct oc_avp *avp)
{
	struct field field = { .has = &olr->has, .malformed = OC_OLR_MALFORMED };

	switch (oc_avp_code(avp)) {
	case OC_AVP_SEQUENCE_NUMBER:
		field.present = OC_OLR_HAS_SEQUENCE;
		read_u64(&field, avp, &olr->sequence);
		break;
	case OC_AVP_REPORT_TYPE:
		field.present = OC_OLR_HAS_TYPE;
		read_u32(&field, avp, &olr->type);
		break;
	case OC_AVP_REDUCTION_PERCENTAGE:
		field.present = OC_OLR_HAS_REDUCTION;
		read_u32(&field, avp, &olr->reduction_pct);
		break;
	case OC_AVP_VALIDITY_DURATION:
		field.present = OC_OLR_HAS_VALIDITY;
		read_u32(&field, avp, &olr->validity_s);
		break;
	case OC_AVP_MAXIMUM_RATE:
		field.present = OC_OLR_HAS_RATE;
		read_u32(&field, avp, &olr->rate_rps);
		break;
	case OC_AVP_SOURCE_ID:
		field.present = OC_OLR_HAS_SOURCE;
		read_source(scan, &field, avp, &olr->source);
		break;
	default:
		break;
	}
}

void oc_scan_olr(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_msg *msg = scan->msg;
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_value(avp));
	struct oc_avp inner;

	count_up(&msg->doic_avps);
	if (msg->olr_count == OC_MSG_OLR_MAX) {
		count_up(&msg->olr_excess);
		return;
	}
	struct oc_olr *olr = &msg->olr[msg->olr_count++];
	*olr = (struct oc_olr){ 0 };
	while (oc_avp_walk_next_base(&walk, &inner))
		olr_field(scan, olr, &inner);
	if (!oc_avp_walk_complete(&walk))
		olr->has |= OC_OLR_MALFORMED;
	olr->raw_len = keep_raw(msg, avp, &olr->raw_at);
	if (olr->raw_len < oc_avp_len(avp))
		olr->has |= OC_OLR_RAW_CUT;
}

static void load_field(struct oc_scan *scan, struct oc_load_avp *load, const struct oc_avp *avp)
{
	struct field field = { .has = &load->has, .malformed = OC_LOAD_MALFORMED };

	switch (oc_avp_code(avp)) {
	case OC_AVP_LOAD_TYPE:
		field.present = OC_LOAD_HAS_TYPE;
		read_u32(&field, avp, &load->type);
		break;
	case OC_AVP_LOAD_VALUE:
		field.present = OC_LOAD_HAS_VALUE;
		read_u64(&field, avp, &load->value);
		break;
	case OC_AVP_SOURCE_ID:
		field.present = OC_LOAD_HAS_SOURCE;
		read_source(scan, &field, avp, &load->source);
		break;
	default:
		break;
	}
}

void oc_scan_load(struct oc_scan *scan, const struct oc_avp *avp)
{
	struct oc_msg *msg = scan->msg;
	struct oc_avp_walk walk = oc_avp_walk_of(oc_avp_value(avp));
	struct oc_avp inner;

	count_up(&msg->load_avps);
	if (oc_msg_is_request(msg) || msg->load_count == OC_MSG_LOAD_MAX)
		return;
	struct oc_load_avp *load = &msg->load[msg->load_count++];
	*load = (struct oc_load_avp){ 0 }; /* the caller need not have zeroed it */
	while (oc_avp_walk_next_base(&walk, &inner))
		load_field(scan, load, &inner);
	if (!oc_avp_walk_complete(&walk))
		load->has |= OC_LOAD_MALFORMED;
}
