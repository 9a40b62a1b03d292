/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * policy.yaml: which key loads into which member.
 */
#include "oev_conf_policy_doc.h"

#define OPTIONAL CYAML_FLAG_OPTIONAL
#define STRICT (CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT)

static const cyaml_strval_t mode_words[] = { { "enforce", OC_MODE_ENFORCE }, { "observe", OC_MODE_OBSERVE } };
static const cyaml_strval_t sampler_words[] = { { "exact", OC_SAMPLER_EXACT },
						{ "random", OC_SAMPLER_RANDOM } };
static const cyaml_strval_t send_words[] = { { "off", OC_LOAD_SEND_OFF },
					     { "change", OC_LOAD_SEND_CHANGE },
					     { "always", OC_LOAD_SEND_ALWAYS } };
static const cyaml_strval_t algo_words[] = { { "loss", OC_ALGO_LOSS }, { "rate", OC_ALGO_RATE } };
static const cyaml_strval_t type_words[] = { { "host", OC_REPORT_HOST },
					     { "realm", OC_REPORT_REALM },
					     { "peer", OC_REPORT_PEER } };
static const cyaml_strval_t reach_words[] = { { "none", OEV_REACH_NONE },
					      { "own", OEV_REACH_OWN },
					      { "relayed", OEV_REACH_RELAYED } };
static const cyaml_strval_t code_words[] = { { "3004", OC_RC_TOO_BUSY }, { "5012", OC_RC_UNABLE_TO_COMPLY } };

