/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The overload AVPs of a recorded message, readable.
 */
#include <inttypes.h>

#include "dt_record.h"

static void put_text(FILE *file, const char *key, const uint8_t *text, uint32_t len)
{
	fprintf(file, "\"%s\":\"", key);
	for (uint32_t i = 0; i < len; i++) {
		if (text[i] < 0x20 || text[i] > 0x7e || text[i] == '"' || text[i] == '\\')
			fprintf(file, "\\u%04x", text[i]);
		else
			fputc(text[i], file);
	}
	fputc('"', file);
}

static void put_source(FILE *file, const struct dt_text *source)
{
	if (!source->data)
		return;
	fputc(',', file);
	put_text(file, "source", source->data, source->len);
}

static void put_features(FILE *file, const struct dt_avp *avp)
{
	struct dt_features features;

	dt_features_read(avp, &features);
	/* Which AVPs are there is told by which members are: "sf":{"present":true} has none. */
	fputs("\"sf\":{\"present\":true", file);
	if (features.has_vector)
		fprintf(file, ",\"vector\":%" PRIu64, features.vector);
	if (features.has_peer_algo)
		fprintf(file, ",\"peer_algo\":%" PRIu64, features.peer_algo);
	put_source(file, &features.source);
	fputs("},", file);
}

static void put_olr(FILE *file, const struct dt_avp *avp)
{
	struct dt_olr olr;

	dt_olr_read(avp, &olr);
	fprintf(file, "{\"type\":%d", olr.has_type ? (int)olr.type : -1);
	if (olr.has_sequence)
		fprintf(file, ",\"sequence\":%" PRIu64, olr.sequence);
	if (olr.has_reduction)
		fprintf(file, ",\"reduction_pct\":%" PRIu32, olr.reduction_pct);
	if (olr.has_rate)
		fprintf(file, ",\"rate_rps\":%" PRIu32, olr.rate_rps);
	if (olr.has_validity)
		fprintf(file, ",\"validity_s\":%" PRIu32, olr.validity_s);
	put_source(file, &olr.source);
	fputc('}', file);
}

static void put_load(FILE *file, const struct dt_avp *avp)
{
	struct dt_load load;

	dt_load_read(avp, &load);
	fprintf(file, "{\"type\":%d", load.has_type ? (int)load.type : -1);
	if (load.has_value)
		fprintf(file, ",\"value\":%" PRIu64, load.value);
	put_source(file, &load.source);
	fputc('}', file);
}

static void put_list(FILE *file, const char *key, const struct dt_avp *avps, uint32_t count,
		     void (*put)(FILE *file, const struct dt_avp *avp))
{
	if (count == 0)
		return;
	fprintf(file, "\"%s\":[", key);
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			fputc(',', file);
		put(file, &avps[i]);
	}
	fputs("],", file);
}

void dt_record_doic(FILE *file, const struct dt_scan *scan)
{
	put_text(file, "origin", scan->origin.data, scan->origin.len);
	fputc(',', file);
	if (scan->result)
		fprintf(file, "\"result\":%" PRIu32 ",", scan->result);
	if (dt_scan_drmp(scan) != DT_DRMP_NONE)
		fprintf(file, "\"drmp\":%" PRIu32 ",", dt_scan_drmp(scan));
	if (scan->sf.code)
		put_features(file, &scan->sf);
	put_list(file, "olr", scan->olr, scan->olrs, put_olr);
	put_list(file, "load", scan->load, scan->loads, put_load);
}
