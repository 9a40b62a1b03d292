/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Two decisions held against each other.
 */
#include "oc_replay.h"

static bool same_look(const struct oc_look *a, const struct oc_look *b)
{
	return a->version == b->version && a->share_ppm == b->share_ppm && a->nth == b->nth;
}

/* What a later choice decided, of a request that had to move: the host made it necessary, and nothing was drawn in it. */
static const char *later_difference(const struct oc_decision *a, const struct oc_decision *b)
{
	if (a->verdict != b->verdict)
		return "verdict";
	if (a->why != b->why)
		return "why";
	if (a->next_hop != b->next_hop)
		return "next_hop";
	return a->result_code != b->result_code ? "result_code" : NULL;
}

const char *oc_replay_difference(const struct oc_decision *recorded, const struct oc_decision *replayed)
{
	bool is_moved = (recorded->flags & OC_DEC_MOVED) != 0;
	unsigned ignored = is_moved ? OC_DEC_MOVED | OC_DEC_NO_ROOM : 0;

	if (!same_look(&recorded->realm, &replayed->realm))
		return "realm";
	if (!same_look(&recorded->host, &replayed->host))
		return "host";
	if (!same_look(&recorded->peer, &replayed->peer))
		return "peer";
	if (recorded->selected_by != replayed->selected_by)
		return "selected_by";
	if (recorded->klass != replayed->klass)
		return "class";
	if (recorded->first_choice != replayed->first_choice)
		return "first_choice";
	const char *later = is_moved ? NULL : later_difference(recorded, replayed);
	if (later)
		return later;
	return (recorded->flags ^ replayed->flags) & ~ignored ? "flags" : NULL;
}
