/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Private to the scanner: the state of one scan, and how it reads the groups of DOIC and what an application
 * says about how much a request matters.
 */
#pragma once

#include "oc_avp_walk.h"
#include "oc_msg.h"
#include "oc_names.h"

/* AVPs that may come once; of those that come again the first counts, as the host library has it. */
enum oc_scan_seen {
	OC_SEEN_SESSION_ID = 0x0001,
	OC_SEEN_ORIGIN_HOST = 0x0002,
	OC_SEEN_ORIGIN_REALM = 0x0004,
	OC_SEEN_DEST_HOST = 0x0008,
	OC_SEEN_DEST_REALM = 0x0010,
	OC_SEEN_RESULT_CODE = 0x0020,
	OC_SEEN_EXPERIMENTAL = 0x0040,
	OC_SEEN_DRMP = 0x0080,
	OC_SEEN_CC_REQUEST_TYPE = 0x0100,
	OC_SEEN_APN = 0x0200,
	OC_SEEN_SERVICE_URN = 0x0400,
	OC_SEEN_RX_REQUEST_TYPE = 0x0800,
	OC_SEEN_RESERVATION = 0x1000,
	OC_SEEN_SERVER_ASSIGNMENT = 0x2000,
	OC_SEEN_UAR_FLAGS = 0x4000,
	OC_SEEN_ULR_FLAGS = 0x8000
};

struct oc_scan {
	struct oc_msg *msg;
	struct oc_names *names;
	struct oc_msg_found *found; /* may be NULL */
	struct oc_bytes session;
	struct oc_bytes subscriber;
	uint8_t subscriber_rank; /* enum oc_scan_subscriber */
	uint32_t experimental;	 /* Experimental-Result-Code, counts only without Result-Code */
	uint32_t seen;		 /* enum oc_scan_seen */
};

static inline bool oc_scan_is_first(struct oc_scan *scan, enum oc_scan_seen what)
{
	bool is_first = (scan->seen & (uint32_t)what) == 0;

	scan->seen |= (uint32_t)what;
	return is_first;
}

/* Number of the name in @avp, listed in scan->found when this scan added it. */
static inline uint32_t oc_scan_name(struct oc_scan *scan, const struct oc_avp *avp)
{
	bool is_new = false;
	uint32_t id = oc_names_id_of_stranger(scan->names, oc_avp_value(avp), &is_new);

	if (is_new && scan->found != NULL)
		scan->found->id[scan->found->count++] = id;
	return id;
}

/* Reads one top-level OC-Supported-Features or OC-OLR into scan->msg, its raw octets included. */
void oc_scan_caps(struct oc_scan *scan, const struct oc_avp *avp);
void oc_scan_olr(struct oc_scan *scan, const struct oc_avp *avp);

/* Reads one top-level Load of an answer; in a request it is counted and not read (spec row L-2). */
void oc_scan_load(struct oc_scan *scan, const struct oc_avp *avp);

/* How a request names its subscriber, the best first. */
enum oc_scan_subscriber {
	OC_SUBSCRIBER_NONE = 0,
	OC_SUBSCRIBER_IMSI = 1,
	OC_SUBSCRIBER_E164 = 2,
	OC_SUBSCRIBER_NAI = 3,
	OC_SUBSCRIBER_SIP = 4,
	OC_SUBSCRIBER_USER_NAME = 5
};

/* Reads a Subscription-Id, or a User-Name where that is the subscriber, of a request; the best one met counts. */
void oc_scan_subscription(struct oc_scan *scan, const struct oc_avp *avp);
void oc_scan_user_name(struct oc_scan *scan, const struct oc_avp *avp);

/* Reads one top-level AVP of another vendor for hints. */
typedef void (*oc_scan_vendor_fn)(struct oc_scan *scan, const struct oc_avp *avp);

/* What reads the AVPs of other vendors in @msg, of which the header is known; NULL, which is so for nearly all
 * messages, when none of them is wanted. */
oc_scan_vendor_fn oc_scan_vendor_reader(const struct oc_msg *msg);

/* Reads the rating groups of one Multiple-Services-Credit-Control. */
void oc_scan_mscc(struct oc_scan *scan, const struct oc_avp *avp);
