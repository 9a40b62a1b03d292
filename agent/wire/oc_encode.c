/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Encoders: every length is known before the first octet is written, so a failure writes nothing.
 */
#include "oc_encode.h"

#include <assert.h>
#include <string.h>

#include "../oc_err.h"
#include "oc_avp.h"
#include "oc_avp_walk.h"

#define SIZE_U32 (OC_AVP_HEADER + 4u)
#define SIZE_U64 (OC_AVP_HEADER + 8u)
#define SIZE_SOURCE_MAX (OC_AVP_HEADER + OC_IDENT_MAX + 1u) /* padded */
#define VALIDITY_MAX_S 86400u				    /* RFC 7683 section 7.5 */

_Static_assert(2 * SIZE_U64 + SIZE_SOURCE_MAX <= OC_ENCODE_MAX, "OC-Supported-Features fits");
_Static_assert(SIZE_U64 + 4 * SIZE_U32 + SIZE_SOURCE_MAX <= OC_ENCODE_MAX, "OC-OLR fits");
_Static_assert(SIZE_U32 + SIZE_U64 + SIZE_SOURCE_MAX <= OC_ENCODE_MAX, "Load fits");

/* Writes the header of an AVP of @value_len octets (flags 0) and its padding; returns where the value goes. */
static uint8_t *put_avp(struct oc_group *out, uint32_t code, size_t value_len)
{
	size_t len = OC_AVP_HEADER + value_len;
	uint8_t *at = out->data + out->len;

	assert(out->len + oc_avp_padded(len) <= OC_ENCODE_MAX);
	memset(at + oc_avp_padded(len) - 4, 0, 4);
	oc_octets_put_u32(at, code);
	oc_octets_put_u32(at + 4, (uint32_t)len);
	out->len = (uint16_t)(out->len + oc_avp_padded(len));
	return at + OC_AVP_HEADER;
}

static void put_u32(struct oc_group *out, uint32_t code, uint32_t value)
{
	oc_octets_put_u32(put_avp(out, code, 4), value);
}

static void put_u64(struct oc_group *out, uint32_t code, uint64_t value)
{
	oc_octets_put_u64(put_avp(out, code, 8), value);
}

/* Octets of @source, 0 for none; more than OC_IDENT_MAX when it is too long. */
static size_t source_length(const char *source)
{
	return source != NULL ? strnlen(source, OC_IDENT_MAX + 1u) : 0;
}

static void put_source(struct oc_group *out, const char *source)
{
	size_t len = source_length(source);
	memcpy(put_avp(out, OC_AVP_SOURCE_ID, len), source, len);
}

static int caps_check(const char *source, uint64_t peer_algo)
{
	/* One algorithm only: it is the one that will be used (RFC 8581 section 7.2). */
	if (peer_algo != 0 && peer_algo != OC_FV_LOSS && peer_algo != OC_FV_RATE)
		return OC_ERANGE;
	return source_length(source) <= OC_IDENT_MAX ? OC_OK : OC_ERANGE;
}

static size_t caps_size(uint64_t vector, const char *source, uint64_t peer_algo)
{
	size_t source_len = source_length(source);

	return (vector != 0 ? SIZE_U64 : 0) +
	       (source_len != 0 ? oc_avp_padded(OC_AVP_HEADER + source_len) : 0) +
	       (peer_algo != 0 ? SIZE_U64 : 0);
}

int oc_encode_caps(struct oc_group *out, uint64_t vector, const char *source, uint64_t peer_algo)
{
	int err = caps_check(source, peer_algo);
	if (err != OC_OK)
		return err;
	out->len = 0;
	if (vector != 0) /* 0 is reserved and never sent: spec row D-014 */
		put_u64(out, OC_AVP_FEATURE_VECTOR, vector);
	if (source_length(source) != 0)
		put_source(out, source);
	if (peer_algo != 0)
		put_u64(out, OC_AVP_PEER_ALGO, peer_algo);
	return OC_OK;
}

/* Finds the inner AVPs of @whole, which must be one OC-Supported-Features and nothing else. */
static int open_caps(struct oc_bytes whole, struct oc_avp_walk *inner)
{
	struct oc_avp_walk walk = oc_avp_walk_of(whole);
	struct oc_avp group;

	if (!oc_avp_walk_next(&walk, &group) || !oc_avp_walk_complete(&walk))
		return OC_EMALFORMED;
	if (!oc_avp_is_base(&group) || oc_avp_code(&group) != OC_AVP_SUPPORTED_FEATURES)
		return OC_EMALFORMED;
	*inner = oc_avp_walk_of(oc_avp_value(&group));
	return OC_OK;
}

static bool is_ours(const struct oc_avp *avp)
{
	return oc_avp_is_base(avp) &&
	       (oc_avp_code(avp) == OC_AVP_FEATURE_VECTOR || oc_avp_code(avp) == OC_AVP_SOURCE_ID ||
		oc_avp_code(avp) == OC_AVP_PEER_ALGO);
}

/* Octets that the inner AVPs to keep will take, padding included. */
static int kept_size(struct oc_avp_walk walk, size_t *size)
{
	struct oc_avp avp;

	*size = 0;
	while (oc_avp_walk_next(&walk, &avp))
		*size += is_ours(&avp) ? 0 : oc_avp_padded(oc_avp_len(&avp));
	return oc_avp_walk_complete(&walk) ? OC_OK : OC_EMALFORMED;
}

