/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Folders, keys, recorders and requests of such lives.
 */
#include "help_life.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_query.h"
#include "evidence/reveal/oev_pseudonym.h"

#define MONO_START_NS 5000000000ull

const char *const help_imsis[] = { "001011234567890", "001011234567891", NULL };

static char other_path[192];
static _Atomic uint64_t wall_start_us;
static _Atomic uint64_t now_ns;

static uint64_t told_mono_ns(void)
{
	return atomic_load(&now_ns);
}

static uint64_t told_wall_us(void)
{
	return atomic_load(&wall_start_us) + (atomic_load(&now_ns) - MONO_START_NS) / 1000;
}

void help_remove(const char *path)
{
	char file[2 * HELP_PATH_MAX];
	const struct dirent *entry;
	DIR *folder = opendir(path);

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(file) != 0)
			help_remove(file);
	}
	if (folder != NULL)
		closedir(folder);
	rmdir(path);
}

void help_life_make(struct help_life *life)
{
	const char *tmp = getenv("TMPDIR");
	struct oev_key *other;
	struct oev_why why;
	bool made;

	*life = (struct help_life){ .next_id = 1 };
	snprintf(life->base, sizeof(life->base), "%s/doic-reveal-XXXXXX", tmp != NULL ? tmp : "/tmp");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(life->base));
	snprintf(life->folder, sizeof(life->folder), "%s/e", life->base);
	snprintf(life->key_path, sizeof(life->key_path), "%s/e.key", life->base);
	CU_ASSERT_EQUAL_FATAL(oev_key_open(life->key_path, &life->key, &made, &why), OC_OK);
	snprintf(life->other_path, sizeof(life->other_path), "%s/other.key", life->base);
	CU_ASSERT_EQUAL_FATAL(oev_key_open(life->other_path, &other, &made, &why), OC_OK);
	oev_key_free(other);
	memcpy(other_path, life->other_path, sizeof(other_path));
}

void help_life_remove(struct help_life *life)
{
	oev_key_free(life->key);
	help_remove(life->base);
}

void help_life_begin(struct help_life *life, uint64_t after_s)
{
	const struct oev_recorder_conf conf = { .folder = life->folder,
						.node = "dra1.example.net",
						.realm = "example.net",
						.policy_text = "mode: enforce\n",
						.policy_version = 1,
						.key = life->key,
						.batch_max_rows = 500,
						.batch_max_ms = 5,
						.mono_ns = told_mono_ns,
						.wall_us = told_wall_us };
	char error[512] = "";

	atomic_store(&wall_start_us, HELP_WALL_US + after_s * 1000000);
	atomic_store(&now_ns, MONO_START_NS);
	life->next_id = 1;
	life->journal = oev_journal_new(1 << 14, OEV_FULL_BLOCK, 10000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(life->journal);
	CU_ASSERT_EQUAL_FATAL(oev_recorder_start(&life->recorder, life->journal, &conf, error, sizeof(error)),
			      OC_OK);
}

void help_life_end(struct help_life *life)
{
	oev_recorder_stop(life->recorder);
	oev_journal_free(life->journal);
}

/* The pseudonym of @text, which is told in clear beside it when the life says so. */
static uint64_t pseudonym_of(struct help_life *life, unsigned kind, const char *text)
{
	struct oev_pseudonyms pseudonyms;
	struct oc_event event = { .kind = OC_EVENT_IDENTITY, .mono_ns = told_mono_ns() };

	if (text == NULL)
		return 0;
	oev_pseudonyms_init(&pseudonyms, life->key);
	event.u.identity.pseudonym =
		oev_pseudonym(&pseudonyms, (enum oc_identity_kind)kind, text, strlen(text));
	event.u.identity.kind = (uint8_t)kind;
	event.u.identity.len = (uint8_t)strlen(text);
	memcpy(event.u.identity.text, text, strlen(text));
	if (life->is_clear)
		oev_journal_append(life->journal, &event);
	return event.u.identity.pseudonym;
}

uint64_t help_life_request(struct help_life *life, const char *session, const char *subscriber,
			   enum oc_verdict verdict)
{
	struct oc_event event = { .kind = OC_EVENT_DECISION };
	struct oc_decision *d = &event.u.decision;

	atomic_fetch_add(&now_ns, 1000000000u);
	d->session_hash = pseudonym_of(life, OC_IDENTITY_SESSION, session);
	d->subscriber_hash = pseudonym_of(life, OC_IDENTITY_SUBSCRIBER, subscriber);
	event.mono_ns = told_mono_ns();
	d->id = life->next_id++;
	d->at_ns = event.mono_ns;
	d->app_id = 16777238;
	d->command = 272;
	d->drmp = OC_DRMP_NONE;
	d->verdict = (uint8_t)verdict;
	d->result_code = verdict == OC_REFUSE ? 3004 : 0;
	CU_ASSERT_EQUAL(oev_journal_append(life->journal, &event), OC_OK);
	return d->id;
}

void help_life_record(struct help_life *life)
{
	help_life_begin(life, 0);
	help_life_request(life, NULL, NULL, OC_FORWARD);
	help_life_request(life, HELP_SESSION_1, help_imsis[0], OC_FORWARD);
	help_life_request(life, HELP_SESSION_1, help_imsis[0], OC_REFUSE);
	help_life_request(life, "c1.visited.example;9;9", "001019999999999", OC_REFUSE);
	help_life_end(life);
	help_life_begin(life, 3600);
	help_life_request(life, HELP_SESSION_2, help_imsis[0], OC_DIVERT);
	help_life_end(life);
}

void help_reveal(const struct help_life *life, const char *const *words,
		 void (*change)(struct oev_reveal_options *options), struct oev_reveal *out)
{
	struct oev_reveal_options options = { .path = life->folder, .words = words, .kinds = { true, true } };

	while (words != NULL && words[options.word_count] != NULL)
		options.word_count++;
	if (change != NULL)
		change(&options);
	oev_reveal_run(out, &options);
}

void help_with_other_key(struct oev_reveal_options *options)
{
	options->key_path = other_path;
}

const struct oev_trace *help_trace(const struct oev_reveal *reveal, const char *word, unsigned kind)
{
	uint32_t at = oev_asked_find(&reveal->asked, word, strlen(word));

	if (at == OEV_ASKED_NONE)
		return NULL;
	for (at = reveal->asked.items[at].traces; at != OEV_TRACE_NONE; at = reveal->traces.items[at].next)
		if (reveal->traces.items[at].kind == kind)
			return &reveal->traces.items[at];
	return NULL;
}

void help_life_sql(const struct help_life *life, const char *sql)
{
	char **paths = NULL, seal[2 * HELP_PATH_MAX];
	size_t count = 0;
	sqlite3 *db = NULL;

	CU_ASSERT_EQUAL(oev_paths_list(life->folder, "seg-", ".db", &paths, &count), OC_OK);
	for (size_t i = 0; i < count; i++) {
		snprintf(seal, sizeof(seal), "%s.seal", paths[i]);
		unlink(seal);
		chmod(paths[i], 0644);
		CU_ASSERT_EQUAL(sqlite3_open(paths[i], &db), SQLITE_OK);
		CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
	}
	oev_paths_free(paths, count);
}
