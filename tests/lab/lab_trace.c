/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a message says of overload, in one line.
 */
#include "lab_trace.h"

#include <inttypes.h>
#include <stdio.h>

static void show_caps(const struct lab_world *w, const struct oc_caps *caps)
{
	if (!(caps->has & OC_CAPS_PRESENT))
		return;
	printf(" SF{");
	if (caps->has & OC_CAPS_HAS_VECTOR)
		printf(" 0x%" PRIx64, caps->vector);
	if (caps->has & OC_CAPS_HAS_SOURCE)
		printf(" source=%s", oc_names_text(w->names, caps->source));
	if (caps->has & OC_CAPS_HAS_PEER_ALGO)
		printf(" algo=0x%" PRIx64, caps->peer_algo);
	printf(" }%s", caps->has & OC_CAPS_REPEATED ? " and more of them" : "");
}

static void show_olr(const struct lab_world *w, const struct oc_olr *olr)
{
	printf(" OLR{ %c seq=%" PRIu64, olr->type < OC_REPORT_COUNT ? "HRP"[olr->type] : '?', olr->sequence);
	if (olr->has & OC_OLR_HAS_REDUCTION)
		printf(" pct=%u", olr->reduction_pct);
	if (olr->has & OC_OLR_HAS_RATE)
		printf(" rate=%u", olr->rate_rps);
	printf(" validity=%u", olr->validity_s);
	if (olr->has & OC_OLR_HAS_SOURCE)
		printf(" source=%s", oc_names_text(w->names, olr->source));
	printf(" }");
}

void lab_trace(const struct lab_world *w, const struct lab_node *node, const struct lab_node *from,
	       const struct oc_msg *msg)
{
	printf("  %.6f %s -> %s: %s", (double)(w->now_ns - LAB_BIRTH_NS) / 1e9, from->id, node->id,
	       oc_msg_is_request(msg) ? "request" : "answer");
	if (!oc_msg_is_request(msg))
		printf(" %u of %s", msg->result_code, oc_names_text(w->names, msg->origin_host));
	else if (msg->dest_host != OC_NAME_NONE)
		printf(" to %s", oc_names_text(w->names, msg->dest_host));
	show_caps(w, &msg->caps);
	for (uint32_t i = 0; i < msg->olr_count; i++)
		show_olr(w, &msg->olr[i]);
	for (uint32_t i = 0; i < msg->load_count; i++)
		printf(" Load{ %s %" PRIu64 " source=%s }",
		       msg->load[i].type == OC_LOAD_PEER ? "PEER" : "HOST", msg->load[i].value,
		       oc_names_text(w->names, msg->load[i].source));
	if (msg->hints & OC_HINT_DRMP)
		printf(" DRMP %u", msg->drmp);
	printf("\n");
}
