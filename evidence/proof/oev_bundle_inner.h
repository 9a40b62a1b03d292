/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the files of a proof bundle share.
 */
#pragma once

#include <jansson.h>

#include "oev_bundle.h"

/* The bundle as JSON, everything that can be derived derived; NULL: no memory, or the batch record, the
 * note or the key is none. */
json_t *oev_bundle_json(const struct oev_bundle *bundle);

/* The row's canonical octets from table, rowid and columns. OC_OK, OC_ENOMEM. */
int oev_bundle_octets(const struct oev_bundle *bundle, struct oev_canon *canon);

/* The JSON that a loaded bundle came from, borrowed. */
const json_t *oev_bundle_source(const struct oev_bundle *bundle);

/* Whether @signer is the one of @trust, when there is one: OEV_BUNDLE_STEP_HOLDS or OEV_BUNDLE_STEP_KEY with the sentence. */
enum oev_bundle_step oev_bundle_check_key(const struct oev_public *signer, const struct oev_trust *trust,
					  struct oev_why *why);
