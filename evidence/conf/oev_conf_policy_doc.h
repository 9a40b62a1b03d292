/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * policy.yaml as libcyaml loads it, and how its lists become the policy.
 *
 * Scalars load straight into an oc_policy; lists, decimals and trust need a form of their own first.
 */
#pragma once

#include "oev_conf_load.h"
#include "oev_conf_trust.h"

#define OEV_CONF_DECIMAL_MAX 16u /* octets of a decimal number, NUL included */

struct oev_conf_rate {
	char initial[OEV_CONF_DECIMAL_MAX];
	char (*thresholds)[OEV_CONF_DECIMAL_MAX];
	uint32_t thresholds_count;
};

struct oev_conf_priorities {
	char (*emergency_apns)[OC_POLICY_APN_MAX];
	uint32_t emergency_apns_count;
	uint8_t *class_of_drmp;
	uint32_t class_of_drmp_count;
};

struct oev_conf_order {
	enum oc_report_type type;
	char subject[OC_POLICY_PATTERN_MAX];
	char application[OEV_CONF_APP_MAX];
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint32_t validity_s;
};

struct oev_conf_reports {
	char (*sole_path_to)[OC_POLICY_PATTERN_MAX];
	uint32_t sole_path_to_count;
	char (*realms)[OC_POLICY_PATTERN_MAX];
	uint32_t realms_count;
	struct oev_conf_order *orders;
	uint32_t orders_count;
};

struct oev_conf_policy_doc {
	struct oc_policy policy;
	char (*shadow)[OC_POLICY_PATTERN_MAX];
	uint32_t shadow_count;
	struct oev_conf_rate rate;
	struct oev_conf_priorities priorities;
	struct oev_conf_reports reports;
	struct oev_conf_trust trust;
};

/* oev_conf_policy_schema.c */
extern const cyaml_schema_value_t oev_conf_policy_schema;

/* oev_conf_rate.c: the thresholds of the bucket (spec rows ), the lists of priorities. All return OC_OK,
 * OC_EMALFORMED, OC_ERANGE or OC_EINVAL with doc->error. Keys that the document lacks leave @policy alone. */
int oev_conf_rate_apply(const struct oev_conf_doc *doc, const struct oev_conf_rate *rate,
			struct oc_policy *policy);
int oev_conf_priorities_apply(const struct oev_conf_doc *doc, const struct oev_conf_priorities *priorities,
			      struct oc_policy *policy);

/* oev_conf_reports.c: what this agent may report for and what it is told to report (spec rows D-035, D-113). */
int oev_conf_reports_apply(const struct oev_conf_doc *doc, const struct oev_conf_reports *reports,
			   struct oc_policy *policy);
