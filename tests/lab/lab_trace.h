/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One line of text for each message of a call, for whoever looks for a mistake in a story.
 */
#pragma once

#include "lab_world.h"

void lab_trace(const struct lab_world *w, const struct lab_node *node, const struct lab_node *from,
	       const struct oc_msg *msg);
