/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Folder, traffic and result of one replay.
 */
#include "help_again.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>

#include "help_evidence.h"

struct help_again *help_again_new(void)
{
	struct help_again *h = calloc(1, sizeof(*h));

	if (!h)
		abort();
	help_record_folder(h->folder);
	return h;
}

void help_again_free(struct help_again *h)
{
	oev_replay_fini(&h->result);
	help_record_remove(h->folder);
	free(h);
}

void help_again_loss(struct help_again *h)
{
	help_traffic_begin(&h->traffic, h->folder, START_NS, help_policy);
	help_traffic_run(&h->traffic, 2000);
	help_traffic_loss(&h->traffic, 0, OC_REPORT_HOST, 30, 1);
	help_traffic_run(&h->traffic, 8000);
	help_traffic_quiet(&h->traffic, 0);
	help_traffic_run(&h->traffic, 20000);
}

void help_again_run(struct help_again *h, const struct oev_replay_options *more)
{
	struct oev_replay_options options = more ? *more : (struct oev_replay_options){ 0 };

	oev_replay_fini(&h->result);
	h->inputs[0] = h->folder;
	options.lives.inputs = h->inputs;
	options.lives.input_count = 1;
	options.version = "0.1.0";
	options.lives.until_us = options.lives.until_us ? options.lives.until_us : UINT64_MAX;
	(void)oev_replay_run(&h->result, &options);
	if (h->result.error[0])
		printf("\n  %s\n", h->result.error);
}

void help_again_assert_identical(const struct help_again *h, uint64_t decisions)
{
	const struct oev_replay_tally *total = &h->result.total;
	char line[512];

	oev_replay_verdict(&h->result, line, sizeof(line));
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_IDENTICAL);
	CU_ASSERT_EQUAL(total->decisions, decisions);
	CU_ASSERT_EQUAL(total->late + total->unknown + total->orphans, 0);
	if (h->result.outcome != OEV_REPLAY_IDENTICAL)
		printf("\n  %s\n", line);
}

uint64_t help_again_drawn(const char *verdict)
{
	struct help_again *h = help_again_new();
	char sql[256];

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	snprintf(sql, sizeof(sql),
		 "SELECT d.id FROM decision d JOIN way w ON w.id = d.way WHERE d.host_nth > 10"
		 " AND d.random IS NOT NULL AND w.verdict = %s ORDER BY d.id LIMIT 1",
		 verdict);
	uint64_t id = (uint64_t)help_evidence_get(h->folder, sql);
	help_again_free(h);
	return id;
}
