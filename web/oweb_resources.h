/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The resources: one handler for each row of the table of routes.
 */
#pragma once

#include "oweb_request.h"

/* oweb_page.c */
void oweb_page_get(struct oweb_request *request);
void oweb_asset_get(struct oweb_request *request);

/* oweb_health.c */
void oweb_livez_get(struct oweb_request *request);
void oweb_readyz_get(struct oweb_request *request);

/* oweb_metrics.c */
void oweb_metrics_get(struct oweb_request *request);

/* oweb_openapi.c */
void oweb_openapi_get(struct oweb_request *request);

/* oweb_problem.c */
void oweb_problem_get(struct oweb_request *request);

/* oweb_login.c */
void oweb_session_get(struct oweb_request *request);
void oweb_session_post(struct oweb_request *request);
void oweb_session_delete(struct oweb_request *request);

/* oweb_status.c */
void oweb_status_get(struct oweb_request *request);
void oweb_ocs_list(struct oweb_request *request);
void oweb_ocs_get(struct oweb_request *request);
void oweb_reports_get(struct oweb_request *request);
void oweb_peers_get(struct oweb_request *request);

/* oweb_series.c */
void oweb_series_get(struct oweb_request *request);

/* oweb_recent.c */
void oweb_series_nodes_get(struct oweb_request *request);
void oweb_senders_get(struct oweb_request *request);
void oweb_changes_get(struct oweb_request *request);

/* oweb_pools.c */
void oweb_pools_list(struct oweb_request *request);
void oweb_pool_get(struct oweb_request *request);
void oweb_pool_node_get(struct oweb_request *request);
void oweb_pool_node_out(struct oweb_request *request);
void oweb_pool_node_in(struct oweb_request *request);

/* oweb_policy.c */
void oweb_policy_get(struct oweb_request *request);
void oweb_policy_put(struct oweb_request *request);
void oweb_policy_reload(struct oweb_request *request);

/* oweb_policy_try.c */
void oweb_policy_check(struct oweb_request *request);
void oweb_policy_whatif(struct oweb_request *request);

/* oweb_policy_past.c */
void oweb_policy_versions_get(struct oweb_request *request);
void oweb_policy_version_get(struct oweb_request *request);
void oweb_policy_rollback(struct oweb_request *request);

/* oweb_decisions.c, oweb_decision.c */
void oweb_decisions_get(struct oweb_request *request);
void oweb_decision_get(struct oweb_request *request);
void oweb_decision_proof_get(struct oweb_request *request);

/* oweb_sessions.c */
void oweb_sessions_get(struct oweb_request *request);
void oweb_session_one_get(struct oweb_request *request);
void oweb_session_find(struct oweb_request *request);

/* oweb_lists.c */
void oweb_list_get(struct oweb_request *request);
void oweb_received_get(struct oweb_request *request);
void oweb_capabilities_get(struct oweb_request *request);
void oweb_segments_get(struct oweb_request *request);
void oweb_checkpoint_get(struct oweb_request *request);

/* oweb_counters.c */
void oweb_counters_post(struct oweb_request *request);

/* oweb_job.c */
struct oweb_task;
void oweb_verify_post(struct oweb_request *request);
void oweb_audit_post(struct oweb_request *request);
void oweb_jobs_get(struct oweb_request *request);
void oweb_job_get(struct oweb_request *request);
void oweb_job_delete(struct oweb_request *request);
void oweb_job_page_get(struct oweb_request *request);
void oweb_job_policy_get(struct oweb_request *request);
/* Begins @task on the folder: 202 and where to look. Takes its policy over. False: the reply says why not. */
bool oweb_job_begin(struct oweb_request *request, struct oweb_task *task);
