/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Writing receipts.
 */
#include "dt_receipts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dt_names.h"
#include "dt_net.h"
#include "dt_scan.h"

#define BUFFER_SIZE 65536u

struct dt_receipts {
	FILE *file;
	struct dt_names names;
};

/* One thread writes: no lock of the stream is needed. */
static void put(struct dt_receipts *receipts, const void *data, size_t len)
{
	fwrite_unlocked(data, len, 1, receipts->file);
}

static void put_name(struct dt_receipts *receipts, uint16_t number, const struct dt_name *name)
{
	char text[DT_NAME_MAX + sizeof(struct dt_receipt)] = "";
	size_t units = (name->len + sizeof(struct dt_receipt) - 1) / sizeof(struct dt_receipt);

	memcpy(text, name->text, name->len);
	put(receipts, &(struct dt_receipt){ .kind = DT_RECEIPT_NAME, .name = number, .result = name->len },
	    sizeof(struct dt_receipt));
	for (size_t i = 0; i < units; i++)
		put(receipts, text + i * sizeof(struct dt_receipt), sizeof(struct dt_receipt));
}

/* Its number, written down when it is new. */
static uint16_t number_of(struct dt_receipts *receipts, const uint8_t *text, size_t len)
{
	uint32_t known = receipts->names.count;
	const struct dt_name *name = dt_names_get(&receipts->names, text, len);
	uint16_t number = (uint16_t)(name - receipts->names.entry);

	if (receipts->names.count != known)
		put_name(receipts, number, name);
	return number;
}

struct dt_receipts *dt_receipts_open(const char *path, const char *me)
{
	struct dt_receipts_head head = { .started_ns = dt_now_ns(), .started_us = dt_now_wall_us() };
	struct dt_receipts *receipts = calloc(1, sizeof(*receipts));

	if (!receipts || !(receipts->file = fopen(path, "wb"))) {
		free(receipts);
		return NULL;
	}
	setvbuf(receipts->file, NULL, _IOFBF, BUFFER_SIZE);
	memcpy(head.magic, DT_RECEIPTS_MAGIC, sizeof(head.magic));
	put(receipts, &head, sizeof(head));
	number_of(receipts, (const uint8_t *)me, strlen(me));
	return receipts;
}

void dt_receipts_msg(struct dt_receipts *receipts, bool sent, const uint8_t *msg, size_t len)
{
	bool is_request = dt_msg_is_request(msg);
	struct dt_scan scan;

	dt_scan_front(&scan, msg, len);
	struct dt_receipt receipt = {
		.at_ns = dt_now_ns(),
		.end_to_end = dt_msg_end_to_end(msg),
		.result = is_request ? 0 : scan.result,
		.app_id = dt_msg_app(msg),
		.name = number_of(receipts, scan.origin.data, scan.origin.code ? scan.origin.len : 0),
		.kind = (uint8_t)(is_request ? DT_RECEIPT_REQUEST_IN : DT_RECEIPT_ANSWER_IN),
		.flags = msg[4],
	};
	receipt.kind += sent; /* each way out comes after its way in */
	put(receipts, &receipt, sizeof(receipt));
}

int dt_receipts_close(struct dt_receipts *receipts)
{
	if (!receipts)
		return OC_OK;
	bool is_bad = ferror(receipts->file) != 0;
	is_bad |= fclose(receipts->file) != 0;
	dt_names_fini(&receipts->names);
	free(receipts);
	return is_bad ? OC_EIO : OC_OK;
}
