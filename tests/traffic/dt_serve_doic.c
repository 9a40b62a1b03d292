/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a server tells about overload: features chosen from those asked for, reports, load.
 */
#include "dt_server.h"

/* Whether the request announced peer reports for this very connection (RFC 8581 section 6.1.2). */
static bool asks_for_peer(const struct dt_server *server, uint32_t slot, const struct dt_features *asked)
{
	return !server->options->no_peer_reports && (asked->vector & DT_FEATURE_PEER) &&
	       dt_text_is(&asked->source, server->neighbour[slot]);
}

/* What both sides can do. Loss always; a scripted rate means that the server can do rate. */
static uint64_t usable(const struct dt_server *server, const struct dt_features *asked)
{
	uint64_t supported = server->options->common.vector;
	if (dt_reports_have_rate(&server->reports))
		supported |= DT_FEATURE_RATE;
	return (asked->vector & supported) | DT_FEATURE_LOSS;
}

static void choose(const struct dt_server *server, uint32_t slot, const struct dt_features *asked,
		   struct dt_answer *answer)
{
	const struct dt_server_options *options = server->options;
	struct dt_report_to *to = &answer->to;
	uint64_t common = usable(server, asked);

	answer->for_peer = asks_for_peer(server, slot, asked);
	to->algorithm = dt_reports_select(&server->reports, to, common, false);
	answer->vector = options->common.vector || answer->for_peer ? to->algorithm : 0;
	if (answer->for_peer) {
		to->peer_algorithm = dt_reports_select(&server->reports, to, common, true);
		answer->peer_algo = to->peer_algorithm;
		answer->vector |= DT_FEATURE_PEER;
	}
	if (options->has_answer_vector) {
		answer->vector = options->answer_vector;
		to->algorithm = answer->vector ? answer->vector : DT_FEATURE_LOSS;
	}
	if (answer->for_peer && options->has_peer_algo) {
		answer->peer_algo = options->peer_algo;
		to->peer_algorithm = answer->peer_algo ? answer->peer_algo : DT_FEATURE_LOSS;
	}
}

void dt_serve_doic(const struct dt_server *server, uint32_t slot, uint32_t app_id,
		   const struct dt_scan *request, const struct dt_name *origin, uint64_t now_ns,
		   struct dt_answer *answer)
{
	const struct dt_server_options *options = server->options;
	struct dt_features asked = { 0 };

	answer->source = dt_common_source(&options->common, server->stats->me.host);
	if (server->loads.has_host || server->loads.has_peer)
		answer->loads = &server->loads;
	answer->with_sf = options->doic_always || (options->common.doic && request->sf.code);
	if (!answer->with_sf)
		return;
	if (request->sf.code)
		dt_features_read(&request->sf, &asked);
	answer->reports = &server->reports;
	answer->to = (struct dt_report_to){ .since_ns = now_ns - server->script_ns,
					    .app_id = app_id,
					    .host = answer->source,
					    .origin = origin->text,
					    .origin_index = (uint32_t)(origin - server->stats->origins.entry),
					    .origin_count = server->stats->origins.count,
					    .is_everything = options->doic_always };
	choose(server, slot, &asked, answer);
}
