/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What an agent does with its folder before it begins to write: it finishes what a life that was cut off left, seals what was left
 * unsealed, and finds out how its log goes on.
 *
 * The journal's left-overs go into the last segment of the life they belong to, from the position on that its last batch
 * names, so that nothing is lost and nothing told twice, wherever the kill came; a second kill on the way changes nothing. A segment
 * that was not finished gets a row in table recovery, its last rows, a checkpoint and its seal. When the log cannot be continued (the
 * end is missing, or is not what was signed) that is said, nothing is touched, and a new log begins.
 */
#pragma once

#include "oev_folder.h"
#include "oev_notary.h"
#include "oev_settings.h"

struct oev_recovery {
	const struct oev_recorder_conf *conf; /* of the settings */
	struct oev_journal *journal;
	const struct oev_public *self;
	const struct oev_signer *signer;
	const struct oev_voice *voice;
	struct oev_notary *notary;
};

/* How the new life goes on. */
struct oev_past_life {
	struct oev_ledger ledger;
	char previous[OEV_SEGMENT_MAX + 1]; /* "" there is none */
	char broken[OEV_WHY_MAX];	    /* why the log begins anew; "" it does not */
	uint64_t lost_events;		    /* for a gap row of the new segment */
	char lost_reason[OEV_WHY_MAX];
};

/* The folder is there and nobody else works in it. OC_OK; OC_EIO, OC_ENOMEM with the sentence: do not start. */
int oev_recover(const struct oev_recovery *recovery, struct oev_past_life *out, struct oev_why *why);
