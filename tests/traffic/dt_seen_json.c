/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counted overload AVPs as JSON.
 */
#include <stdio.h>

#include "dt_seen.h"

static void set_number(json_t *root, const char *key, uint64_t value)
{
	json_object_set_new(root, key, json_integer((json_int_t)value));
}

static json_t *values_json(const struct dt_seen_values *values)
{
	json_t *root = json_object();
	char key[24];
	for (uint32_t i = 0; i < DT_SEEN_VALUES_MAX && values->count[i]; i++) {
		snprintf(key, sizeof(key), "0x%llx", (unsigned long long)values->value[i]);
		set_number(root, key, values->count[i]);
	}
	if (values->other)
		set_number(root, "other", values->other);
	return root;
}

/* Identities come from the wire: what is no UTF-8 is not shown by name. */
static void set_named(json_t *root, const struct dt_seen_name *name, json_t *value)
{
	if (json_object_setn_new(root, name->text, name->len, value) != 0)
		set_number(root, "unprintable", name->count);
}

static json_t *sources_json(const struct dt_seen_names *names)
{
	json_t *root = json_object();
	for (uint32_t i = 0; i < DT_SEEN_VALUES_MAX && names->entry[i].count; i++)
		set_named(root, &names->entry[i], json_integer((json_int_t)names->entry[i].count));
	if (names->other)
		set_number(root, "other", names->other);
	return root;
}

static json_t *load_json(const struct dt_seen *seen, enum dt_load_type type)
{
	const struct dt_seen_names *names = &seen->load_sources[type];
	json_t *root = json_object();
	json_t *by_source = json_object();

	for (uint32_t i = 0; i < DT_SEEN_VALUES_MAX && names->entry[i].count; i++) {
		json_t *one = json_object();
		set_number(one, "count", names->entry[i].count);
		set_number(one, "value", names->entry[i].last);
		set_named(by_source, &names->entry[i], one);
	}
	set_number(root, "count", seen->load[type]);
	json_object_set_new(root, "by_source", by_source);
	return root;
}

static json_t *olr_json(const struct dt_seen_olr *olr)
{
	const struct dt_olr *last = &olr->last;
	json_t *root = json_object();
	set_number(root, "count", olr->count);
	if (last->has_sequence)
		set_number(root, "sequence", last->sequence);
	if (last->has_reduction)
		set_number(root, "reduction_pct", last->reduction_pct);
	if (last->has_rate)
		set_number(root, "rate_rps", last->rate_rps);
	if (last->has_validity)
		set_number(root, "validity_s", last->validity_s);
	if (olr->source[0])
		json_object_set_new(root, "source", json_string(olr->source));
	return root;
}

const char *dt_drmp_name(uint32_t drmp)
{
	static const char *const names[DT_DRMP_COUNT] = { "0", "1",  "2",  "3",	 "4",  "5",  "6",  "7",	  "8",
							  "9", "10", "11", "12", "13", "14", "15", "none" };
	return names[drmp < DT_DRMP_COUNT ? drmp : DT_DRMP_NONE];
}

static json_t *drmp_json(const struct dt_seen *seen)
{
	json_t *root = json_object();
	for (uint32_t i = 0; i < DT_DRMP_COUNT; i++) {
		if (seen->drmp[i])
			set_number(root, dt_drmp_name(i), seen->drmp[i]);
	}
	return root;
}

json_t *dt_seen_json(const struct dt_seen *seen)
{
	static const char *const olr_names[] = { "host", "realm", "peer", "other" };
	static const char *const load_names[] = { "host", "peer", "other" };
	json_t *root = json_object();
	json_t *olr = json_object(), *load = json_object();

	set_number(root, "with_sf", seen->with_sf);
	set_number(root, "without_sf", seen->messages - seen->with_sf);
	set_number(root, "without_vector", seen->without_vector);
	json_object_set_new(root, "vectors", values_json(&seen->vectors));
	json_object_set_new(root, "sources", sources_json(&seen->sources));
	json_object_set_new(root, "peer_algos", values_json(&seen->peer_algos));
	for (uint32_t i = 0; i < DT_OLR_TYPE_COUNT; i++)
		json_object_set_new(olr, olr_names[i], olr_json(&seen->olr[i]));
	for (uint32_t i = 0; i < DT_LOAD_TYPE_COUNT; i++)
		json_object_set_new(load, load_names[i], load_json(seen, (enum dt_load_type)i));
	json_object_set_new(root, "olr", olr);
	json_object_set_new(root, "load", load);
	json_object_set_new(root, "drmp", drmp_json(seen));
	return root;
}
