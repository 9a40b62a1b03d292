/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lives of sessions.
 */
#include "dt_source.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum dt_kind first;
	enum dt_kind update; /* DT_KIND_COUNT: none */
	enum dt_kind last;   /* DT_KIND_COUNT: none */
	bool in_mix;
} shapes[] = {
	{ "gx", DT_KIND_GX_INITIAL, DT_KIND_GX_UPDATE, DT_KIND_GX_TERMINATE, true },
	{ "gy", DT_KIND_GY_INITIAL, DT_KIND_GY_UPDATE, DT_KIND_GY_TERMINATE, true },
	{ "rx", DT_KIND_RX_AAR, DT_KIND_COUNT, DT_KIND_RX_STR, true },
	{ "s6a", DT_KIND_S6A_ULR, DT_KIND_COUNT, DT_KIND_COUNT, true },
	{ "s6a-air", DT_KIND_S6A_AIR, DT_KIND_COUNT, DT_KIND_COUNT, true },
};
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static void add_step(struct dt_source *source, enum dt_kind kind)
{
	if (kind == DT_KIND_COUNT)
		return;
	source->step[source->step_count++] = kind;
	source->life[source->life_count].count++;
}

static void add_life(struct dt_source *source, size_t shape, bool with_life, uint32_t updates)
{
	source->life[source->life_count] = (struct dt_life){ .first = source->step_count };
	add_step(source, shapes[shape].first);
	for (uint32_t i = 0; with_life && i < updates; i++)
		add_step(source, shapes[shape].update);
	if (with_life)
		add_step(source, shapes[shape].last);
	source->life_count++;
}

bool dt_source_is_template(const char *template)
{
	for (size_t i = 0; i < SHAPES; i++) {
		if (strcmp(template, shapes[i].name) == 0)
			return true;
	}
	return strcmp(template, "mix") == 0;
}

int dt_source_synthetic(struct dt_source *source, const char *template, bool with_life, uint32_t updates)
{
	bool is_mix = strcmp(template, "mix") == 0;

	source->life = calloc(SHAPES, sizeof(*source->life));
	source->step = calloc(SHAPES * (updates + 2), sizeof(*source->step));
	source->made = calloc((size_t)DT_DESTS_MAX * source->origin_count * DT_KIND_COUNT, sizeof(void *));
	if (!source->life || !source->step || !source->made)
		return OC_ENOMEM;
	for (size_t i = 0; i < SHAPES; i++) {
		if ((is_mix && shapes[i].in_mix) || strcmp(template, shapes[i].name) == 0)
			add_life(source, i, with_life, updates);
	}
	return source->life_count ? OC_OK : OC_ENOENT;
}

void dt_source_fini(struct dt_source *source)
{
	size_t made = (size_t)DT_DESTS_MAX * source->origin_count * DT_KIND_COUNT;
	for (size_t i = 0; source->made && i < made; i++) {
		if (source->made[i])
			dt_tmpl_fini(source->made[i]);
		free(source->made[i]);
	}
	for (uint32_t i = 0; i < source->captured_count; i++)
		dt_tmpl_fini(&source->captured[i]);
	free(source->captured);
	free(source->made);
	free(source->life);
	free(source->step);
}

static struct dt_tmpl *make(struct dt_source *source, const struct dt_source_place *place, enum dt_kind kind)
{
	struct dt_synth synth = source->synth;
	struct dt_tmpl *tmpl = calloc(1, sizeof(*tmpl));

	synth.origin_host = source->origin[place->origin];
	synth.dest_host = source->dest[place->dest];
	synth.source_id = source->source_id ? source->source_id[place->origin] : NULL;
	if (tmpl && dt_synth_make(kind, &synth, tmpl) != OC_OK) {
		free(tmpl);
		return NULL;
	}
	return tmpl;
}

const struct dt_tmpl *dt_source_get(struct dt_source *source, const struct dt_source_place *place)
{
	uint32_t what = source->step[source->life[place->life].first + place->step];
	if (source->captured)
		return &source->captured[what];
	size_t index = ((size_t)place->dest * source->origin_count + place->origin) * DT_KIND_COUNT + what;
	if (!source->made[index])
		source->made[index] = make(source, place, (enum dt_kind)what);
	return source->made[index];
}
