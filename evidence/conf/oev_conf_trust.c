/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Trust rules and the checks between them (RFC 7683 section 10; spec rows D-280..D-287).
 */
#include "oev_conf_trust.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"

/* Where a path was written, or the start of the document when it is absent. */
static struct oev_conf_place place_of(const struct oev_conf_doc *doc, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static struct oev_conf_place place_of(const struct oev_conf_doc *doc, const char *format, ...)
{
	struct oev_conf_place at = { .line = 1, .column = 1 };
	const struct oev_conf_place *found;
	va_list args;

	va_start(args, format);
	vsnprintf(at.path, sizeof(at.path), format, args);
	va_end(args);
	found = oev_conf_doc_find(doc, at.path);
	return found != NULL ? *found : at;
}

/* Diameter identities are domain names (RFC 6733 section 4.3.1): no empty label, and letters of either case. */
static bool is_name_octet(char octet)
{
	return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') ||
	       (octet >= '0' && octet <= '9') || octet == '-' || octet == '_';
}

static bool is_pattern(const char *text)
{
	bool label = false;

	if (strcmp(text, "*") == 0)
		return true;
	if (strncmp(text, "*.", 2) == 0)
		text += 2;
	for (; *text != '\0'; text++) {
		if (*text == '.' ? !label : !is_name_octet(*text))
			return false;
		label = *text != '.';
	}
	return label;
}

static int copy_pattern(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *text,
			char out[static OC_POLICY_PATTERN_MAX])
{
	char extract[OEV_CONF_EXTRACT_MAX];
	size_t len = strlen(text);

	if (!is_pattern(text))
		return oev_conf_doc_fail(
			doc, at, OC_EMALFORMED,
			"\"%s\" is not a pattern (allowed: a name of letters, digits, - and _ between "
			"dots, \"*.\" before it, or \"*\")",
			oev_conf_extract(text, len, extract));
	for (size_t i = 0; i <= len; i++)
		out[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
	return OC_OK;
}

/* Whoever is not trusted for DOIC has all its DOIC AVPs stripped (D-284), so the other three would be empty
 * promises. @section: the mapping that holds the four keys. */
static int take_flags(const struct oev_conf_doc *doc, const char *section,
		      const struct oev_conf_trust_flags *flags, uint32_t *out)
{
	const char *idle = flags->send_reports	    ? "send_reports"
			   : flags->relay_reports   ? "relay_reports"
			   : flags->receive_reports ? "receive_reports"
						    : NULL;
	struct oev_conf_place at;

	if (!flags->doic && idle != NULL) {
		at = place_of(doc, "%s.%s", section, idle);
		return oev_conf_doc_fail(doc, &at, OC_EINVAL,
					 "true, but doic beside it is false, so it could have no effect "
					 "(allowed: false, or doic: true)");
	}
	*out = (flags->doic ? OC_TRUST_DOIC : 0u) | (flags->send_reports ? OC_TRUST_SEND_REPORTS : 0u) |
	       (flags->relay_reports ? OC_TRUST_RELAY_REPORTS : 0u) |
	       (flags->receive_reports ? OC_TRUST_RECEIVE_REPORTS : 0u);
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
		struct oev_conf_place at = place_of(doc, "%s.realms[%" PRIu32 "]", section, i);
		int err = copy_pattern(doc, &at, peer->realms[i], rule->realms[i]);

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
	struct oev_conf_place at = place_of(doc, "%s.doic", section);
	int err;

	flags.doic |= oev_conf_doc_find(doc, at.path) == NULL; /* listed means trusted for DOIC */
	at = place_of(doc, "%s.peer", section);
	if (oev_conf_doc_find(doc, at.path) == NULL) {
		at = place_of(doc, "%s", section);
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED, "the key \"peer\" is missing (required)");
	}
	err = copy_pattern(doc, &at, peer->peer, rule->peer);
	if (err == OC_OK)
		err = check_reachable(doc, &at, policy, rule->peer);
	if (err == OC_OK)
		err = take_flags(doc, section, &flags, &rule->flags);
	if (err == OC_OK)
		err = take_realms(doc, peer, section, rule);
	if (err == OC_OK)
		policy->rule_count++;
	return err;
}

int oev_conf_trust_apply(const struct oev_conf_doc *doc, const struct oev_conf_trust *trust,
			 struct oc_policy *policy)
{
	char section[OEV_CONF_NAME_MAX];
	int err = take_flags(doc, "trust.default", &trust->fallback, &policy->default_trust);

	policy->rule_count = 0;
	for (uint32_t i = 0; err == OC_OK && i < trust->peers_count; i++) {
		snprintf(section, sizeof(section), "trust.peers[%" PRIu32 "]", i);
		err = take_peer(doc, &trust->peers[i], section, policy);
	}
	return err;
}
