/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Writing one batch of events.
 */
#include "oev_scribe.h"

#include <stddef.h>

#include "../../agent/oc_err.h"
#include "oev_bind.h"

#define LINE_OCTETS 64u /* of a cache */
#define FETCH_AHEAD 8u	/* events */

int oev_scribe_init(struct oev_scribe *scribe, struct oev_journal *journal, struct oev_carry *carry,
		    uint32_t most, const struct oev_traffic_first *first)
{
	*scribe = (struct oev_scribe){ .journal = journal, .carry = carry };
	int rc = oev_haul_init(&scribe->haul, most);

	if (rc == OC_OK)
		rc = oev_traffic_init(&scribe->traffic, first);
	scribe->traffic.carry = carry;
	if (rc != OC_OK)
		oev_scribe_fini(scribe);
	return rc;
}

void oev_scribe_fini(struct oev_scribe *scribe)
{
	oev_haul_fini(&scribe->haul);
	oev_traffic_fini(&scribe->traffic);
}

void oev_scribe_segment(struct oev_scribe *scribe, struct oev_writer *segment, uint64_t base_ns)
{
	oev_traffic_segment(&scribe->traffic, segment->db, base_ns);
}

static int write_others(struct oev_scribe *scribe, uint64_t *refused)
{
	const struct oev_haul *haul = &scribe->haul;
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < haul->other_count; i++) {
		rc = oev_bind(scribe->traffic.db, haul->others[i], scribe->offset_us);
		if (rc != OC_EREFUSED)
			continue;
		(*refused)++;
		rc = OC_OK;
	}
	return rc;
}

static inline void fetch(const void *from, size_t octets)
{
	for (size_t at = 0; at < octets; at += LINE_OCTETS)
		__builtin_prefetch((const char *)from + at, 0);
}

/* Events were written by other processors: by the time they are read here they have come. */
static void fetch_decision(const struct oev_haul *haul, uint32_t n)
{
	if (n < haul->decision_count)
		fetch(haul->decisions[n].event, offsetof(struct oc_event, u) + sizeof(struct oc_decision));
}

static void fetch_outcome(const struct oev_haul *haul, uint32_t n)
{
	if (n < haul->outcome_count)
		fetch(haul->outcomes[n], offsetof(struct oc_event, u) + sizeof(struct oc_event_outcome));
}

static int write_traffic(struct oev_scribe *scribe, uint64_t *refused)
{
	const struct oev_haul *haul = &scribe->haul;
	struct oev_traffic *traffic = &scribe->traffic;
	int rc = OC_OK;

	oev_traffic_begin(traffic);
	for (uint32_t i = 0; rc == OC_OK && i < haul->decision_count; i++) {
		fetch_decision(haul, i + FETCH_AHEAD);
		rc = oev_traffic_decision(traffic, &haul->decisions[i].event->u.decision);
	}
	for (uint32_t i = 0; rc == OC_OK && i < haul->outcome_count; i++) {
		fetch_outcome(haul, i + FETCH_AHEAD);
		rc = oev_traffic_outcome(traffic, &haul->outcomes[i]->u.outcome);
	}
	if (rc == OC_OK)
		rc = oev_traffic_end(traffic);
	*refused += traffic->refused;
	return rc;
}

int oev_scribe_write(struct oev_scribe *scribe, uint64_t *refused)
{
	oev_haul_take(&scribe->haul, scribe->journal);
	int rc = write_others(scribe, refused);
	return rc == OC_OK ? write_traffic(scribe, refused) : rc;
}

void oev_scribe_keep(struct oev_scribe *scribe)
{
	const struct oev_haul *haul = &scribe->haul;

	oev_traffic_keep(&scribe->traffic);
	if (!scribe->carry)
		return;
	oev_carry_keep(scribe->carry);
	for (uint32_t i = 0; i < haul->other_count; i++)
		oev_carry_event(scribe->carry, haul->others[i], scribe->offset_us);
}

void oev_scribe_undo(struct oev_scribe *scribe)
{
	oev_traffic_undo(&scribe->traffic);
	if (scribe->carry)
		oev_carry_undo(scribe->carry);
}
