/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counter files: what a server or a client counted by itself, as an independent receipt.
 *
 * One JSON object, schema "doic.counters/1":
 *   {"schema":"doic.counters/1","role":"server"|"client","node":"s1.example.net","realm":"example.net",
 *    "started_us":N,"ended_us":N,
 *    "apps":[{"app_id":N,"requests":N,"answers":N,"unanswered":N,"useful":N,"by_result":{"2001":N}}],
 *    "series":{"start_us":N,"interval_us":100000,"requests":[N,...]}}
 * useful, unanswered, by_result and series may be absent. Times are wall-clock microseconds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum oev_role { OEV_ROLE_SERVER = 0, OEV_ROLE_CLIENT = 1 };

struct oev_counter_app {
	uint64_t requests;
	uint64_t answers;
	uint64_t unanswered;
	uint64_t useful;
	uint64_t success; /* answers with 2xxx */
	uint32_t app_id;
	bool has_answers;
	bool has_useful;
	bool has_success;
};

struct oev_counters {
	char *path;
	char *node;  /* lower case */
	char *realm; /* lower case, "" when absent */
	enum oev_role role;
	bool is_imported; /* a run of intervals from a file of imported counters, @path: it need not begin or end with the traffic */
	bool knows_before; /* of a run: the evidence tells everything of the second before it, and after it */
	bool knows_after;
	uint64_t started_us;
	uint64_t ended_us;
	struct oev_counter_app *apps;
	size_t app_count;
	uint64_t series_start_us; /* series: all applications together */
	uint64_t series_interval_us;
	uint64_t *series;
	uint64_t *useful_series; /* likewise; NULL: none */
	size_t series_count;	 /* 0: none */
};

/* Fills *@out (zeroed by the caller; free with _fini, also after a failure) from the file @path.
 * *@error (@error_size octets) says what is wrong. Returns OC_OK, OC_EIO, OC_EMALFORMED, OC_EVERSION
 * (another schema), OC_ENOMEM. */
int oev_counters_load(struct oev_counters *out, const char *path, char *error, size_t error_size);
void oev_counters_fini(struct oev_counters *counters);

/* Counts of @app_id, or NULL when the file has none. */
const struct oev_counter_app *oev_counters_app(const struct oev_counters *counters, uint32_t app_id);

struct oev_counter_span {
	uint64_t first_us; /* begin of the first bucket */
	uint64_t last_us;  /* end of the last */
	uint64_t sum;
	uint64_t useful; /* when there is a series of it */
};

/* Sum of the series' buckets that lie wholly inside [@from_us, @until_us), and the time they cover. False when there is
 * no such bucket. */
bool oev_counters_between(const struct oev_counters *counters, uint64_t from_us, uint64_t until_us,
			  struct oev_counter_span *out);
