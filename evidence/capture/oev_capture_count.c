/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting messages.
 */
#include "oev_capture_count.h"

#include <string.h>

#include "../../agent/oc_err.h"

void oev_capture_count_fini(struct oev_capture_count *count)
{
	oev_map_fini(&count->seen);
}

static bool is_before(const struct oev_count_row *row, uint32_t app_id, uint32_t command)
{
	return row->app_id != app_id ? row->app_id < app_id : row->command < command;
}

static struct oev_count_row *row_of(struct oev_capture_count *count, uint32_t app_id, uint32_t command)
{
	uint32_t low = 0, high = count->row_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (is_before(&count->row[mid], app_id, command))
			low = mid + 1;
		else
			high = mid;
	}
	struct oev_count_row *row = &count->row[low];
	if (low < count->row_count && row->app_id == app_id && row->command == command)
		return row;
	if (count->row_count == OEV_COUNT_ROWS_MAX)
		return &count->row[OEV_COUNT_ROWS_MAX - 1];
	memmove(row + 1, row, (count->row_count - low) * sizeof(*row));
	*row = (struct oev_count_row){ .app_id = app_id, .command = command };
	count->row_count++;
	return row;
}

/* Each session once. Two that have one hash of 64 bits are taken for one. */
static void count_session(struct oev_capture_count *count, uint64_t session)
{
	struct oev_map_walk walk = oev_map_first(&count->seen, session);

	if (session == 0 || oev_map_next(&walk) != 0)
		return;
	if (count->sessions < OEV_COUNT_SESSIONS_MAX && oev_map_add(&count->seen, session, 1) == OC_OK)
		count->sessions++;
	else
		count->has_more_sessions = true;
}

void oev_capture_count_message(struct oev_capture_count *count, const struct oev_walked *walked,
			       const struct oev_exchange *exchange)
{
	const struct oc_msg *msg = &walked->message->msg;
	struct oev_count_row *row = row_of(count, msg->app_id, msg->command);
	uint32_t digit = msg->result_code / 1000;

	count->first_ns = count->messages == 0 ? walked->time_ns : count->first_ns;
	count->last_ns = walked->time_ns;
	count->messages++;
	count_session(count, msg->session_hash);
	row->with_report += msg->olr_count > 0;
	row->with_doic += (msg->caps.has & OC_CAPS_PRESENT) != 0;
	if (oc_msg_is_request(msg)) {
		count->requests++;
		row->requests++;
		row->again += exchange != NULL && exchange->is_again;
		return;
	}
	count->answers++;
	row->answers++;
	row->result[digit < 10 ? digit : 0]++;
	row->unpaired += exchange == NULL;
}

void oev_capture_count_unanswered(struct oev_capture_count *count, const struct oev_exchange *exchange)
{
	row_of(count, exchange->app_id, exchange->command)->unanswered++;
}
