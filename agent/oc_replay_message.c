/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Messages out of what was recorded: as far as the core reads them, they are the ones that came then.
 */
#include <string.h>

#include "oc_profiles.h"
#include "oc_replay_inner.h"
#include "wire/oc_avp.h"

/* Lists and octets are read as far as their counts say. */
static void clear(struct oc_msg *msg)
{
	memset(msg, 0, offsetof(struct oc_msg, olr));
	msg->drmp = OC_DRMP_NONE;
}

static void apply_profile(const struct oc_replay *replay, uint32_t place, struct oc_msg *msg)
{
	const struct oc_profile *profile = oc_replay_shared_at(&replay->profile_pool, place);

	if (profile)
		oc_profile_apply(profile, msg);
}

void oc_replay_request(const struct oc_replay *replay, const struct oc_replay_call *call, struct oc_msg *msg)
{
	const struct oc_decision *d = &call->decision;

	clear(msg);
	apply_profile(replay, call->profile, msg);
	msg->flags = (uint8_t)(OC_FLAG_REQUEST | OC_FLAG_PROXIABLE |
			       (d->flags & OC_DEC_RETRANSMIT ? OC_FLAG_RETRANSMIT : 0));
	msg->app_id = d->app_id;
	msg->command = d->command;
	msg->end_to_end = d->end_to_end;
	msg->session_hash = d->session_hash;
	msg->subscriber_hash = d->subscriber_hash;
	msg->origin_host = d->origin_host;
	msg->origin_realm = d->origin_realm;
	msg->dest_host = d->dest_host;
	msg->dest_realm = d->dest_realm;
	msg->drmp = d->drmp;
	msg->cc_request_type = d->cc_request_type;
}

static void hear_report(const struct oc_replay_kept *kept, struct oc_msg *msg)
{
	const struct oc_event_report *e = &kept->event.u.report;
	uint32_t room = OC_MSG_RAW_MAX - msg->raw_len;
	uint16_t len = kept->raw_len < room ? kept->raw_len : (uint16_t)room;
	bool is_cut = len < e->raw_total;

	/* Of a table that was full nothing came; when places become free again depends on when somebody looks. */
	if (msg->olr_count == OC_MSG_OLR_MAX || e->reason == OC_REASON_TABLE_FULL)
		return;
	msg->app_id = e->app_id;
	msg->olr[msg->olr_count++] =
		(struct oc_olr){ .sequence = e->sequence,
				 .type = e->type,
				 .reduction_pct = e->reduction_pct,
				 .validity_s = e->validity_s,
				 .rate_rps = e->rate_rps,
				 .source = e->has & OC_OLR_HAS_SOURCE ? e->subject : OC_NAME_NONE,
				 .raw_at = msg->raw_len,
				 .raw_len = len,
				 .has = (uint8_t)(e->has | (is_cut ? OC_OLR_RAW_CUT : 0)) };
	memcpy(msg->raw + msg->raw_len, kept->raw, len);
	msg->raw_len = (uint16_t)(msg->raw_len + len);
}

static void hear_load(const struct oc_event_load *e, struct oc_msg *msg)
{
	if (msg->load_count == OC_MSG_LOAD_MAX)
		return;
	msg->load[msg->load_count++] =
		(struct oc_load_avp){ .value = e->value,
				      .type = e->type,
				      .source = e->node,
				      .has = OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE | OC_LOAD_HAS_SOURCE };
	msg->load_avps = msg->load_count;
}

void oc_replay_hear(const struct oc_replay_kept *kept, struct oc_msg *msg)
{
	if (kept->event.kind == OC_EVENT_REPORT)
		hear_report(kept, msg);
	else
		hear_load(&kept->event.u.load, msg);
}

void oc_replay_answer(const struct oc_replay *replay, const struct oc_replay_call *call, struct oc_msg *msg,
		      bool *is_announced, bool *is_due)
{
	const struct oc_event_outcome *o = &call->outcome;

	clear(msg);
	*is_announced = *is_due = true;
	apply_profile(replay, call->answer_profile, msg);
	msg->flags = (uint8_t)(OC_FLAG_PROXIABLE | (msg->hints & OC_HINT_ERROR ? OC_FLAG_ERROR : 0));
	msg->app_id = call->decision.app_id;
	msg->command = call->decision.command;
	msg->end_to_end = call->decision.end_to_end;
	msg->result_code = o->result_code;
	msg->origin_host = o->answered_by;
	msg->origin_realm = o->answered_realm;
	for (uint32_t i = 0; i < replay->heard_count; i++) {
		const struct oc_replay_kept *kept = &replay->kept[replay->heard[i]];
		bool is_report = kept->event.kind == OC_EVENT_REPORT;
		*is_announced &= !is_report || kept->event.u.report.reason != OC_REASON_NOT_ANNOUNCED;
		*is_due &= !is_report || kept->event.u.report.reason != OC_REASON_UNSOLICITED;
		oc_replay_hear(kept, msg);
	}
}
