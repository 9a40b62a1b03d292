/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lookup tables of one segment for the scan: versions by number, claims and counters by name.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit_scan.h"

#define VERSION_LIMIT (1u << 26) /* a hostile segment may name any number */

static int index_versions(struct oev_scan *scan)
{
	const struct oev_audit *audit = scan->audit;

	for (size_t i = 0; i < audit->version_count; i++)
		if (audit->versions[i].segment == scan->segment &&
		    audit->versions[i].number < VERSION_LIMIT &&
		    audit->versions[i].number > scan->version_max)
			scan->version_max = audit->versions[i].number;
	scan->version_at = calloc((size_t)scan->version_max + 1, sizeof(*scan->version_at));
	if (scan->version_at == NULL)
		return OC_ENOMEM;
	for (uint32_t i = 0; i < audit->version_count; i++)
		if (audit->versions[i].segment == scan->segment &&
		    audit->versions[i].number <= scan->version_max)
			scan->version_at[audit->versions[i].number] = i + 1;
	return OC_OK;
}

static void index_claims(struct oev_scan *scan)
{
	const struct oev_audit *audit = scan->audit;
	const struct oev_segment *segment = &audit->segments[scan->segment];

	for (uint32_t i = 0; i < audit->claim_count; i++) {
		const struct oev_claim *claim = &audit->claims[i];
		uint32_t name = strcmp(claim->recorded_by, segment->node) == 0
					? oev_query_name_id(segment, claim->subject)
					: 0;
		if (name == 0 || name > scan->name_max)
			continue;
		scan->claim_next[i] = scan->claim_head[name];
		scan->claim_head[name] = i + 1;
	}
}

static void index_counters(struct oev_scan *scan)
{
	const struct oev_audit *audit = scan->audit;

	for (uint32_t i = 0; i < audit->agreement_count; i++) {
		const struct oev_counters *file = audit->agreements[i].file;
		uint32_t name = oev_query_name_id(&audit->segments[scan->segment], file->node);
		uint32_t *at = file->role == OEV_ROLE_SERVER ? scan->server_at : scan->client_at;
		if (name != 0 && name <= scan->name_max && at[name] == 0)
			at[name] = i + 1;
	}
}

int oev_scan_init(struct oev_scan *scan, struct oev_audit *audit, uint32_t segment)
{
	scan->audit = audit;
	scan->segment = segment;
	scan->name_max = audit->segments[segment].name_max;
	if (scan->name_max >= VERSION_LIMIT)
		scan->name_max = VERSION_LIMIT;
	scan->claim_head = calloc((size_t)scan->name_max + 1, sizeof(*scan->claim_head));
	scan->server_at = calloc((size_t)scan->name_max + 1, sizeof(*scan->server_at));
	scan->client_at = calloc((size_t)scan->name_max + 1, sizeof(*scan->client_at));
	scan->claim_next = calloc(audit->claim_count + 1, sizeof(*scan->claim_next));
	if (scan->claim_head == NULL || scan->server_at == NULL || scan->client_at == NULL ||
	    scan->claim_next == NULL)
		return OC_ENOMEM;
	index_claims(scan);
	index_counters(scan);
	return index_versions(scan);
}

void oev_scan_fini(struct oev_scan *scan)
{
	free(scan->version_at);
	free(scan->claim_head);
	free(scan->claim_next);
	free(scan->server_at);
	free(scan->client_at);
	*scan = (struct oev_scan){ 0 };
}
