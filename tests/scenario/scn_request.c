/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Requests of a story: read from words, written as octets.
 */
#include "scn_say.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scn_world.h"

struct number_key {
	const char *key;
	size_t at; /* of a uint32_t in struct scn_request */
};

static const struct number_key numbers[] = {
	{ "app", offsetof(struct scn_request, app_id) },
	{ "command", offsetof(struct scn_request, command) },
	{ "drmp", offsetof(struct scn_request, drmp) },
	{ "rdrmp", offsetof(struct scn_request, drmp) },
	{ "cc", offsetof(struct scn_request, cc_type) },
	{ "reservation", offsetof(struct scn_request, reservation) },
	{ "rxtype", offsetof(struct scn_request, rx_type) },
	{ "uarflags", offsetof(struct scn_request, uar_flags) },
	{ "ulrflags", offsetof(struct scn_request, ulr_flags) },
	{ "assignment", offsetof(struct scn_request, assignment) },
	{ "subsession", offsetof(struct scn_request, subsession) },
};

static const struct number_key names[] = {
	{ "client", offsetof(struct scn_request, client) },
	{ "origin", offsetof(struct scn_request, origin) },
	{ "orealm", offsetof(struct scn_request, origin_realm) },
	{ "dh", offsetof(struct scn_request, dest_host) },
	{ "realm", offsetof(struct scn_request, dest_realm) },
};

static bool set_number(struct scn_request *r, const char *key, const char *value)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strcmp(numbers[i].key, key) == 0) {
			*(uint32_t *)(void *)((char *)r + numbers[i].at) = (uint32_t)strtoul(value, NULL, 0);
			return true;
		}
	return false;
}

static bool set_name(struct scn_world *w, struct scn_request *r, const char *key, const char *value)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].key, key) == 0) {
			const char *text = strcmp(value, "-") == 0 ? NULL : scn_identity(w, value);
			memcpy((char *)r + names[i].at, &text, sizeof(text));
			return true;
		}
	return false;
}

static void set_groups(struct scn_request *r, const char *value)
{
	char *end = NULL;

	r->group_count = 0;
	for (const char *at = value; *at && r->group_count < SCN_GROUPS_MAX; at = *end ? end + 1 : end)
		r->groups[r->group_count++] = (uint32_t)strtoul(at, &end, 0);
}

static bool set_flag(struct scn_request *r, const char *key)
{
	if (strcmp(key, "mps") == 0)
		return (r->has_mps = true);
	if (strcmp(key, "release") == 0)
		return (r->releases = true);
	if (strcmp(key, "olr") == 0)
		return (r->has_olr = true);
	if (strcmp(key, "plain") == 0) /* names a kind that differs in nothing */
		return true;
	if (strcmp(key, "retransmit") == 0) {
		r->flags |= OC_FLAG_RETRANSMIT;
		return true;
	}
	if (strcmp(key, "emergency") != 0)
		return false;
	if (r->app_id == OC_APP_RX)
		r->urn = "sos.fire";
	else if (r->app_id == OC_APP_CX)
		r->uar_flags = 1;
	else
		r->apn = "sos";
	return true;
}

bool scn_request_set(struct scn_world *w, struct scn_request *request, const char *key, const char *value)
{
	if (!value)
		return set_flag(request, key);
	if (set_number(request, key, value) || set_name(w, request, key, value))
		return true;
	if (strcmp(key, "doic") == 0)
		return scn_caps_read(w, value, &request->caps);
	if (strcmp(key, "session") == 0)
		request->session = strtoull(value, NULL, 0) << 20;
	else if (strcmp(key, "urn") == 0)
		request->urn = scn_keep(w, value);
	else if (strcmp(key, "apn") == 0)
		request->apn = scn_keep(w, value);
	else if (strcmp(key, "groups") == 0)
		set_groups(request, value);
	else if (strcmp(key, "initial") == 0)
		request->cc_type = strcmp(value, "0") == 0 ? SCN_NONE : 1;
	else
		return false;
	return true;
}

static void init(struct scn_world *w, struct scn_request *r)
{
	*r = (struct scn_request){ .client = scn_identity(w, "c2"),
				   .origin_realm = "example.net",
				   .dest_realm = "example.net",
				   .app_id = w->app_id,
				   .command = 272,
				   .flags = OC_FLAG_REQUEST | OC_FLAG_PROXIABLE,
				   .drmp = SCN_NONE,
				   .cc_type = SCN_NONE,
				   .reservation = SCN_NONE,
				   .rx_type = SCN_NONE,
				   .uar_flags = SCN_NONE,
				   .ulr_flags = SCN_NONE,
				   .assignment = SCN_NONE,
				   .subsession = SCN_NONE };
}

