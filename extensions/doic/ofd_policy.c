/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The policy document: read at the start, and again when somebody asks.
 */
#include "ofd.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

int ofd_policy_read(const struct ofd *ofd, struct oc_policy *policy, char **text,
		    char error[static OEV_CONF_ERROR_MAX])
{
	size_t len = 0;
	int rc = oev_conf_read_file(ofd->conf.policy_path, text, &len, error);

	if (rc == OC_OK)
		rc = oev_conf_policy_parse(*text, len, ofd->conf.policy_path, policy, error);
	return rc == OC_OK ? 0 : EINVAL;
}

int ofd_policy_reload(struct ofd *ofd, char error[static OEV_CONF_ERROR_MAX])
{
	struct oc_policy *next = calloc(1, sizeof(*next));
	char *text = NULL;
	uint64_t at_ns;
	int rc = next ? ofd_policy_read(ofd, next, &text, error) : ENOMEM;

	if (rc == 0) {
		next->version = ofd->policy.version + 1;
		at_ns = oc_agent_set_policy(ofd->agent, next, ofd_clock_mono_ns());
		if (ofd->recorder && oev_recorder_policy(ofd->recorder, text, next->version, at_ns) != OC_OK)
			LOG_E("doic: policy version=%u has no row in the evidence: out of memory",
			      next->version);
		ofd->policy = *next;
		LOG_N("doic: policy version=%u in force, rules=%u", next->version, next->rule_count);
	}
	free(text);
	free(next);
	return rc;
}
