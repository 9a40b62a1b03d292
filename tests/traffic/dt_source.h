/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where the client's requests come from: lives of sessions, each a run of steps, each step a pre-encoded request.
 *
 * Life number n is life n modulo life_count of subscriber (n / life_count) modulo subscribers.
 */
#pragma once

#include "dt_capture.h"
#include "dt_synth.h"

#define DT_DESTS_MAX 64u /* learnt Destination-Hosts */

struct dt_life {
	uint32_t first; /* in steps[] */
	uint32_t count;
};

struct dt_source {
	struct dt_life *life;
	uint32_t life_count;
	uint32_t *step; /* enum dt_kind, or an index of captured[] */
	uint32_t step_count;
	uint64_t subscribers;
	struct dt_tmpl *captured; /* NULL: synthetic */
	uint32_t captured_count;
	struct dt_synth synth;	      /* synthetic: everything but the origin and a learnt destination */
	const char *const *origin;    /* names, borrowed */
	const char *const *source_id; /* SourceID per origin; NULL: none; borrowed */
	uint32_t origin_count;
	const char *dest[DT_DESTS_MAX]; /* [0] as told, others learnt; borrowed */
	struct dt_tmpl **made;		/* [dest][origin][kind], made when first used */
};

struct dt_source_place {
	uint32_t life;
	uint32_t step;
	uint32_t origin;
	uint32_t dest;
};

/* Whether dt_source_synthetic knows that template. */
bool dt_source_is_template(const char *template);
/* Synthetic lives of @template ("gx", ..., "mix"). @with_life: whole sessions with @updates updates; otherwise only
 * first requests. OC_OK, OC_ENOENT (unknown template), OC_ENOMEM. */
int dt_source_synthetic(struct dt_source *source, const char *template, bool with_life, uint32_t updates);
/* Takes over the messages of @capture (already prepared). OC_OK, OC_ENOENT (none), OC_ENOMEM. */
int dt_source_captured(struct dt_source *source, struct dt_capture *capture,
		       const struct dt_rewrite *rewrite);
void dt_source_fini(struct dt_source *source);

/* The request of that place, or NULL when out of memory. */
const struct dt_tmpl *dt_source_get(struct dt_source *source, const struct dt_source_place *place);
