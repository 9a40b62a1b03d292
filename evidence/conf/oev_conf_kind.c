/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which of the two documents a text is: the one whose keys it has.
 */
#include <stdlib.h>
#include <string.h>

#include "oev_conf_errors.h"

/* Room for either. */
struct tries {
	struct oev_conf_errors errors;
	struct oev_process process;
	struct oc_policy policy;
};

/* Keys of the first level that the document of this kind does not have count most: below them the two have names in common. */
static uint64_t misfit(const struct oev_conf_errors *errors)
{
	uint64_t unknown = 0;

	for (uint32_t i = 0; i < errors->count; i++)
		unknown += strchr(errors->list[i].key, '.') == NULL &&
			   strncmp(errors->list[i].text, "unknown key", strlen("unknown key")) == 0;
	return unknown << 32 | errors->all;
}

static enum oev_conf_document by_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return strncmp(slash != NULL ? slash + 1 : file, "policy", strlen("policy")) == 0 ? OEV_CONF_POLICY
											  : OEV_CONF_PROCESS;
}

enum oev_conf_document oev_conf_kind(const char *text, size_t len, const char *file)
{
	struct tries *tries = calloc(1, sizeof(*tries));

	if (tries == NULL)
		return OEV_CONF_PROCESS;
	(void)oev_conf_process_check(text, len, file, &tries->process, &tries->errors);
	uint64_t process = misfit(&tries->errors);
	(void)oev_conf_policy_check(text, len, file, &tries->policy, &tries->errors);
	uint64_t policy = misfit(&tries->errors);
	free(tries);
	if (process == policy)
		return by_name(file);
	return policy < process ? OEV_CONF_POLICY : OEV_CONF_PROCESS;
}
