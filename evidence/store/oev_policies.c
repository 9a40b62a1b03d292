/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The list of policy documents that wait for their rows, and those that have them.
 */
#include "oev_policies.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

void oev_policies_init(struct oev_policies *policies)
{
	pthread_mutex_init(&policies->lock, NULL);
	policies->first = NULL;
	policies->end = &policies->first;
	policies->kept_count = 0;
}

void oev_policies_fini(struct oev_policies *policies)
{
	while (policies->first) {
		struct oev_policy_text *policy = policies->first;
		policies->first = policy->next;
		free(policy);
	}
	while (policies->kept_count > 0)
		free(policies->kept[--policies->kept_count]);
	pthread_mutex_destroy(&policies->lock);
}

int oev_policies_add(struct oev_policies *policies, const char *text, uint32_t version, uint64_t mono_ns)
{
	size_t octets = strlen(text) + 1;
	struct oev_policy_text *policy = malloc(sizeof(*policy) + octets);

	if (!policy)
		return OC_ENOMEM;
	*policy = (struct oev_policy_text){ .mono_ns = mono_ns, .version = version };
	memcpy(policy->text, text, octets);
	pthread_mutex_lock(&policies->lock);
	*policies->end = policy;
	policies->end = &policy->next;
	pthread_mutex_unlock(&policies->lock);
	return OC_OK;
}

struct oev_policy_text *oev_policies_next(struct oev_policies *policies, const struct oev_policy_text *after)
{
	pthread_mutex_lock(&policies->lock);
	struct oev_policy_text *policy = after ? after->next : policies->first;
	pthread_mutex_unlock(&policies->lock);
	return policy;
}

static void keep(struct oev_policies *policies, struct oev_policy_text *policy)
{
	if (policies->kept_count == OEV_POLICIES_KEPT) {
		free(policies->kept[0]);
		policies->kept_count--;
		for (unsigned i = 0; i < policies->kept_count; i++)
			policies->kept[i] = policies->kept[i + 1];
	}
	policies->kept[policies->kept_count++] = policy;
}

void oev_policies_stored(struct oev_policies *policies, const struct oev_policy_text *last)
{
	bool is_last = last == NULL;

	pthread_mutex_lock(&policies->lock);
	while (!is_last && policies->first) {
		struct oev_policy_text *policy = policies->first;
		is_last = policy == last;
		policies->first = policy->next;
		if (!policies->first)
			policies->end = &policies->first;
		keep(policies, policy);
	}
	pthread_mutex_unlock(&policies->lock);
}
