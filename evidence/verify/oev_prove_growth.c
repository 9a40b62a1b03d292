/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The proof that the log of one checkpoint became that of another by additions alone.
 */
#include "../proof/oev_growth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_prove_parts.h"

#define LAST UINT64_MAX
#define SHOWN_MAX 8u

/* A checkpoint that was found. */
struct found {
	uint64_t size; /* asked for, then found; 0 the first, LAST the last */
	char *note;
	size_t len;
};

struct gathered {
	struct found older, newer;
	uint64_t sizes[SHOWN_MAX]; /* of checkpoints seen last, for those who asked for another */
	unsigned size_count;
};

static int take_size(struct oev_prover *prover, const char *text, struct found *found)
{
	char *end;

	if (strcmp(text, "first") == 0) {
		found->size = 0;
		return OC_OK;
	}
	if (strcmp(text, "last") == 0) {
		found->size = LAST;
		return OC_OK;
	}
	found->size = strtoull(text, &end, 10);
	if (text[0] >= '1' && text[0] <= '9' && *end == '\0' && found->size < LAST)
		return OC_OK;
	return oev_prove_fail(prover, OEV_VERIFY_USAGE,
			      "\"%.40s\" is neither first, last nor a number of batches", text);
}

static void replace(struct found *found, uint64_t size, const char *note, size_t len)
{
	char *copy = strdup(note);

	if (copy == NULL)
		return;
	free(found->note);
	found->note = copy;
	found->len = len;
	found->size = found->size == LAST ? LAST : size;
}

static int gather(void *ctx, const struct oev_prove_step *step)
{
	struct gathered *gathered = ctx;
	struct found *older = &gathered->older, *newer = &gathered->newer;
	uint64_t number = step->batch->number;
	char *note = NULL;
	size_t len = 0;
	int rc = oev_prove_note(step->segment, number, &note, &len);

	if (rc != OC_OK)
		return rc == OC_ENOENT ? OC_OK : rc;
	gathered->sizes[gathered->size_count++ % SHOWN_MAX] = number;
	if (older->note == NULL ? older->size == 0 || older->size == number || older->size == LAST
				: older->size == LAST)
		replace(older, number, note, len);
	if (newer->size == LAST || (newer->note == NULL && (newer->size == 0 || newer->size == number)))
		replace(newer, number, note, len);
	free(note);
	return newer->size != LAST && newer->note != NULL && older->note != NULL && older->size != LAST
		       ? OC_ENOENT
		       : OC_OK;
}

/* The last segment that begins before the older checkpoint, of the newest log; its first one for "first"
 * and "last". */
static size_t begin_at(const struct oev_prover *prover, uint64_t size)
{
	size_t first = prover->path_count - 1;

	while (first > 0 && prover->logs[first - 1] == prover->logs[prover->path_count - 1])
		first--;
	size_t at = first;
	for (size_t i = first; size != 0 && size != LAST && i < prover->path_count; i++)
		if (prover->orders[i] < size)
			at = i;
	return at;
}

static int missing(struct oev_prover *prover, const struct gathered *gathered, const char *asked)
{
	unsigned count = gathered->size_count < SHOWN_MAX ? gathered->size_count : SHOWN_MAX;
	char list[SHOWN_MAX * 22] = "none";
	size_t used = 0;

	for (unsigned i = 0; i < count; i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%" PRIu64, i > 0 ? ", " : "",
					 gathered->sizes[(gathered->size_count - count + i) % SHOWN_MAX]);
	return oev_prove_fail(prover, OEV_VERIFY_NOT_FOUND,
			      "no checkpoint of \"%.40s\" batches in %.150s; those seen last: %s", asked,
			      prover->options->path, list);
}

static int put_together(struct oev_prover *prover, const struct gathered *gathered, const struct oev_log *log,
			uint64_t old, uint64_t size)
{
	struct oev_growth growth = { .older = gathered->older.note,
				     .older_len = gathered->older.len,
				     .newer = gathered->newer.note,
				     .newer_len = gathered->newer.len,
				     .public_key = prover->public_key,
				     .public_key_len = prover->public_key_len };
	struct oev_verdict verdict = { .why = { "it cannot be written" } };

	if (oev_log_growth(log, size, old, &growth.proof) != OC_OK)
		return oev_prove_fail(
			prover, OEV_VERIFY_USAGE,
			"the checkpoint of %" PRIu64 " batches is not before the one of %" PRIu64, old, size);
	char *text = oev_growth_text(&growth);
	if (text == NULL || !oev_growth_check(text, strlen(text), NULL, &verdict)) {
		free(text);
		return oev_prove_fail(prover, OEV_VERIFY_ALTERED,
				      "that the log only grew cannot be proven: %.300s; see doic verify",
				      verdict.why.text);
	}
	prover->result->text = text;
	return OC_OK;
}

static int conclude(struct oev_prover *prover, const struct gathered *gathered, const struct oev_log *log)
{
	struct oev_checkpoint older, newer;

	if (prover->has_hole && gathered->newer.size == LAST)
		return oev_prove_fail(prover, OEV_VERIFY_GAP,
				      "batches are missing behind batch %" PRIu64 "; see doic verify",
				      log->base.size + log->count);
	if (gathered->older.note == NULL)
		return missing(prover, gathered, prover->options->older);
	if (gathered->newer.note == NULL)
		return missing(prover, gathered, prover->options->newer);
	if (oev_checkpoint_open(gathered->older.note, gathered->older.len, NULL, &older, NULL) != OC_OK ||
	    oev_checkpoint_open(gathered->newer.note, gathered->newer.len, NULL, &newer, NULL) != OC_OK)
		return oev_prove_fail(prover, OEV_VERIFY_ALTERED,
				      "a checkpoint cannot be read; see doic verify");
	prover->result->size = newer.size;
	prover->result->batch = older.size;
	prover->result->signed_us = newer.wall_us;
	return put_together(prover, gathered, log, older.size, newer.size);
}

int oev_prove_growth(struct oev_prover *prover)
{
	struct gathered gathered = { .older = { .size = 0 } };
	struct oev_log log = { .count = 0 };
	int rc = take_size(prover, prover->options->older, &gathered.older);

	if (rc == OC_OK)
		rc = take_size(prover, prover->options->newer, &gathered.newer);
	if (rc == OC_OK && gathered.newer.size < gathered.older.size && gathered.older.size != LAST &&
	    gathered.newer.size != 0)
		rc = oev_prove_fail(prover, OEV_VERIFY_USAGE,
				    "the log of %.40s batches is not before that of %.40s",
				    prover->options->older, prover->options->newer);
	if (rc == OC_OK)
		rc = oev_prove_walk(prover, begin_at(prover, gathered.older.size), &log, gather, &gathered);
	if (rc == OC_OK)
		rc = conclude(prover, &gathered, &log);
	oev_log_fini(&log);
	free(gathered.older.note);
	free(gathered.newer.note);
	return rc;
}
