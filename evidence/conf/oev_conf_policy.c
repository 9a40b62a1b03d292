/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * policy.yaml: its parser.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_conf_name.h"
#include "oev_conf_policy_doc.h"
#include "oev_conf_walk.h"

/* Lists stay where libcyaml put them. */
static void borrow_lists(const struct oev_conf_policy_doc *loaded, struct oev_conf_policy_doc *merged)
{
	merged->shadow = loaded->shadow;
	merged->shadow_count = loaded->shadow_count;
	merged->rate.thresholds = loaded->rate.thresholds;
	merged->rate.thresholds_count = loaded->rate.thresholds_count;
	merged->priorities = loaded->priorities;
	merged->reports = loaded->reports;
	merged->trust.peers = loaded->trust.peers;
	merged->trust.peers_count = loaded->trust.peers_count;
}

static int shadow_apply(const struct oev_conf_doc *doc, const struct oev_conf_policy_doc *merged,
			struct oc_policy *policy)
{
	for (uint32_t i = 0; i < merged->shadow_count; i++) {
		struct oev_conf_place at = oev_conf_place_of(doc, "shadow[%" PRIu32 "]", i);
		int err = oev_conf_copy_pattern(doc, &at, merged->shadow[i], policy->shadow[i]);

		for (uint32_t j = 0; err == OC_OK && j < i; j++)
			if (strcmp(policy->shadow[j], policy->shadow[i]) == 0)
				err = oev_conf_doc_fail(doc, &at, OC_EINVAL, "\"%s\" is already in the list",
							policy->shadow[i]);
		if (err != OC_OK)
			return err;
	}
	policy->shadow_count = merged->shadow_count;
	return OC_OK;
}

/* Whether the next part is looked at: always when all mistakes are wanted. */
static bool goes_on(const struct oev_conf_doc *doc, int err)
{
	return err == OC_OK || doc->errors;
}

/* @merged: zeroed. */
static int policy_from(const struct oev_conf_doc *doc, const struct oev_conf_policy_doc *loaded,
		       struct oev_conf_policy_doc *merged)
{
	int err;

	oc_policy_init(&merged->policy);
	oev_conf_merge(doc, &oev_conf_policy_schema, loaded, merged);
	if (loaded != NULL)
		borrow_lists(loaded, merged);
	err = oev_conf_doc_keep(doc, shadow_apply(doc, merged, &merged->policy), OC_OK);
	if (goes_on(doc, err))
		err = oev_conf_doc_keep(doc, oev_conf_rate_apply(doc, &merged->rate, &merged->policy), err);
	if (goes_on(doc, err))
		err = oev_conf_doc_keep(
			doc, oev_conf_priorities_apply(doc, &merged->priorities, &merged->policy), err);
	if (goes_on(doc, err))
		err = oev_conf_doc_keep(doc, oev_conf_reports_apply(doc, &merged->reports, &merged->policy),
					err);
	if (goes_on(doc, err)) { /* which notes its own */
		int of_trust = oev_conf_trust_apply(doc, &merged->trust, &merged->policy);
		err = err != OC_OK ? err : of_trust;
	}
	return err;
}

/* Reports are obeyed of whom a rule trusts, or trust.default: when that is nobody, none ever is. */
static void warn(const struct oev_conf_doc *doc, const struct oc_policy *policy)
{
	const uint32_t reports = OC_TRUST_SEND_REPORTS | OC_TRUST_RELAY_REPORTS;
	struct oev_conf_place at = oev_conf_place_of(doc, "trust");
	uint32_t flags = policy->default_trust;

	for (uint32_t i = 0; i < policy->rule_count; i++)
		flags |= policy->rules[i].flags;
	if ((flags & reports) != 0 || !doc->errors)
		return;
	struct oev_conf_mistake *warning = &doc->errors->warning[doc->errors->warned++];
	*warning = (struct oev_conf_mistake){ .line = at.line, .column = at.column };
	snprintf(warning->key, sizeof(warning->key), "trust");
	snprintf(warning->text, sizeof(warning->text),
		 "nobody is trusted to send overload reports, so every one will be ignored (send_reports or "
		 "relay_reports: true, of an entry of trust.peers or in trust.default)");
}

/* @to: a struct oc_policy. */
static int parse(struct oev_conf_doc *doc, void *to)
{
	struct oc_policy *out = to;
	struct oev_conf_place start = { .line = 1, .column = 1 };
	struct oev_conf_policy_doc *merged = calloc(1, sizeof(*merged));
	void *loaded = NULL;
	int err;

	if (merged == NULL)
		return oev_conf_doc_fail(doc, &start, OC_ENOMEM, "out of memory");
	err = oev_conf_walk(doc);
	if (err == OC_OK)
		err = oev_conf_doc_keep(doc, oev_conf_load(doc, &oev_conf_policy_schema, &loaded), OC_OK);
	if (err == OC_OK)
		err = policy_from(doc, loaded, merged);
	if (err == OC_OK) {
		warn(doc, &merged->policy);
		*out = merged->policy;
	}
	oev_conf_unload(&oev_conf_policy_schema, loaded);
	oev_conf_doc_fini(doc);
	free(merged);
	return err;
}

int oev_conf_policy_parse(const char *text, size_t len, const char *file, struct oc_policy *out,
			  char error[static OEV_CONF_ERROR_MAX])
{
	struct oev_conf_doc doc = {
		.kind = OEV_CONF_POLICY, .file = file, .text = text, .len = len, .error = error
	};

	return parse(&doc, out);
}

struct oev_conf_errors *oev_conf_policy_mistakes(const char *text, size_t len, const char *file)
{
	struct oev_conf_errors *errors = calloc(1, sizeof(*errors));
	struct oc_policy *policy = calloc(1, sizeof(*policy));

	if (errors != NULL && policy != NULL) {
		(void)oev_conf_policy_check(text, len, file, policy, errors);
	} else {
		free(errors);
		errors = NULL;
	}
	free(policy);
	return errors;
}

int oev_conf_policy_check(const char *text, size_t len, const char *file, struct oc_policy *out,
			  struct oev_conf_errors *errors)
{
	struct oev_conf_doc doc = { .kind = OEV_CONF_POLICY, .file = file, .text = text, .len = len };

	return oev_conf_doc_check(&doc, parse, out, errors);
}
