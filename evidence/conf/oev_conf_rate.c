/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Thresholds of the rate bucket, and the lists that tell requests apart.
 */
#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_conf_check.h"
#include "oev_conf_name.h"
#include "oev_conf_policy_doc.h"

/* @text passed oev_conf_check_node(). */
static uint32_t permille_of(const char *text)
{
	uint64_t value = 0;

	oev_conf_decimal(text, strlen(text), &value);
	return (uint32_t)value;
}

static int wrong_count(const struct oev_conf_doc *doc, const char *path, uint32_t count, uint32_t want)
{
	struct oev_conf_place at = oev_conf_place_of(doc, "%s", path);

	return oev_conf_doc_fail(doc, &at, OC_ERANGE, "%" PRIu32 " entries (allowed: exactly %" PRIu32 ")",
				 count, want);
}

/* Spec row R-32: what is admitted of a class is admitted of every more important one. */
static int take_thresholds(const struct oev_conf_doc *doc, const struct oev_conf_rate *rate,
			   struct oc_rate_policy *policy)
{
	if (!oev_conf_is_given(doc, "rate.thresholds"))
		return OC_OK;
	if (rate->thresholds_count != OC_CLASSES)
		return wrong_count(doc, "rate.thresholds", rate->thresholds_count, OC_CLASSES);
	for (uint32_t i = 0; i < OC_CLASSES; i++) {
		struct oev_conf_place at = oev_conf_place_of(doc, "rate.thresholds[%" PRIu32 "]", i);

		policy->threshold_permille[i] = permille_of(rate->thresholds[i]);
		if (i > 0 && policy->threshold_permille[i] > policy->threshold_permille[i - 1])
			return oev_conf_doc_fail(doc, &at, OC_EINVAL,
						 "%s is above the %s of the more important class before it "
						 "(allowed: thresholds that never rise)",
						 rate->thresholds[i], rate->thresholds[i - 1]);
	}
	return OC_OK;
}

int oev_conf_rate_apply(const struct oev_conf_doc *doc, const struct oev_conf_rate *rate,
			struct oc_policy *policy)
{
	int err = take_thresholds(doc, rate, &policy->rate);
	const uint32_t *least = &policy->rate.threshold_permille[OC_CLASSES - 1];
	struct oev_conf_place at = oev_conf_place_of(doc, "rate.initial");

	if (err != OC_OK)
		return err;
	if (oev_conf_is_given(doc, "rate.initial"))
		policy->rate.initial_permille = permille_of(rate->initial);
	if (policy->rate.initial_permille > *least) /* TAU0 <= TAU */
		return oev_conf_doc_fail(doc, &at, OC_EINVAL,
					 "%s is above the smallest threshold %" PRIu32 ".%03" PRIu32
					 " (allowed: at most that)",
					 rate->initial, *least / 1000, *least % 1000);
	return OC_OK;
}

static int take_apns(const struct oev_conf_doc *doc, const struct oev_conf_priorities *priorities,
		     struct oc_prio_policy *policy)
{
	if (!oev_conf_is_given(doc, "priorities.emergency_apns"))
		return OC_OK;
	memset(policy->emergency_apns, 0, sizeof(policy->emergency_apns));
	policy->emergency_apn_count = 0;
	for (uint32_t i = 0; i < priorities->emergency_apns_count; i++) {
		struct oev_conf_place at =
			oev_conf_place_of(doc, "priorities.emergency_apns[%" PRIu32 "]", i);
		char *apn = policy->emergency_apns[i];
		int err = oev_conf_copy_name(doc, &at, priorities->emergency_apns[i], apn, OC_POLICY_APN_MAX);

		for (uint32_t j = 0; err == OC_OK && j < i; j++)
			if (strcmp(policy->emergency_apns[j], apn) == 0)
				err = oev_conf_doc_fail(doc, &at, OC_EINVAL, "\"%s\" is already in the list",
							apn);
		if (err != OC_OK)
			return err;
		policy->emergency_apn_count++;
	}
	return OC_OK;
}

/* A lower DRMP priority is the more important one (P-16), and class 0 is. */
static int take_classes(const struct oev_conf_doc *doc, const struct oev_conf_priorities *priorities,
			struct oc_prio_policy *policy)
{
	if (!oev_conf_is_given(doc, "priorities.class_of_drmp"))
		return OC_OK;
	if (priorities->class_of_drmp_count != OC_RANKS)
		return wrong_count(doc, "priorities.class_of_drmp", priorities->class_of_drmp_count,
				   OC_RANKS);
	for (uint32_t i = 1; i < OC_RANKS; i++) {
		struct oev_conf_place at = oev_conf_place_of(doc, "priorities.class_of_drmp[%" PRIu32 "]", i);

		if (priorities->class_of_drmp[i] < priorities->class_of_drmp[i - 1])
			return oev_conf_doc_fail(
				doc, &at, OC_EINVAL,
				"%u is below the %u of the more important priority before it "
				"(allowed: classes that never fall)",
				priorities->class_of_drmp[i], priorities->class_of_drmp[i - 1]);
	}
	memcpy(policy->class_of_drmp, priorities->class_of_drmp, OC_RANKS);
	return OC_OK;
}

int oev_conf_priorities_apply(const struct oev_conf_doc *doc, const struct oev_conf_priorities *priorities,
			      struct oc_policy *policy)
{
	int err = take_apns(doc, priorities, &policy->priorities);

	return err == OC_OK ? take_classes(doc, priorities, &policy->priorities) : err;
}
