/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counts by version, in a table of linear probing.
 */
#include "oev_tally.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define FIRST_SIZE 256u

struct oev_tally_entry {
	uint32_t version; /* 0 empty */
	uint64_t batch;	  /* that @now belongs to */
	struct oev_tally_counts kept;
	struct oev_tally_counts now;
};

int oev_tally_init(struct oev_tally *tally)
{
	*tally = (struct oev_tally){ .size = FIRST_SIZE, .batch = 1 };
	tally->entries = calloc(FIRST_SIZE, sizeof(*tally->entries));
	return tally->entries ? OC_OK : OC_ENOMEM;
}

void oev_tally_fini(struct oev_tally *tally)
{
	free(tally->entries);
	free(tally->changed);
	*tally = (struct oev_tally){ 0 };
}

static uint32_t place_of(const struct oev_tally *tally, uint32_t version)
{
	return (version * 0x9e3779b1u) >> 7 & (tally->size - 1);
}

/* The entry of @version, or the empty one where it belongs. */
static struct oev_tally_entry *find(const struct oev_tally *tally, uint32_t version)
{
	uint32_t at = place_of(tally, version);

	while (tally->entries[at].version != 0 && tally->entries[at].version != version)
		at = (at + 1) & (tally->size - 1);
	return &tally->entries[at];
}

static int grow(struct oev_tally *tally)
{
	struct oev_tally_entry *old = tally->entries;
	uint32_t old_size = tally->size;
	struct oev_tally_entry *larger = calloc((size_t)old_size * 2, sizeof(*larger));

	if (!larger)
		return OC_ENOMEM;
	tally->entries = larger;
	tally->size = old_size * 2;
	for (uint32_t i = 0; i < old_size; i++)
		if (old[i].version != 0)
			*find(tally, old[i].version) = old[i];
	free(old);
	return OC_OK;
}

static int note_change(struct oev_tally *tally, uint32_t version)
{
	if (tally->changed_count == tally->changed_size) {
		uint32_t size = tally->changed_size ? tally->changed_size * 2 : FIRST_SIZE;
		uint32_t *larger = realloc(tally->changed, size * sizeof(*larger));
		if (!larger)
			return OC_ENOMEM;
		tally->changed = larger;
		tally->changed_size = size;
	}
	tally->changed[tally->changed_count++] = version;
	return OC_OK;
}

/* The entry of @version with counts of this batch; NULL: no memory. */
static struct oev_tally_entry *entry_of(struct oev_tally *tally, uint32_t version)
{
	struct oev_tally_entry *entry = find(tally, version);

	if (entry->version == version && entry->batch == tally->batch)
		return entry;
	if (entry->version == 0 && tally->used * 2 >= tally->size) {
		if (grow(tally) != OC_OK)
			return NULL;
		entry = find(tally, version);
	}
	if (note_change(tally, version) != OC_OK)
		return NULL;
	tally->used += entry->version == 0;
	entry->version = version;
	entry->batch = tally->batch;
	entry->now = (struct oev_tally_counts){ 0 };
	return entry;
}

static void add_look(struct oev_tally *tally, const struct oc_look *look, const struct oc_decision *decision,
		     enum oc_scope scope)
{
	bool hit = decision->selected_by == scope;

	if (look->version == 0)
		return;
	struct oev_tally_entry *entry = entry_of(tally, look->version);
	if (!entry) {
		tally->rc = OC_ENOMEM;
		return;
	}
	if (look->nth != 0) {
		entry->now.matched++;
		entry->now.selected += hit;
		entry->now.expected_ppm += look->share_ppm;
	} else {
		entry->now.remembered += hit && (decision->flags & OC_DEC_REMEMBERED);
	}
}

void oev_tally_add(struct oev_tally *tally, const struct oc_decision *decision)
{
	add_look(tally, &decision->realm, decision, OC_SCOPE_REALM);
	add_look(tally, &decision->host, decision, OC_SCOPE_HOST);
	add_look(tally, &decision->peer, decision, OC_SCOPE_PEER);
}

void oev_tally_keep(struct oev_tally *tally)
{
	for (uint32_t i = 0; i < tally->changed_count; i++) {
		struct oev_tally_entry *entry = find(tally, tally->changed[i]);
		entry->kept.matched += entry->now.matched;
		entry->kept.selected += entry->now.selected;
		entry->kept.expected_ppm += entry->now.expected_ppm;
		entry->kept.remembered += entry->now.remembered;
	}
	oev_tally_undo(tally);
}

void oev_tally_undo(struct oev_tally *tally)
{
	tally->changed_count = 0;
	tally->batch++;
}

void oev_tally_get(const struct oev_tally *tally, uint32_t version, struct oev_tally_counts *out)
{
	const struct oev_tally_entry *entry = find(tally, version);

	*out = entry->version == version ? entry->kept : (struct oev_tally_counts){ 0 };
}

/* Those behind it that had to go further move up, so that none is behind an empty place. */
void oev_tally_drop(struct oev_tally *tally, uint32_t version)
{
	struct oev_tally_entry *entry = find(tally, version);
	uint32_t mask = tally->size - 1;

	if (entry->version == 0)
		return;
	uint32_t hole = (uint32_t)(entry - tally->entries);
	for (uint32_t at = (hole + 1) & mask; tally->entries[at].version != 0; at = (at + 1) & mask) {
		uint32_t home = place_of(tally, tally->entries[at].version);
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		tally->entries[hole] = tally->entries[at];
		hole = at;
	}
	memset(&tally->entries[hole], 0, sizeof(tally->entries[hole]));
	tally->used--;
}
