/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The line that is said first, exit codes, and what is not known.
 */
#include <inttypes.h>

#include "../audit/oev_audit.h"
#include "oev_whatif.h"

const char *oev_whatif_outcome_text(enum oev_whatif_outcome outcome)
{
	static const char *const texts[OEV_WHATIF_OUTCOME_COUNT] = { "changes",	 "no_change", "cannot_tell",
								     "unusable", "usage",     "interrupted",
								     "bug" };

	return outcome < OEV_WHATIF_OUTCOME_COUNT ? texts[outcome] : "?";
}

int oev_whatif_exit(enum oev_whatif_outcome outcome)
{
	static const int codes[OEV_WHATIF_OUTCOME_COUNT] = {
		[OEV_WHATIF_CHANGES] = 0,  [OEV_WHATIF_SAME] = 0,  [OEV_WHATIF_UNSURE] = 3,
		[OEV_WHATIF_UNUSABLE] = 4, [OEV_WHATIF_USAGE] = 2, [OEV_WHATIF_INTERRUPTED] = 130,
		[OEV_WHATIF_BUG] = 70,
	};

	return outcome < OEV_WHATIF_OUTCOME_COUNT ? codes[outcome] : 70;
}

const char *const *oev_whatif_limits(void)
{
	static const char *const limits[] = {
		"clients' reaction to fewer or more refusals is not modelled: the same requests come at the "
		"same times",
		"answers, reports and loads of others come as they were recorded, whatever is sent where",
		"a request that was refused then and is sent now is taken to be answered at once, with "
		"success",
		"servers do not get slower or faster with what they are sent",
		"chance that nobody needed then is made up from the decision's number, the same each time",
		NULL,
	};

	return limits;
}

void oev_whatif_verdict(const struct oev_whatif *whatif, char *out, size_t size)
{
	const char *word = whatif->outcome == OEV_WHATIF_INTERRUPTED ? "INTERRUPTED"
			   : whatif->outcome == OEV_WHATIF_UNSURE    ? "CANNOT TELL"
			   : whatif->changed > 0		     ? "CHANGES"
								     : "NO CHANGE";
	char n[6][32];
	uint64_t all = whatif->total[1].decisions;

	if (whatif->error[0] != '\0' || all == 0) {
		snprintf(out, size, "%s  %s", word,
			 whatif->error[0] != '\0' ? whatif->error
			 : whatif->why[0] != '\0' ? whatif->why
						  : "no decision in the window");
		return;
	}
	snprintf(out, size,
		 "%s  %s of %s decisions (%.2f %%)   refused %s -> %s   emergency refused %s -> %s", word,
		 oev_number_text(whatif->changed, n[0]), oev_number_text(all, n[1]),
		 100.0 * (double)whatif->changed / (double)all,
		 oev_number_text(whatif->total[0].refused, n[2]),
		 oev_number_text(whatif->total[1].refused, n[3]),
		 oev_number_text(whatif->class[0][0].refused, n[4]),
		 oev_number_text(whatif->class[0][1].refused, n[5]));
}
