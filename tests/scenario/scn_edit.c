/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Edits of the agent carried out on octets, in the order the host does them: out goes what must, then ours is added.
 */
#include "scn_drive.h"

#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_avp_walk.h"
#include "agent/wire/oc_octets.h"

#define HEADER 20u
static const struct oc_keyed_key key = { { 1 } };

void scn_scan(struct scn_world *w, const struct help_wire *wire, struct oc_msg *out)
{
	memset(out, 0, sizeof(*out));
	(void)oc_msg_scan(help_wire_bytes(wire), w->names, &key, out, NULL);
}

static struct oc_avp_walk walk_of(const struct help_wire *in)
{
	return oc_avp_walk_of((struct oc_bytes){ .data = in->data + HEADER, .len = in->len - HEADER });
}

static void begin(const struct help_wire *in, struct help_wire *out)
{
	memcpy(out->data, in->data, HEADER);
	out->len = HEADER;
}

static void keep(const struct oc_avp *avp, struct help_wire *out)
{
	size_t len = oc_avp_padded(oc_avp_len(avp));

	memset(out->data + out->len, 0, len);
	memcpy(out->data + out->len, avp->at, oc_avp_len(avp));
	out->len += len;
}

static void add(const struct oc_group *group, uint32_t code, struct help_wire *out)
{
	size_t len = 0;

	if (oc_encode_group(group, code, out->data + out->len, HELP_WIRE_MAX - out->len, &len) == OC_OK)
		out->len += len;
}

static void end(struct scn_world *w, struct scn_left *left)
{
	help_wire_end(&left->wire);
	scn_scan(w, &left->wire, &left->msg);
}

/* How many AVPs of @code are at the top of @wire. */
static uint32_t count_of(const struct help_wire *wire, uint32_t code)
{
	struct oc_avp_walk walk = walk_of(wire);
	struct oc_avp avp;
	uint32_t count = 0;

	while (oc_avp_walk_next_base(&walk, &avp))
		count += oc_avp_code(&avp) == code;
	return count;
}

void scn_leave_request(struct scn_world *w, const struct help_wire *in, const struct oc_group *caps,
		       const struct oc_txn *txn, uint32_t peer)
{
	struct oc_avp_walk walk = walk_of(in);
	struct help_wire *out = &w->request.wire;
	struct oc_avp avp;
	bool may_carry = oc_agent_may_carry_drmp(w->agent, peer);

	begin(in, out);
	while (oc_avp_walk_next(&walk, &avp)) {
		bool is_base = oc_avp_is_base(&avp);
		if (is_base && oc_avp_code(&avp) == OC_AVP_SUPPORTED_FEATURES &&
		    w->caps_action == OC_CAPS_REPLACE)
			continue;
		bool is_drmp = is_base && oc_avp_code(&avp) == OC_AVP_DRMP;
		if (is_drmp && (w->drmp_action == OC_DRMP_STRIP || !may_carry))
			continue;
		if (is_drmp && w->drmp_action == OC_DRMP_REWRITE)
			help_wire_u32(out, OC_AVP_DRMP, txn->drmp_to);
		else
			keep(&avp, out);
	}
	if (w->caps_action != OC_CAPS_KEEP)
		add(caps, OC_AVP_SUPPORTED_FEATURES, out);
	end(w, &w->request);
	const struct oc_caps *left = &w->request.msg.caps;
	w->tally.announced +=
		count_of(out, OC_AVP_SUPPORTED_FEATURES) == 1 &&
		(left->vector & (OC_FV_LOSS | OC_FV_PEER_REPORT)) == (OC_FV_LOSS | OC_FV_PEER_REPORT) &&
		left->source == scn_name(w, "agent");
}

/* Whether the @nth AVP of @code (from 0) goes. */
static bool is_stripped(const struct oc_answer_edit *e, uint32_t code, uint32_t nth)
{
	switch (code) {
	case OC_AVP_SUPPORTED_FEATURES:
		return e->strip_caps;
	case OC_AVP_OLR:
		return e->strip_all_olr || (nth < 8 && (e->strip_olr >> nth & 1u));
	case OC_AVP_LOAD:
		return e->strip_all_load || (nth < 8 && (e->strip_load >> nth & 1u));
	case OC_AVP_DRMP:
		return e->strip_drmp || e->rewrite_drmp;
	default:
		return false;
	}
}

static void dress(struct scn_world *w, struct help_wire *out)
{
	struct oc_group group;

	if (w->edit.add_caps)
		add(&w->edit.caps, OC_AVP_SUPPORTED_FEATURES, out);
	for (uint32_t i = 0; i < w->edit.own_count; i++)
		if (oc_agent_encode_own(w->agent, &w->edit.own[i], &group) == OC_OK)
			add(&group, OC_AVP_OLR, out);
	if (w->edit.rewrite_drmp)
		help_wire_u32(out, OC_AVP_DRMP, w->edit.drmp_to);
	if (w->edit.add_load && oc_agent_encode_load(w->agent, w->edit.load_value, &group) == OC_OK)
		add(&group, OC_AVP_LOAD, out);
}

static void tally(struct scn_world *w)
{
	const struct oc_msg *msg = &w->answer.msg;
	struct scn_tally *t = &w->tally;

	t->answers++;
	t->answers_sf += count_of(&w->answer.wire, OC_AVP_SUPPORTED_FEATURES) == 1;
	for (uint32_t i = 0; i < msg->olr_count; i++)
		if (msg->olr[i].type < OC_REPORT_COUNT)
			t->answers_olr[msg->olr[i].type]++;
	for (uint32_t i = 0; i < msg->load_count; i++)
		if (msg->load[i].type < OC_LOAD_TYPE_COUNT)
			t->answers_load[msg->load[i].type]++;
}

void scn_leave_answer(struct scn_world *w, const struct help_wire *in)
{
	struct oc_avp_walk walk = walk_of(in);
	struct help_wire *out = &w->answer.wire;
	uint32_t seen[2] = { 0 };
	struct oc_avp avp;

	w->before.msg = w->answer.msg;
	w->before.wire.len = w->answer.wire.len;
	memcpy(w->before.wire.data, w->answer.wire.data, w->answer.wire.len);
	begin(in, out);
	while (oc_avp_walk_next(&walk, &avp)) {
		uint32_t code = oc_avp_is_base(&avp) ? oc_avp_code(&avp) : 0;
		uint32_t nth = code == OC_AVP_OLR ? seen[0]++ : code == OC_AVP_LOAD ? seen[1]++ : 0;
		if (!is_stripped(&w->edit, code, nth))
			keep(&avp, out);
	}
	dress(w, out);
	end(w, &w->answer);
	tally(w);
}
