/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Taking events from the journal and putting decisions in order.
 */
#include "oev_haul.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define MOVES_PER_DECISION 16u /* then sorting from scratch is quicker */

int oev_haul_init(struct oev_haul *haul, uint32_t max)
{
	*haul = (struct oev_haul){ .max = max };
	haul->decisions = calloc(max, sizeof(*haul->decisions));
	haul->outcomes = calloc(max, sizeof(const struct oc_event *));
	haul->others = calloc(max, sizeof(const struct oc_event *));
	if (haul->decisions && haul->outcomes && haul->others)
		return OC_OK;
	oev_haul_fini(haul);
	return OC_ENOMEM;
}

void oev_haul_fini(struct oev_haul *haul)
{
	free(haul->decisions);
	free(haul->outcomes);
	free(haul->others);
	*haul = (struct oev_haul){ 0 };
}

static int by_id(const void *a, const void *b)
{
	const struct oev_haul_decision *x = a;
	const struct oev_haul_decision *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void sort_decisions(struct oev_haul *haul)
{
	struct oev_haul_decision *all = haul->decisions;
	uint64_t moves_left = (uint64_t)haul->decision_count * MOVES_PER_DECISION;

	for (uint32_t i = 1; i < haul->decision_count; i++) {
		struct oev_haul_decision one = all[i];
		uint32_t at = i;
		for (; at > 0 && all[at - 1].id > one.id && moves_left > 0; moves_left--, at--)
			all[at] = all[at - 1];
		all[at] = one;
		if (moves_left == 0) {
			qsort(all, haul->decision_count, sizeof(*all), by_id);
			return;
		}
	}
}

static void take_one(struct oev_haul *haul, const struct oc_event *event)
{
	if (event->kind == OC_EVENT_DECISION)
		haul->decisions[haul->decision_count++] =
			(struct oev_haul_decision){ .id = event->u.decision.id, .event = event };
	else if (event->kind == OC_EVENT_OUTCOME)
		haul->outcomes[haul->outcome_count++] = event;
	else
		haul->others[haul->other_count++] = event;
	if (haul->first_ns == 0 || event->mono_ns < haul->first_ns)
		haul->first_ns = event->mono_ns;
	if (event->mono_ns > haul->last_ns)
		haul->last_ns = event->mono_ns;
	haul->events++;
}

void oev_haul_take(struct oev_haul *haul, struct oev_journal *journal)
{
	const struct oc_event *event;

	haul->events = haul->decision_count = haul->outcome_count = haul->other_count = 0;
	haul->first_ns = haul->last_ns = 0;
	while (haul->events < haul->max && (event = oev_journal_peek_at(journal, haul->events)) != NULL)
		take_one(haul, event);
	sort_decisions(haul);
}
