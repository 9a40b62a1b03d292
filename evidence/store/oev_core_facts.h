/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How the core began its life, as rows of table meta ("core.birth_ns"...): what a replay has to begin with as well.
 */
#pragma once

#include "../../agent/oc_agent.h"
#include "oev_recorder.h"

#define OEV_CORE_FACTS 6u

struct oev_core_facts {
	struct oev_fact facts[OEV_CORE_FACTS]; /* for oev_recorder_conf; point into values */
	char values[OEV_CORE_FACTS][24];
};

/* @conf as oc_agent_new() will get it. Identity and realm are meta node and realm. */
void oev_core_facts_of(const struct oc_agent_conf *conf, struct oev_core_facts *out);
