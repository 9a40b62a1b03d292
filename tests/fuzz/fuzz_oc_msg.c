/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzzes the scanner, then the rewrite of the features it kept, then the scan of what that wrote; the same for Load;
 * and what is read of specific reductions.
 */
#include <stdlib.h>
#include <string.h>

#include "agent/doic/oc_specific.h"
#include "agent/oc_err.h"
#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_encode.h"
#include "agent/wire/oc_names.h"
#include "agent/wire/oc_octets.h"

#define NAMES 18u /* the two reserved ones, and all that one message can bring */
#define VECTOR (OC_FV_LOSS | OC_FV_PEER_REPORT)
#define HEADER 20u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_scan(const struct oc_msg *msg, int err, const struct oc_msg_found *fresh)
{
	expect(err == OC_OK || err == OC_EMALFORMED);
	expect(msg->olr_count <= OC_MSG_OLR_MAX && msg->raw_len <= OC_MSG_RAW_MAX);
	expect(msg->caps.raw_at + msg->caps.raw_len <= msg->raw_len);
	for (unsigned i = 0; i < msg->olr_count; i++)
		expect(msg->olr[i].raw_at + msg->olr[i].raw_len <= msg->raw_len);
	expect(fresh->count <= NAMES - 2);
}

/* What comes beside reports: within its bounds, and only in the messages that can bring it. */
static void check_rest(const struct oc_msg *msg)
{
	expect(msg->load_count <= OC_MSG_LOAD_MAX && msg->load_count <= msg->load_avps);
	expect(msg->rating_group_count <= OC_MSG_RATING_GROUPS_MAX && msg->apn_len <= OC_MSG_APN_MAX);
	expect(msg->reservation_priority <= 15 && (msg->hints & ~0x3ffu) == 0);
	expect((msg->hints & OC_HINT_DRMP_ODD) == 0 || msg->drmp == OC_DRMP_NONE);
	if (oc_msg_is_request(msg))
		expect(msg->load_count == 0);
	else
		expect((msg->hints & ~(OC_HINT_DRMP | OC_HINT_DRMP_ODD)) == 0 &&
		       msg->reservation_priority == 0 && msg->rating_group_count == 0);
}

/* What was rewritten must scan as well-formed features with exactly our values. */
static void check_rewritten(const struct oc_group *group, struct oc_names *names)
{
	uint8_t wire[HEADER + 8 + OC_ENCODE_MAX] = { 1 };
	struct oc_msg msg = { 0 };
	size_t len = 0;

	expect(oc_encode_group(group, OC_AVP_SUPPORTED_FEATURES, wire + HEADER, sizeof(wire) - HEADER,
			       &len) == OC_OK);
	oc_octets_put_u32(wire, 1u << 24 | (uint32_t)(HEADER + len));
	struct oc_bytes whole = { wire, HEADER + len };
	expect(oc_msg_scan(whole, names, NULL, &msg, NULL) == OC_OK);
	expect((msg.caps.has & (OC_CAPS_PRESENT | OC_CAPS_MALFORMED | OC_CAPS_REPEATED)) == OC_CAPS_PRESENT);
	expect(msg.caps.vector == VECTOR && msg.caps.peer_algo == OC_FV_LOSS);
	expect((msg.caps.has & OC_CAPS_HAS_SOURCE) != 0);
}

/* Whether two Loads say the same. */
static bool is_same_load(const struct oc_load_avp *a, const struct oc_load_avp *b)
{
	return a->has == b->has && a->type == b->type && a->value == b->value && a->source == b->source;
}

/* A Load that can be written must scan as it was. */
static void check_load(const struct oc_load_avp *load, struct oc_names *names)
{
	const uint8_t all = OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE | OC_LOAD_HAS_SOURCE;
	uint8_t wire[HEADER + 8 + OC_ENCODE_MAX] = { 1 };
	struct oc_group group;
	struct oc_msg msg = { 0 };
	size_t len = 0;

	if (load->has != all || load->value > UINT32_MAX || load->source == OC_NAME_OVERFLOW)
		return;
	int err = oc_encode_load(&group, oc_names_text(names, load->source), (enum oc_load_type)load->type,
				 (uint32_t)load->value);
	expect((err == OC_OK) == (load->type < OC_LOAD_TYPE_COUNT && load->value <= OC_LOAD_IDLE));
	if (err != OC_OK)
		return;
	expect(oc_encode_group(&group, OC_AVP_LOAD, wire + HEADER, sizeof(wire) - HEADER, &len) == OC_OK);
	oc_octets_put_u32(wire, 1u << 24 | (uint32_t)(HEADER + len));
	expect(oc_msg_scan((struct oc_bytes){ wire, HEADER + len }, names, NULL, &msg, NULL) == OC_OK);
	expect(msg.load_count == 1 && is_same_load(&msg.load[0], load));
}

/* @whole in a block of its own: a sanitizer sees reads beyond it. */
static void check_specific(struct oc_bytes whole, const struct oc_msg *msg)
{
	struct oc_specific specific;
	uint8_t *block = malloc(whole.len + 1);

	if (block == NULL)
		return;
	memcpy(block + 1, whole.data, whole.len);
	bool is_read = oc_specific_read((struct oc_bytes){ block + 1, whole.len }, 10, &specific);
	free(block);
	expect(is_read == (specific.count != 0) && specific.count <= OC_SPECIFIC_MAX);
	for (unsigned i = 0; i < specific.count; i++) {
		expect(specific.reduction[i].reduction_pct <= specific.highest_pct);
		expect(specific.reduction[i].group_count <= OC_SPECIFIC_GROUPS_MAX);
	}
	expect(specific.highest_pct <= 100 && oc_specific_pct(&specific, msg, 10) <= 100);
}

static void check_olr(const struct oc_olr *olr, const struct oc_msg *msg)
{
	struct oc_group group;
	int err = oc_encode_olr(&group, olr, "a.example.net");

	expect(err == OC_OK || err == OC_EINVAL || err == OC_ERANGE);
	check_specific((struct oc_bytes){ msg->raw + olr->raw_at, olr->raw_len }, msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oc_names *names = oc_names_new(NAMES, 1);
	struct oc_msg msg = { 0 };
	struct oc_msg_found fresh = { .count = 0 };
	struct oc_group group;

	if (names == NULL)
		return 0;
	int err = oc_msg_scan((struct oc_bytes){ data, size }, names, NULL, &msg, &fresh);
	check_scan(&msg, err, &fresh);
	check_rest(&msg);
	struct oc_bytes caps = { msg.raw + msg.caps.raw_at, msg.caps.raw_len };
	err = oc_encode_caps_rewrite(&group, caps, VECTOR, "agent1.example.net", OC_FV_LOSS);
	if (err == OC_OK)
		check_rewritten(&group, names);
	for (unsigned i = 0; i < msg.olr_count; i++)
		check_olr(&msg.olr[i], &msg);
	for (unsigned i = 0; i < msg.load_count; i++)
		check_load(&msg.load[i], names);
	oc_names_free(names);
	return 0;
}
