/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Class and rank of a request: the first rule that applies (spec section 3.4).
 *
 * A rank that no DRMP gives stands for the class: the lowest number that the default map puts there. That of
 * class 3 is the default priority itself, so that a request without DRMP equals one that carries the default (P-13); kept
 * between the ranks of its neighbours, lest an unusual default turns the classes round.
 */
#include "oc_prio.h"

#include <string.h>

#define CLASS_TOP 0u
#define CLASS_INHERITED_MAX 1u /* classes above 1 say nothing that the stage does not */

#define RANK_INSIDE 8u
#define RANK_BINDING 12u

static uint8_t rank_of_class(const struct oc_prio_policy *policy, uint8_t klass)
{
	static const uint8_t ranks[OC_CLASSES] = { 0, 5, RANK_INSIDE, 0, RANK_BINDING };
	uint8_t rank = policy->default_drmp;

	if (klass != OC_CLASS_DEFAULT)
		return ranks[klass];
	return rank < RANK_INSIDE ? RANK_INSIDE : rank > RANK_BINDING ? RANK_BINDING : rank;
}

static struct oc_prio prio_of_class(const struct oc_prio_policy *policy, uint8_t klass, bool is_inherited)
{
	return (struct oc_prio){ .klass = klass,
				 .rank = rank_of_class(policy, klass),
				 .is_inherited = is_inherited };
}

/* Nothing tells the request from others: the default priority and its class; with both switches off there is one class only. */
static struct oc_prio prio_of_default(const struct oc_prio_policy *policy)
{
	uint8_t klass = OC_CLASS_DEFAULT;

	if (policy->uses_drmp || policy->uses_application)
		klass = policy->class_of_drmp[policy->default_drmp];
	return (struct oc_prio){ .klass = klass, .rank = policy->default_drmp };
}

static struct oc_prio prio_of_stage(const struct oc_prio_policy *policy, enum oc_stage stage)
{
	static const uint8_t classes[] = {
		[OC_STAGE_INITIAL] = 3, [OC_STAGE_BINDING] = 4, [OC_STAGE_INSIDE] = 2, [OC_STAGE_END] = 1
	};

	return stage == OC_STAGE_UNKNOWN ? prio_of_default(policy)
					 : prio_of_class(policy, classes[stage], false);
}

static uint8_t lower(char c)
{
	return (uint8_t)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* Whether the @len octets at @text, without case, fit @pattern, in which 'N' stands for a digit. */
static bool fits(const char *text, const char *pattern, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		bool is_digit = text[i] >= '0' && text[i] <= '9';
		if (pattern[i] == 'N' ? !is_digit : lower(text[i]) != (uint8_t)pattern[i])
			return false;
	}
	return true;
}

/* Length of the network identifier of @apn (TS 23.003 section 9.1). */
static uint32_t network_len(const char *apn, uint32_t len)
{
	static const char suffix[] = ".mncNNN.mccNNN.gprs";
	const uint32_t suffix_len = sizeof(suffix) - 1;

	return len > suffix_len && fits(apn + len - suffix_len, suffix, suffix_len) ? len - suffix_len : len;
}

bool oc_prio_is_emergency_apn(const struct oc_prio_policy *policy, const char *apn, uint32_t len)
{
	for (uint32_t i = 0; i < policy->emergency_apn_count; i++) {
		const char *own = policy->emergency_apns[i];
		/* Every Gx session has an APN: the first octet alone sends nearly all of them away. */
		if (len == 0 || (uint8_t)own[0] != lower(apn[0]))
			continue;
		uint32_t network = network_len(apn, len);
		if (strlen(own) == network && fits(apn, own, network))
			return true;
	}
	return false;
}

/* Emergency or multimedia priority service, as the application itself says. */
static bool is_top(const struct oc_prio_policy *policy, const struct oc_msg *request)
{
	if ((request->hints & (OC_HINT_EMERGENCY | OC_HINT_MPS)) != 0)
		return true;
	if (policy->reservation_min != 0 && request->reservation_priority >= policy->reservation_min)
		return true;
	/* Gx has no mark of its own: an emergency session is one to an emergency APN. */
	return request->apn_len != 0 && (request->app_id == OC_APP_GX || request->app_id == OC_APP_GXX) &&
	       oc_prio_is_emergency_apn(policy, request->apn, request->apn_len);
}

struct oc_prio oc_prio_of(const struct oc_prio_policy *policy, const struct oc_msg *request, uint8_t drmp,
			  const struct oc_prio_session *session)
{
	/* Out of range is as good as none (P-23). */
	if (policy->uses_drmp && drmp < OC_RANKS)
		return (struct oc_prio){ .klass = policy->class_of_drmp[drmp], .rank = drmp };
	if (!policy->uses_application)
		return prio_of_default(policy);
	if (!session->is_unbelievable && is_top(policy, request))
		return prio_of_class(policy, CLASS_TOP, false);
	struct oc_prio own = prio_of_stage(policy, oc_prio_stage(request, session->is_known));
	if (session->is_known && session->klass <= CLASS_INHERITED_MAX && session->klass < own.klass)
		return prio_of_class(policy, session->klass, true);
	return own;
}
