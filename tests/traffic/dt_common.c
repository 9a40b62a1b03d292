/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Common options.
 */
#include "dt_common.h"

#include <string.h>

const char *dt_common_source(const struct dt_common *common, const char *own)
{
	if (!common->source_id)
		return own;
	return strcmp(common->source_id, "none") == 0 ? NULL : common->source_id;
}
