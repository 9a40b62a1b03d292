/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Record of traffic as JSON lines.
 */
#include "dt_record.h"

#include <inttypes.h>
#include <time.h>

/* Route-Record and what is between neighbours only is meant to change on the way. */
static bool is_kept(const struct dt_avp *avp)
{
	struct dt_load load;

	if (avp->vendor == 0 && avp->code == OC_AVP_LOAD) {
		dt_load_read(avp, &load);
		return dt_load_kind(&load) != DT_LOAD_PEER;
	}
	return avp->vendor != 0 || (avp->code != OC_AVP_ROUTE_RECORD &&
				    avp->code != OC_AVP_SUPPORTED_FEATURES && avp->code != OC_AVP_OLR);
}

int dt_record_kept(const uint8_t *msg, size_t len, struct dt_out *out)
{
	static const uint8_t zeros[4];
	struct dt_iter it;
	struct dt_avp avp;
	int rc;

	dt_iter_msg(&it, msg, len);
	while ((rc = dt_avp_next(&it, &avp)) == 1) {
		size_t exact = (size_t)(avp.data - avp.whole) + avp.len;
		if (!is_kept(&avp))
			continue;
		dt_put_raw(out, avp.whole, exact);
		dt_put_raw(out, zeros, (4 - exact % 4) % 4);
	}
	return rc ? rc : out->overflow ? OC_ENOSPC : OC_OK;
}

uint64_t dt_record_hash(const uint8_t *data, size_t len)
{
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ data[i]) * 1099511628211u;
	return hash;
}

static void put_hex(FILE *file, const uint8_t *data, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < len; i++) {
		fputc(digits[data[i] >> 4], file);
		fputc(digits[data[i] & 15], file);
	}
}

void dt_record_msg(FILE *file, bool sent, const uint8_t *msg, size_t len)
{
	uint8_t buffer[DT_MSG_MAX + 4];
	struct dt_scan scan;
	struct dt_out kept;
	struct timespec now;

	dt_out_init(&kept, buffer, sizeof(buffer));
	int rc = dt_record_kept(msg, len, &kept);
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(file,
		"{\"dir\":\"%s\",\"t_us\":%" PRIu64
		",\"request\":%s,\"cmd\":%u,\"app\":%u,\"hbh\":%u,\"e2e\":%u,",
		sent ? "tx" : "rx", (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u,
		dt_msg_is_request(msg) ? "true" : "false", dt_msg_command(msg), dt_msg_app(msg),
		dt_msg_hop(msg), dt_msg_end_to_end(msg));
	fprintf(file, "\"malformed\":%s,", rc ? "true" : "false");
	dt_scan_msg(&scan, msg, len);
	dt_record_doic(file, &scan);
	fprintf(file, "\"hash\":\"%016" PRIx64 "\",\"kept\":\"", dt_record_hash(kept.data, kept.len));
	put_hex(file, kept.data, kept.len);
	fputs("\",\"hex\":\"", file);
	put_hex(file, msg, len);
	fputs("\"}\n", file);
}
