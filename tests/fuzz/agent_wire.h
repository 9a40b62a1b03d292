/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Messages for fuzz_oc_agent.c: octets as a hostile peer may send them, made from the fuzzer's bytes and scanned as
 * the agent's host does.
 */
#pragma once

#include <string.h>

#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_msg.h"
#include "agent/wire/oc_names.h"
#include "agent/wire/oc_octets.h"

/* What the fuzzer gave, and how far it was read; after its end everything is 0. */
struct bytes {
	const uint8_t *at;
	size_t left;
};

static inline uint8_t take(struct bytes *in)
{
	if (in->left == 0)
		return 0;
	in->left--;
	return *in->at++;
}

static inline uint32_t take_u32(struct bytes *in)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < 4; i++)
		value = value << 8 | take(in);
	return value;
}

#define WIRE_MAX 2048u

struct wire {
	uint32_t len;
	uint8_t data[WIRE_MAX];
};

static inline void put(struct wire *w, uint32_t code, uint32_t vendor, const void *data, uint32_t len)
{
	uint32_t head = vendor ? 12 : 8;
	uint32_t padded = (head + len + 3) & ~3u;

	if (w->len + padded > WIRE_MAX)
		return;
	uint8_t *at = w->data + w->len;
	memset(at, 0, padded);
	oc_octets_put_u32(at, code);
	oc_octets_put_u32(at + 4, (vendor ? 0x80000000u : 0) | (head + len));
	if (vendor)
		oc_octets_put_u32(at + 8, vendor);
	memcpy(at + head, data, len);
	w->len += padded;
}

static inline void put_u32(struct wire *w, uint32_t code, uint32_t vendor, uint32_t value)
{
	uint8_t octets[4];

	oc_octets_put_u32(octets, value);
	put(w, code, vendor, octets, sizeof(octets));
}

static inline void put_u64(struct wire *w, uint32_t code, uint64_t value)
{
	uint8_t octets[8];

	oc_octets_put_u64(octets, value);
	put(w, code, 0, octets, sizeof(octets));
}

static const char *const hosts[] = { "s1.example.net",	  "s2.example.net", "s3.example.net",
				     "c1.visited.org",	  "c2.visited.org", "a2.example.net",
				     "agent.example.net", "EXAMPLE.net",    "visited.org",
				     "x.border.org",	  "bad name",	    "" };
#define HOSTS (sizeof(hosts) / sizeof(hosts[0]))

/* A name of the list, or one of very many. */
static inline void put_name(struct wire *w, uint32_t code, uint8_t choice)
{
	char made[] = "n00.example.net";

	if (choice == 255) {
		char longest[300];
		memset(longest, 'a', sizeof(longest));
		put(w, code, 0, longest, sizeof(longest));
		return;
	}
	made[1] = (char)('a' + choice % 26);
	made[2] = (char)('a' + choice / 26);
	const char *text = choice < 200 ? hosts[choice % HOSTS] : made;
	put(w, code, 0, text, (uint32_t)strlen(text));
}

static const uint64_t vectors[] = { OC_FV_LOSS,
				    OC_FV_RATE,
				    OC_FV_LOSS | OC_FV_RATE,
				    OC_FV_LOSS | OC_FV_PEER_REPORT,
				    OC_FV_ALGORITHMS | OC_FV_PEER_REPORT,
				    OC_FV_RATE | OC_FV_PEER_REPORT,
				    0,
				    UINT64_MAX };

static inline void put_features(struct wire *w, struct bytes *in)
{
	struct wire inner = { 0 };
	uint8_t has = take(in);

	if (has & 1)
		put_u64(&inner, OC_AVP_FEATURE_VECTOR, vectors[take(in) % 8]);
	if (has & 2)
		put_name(&inner, OC_AVP_SOURCE_ID, take(in));
	if (has & 4)
		put_u64(&inner, OC_AVP_PEER_ALGO, vectors[take(in) % 8]);
	if (has & 8)
		put(&inner, 99999, 0, "unknown", 7);
	put(w, OC_AVP_SUPPORTED_FEATURES, 0, inner.data, inner.len);
}

/* Values near every bound that the rules speak of. */
static const uint32_t odd_values[] = { 0, 1, 10, 50, 99, 100, 101, 30, 2, 86400, 86401, 1000, UINT32_MAX };
#define ODD (sizeof(odd_values) / sizeof(odd_values[0]))

static inline uint64_t odd_sequence(struct bytes *in)
{
	uint8_t choice = take(in);

	if (choice < 200)
		return choice;
	return choice < 228 ? UINT64_MAX - choice : (uint64_t)choice << 56;
}

static inline void put_specific(struct wire *w, struct bytes *in)
{
	struct wire inner = { 0 };

	put_u32(&inner, OC_AVP3_OC_RATING_GROUP, OC_VENDOR_3GPP, take(in) % 4);
	put_u32(&inner, OC_AVP3_OC_REQUEST_TYPE, OC_VENDOR_3GPP, take(in) % 5);
	put_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, 0, odd_values[take(in) % ODD]);
	put(w, OC_AVP3_SPECIFIC_REDUCTION, OC_VENDOR_3GPP, inner.data, inner.len);
}

