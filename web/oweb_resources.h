/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The resources: one handler for each row of the table of routes.
 */
#pragma once

#include "oweb_request.h"

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
