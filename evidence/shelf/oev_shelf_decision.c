/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One decision with everything it depends on.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_find.h"
#include "oev_shelf_whole.h"

#define PATIENCE 2000000u /* rows of table outcome */

static bool take_retry(void *ctx, const struct oev_shelf_retry *retry)
{
	struct oev_shelf_whole *whole = ctx;

	if (retry->id == whole->row.id && strcmp(retry->run, whole->row.run) == 0)
		return true;
	if (whole->retry_count == OEV_SHELF_RETRIES_MAX) {
		whole->is_retries_whole = false;
		return false;
	}
	whole->retries[whole->retry_count++] = *retry;
	return true;
}

static int fill_retries(struct oev_shelf *shelf, struct oev_shelf_whole *whole, char *error)
{
	whole->is_retries_whole = true;
	if (whole->row.d.session_hash == 0)
		return OC_OK;
	bool is_whole = false;
	int rc = oev_shelf_of_session(shelf, whole->row.d.session_hash, take_retry, whole, &is_whole, error);
	whole->is_retries_whole &= is_whole;
	return rc;
}

static int fill(struct oev_shelf *shelf, const struct oev_shelf_catalog *catalog,
		const struct oev_shelf_part *part, uint64_t id, struct oev_shelf_whole *whole, char *error)
{
	struct oev_shelf_conn *conn = NULL;
	int rc = oev_shelf_conn_take(shelf, part, &conn, error);

	if (rc != OC_OK)
		return rc;
	rc = oev_shelf_row(conn, part, id, &whole->row);
	if (rc == OC_ENOENT)
		oev_shelf_say(error, rc, "there is no decision %" PRIu64 " of life %s", id, part->facts.run);
	else if (rc != OC_OK)
		rc = oev_shelf_fail(conn, error);
	if (rc == OC_OK)
		rc = oev_shelf_outcomes(shelf, catalog, conn, part, &whole->row, 1, PATIENCE, error);
	if (rc == OC_OK)
		rc = oev_shelf_looks(conn, whole, error);
	if (rc == OC_OK) {
		memcpy(whole->segment, part->facts.name, sizeof(whole->segment));
		oev_shelf_parties(conn, whole);
	}
	oev_shelf_conn_give(shelf, conn);
	return rc;
}

/* The part that has it; *@lives: in how many lives there is one, when none is named. */
static const struct oev_shelf_part *find(const struct oev_shelf_catalog *catalog, const char *run,
					 uint64_t id, unsigned *lives)
{
	const struct oev_shelf_part *found = NULL;

	*lives = 0;
	if (run[0] != '\0') {
		found = oev_shelf_part_of(catalog, oev_shelf_run_key(run), id);
		*lives = found != NULL;
		return found;
	}
	for (size_t i = 0; i < catalog->count; i++) {
		const struct oev_shelf_part *part = &catalog->parts[i];
		if (!part->is_first)
			continue;
		const struct oev_shelf_part *holds = oev_shelf_part_of(catalog, part->run_key, id);
		*lives += holds != NULL;
		found = holds != NULL ? holds : found;
	}
	return found;
}

int oev_shelf_decision(struct oev_shelf *shelf, const char *run, uint64_t id, struct oev_shelf_whole **out,
		       char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf_whole *whole = calloc(1, sizeof(*whole));
	struct oev_shelf_catalog *catalog = oev_shelf_catalog_get(shelf);
	unsigned lives = 0;
	const struct oev_shelf_part *part =
		catalog != NULL && id <= INT64_MAX ? find(catalog, run, id, &lives) : NULL;
	int rc;

	*out = NULL;
	error[0] = '\0';
	if (whole == NULL)
		rc = oev_shelf_say(error, OC_ENOMEM, "out of memory");
	else if (catalog == NULL)
		rc = oev_shelf_say(error, OC_EIO, "the folder cannot be read");
	else if (part == NULL)
		rc = oev_shelf_say(error, OC_ENOENT, "there is no decision %" PRIu64 "%s%.40s", id,
				   run[0] != '\0' ? " of life " : "", run);
	else if (lives > 1)
		rc = oev_shelf_say(error, OC_EINVAL, "%u lives have a decision %" PRIu64 ": name one, RUN-N",
				   lives, id);
	else
		rc = fill(shelf, catalog, part, id, whole, error);
	oev_shelf_catalog_put(catalog);
	if (rc == OC_OK)
		rc = fill_retries(shelf, whole, error);
	if (rc == OC_OK)
		*out = whole;
	else
		oev_shelf_whole_free(whole);
	return rc;
}

void oev_shelf_whole_free(struct oev_shelf_whole *whole)
{
	for (unsigned i = 0; whole != NULL && i < OC_SCOPE_COUNT; i++)
		free(whole->looks[i].raw);
	free(whole);
}
