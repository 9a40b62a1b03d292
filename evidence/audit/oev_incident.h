/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What happened to the evidence itself: lives finished by a later one, segments removed by retention.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OEV_INCIDENTS_MAX 256u /* listed; further ones are counted */

enum oev_incident_kind { OEV_INCIDENT_RECOVERY = 0, OEV_INCIDENT_REMOVAL = 1, OEV_INCIDENT_KIND_COUNT };

struct oev_incident {
	enum oev_incident_kind kind;
	uint32_t segment;		  /* whose row it is */
	uint64_t wall_us;		  /* when it was done */
	uint64_t events, torn;		  /* recovery: taken from the journal; cut off half-written */
	uint64_t pid;			  /* recovery: by this process */
	uint64_t first_batch, last_batch; /* removal */
	char removed[128];		  /* removal: the segment */
	char sha256[72];		  /* removal: of its file */
	char reason[32];		  /* removal: age, size */
};

const char *oev_incident_kind_text(enum oev_incident_kind kind); /* "recovery" */

struct oev_audit;

/* What it says in words: "finished from the journal by process 77: 5 events, 1 cut off half-written". */
const char *oev_incident_text(const struct oev_incident *note, char *buf, size_t size);
