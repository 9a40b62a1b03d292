/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One decision as the scan sees it, and the tables of one segment it is looked up in. Private to the audit.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "oev_audit_parts.h"

struct oev_row {
	uint64_t id, mono_ns, wall_us;
	uint32_t app_id, client, origin_host, dest_host, dest_realm, first_choice, next_hop;
	uint32_t version[OC_SCOPE_COUNT]; /* by enum oc_scope */
	uint32_t share_ppm[OC_SCOPE_COUNT];
	uint32_t nth[OC_SCOPE_COUNT]; /* number of the draw under that version; 0 not drawn */
	uint16_t flags;
	uint8_t verdict, why, selected_by, klass;
	bool in_window;
};

#define OEV_SCAN_APPS 16u

/* Requests that reports of a scope took away so far, of one application. */
struct oev_removed {
	uint32_t app_id;
	uint64_t by_realm, by_host;
};

struct oev_scan {
	struct oev_audit *audit;
	uint32_t segment;
	uint32_t *version_at; /* by version number: 1 + index in audit->versions, 0 unknown */
	uint32_t version_max;
	uint32_t *claim_head; /* by name number: 1 + claim whose subject it is, 0 none */
	uint32_t *claim_next; /* by claim: the next with the same subject */
	uint32_t *server_at;  /* by name number: 1 + first agreement row of that server, likewise client */
	uint32_t *client_at;
	uint32_t name_max;
	struct oev_removed removed[OEV_SCAN_APPS]; /* the last one is shared by all further applications */
	uint32_t removed_count;
};

int oev_scan_init(struct oev_scan *scan, struct oev_audit *audit, uint32_t segment);
void oev_scan_fini(struct oev_scan *scan);

/* oev_audit_look.c: holds one decision against the versions it names and those it should have named. */
void oev_scan_decision(struct oev_scan *scan, const struct oev_row *row);
