/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One transaction through the agent, step by step, with features and reports as octets: for the tests of what a hop sees.
 */
#pragma once

#include "help_core.h"

struct help_hop {
	struct oc_msg request;
	struct oc_txn txn;
	enum oc_caps_action action;
	struct oc_group caps; /* of the request as it leaves */
	enum oc_verdict verdict;
	uint32_t went_to; /* name number of the neighbour, 0 = nobody */
	struct oc_answer_edit edit;
};

/* Puts OC-Supported-Features on @msg, values and octets. @source NULL and @peer_algo 0 leave these out. */
void help_hop_say(struct help_core *core, struct oc_msg *msg, uint64_t vector, const char *source,
		  uint64_t peer_algo);

/* An answer without features from @host. */
struct oc_msg help_hop_plain_answer(struct help_core *core, const char *host);

/* Adds a peer report of @source (NULL: without SourceID) to @answer. */
struct oc_olr *help_hop_peer_report(struct help_core *core, struct oc_msg *answer, const char *source,
				    uint64_t sequence, uint32_t pct, uint32_t validity_s);

/* Adds a Load of @source to @answer. */
void help_hop_load(struct help_core *core, struct oc_msg *answer, enum oc_load_type type, uint64_t value,
		   const char *source);

/* Sends @request, which comes from the neighbour @client, to one of the @count neighbours @peers, all alike unless @scores
 * says otherwise. A refused one gets its own answer's edit. Chance is drawn anew each time. */
struct help_hop help_hop_send(struct help_core *core, const struct oc_msg *request, const char *client,
			      const char *const *peers, const int32_t *scores, uint32_t count);

/* @answer comes back from where the request went; that is its end. */
void help_hop_answer(struct help_core *core, struct help_hop *hop, const struct oc_msg *answer);

/* Both, with one neighbour. */
struct help_hop help_hop_pair(struct help_core *core, const struct oc_msg *request, const char *client,
			      const char *peer, const struct oc_msg *answer);

struct help_hop_counts {
	uint32_t sent[4]; /* by position in the list of neighbours */
	uint32_t refused;
	uint32_t diverted;
	uint32_t result_code; /* of the last refusal */
};

/* @times such requests, each answered by its neighbour without news. */
struct help_hop_counts help_hop_many(struct help_core *core, const struct oc_msg *request, const char *client,
				     const char *const *peers, const int32_t *scores, uint32_t count,
				     uint32_t times);

/* What the features in @group, or the report in @content, are for who receives them. */
struct oc_caps help_hop_read(struct help_core *core, const struct oc_group *group);
struct oc_olr help_hop_read_own(struct help_core *core, const struct oc_report_content *content);

/* The state of @type about @subject in @app_id, all zero when there is none. */
struct oc_ocs_view help_hop_state(struct help_core *core, uint32_t app_id, uint8_t type, const char *subject);