static const cyaml_schema_field_t recovery_fields[] = {
	CYAML_FIELD_UINT("ended_memory_ms", OPTIONAL, struct oev_conf_policy_doc, policy.ended_memory_ms),
	CYAML_FIELD_UINT("ramp_ms", OPTIONAL, struct oev_conf_policy_doc, policy.ramp_ms),
	CYAML_FIELD_UINT("probe_interval_ms", OPTIONAL, struct oev_conf_policy_doc, policy.probe_interval_ms),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t refusal_fields[] = {
	CYAML_FIELD_ENUM("host_report_code", STRICT, struct oev_conf_policy_doc, policy.refusal_code_host,
			 code_words, CYAML_ARRAY_LEN(code_words)),
	CYAML_FIELD_ENUM("realm_report_code", STRICT, struct oev_conf_policy_doc, policy.refusal_code_realm,
			 code_words, CYAML_ARRAY_LEN(code_words)),
	CYAML_FIELD_ENUM("outstanding_code", STRICT, struct oev_conf_policy_doc,
			 policy.refusal_code_outstanding, code_words, CYAML_ARRAY_LEN(code_words)),
	CYAML_FIELD_ENUM("peer_report_code", STRICT, struct oev_conf_policy_doc, policy.refusal_code_peer,
			 code_words, CYAML_ARRAY_LEN(code_words)),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t decimal_schema = {
	CYAML_VALUE_STRING(CYAML_FLAG_DEFAULT, char[OEV_CONF_DECIMAL_MAX], 1, OEV_CONF_DECIMAL_MAX - 1),
};

static const cyaml_schema_value_t small_schema = {
	CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint8_t),
};

static const cyaml_schema_value_t apn_schema = {
	CYAML_VALUE_STRING(CYAML_FLAG_DEFAULT, char[OC_POLICY_APN_MAX], 1, OC_POLICY_APN_MAX - 1),
};

static const cyaml_schema_value_t name_schema = {
	CYAML_VALUE_STRING(CYAML_FLAG_DEFAULT, char[OC_POLICY_PATTERN_MAX], 1, OC_POLICY_PATTERN_MAX - 1),
};

static const cyaml_schema_field_t rate_fields[] = {
	CYAML_FIELD_BOOL("enabled", OPTIONAL, struct oev_conf_policy_doc, policy.rate.is_on),
	CYAML_FIELD_BOOL("anti_resonance", OPTIONAL, struct oev_conf_policy_doc,
			 policy.rate.is_anti_resonant),
	CYAML_FIELD_STRING("initial", OPTIONAL, struct oev_conf_policy_doc, rate.initial, 1),
	CYAML_FIELD_SEQUENCE("thresholds", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc,
			     rate.thresholds, &decimal_schema, 0, OC_CLASSES),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t priorities_fields[] = {
	CYAML_FIELD_BOOL("drmp", OPTIONAL, struct oev_conf_policy_doc, policy.priorities.uses_drmp),
	CYAML_FIELD_BOOL("application", OPTIONAL, struct oev_conf_policy_doc,
			 policy.priorities.uses_application),
	CYAML_FIELD_UINT("default_drmp", OPTIONAL, struct oev_conf_policy_doc,
			 policy.priorities.default_drmp),
	CYAML_FIELD_UINT("reservation_priority_min", OPTIONAL, struct oev_conf_policy_doc,
			 policy.priorities.reservation_min),
	CYAML_FIELD_UINT("slack_requests", OPTIONAL, struct oev_conf_policy_doc, policy.priorities.slack),
	CYAML_FIELD_SEQUENCE("emergency_apns", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc,
			     priorities.emergency_apns, &apn_schema, 0, OC_POLICY_APNS_MAX),
	CYAML_FIELD_SEQUENCE("class_of_drmp", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc,
			     priorities.class_of_drmp, &small_schema, 0, OC_RANKS),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t load_fields[] = {
	CYAML_FIELD_BOOL("balance", OPTIONAL, struct oev_conf_policy_doc, policy.load.balances),
	CYAML_FIELD_ENUM("send", STRICT, struct oev_conf_policy_doc, policy.load.send, send_words,
			 CYAML_ARRAY_LEN(send_words)),
	CYAML_FIELD_UINT("max_age_ms", OPTIONAL, struct oev_conf_policy_doc, policy.load.max_age_ms),
	CYAML_FIELD_UINT("neutral", OPTIONAL, struct oev_conf_policy_doc, policy.load.neutral),
	CYAML_FIELD_UINT("slow_start_ms", OPTIONAL, struct oev_conf_policy_doc, policy.load.slow_start_ms),
	CYAML_FIELD_UINT("capacity_rps", OPTIONAL, struct oev_conf_policy_doc, policy.load.capacity_rps),
	CYAML_FIELD_UINT("change_min", OPTIONAL, struct oev_conf_policy_doc, policy.load.change_min),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t order_fields[] = {
	CYAML_FIELD_ENUM("type", STRICT, struct oev_conf_order, type, type_words,
			 CYAML_ARRAY_LEN(type_words)),
	CYAML_FIELD_STRING("subject", OPTIONAL, struct oev_conf_order, subject, 1),
	CYAML_FIELD_STRING("application", OPTIONAL, struct oev_conf_order, application, 1),
	CYAML_FIELD_UINT("reduction_pct", OPTIONAL, struct oev_conf_order, reduction_pct),
	CYAML_FIELD_UINT("rate_rps", OPTIONAL, struct oev_conf_order, rate_rps),
	CYAML_FIELD_UINT("validity_s", OPTIONAL, struct oev_conf_order, validity_s),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t order_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct oev_conf_order, order_fields),
};

static const cyaml_schema_field_t reports_fields[] = {
	CYAML_FIELD_UINT("validity_s", OPTIONAL, struct oev_conf_policy_doc, policy.reports.validity_s),
	CYAML_FIELD_UINT("fall_step_pct", OPTIONAL, struct oev_conf_policy_doc, policy.reports.fall_step_pct),
	CYAML_FIELD_UINT("fall_interval_ms", OPTIONAL, struct oev_conf_policy_doc,
			 policy.reports.fall_interval_ms),
	CYAML_FIELD_UINT("target_idle_ms", OPTIONAL, struct oev_conf_policy_doc,
			 policy.reports.target_idle_ms),
	CYAML_FIELD_BOOL("explicit_end", OPTIONAL, struct oev_conf_policy_doc,
			 policy.reports.is_end_explicit),
	CYAML_FIELD_ENUM("prefer", STRICT, struct oev_conf_policy_doc, policy.reports.prefers, algo_words,
			 CYAML_ARRAY_LEN(algo_words)),
	CYAML_FIELD_SEQUENCE("sole_path_to", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc,
			     reports.sole_path_to, &name_schema, 0, OC_POLICY_REALMS_MAX),
	CYAML_FIELD_SEQUENCE("realms", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc,
			     reports.realms, &name_schema, 0, OC_POLICY_REALMS_MAX),
	CYAML_FIELD_SEQUENCE("orders", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc,
			     reports.orders, &order_schema, 0, OC_POLICY_ORDERS_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t default_fields[] = {
	CYAML_FIELD_BOOL("doic", OPTIONAL, struct oev_conf_policy_doc, trust.fallback.doic),
	CYAML_FIELD_BOOL("send_reports", OPTIONAL, struct oev_conf_policy_doc, trust.fallback.send_reports),
	CYAML_FIELD_BOOL("relay_reports", OPTIONAL, struct oev_conf_policy_doc, trust.fallback.relay_reports),
	CYAML_FIELD_BOOL("receive_reports", OPTIONAL, struct oev_conf_policy_doc,
			 trust.fallback.receive_reports),
	CYAML_FIELD_ENUM("drmp", STRICT, struct oev_conf_policy_doc, trust.fallback.drmp, reach_words,
			 CYAML_ARRAY_LEN(reach_words)),
	CYAML_FIELD_BOOL("receive_drmp", OPTIONAL, struct oev_conf_policy_doc, trust.fallback.receive_drmp),
	CYAML_FIELD_ENUM("load", STRICT, struct oev_conf_policy_doc, trust.fallback.load, reach_words,
			 CYAML_ARRAY_LEN(reach_words)),
	CYAML_FIELD_BOOL("receive_load", OPTIONAL, struct oev_conf_policy_doc, trust.fallback.receive_load),
	CYAML_FIELD_BOOL("border", OPTIONAL, struct oev_conf_policy_doc, trust.fallback.border),
	CYAML_FIELD_BOOL("emergency", OPTIONAL, struct oev_conf_policy_doc, trust.fallback.emergency),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t peer_fields[] = {
	CYAML_FIELD_STRING("peer", OPTIONAL, struct oev_conf_trust_peer, peer, 1),
	CYAML_FIELD_BOOL("doic", OPTIONAL, struct oev_conf_trust_peer, flags.doic),
	CYAML_FIELD_BOOL("send_reports", OPTIONAL, struct oev_conf_trust_peer, flags.send_reports),
	CYAML_FIELD_BOOL("relay_reports", OPTIONAL, struct oev_conf_trust_peer, flags.relay_reports),
	CYAML_FIELD_BOOL("receive_reports", OPTIONAL, struct oev_conf_trust_peer, flags.receive_reports),
	CYAML_FIELD_ENUM("drmp", STRICT, struct oev_conf_trust_peer, flags.drmp, reach_words,
			 CYAML_ARRAY_LEN(reach_words)),
	CYAML_FIELD_BOOL("receive_drmp", OPTIONAL, struct oev_conf_trust_peer, flags.receive_drmp),
	CYAML_FIELD_ENUM("load", STRICT, struct oev_conf_trust_peer, flags.load, reach_words,
			 CYAML_ARRAY_LEN(reach_words)),
	CYAML_FIELD_BOOL("receive_load", OPTIONAL, struct oev_conf_trust_peer, flags.receive_load),
	CYAML_FIELD_BOOL("border", OPTIONAL, struct oev_conf_trust_peer, flags.border),
	CYAML_FIELD_BOOL("emergency", OPTIONAL, struct oev_conf_trust_peer, flags.emergency),
	CYAML_FIELD_SEQUENCE("drmp_map", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_trust_peer, drmp_map,
			     &small_schema, 0, OC_RANKS),
	CYAML_FIELD_SEQUENCE("realms", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_trust_peer, realms,
			     &name_schema, 0, OC_POLICY_REALMS_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t peer_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct oev_conf_trust_peer, peer_fields),
};

static const cyaml_schema_field_t trust_fields[] = {
	OEV_CONF_SECTION("default", struct oev_conf_policy_doc, default_fields),
	CYAML_FIELD_SEQUENCE_COUNT("peers", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc,
				   trust.peers, trust.peers_count, &peer_schema, 0, OC_POLICY_RULES_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t policy_fields[] = {
	CYAML_FIELD_ENUM("mode", STRICT, struct oev_conf_policy_doc, policy.mode, mode_words,
			 CYAML_ARRAY_LEN(mode_words)),
	CYAML_FIELD_SEQUENCE("shadow", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_policy_doc, shadow,
			     &name_schema, 0, OC_POLICY_SHADOW_MAX),
	CYAML_FIELD_ENUM("sampler", STRICT, struct oev_conf_policy_doc, policy.sampler, sampler_words,
			 CYAML_ARRAY_LEN(sampler_words)),
	OEV_CONF_SECTION("recovery", struct oev_conf_policy_doc, recovery_fields),
	CYAML_FIELD_UINT("outstanding_max", OPTIONAL, struct oev_conf_policy_doc, policy.outstanding_max),
	OEV_CONF_SECTION("refusal", struct oev_conf_policy_doc, refusal_fields),
	CYAML_FIELD_BOOL("standby_takes_all", OPTIONAL, struct oev_conf_policy_doc, policy.standby_takes_all),
	OEV_CONF_SECTION("rate", struct oev_conf_policy_doc, rate_fields),
	OEV_CONF_SECTION("priorities", struct oev_conf_policy_doc, priorities_fields),
	OEV_CONF_SECTION("load", struct oev_conf_policy_doc, load_fields),
	OEV_CONF_SECTION("reports", struct oev_conf_policy_doc, reports_fields),
	OEV_CONF_SECTION("trust", struct oev_conf_policy_doc, trust_fields),
	CYAML_FIELD_END,
};

const cyaml_schema_value_t oev_conf_policy_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct oev_conf_policy_doc, policy_fields),
};
