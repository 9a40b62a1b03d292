/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Receipts: one small record of fixed size for every request and answer, so that a run can be counted message by message
 * at full load. Base-protocol messages have none.
 *
 * The file, in this machine's byte order, is a row of 24-octet units: the head (struct dt_receipts_head), then receipts. A
 * name comes before the first receipt that uses it: a receipt of kind DT_RECEIPT_NAME with the name's octets in result,
 * followed by as many units of text as these need, padded with zeros. Name 0 is the node that writes. What waits in memory
 * (64 KiB) is written at the end of the run, SIGTERM included; only a kill of the writer itself loses it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DT_RECEIPTS_MAGIC "doicrct1"

enum dt_receipt_kind {
	DT_RECEIPT_NAME = 0,
	DT_RECEIPT_REQUEST_IN,
	DT_RECEIPT_REQUEST_OUT, /* handed to the connection; the last ones of a broken one may not have left */
	DT_RECEIPT_ANSWER_IN,
	DT_RECEIPT_ANSWER_OUT
};

struct dt_receipts_head {
	char magic[8];
	uint64_t started_ns; /* monotonic, and the same moment by the wall clock */
	uint64_t started_us;
};

struct dt_receipt {
	uint64_t at_ns; /* monotonic */
	uint32_t end_to_end;
	uint32_t result; /* Result-Code or Experimental-Result-Code, 0 = none; of a name: its length */
	uint32_t app_id;
	uint16_t name; /* Origin-Host of the message, a number of this file */
	uint8_t kind;  /* enum dt_receipt_kind */
	uint8_t flags; /* command flags of the message */
};

_Static_assert(sizeof(struct dt_receipts_head) == 24 && sizeof(struct dt_receipt) == 24, "no holes");

struct dt_receipts;

/* A file begun at @path by node @me; NULL with errno on failure. */
struct dt_receipts *dt_receipts_open(const char *path, const char *me);
void dt_receipts_msg(struct dt_receipts *receipts, bool sent, const uint8_t *msg, size_t len);
/* Writes the rest. OC_OK, or OC_EIO when anything could not be written. NULL is nothing to do. */
int dt_receipts_close(struct dt_receipts *receipts);

/* What a reader is given: the receipt, its names, its moment by the wall clock. */
struct dt_receipt_seen {
	struct dt_receipt receipt;
	const char *node;
	const char *origin;
	uint64_t at_us;
};

/* Calls @each for every receipt of the file at @path, in its order. OC_OK; OC_EIO; OC_EMALFORMED for a file that is none or
 * ends amid a receipt, after those before that; *@why is then a sentence. */
int dt_receipts_read(const char *path, void (*each)(void *ctx, const struct dt_receipt_seen *seen), void *ctx,
		     const char **why);
/* "request_in", "answer_out"...; NULL for anything else. */
const char *dt_receipt_kind_text(unsigned kind);
/* Prints the receipts of one file as lines with tabs: node, kind, end-to-end identifier, Origin-Host, result, application,
 * flags, wall clock in microseconds. Exit code for the program: 0, or 1 after a sentence on standard error. */
int dt_receipts_print(const char *path);
