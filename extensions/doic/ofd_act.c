/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What people change, as rows of the trail: who, what, before, after, why.
 */
#include "ofd.h"

#include <stdio.h>

void ofd_act(struct ofd *ofd, const char *what, const char *object, const char *before, const char *after,
	     const struct oweb_actor *by)
{
	struct oc_event event = { .kind = OC_EVENT_ACT, .mono_ns = ofd_clock_mono_ns() };
	struct oc_event_act *act = &event.u.act;

	snprintf(act->who, sizeof(act->who), "%s", by->who);
	snprintf(act->what, sizeof(act->what), "%s", what);
	snprintf(act->object, sizeof(act->object), "%s", object);
	snprintf(act->before, sizeof(act->before), "%s", before);
	snprintf(act->after, sizeof(act->after), "%s", after);
	snprintf(act->reason, sizeof(act->reason), "%s", by->reason);
	LOG_N("doic: %s %s%s%s%s%s by=%s reason=\"%s\"", act->what, act->object,
	      act->before[0] ? " from " : "", act->before, act->after[0] ? " to " : "", act->after, act->who,
	      act->reason);
	if (ofd->journal)
		oev_journal_emit(ofd->journal, &event);
}
