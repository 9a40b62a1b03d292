/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Scope rules: host reports for known hosts, realm reports for unknown ones.
 */
#include "oc_match.h"

bool oc_match_on_arrival(const struct oc_msg *request, bool is_reacting, struct oc_ocs_key *key)
{
	if (!is_reacting || request->app_id == 0)
		return false;
	bool is_realm_routed = request->dest_host == OC_NAME_NONE;
	*key = (struct oc_ocs_key){ .app_id = request->app_id,
				    .subject = is_realm_routed ? request->dest_realm : request->dest_host,
				    .type = is_realm_routed ? OC_REPORT_REALM : OC_REPORT_HOST };
	return key->subject != OC_NAME_NONE;
}

bool oc_match_on_pick(const struct oc_msg *request, uint32_t peer, struct oc_ocs_key *key)
{
	if (request->app_id == 0 || request->dest_host != OC_NAME_NONE)
		return false;
	*key = (struct oc_ocs_key){ .app_id = request->app_id, .subject = peer, .type = OC_REPORT_HOST };
	return peer != OC_NAME_NONE;
}
