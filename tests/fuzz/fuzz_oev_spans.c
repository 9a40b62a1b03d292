/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzz target of the text that names rows, of canonical octets, of batch records and of a tree's edge: what is taken is
 * written again octet for octet.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_batch.h"
#include "evidence/proof/oev_frontier.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void look_at_spans(const char *text, size_t len)
{
	struct oev_spans_reader reader;
	struct oev_span span;
	struct oev_spans again;
	uint64_t rows = 0, index;
	const char *copy;
	size_t copy_len;

	if (oev_spans_count(text, len, &rows, NULL) != OC_OK)
		return;
	oev_spans_init(&again);
	oev_spans_begin(&again);
	oev_spans_open(&reader, text, len);
	while (oev_spans_next(&reader, &span) == OC_OK) {
		if (strcmp(again.table, span.table) != 0)
			oev_spans_table(&again, span.table);
		oev_spans_add_range(&again, span.first, span.last);
		require(oev_spans_find(text, len, span.table, span.last, &index) == OC_OK &&
			index == again.rows - 1);
	}
	require(oev_spans_end(&again, &copy, &copy_len) == OC_OK && again.rows == rows);
	require(copy_len == len && memcmp(copy, text, len) == 0);
	oev_spans_fini(&again);
}

static void look_at_row(const uint8_t *data, size_t size)
{
	struct oev_canon_reader reader;
	struct oev_canon again;
	struct oev_value value;
	uint8_t table;
	int64_t rowid;
	size_t len;
	int rc;

	if (oev_canon_open(&reader, data, size, &table, &rowid) != OC_OK)
		return;
	oev_canon_init(&again);
	oev_canon_begin(&again, table, rowid);
	while ((rc = oev_canon_next(&reader, &value)) == OC_OK)
		oev_canon_value(&again, &value);
	if (rc == OC_ENOENT) {
		const uint8_t *octets = oev_canon_octets(&again, &len);

		require(len == size && memcmp(octets, data, size) == 0);
	}
	oev_canon_fini(&again);
}

static void look_at_batch(const uint8_t *data, size_t size)
{
	struct oev_batch batch;
	struct oev_canon again;
	size_t len;

	if (oev_batch_parse(data, size, &batch, NULL) != OC_OK)
		return;
	oev_canon_init(&again);
	require(oev_batch_octets(&batch, &again) == OC_OK);
	const uint8_t *octets = oev_canon_octets(&again, &len);
	require(len == size && memcmp(octets, data, size) == 0);
	oev_canon_fini(&again);
}

static void look_at_edge(const char *text, size_t len)
{
	struct oev_frontier frontier;
	char again[OEV_FRONTIER_TEXT_MAX];

	if (oev_frontier_parse(text, len, &frontier, NULL) != OC_OK)
		return;
	oev_frontier_text(&frontier, again);
	require(strlen(again) == len && memcmp(again, text, len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	look_at_spans((const char *)data, size);
	look_at_row(data, size);
	look_at_batch(data, size);
	look_at_edge((const char *)data, size);
	return 0;
}
