/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What there is to see, as JSON: each function makes one thing of one plain value, and the same for the resources and for the stream.
 *
 * What is not known is absent, never null and never 0 (a merge patch has no other way to say "gone"). Names are texts. Times are UTC texts,
 * durations seconds with "_seconds" in their key, shares 0 to 1 with "_ratio". NULL when out of memory.
 */
#pragma once

#include <jansson.h>

#include "oweb_node.h"

struct oweb_server;

/* The whole state: {"node", "recording", "totals", "second", "nodes", "peers", "states", "reports"}; what there is of it. */
json_t *oweb_view_state(struct oweb_server *server);

json_t *oweb_view_node(const struct oweb_facts *facts);
json_t *oweb_view_recording(const struct oweb_facts *facts, uint64_t wall_us);
json_t *oweb_view_totals(const struct oc_stats *stats);
json_t *oweb_view_second(const struct oev_watch_second *second);
json_t *oweb_view_count(const struct oev_watch_count *count);
json_t *oweb_view_change(const struct oev_watch_change *change);
json_t *oweb_view_peer(const struct oweb_peer *peer);
json_t *oweb_view_ocs(const struct oweb_server *server, const struct oc_ocs_view *ocs);
json_t *oweb_view_report(const struct oweb_server *server, const struct oc_report_view *report);
json_t *oweb_view_load(const struct oc_load_view *load);

/* Objects by name; peers, held states and own reports, as they are now. */
json_t *oweb_view_peers(const struct oweb_server *server);
json_t *oweb_view_states(const struct oweb_server *server);
json_t *oweb_view_reports(const struct oweb_server *server);
/* Nodes seen in traffic, by name, each with the last second as client and as server. */
json_t *oweb_view_nodes(const struct oweb_server *server);

/* Text of a name number, of the node or of the watch. */
const char *oweb_view_name(const struct oweb_server *server, uint32_t name);

/* Whole seconds from @from_ns to @now_ns; 0 when that is to come. */
static inline uint64_t oweb_seconds_since(uint64_t from_ns, uint64_t now_ns)
{
	return now_ns > from_ns ? (now_ns - from_ns) / 1000000000 : 0;
}

/* What goes on, in sentences (oweb_sentence.h), in this order: who asks for less, do we obey, does it help, worst first, at most three; what
 * this node itself asks for; who was told and goes on; who causes it. Or that nobody asks. The page, doic ctl and doic top show them as
 * they are. */
json_t *oweb_view_sentences(const struct oweb_server *server);
