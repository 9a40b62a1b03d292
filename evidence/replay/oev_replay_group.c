/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Each to all.
 */
#include "oev_replay_group.h"

#include "../../agent/oc_err.h"

int oev_group_decision(const struct oev_replay_group *group, const struct oc_decision *decision,
		       const struct oc_profile *profile, const struct oc_event_candidates *candidates)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < group->count; i++)
		rc = oc_replay_decision(group->members[i], decision, profile, candidates);
	return rc;
}

int oev_group_outcome(const struct oev_replay_group *group, const struct oc_event_outcome *outcome,
		      const struct oc_profile *profile)
{
	int rc = OC_OK;

	for (size_t i = 0; (rc == OC_OK || rc == OC_ENOENT) && i < group->count; i++)
		rc = oc_replay_outcome(group->members[i], outcome, profile);
	return rc;
}

int oev_group_policy(const struct oev_replay_group *group, const struct oc_policy *policy, uint64_t at_ns)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < group->count; i++)
		rc = oc_replay_policy(group->members[i], policy, at_ns);
	return rc;
}

int oev_group_feed(const struct oev_replay_group *group, const struct oc_event *event)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < group->count; i++)
		rc = oc_replay_feed(group->members[i], event);
	return rc;
}

int oev_group_run(const struct oev_replay_group *group, uint64_t until_ns)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < group->count; i++)
		rc = oc_replay_run(group->members[i], until_ns);
	return rc;
}
