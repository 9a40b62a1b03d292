/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of receipts: both ends of a run hold the same ones, and a damaged file is never taken for a whole one.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dt_receipts.h"
#include "help_pair.h"

void test_dt_receipts_suite(void);

#define KINDS 5u

/* What a file told: how often each kind, which identifiers came in each kind (added up, whatever their order), results and names. */
struct told {
	uint32_t count[KINDS];
	uint64_t id_sum[KINDS];
	uint32_t success;
	uint32_t busy;
	uint64_t last_us;
	bool is_in_order;
	char node[256];
	char asker[256];
	char answerer[256];
};

static void take(void *ctx, const struct dt_receipt_seen *seen)
{
	struct told *told = ctx;
	const struct dt_receipt *receipt = &seen->receipt;
	bool is_answer = receipt->kind >= DT_RECEIPT_ANSWER_IN;

	told->count[receipt->kind]++;
	told->id_sum[receipt->kind] += receipt->end_to_end;
	told->success += receipt->result == 2001;
	told->busy += receipt->result == 3004;
	told->is_in_order &= seen->at_us >= told->last_us;
	told->last_us = seen->at_us;
	snprintf(told->node, sizeof(told->node), "%s", seen->node);
	snprintf(is_answer ? told->answerer : told->asker, sizeof(told->asker), "%s", seen->origin);
}

static int read_into(const char *path, struct told *told)
{
	const char *why = NULL;

	memset(told, 0, sizeof(*told));
	told->is_in_order = true;
	int rc = dt_receipts_read(path, take, told, &why);
	CU_ASSERT_EQUAL(rc == OC_OK, why == NULL);
	return rc;
}

/* The record paths of a pair serve as places for the receipts. */
static void run_pair(struct help_pair *pair, uint64_t count)
{
	pair->client.count = count;
	pair->client.common.receipts_path = pair->client_record;
	pair->server.common.receipts_path = pair->server_record;
	help_pair_start_server(pair);
	CU_ASSERT_EQUAL(help_pair_run_client(pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(pair), 0);
}

static void test_dt_receipts_both_ends_hold_the_same_after_sigterm(void)
{
	struct help_pair pair;
	struct told client, server;

	help_pair_init(&pair);
	dt_mix_results("2001=1,3004=1", &pair.server.mix);
	run_pair(&pair, 20000);
	CU_ASSERT_EQUAL(read_into(pair.client_record, &client), OC_OK);
	CU_ASSERT_EQUAL(read_into(pair.server_record, &server), OC_OK);
	CU_ASSERT_EQUAL(client.count[DT_RECEIPT_REQUEST_OUT], 20000);
	CU_ASSERT_EQUAL(server.count[DT_RECEIPT_REQUEST_IN], 20000);
	CU_ASSERT_EQUAL(server.count[DT_RECEIPT_ANSWER_OUT], 20000);
	CU_ASSERT_EQUAL(client.count[DT_RECEIPT_ANSWER_IN], 20000);
	CU_ASSERT_EQUAL(client.id_sum[DT_RECEIPT_REQUEST_OUT], server.id_sum[DT_RECEIPT_REQUEST_IN]);
	CU_ASSERT_EQUAL(server.id_sum[DT_RECEIPT_ANSWER_OUT], client.id_sum[DT_RECEIPT_ANSWER_IN]);
	CU_ASSERT_EQUAL(client.success, help_json_number(pair.client_json, "by_result/2001"));
	CU_ASSERT_EQUAL(client.success + client.busy, 20000);
	CU_ASSERT_EQUAL(client.success, server.success);
	CU_ASSERT_STRING_EQUAL(client.node, "c1.example.net");
	CU_ASSERT_STRING_EQUAL(server.node, "s1.example.net");
	CU_ASSERT_STRING_EQUAL(server.asker, "c1.example.net");
	CU_ASSERT_STRING_EQUAL(client.answerer, "s1.example.net");
	CU_ASSERT(client.is_in_order && server.is_in_order);
	help_pair_fini(&pair);
}

static void test_dt_receipts_names_longer_than_a_unit_come_back_whole(void)
{
	static const char name[] = "a-name-that-needs.more-than-two-units-of.twenty-four-octets.example.net";
	struct help_pair pair;
	struct told server;

	help_pair_init(&pair);
	snprintf(pair.client.common.me.host, sizeof(pair.client.common.me.host), "%s", name);
	run_pair(&pair, 10);
	CU_ASSERT_EQUAL(read_into(pair.server_record, &server), OC_OK);
	CU_ASSERT_STRING_EQUAL(server.asker, name);
	help_pair_fini(&pair);
}

/* At every length that is not a whole number of units, and at every one inside a name, the file is refused. */
static void test_dt_receipts_a_file_cut_amid_a_receipt_is_refused(void)
{
	struct help_pair pair;
	struct told told;

	help_pair_init(&pair);
	run_pair(&pair, 10);
	/* head, name 0 in two units, then 10 requests, name 1 in two units, 10 answers, from the end */
	long whole = 24 * (1 + 2 + 10 + 2 + 10);
	CU_ASSERT_EQUAL(read_into(pair.client_record, &told), OC_OK);
	for (long len = whole - 1; len >= 0; len--) {
		CU_ASSERT_EQUAL(truncate(pair.client_record, len), 0);
		bool is_amid = len % 24 != 0 || len == 0;
		CU_ASSERT_EQUAL(read_into(pair.client_record, &told) == OC_OK,
				!is_amid && len != 24 * 2 && len != 24 * (1 + 2 + 10 + 1));
	}
	help_pair_fini(&pair);
}

static void test_dt_receipts_something_else_is_refused(void)
{
	struct help_pair pair;
	struct told told;

	help_pair_init(&pair);
	run_pair(&pair, 1);
	CU_ASSERT_EQUAL(read_into(pair.client_json, &told), OC_EMALFORMED);
	CU_ASSERT_EQUAL(read_into("/nowhere/receipts", &told), OC_EIO);
	help_pair_fini(&pair);
}

void test_dt_receipts_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_receipts", NULL, NULL);
	CU_add_test(suite, "both_ends", test_dt_receipts_both_ends_hold_the_same_after_sigterm);
	CU_add_test(suite, "long_names", test_dt_receipts_names_longer_than_a_unit_come_back_whole);
	CU_add_test(suite, "cut", test_dt_receipts_a_file_cut_amid_a_receipt_is_refused);
	CU_add_test(suite, "foreign", test_dt_receipts_something_else_is_refused);
}
