/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Encoders of the AVPs the agent puts on the wire: OC-Supported-Features, OC-OLR and Load.
 *
 * Values are written without the AVP header of the group itself, since the host library frames it;
 * oc_encode_group() adds the header for those who need the whole AVP. Flags octet is always 0:
 * V must not be set, M is sent clear (RFC 7683 section 7.8, RFC 8581 section 7.4, RFC 8582 section 7.3, RFC 8583
 * section 7).
 */
#pragma once

#include "oc_msg.h"

#define OC_ENCODE_MAX 768u /* enough for any group this file writes */

struct oc_group {
	uint16_t len;
	uint8_t data[OC_ENCODE_MAX]; /* value of the Grouped AVP: its inner AVPs, each padded to 4 octets */
};

/* OC-Supported-Features for a request or answer. @vector: written as OC-Feature-Vector unless 0
 * (0 is reserved, spec row D-014: never sent). @source: text of SourceID, NULL or "" = none.
 * @peer_algo: written as OC-Peer-Algo unless 0; only 0x1 and 0x4 are allowed.
 * Returns OC_OK, OC_ERANGE (bad @peer_algo, @source longer than OC_IDENT_MAX), OC_ENOSPC. */
int oc_encode_caps(struct oc_group *out, uint64_t vector, const char *source, uint64_t peer_algo);

/* Rewrites a received OC-Supported-Features (the whole AVP @whole, header included): sets its vector
 * to @vector (0: removes it), replaces SourceID by @source (NULL: removes it) and OC-Peer-Algo by @peer_algo
 * (0: removes it), all three first, and keeps every other inner AVP octet for octet in its order (spec rows
 * D-037, D-182, D-264).
 * Returns OC_OK, OC_EMALFORMED (then nothing is written), OC_ENOSPC, OC_ERANGE. */
int oc_encode_caps_rewrite(struct oc_group *out, struct oc_bytes whole, uint64_t vector, const char *source,
			   uint64_t peer_algo);

/* OC-OLR: OC-Sequence-Number first, OC-Report-Type second, then what @olr->has names (RFC 7683
 * section 7.3). @source is the SourceID text, used when OC_OLR_HAS_SOURCE is set.
 * Returns OC_OK, OC_EINVAL (sequence or type missing, or a loss report of non-zero validity without
 * OC-Reduction-Percentage and without rate: spec row D-104; or @source missing though has names it), OC_ERANGE
 * (a value its AVP does not allow), OC_ENOSPC. Refused with OC_EINVAL too: a PEER report without SourceID
 * (spec row D-231), and a report with both a percentage and a rate (spec row R-19). */
int oc_encode_olr(struct oc_group *out, const struct oc_olr *olr, const char *source);

/* Load (RFC 8583 section 7): Load-Type, Load-Value and SourceID, all three always there (spec rows L-4, L-8).
 * Returns OC_OK, OC_EINVAL (no @source), OC_ERANGE (@value above OC_LOAD_IDLE, unassigned @type, @source too long). */
int oc_encode_load(struct oc_group *out, const char *source, enum oc_load_type type, uint32_t value);

/* Frames @group as a whole AVP with @code, vendor 0, flags 0 into @buf. *@len gets its octets.
 * Returns OC_OK or OC_ENOSPC. */
int oc_encode_group(const struct oc_group *group, uint32_t code, uint8_t *buf, size_t size, size_t *len);
