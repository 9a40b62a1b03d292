/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One replay, or two that are given the same and differ in their policies.
 */
#pragma once

#include "../../agent/oc_replay.h"

#define OEV_GROUP_MAX 2u

struct oev_replay_group {
	struct oc_replay *members[OEV_GROUP_MAX];
	size_t count;
};

/* As the functions of oc_replay.h, for all members. */
int oev_group_decision(const struct oev_replay_group *group, const struct oc_decision *decision,
		       const struct oc_profile *profile, const struct oc_event_candidates *candidates);
int oev_group_outcome(const struct oev_replay_group *group, const struct oc_event_outcome *outcome,
		      const struct oc_profile *profile);
int oev_group_policy(const struct oev_replay_group *group, const struct oc_policy *policy, uint64_t at_ns);
int oev_group_feed(const struct oev_replay_group *group, const struct oc_event *event);
int oev_group_run(const struct oev_replay_group *group, uint64_t until_ns);
