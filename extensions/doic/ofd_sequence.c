/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Numbers of our own reports, rising from life to life (RFC 7683 section 5.2.1.4, spec row D-093).
 */
#include "ofd.h"

#include <stdio.h>
#include <time.h>

#include "../../agent/oc_err.h"
#include "../../evidence/store/oev_sequence.h"

static void name_file(struct ofd *ofd)
{
	if (ofd->conf.sequence_path[0])
		memcpy(ofd->sequence_path, ofd->conf.sequence_path, sizeof(ofd->sequence_path));
	else if (snprintf(ofd->sequence_path, sizeof(ofd->sequence_path), "%s/sequence",
			  ofd->conf.evidence_folder) >= (int)sizeof(ofd->sequence_path))
		ofd->sequence_path[0] = '\0'; /* too long a path: the clock alone is left */
}

void ofd_sequence_start(struct ofd *ofd)
{
	char note[OEV_SEQUENCE_TEXT_MAX] = "";
	uint64_t wall_s = (uint64_t)time(NULL);

	name_file(ofd);
	int rc = oev_sequence_open(ofd->sequence_path, wall_s, &ofd->sequence_first, note, sizeof(note));
	ofd->sequence_mark = ofd->sequence_first + OEV_SEQUENCE_AHEAD;
	if (rc == OC_ENOENT)
		LOG_N("doic: %s", note);
	else if (rc != OC_OK)
		LOG_E("doic: %s", note);
}

void ofd_sequence_keep(struct ofd *ofd)
{
	uint64_t next = oc_agent_next_sequence(ofd->agent);

	if (ofd->sequence_mark - next > OEV_SEQUENCE_AHEAD / 2)
		return;
	/* Tried again when half of what is left is used up; until then the clock is what the next life has. */
	if (oev_sequence_reserve(ofd->sequence_path, next) != OC_OK)
		LOG_E("doic: sequence numbers cannot be reserved in %s", ofd->sequence_path);
	ofd->sequence_mark = next + OEV_SEQUENCE_AHEAD;
}
