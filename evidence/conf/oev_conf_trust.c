/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Trust rules and the checks between them (RFC 7683 section 10; spec rows D-280..D-287).
 */
#include "oev_conf_trust.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_conf_name.h"

/* Adds the bits that @reach means. */
static uint32_t reach_flags(enum oev_conf_reach reach, uint32_t own, uint32_t relayed)
{
	return reach == OEV_REACH_RELAYED ? own | relayed : reach == OEV_REACH_OWN ? own : 0u;
}

static uint32_t flags_of(const struct oev_conf_trust_flags *flags)
{
	return (flags->doic ? OC_TRUST_DOIC : 0u) | (flags->send_reports ? OC_TRUST_SEND_REPORTS : 0u) |
	       (flags->relay_reports ? OC_TRUST_RELAY_REPORTS : 0u) |
	       (flags->receive_reports ? OC_TRUST_RECEIVE_REPORTS : 0u) |
	       reach_flags(flags->drmp, OC_TRUST_DRMP, OC_TRUST_RELAY_DRMP) |
	       (flags->receive_drmp ? OC_TRUST_RECEIVE_DRMP : 0u) |
	       reach_flags(flags->load, OC_TRUST_SEND_LOAD, OC_TRUST_RELAY_LOAD) |
	       (flags->receive_load ? OC_TRUST_RECEIVE_LOAD : 0u) | (flags->border ? OC_TRUST_BORDER : 0u) |
	       (flags->emergency ? 0u : OC_TRUST_NO_EMERGENCY);
}

/* Whoever is not trusted for DOIC has all its DOIC AVPs stripped (D-284), so the other three would be empty
 * promises. @section: the mapping that holds the keys. */
static int take_flags(const struct oev_conf_doc *doc, const char *section,
		      const struct oev_conf_trust_flags *flags, uint32_t *out)
{
	const char *idle = flags->send_reports	    ? "send_reports"
			   : flags->relay_reports   ? "relay_reports"
			   : flags->receive_reports ? "receive_reports"
						    : NULL;
	struct oev_conf_place at;

	if (!flags->doic && idle != NULL) {
		at = oev_conf_place_of(doc, "%s.%s", section, idle);
		return oev_conf_doc_fail(doc, &at, OC_EINVAL,
					 "true, but doic beside it is false, so it could have no effect "
					 "(allowed: false, or doic: true)");
	}
	*out = flags_of(flags);
	return OC_OK;
}

/* Listed means trusted for what a neighbour of the same operator needs; across a border only what is written
 * (spec rows D-292, L-25, P-18 to P-20). @listed: of trust.peers, else trust.default. */
static void complete_flags(const struct oev_conf_doc *doc, const char *section, bool listed,
			   struct oev_conf_trust_flags *flags)
{
	bool near = !flags->border;

	if (!oev_conf_is_given(doc, "%s.doic", section))
		flags->doic = listed && near;
	if (!oev_conf_is_given(doc, "%s.receive_drmp", section))
		flags->receive_drmp = near;
	if (!oev_conf_is_given(doc, "%s.emergency", section))
		flags->emergency = near;
	if (!oev_conf_is_given(doc, "%s.load", section))
		flags->load = listed && near ? OEV_REACH_OWN : OEV_REACH_NONE;
	if (!oev_conf_is_given(doc, "%s.receive_load", section))
		flags->receive_load = listed && near;
}

/* Spec row P-20: a priority plan ends at the border, the map leads into ours. */
static int take_drmp_map(const struct oev_conf_doc *doc, const struct oev_conf_trust_peer *peer,
			 const char *section, struct oc_trust_rule *rule)
{
	struct oev_conf_place at = oev_conf_place_of(doc, "%s.drmp_map", section);

	if (peer->drmp_map_count == 0)
		return OC_OK;
	if (peer->drmp_map_count != OC_RANKS)
		return oev_conf_doc_fail(doc, &at, OC_ERANGE,
					 "%" PRIu32
					 " entries (allowed: 16, one for each DRMP priority, or none)",
					 peer->drmp_map_count);
	if (peer->flags.drmp == OEV_REACH_NONE)
		return oev_conf_doc_fail(doc, &at, OC_EINVAL,
					 "given, but drmp beside it is none, so it could have no effect "
					 "(allowed: drmp: own or drmp: relayed)");
	rule->has_drmp_map = true;
	memcpy(rule->drmp_map, peer->drmp_map, OC_RANKS);
	return OC_OK;
}

