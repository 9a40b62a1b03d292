/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Steps over a run of AVPs (a message after its header, or the value of a group), bounds-checked.
 *
 * A walk ends at the last octet or at the first AVP whose length cannot be true; which of the two
 * it was is told by oc_avp_walk_complete(). Padding missing after the very last AVP is tolerated.
 */
#pragma once

#include "../oc_types.h"
#include "oc_octets.h"

#define OC_AVP_FLAG_VENDOR 0x80u /* a Vendor-Id follows the length (RFC 6733 section 4.1) */
#define OC_AVP_HEADER 8u	 /* octets of an AVP header without Vendor-Id */
#define OC_AVP_HEADER_VENDOR 12u

struct oc_avp {
	const uint8_t *at; /* the AVP's first octet, header included */
	uint64_t head;	   /* its first eight octets: code, flags, length */
};

/* Zero is a valid empty walk, and a complete one. */
struct oc_avp_walk {
	const uint8_t *data;
	ptrdiff_t at;	/* offset of the next AVP */
	ptrdiff_t left; /* octets from there to the end; down to -3 when padding is missing at the end */
};

static inline struct oc_avp_walk oc_avp_walk_of(struct oc_bytes octets)
{
	return (struct oc_avp_walk){ .data = octets.data, .left = (ptrdiff_t)octets.len };
}

static inline uint32_t oc_avp_code(const struct oc_avp *avp)
{
	return (uint32_t)(avp->head >> 32);
}

/* AVP Length: header and value without padding. */
static inline uint32_t oc_avp_len(const struct oc_avp *avp)
{
	return (uint32_t)avp->head & 0xffffffu;
}

/* Whether the AVP is one of the base vendor: 10415 uses the codes of DOIC for other things. */
static inline bool oc_avp_is_base(const struct oc_avp *avp)
{
	return (avp->head & (uint64_t)OC_AVP_FLAG_VENDOR << 24) == 0;
}

static inline size_t oc_avp_padded(size_t len)
{
	return (len + 3u) & ~(size_t)3u;
}

/* Fills *@avp with the next AVP and steps behind it and its padding. False at the end or at a defect.
 * One comparison finds both a length below the header (it wraps round) and one beyond the end. */
static inline bool oc_avp_walk_step(struct oc_avp_walk *walk, struct oc_avp *avp)
{
	ptrdiff_t room = walk->left - (ptrdiff_t)OC_AVP_HEADER;
	if (room < 0)
		return false;
	avp->at = walk->data + walk->at;
	avp->head = oc_octets_u64(avp->at);
	size_t len = oc_avp_len(avp);
	if (len - OC_AVP_HEADER > (size_t)room)
		return false;
	walk->at += (ptrdiff_t)oc_avp_padded(len);
	walk->left -= (ptrdiff_t)oc_avp_padded(len);
	return true;
}

/* Undoes the step over @avp, which turned out to be a defect; always false. */
static inline bool oc_avp_walk_reject(struct oc_avp_walk *walk, const struct oc_avp *avp)
{
	walk->at -= (ptrdiff_t)oc_avp_padded(oc_avp_len(avp));
	walk->left += (ptrdiff_t)oc_avp_padded(oc_avp_len(avp));
	return false;
}

/* The next AVP of any vendor. False at the end or at a defect. */
static inline bool oc_avp_walk_next(struct oc_avp_walk *walk, struct oc_avp *avp)
{
	if (!oc_avp_walk_step(walk, avp))
		return false;
	return oc_avp_is_base(avp) || oc_avp_len(avp) >= OC_AVP_HEADER_VENDOR ||
	       oc_avp_walk_reject(walk, avp);
}

/* The next AVP of the base vendor, those of others being passed over. False at the end or at a defect. */
static inline bool oc_avp_walk_next_base(struct oc_avp_walk *walk, struct oc_avp *avp)
{
	while (oc_avp_walk_step(walk, avp)) {
		if (oc_avp_is_base(avp))
			return true;
		if (oc_avp_len(avp) < OC_AVP_HEADER_VENDOR)
			return oc_avp_walk_reject(walk, avp);
	}
	return false;
}

/* Whether the walk came to the end without meeting a defect. */
static inline bool oc_avp_walk_complete(const struct oc_avp_walk *walk)
{
	return walk->left <= 0;
}

/* The value of an AVP of the base vendor. */
static inline struct oc_bytes oc_avp_value(const struct oc_avp *avp)
{
	return (struct oc_bytes){ .data = avp->at + OC_AVP_HEADER, .len = oc_avp_len(avp) - OC_AVP_HEADER };
}

/* Vendor-Id and value of an AVP of another vendor, which oc_avp_walk_next() has found long enough. */
static inline uint32_t oc_avp_vendor(const struct oc_avp *avp)
{
	return oc_octets_u32(avp->at + OC_AVP_HEADER);
}

static inline struct oc_bytes oc_avp_vendor_value(const struct oc_avp *avp)
{
	return (struct oc_bytes){ .data = avp->at + OC_AVP_HEADER_VENDOR,
				  .len = oc_avp_len(avp) - OC_AVP_HEADER_VENDOR };
}

/* Whether the AVP is the one another vendor, never 0, gave @code. */
static inline bool oc_avp_is_of_vendor(const struct oc_avp *avp, uint32_t vendor, uint32_t code)
{
	return oc_avp_code(avp) == code && !oc_avp_is_base(avp) && oc_avp_vendor(avp) == vendor;
}
