/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where evidence of a capture comes from, as rows of table meta: each file by name, size and SHA-256, what read it, and what of it
 * could not be decoded.
 */
#pragma once

#include "../store/oev_recorder.h"
#include "oev_capture.h"

struct oev_capture_origin {
	struct oev_fact *facts;
	size_t count;
	char *texts; /* what they point to */
};

/* Hashes the files of @options; @capture has been read as far as oev_missed. OC_OK, OC_EIO (a file cannot be read any more), OC_ENOMEM. */
int oev_capture_origin_make(struct oev_capture_origin *out, const struct oev_capture *capture,
			    const struct oev_capture_options *options);
void oev_capture_origin_fini(struct oev_capture_origin *origin);
