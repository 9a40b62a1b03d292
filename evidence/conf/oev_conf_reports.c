/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Whom this agent may report for, and the reports the policy orders.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../app/oev_app.h"
#include "oev_conf_name.h"
#include "oev_conf_policy_doc.h"

/* Copies the list at @path to @out, no name twice. */
static int take_names(const struct oev_conf_doc *doc, const char *path,
		      char (*const names)[OC_POLICY_PATTERN_MAX], uint32_t count,
		      char (*out)[OC_POLICY_PATTERN_MAX])
{
	for (uint32_t i = 0; i < count; i++) {
		struct oev_conf_place at = oev_conf_place_of(doc, "%s[%" PRIu32 "]", path, i);
		int err = oev_conf_copy_name(doc, &at, names[i], out[i], OC_POLICY_PATTERN_MAX);

		for (uint32_t j = 0; err == OC_OK && j < i; j++)
			if (strcmp(out[j], out[i]) == 0)
				err = oev_conf_doc_fail(doc, &at, OC_EINVAL, "\"%s\" is already in the list",
							out[i]);
		if (err != OC_OK)
			return err;
	}
	return OC_OK;
}

static bool is_listed(char (*const names)[OC_POLICY_PATTERN_MAX], uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Reports of a host or realm made by one who sees only part of its traffic, or by several who number them apart,
 * mislead every receiver (spec rows D-035, D-113): the operator has to say that it is not so. */
static int check_right(const struct oev_conf_doc *doc, const char *order, struct oc_report_policy *policy,
		       const struct oc_order_policy *out)
{
	bool host = out->type == OC_REPORT_HOST;
	bool given = out->subject[0] != '\0';
	struct oev_conf_place at = oev_conf_place_of(doc, given ? "%s.subject" : "%s", order);

	if (out->type == OC_REPORT_PEER)
		return OC_OK;
	if (!given)
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED,
					 "the key \"subject\" is missing (required for type %s)",
					 host ? "host" : "realm");
	if (host && !is_listed(policy->sole_paths, policy->sole_path_count, out->subject))
		return oev_conf_doc_fail(
			doc, &at, OC_EINVAL,
			"\"%s\" is not in reports.sole_path_to: an agent may report for a host only "
			"when all its traffic passes here",
			out->subject);
	if (!host && !is_listed(policy->realms, policy->realm_count, out->subject))
		return oev_conf_doc_fail(
			doc, &at, OC_EINVAL,
			"\"%s\" is not in reports.realms: an agent may report for a realm only when "
			"it is its one reporting node",
			out->subject);
	return OC_OK;
}

static int check_wish(const struct oev_conf_doc *doc, const char *order, const struct oc_policy *policy,
		      const struct oc_order_policy *out)
{
	struct oev_conf_place at = oev_conf_place_of(doc, out->has_rate ? "%s.rate_rps" : "%s", order);

	if (!out->has_reduction && !out->has_rate)
		return oev_conf_doc_fail(
			doc, &at, OC_EINVAL,
			"neither reduction_pct nor rate_rps is given (allowed: one or both)");
	if (out->has_rate && !policy->rate.is_on)
		return oev_conf_doc_fail(doc, &at, OC_EINVAL,
					 "given, but rate.enabled is false, so it could have no effect "
					 "(allowed: reduction_pct, or rate.enabled: true)");
	return OC_OK;
}

static int check_once(const struct oev_conf_doc *doc, const char *order,
		      const struct oc_report_policy *policy, const struct oc_order_policy *out)
{
	struct oev_conf_place at = oev_conf_place_of(doc, "%s", order);

	for (uint32_t i = 0; i < policy->order_count; i++)
		if (policy->orders[i].type == out->type && policy->orders[i].app_id == out->app_id &&
		    strcmp(policy->orders[i].subject, out->subject) == 0)
			return oev_conf_doc_fail(
				doc, &at, OC_EINVAL,
				"same type, subject and application as reports.orders[%" PRIu32
				"] (allowed: once)",
				i);
	return OC_OK;
}

static int take_app(const struct oev_conf_doc *doc, const char *order, const char *text, uint32_t *app_id)
{
	struct oev_conf_place at = oev_conf_place_of(doc, "%s.application", order);
	char extract[OEV_CONF_EXTRACT_MAX];

	*app_id = OC_APP_ANY;
	if (text[0] == '\0' || strcmp(text, "all") == 0 || oev_app_parse(text, app_id) == OC_OK)
		return OC_OK;
	return oev_conf_doc_fail(
		doc, &at, OC_EMALFORMED,
		"\"%s\" is no application (allowed: an Application-ID, or one of gx, rx, gy, s6a, cx, "
		"swx, gxx, s9, all)",
		oev_conf_extract(text, strlen(text), extract));
}

static int take_order(const struct oev_conf_doc *doc, const char *path, const struct oev_conf_order *order,
		      struct oc_policy *policy)
{
	struct oc_order_policy *out = &policy->reports.orders[policy->reports.order_count];
	struct oev_conf_place at = oev_conf_place_of(doc, "%s", path);
	struct oev_conf_place subject = oev_conf_place_of(doc, "%s.subject", path);
	int err = OC_OK;

	if (!oev_conf_is_given(doc, "%s.type", path))
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED, "the key \"type\" is missing (required)");
	*out = (struct oc_order_policy){ .type = (uint8_t)order->type,
					 .has_reduction = oev_conf_is_given(doc, "%s.reduction_pct", path),
					 .has_rate = oev_conf_is_given(doc, "%s.rate_rps", path),
					 .reduction_pct = order->reduction_pct,
					 .rate_rps = order->rate_rps,
					 .validity_s = order->validity_s };
	if (order->subject[0] != '\0')
		err = oev_conf_copy_name(doc, &subject, order->subject, out->subject, sizeof(out->subject));
	if (err == OC_OK)
		err = take_app(doc, path, order->application, &out->app_id);
	if (err == OC_OK)
		err = check_right(doc, path, &policy->reports, out);
	if (err == OC_OK)
		err = check_wish(doc, path, policy, out);
	if (err == OC_OK)
		err = check_once(doc, path, &policy->reports, out);
	if (err == OC_OK)
		policy->reports.order_count++;
	return err;
}

static int check_preference(const struct oev_conf_doc *doc, const struct oc_policy *policy)
{
	struct oev_conf_place at = oev_conf_place_of(doc, "reports.prefer");

	if (policy->reports.prefers != OC_ALGO_RATE || policy->rate.is_on)
		return OC_OK;
	return oev_conf_doc_fail(doc, &at, OC_EINVAL,
				 "rate, but rate.enabled is false (allowed: loss, or rate.enabled: true)");
}

int oev_conf_reports_apply(const struct oev_conf_doc *doc, const struct oev_conf_reports *reports,
			   struct oc_policy *policy)
{
	char path[OEV_CONF_NAME_MAX];
	int err = check_preference(doc, policy);

	if (err == OC_OK)
		err = take_names(doc, "reports.sole_path_to", reports->sole_path_to,
				 reports->sole_path_to_count, policy->reports.sole_paths);
	policy->reports.sole_path_count = reports->sole_path_to_count;
	if (err == OC_OK)
		err = take_names(doc, "reports.realms", reports->realms, reports->realms_count,
				 policy->reports.realms);
	policy->reports.realm_count = reports->realms_count;
	for (uint32_t i = 0; err == OC_OK && i < reports->orders_count; i++) {
		snprintf(path, sizeof(path), "reports.orders[%" PRIu32 "]", i);
		err = take_order(doc, path, &reports->orders[i], policy);
	}
	return err;
}
