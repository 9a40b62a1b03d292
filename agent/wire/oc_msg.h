/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the agent wants to know of one Diameter message, as a fixed-size value that points nowhere.
 *
 * oc_msg_scan() makes it from raw octets in one bounds-checked pass. It accepts hostile input: any
 * octets give either OC_OK or OC_EMALFORMED, never an access outside the buffer. A defect inside a
 * DOIC AVP never spoils the message (spec row D-263): that AVP is marked malformed and the rest stands.
 * All-zero is a valid empty value.
 */
#pragma once

#include "../oc_types.h"
#include "oc_keyed.h"

struct oc_names;

#define OC_MSG_OLR_MAX 6u   /* OC-OLR AVPs looked at in one message; more are counted, not read */
#define OC_MSG_RAW_MAX 384u /* octets kept of OC-Supported-Features and OC-OLR AVPs together */
#define OC_MSG_LOAD_MAX 4u  /* Load AVPs looked at in one message */
#define OC_MSG_RATING_GROUPS_MAX 8u
#define OC_MSG_APN_MAX 64u /* octets kept of Called-Station-Id */

/* Presence flags of struct oc_olr and struct oc_caps: absent is a flag, not a magic value. */
enum oc_olr_has {
	OC_OLR_HAS_SEQUENCE = 0x01,
	OC_OLR_HAS_TYPE = 0x02,
	OC_OLR_HAS_REDUCTION = 0x04,
	OC_OLR_HAS_VALIDITY = 0x08,
	OC_OLR_HAS_SOURCE = 0x10,
	OC_OLR_HAS_RATE = 0x20,
	OC_OLR_MALFORMED = 0x40, /* the group's octets do not parse; values read before the defect stand */
	OC_OLR_RAW_CUT = 0x80	 /* raw octets did not fit; raw_len counts what was kept */
};

/* One OC-OLR as received: wire values, nothing defaulted, nothing judged (oc_olr.h does that). */
struct oc_olr {
	uint64_t sequence;	/* OC-Sequence-Number */
	uint32_t type;		/* OC-Report-Type, may be an unassigned value */
	uint32_t reduction_pct; /* OC-Reduction-Percentage, may be above 100 */
	uint32_t validity_s;	/* OC-Validity-Duration, seconds, may be above 86400 */
	uint32_t rate_rps;	/* OC-Maximum-Rate, requests per second */
	uint32_t source;	/* SourceID as a name number */
	uint16_t raw_at;	/* the whole AVP with its header: raw[raw_at .. raw_at + raw_len) */
	uint16_t raw_len;
	uint8_t has; /* enum oc_olr_has */
};

enum oc_caps_has {
	OC_CAPS_PRESENT = 0x01, /* the message carries OC-Supported-Features */
	OC_CAPS_HAS_VECTOR = 0x02,
	OC_CAPS_HAS_SOURCE = 0x04,
	OC_CAPS_HAS_PEER_ALGO = 0x08,
	OC_CAPS_MALFORMED = 0x10,
	OC_CAPS_RAW_CUT = 0x20,
	OC_CAPS_REPEATED = 0x40 /* more than one 621; the first counts */
};

/* OC-Supported-Features as received. */
struct oc_caps {
	uint64_t vector;    /* OC-Feature-Vector */
	uint64_t peer_algo; /* OC-Peer-Algo */
	uint32_t source;    /* SourceID as a name number */
	uint16_t raw_at;    /* whole AVP in raw[] */
	uint16_t raw_len;
	uint8_t has; /* enum oc_caps_has */
};

enum oc_load_has {
	OC_LOAD_HAS_TYPE = 0x01,
	OC_LOAD_HAS_VALUE = 0x02,
	OC_LOAD_HAS_SOURCE = 0x04,
	OC_LOAD_MALFORMED = 0x08
};

/* One Load AVP as received (RFC 8583 section 7), nothing judged. */
struct oc_load_avp {
	uint64_t value;	 /* Load-Value, may be above 65535 */
	uint32_t type;	 /* Load-Type, may be unassigned */
	uint32_t source; /* SourceID as a name number */
	uint8_t has;	 /* enum oc_load_has */
};

