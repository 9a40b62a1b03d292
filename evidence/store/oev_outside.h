/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The file of checkpoints outside the folder, as the next life reads it: how far the log was told to go.
 */
#pragma once

#include "../proof/oev_checkpoint.h"

/* The last whole checkpoint in @path that @signer signed. OC_OK; OC_ENOENT: no file, or none in its last 64 KiB; OC_EIO. */
int oev_outside_last(const char *path, const struct oev_public *signer, struct oev_checkpoint *out);
