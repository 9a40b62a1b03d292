/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of routes. openapi.yaml describes the same rows; a test holds them against each other.
 */
#include "oweb_events.h"
#include "oweb_evidence.h"
#include "oweb_resources.h"
#include "oweb_route.h"

#define NOBODY OWEB_ROLE_NONE
#define OBSERVER OWEB_ROLE_OBSERVER
#define ADMINISTRATOR OWEB_ROLE_ADMINISTRATOR

#define REASON_BODY_MAX 4096u
#define COUNTERS_BODY_MAX 4194304u

static const struct oweb_param readyz_params[] = { { .name = "verbose", .kind = OWEB_FLAG },
						   { .name = NULL } };

static const struct oweb_param series_params[] = {
	{ .name = "names", .kind = OWEB_TEXT, .max = 1024 },
	{ .name = "node", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "side", .kind = OWEB_WORD, .words = "client|server" },
	{ .name = "window", .kind = OWEB_NUMBER, .min = 1, .max = 2592000 },
	{ .name = "step", .kind = OWEB_WORD, .words = "1|10|60|600" },
	{ .name = NULL },
};

#define NUMBER_MAX 9007199254740991ull /* what every reader of JSON keeps exactly */
#define PAGE_PARAMS                                                                                          \
	{ .name = "limit", .kind = OWEB_NUMBER, .min = 1, .max = OWEB_PAGE_MAX },                            \
		{ .name = "cursor", .kind = OWEB_TEXT, .max = 128 }, { .name = "from", .kind = OWEB_TIME },  \
	{                                                                                                    \
		.name = "until", .kind = OWEB_TIME                                                           \
	}

static const struct oweb_param decisions_params[] = {
	PAGE_PARAMS,
	{ .name = "order", .kind = OWEB_WORD, .words = "newest|oldest" },
	{ .name = "format", .kind = OWEB_WORD, .words = "json|ndjson|csv" },
	{ .name = "run", .kind = OWEB_TEXT, .max = 39 },
	{ .name = "app", .kind = OWEB_TEXT, .max = 16 },
	{ .name = "command", .kind = OWEB_NUMBER, .max = 16777215 },
	{ .name = "version", .kind = OWEB_NUMBER, .min = 1, .max = 4294967295 },
	{ .name = "answer_code", .kind = OWEB_NUMBER, .max = 4294967295 },
	{ .name = "class", .kind = OWEB_NUMBER, .max = 4 },
	{ .name = "verdict", .kind = OWEB_WORD, .words = "forwarded|diverted|refused" },
	{ .name = "observed", .kind = OWEB_FLAG },
	{ .name = "client", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "next_hop", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "origin_host", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "origin_realm", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "dest_host", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "dest_realm", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "session", .kind = OWEB_TEXT, .max = 24 },
	{ .name = "subscriber", .kind = OWEB_TEXT, .max = 24 },
	{ .name = NULL },
};

static const struct oweb_param list_params[] = {
	PAGE_PARAMS,
	{ .name = "order", .kind = OWEB_WORD, .words = "newest|oldest" },
	{ .name = "format", .kind = OWEB_WORD, .words = "json|ndjson" },
	{ .name = "run", .kind = OWEB_TEXT, .max = 39 },
	{ .name = "name", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "number", .kind = OWEB_NUMBER, .max = NUMBER_MAX },
	{ .name = NULL },
};

