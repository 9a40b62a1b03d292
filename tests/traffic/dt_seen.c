/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting overload AVPs.
 */
#include "dt_seen.h"

#include <string.h>

static void count_value(struct dt_seen_values *values, uint64_t value)
{
	for (uint32_t i = 0; i < DT_SEEN_VALUES_MAX; i++) {
		if (values->count[i] == 0)
			values->value[i] = value;
		if (values->value[i] == value) {
			values->count[i]++;
			return;
		}
	}
	values->other++;
}

static void count_name(struct dt_seen_names *names, const struct dt_text *text, uint64_t last)
{
	for (uint32_t i = 0; i < DT_SEEN_VALUES_MAX && text->len < DT_NAME_MAX; i++) {
		struct dt_seen_name *name = &names->entry[i];
		if (name->count == 0) {
			memcpy(name->text, text->data, text->len);
			name->len = text->len;
		}
		if (name->len == text->len && memcmp(name->text, text->data, text->len) == 0) {
			name->count++;
			name->last = last;
			return;
		}
	}
	names->other++;
}

static void count_features(struct dt_seen *seen, const struct dt_avp *avp)
{
	struct dt_features features;

	dt_features_read(avp, &features);
	seen->with_sf++;
	if (features.has_vector)
		count_value(&seen->vectors, features.vector);
	else
		seen->without_vector++;
	if (features.has_peer_algo)
		count_value(&seen->peer_algos, features.peer_algo);
	if (features.source.data)
		count_name(&seen->sources, &features.source, 0);
}

static void count_olr(struct dt_seen *seen, const struct dt_avp *avp)
{
	struct dt_olr olr;

	dt_olr_read(avp, &olr);
	struct dt_seen_olr *of_type = &seen->olr[dt_olr_kind(&olr)];
	uint32_t len = olr.source.len < DT_NAME_MAX ? olr.source.len : DT_NAME_MAX - 1;
	of_type->count++;
	if (len)
		memcpy(of_type->source, olr.source.data, len);
	of_type->source[len] = '\0';
	olr.source.data = NULL;
	of_type->last = olr;
}

static void count_load(struct dt_seen *seen, const struct dt_avp *avp)
{
	struct dt_load load;

	dt_load_read(avp, &load);
	enum dt_load_type kind = dt_load_kind(&load);
	seen->load[kind]++;
	if (!load.source.data)
		load.source = (struct dt_text){ .data = (const uint8_t *)"none", .len = 4 };
	count_name(&seen->load_sources[kind], &load.source, load.value);
}

void dt_seen_add(struct dt_seen *seen, const struct dt_scan *scan)
{
	seen->messages++;
	seen->drmp[dt_scan_drmp(scan)]++;
	if (scan->sf.code)
		count_features(seen, &scan->sf);
	seen->with_olr += scan->olrs > 0;
	for (uint32_t i = 0; i < scan->olrs; i++)
		count_olr(seen, &scan->olr[i]);
	for (uint32_t i = 0; i < scan->loads; i++)
		count_load(seen, &scan->load[i]);
}
