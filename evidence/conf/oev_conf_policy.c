/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * policy.yaml: its schema and its parser.
 */
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_conf_load.h"
#include "oev_conf_trust.h"
#include "oev_conf_walk.h"

#define OPTIONAL CYAML_FLAG_OPTIONAL
#define STRICT (CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT)

/* The scalars load straight into an oc_policy; trust needs a form of its own first. */
struct policy_document {
	struct oc_policy policy;
	struct oev_conf_trust trust;
};

static const cyaml_strval_t mode_words[] = { { "enforce", OC_MODE_ENFORCE }, { "observe", OC_MODE_OBSERVE } };
static const cyaml_strval_t sampler_words[] = { { "exact", OC_SAMPLER_EXACT },
						{ "random", OC_SAMPLER_RANDOM } };
static const cyaml_strval_t code_words[] = { { "3004", OC_RC_TOO_BUSY }, { "5012", OC_RC_UNABLE_TO_COMPLY } };

static const cyaml_schema_field_t recovery_fields[] = {
	CYAML_FIELD_UINT("ended_memory_ms", OPTIONAL, struct policy_document, policy.ended_memory_ms),
	CYAML_FIELD_UINT("ramp_ms", OPTIONAL, struct policy_document, policy.ramp_ms),
	CYAML_FIELD_UINT("probe_interval_ms", OPTIONAL, struct policy_document, policy.probe_interval_ms),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t refusal_fields[] = {
	CYAML_FIELD_ENUM("host_report_code", STRICT, struct policy_document, policy.refusal_code_host,
			 code_words, CYAML_ARRAY_LEN(code_words)),
	CYAML_FIELD_ENUM("realm_report_code", STRICT, struct policy_document, policy.refusal_code_realm,
			 code_words, CYAML_ARRAY_LEN(code_words)),
	CYAML_FIELD_ENUM("outstanding_code", STRICT, struct policy_document, policy.refusal_code_outstanding,
			 code_words, CYAML_ARRAY_LEN(code_words)),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t default_fields[] = {
	CYAML_FIELD_BOOL("doic", OPTIONAL, struct policy_document, trust.fallback.doic),
	CYAML_FIELD_BOOL("send_reports", OPTIONAL, struct policy_document, trust.fallback.send_reports),
	CYAML_FIELD_BOOL("relay_reports", OPTIONAL, struct policy_document, trust.fallback.relay_reports),
	CYAML_FIELD_BOOL("receive_reports", OPTIONAL, struct policy_document, trust.fallback.receive_reports),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t realm_schema = {
	CYAML_VALUE_STRING(CYAML_FLAG_DEFAULT, char[OC_POLICY_PATTERN_MAX], 1, OC_POLICY_PATTERN_MAX - 1),
};

static const cyaml_schema_field_t peer_fields[] = {
	CYAML_FIELD_STRING("peer", OPTIONAL, struct oev_conf_trust_peer, peer, 1),
	CYAML_FIELD_BOOL("doic", OPTIONAL, struct oev_conf_trust_peer, flags.doic),
	CYAML_FIELD_BOOL("send_reports", OPTIONAL, struct oev_conf_trust_peer, flags.send_reports),
	CYAML_FIELD_BOOL("relay_reports", OPTIONAL, struct oev_conf_trust_peer, flags.relay_reports),
	CYAML_FIELD_BOOL("receive_reports", OPTIONAL, struct oev_conf_trust_peer, flags.receive_reports),
	CYAML_FIELD_SEQUENCE("realms", CYAML_FLAG_POINTER | OPTIONAL, struct oev_conf_trust_peer, realms,
			     &realm_schema, 0, OC_POLICY_REALMS_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t peer_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct oev_conf_trust_peer, peer_fields),
};

static const cyaml_schema_field_t trust_fields[] = {
	OEV_CONF_SECTION("default", struct policy_document, default_fields),
	CYAML_FIELD_SEQUENCE_COUNT("peers", CYAML_FLAG_POINTER | OPTIONAL, struct policy_document,
				   trust.peers, trust.peers_count, &peer_schema, 0, OC_POLICY_RULES_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t policy_fields[] = {
	CYAML_FIELD_ENUM("mode", STRICT, struct policy_document, policy.mode, mode_words,
			 CYAML_ARRAY_LEN(mode_words)),
	CYAML_FIELD_ENUM("sampler", STRICT, struct policy_document, policy.sampler, sampler_words,
			 CYAML_ARRAY_LEN(sampler_words)),
	OEV_CONF_SECTION("recovery", struct policy_document, recovery_fields),
	CYAML_FIELD_UINT("outstanding_max", OPTIONAL, struct policy_document, policy.outstanding_max),
	OEV_CONF_SECTION("refusal", struct policy_document, refusal_fields),
	OEV_CONF_SECTION("trust", struct policy_document, trust_fields),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t policy_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct policy_document, policy_fields),
};

/* @merged: zeroed. */
static int policy_from(const struct oev_conf_doc *doc, const struct policy_document *loaded,
		       struct policy_document *merged)
{
	oc_policy_init(&merged->policy);
	oev_conf_merge(doc, &policy_schema, loaded, merged);
	if (loaded != NULL) {
		merged->trust.peers = loaded->trust.peers;
		merged->trust.peers_count = loaded->trust.peers_count;
	}
	return oev_conf_trust_apply(doc, &merged->trust, &merged->policy);
}

int oev_conf_policy_parse(const char *text, size_t len, const char *file, struct oc_policy *out,
			  char error[static OEV_CONF_ERROR_MAX])
{
	struct oev_conf_doc doc = {
		.kind = OEV_CONF_POLICY, .file = file, .text = text, .len = len, .error = error
	};
	struct oev_conf_place start = { .line = 1, .column = 1 };
	struct policy_document *merged = calloc(1, sizeof(*merged));
	void *loaded = NULL;
	int err;

	if (merged == NULL)
		return oev_conf_doc_fail(&doc, &start, OC_ENOMEM, "out of memory");
	err = oev_conf_walk(&doc);
	if (err == OC_OK)
		err = oev_conf_load(&doc, &policy_schema, &loaded);
	if (err == OC_OK)
		err = policy_from(&doc, loaded, merged);
	if (err == OC_OK)
		*out = merged->policy;
	oev_conf_unload(&policy_schema, loaded);
	oev_conf_doc_fini(&doc);
	free(merged);
	return err;
}
