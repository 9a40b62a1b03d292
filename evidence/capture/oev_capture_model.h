/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The nodes of a capture that send requests, each with the overload control state it should hold.
 *
 * Every such node gets an agent of its own (oc_agent.h), which is told of its requests as they were sent and of the answers they got, and
 * decides about nothing: it judges reports and lets them live and end by the core's rules alone, with everybody trusted, without ramp. What
 * it tells goes to a sink (oev_capture_sink.h), cleaned of what only the node itself could know. Beside that the model counts what the
 * node sent before, under and after each state.
 */
#pragma once

#include "oev_arrivals.h"
#include "oev_capture_sink.h"
#include "oev_capture_walk.h"

#define OEV_NODES_MAX 1024u
#define OEV_STATES_MAX 65536u /* of all nodes, for the summary; the sink gets all */
#define OEV_AFTER_S 60u	      /* requests are counted as "after" for at most so long */

struct oev_capture_model;

/* One version of a state that a node should have held. */
struct oev_state {
	struct oc_event_ocs_version version;
	uint64_t from_ns, until_ns; /* until expiry, an end, a newer report, or the end of the capture */
	uint64_t during, after;	    /* requests in its scope */
	uint64_t before;	    /* in the seconds before the condition began */
	uint64_t after_ns;	    /* length of what was counted as after */
	uint64_t success, busy, other,
		unanswered; /* answers to those during: 2xxx; 3004 and 5012; the rest; none */
	uint32_t before_s;  /* 0: the capture does not say */
	uint32_t node;
	uint32_t frame;	      /* of the answer that brought the report */
	uint32_t origin_host; /* of that answer */
	uint8_t how;	      /* enum oc_ocs_end; OC_END_SHUTDOWN: still held when the capture ends */
};

/* One node. */
struct oev_node {
	uint32_t name;
	uint64_t requests, again, answers, unanswered;
	uint64_t with_doic;		   /* requests with OC-Supported-Features */
	uint64_t vectors;		   /* all bits of OC-Feature-Vector it announced */
	uint64_t receptions;		   /* OC-OLRs in answers to it */
	uint64_t reports[OC_INTAKE_COUNT]; /* by verdict, each content once */
	uint64_t unpaired;		   /* answers whose request is not in the capture */
	uint64_t in_requests; /* requests that carried an OC-OLR, which nobody may obey (D-073) */
	uint64_t versions;
};

struct oev_model_conf {
	struct oc_names *names;		     /* borrowed */
	const struct oev_capture_sink *sink; /* borrowed */
};

/* NULL when out of memory. */
struct oev_capture_model *oev_capture_model_new(const struct oev_model_conf *conf);
void oev_capture_model_free(struct oev_capture_model *model);

/* What the walk tells (struct oev_walk_hearer), @ctx being the model. */
void oev_capture_model_request(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange);
void oev_capture_model_answer(void *ctx, const struct oev_walked *walked, struct oev_exchange *exchange);
void oev_capture_model_unanswered(void *ctx, const struct oev_exchange *exchange, uint64_t now_ns);

/* The capture is over at @now_ns. Call once, after the walk. */
void oev_capture_model_end(struct oev_capture_model *model, uint64_t now_ns);

/* OC_OK, or the first error: of the sink, or OC_ENOMEM. Nothing is told to the sink after it. */
int oev_capture_model_error(const struct oev_capture_model *model);

/* For the summary; borrowed. */
const struct oev_node *oev_capture_model_nodes(const struct oev_capture_model *model, uint32_t *count);
const struct oev_state *oev_capture_model_states(const struct oev_capture_model *model, uint32_t *count);

/* Requests of nodes beyond OEV_NODES_MAX; versions beyond OEV_STATES_MAX. */
uint64_t oev_capture_model_left_out(const struct oev_capture_model *model, uint64_t *versions);
