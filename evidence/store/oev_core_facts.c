/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Numbers of the core's beginning as text.
 */
#include "oev_core_facts.h"

#include <inttypes.h>
#include <stdio.h>

void oev_core_facts_of(const struct oc_agent_conf *conf, struct oev_core_facts *out)
{
	const struct {
		const char *key;
		uint64_t value;
	} numbers[OEV_CORE_FACTS] = {
		{ "core.birth_ns", conf->now_ns },
		{ "core.first_sequence", conf->first_sequence },
		{ "core.ocs_max", conf->ocs_max },
		{ "core.retry_memory", conf->retry_memory },
		{ "core.session_memory", conf->session_memory },
		{ "core.load_nodes", conf->load_nodes },
	};

	for (size_t i = 0; i < OEV_CORE_FACTS; i++) {
		snprintf(out->values[i], sizeof(out->values[i]), "%" PRIu64, numbers[i].value);
		out->facts[i] = (struct oev_fact){ .key = numbers[i].key, .value = out->values[i] };
	}
}
