/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a run counts, in either role, and how it is written: the result document and the counters file.
 *
 * A server counts requests received and answers sent, a client requests sent and answers received. Base-protocol
 * messages are not counted.
 */
#pragma once

#include <jansson.h>

#include "dt_hist.h"
#include "dt_names.h"
#include "dt_scan.h"
#include "dt_seen.h"

#define DT_APPS_MAX 16u
#define DT_SERIES_MAX 36600u /* 100 ms each: a little over the longest run allowed */
#define DT_SERIES_INTERVAL_US 100000u

struct dt_app_count {
	uint32_t app_id;
	uint64_t requests;
	uint64_t answers;
	uint64_t throttled;
	struct dt_tally by_result;
};

/* Requests of one DRMP value and what became of them. */
struct dt_drmp_count {
	uint64_t requests;
	uint64_t answers;
	uint64_t throttled;
	struct dt_tally by_result;
};

struct dt_stats {
	const char *role; /* "server" or "client" */
	struct dt_identity me;
	uint64_t started_us; /* wall clock */
	uint64_t ended_us;
	uint64_t started_ns; /* monotonic, same instant */
	uint64_t ended_ns;
	uint64_t first_ns; /* first and last request */
	uint64_t last_ns;
	uint64_t requests;
	uint64_t answers;
	uint64_t late;	      /* answers to nothing outstanding (client) */
	uint64_t not_sent;    /* arrivals of the open loop refused for lack of room (client) */
	uint64_t timeouts;    /* requests given up (client) */
	uint64_t dropped;     /* requests left without answer on purpose (server) */
	uint64_t malformed;   /* messages whose AVPs do not parse */
	uint64_t unexpected;  /* requests at the client */
	uint64_t throttled;   /* requests not sent because a report asked for less (client) */
	struct dt_seen asked; /* in requests */
	struct dt_seen told;  /* in answers */
	struct dt_drmp_count drmp[DT_DRMP_COUNT];
	struct dt_tally by_result;
	struct dt_hist latency;	   /* all answers */
	struct dt_hist latency_ok; /* answers 2001 */
	struct dt_app_count app[DT_APPS_MAX];
	uint32_t app_count;
	struct dt_names origins;   /* Origin-Host of requests */
	struct dt_names answerers; /* Origin-Host of answers */
	uint32_t series[DT_SERIES_MAX];
	uint32_t series_len;
};

/* Heap; NULL when out of memory. @now_us wall clock, @now_ns monotonic. */
struct dt_stats *dt_stats_new(const char *role, const struct dt_identity *me, uint64_t now_us,
			      uint64_t now_ns);
void dt_stats_free(struct dt_stats *stats);

/* Counts one request. Returns the entry of its Origin-Host, for the answer. */
struct dt_name *dt_stats_request(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan,
				 uint64_t now_ns);
/* Counts one answer; @origin is what dt_stats_request gave for its request, @drmp the priority of the request. */
void dt_stats_answer(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan,
		     struct dt_name *origin, uint32_t drmp);
/* Counts one request that a report kept from being sent. */
void dt_stats_throttled(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan);

/* New references. @with_telemetry adds "useful" to the applications. */
json_t *dt_stats_json(const struct dt_stats *stats);
json_t *dt_stats_counters_json(const struct dt_stats *stats, bool with_telemetry);

/* Writes @root (reference taken) to @path, "-" being stdout: OC_OK or OC_EIO. */
int dt_json_write(json_t *root, const char *path, bool one_line);