bool scn_request_read(struct scn_world *w, const struct scn_words *words, struct scn_request *out)
{
	char key[32];

	init(w, out);
	/* The application first: "emergency" depends on it. */
	out->app_id = (uint32_t)scn_words_number(words, "app", out->app_id);
	for (int i = 1; i < words->count; i++) {
		const char *value = strchr(words->word[i], '=');
		size_t len = value ? (size_t)(value - words->word[i]) : strlen(words->word[i]);
		if (len >= sizeof(key))
			return false;
		memcpy(key, words->word[i], len);
		key[len] = '\0';
		/* Words that are no request's are the command's own. */
		(void)scn_request_set(w, out, key, value ? value + 1 : NULL);
	}
	return out->client != NULL;
}

static void put_3gpp(struct help_wire *wire, uint32_t code, uint32_t value)
{
	if (value != SCN_NONE)
		help_wire_u32_of(wire, OC_VENDOR_3GPP, code, value);
}

static void put_groups(const struct scn_request *r, struct help_wire *wire)
{
	for (uint32_t i = 0; i < r->group_count; i++) {
		struct help_wire inner = { .len = 0 };
		help_wire_u32(&inner, OC_AVP_RATING_GROUP, r->groups[i]);
		help_wire_group(wire, OC_AVP_MSCC, &inner);
	}
}

static void put_hints(const struct scn_request *r, struct help_wire *wire)
{
	if (r->cc_type != SCN_NONE)
		help_wire_u32(wire, OC_AVP_CC_REQUEST_TYPE, r->cc_type);
	if (r->apn)
		help_wire_text(wire, OC_AVP_CALLED_STATION_ID, r->apn);
	if (r->urn)
		help_wire_vendor_avp(wire, OC_AVP3_SERVICE_URN, r->urn, strlen(r->urn));
	if (r->has_mps)
		help_wire_vendor_avp(wire, OC_AVP3_MPS_IDENTIFIER, "mps", 3);
	if (r->releases)
		put_3gpp(wire, OC_AVP3_SESSION_RELEASE, 0);
	if (r->reservation != SCN_NONE)
		help_wire_u32_of(wire, OC_VENDOR_ETSI, OC_AVPE_RESERVATION_PRIORITY, r->reservation);
	put_3gpp(wire, OC_AVP3_RX_REQUEST_TYPE, r->rx_type);
	put_3gpp(wire, OC_AVP3_UAR_FLAGS, r->uar_flags);
	put_3gpp(wire, OC_AVP3_ULR_FLAGS, r->ulr_flags);
	put_3gpp(wire, OC_AVP3_SERVER_ASSIGNMENT, r->assignment);
	if (r->subsession != SCN_NONE) {
		struct help_wire inner = { .len = 0 };
		put_3gpp(&inner, OC_AVP3_SUBSESSION_OPERATION, r->subsession);
		help_wire_vendor_avp(wire, OC_AVP3_SUBSESSION_INFO, inner.data, inner.len);
	}
	put_groups(r, wire);
}

void scn_request_build(const struct scn_request *request, struct help_wire *wire)
{
	char session[64];
	const char *origin = request->origin ? request->origin : request->client;

	help_wire_begin_command(wire, request->flags, request->command, request->app_id);
	if (request->session) {
		snprintf(session, sizeof(session), "%.30s;1;%llu", origin,
			 (unsigned long long)request->session);
		help_wire_text(wire, OC_AVP_SESSION_ID, session);
	}
	help_wire_text(wire, OC_AVP_ORIGIN_HOST, origin);
	if (request->origin_realm)
		help_wire_text(wire, OC_AVP_ORIGIN_REALM, request->origin_realm);
	if (request->dest_realm)
		help_wire_text(wire, OC_AVP_DESTINATION_REALM, request->dest_realm);
	if (request->dest_host)
		help_wire_text(wire, OC_AVP_DESTINATION_HOST, request->dest_host);
	put_hints(request, wire);
	if (request->drmp != SCN_NONE)
		help_wire_u32(wire, OC_AVP_DRMP, request->drmp);
	if (request->has_olr)
		help_wire_hex(wire, help_wire_tv[4]);
	scn_caps_build(&request->caps, wire);
	help_wire_end(wire);
}
