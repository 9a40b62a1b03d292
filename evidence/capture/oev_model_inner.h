/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Inside of the model, shared by oev_capture_model.c (who feeds the agents) and oev_model_events.c (who hears them).
 */
#pragma once

#include "oev_capture_model.h"

struct oev_node_inner {
	struct oev_capture_model *model;
	struct oc_agent *agent;
	struct oev_arrivals arrivals;
	const struct oev_walked *answer; /* being told to the agent, NULL none */
	uint64_t ticked_ns;
	uint32_t index;
	uint32_t via;	   /* adjacent node the request at hand came from, or the node itself */
	uint64_t decision; /* number of the request at hand */
	uint64_t requests;
	uint32_t origins; /* states of rates with an origin it had: while 0, nothing is counted by origin */
	bool is_muted;	  /* the agent's events are about nothing that was seen */
};

struct oev_capture_model {
	struct oev_model_conf conf;
	struct oev_map by_name, by_version;
	uint32_t node_count, state_count, state_room;
	struct oev_state *states;
	uint64_t now_ns;
	uint64_t left_out, states_left_out;
	int error;
	struct oev_node nodes[OEV_NODES_MAX];
	struct oev_node_inner *inner[OEV_NODES_MAX];
};

/* Counts @event, cleans it and passes it on. */
void oev_model_take_event(struct oev_capture_model *model, struct oev_node_inner *inner,
			  const struct oc_event *event);

/* Counts a request of the node for the states it is in scope of, and notes these in exchange->state. */
void oev_model_count_arrival(struct oev_capture_model *model, struct oev_node_inner *inner,
			     const struct oev_walked *walked, struct oev_exchange *exchange);

/* Counts how the request was answered; @answer NULL: not at all. */
void oev_model_count_answer(struct oev_capture_model *model, const struct oev_exchange *exchange,
			    const struct oc_msg *answer);

/* The capture is over for the node: what is still in force ends. */
void oev_model_close(struct oev_capture_model *model, struct oev_node_inner *inner);
