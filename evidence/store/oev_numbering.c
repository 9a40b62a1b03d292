/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sets of four entries, the ones in use in front.
 */
#include "oev_numbering.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_hash.h"

#define WAYS 4u
#define HASH_KEY 0x6f65762e64696374u

struct oev_numbering_entry {
	uint64_t number; /* 0 empty */
	struct oev_numbering_key key;
};

int oev_numbering_init(struct oev_numbering *numbering, uint64_t next)
{
	*numbering = (struct oev_numbering){ .next = next, .kept_next = next };
	numbering->entries = calloc((size_t)OEV_NUMBERING_SETS * WAYS, sizeof(*numbering->entries));
	return numbering->entries ? OC_OK : OC_ENOMEM;
}

void oev_numbering_fini(struct oev_numbering *numbering)
{
	free(numbering->entries);
	numbering->entries = NULL;
}

static bool is_same(const struct oev_numbering_entry *entry, const struct oev_numbering_key *key)
{
	return entry->number != 0 && memcmp(&entry->key, key, sizeof(*key)) == 0;
}

/* One step forward per use, so that what is used often is not among those that fall out. The first two stay where they are: two that
 * are used in turn would change places for ever. */
static void move_forward(struct oev_numbering_entry *set, unsigned at)
{
	if (at < 2)
		return;
	struct oev_numbering_entry moved = set[at];
	set[at] = set[at - 1];
	set[at - 1] = moved;
}

uint64_t oev_numbering_of(struct oev_numbering *numbering, const struct oev_numbering_key *key, bool *is_new)
{
	uint64_t hash = oc_hash(key, sizeof(*key), HASH_KEY);
	struct oev_numbering_entry *set = &numbering->entries[hash % OEV_NUMBERING_SETS * WAYS];
	unsigned empty = WAYS - 1; /* the last one falls out when none is */

	*is_new = false;
	for (unsigned i = 0; i < WAYS; i++) {
		if (!is_same(&set[i], key))
			continue;
		uint64_t number = set[i].number;
		move_forward(set, i);
		return number;
	}
	for (unsigned i = WAYS; i-- > 0;)
		if (set[i].number == 0)
			empty = i;
	*is_new = true;
	set[empty] = (struct oev_numbering_entry){ .number = numbering->next++, .key = *key };
	return set[empty].number;
}

void oev_numbering_clear(struct oev_numbering *numbering)
{
	memset(numbering->entries, 0, (size_t)OEV_NUMBERING_SETS * WAYS * sizeof(*numbering->entries));
}

void oev_numbering_keep(struct oev_numbering *numbering)
{
	numbering->kept_next = numbering->next;
}

void oev_numbering_undo(struct oev_numbering *numbering)
{
	if (numbering->next == numbering->kept_next)
		return;
	numbering->next = numbering->kept_next;
	oev_numbering_clear(numbering);
}