/* Copies them as they are, padding octets too; padding missing at the end is made up. */
static void put_kept(struct oc_group *out, struct oc_avp_walk walk)
{
	struct oc_avp avp;

	while (oc_avp_walk_next(&walk, &avp)) {
		if (is_ours(&avp))
			continue;
		size_t missing = walk.left < 0 ? (size_t)-walk.left : 0;
		size_t there = oc_avp_padded(oc_avp_len(&avp)) - missing;
		memcpy(out->data + out->len, avp.at, there);
		memset(out->data + out->len + there, 0, missing);
		out->len = (uint16_t)(out->len + oc_avp_padded(oc_avp_len(&avp)));
	}
}

int oc_encode_caps_rewrite(struct oc_group *out, struct oc_bytes whole, uint64_t vector, const char *source,
			   uint64_t peer_algo)
{
	struct oc_avp_walk inner;
	size_t kept = 0;

	int err = open_caps(whole, &inner);
	if (err == OC_OK)
		err = kept_size(inner, &kept);
	if (err == OC_OK)
		err = caps_check(source, peer_algo);
	if (err != OC_OK)
		return err;
	if (caps_size(vector, source, peer_algo) + kept > OC_ENCODE_MAX)
		return OC_ENOSPC;
	err = oc_encode_caps(out, vector, source, peer_algo);
	if (err == OC_OK)
		put_kept(out, inner);
	return err;
}

static bool has(const struct oc_olr *olr, unsigned flags)
{
	return (olr->has & flags) == flags;
}

/* Whether a loss report lacks what to reduce by: only the end of overload needs no percentage (spec rows
 * D-104, D-261). An absent validity means 30 s, so that is no end. */
static bool lacks_reduction(const struct oc_olr *olr)
{
	bool is_end = has(olr, OC_OLR_HAS_VALIDITY) && olr->validity_s == 0;

	return !is_end && !has(olr, OC_OLR_HAS_REDUCTION) && !has(olr, OC_OLR_HAS_RATE);
}

static int olr_check(const struct oc_olr *olr, const char *source)
{
	size_t source_len = source_length(source);

	if (!has(olr, OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE) || lacks_reduction(olr))
		return OC_EINVAL;
	if (has(olr, OC_OLR_HAS_REDUCTION | OC_OLR_HAS_RATE)) /* RFC 8582 section 6.5 */
		return OC_EINVAL;
	if (has(olr, OC_OLR_HAS_SOURCE) ? source_len == 0 : olr->type == OC_REPORT_PEER)
		return OC_EINVAL;
	if (olr->type >= OC_REPORT_COUNT)
		return OC_ERANGE;
	if (has(olr, OC_OLR_HAS_REDUCTION) && olr->reduction_pct > 100)
		return OC_ERANGE;
	if (has(olr, OC_OLR_HAS_VALIDITY) && olr->validity_s > VALIDITY_MAX_S)
		return OC_ERANGE;
	return has(olr, OC_OLR_HAS_SOURCE) && source_len > OC_IDENT_MAX ? OC_ERANGE : OC_OK;
}

int oc_encode_olr(struct oc_group *out, const struct oc_olr *olr, const char *source)
{
	int err = olr_check(olr, source);
	if (err != OC_OK)
		return err;
	out->len = 0;
	put_u64(out, OC_AVP_SEQUENCE_NUMBER, olr->sequence);
	put_u32(out, OC_AVP_REPORT_TYPE, olr->type);
	if (has(olr, OC_OLR_HAS_REDUCTION))
		put_u32(out, OC_AVP_REDUCTION_PERCENTAGE, olr->reduction_pct);
	if (has(olr, OC_OLR_HAS_VALIDITY))
		put_u32(out, OC_AVP_VALIDITY_DURATION, olr->validity_s);
	if (has(olr, OC_OLR_HAS_SOURCE))
		put_source(out, source);
	if (has(olr, OC_OLR_HAS_RATE))
		put_u32(out, OC_AVP_MAXIMUM_RATE, olr->rate_rps);
	return OC_OK;
}

static int load_check(const char *source, enum oc_load_type type, uint32_t value)
{
	size_t source_len = source_length(source);

	if (source_len == 0)
		return OC_EINVAL;
	bool is_allowed =
		(unsigned)type < OC_LOAD_TYPE_COUNT && value <= OC_LOAD_IDLE && source_len <= OC_IDENT_MAX;
	return is_allowed ? OC_OK : OC_ERANGE;
}

int oc_encode_load(struct oc_group *out, const char *source, enum oc_load_type type, uint32_t value)
{
	int err = load_check(source, type, value);
	if (err != OC_OK)
		return err;
	out->len = 0;
	put_u32(out, OC_AVP_LOAD_TYPE, (uint32_t)type);
	put_u64(out, OC_AVP_LOAD_VALUE, value); /* 16 bits of value in an Unsigned64 */
	put_source(out, source);
	return OC_OK;
}

int oc_encode_group(const struct oc_group *group, uint32_t code, uint8_t *buf, size_t size, size_t *len)
{
	size_t whole = OC_AVP_HEADER + (size_t)group->len;

	if (size < whole)
		return OC_ENOSPC;
	oc_octets_put_u32(buf, code);
	oc_octets_put_u32(buf + 4, (uint32_t)whole);
	memcpy(buf + OC_AVP_HEADER, group->data, group->len);
	*len = whole;
	return OC_OK;
}
