/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sealing a finished segment: read-only, hashed, and the signed note beside it.
 */
#pragma once

#include "../proof/oev_seal.h"
#include "oev_ledger.h"

/* Folds what lies beside the segment @path into it, so that one file is all there is. OC_OK, also when it is no database and nothing
 * lies beside it; OC_EBUSY: a reader, or damage, is in the way. */
int oev_sealing_fold(const char *path);

/* Seals the file @path. Of *@seal the batches and the root are given; name, size, digest and time are filled in. The note goes to
 * "PATH.seal" and to @note. On failure *@why is one sentence, and the file is as it was but for its mode. Takes a second
 * per gigabyte. OC_OK, OC_EIO, OC_ENOMEM, OC_EINVAL. */
int oev_sealing(const char *path, struct oev_seal *seal, const struct oev_signer *signer, uint64_t wall_us,
		char note[static OEV_NOTE_MAX], struct oev_why *why);

/* Reads the seal of segment @path, signed by @signer (NULL: not believed). OC_OK, OC_ENOENT, OC_EIO, OC_EMALFORMED, OC_EREFUSED. */
int oev_sealing_read(const char *path, const struct oev_public *signer, struct oev_seal *out,
		     struct oev_why *why);
