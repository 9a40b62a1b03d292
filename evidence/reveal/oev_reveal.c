/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The order of it: key, segments, pseudonyms, decisions; and the verdict.
 */
#include "oev_reveal.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_reveal_parts.h"

static bool has_key(const struct oev_reveal *reveal)
{
	return reveal->key == OEV_REVEAL_KEY_UNKNOWN || reveal->key == OEV_REVEAL_KEY_SAME;
}

/* Every identity that was named, once. */
static int take_asked(struct oev_reveal *reveal)
{
	const struct oev_reveal_options *options = &reveal->options;
	struct oev_candidates candidates;
	const char *text;
	size_t len;
	int rc = oev_candidates_open(&candidates, options->words, options->word_count, options->list,
				     reveal->error, sizeof(reveal->error));

	while (rc == OC_OK) {
		rc = oev_candidates_next(&candidates, &text, &len, reveal->error, sizeof(reveal->error));
		if (rc == OC_OK)
			rc = oev_asked_add(&reveal->asked, text, len, OEV_REVEAL_IDENTITIES_MAX);
	}
	reveal->candidates = candidates.count;
	oev_candidates_close(&candidates);
	if (rc == OC_ENOSPC)
		snprintf(reveal->error, sizeof(reveal->error),
			 "more than %u identities at once; split the list", OEV_REVEAL_IDENTITIES_MAX);
	else if (rc == OC_ENOENT && reveal->asked.count == 0 && reveal->error[0] == '\0')
		snprintf(reveal->error, sizeof(reveal->error), "the list is empty");
	return rc == OC_ENOENT && reveal->asked.count > 0 ? OC_OK : rc;
}

/* What stands for them under the key. */
static int make_pseudonyms(struct oev_reveal_run *run)
{
	struct oev_reveal *reveal = run->reveal;
	uint32_t place;
	int rc = OC_OK;

	for (uint32_t i = 0; i < reveal->asked.count; i++) {
		struct oev_identity *identity = &reveal->asked.items[i];
		for (unsigned kind = 0; rc == OC_OK && kind < OC_IDENTITY_KIND_COUNT; kind++)
			if (reveal->options.kinds[kind])
				rc = oev_traces_add(&reveal->traces,
						    oev_pseudonym(&run->pseudonyms,
								  (enum oc_identity_kind)kind, identity->text,
								  identity->len),
						    kind, i, &identity->traces, &place);
	}
	return rc;
}

static int forward(struct oev_reveal_run *run)
{
	int rc = has_key(run->reveal) ? make_pseudonyms(run) : OC_OK;

	if (rc == OC_OK)
		rc = oev_reveal_by_table(run);
	if (rc == OC_OK && run->reveal->traces.count > 0)
		rc = oev_reveal_scan(run);
	for (uint32_t i = 0; i < run->reveal->traces.count; i++)
		oev_traces_reverse(&run->reveal->sessions, &run->reveal->traces.items[i].sessions);
	return rc == OC_OK ? oev_reveal_name_sessions(run) : rc;
}

static bool is_whole(const struct oev_reveal *reveal)
{
	for (size_t i = 0; i < reveal->segment_count; i++)
		if (reveal->segments[i].why[0] != '\0')
			return false;
	return true;
}

static enum oev_reveal_outcome absent(const struct oev_reveal *reveal)
{
	return reveal->key == OEV_REVEAL_KEY_SAME && is_whole(reveal) && reveal->error[0] == '\0'
		       ? OEV_REVEAL_NOT_FOUND
		       : OEV_REVEAL_CANNOT_TELL;
}

enum oev_reveal_outcome oev_reveal_of(const struct oev_reveal *reveal, const struct oev_identity *identity)
{
	for (uint32_t at = identity->traces; at != OEV_TRACE_NONE; at = reveal->traces.items[at].next) {
		const struct oev_trace *trace = &reveal->traces.items[at];
		if (trace->decisions > 0 || trace->in_table)
			return OEV_REVEAL_FOUND;
	}
	return absent(reveal);
}

/* None of the candidates is a definite no of the candidates alone, whatever could be read of the folder. */
enum oev_reveal_outcome oev_reveal_of_answer(const struct oev_reveal *reveal,
					     const struct oev_reveal_answer *answer)
{
	if (answer->text != NULL)
		return OEV_REVEAL_FOUND;
	return reveal->key == OEV_REVEAL_KEY_SAME && reveal->error[0] == '\0' && reveal->candidates > 0
		       ? OEV_REVEAL_NOT_FOUND
		       : OEV_REVEAL_CANNOT_TELL;
}

/* 1 beats 3, and 3 beats 0. */
static enum oev_reveal_outcome worse(enum oev_reveal_outcome a, enum oev_reveal_outcome b)
{
	static const int rank[] = {
		[OEV_REVEAL_FOUND] = 0, [OEV_REVEAL_CANNOT_TELL] = 1, [OEV_REVEAL_NOT_FOUND] = 2
	};

	return rank[a] >= rank[b] ? a : b;
}

