/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The last ten minutes of each node by the second, as GET /api/v1/series/nodes tells them: means and medians of a stretch. What is not known
 * is NaN, never 0.
 */
#pragma once

#include "cli_http.h"

#define CLI_SERIES_SECONDS 600

/* A stretch of seconds, both ends included, as how long before the newest second they are: 0 is the newest. */
struct cli_span {
	int from_ago, until_ago; /* from_ago >= until_ago; an empty stretch has it the other way */
};

/* The whole reply for the functions below, to be dropped by json_decref(); NULL when the agent does not tell. Never waits longer than
 * @http does. */
json_t *cli_series_ask(struct cli_http *http);

/* The entry of @node; NULL it was not seen. */
const json_t *cli_series_node(const json_t *series, const char *node);

/* Mean of the known seconds of @column ("requests") on @side ("client", "server"); NaN when none is known. */
double cli_series_mean(const json_t *entry, const char *side, const char *column, struct cli_span span);

/* The middle one of the known seconds, which a short storm does not move. */
double cli_series_median(const json_t *entry, const char *side, const char *column, struct cli_span span);
