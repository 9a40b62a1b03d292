/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The trust section of policy.yaml: as libcyaml loads it, and how it becomes rules.
 */
#pragma once

#include "oev_conf_doc.h"

/* Members in the order of enum oc_trust_flag. */
struct oev_conf_trust_flags {
	bool doic;
	bool send_reports;
	bool relay_reports;
	bool receive_reports;
};

struct oev_conf_trust_peer {
	char peer[OC_POLICY_PATTERN_MAX];
	struct oev_conf_trust_flags flags;
	char (*realms)[OC_POLICY_PATTERN_MAX];
	uint32_t realms_count;
};

struct oev_conf_trust {
	struct oev_conf_trust_flags fallback; /* trust.default */
	struct oev_conf_trust_peer *peers;
	uint32_t peers_count;
};

/* Turns @trust into default_trust and rules of @policy, patterns in lower case.
 * Returns OC_OK, OC_EMALFORMED (a pattern is no pattern, or absent), OC_EINVAL (contradictions). */
int oev_conf_trust_apply(const struct oev_conf_doc *doc, const struct oev_conf_trust *trust,
			 struct oc_policy *policy);
