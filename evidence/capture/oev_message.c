/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading one captured message.
 */
#include "oev_message.h"

#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_avp.h"
#include "../../agent/wire/oc_avp_walk.h"

/* Route-Records, which the core has no use for. */
static void read_route(struct oev_message *out, struct oc_bytes octets, struct oc_names *names)
{
	struct oc_bytes avps = { octets.data + OEV_DIAMETER_HEADER, octets.len - OEV_DIAMETER_HEADER };
	struct oc_avp_walk walk = oc_avp_walk_of(avps);
	struct oc_avp avp;

	while (oc_avp_walk_next_base(&walk, &avp)) {
		if (oc_avp_code(&avp) != OC_AVP_ROUTE_RECORD)
			continue;
		out->route_records++;
		out->via = oc_names_id_of_stranger(names, oc_avp_value(&avp), NULL);
	}
}

int oev_message_read(struct oev_message *out, const struct oev_pdu *pdu, struct oc_names *names,
		     const struct oc_keyed_key *pseudonym_key)
{
	struct oc_bytes octets = pdu->octets;

	if (octets.len < OEV_DIAMETER_HEADER)
		return OC_EMALFORMED;
	memset(out, 0, sizeof(*out));
	size_t length = oc_octets_u32(octets.data) & 0xffffffu;
	if (length < OEV_DIAMETER_HEADER || octets.data[0] != 1)
		return OC_EMALFORMED;
	out->is_cut = length > octets.len;
	if (octets.len > length) {
		out->trailing = (uint32_t)(octets.len - length);
		octets.len = length;
	}
	int rc = oc_msg_scan(octets, names, pseudonym_key, &out->msg, NULL);
	out->is_malformed = rc != OC_OK && !out->is_cut;
	out->hop_by_hop = oc_octets_u32(octets.data + 12);
	if (oc_msg_is_request(&out->msg))
		read_route(out, octets, names);
	return OC_OK;
}
