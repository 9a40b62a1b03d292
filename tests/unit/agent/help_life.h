/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A life of an agent, kept in memory as it was told, to be lived again.
 */
#pragma once

#include "agent/oc_replay.h"

struct help_life;

/* An agent begins with @conf and @policy; both are copied, the names are borrowed. NULL when out of memory. */
struct help_life *help_life_begin(const struct oc_agent_conf *conf, const struct oc_policy *policy);
void help_life_free(struct help_life *life);

/* It told @event; @policy came into force at @at_ns. */
void help_life_event(struct help_life *life, const struct oc_event *event);
void help_life_policy(struct help_life *life, const struct oc_policy *policy, uint64_t at_ns);

/* Looks at an event before it is given to a replay, and may change it. False: it is left out. */
typedef bool (*help_life_fn)(void *ctx, struct oc_event *event);

/* Conf of the life, for a replay of it; gives all of it to @replay. @change may be NULL. */
const struct oc_agent_conf *help_life_conf(const struct help_life *life);
void help_life_give(const struct help_life *life, struct oc_replay *replay, help_life_fn change, void *ctx);

/* No policy but the one of its replay. */
void help_life_forget_policies(struct help_life *life);

#define HELP_LIFE_TEXT_MAX 512

/* Lives it again. Returns what came of it; @text gets the first difference in words, or is empty. */
struct oc_replay_counts help_life_again(const struct help_life *life, char text[static HELP_LIFE_TEXT_MAX]);
