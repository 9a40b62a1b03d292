/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzz target of both configuration documents: the first octet, odd or even, picks which.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/conf/oev_conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* A failure has one line of text with a place, and leaves the result alone. */
static void require_failure(const char *error, const void *out, const void *before, size_t size)
{
	require(strncmp(error, "f.yaml:", 7) == 0);
	require(strchr(error, '\n') == NULL);
	require(memcmp(out, before, size) == 0);
}

static void fuzz_process(const char *text, size_t len)
{
	static struct oev_process before;
	static struct oev_process out;
	char error[OEV_CONF_ERROR_MAX] = "";

	memset(&before, 0xa5, sizeof(before));
	memcpy(&out, &before, sizeof(out));
	if (oev_conf_process_parse(text, len, "f.yaml", &out, error) != OC_OK) {
		require_failure(error, &out, &before, sizeof(out));
		return;
	}
	require(memchr(out.evidence_folder, '\0', sizeof(out.evidence_folder)) != NULL);
	require(memchr(out.policy_path, '\0', sizeof(out.policy_path)) != NULL);
	require(out.batch_max_ms >= 1 && out.batch_max_ms <= 60000);
	require((out.journal_records & (out.journal_records - 1)) == 0 && out.journal_records >= 1024);
}

static void fuzz_policy(const char *text, size_t len)
{
	static struct oc_policy before;
	static struct oc_policy out;
	char error[OEV_CONF_ERROR_MAX] = "";

	memset(&before, 0xa5, sizeof(before));
	memcpy(&out, &before, sizeof(out));
	if (oev_conf_policy_parse(text, len, "f.yaml", &out, error) != OC_OK) {
		require_failure(error, &out, &before, sizeof(out));
		return;
	}
	require(out.rule_count <= OC_POLICY_RULES_MAX);
	require(out.probe_interval_ms >= 10 && out.probe_interval_ms <= 60000);
	for (uint32_t i = 0; i < out.rule_count; i++) {
		require(out.rules[i].peer[0] != '\0' && out.rules[i].realm_count <= OC_POLICY_REALMS_MAX);
		require((out.rules[i].flags & OC_TRUST_DOIC) != 0 || out.rules[i].flags == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] % 2 == 0)
		fuzz_process((const char *)data + 1, size - 1);
	else
		fuzz_policy((const char *)data + 1, size - 1);
	return 0;
}