/* The first rule that fits is used, so a rule that an earlier one covers is dead: surely a mistake. */
static int check_reachable(const struct oev_conf_doc *doc, const struct oev_conf_place *at,
			   const struct oc_policy *policy, const char *peer)
{
	for (uint32_t i = 0; i < policy->rule_count; i++) {
		const char *earlier = policy->rules[i].peer;

		if (strcmp(earlier, peer) == 0)
			return oev_conf_doc_fail(
				doc, at, OC_EINVAL,
				"\"%s\" is already rule trust.peers[%" PRIu32 "] (allowed: once)", peer, i);
		if (oc_policy_pattern_matches(earlier, peer))
			return oev_conf_doc_fail(doc, at, OC_EINVAL,
						 "\"%s\" can never be used: trust.peers[%" PRIu32
						 "] \"%s\" before "
						 "it covers it (put the narrower one first)",
						 peer, i, earlier);
	}
	return OC_OK;
}

static int take_realms(const struct oev_conf_doc *doc, const struct oev_conf_trust_peer *peer,
		       const char *section, struct oc_trust_rule *rule)
{
	for (uint32_t i = 0; i < peer->realms_count; i++) {
		struct oev_conf_place at = oev_conf_place_of(doc, "%s.realms[%" PRIu32 "]", section, i);
		int err = oev_conf_copy_pattern(doc, &at, peer->realms[i], rule->realms[i]);

		if (err != OC_OK)
			return err;
	}
	rule->realm_count = peer->realms_count;
	return OC_OK;
}

static int take_peer(const struct oev_conf_doc *doc, const struct oev_conf_trust_peer *peer,
		     const char *section, struct oc_policy *policy)
{
	struct oc_trust_rule *rule = &policy->rules[policy->rule_count];
	struct oev_conf_trust_flags flags = peer->flags;
	struct oev_conf_place at;
	int err;

	complete_flags(doc, section, true, &flags);
	at = oev_conf_place_of(doc, "%s.peer", section);
	if (oev_conf_doc_find(doc, at.path) == NULL) {
		at = oev_conf_place_of(doc, "%s", section);
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED, "the key \"peer\" is missing (required)");
	}
	err = oev_conf_copy_pattern(doc, &at, peer->peer, rule->peer);
	if (err == OC_OK)
		err = check_reachable(doc, &at, policy, rule->peer);
	if (err == OC_OK)
		err = take_flags(doc, section, &flags, &rule->flags);
	if (err == OC_OK)
		err = take_realms(doc, peer, section, rule);
	if (err == OC_OK)
		err = take_drmp_map(doc, peer, section, rule);
	if (err == OC_OK)
		policy->rule_count++;
	return err;
}

int oev_conf_trust_apply(const struct oev_conf_doc *doc, const struct oev_conf_trust *trust,
			 struct oc_policy *policy)
{
	char section[OEV_CONF_NAME_MAX];
	struct oev_conf_trust_flags fallback = trust->fallback;
	int err;

	complete_flags(doc, "trust.default", false, &fallback);
	err = oev_conf_doc_keep(doc, take_flags(doc, "trust.default", &fallback, &policy->default_trust),
				OC_OK);
	policy->rule_count = 0;
	for (uint32_t i = 0; (err == OC_OK || doc->errors) && i < trust->peers_count; i++) {
		snprintf(section, sizeof(section), "trust.peers[%" PRIu32 "]", i);
		policy->rule_count = i; /* also after a rule with a mistake: rules are told by their place */
		err = oev_conf_doc_keep(doc, take_peer(doc, &trust->peers[i], section, policy), err);
	}
	return err;
}
