/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Plain values shared by the whole core: octets, identities, report types, algorithms, shares.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OC_IDENT_MAX 255u /* octets in a DiameterIdentity (RFC 6733 section 4.3.1 names are FQDNs) */
#define OC_PPM 1000000u	  /* one, in parts per million: 30 % is 300000 */

/* Borrowed octets; not a C string; valid only as long as the buffer they point into. */
struct oc_bytes {
	const uint8_t *data;
	size_t len;
};

/* Identities travel as small numbers (see oc_names.h). 0 means "none", OC_NAME_OVERFLOW "known to
 * exist, but the table was full": it never matches anything. */
#define OC_NAME_NONE 0u
#define OC_NAME_OVERFLOW 1u

/* Whether both numbers are known to mean one identity: what has no number of its own is never taken for another. */
static inline bool oc_name_is_same(uint32_t a, uint32_t b)
{
	return a == b && a > OC_NAME_OVERFLOW;
}

/* OC-Report-Type, AVP 626 (RFC 7683 section 7.6, RFC 8581 section 7.2.1). */
enum oc_report_type { OC_REPORT_HOST = 0, OC_REPORT_REALM = 1, OC_REPORT_PEER = 2, OC_REPORT_COUNT };

/* Bits of OC-Feature-Vector (622); the algorithm bits also serve OC-Peer-Algo (648). */
#define OC_FV_LOSS 0x1ull	  /* OLR_DEFAULT_ALGO, RFC 7683 section 7.2 */
#define OC_FV_RATE 0x4ull	  /* OLR_RATE_ALGORITHM, RFC 8582 section 7.1.1 */
#define OC_FV_PEER_REPORT 0x10ull /* OC_PEER_REPORT, RFC 8581 section 7.1.1; never in 648 */
#define OC_FV_ALGORITHMS (OC_FV_LOSS | OC_FV_RATE)

enum oc_algo {
	OC_ALGO_NONE = 0, /* none agreed, or not one we know */
	OC_ALGO_LOSS = 1,
	OC_ALGO_RATE = 2,
	OC_ALGO_COUNT
};

/* Application-IDs the core tells apart (the same command code means different things in them). */
#define OC_APP_GY 4u
#define OC_APP_CX 16777216u
#define OC_APP_RX 16777236u
#define OC_APP_GX 16777238u
#define OC_APP_S6A 16777251u
#define OC_APP_SWX 16777265u
#define OC_APP_GXX 16777266u
#define OC_APP_S9 16777267u
#define OC_APP_ANY 0xffffffffu /* in an order: every application */

/* Load-Type, AVP 651 (RFC 8583 section 7.2). */
enum oc_load_type { OC_LOAD_HOST = 0, OC_LOAD_PEER = 1, OC_LOAD_TYPE_COUNT };
#define OC_LOAD_IDLE 65535u /* Load-Value: the higher, the less loaded; 0 is full (RFC 8583 section 7.3) */

/* Classes of requests: those of class 4 are abated first, those of class 0 last (spec section 3.4). */
#define OC_CLASSES 5u
#define OC_CLASS_DEFAULT 3u
#define OC_RANKS 16u /* DRMP priorities, 0 the most important (RFC 7944 section 9.1) */

/* Result-Code values this product makes or reads. */
#define OC_RC_SUCCESS 2001u
#define OC_RC_UNABLE_TO_DELIVER 3002u
#define OC_RC_TOO_BUSY 3004u
#define OC_RC_UNABLE_TO_COMPLY 5012u

#define OC_DRMP_NONE 0xffu /* no DRMP AVP (RFC 7944) in the message */
