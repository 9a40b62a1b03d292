/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One captured Diameter message as the walk hands it on: what the core's scanner reads of it, and what a capture needs besides.
 */
#pragma once

#include "../../agent/wire/oc_msg.h"
#include "../../agent/wire/oc_names.h"
#include "oev_pdu.h"

#define OEV_DIAMETER_HEADER 20u

/* Commands of the base protocol that speak of the connection itself: their Origin-Host is the neighbour. */
enum oev_command { OEV_CMD_CAPABILITIES = 257, OEV_CMD_WATCHDOG = 280, OEV_CMD_DISCONNECT = 282 };

struct oev_message {
	struct oc_msg msg;
	uint32_t hop_by_hop;
	uint32_t route_records; /* Route-Record AVPs: agents it passed */
	uint32_t via;		/* the last of them: who the sender had it from; name number */
	uint32_t trailing;	/* octets captured behind its end */
	bool is_cut;		/* captured in part */
	bool is_malformed;	/* captured whole, but its AVPs do not parse */
};

/* Fills *@out from the octets of @pdu; names are entered into @names. OC_OK, or OC_EMALFORMED when there is not even a header. */
int oev_message_read(struct oev_message *out, const struct oev_pdu *pdu, struct oc_names *names,
		     const struct oc_keyed_key *pseudonym_key);
