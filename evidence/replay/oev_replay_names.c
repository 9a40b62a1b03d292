/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Texts by number, and the table made of them.
 */
#include "oev_replay_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define NUMBERS_MAX 1048576u /* as of oc_names_new() */
#define SPARE 64u	     /* for what another policy orders */

static int make_room(struct oev_replay_names *names, uint32_t id)
{
	uint32_t room = names->count;

	if (id < room)
		return OC_OK;
	/* doubled whenever a power of two is passed */
	uint32_t wanted = 64;
	while (wanted <= id)
		wanted *= 2;
	if (room <= wanted / 2 || names->texts == NULL) {
		char **texts = realloc(names->texts, wanted * sizeof(*texts));
		if (texts == NULL)
			return OC_ENOMEM;
		names->texts = texts;
	}
	memset(names->texts + room, 0, (id + 1 - room) * sizeof(*names->texts));
	names->count = id + 1;
	return OC_OK;
}

static int add(struct oev_replay_names *names, int64_t number, const char *text)
{
	if (number <= OC_NAME_OVERFLOW || number >= NUMBERS_MAX)
		return OC_EMALFORMED;
	uint32_t id = (uint32_t)number;
	int rc = make_room(names, id);
	if (rc != OC_OK)
		return rc;
	if (names->texts[id] != NULL) /* told again by a later part */
		return strcmp(names->texts[id], text) == 0 ? OC_OK : OC_EMALFORMED;
	names->texts[id] = strdup(text);
	return names->texts[id] != NULL ? OC_OK : OC_ENOMEM;
}

int oev_replay_names_add(struct oev_replay_names *names, const struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_ALL_NAMES);
	int rc = stmt != NULL ? OC_OK : OC_EIO, step = SQLITE_DONE;

	while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = add(names, sqlite3_column_int64(stmt, 0), oev_query_word(stmt, 1));
	sqlite3_finalize(stmt);
	return rc == OC_OK && step != SQLITE_DONE ? OC_EIO : rc;
}

void oev_replay_names_fini(struct oev_replay_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->texts[i]);
	free(names->texts);
	*names = (struct oev_replay_names){ 0 };
}

int oev_replay_names_make(const struct oev_replay_names *names, struct oc_names **out)
{
	uint32_t capacity = names->count + SPARE < NUMBERS_MAX ? names->count + SPARE : NUMBERS_MAX;
	struct oc_names *table = oc_names_new(capacity, 1);

	if (table == NULL)
		return OC_ENOMEM;
	for (uint32_t id = OC_NAME_OVERFLOW + 1; id < names->count; id++) {
		char hole[32]; /* "!" is in no DiameterIdentity */
		snprintf(hole, sizeof(hole), "!%" PRIu32, id);
		const char *text = names->texts[id] != NULL ? names->texts[id] : hole;
		struct oc_bytes bytes = { .data = (const uint8_t *)text, .len = strlen(text) };
		if (oc_names_id(table, bytes, NULL) != id) {
			oc_names_free(table);
			return OC_EMALFORMED;
		}
	}
	*out = table;
	return OC_OK;
}
