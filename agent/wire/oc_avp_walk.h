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
	uint32_t len;	   /* its AVP Length: header and value, no padding */
	uint32_t code;
	uint8_t flags;
};

/* Zero is a valid empty walk. */
struct oc_avp_walk {
	const uint8_t *data;
	ptrdiff_t at;	/* offset of the next AVP */
	ptrdiff_t left; /* octets from there to the end; down to -3 when padding is missing at the end */
};

static inline struct oc_avp_walk oc_avp_walk_of(struct oc_bytes octets)
{
	return (struct oc_avp_walk){ .data = octets.data, .left = (ptrdiff_t)octets.len };
}

/* Whether the AVP is one of the base vendor: 10415 uses the codes of DOIC for other things. */
static inline bool oc_avp_is_base(const struct oc_avp *avp)
{
	return (avp->flags & OC_AVP_FLAG_VENDOR) == 0;
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
	uint64_t head = oc_octets_u64(walk->data + walk->at);
	size_t len = (size_t)(head & 0xffffffu);
	if (len - OC_AVP_HEADER > (size_t)room)
		return false;
	avp->at = walk->data + walk->at;
	avp->len = (uint32_t)len;
	avp->flags = (uint8_t)(head >> 24);
	avp->code = (uint32_t)(head >> 32);
	walk->at += (ptrdiff_t)oc_avp_padded(len);
	walk->left -= (ptrdiff_t)oc_avp_padded(len);
	return true;
}

/* Undoes the step over @avp, which turned out to be a defect; always false. */
static inline bool oc_avp_walk_reject(struct oc_avp_walk *walk, const struct oc_avp *avp)
{
	walk->at -= (ptrdiff_t)oc_avp_padded(avp->len);
	walk->left += (ptrdiff_t)oc_avp_padded(avp->len);
	return false;
}

/* The next AVP of any vendor. False at the end or at a defect. */
static inline bool oc_avp_walk_next(struct oc_avp_walk *walk, struct oc_avp *avp)
{
	if (!oc_avp_walk_step(walk, avp))
		return false;
	return oc_avp_is_base(avp) || avp->len >= OC_AVP_HEADER_VENDOR || oc_avp_walk_reject(walk, avp);
}

/* The next AVP of the base vendor, those of others being passed over. False at the end or at a defect. */
static inline bool oc_avp_walk_next_base(struct oc_avp_walk *walk, struct oc_avp *avp)
{
	while (oc_avp_walk_step(walk, avp)) {
		if (oc_avp_is_base(avp))
			return true;
		if (avp->len < OC_AVP_HEADER_VENDOR)
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
	return (struct oc_bytes){ .data = avp->at + OC_AVP_HEADER, .len = avp->len - OC_AVP_HEADER };
}
