/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading recoveries and removals, and saying them in words.
 */
#include "oev_incident.h"

#include <inttypes.h>
#include <stdio.h>

#include "../../agent/oc_err.h"
#include "oev_audit_parts.h"

const char *oev_incident_kind_text(enum oev_incident_kind kind)
{
	static const char *const words[] = { "recovery", "removal" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_INCIDENT_KIND_COUNT, "one word per kind");
	return words[kind];
}

const char *oev_incident_text(const struct oev_incident *note, char *buf, size_t size)
{
	if (note->kind == OEV_INCIDENT_REMOVAL)
		snprintf(buf, size, "%s was removed by retention (%s): batches %" PRIu64 " to %" PRIu64,
			 note->removed, note->reason, note->first_batch, note->last_batch);
	else
		snprintf(buf, size,
			 "cut off; finished from its journal by process %" PRIu64 ": %" PRIu64
			 " events taken over, %" PRIu64 " half-written ones dropped",
			 note->pid, note->events, note->torn);
	return buf;
}

/* NULL when there is no room, or no memory: it is counted all the same. */
static struct oev_incident *add(struct oev_audit *audit, enum oev_incident_kind kind, uint32_t segment,
				sqlite3_stmt *stmt)
{
	struct oev_incident *note =
		audit->incident_count < OEV_INCIDENTS_MAX
			? oev_audit_grow(&audit->incidents, &audit->incident_count, sizeof(*note))
			: NULL;

	if (note == NULL) {
		audit->incidents_unlisted++;
		return NULL;
	}
	note->kind = kind;
	note->segment = segment;
	note->wall_us = (uint64_t)sqlite3_column_int64(stmt, 0);
	return note;
}

int oev_incident_take_recovery(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_incident *note = add(audit, OEV_INCIDENT_RECOVERY, segment, stmt);

	(void)life;
	if (note == NULL)
		return OC_OK;
	note->pid = (uint64_t)sqlite3_column_int64(stmt, 1);
	note->events = (uint64_t)sqlite3_column_int64(stmt, 2);
	note->torn = (uint64_t)sqlite3_column_int64(stmt, 3);
	return OC_OK;
}

int oev_incident_take_removal(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_incident *note = add(audit, OEV_INCIDENT_REMOVAL, segment, stmt);

	(void)life;
	if (note == NULL)
		return OC_OK;
	snprintf(note->removed, sizeof(note->removed), "%s", oev_query_word(stmt, 1));
	note->first_batch = (uint64_t)sqlite3_column_int64(stmt, 2);
	note->last_batch = (uint64_t)sqlite3_column_int64(stmt, 3);
	snprintf(note->sha256, sizeof(note->sha256), "%s", oev_query_word(stmt, 4));
	snprintf(note->reason, sizeof(note->reason), "%s", oev_query_word(stmt, 5));
	return OC_OK;
}
