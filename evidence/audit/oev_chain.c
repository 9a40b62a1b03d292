/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which versions renew each other, and what they come to together.
 */
#include "oev_chain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool renews(const struct oev_version *version, const struct oev_version *last)
{
	return version->in_window && version->life == last->life && version->replaces == last->number &&
	       strcmp(last->how, "replaced") == 0 && last->end_ns == version->from_ns &&
	       version->validity_s != 0 && version->is_rate == last->is_rate &&
	       version->is_specific == last->is_specific && version->reduction_pct == last->reduction_pct &&
	       version->rate_rps == last->rate_rps;
}

static void add(struct oev_chain *chain, const struct oev_version *version)
{
	chain->last = version;
	chain->count++;
	chain->active_ns += version->end_ns - version->from_ns;
	chain->matched += version->active.matched;
	chain->selected += version->active.selected;
	chain->ramp_selected += version->ramp.selected;
	if (chain->selected_ns == 0)
		chain->selected_ns = version->selected_ns;
}

uint32_t oev_chain_next(const struct oev_audit *audit, const struct oev_claim *claim, uint32_t at,
			struct oev_chain *chain)
{
	const struct oev_version *versions = &audit->versions[claim->version_first];

	*chain = (struct oev_chain){ 0 };
	while (at < claim->version_count && !versions[at].in_window)
		at++;
	if (at == claim->version_count)
		return at;
	chain->first = &versions[at];
	add(chain, &versions[at++]);
	while (at < claim->version_count && renews(&versions[at], chain->last))
		add(chain, &versions[at++]);
	return at;
}

const char *oev_chain_numbers(const struct oev_chain *chain, char buf[static 32])
{
	int at = snprintf(buf, 32, "#%" PRIu32, chain->first->number);

	if (chain->count > 1)
		snprintf(buf + at, 32 - (size_t)at, "..#%" PRIu32, chain->last->number);
	return buf;
}

const char *oev_chain_name(const struct oev_audit *audit, const struct oev_chain *chain, char buf[static 64])
{
	char numbers[32];
	int at = 0;

	if (oev_claim_has_lives(audit, &audit->claims[chain->first->claim]))
		at = snprintf(buf, 64, "life %" PRIu32 " ", oev_life_number(audit, chain->first->life));
	snprintf(buf + at, 64 - (size_t)at, "%s", oev_chain_numbers(chain, numbers));
	return buf;
}

const char *oev_chain_sequences(const struct oev_chain *chain, char buf[static 64])
{
	int at = snprintf(buf, 64, "%s", chain->first->sequence);

	if (chain->count > 1)
		snprintf(buf + at, 64 - (size_t)at, "..%s", chain->last->sequence);
	return buf;
}
