/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lives made of captured requests: those with the same Session-Id, in the order captured.
 */
#include <stdlib.h>
#include <string.h>

#include "dt_scan.h"
#include "dt_source.h"

/* Number of the life with the Session-Id of @msg, or the next free number. Captures are small: a search will do. */
static uint32_t life_of(const struct dt_capture *capture, const uint32_t *owner, uint32_t upto,
			uint32_t lives)
{
	struct dt_scan mine, other;

	dt_scan_msg(&mine, capture->msg[upto].data, capture->msg[upto].len);
	for (uint32_t i = 0; i < upto && mine.session.code; i++) {
		if (owner[i] == UINT32_MAX)
			continue;
		dt_scan_msg(&other, capture->msg[i].data, capture->msg[i].len);
		if (other.session.code && other.session.len == mine.session.len &&
		    memcmp(other.session.data, mine.session.data, mine.session.len) == 0)
			return owner[i];
	}
	return lives;
}

static void order_steps(struct dt_source *source, const uint32_t *owner, const uint32_t *tmpl_of,
			uint32_t count)
{
	for (uint32_t life = 0; life < source->life_count; life++) {
		source->life[life].first = source->step_count;
		for (uint32_t i = 0; i < count; i++) {
			if (owner[i] == life)
				source->step[source->step_count++] = tmpl_of[i];
		}
		source->life[life].count = source->step_count - source->life[life].first;
	}
}

/* Fills owner[] and tmpl_of[]; a request that is not wanted or does not parse gets owner UINT32_MAX. */
static int take_all(struct dt_source *source, const struct dt_capture *capture,
		    const struct dt_rewrite *rewrite, uint32_t *owner, uint32_t *tmpl_of)
{
	for (uint32_t i = 0; i < capture->count; i++) {
		owner[i] = UINT32_MAX;
		if (rewrite->app_id && dt_msg_app(capture->msg[i].data) != rewrite->app_id)
			continue;
		int rc = dt_rewrite_msg(&capture->msg[i], rewrite, &source->captured[source->captured_count]);
		if (rc == OC_ENOMEM)
			return rc;
		if (rc != OC_OK)
			continue;
		tmpl_of[i] = source->captured_count++;
		owner[i] = life_of(capture, owner, i, source->life_count);
		if (owner[i] == source->life_count)
			source->life_count++;
	}
	return source->captured_count ? OC_OK : OC_ENOENT;
}

int dt_source_captured(struct dt_source *source, struct dt_capture *capture, const struct dt_rewrite *rewrite)
{
	size_t room = capture->count ? capture->count : 1;
	uint32_t *owner = calloc(room, sizeof(*owner));
	uint32_t *tmpl_of = calloc(room, sizeof(*tmpl_of));
	int rc = OC_ENOMEM;

	source->captured = calloc(room, sizeof(*source->captured));
	source->life = calloc(room, sizeof(*source->life));
	source->step = calloc(room, sizeof(*source->step));
	if (owner && tmpl_of && source->captured && source->life && source->step)
		rc = take_all(source, capture, rewrite, owner, tmpl_of);
	if (rc == OC_OK)
		order_steps(source, owner, tmpl_of, capture->count);
	free(owner);
	free(tmpl_of);
	return rc;
}
