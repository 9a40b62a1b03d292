/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The evidence of the audit's benchmark: a life on a virtual clock, decided by the core, kept by the recorder in several
 * segments, and counted on the way.
 *
 * Eight clients, half of them with DOIC, send requests of three applications to four servers of a realm, with and without a
 * Destination-Host. Servers report host, realm and peer overload, by loss and by rate; one goes away now and then; the
 * relay orders a report of its own.
 */
#pragma once

#include <stdint.h>

/* What the core told, event by event: an audit must find the same. */
struct audit_facts {
	uint64_t decisions, forwarded, diverted, refused;
	uint64_t by_realm, by_host, by_peer; /* refused for a report of that scope */
	uint64_t outcomes, relayed, success; /* answers of any kind; from upstream; 2xxx of these */
	uint64_t reports, versions;
	uint64_t drawn, selected; /* draws of all versions */
};
#define AUDIT_FACTS (sizeof(struct audit_facts) / sizeof(uint64_t))
extern const char *const audit_facts_names[]; /* in the order of the struct */

/* Writes about @decisions decisions of @sessions sessions (0: each its own) into @folder (made when absent) and fills @facts. Aborts
 * when that fails. */
void audit_evidence_make(const char *folder, uint64_t decisions, uint32_t sessions,
			 struct audit_facts *facts);
