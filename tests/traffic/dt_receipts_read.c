/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading receipts.
 */
#include "dt_receipts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dt_names.h"

#define UNIT sizeof(struct dt_receipt)

struct reader {
	FILE *file;
	struct dt_receipts_head head;
	char (*name)[DT_NAME_MAX]; /* DT_NAMES_MAX of them */
	uint32_t names;
};

/* OC_OK, OC_ENOENT at the end of the file, OC_EMALFORMED amid a unit. */
static int get(struct reader *reader, void *unit)
{
	size_t got = fread(unit, 1, UNIT, reader->file);
	return got == UNIT ? OC_OK : got == 0 ? OC_ENOENT : OC_EMALFORMED;
}

static int get_name(struct reader *reader, const struct dt_receipt *receipt)
{
	char text[DT_NAME_MAX + UNIT] = "";

	if (receipt->name != reader->names || reader->names == DT_NAMES_MAX || receipt->result >= DT_NAME_MAX)
		return OC_EMALFORMED;
	for (size_t at = 0; at < receipt->result; at += UNIT) {
		if (get(reader, text + at) != OC_OK)
			return OC_EMALFORMED;
	}
	memcpy(reader->name[reader->names++], text, DT_NAME_MAX);
	return OC_OK;
}

static int show(const struct reader *reader, const struct dt_receipt *receipt,
		void (*each)(void *ctx, const struct dt_receipt_seen *seen), void *ctx)
{
	if (receipt->name >= reader->names || !dt_receipt_kind_text(receipt->kind) ||
	    receipt->at_ns < reader->head.started_ns)
		return OC_EMALFORMED;
	struct dt_receipt_seen seen = {
		.receipt = *receipt,
		.node = reader->name[0],
		.origin = reader->name[receipt->name],
		.at_us = reader->head.started_us + (receipt->at_ns - reader->head.started_ns) / 1000u,
	};
	each(ctx, &seen);
	return OC_OK;
}

static int read_all(struct reader *reader, void (*each)(void *ctx, const struct dt_receipt_seen *seen),
		    void *ctx)
{
	struct dt_receipt receipt;
	int rc = get(reader, &reader->head);

	if (rc != OC_OK || memcmp(reader->head.magic, DT_RECEIPTS_MAGIC, sizeof(reader->head.magic)) != 0)
		return OC_EMALFORMED;
	while ((rc = get(reader, &receipt)) == OC_OK) {
		rc = receipt.kind == DT_RECEIPT_NAME ? get_name(reader, &receipt)
						     : show(reader, &receipt, each, ctx);
		if (rc != OC_OK)
			return rc;
	}
	return rc == OC_ENOENT ? OC_OK : rc;
}

int dt_receipts_read(const char *path, void (*each)(void *ctx, const struct dt_receipt_seen *seen), void *ctx,
		     const char **why)
{
	struct reader reader = { .file = fopen(path, "rb") };
	int rc = OC_ENOMEM;

	if (!reader.file) {
		*why = strerror(errno);
		return OC_EIO;
	}
	reader.name = calloc(DT_NAMES_MAX, DT_NAME_MAX);
	if (reader.name)
		rc = read_all(&reader, each, ctx);
	if (rc != OC_OK)
		*why = rc == OC_ENOMEM ? "out of memory"
				       : "no receipts, or not all of them: the file is cut off or damaged";
	free(reader.name);
	fclose(reader.file);
	return rc;
}

const char *dt_receipt_kind_text(unsigned kind)
{
	static const char *const texts[] = { NULL, "request_in", "request_out", "answer_in", "answer_out" };
	return kind < sizeof(texts) / sizeof(texts[0]) ? texts[kind] : NULL;
}

static void print_one(void *ctx, const struct dt_receipt_seen *seen)
{
	const struct dt_receipt *receipt = &seen->receipt;

	(void)ctx;
	printf("%s\t%s\t%" PRIu32 "\t%s\t%" PRIu32 "\t%" PRIu32 "\t%u\t%" PRIu64 "\n", seen->node,
	       dt_receipt_kind_text(receipt->kind), receipt->end_to_end, seen->origin, receipt->result,
	       receipt->app_id, receipt->flags, seen->at_us);
}

int dt_receipts_print(const char *path)
{
	const char *why = "standard output cannot be written";
	int rc = dt_receipts_read(path, print_one, NULL, &why);

	if (fflush(stdout) != 0)
		rc = OC_EIO;
	if (rc != OC_OK)
		fprintf(stderr, "doic-traffic: %s: %s\n", path, why);
	return rc == OC_OK ? 0 : 1;
}
