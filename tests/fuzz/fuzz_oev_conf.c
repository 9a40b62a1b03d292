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

static void require_rate(const struct oc_policy *policy)
{
	for (uint32_t i = 1; i < OC_CLASSES; i++)
		require(policy->rate.threshold_permille[i] <= policy->rate.threshold_permille[i - 1]);
	require(policy->rate.initial_permille <= policy->rate.threshold_permille[OC_CLASSES - 1]);
	for (uint32_t i = 0; i < OC_RANKS; i++)
		require(policy->priorities.class_of_drmp[i] < OC_CLASSES);
	require(policy->priorities.slack <= 4 && policy->priorities.default_drmp < OC_RANKS);
}

static void require_orders(const struct oc_policy *policy)
{
	require(policy->reports.order_count <= OC_POLICY_ORDERS_MAX);
	for (uint32_t i = 0; i < policy->reports.order_count; i++) {
		const struct oc_order_policy *order = &policy->reports.orders[i];

		require(order->has_reduction || order->has_rate);
		require(order->type < OC_REPORT_COUNT && order->reduction_pct <= 100);
		require(order->subject[0] != '\0' || order->type == OC_REPORT_PEER);
		require(memchr(order->subject, '\0', sizeof(order->subject)) != NULL);
	}
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
		require((out.rules[i].flags & OC_TRUST_DOIC) != 0 ||
			(out.rules[i].flags &
			 (OC_TRUST_SEND_REPORTS | OC_TRUST_RELAY_REPORTS | OC_TRUST_RECEIVE_REPORTS)) == 0);
		for (uint32_t rank = 0; rank < OC_RANKS; rank++)
			require(out.rules[i].drmp_map[rank] < OC_RANKS);
	}
	require_rate(&out);
	require_orders(&out);
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
