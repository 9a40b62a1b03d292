/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The made-up agent: two peers, one report in force, a policy.
 */
#pragma once

#include "help_web.h"

struct help_node *help_agent_new(void);
void help_agent_free(struct help_node *agent);
uint32_t help_agent_name(struct help_node *agent, const char *name);
