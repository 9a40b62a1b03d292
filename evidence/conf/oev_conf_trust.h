/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The trust section of policy.yaml: as libcyaml loads it, and how it becomes rules.
 */
#pragma once

#include "oev_conf_doc.h"

/* Whose word counts. */
enum oev_conf_reach {
	OEV_REACH_NONE = 0,
	OEV_REACH_OWN = 1,    /* the peer's own */
	OEV_REACH_RELAYED = 2 /* that of nodes behind it too */
};

struct oev_conf_trust_flags {
	bool doic;
	bool send_reports;
	bool relay_reports;
	bool receive_reports;
	enum oev_conf_reach drmp;
	bool receive_drmp;
	enum oev_conf_reach load;
	bool receive_load;
	bool border;
	bool emergency;
};

struct oev_conf_trust_peer {
	char peer[OC_POLICY_PATTERN_MAX];
	struct oev_conf_trust_flags flags;
	uint8_t *drmp_map;
	uint32_t drmp_map_count;
	char (*realms)[OC_POLICY_PATTERN_MAX];
	uint32_t realms_count;
};

struct oev_conf_trust {
	struct oev_conf_trust_flags fallback; /* trust.default */
	struct oev_conf_trust_peer *peers;
	uint32_t peers_count;
};

/* Turns @trust into default_trust and rules of @policy, patterns in lower case.
 * Returns OC_OK, OC_EMALFORMED (a pattern is no pattern, or absent), OC_ERANGE, OC_EINVAL (contradictions). */
int oev_conf_trust_apply(const struct oev_conf_doc *doc, const struct oev_conf_trust *trust,
			 struct oc_policy *policy);