/* What an application's own AVPs say about how much a request matters (spec sections 1.5, 3.3, 3.4). */
enum oc_hint {
	OC_HINT_EMERGENCY = 0x0001,	 /* Rx Service-URN "sos" or "sos.*"; Cx UAR-Flags bit 0 */
	OC_HINT_MPS = 0x0002,		 /* Rx MPS-Identifier is there */
	OC_HINT_RELEASES = 0x0004,	 /* Gx or Gxx RAR with Session-Release-Cause */
	OC_HINT_INITIAL_ATTACH = 0x0008, /* S6a ULR-Flags bit 5 */
	OC_HINT_RX_INITIAL = 0x0010,	 /* Rx-Request-Type 0 */
	OC_HINT_RX_UPDATE = 0x0020,	 /* Rx-Request-Type 1 */
	OC_HINT_DEREGISTERS = 0x0040,	 /* Server-Assignment-Type 4, 5 or 8 */
	OC_HINT_NEW_SUBSESSION =
		0x0080,	       /* S9: Subsession-Operation ESTABLISHMENT in a Subsession-Enforcement-Info */
	OC_HINT_DRMP = 0x0100, /* a DRMP AVP is there, whatever it says */
	OC_HINT_DRMP_ODD = 0x0200, /* it is malformed or above 15: counts as absent (P-23) */
	/* Of recorded answers, set by the agent and not by the scan. */
	OC_HINT_ERROR = 0x0400, /* the E bit is set */
	OC_HINT_PASSES = 0x0800 /* a report in it travels on to the client */
};

struct oc_msg {
	uint64_t session_hash;	  /* pseudonym of a request's Session-Id, 0 = none */
	uint64_t subscriber_hash; /* likewise of the subscriber (oc_scan_subscriber.c) */
	uint32_t app_id;	  /* Application-ID of the header (spec row D-004) */
	uint32_t command;
	uint32_t end_to_end;
	uint32_t result_code; /* Result-Code, or Experimental-Result-Code, 0 = none */
	uint32_t origin_host; /* name numbers */
	uint32_t origin_realm;
	uint32_t dest_host;
	uint32_t dest_realm;
	uint32_t length;	 /* octets of the message */
	uint16_t raw_len;	 /* octets used in raw[] */
	uint8_t flags;		 /* OC_FLAG_* of the header */
	uint8_t drmp;		 /* 0..15 or OC_DRMP_NONE */
	uint8_t cc_request_type; /* CC-Request-Type 1..4, 0 = absent or other */
	uint8_t olr_count;	 /* entries of olr[] */
	uint8_t olr_excess;	 /* OC-OLR AVPs beyond OC_MSG_OLR_MAX */
	uint8_t doic_avps;	 /* top-level AVPs 621 and 623 seen, whatever their state */
	uint8_t load_count;	 /* entries of load[] */
	uint8_t load_avps; /* top-level Load AVPs seen; more than load_count: the rest was not read; of a request none is */
	uint8_t reservation_priority; /* ETSI Reservation-Priority 0..15, 0 when absent */
	uint8_t rating_group_count;   /* of Multiple-Services-Credit-Control, application Gy only */
	bool has_more_rating_groups;  /* more than are kept, or an MSCC without one */
	uint8_t apn_len;	      /* octets of apn; 0: absent, or longer than is kept */
	uint16_t hints;		      /* enum oc_hint; of an answer those of DRMP only */
	struct oc_caps caps;
	struct oc_olr olr[OC_MSG_OLR_MAX];
	struct oc_load_avp load[OC_MSG_LOAD_MAX];
	uint32_t rating_group[OC_MSG_RATING_GROUPS_MAX];
	char apn[OC_MSG_APN_MAX]; /* Called-Station-Id as received, not terminated */
	uint8_t raw[OC_MSG_RAW_MAX];
};

/* What one scan found that is not kept in the message. */
struct oc_msg_found {
	uint32_t id[6 + OC_MSG_OLR_MAX +
		    OC_MSG_LOAD_MAX]; /* names first seen, for the caller to report as events */
	uint32_t count;
	struct oc_bytes
		session; /* what the pseudonyms stand for; borrowed from the octets scanned, empty: none */
	struct oc_bytes subscriber;
};

/* Fills *@msg (the caller gives it zeroed, olr[] and raw[] excepted) from the @buf.len octets of one whole Diameter message.
 * Names are entered into @names. *@found (may be NULL) gets what is not kept.
 * @key is for the pseudonyms; NULL: none are made. Returns OC_OK, or OC_EMALFORMED when the header or the AVP
 * framing at top level is broken (what was read before the defect stands). No allocation. Any thread. */
int oc_msg_scan(struct oc_bytes buf, struct oc_names *names, const struct oc_keyed_key *key,
		struct oc_msg *msg, struct oc_msg_found *found);

static inline bool oc_msg_is_request(const struct oc_msg *msg)
{
	return (msg->flags & 0x80u) != 0;
}
