/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From pseudonyms to identities: table identity, then candidates, one after the other, until all are known.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_reveal_parts.h"

#define LOOK_EVERY 65536u /* candidates between two signs of life */

/* @text answers for @pseudonym as an identity of @kind. */
static int answer(struct oev_reveal *reveal, uint64_t pseudonym, unsigned kind, const char *text, size_t len,
		  bool in_table)
{
	for (size_t i = 0; i < reveal->answer_count; i++) {
		struct oev_reveal_answer *at = &reveal->answers[i];
		if (at->pseudonym != pseudonym || at->text != NULL)
			continue;
		at->text = strndup(text, len);
		if (at->text == NULL)
			return OC_ENOMEM;
		at->kind = (uint8_t)kind;
		at->in_table = in_table;
	}
	return OC_OK;
}

static int take_row(struct oev_reveal_run *run, uint64_t pseudonym, unsigned kind, const char *text,
		    size_t len)
{
	run->reveal->identities++;
	if (!run->reveal->options.kinds[kind])
		return OC_OK;
	return answer(run->reveal, pseudonym, kind, text, len, true);
}

static int read_table(struct oev_reveal_run *run, uint32_t at, sqlite3 *db)
{
	(void)at;
	return oev_reveal_table(run, db, take_row);
}

static bool are_known(const struct oev_reveal *reveal)
{
	for (size_t i = 0; i < reveal->answer_count; i++)
		if (reveal->answers[i].text == NULL)
			return false;
	return true;
}

static int try_candidate(struct oev_reveal_run *run, const char *text, size_t len)
{
	struct oev_reveal *reveal = run->reveal;
	int rc = OC_OK;

	for (unsigned kind = 0; rc == OC_OK && kind < OC_IDENTITY_KIND_COUNT; kind++)
		if (reveal->options.kinds[kind])
			rc = answer(reveal,
				    oev_pseudonym(&run->pseudonyms, (enum oc_identity_kind)kind, text, len),
				    kind, text, len, false);
	return rc;
}

/* Reads candidates as long as a pseudonym is not known. */
static int try_all(struct oev_reveal_run *run, struct oev_candidates *candidates)
{
	struct oev_reveal *reveal = run->reveal;
	const struct oev_reveal_options *options = &reveal->options;
	const char *text;
	size_t len;
	int rc = OC_OK;

	while (rc == OC_OK && !are_known(reveal)) {
		rc = oev_candidates_next(candidates, &text, &len, reveal->error, sizeof(reveal->error));
		if (rc == OC_OK)
			rc = try_candidate(run, text, len);
		if (rc != OC_OK || candidates->count % LOOK_EVERY != 0)
			continue;
		if (options->progress != NULL)
			options->progress(options->ctx, candidates->count, 0);
		if (options->stop != NULL && options->stop(options->ctx))
			rc = OC_EINTERRUPTED;
	}
	reveal->candidates = candidates->count;
	return rc == OC_ENOENT ? OC_OK : rc;
}

int oev_reveal_backward(struct oev_reveal_run *run)
{
	struct oev_reveal *reveal = run->reveal;
	const struct oev_reveal_options *options = &reveal->options;
	struct oev_candidates candidates;
	int rc = oev_reveal_each(run, read_table);

	if (rc != OC_OK || reveal->key < OEV_REVEAL_KEY_UNKNOWN || reveal->key == OEV_REVEAL_KEY_FOREIGN)
		return rc;
	rc = oev_candidates_open(&candidates, options->words, options->word_count, options->list,
				 reveal->error, sizeof(reveal->error));
	if (rc == OC_OK)
		rc = try_all(run, &candidates);
	oev_candidates_close(&candidates);
	return rc;
}
