/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The two documents: whether they can be read, parse, and belong together.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "cli_check.h"

/* Notes every mistake and every warning of @path. */
static void note_all(struct cli_check *check, const struct oev_conf_errors *errors, const char *path,
		     const char *hint)
{
	char text[OEV_CONF_ERROR_MAX];

	for (uint32_t i = 0; i < errors->count; i++) {
		oev_conf_mistake_text(&errors->list[i], path, text, sizeof(text));
		cli_check_note(check, CLI_CHECK_FAIL, hint, "%s", text);
	}
	if (errors->all > errors->count)
		cli_check_note(check, CLI_CHECK_FAIL, hint, "%s: and %u more mistakes", path,
			       errors->all - errors->count);
	for (uint32_t i = 0; i < errors->warned; i++) {
		oev_conf_mistake_text(&errors->warning[i], path, text, sizeof(text));
		cli_check_note(check, CLI_CHECK_WARN, hint, "%s", text);
	}
}

/* Reads and checks @path into check->conf, or as a policy, and notes what is wrong in it. OC_OK, OC_ENOENT or OC_EIO (unreadable, check->error
 * is a sentence), another error when something was noted. */
static int read_document(struct cli_check *check, enum oev_conf_document kind, const char *path)
{
	struct oev_conf_errors *errors = calloc(1, sizeof(*errors));
	struct oc_policy *policy = calloc(1, sizeof(*policy));
	bool is_policy = kind == OEV_CONF_POLICY;
	char *text = NULL;
	size_t len = 0;
	int rc = errors != NULL && policy != NULL ? oev_conf_read_file(path, &text, &len, check->error)
						  : OC_ENOMEM;

	if (rc == OC_OK) {
		rc = is_policy ? oev_conf_policy_check(text, len, path, policy, errors)
			       : oev_conf_process_check(text, len, path, &check->conf, errors);
		note_all(check, errors, path, is_policy ? "policy.yaml(5)" : "doic.yaml(5)");
	} else if (rc != OC_ENOENT && rc != OC_EIO) {
		cli_check_note(check, CLI_CHECK_FAIL, "", "%s",
			       rc == OC_ENOMEM ? "out of memory" : check->error);
	}
	free(text);
	free(policy);
	free(errors);
	return rc;
}

static enum oev_conf_document kind_of(const char *path)
{
	char error[OEV_CONF_ERROR_MAX], *text = NULL;
	size_t len = 0;
	bool is_read = oev_conf_read_file(path, &text, &len, error) == OC_OK;
	enum oev_conf_document kind = oev_conf_kind(is_read ? text : "", is_read ? len : 0, path);

	free(text);
	return kind;
}

int cli_check_sort(struct cli_check *check)
{
	for (unsigned i = 0; i < check->files; i++) {
		bool is_policy = kind_of(check->file[i]) == OEV_CONF_POLICY;
		if (is_policy ? check->policy[0] != '\0' : check->has_process) {
			snprintf(check->error, sizeof(check->error), "\"%.200s\": one %s at a time",
				 check->file[i], is_policy ? "policy.yaml" : "doic.yaml");
			return CLI_USAGE;
		}
		if (is_policy)
			check->policy = check->file[i];
		else
			check->process = check->file[i];
		check->has_process = check->has_process || !is_policy;
	}
	return CLI_OK;
}

/* The policy that doic.yaml names, or the one given. */
static int look_at_policy(struct cli_check *check, const char *path)
{
	int rc = read_document(check, OEV_CONF_POLICY, path);

	if (rc == OC_ENOENT || rc == OC_EIO) {
		if (check->policy[0] != '\0')
			return CLI_INPUT;
		cli_check_note(check, CLI_CHECK_FAIL, "policy, doic.yaml(5)", "%s", check->error);
		return CLI_OK;
	}
	if (rc == OC_OK && !check->has_process)
		cli_check_note(check, CLI_CHECK_OK, "", "%s parses", path);
	else if (rc == OC_OK)
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
	int rc = read_document(check, OEV_CONF_PROCESS, check->process);
	if (rc == OC_ENOENT || rc == OC_EIO)
		return CLI_INPUT;
	if (rc != OC_OK)
		return check->policy[0] == '\0' ? CLI_OK : look_at_policy(check, check->policy);
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
