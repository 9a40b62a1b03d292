/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Batch records as canonical octets.
 */
#include "oev_batch.h"

#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_lines.h"
#include "oev_merkle.h"

int oev_batch_octets(const struct oev_batch *batch, struct oev_canon *canon)
{
	if (batch->number == 0 || batch->number > INT64_MAX ||
	    !oev_lines_is_word(batch->segment, OEV_SEGMENT_MAX))
		return OC_EINVAL;
	oev_canon_begin(canon, OEV_CANON_TABLE_BATCH, (int64_t)batch->number);
	oev_canon_text(canon, batch->segment, strlen(batch->segment));
	oev_canon_int(canon, (int64_t)batch->first_ns);
	oev_canon_int(canon, (int64_t)batch->last_ns);
	oev_canon_int(canon, (int64_t)batch->wall_us);
	oev_canon_int(canon, (int64_t)batch->journal);
	oev_canon_int(canon, (int64_t)batch->leaves);
	oev_canon_blob(canon, batch->root.octets, OEV_HASH_OCTETS);
	oev_canon_text(canon, batch->rows, batch->rows_len);
	oev_canon_blob(canon, batch->previous.octets, OEV_HASH_OCTETS);
	return canon->rc;
}

/* A cursor with a sticky error over the columns. */
struct take {
	struct oev_canon_reader reader;
	int rc;
};

static struct oev_value take(struct take *take, enum oev_type type)
{
	struct oev_value value = { .type = OEV_NULL };

	if (take->rc == OC_OK && (oev_canon_next(&take->reader, &value) != OC_OK || value.type != type))
		take->rc = OC_EMALFORMED;
	return value;
}

static uint64_t take_bits(struct take *from)
{
	return (uint64_t)take(from, OEV_INTEGER).integer;
}

static void take_hash(struct take *from, struct oev_hash *out)
{
	struct oev_value value = take(from, OEV_BLOB);

	if (from->rc == OC_OK && value.len != OEV_HASH_OCTETS)
		from->rc = OC_EMALFORMED;
	if (from->rc == OC_OK)
		memcpy(out->octets, value.data, OEV_HASH_OCTETS);
}

static void take_segment(struct take *from, char out[static OEV_SEGMENT_MAX + 1])
{
	struct oev_value value = take(from, OEV_TEXT);

	if (from->rc == OC_OK && value.len > OEV_SEGMENT_MAX)
		from->rc = OC_EMALFORMED;
	if (from->rc != OC_OK)
		return;
	memcpy(out, value.data, value.len);
	out[value.len] = '\0';
	if (strlen(out) != value.len || !oev_lines_is_word(out, OEV_SEGMENT_MAX))
		from->rc = OC_EMALFORMED;
}

/* The columns behind the number. */
static int take_columns(struct take *from, struct oev_batch *out)
{
	struct oev_value value;

	take_segment(from, out->segment);
	out->first_ns = take_bits(from);
	out->last_ns = take_bits(from);
	out->wall_us = take_bits(from);
	out->journal = take_bits(from);
	out->leaves = take_bits(from);
	take_hash(from, &out->root);
	value = take(from, OEV_TEXT);
	out->rows = (const char *)value.data;
	out->rows_len = value.len;
	take_hash(from, &out->previous);
	if (from->rc == OC_OK && oev_canon_next(&from->reader, &value) != OC_ENOENT)
		from->rc = OC_EMALFORMED;
	return from->rc;
}

int oev_batch_parse(const uint8_t *octets, size_t len, struct oev_batch *out, struct oev_why *why)
{
	struct oev_batch read = { .number = 0 };
	struct take from = { .rc = OC_OK };
	uint64_t rows = 0;
	uint8_t table;
	int64_t number;

	if (oev_canon_open(&from.reader, octets, len, &table, &number) != OC_OK ||
	    table != OEV_CANON_TABLE_BATCH || number <= 0 || take_columns(&from, &read) != OC_OK)
		return oev_why(why, OC_EMALFORMED, "the octets are no batch record");
	read.number = (uint64_t)number;
	if (oev_spans_count(read.rows, read.rows_len, &rows, why) != OC_OK)
		return OC_EMALFORMED;
	if (rows != read.leaves)
		return oev_why(why, OC_EMALFORMED,
			       "batch %" PRIu64 " has %" PRIu64 " leaves and names %" PRIu64 " rows",
			       read.number, read.leaves, rows);
	*out = read;
	return OC_OK;
}

void oev_batch_chain(const uint8_t *octets, size_t len, struct oev_hash *out)
{
	oev_hash_tagged(OEV_BATCH_TAG_CHAIN, octets, len, out);
}

void oev_batch_leaf(const uint8_t *octets, size_t len, struct oev_hash *out)
{
	oev_merkle_leaf(octets, len, out);
}
