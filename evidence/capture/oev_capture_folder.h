/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Folders for the evidence of a capture: one per node, whose names come from captures and are not to be trusted.
 */
#pragma once

#include <stddef.h>

#include "../store/oev_place.h"

/* OC_OK when @folder is absent or has nothing in it; OC_EREFUSED, OC_EIO with one sentence in *@error. */
int oev_capture_folder_check(const char *folder, char *error, size_t error_size);

/* "FOLDER/NODE" for the node called @name: one part below FOLDER whatever the name is, since all but letters, digits, '-', '_' and inner
 * dots become '_'. @number: 1, or the number that tells it from others that look the same. OC_OK or OC_EINVAL (too long). */
int oev_capture_folder_path(const char *folder, const char *name, unsigned number,
			    char out[static OEV_PLACE_PATH_MAX]);