static const struct oweb_param sessions_params[] = {
	PAGE_PARAMS,
	{ .name = "subscriber", .kind = OWEB_TEXT, .max = 24 },
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

static const struct oweb_param versions_params[] = {
	{ .name = "limit", .kind = OWEB_NUMBER, .min = 1, .max = OWEB_PAGE_MAX },
	{ .name = "cursor", .kind = OWEB_TEXT, .max = 128 },
	{ .name = NULL },
};

static const struct oweb_param counters_params[] = {
	{ .name = "source", .kind = OWEB_TEXT, .max = 255 },
	{ .name = "reason", .kind = OWEB_TEXT, .max = OWEB_REASON_MAX - 1 },
	{ .name = "interval", .kind = OWEB_NUMBER, .min = 1, .max = 86400 },
	{ .name = "check", .kind = OWEB_FLAG },
	{ .name = NULL },
};

static const struct oweb_param senders_params[] = {
	{ .name = "limit", .kind = OWEB_NUMBER, .min = 1, .max = 8192 },
	{ .name = NULL },
};

const struct oweb_route oweb_routes[] = {
	{ "GET", "/", NOBODY, oweb_page_get, "The page", NULL, 0, 0 },
	{ "GET", "/assets/{hash}/{name}", NOBODY, oweb_asset_get, "What the page loads", NULL, 0, 0 },
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
	  "The last ten minutes by the second, or hours and days in longer steps, in columns", series_params,
	  0, 0 },
	{ "GET", "/api/v1/series/nodes", OBSERVER, oweb_series_nodes_get,
	  "The last ten minutes of every node", nodes_params, 0, 0 },
	{ "GET", "/api/v1/senders", OBSERVER, oweb_senders_get,
	  "Whether those who send do what they were told to", senders_params, 0, 0 },
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

	{ "POST", "/api/v1/policy/check", OBSERVER, oweb_policy_check,
	  "Every mistake of a candidate, and what differs from the document in force", NULL, OWEB_TAKES_JSON,
	  0 },
	{ "POST", "/api/v1/policy/whatif", OBSERVER, oweb_policy_whatif,
	  "Decide recorded traffic again under a candidate", NULL, OWEB_TAKES_JSON, 0 },

	{ "POST", "/api/v1/evidence/verify", OBSERVER, oweb_verify_post, "Verify the evidence", NULL,
	  OWEB_TAKES_JSON | OWEB_BODY_OPTIONAL, REASON_BODY_MAX },
	{ "POST", "/api/v1/evidence/audit", OBSERVER, oweb_audit_post,
	  "Audit the evidence, or a window of it", NULL, OWEB_TAKES_JSON | OWEB_BODY_OPTIONAL,
	  REASON_BODY_MAX },
	{ "POST", "/api/v1/evidence/counters", ADMINISTRATOR, oweb_counters_post,
	  "Take in what somebody else counted", counters_params, OWEB_TAKES_TABLE, COUNTERS_BODY_MAX },
	{ "GET", "/api/v1/jobs", OBSERVER, oweb_jobs_get, "Jobs, newest first", NULL, 0, 0 },
	{ "GET", "/api/v1/jobs/{job}", OBSERVER, oweb_job_get, "One job, with what came of it", NULL, 0, 0 },
	{ "DELETE", "/api/v1/jobs/{job}", OBSERVER, oweb_job_delete, "Stop a job", NULL, 0, 0 },
	{ "GET", "/api/v1/jobs/{job}/page", OBSERVER, oweb_job_page_get, "The page of an audit that is done",
	  NULL, 0, 0 },
	{ "GET", "/api/v1/jobs/{job}/policy", OBSERVER, oweb_job_policy_get,
	  "The candidate that a what-if tries", NULL, 0, 0 },

	{ "GET", "/api/v1/policy/versions", OBSERVER, oweb_policy_versions_get,
	  "Documents that were in force, newest first", versions_params, 0, 0 },
	{ "GET", "/api/v1/policy/versions/{version}", OBSERVER, oweb_policy_version_get,
	  "One of them, word for word", NULL, 0, 0 },
	{ "POST", "/api/v1/policy/rollback", ADMINISTRATOR, oweb_policy_rollback,
	  "Put a document in force again that was before", NULL, OWEB_TAKES_JSON | OWEB_IF_MATCH,
	  REASON_BODY_MAX },

	{ "GET", "/api/v1/decisions", OBSERVER, oweb_decisions_get, "Decisions, in pages or as a stream",
	  decisions_params, 0, 0 },
	{ "GET", "/api/v1/decisions/{id}", OBSERVER, oweb_decision_get,
	  "One decision with everything it depends on", NULL, 0, 0 },
	{ "GET", "/api/v1/decisions/{id}/proof", OBSERVER, oweb_decision_proof_get,
	  "The proof of one decision", NULL, 0, 0 },
	{ "GET", "/api/v1/sessions", OBSERVER, oweb_sessions_get, "Sessions in evidence", sessions_params, 0,
	  0 },
	{ "GET", "/api/v1/sessions/{session}", OBSERVER, oweb_session_one_get,
	  "One session and its decisions", NULL, 0, 0 },
	{ "POST", "/api/v1/sessions/find", ADMINISTRATOR, oweb_session_find,
	  "The pseudonym of a Session-Id or of a subscriber's identity", NULL, OWEB_TAKES_JSON,
	  REASON_BODY_MAX },
	{ "GET", "/api/v1/reports/received", OBSERVER, oweb_received_get, "Overload reports received",
	  list_params, 0, 0 },
	{ "GET", "/api/v1/capabilities", OBSERVER, oweb_capabilities_get, "Features announced by peers",
	  list_params, 0, 0 },
	{ "GET", "/api/v1/evidence/segments", OBSERVER, oweb_segments_get, "The segments of the folder", NULL,
	  0, 0 },
	{ "GET", "/api/v1/evidence/checkpoints/latest", OBSERVER, oweb_checkpoint_get,
	  "The last signed checkpoint", NULL, 0, 0 },
	{ "GET", "/api/v1/evidence/{list}", OBSERVER, oweb_list_get, "Rows of one of the smaller tables",
	  list_params, 0, 0 },

	{ .method = NULL }, /* the end */
};
