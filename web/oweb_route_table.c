/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of routes. openapi.yaml describes the same rows; a test holds them against each other.
 */
#include "oweb_events.h"
#include "oweb_resources.h"
#include "oweb_route.h"

#define NOBODY OWEB_ROLE_NONE
#define OBSERVER OWEB_ROLE_OBSERVER
#define ADMINISTRATOR OWEB_ROLE_ADMINISTRATOR

#define REASON_BODY_MAX 4096u

static const struct oweb_param readyz_params[] = { { .name = "verbose", .kind = OWEB_FLAG },
						   { .name = NULL } };

static const struct oweb_param series_params[] = {
	{ .name = "names", .kind = OWEB_TEXT, .max = 1024 },
	{ .name = "node", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "side", .kind = OWEB_WORD, .words = "client|server" },
	{ .name = "window", .kind = OWEB_NUMBER, .min = 1, .max = 600 },
	{ .name = "step", .kind = OWEB_NUMBER, .min = 1, .max = 1 },
	{ .name = NULL },
};

static const struct oweb_param nodes_params[] = {
	{ .name = "window", .kind = OWEB_NUMBER, .min = 1, .max = 600 },
	{ .name = NULL },
};

static const struct oweb_param changes_params[] = {
	{ .name = "limit", .kind = OWEB_NUMBER, .min = 1, .max = 200 },
	{ .name = "after", .kind = OWEB_NUMBER, .min = 0, .max = INT64_MAX },
	{ .name = NULL },
};

const struct oweb_route oweb_routes[] = {
	{ "GET", "/livez", NOBODY, oweb_livez_get, "Whether the server answers", NULL, 0, 0 },
	{ "GET", "/readyz", NOBODY, oweb_readyz_get, "Whether the agent can do its work", readyz_params, 0,
	  0 },
	{ "GET", "/metrics", OBSERVER, oweb_metrics_get, "Metrics for Prometheus", NULL, 0, 0 },
	{ "GET", "/api/openapi.yaml", NOBODY, oweb_openapi_get, "This description", NULL, 0, 0 },

	{ "GET", "/problems/{type}", NOBODY, oweb_problem_get, "What a problem means", NULL, 0, 0 },

	{ "GET", "/api/v1/session", NOBODY, oweb_session_get, "Who asks, and until when", NULL, 0, 0 },
	{ "POST", "/api/v1/session", NOBODY, oweb_session_post, "Log in with a token", NULL,
	  OWEB_TAKES_JSON | OWEB_OPEN, 1024 },
	{ "DELETE", "/api/v1/session", NOBODY, oweb_session_delete, "Log out", NULL, 0, 0 },

	{ "GET", "/api/v1/status", OBSERVER, oweb_status_get, "The whole state now", NULL, 0, 0 },
	{ "GET", "/api/v1/events", OBSERVER, oweb_events_get,
	  "The state as it changes, as server-sent events", NULL, 0, 0 },
	{ "GET", "/api/v1/series", OBSERVER, oweb_series_get,
	  "The last ten minutes by the second, in columns", series_params, 0, 0 },
	{ "GET", "/api/v1/series/nodes", OBSERVER, oweb_series_nodes_get,
	  "The last ten minutes of every node", nodes_params, 0, 0 },
	{ "GET", "/api/v1/changes", OBSERVER, oweb_changes_get, "What changed, newest first", changes_params,
	  0, 0 },
	{ "GET", "/api/v1/ocs", OBSERVER, oweb_ocs_list, "Overload control states held", NULL, 0, 0 },
	{ "GET", "/api/v1/ocs/{version}", OBSERVER, oweb_ocs_get, "One overload control state", NULL, 0, 0 },
	{ "GET", "/api/v1/reports", OBSERVER, oweb_reports_get, "Reports this node makes", NULL, 0, 0 },
	{ "GET", "/api/v1/peers", OBSERVER, oweb_peers_get, "Neighbours and their connections", NULL, 0, 0 },

	{ "GET", "/api/v1/pools", OBSERVER, oweb_pools_list, "Pools", NULL, 0, 0 },
	{ "GET", "/api/v1/pools/{pool}", OBSERVER, oweb_pool_get, "The nodes of a pool, wanted and is apart",
	  NULL, 0, 0 },
	{ "GET", "/api/v1/pools/{pool}/nodes/{node}", OBSERVER, oweb_pool_node_get, "One node of a pool",
	  NULL, 0, 0 },
	{ "POST", "/api/v1/pools/{pool}/nodes/{node}:out", ADMINISTRATOR, oweb_pool_node_out,
	  "Take a node out of selection for new sessions", NULL, OWEB_TAKES_JSON, REASON_BODY_MAX },
	{ "POST", "/api/v1/pools/{pool}/nodes/{node}:in", ADMINISTRATOR, oweb_pool_node_in,
	  "Put a node back into selection", NULL, OWEB_TAKES_JSON, REASON_BODY_MAX },

	{ "GET", "/api/v1/policy", OBSERVER, oweb_policy_get, "The policy document in force", NULL, 0, 0 },
	{ "PUT", "/api/v1/policy", ADMINISTRATOR, oweb_policy_put, "Put another policy document in force",
	  NULL, OWEB_TAKES_JSON | OWEB_IF_MATCH, 0 },
	{ "POST", "/api/v1/policy/reload", ADMINISTRATOR, oweb_policy_reload,
	  "Read the policy document's file again", NULL, OWEB_TAKES_JSON | OWEB_BODY_OPTIONAL,
	  REASON_BODY_MAX },

	{ .method = NULL }, /* the end */
};
