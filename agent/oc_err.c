/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The text table behind enum oc_err.
 */
#include "oc_err.h"

static const char *const texts[] = {
	[-OC_OK] = "success",
	[-OC_EINVAL] = "invalid argument",
	[-OC_ENOENT] = "no such entry",
	[-OC_ENOSPC] = "table or buffer full",
	[-OC_ESTALE] = "sequence number not newer than the one held",
	[-OC_ENOMEM] = "out of memory",
	[-OC_EMALFORMED] = "malformed",
	[-OC_ERANGE] = "out of range",
	[-OC_EIO] = "input/output error",
	[-OC_EBUSY] = "busy",
	[-OC_EREFUSED] = "refused by policy",
	[-OC_EVERSION] = "format newer than this program",
	[-OC_EINTERRUPTED] = "interrupted",
};
_Static_assert(sizeof(texts) / sizeof(texts[0]) == -OC_ERR_LAST + 1, "one text per error");

const char *oc_err_text(int err)
{
	if (err > 0 || err < OC_ERR_LAST)
		return "unknown error";
	return texts[-err];
}
