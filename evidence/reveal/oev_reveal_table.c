/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Table identity: texts that were kept clear beside their pseudonyms.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_reveal_parts.h"

#define LOOK_EVERY 4096u /* rows between two looks whether to go on */

static int kind_of(const char *word)
{
	for (int kind = 0; word != NULL && kind < OC_IDENTITY_KIND_COUNT; kind++)
		if (strcmp(word, oc_identity_kind_text((unsigned)kind)) == 0)
			return kind;
	return -1;
}

static int take_row(struct oev_reveal_run *run, sqlite3_stmt *row, oev_reveal_row_fn take)
{
	int kind = kind_of((const char *)sqlite3_column_text(row, 1));
	const char *text = sqlite3_column_blob(row, 2);
	int len = sqlite3_column_bytes(row, 2);

	if (kind < 0 || text == NULL || len <= 0)
		return OC_OK;
	return take(run, (uint64_t)sqlite3_column_int64(row, 0), (unsigned)kind, text, (size_t)len);
}

int oev_reveal_table(struct oev_reveal_run *run, sqlite3 *db, oev_reveal_row_fn take)
{
	const struct oev_reveal_options *options = &run->reveal->options;
	sqlite3_stmt *rows = NULL;
	uint64_t count = 0;
	int rc = OC_OK, step = SQLITE_ERROR;

	if (sqlite3_prepare_v2(db, "SELECT pseudonym, kind, text FROM identity", -1, &rows, NULL) !=
	    SQLITE_OK)
		return OC_EIO;
	while (rc == OC_OK && (step = sqlite3_step(rows)) == SQLITE_ROW) {
		rc = take_row(run, rows, take);
		if (rc == OC_OK && ++count % LOOK_EVERY == 0 && options->stop != NULL &&
		    options->stop(options->ctx))
			rc = OC_EINTERRUPTED;
	}
	if (rc == OC_OK && step != SQLITE_DONE)
		rc = OC_EIO;
	sqlite3_finalize(rows);
	return rc;
}

/* A text that was cut has a pseudonym of the whole, so it says nothing about the key. */
static void hold_against_key(struct oev_reveal_run *run, uint64_t pseudonym, unsigned kind, const char *text,
			     size_t len)
{
	if (run->reveal->key < OEV_REVEAL_KEY_UNKNOWN || len >= OC_IDENTITY_TEXT_MAX)
		return;
	if (oev_pseudonym(&run->pseudonyms, (enum oc_identity_kind)kind, text, len) != pseudonym)
		run->is_contradicted = true;
}

static int find_asked(struct oev_reveal_run *run, uint64_t pseudonym, unsigned kind, const char *text,
		      size_t len)
{
	struct oev_reveal *reveal = run->reveal;
	uint32_t at = oev_asked_find(&reveal->asked, text, len), place;

	reveal->identities++;
	hold_against_key(run, pseudonym, kind, text, len);
	if (at == OEV_ASKED_NONE || !reveal->options.kinds[kind])
		return OC_OK;
	struct oev_identity *identity = &reveal->asked.items[at];
	for (place = identity->traces; place != OEV_TRACE_NONE; place = reveal->traces.items[place].next) {
		struct oev_trace *trace = &reveal->traces.items[place];
		if (trace->pseudonym == pseudonym && trace->kind == kind) {
			trace->in_table = true;
			return OC_OK;
		}
	}
	int rc = oev_traces_add(&reveal->traces, pseudonym, kind, at, &identity->traces, &place);
	if (rc == OC_OK)
		reveal->traces.items[place].in_table = true;
	return rc == OC_ENOSPC ? OC_OK : rc;
}

static int read_asked(struct oev_reveal_run *run, uint32_t at, sqlite3 *db)
{
	uint64_t before = run->reveal->identities;
	int rc = oev_reveal_table(run, db, find_asked);

	run->reveal->segments[at].identities = run->reveal->identities - before;
	return rc;
}

int oev_reveal_by_table(struct oev_reveal_run *run)
{
	return oev_reveal_each(run, read_asked);
}

static int name_session(struct oev_reveal_run *run, uint64_t pseudonym, unsigned kind, const char *text,
			size_t len)
{
	struct oev_traces *sessions = &run->reveal->sessions;
	uint32_t place = OEV_TRACE_NONE;

	if (kind != OC_IDENTITY_SESSION)
		return OC_OK;
	while ((place = oev_traces_find(sessions, pseudonym, kind, place)) != OEV_TRACE_NONE) {
		struct oev_trace *session = &sessions->items[place];
		if (session->text != NULL)
			continue;
		session->text = strndup(text, len);
		if (session->text == NULL)
			return OC_ENOMEM;
		session->in_table = true;
	}
	return OC_OK;
}

static int read_sessions(struct oev_reveal_run *run, uint32_t at, sqlite3 *db)
{
	return run->reveal->segments[at].identities > 0 ? oev_reveal_table(run, db, name_session) : OC_OK;
}

/* Sessions that were asked for beside their subscriber. */
static int name_asked(struct oev_reveal *reveal)
{
	for (uint32_t i = 0; i < reveal->sessions.count; i++) {
		struct oev_trace *session = &reveal->sessions.items[i];
		uint32_t at = oev_traces_find(&reveal->traces, session->pseudonym, OC_IDENTITY_SESSION,
					      OEV_TRACE_NONE);
		if (at == OEV_TRACE_NONE)
			continue;
		session->text = strdup(reveal->asked.items[reveal->traces.items[at].owner].text);
		if (session->text == NULL)
			return OC_ENOMEM;
	}
	return OC_OK;
}

int oev_reveal_name_sessions(struct oev_reveal_run *run)
{
	int rc = name_asked(run->reveal);

	if (rc == OC_OK && run->reveal->identities > 0 && run->reveal->sessions.count > 0)
		rc = oev_reveal_each(run, read_sessions);
	return rc;
}
