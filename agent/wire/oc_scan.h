/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Private to the scanner: the state of one scan, and how it reads the groups of DOIC.
 */
#pragma once

#include "oc_avp_walk.h"
#include "oc_msg.h"
#include "oc_names.h"

struct oc_scan {
	struct oc_msg *msg;
	struct oc_names *names;
	struct oc_msg_new_names *fresh; /* may be NULL */
	uint64_t session_key;
	uint32_t experimental; /* Experimental-Result-Code, counts only without Result-Code */
	uint32_t seen;	       /* bit per AVP of which the first counts; private to oc_msg.c */
};

/* Number of the name in @avp, listed in scan->fresh when this scan added it. */
static inline uint32_t oc_scan_name(struct oc_scan *scan, const struct oc_avp *avp)
{
	bool is_new = false;
	uint32_t id = oc_names_id(scan->names, oc_avp_value(avp), &is_new);

	if (is_new && scan->fresh != NULL)
		scan->fresh->id[scan->fresh->count++] = id;
	return id;
}

/* Reads one top-level OC-Supported-Features or OC-OLR into scan->msg, its raw octets included. */
void oc_scan_caps(struct oc_scan *scan, const struct oc_avp *avp);
void oc_scan_olr(struct oc_scan *scan, const struct oc_avp *avp);
