/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Octets in and out, with an encoder of its own: what the agent writes is judged by what others read.
 */
#include "lab_wire.h"

#include <stdlib.h>
#include <string.h>

#include "agent/oc_agent.h"
#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_avp_walk.h"

#define HEADER 20u

/* The length of a message stands in its second to fourth octet; a group under construction has none. */
static void set_length(struct lab_octets *msg)
{
	if (msg->len >= HEADER && msg->data[0] == 1)
		oc_octets_put_u32(msg->data, 0x01000000u | msg->len);
}

void lab_wire_begin(struct lab_octets *msg, uint8_t flags, uint32_t app_id, uint32_t end_to_end)
{
	memset(msg->data, 0, HEADER);
	msg->data[0] = 1;
	msg->len = HEADER;
	oc_octets_put_u32(msg->data + 4, (uint32_t)flags << 24 | 272u);
	oc_octets_put_u32(msg->data + 8, app_id);
	oc_octets_put_u32(msg->data + 12, end_to_end);
	oc_octets_put_u32(msg->data + 16, end_to_end);
	set_length(msg);
}

void lab_wire_avp(struct lab_octets *to, uint32_t code, const void *value, size_t len)
{
	size_t padded = oc_avp_padded(len);
	uint8_t *at = to->data + to->len;

	if (to->len + OC_AVP_HEADER + padded > LAB_OCTETS_MAX)
		abort();
	memset(at, 0, OC_AVP_HEADER + padded);
	oc_octets_put_u32(at, code);
	oc_octets_put_u32(at + 4, (uint32_t)(OC_AVP_HEADER + len));
	memcpy(at + OC_AVP_HEADER, value, len);
	to->len = (uint16_t)(to->len + OC_AVP_HEADER + padded);
	set_length(to);
}

void lab_wire_text(struct lab_octets *to, uint32_t code, const char *text)
{
	lab_wire_avp(to, code, text, strlen(text));
}

void lab_wire_u32(struct lab_octets *to, uint32_t code, uint32_t value)
{
	uint8_t octets[4];

	oc_octets_put_u32(octets, value);
	lab_wire_avp(to, code, octets, sizeof(octets));
}

void lab_wire_u64(struct lab_octets *to, uint32_t code, uint64_t value)
{
	uint8_t octets[8];

	oc_octets_put_u64(octets, value);
	lab_wire_avp(to, code, octets, sizeof(octets));
}

void lab_wire_caps(struct lab_octets *msg, uint64_t vector, const char *source, uint64_t peer_algo)
{
	struct lab_octets group = { 0 };

	if (vector != 0)
		lab_wire_u64(&group, OC_AVP_FEATURE_VECTOR, vector);
	if (source)
		lab_wire_text(&group, OC_AVP_SOURCE_ID, source);
	if (peer_algo != 0)
		lab_wire_u64(&group, OC_AVP_PEER_ALGO, peer_algo);
	lab_wire_avp(msg, OC_AVP_SUPPORTED_FEATURES, group.data, group.len);
}

void lab_wire_olr(struct lab_octets *msg, const struct oc_olr *olr, const char *source)
{
	struct lab_octets group = { 0 };

	lab_wire_u64(&group, OC_AVP_SEQUENCE_NUMBER, olr->sequence);
	lab_wire_u32(&group, OC_AVP_REPORT_TYPE, olr->type);
	if (olr->has & OC_OLR_HAS_REDUCTION)
		lab_wire_u32(&group, OC_AVP_REDUCTION_PERCENTAGE, olr->reduction_pct);
	if (olr->has & OC_OLR_HAS_RATE)
		lab_wire_u32(&group, OC_AVP_MAXIMUM_RATE, olr->rate_rps);
	lab_wire_u32(&group, OC_AVP_VALIDITY_DURATION, olr->validity_s);
	if (source)
		lab_wire_text(&group, OC_AVP_SOURCE_ID, source);
	lab_wire_avp(msg, OC_AVP_OLR, group.data, group.len);
}

void lab_wire_load(struct lab_octets *msg, uint32_t type, uint32_t value, const char *source)
{
	struct lab_octets group = { 0 };

	lab_wire_u32(&group, OC_AVP_LOAD_TYPE, type);
	lab_wire_u64(&group, OC_AVP_LOAD_VALUE, value);
	lab_wire_text(&group, OC_AVP_SOURCE_ID, source);
	lab_wire_avp(msg, OC_AVP_LOAD, group.data, group.len);
}

void lab_wire_remove(struct lab_octets *msg, uint32_t code, uint32_t which, bool is_all)
{
	struct oc_bytes body = { .data = msg->data + HEADER, .len = msg->len - HEADER };
	struct oc_avp_walk walk = oc_avp_walk_of(body);
	struct oc_avp avp;
	uint16_t kept = HEADER;
	uint32_t seen = 0;

	while (oc_avp_walk_next(&walk, &avp)) {
		size_t len = oc_avp_padded(oc_avp_len(&avp));
		bool is_one = oc_avp_code(&avp) == code && oc_avp_is_base(&avp);
		uint32_t nth = is_one ? seen++ : 0;
		if (is_one && (is_all || (nth < 32 && (which >> nth & 1u))))
			continue;
		memmove(msg->data + kept, avp.at, len);
		kept = (uint16_t)(kept + len);
	}
	msg->len = kept;
	set_length(msg);
}

static void append(struct lab_octets *msg, uint32_t code, const struct oc_group *group)
{
	lab_wire_avp(msg, code, group->data, group->len);
}

void lab_wire_edit(struct lab_octets *msg, const struct oc_agent *agent, const struct oc_answer_edit *edit)
{
	struct oc_group group;

	lab_wire_remove(msg, OC_AVP_SUPPORTED_FEATURES, 0, edit->strip_caps);
	lab_wire_remove(msg, OC_AVP_OLR, edit->strip_olr, edit->strip_all_olr);
	lab_wire_remove(msg, OC_AVP_LOAD, edit->strip_load, edit->strip_all_load);
	lab_wire_remove(msg, OC_AVP_DRMP, 0, edit->strip_drmp || edit->rewrite_drmp);
	if (edit->rewrite_drmp)
		lab_wire_u32(msg, OC_AVP_DRMP, edit->drmp_to);
	if (edit->add_caps)
		append(msg, OC_AVP_SUPPORTED_FEATURES, &edit->caps);
	for (uint8_t i = 0; i < edit->own_count; i++) {
		if (oc_agent_encode_own(agent, &edit->own[i], &group) != 0)
			abort();
		append(msg, OC_AVP_OLR, &group);
	}
	if (edit->add_load) {
		if (oc_agent_encode_load(agent, edit->load_value, &group) != 0)
			abort();
		append(msg, OC_AVP_LOAD, &group);
	}
}
