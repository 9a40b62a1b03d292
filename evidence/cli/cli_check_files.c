/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The two documents: whether they can be read, parse, and belong together.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "cli_check.h"

/* Reads and parses @path. OC_OK, OC_ENOENT or OC_EIO (unreadable), else what the parser says; check->error is a sentence then. */
static int read_process(struct cli_check *check)
{
	char *text = NULL;
	size_t len = 0;
	int rc = oev_conf_read_file(check->process, &text, &len, check->error);

	oev_conf_process_init(&check->conf);
	if (rc == OC_OK)
		rc = oev_conf_process_parse(text, len, check->process, &check->conf, check->error);
	else if (rc == OC_ERANGE)
		rc = OC_EMALFORMED;
	free(text);
	return rc;
}

static int read_policy(struct cli_check *check, const char *path)
{
	struct oc_policy *policy = calloc(1, sizeof(*policy));
	char *text = NULL;
	size_t len = 0;
	int rc = policy == NULL ? OC_ENOMEM : oev_conf_read_file(path, &text, &len, check->error);

	if (rc == OC_OK)
		rc = oev_conf_policy_parse(text, len, path, policy, check->error);
	free(text);
	free(policy);
	return rc;
}

/* The policy that doic.yaml names, or the one given. */
static int look_at_policy(struct cli_check *check, const char *path)
{
	int rc = read_policy(check, path);

	if (rc == OC_ENOENT || rc == OC_EIO) {
		if (check->policy[0] != '\0')
			return CLI_INPUT;
		cli_check_note(check, CLI_CHECK_FAIL, "policy, doic.yaml(5)", "%s", check->error);
		return CLI_OK;
	}
	if (rc != OC_OK)
		cli_check_note(check, CLI_CHECK_FAIL, "policy.yaml(5)", "%s", check->error);
	else if (!check->has_process)
		cli_check_note(check, CLI_CHECK_OK, "", "%s parses", path);
	else
		cli_check_note(check, CLI_CHECK_OK, "", "%s, %s parse%s", check->process, path,
			       check->policy[0] == '\0' ? " and belong together" : "");
	return CLI_OK;
}

int cli_check_documents(struct cli_check *check)
{
	char path[OEV_CONF_PATH_MAX];

	if (!check->has_process && check->policy[0] != '\0') /* a policy alone */
		return look_at_policy(check, check->policy);
	check->has_process = false;
	int rc = read_process(check);
	if (rc == OC_ENOENT || rc == OC_EIO)
		return CLI_INPUT;
	if (rc != OC_OK) {
		cli_check_note(check, CLI_CHECK_FAIL, "doic.yaml(5)", "%s", check->error);
		return check->policy[0] == '\0' ? CLI_OK : look_at_policy(check, check->policy);
	}
	check->has_process = true;
	snprintf(check->folder, sizeof(check->folder), "%s", check->conf.evidence_folder);
	rc = oev_conf_resolve(check->process, check->conf.policy_path, path);
	if (check->policy[0] == '\0' && rc != OC_OK) {
		cli_check_note(check, CLI_CHECK_FAIL, "policy, doic.yaml(5)",
			       "the path of the policy is too long");
		return CLI_OK;
	}
	return look_at_policy(check, check->policy[0] != '\0' ? check->policy : path);
}