static inline void put_report(struct wire *w, struct bytes *in)
{
	struct wire inner = { 0 };
	uint8_t lacks = take(in);

	if (!(lacks & 1))
		put_u64(&inner, OC_AVP_SEQUENCE_NUMBER, odd_sequence(in));
	if (!(lacks & 2))
		put_u32(&inner, OC_AVP_REPORT_TYPE, 0, take(in) % 5);
	if (!(lacks & 4))
		put_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, 0, odd_values[take(in) % ODD]);
	if (!(lacks & 8))
		put_u32(&inner, OC_AVP_VALIDITY_DURATION, 0, odd_values[take(in) % ODD]);
	if (lacks & 16)
		put_u32(&inner, OC_AVP_MAXIMUM_RATE, 0, odd_values[take(in) % ODD]);
	if (lacks & 32)
		put_name(&inner, OC_AVP_SOURCE_ID, take(in));
	if (lacks & 64)
		put_specific(&inner, in);
	put(w, OC_AVP_OLR, 0, inner.data, inner.len);
}

static inline void put_load(struct wire *w, struct bytes *in)
{
	static const uint64_t values[] = { 0, 1, 32768, 65535, 65536, UINT64_MAX };
	struct wire inner = { 0 };

	put_u32(&inner, OC_AVP_LOAD_TYPE, 0, take(in) % 3);
	put_u64(&inner, OC_AVP_LOAD_VALUE, values[take(in) % 6]);
	put_name(&inner, OC_AVP_SOURCE_ID, take(in));
	put(w, OC_AVP_LOAD, 0, inner.data, inner.len);
}

/* One AVP more, of the fuzzer's choice. */
static inline void put_any(struct wire *w, struct bytes *in)
{
	uint8_t session[2] = { take(in) % 32, 0 };

	switch (take(in) % 14) {
	case 0:
	case 1:
		put_features(w, in);
		break;
	case 2:
	case 3:
	case 4:
		put_report(w, in);
		break;
	case 5:
	case 6:
		put_load(w, in);
		break;
	case 7:
		put_u32(w, OC_AVP_DRMP, 0, take(in) % 20);
		break;
	case 8:
		put(w, OC_AVP_SESSION_ID, 0, session, sizeof(session));
		break;
	case 9:
		put_u32(w, OC_AVP_CC_REQUEST_TYPE, 0, take(in) % 6);
		break;
	case 10:
		put_u32(w, OC_AVP_RESULT_CODE, 0, take(in) & 1 ? OC_RC_UNABLE_TO_COMPLY : OC_RC_TOO_BUSY);
		break;
	case 11:
		put(w, OC_AVP3_SERVICE_URN, OC_VENDOR_3GPP, "sos.fire", 8);
		break;
	case 12:
		put_name(w, OC_AVP_DESTINATION_HOST, take(in));
		break;
	default:
		put(w, OC_AVP_OLR, OC_VENDOR_3GPP, "vendor", 6);
		break;
	}
}

static const struct oc_keyed_key key = { { 7 } };

static inline void scan_wire(struct wire *w, struct bytes *in, struct oc_names *names, struct oc_msg *msg)
{
	uint8_t spoil = take(in);

	oc_octets_put_u32(w->data, 1u << 24 | w->len);
	if (spoil > 240 && w->len > 20)
		w->data[20 + take_u32(in) % (w->len - 20)] ^= take(in);
	memset(msg, 0, sizeof(*msg));
	(void)oc_msg_scan((struct oc_bytes){ w->data, w->len }, names, &key, msg, NULL);
}

/* A message from the fuzzer's bytes. @request: NULL, or what it answers. */
static inline void make_message(struct bytes *in, struct oc_names *names, const struct oc_msg *request,
				struct oc_msg *msg)
{
	static const uint32_t apps[] = {
		OC_APP_GX, OC_APP_GX, OC_APP_GY, OC_APP_RX, OC_APP_CX, 0, OC_APP_S6A
	};
	static const uint32_t commands[] = { 272, 272, 265, 300, 316, 275 };
	struct wire w = { .len = 20 };
	uint8_t flags = take(in);
	uint8_t more = take(in) % 12;
	uint32_t app = request ? request->app_id : apps[take(in) % 7];

	oc_octets_put_u32(w.data + 4, (uint32_t)(request ? flags & 0x20 : 0x80 | (flags & 0x50)) << 24 |
					      commands[take(in) % 6]);
	oc_octets_put_u32(w.data + 8, app);
	put_name(&w, OC_AVP_ORIGIN_HOST, take(in));
	put_name(&w, OC_AVP_ORIGIN_REALM, (take(in) & 1) ? 7 : 8);
	if (!request)
		put_name(&w, OC_AVP_DESTINATION_REALM, 7);
	else
		put_u32(&w, OC_AVP_RESULT_CODE, 0, OC_RC_SUCCESS);
	if (flags & 1)
		put_features(&w, in);
	for (uint8_t i = 0; i < more; i++)
		put_any(&w, in);
	scan_wire(&w, in, names, msg);
}