static enum oev_reveal_outcome verdict(const struct oev_reveal *reveal)
{
	enum oev_reveal_outcome outcome = OEV_REVEAL_FOUND;

	for (size_t i = 0; i < reveal->answer_count; i++)
		outcome = worse(outcome, oev_reveal_of_answer(reveal, &reveal->answers[i]));
	for (uint32_t i = 0; i < reveal->asked.count; i++)
		outcome = worse(outcome, oev_reveal_of(reveal, &reveal->asked.items[i]));
	return outcome;
}

static bool reads_none(const struct oev_reveal *reveal)
{
	for (size_t i = 0; i < reveal->segment_count; i++)
		if (reveal->segments[i].why[0] == '\0' || reveal->segments[i].decisions > 0)
			return false;
	return true;
}

/* What could not be said, in the sentence that goes with CANNOT_TELL. */
static void explain(struct oev_reveal_run *run)
{
	struct oev_reveal *reveal = run->reveal;

	if (run->is_contradicted && reveal->error[0] == '\0')
		snprintf(reveal->error, sizeof(reveal->error),
			 "table identity has other pseudonyms than this key gives");
	for (size_t i = 0; reveal->error[0] == '\0' && i < reveal->segment_count; i++)
		if (reveal->segments[i].why[0] != '\0')
			snprintf(reveal->error, sizeof(reveal->error), "%s: %s", reveal->segments[i].name,
				 reveal->segments[i].why);
	if (reveal->error[0] == '\0' && reveal->answer_count > 0 && reveal->candidates == 0)
		snprintf(reveal->error, sizeof(reveal->error),
			 "table identity has no text for it; name candidates (--list)");
}

static void judge(struct oev_reveal_run *run, int rc)
{
	static const struct {
		int rc;
		enum oev_reveal_outcome outcome;
	} failures[] = { { OC_ENOENT, OEV_REVEAL_UNUSABLE },	     { OC_EIO, OEV_REVEAL_UNUSABLE },
			 { OC_EREFUSED, OEV_REVEAL_UNUSABLE },	     { OC_EMALFORMED, OEV_REVEAL_UNUSABLE },
			 { OC_EVERSION, OEV_REVEAL_UNUSABLE },	     { OC_ENOSPC, OEV_REVEAL_USAGE },
			 { OC_EINTERRUPTED, OEV_REVEAL_INTERRUPTED } };
	struct oev_reveal *reveal = run->reveal;

	reveal->outcome = OEV_REVEAL_BUG;
	if (rc == OC_OK) {
		explain(run);
		reveal->outcome = reads_none(reveal) ? OEV_REVEAL_UNUSABLE : verdict(reveal);
		if (reveal->outcome == OEV_REVEAL_FOUND)
			reveal->error[0] = '\0';
		return;
	}
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		if (failures[i].rc == rc)
			reveal->outcome = failures[i].outcome;
	if (reveal->error[0] == '\0')
		snprintf(reveal->error, sizeof(reveal->error), "%s", oc_err_text(rc));
}

static int prepare_answers(struct oev_reveal *reveal)
{
	const struct oev_reveal_options *options = &reveal->options;

	if (options->pseudonym_count == 0)
		return OC_OK;
	reveal->answers = calloc(options->pseudonym_count, sizeof(*reveal->answers));
	if (reveal->answers == NULL)
		return OC_ENOMEM;
	reveal->answer_count = options->pseudonym_count;
	for (size_t i = 0; i < reveal->answer_count; i++)
		reveal->answers[i].pseudonym = options->pseudonyms[i];
	return OC_OK;
}

void oev_reveal_run(struct oev_reveal *out, const struct oev_reveal_options *options)
{
	struct oev_reveal_run run = { .reveal = out };
	int rc;

	*out = (struct oev_reveal){ .options = *options };
	oev_traces_init(&out->traces, 2 * OC_IDENTITY_KIND_COUNT * OEV_REVEAL_IDENTITIES_MAX);
	oev_traces_init(&out->sessions, OEV_REVEAL_SESSIONS_MAX);
	rc = oev_reveal_list(&run);
	if (rc == OC_OK)
		rc = oev_reveal_take_key(&run);
	if (rc == OC_OK)
		rc = prepare_answers(out);
	if (rc == OC_OK && out->answer_count == 0)
		rc = take_asked(out);
	if (rc == OC_OK)
		rc = out->answer_count > 0 ? oev_reveal_backward(&run) : forward(&run);
	judge(&run, rc);
	oev_pseudonyms_fini(&run.pseudonyms);
}

void oev_reveal_fini(struct oev_reveal *reveal)
{
	for (size_t i = 0; i < reveal->segment_count; i++)
		free(reveal->segments[i].path);
	for (size_t i = 0; i < reveal->answer_count; i++)
		free(reveal->answers[i].text);
	free(reveal->segments);
	free(reveal->answers);
	oev_asked_fini(&reveal->asked);
	oev_traces_fini(&reveal->traces);
	oev_traces_fini(&reveal->sessions);
	*reveal = (struct oev_reveal){ 0 };
}
