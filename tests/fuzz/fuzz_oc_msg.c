/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzzes the scanner, then the rewrite of the features it kept, then the scan of what that wrote.
 */
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_encode.h"
#include "agent/wire/oc_names.h"
#include "agent/wire/oc_octets.h"

#define NAMES 16u
#define VECTOR (OC_FV_LOSS | OC_FV_PEER_REPORT)
#define HEADER 20u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_scan(const struct oc_msg *msg, int err, const struct oc_msg_new_names *fresh)
{
	expect(err == OC_OK || err == OC_EMALFORMED);
	expect(msg->olr_count <= OC_MSG_OLR_MAX && msg->raw_len <= OC_MSG_RAW_MAX);
	expect(msg->caps.raw_at + msg->caps.raw_len <= msg->raw_len);
	for (unsigned i = 0; i < msg->olr_count; i++)
		expect(msg->olr[i].raw_at + msg->olr[i].raw_len <= msg->raw_len);
	expect(fresh->count <= NAMES - 2);
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
	expect(oc_msg_scan(whole, names, 1, &msg, NULL) == OC_OK);
	expect((msg.caps.has & (OC_CAPS_PRESENT | OC_CAPS_MALFORMED | OC_CAPS_REPEATED)) == OC_CAPS_PRESENT);
	expect(msg.caps.vector == VECTOR && msg.caps.peer_algo == OC_FV_LOSS);
	expect((msg.caps.has & OC_CAPS_HAS_SOURCE) != 0);
}

static void check_olr(const struct oc_olr *olr)
{
	struct oc_group group;
	int err = oc_encode_olr(&group, olr, "a.example.net");

	expect(err == OC_OK || err == OC_EINVAL || err == OC_ERANGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oc_names *names = oc_names_new(NAMES, 1);
	struct oc_msg msg = { 0 };
	struct oc_msg_new_names fresh = { .count = 0 };
	struct oc_group group;

	if (names == NULL)
		return 0;
	int err = oc_msg_scan((struct oc_bytes){ data, size }, names, 1, &msg, &fresh);
	check_scan(&msg, err, &fresh);
	struct oc_bytes caps = { msg.raw + msg.caps.raw_at, msg.caps.raw_len };
	err = oc_encode_caps_rewrite(&group, caps, VECTOR, "agent1.example.net", OC_FV_LOSS);
	if (err == OC_OK)
		check_rewritten(&group, names);
	for (unsigned i = 0; i < msg.olr_count; i++)
		check_olr(&msg.olr[i]);
	oc_names_free(names);
	return 0;
}
