/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Journal and recorder of a life on a virtual clock.
 */
#include "help_record.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_hash.h"
#include "evidence/proof/oev_key.h"
#include "evidence/store/oev_core_facts.h"

#define JOURNAL_RECORDS 65536u
#define BLOCK_MAX_MS 60000u
#define ERROR_MAX 512

/* The recorder's clocks take no argument. */
static _Atomic uint64_t now_ns;
static uint32_t segment_mib;

static uint64_t mono(void)
{
	return atomic_load(&now_ns);
}

static uint64_t wall(void)
{
	return HELP_WALL_US + atomic_load(&now_ns) / 1000;
}

void help_record_clock(uint64_t mono_ns)
{
	atomic_store(&now_ns, mono_ns);
}

void help_record_folder(char out[static HELP_FOLDER_MAX])
{
	const char *tmp = getenv("TMPDIR");

	snprintf(out, HELP_FOLDER_MAX, "%s/doic-replay-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(out))
		abort();
}

void help_record_segment_mib(uint32_t mib)
{
	segment_mib = mib;
}

static void remove_all(const char *folder, const char *prefix)
{
	char path[2 * HELP_FOLDER_MAX + 300];
	struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' || strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	if (dir)
		closedir(dir);
}

void help_record_remove(const char *folder)
{
	char path[HELP_FOLDER_MAX + 32];

	remove_all(folder, "");
	rmdir(folder);
	snprintf(path, sizeof(path), "%s.key", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s.checkpoints", folder);
	unlink(path);
}

static void complain(void *ctx, int error, const char *text)
{
	(void)ctx;
	if (error)
		fprintf(stderr, "recorder: %s\n", text);
}

static struct oev_key *open_key(const char *folder)
{
	char path[HELP_FOLDER_MAX + 8];
	struct oev_key *key = NULL;
	struct oev_why why;
	bool made;

	oev_gcrypt_ready();
	snprintf(path, sizeof(path), "%s.key", folder);
	if (oev_key_open(path, &key, &made, &why) != OC_OK) {
		fprintf(stderr, "key: %s\n", why.text);
		abort();
	}
	return key;
}

void help_record_begin(struct help_record *record, const char *folder, const struct oc_agent_conf *agent,
		       const char *policy)
{
	struct oev_core_facts facts;
	char error[ERROR_MAX] = "";
	struct oev_recorder_conf conf = { .folder = folder,
					  .node = agent->identity,
					  .realm = agent->realm,
					  .policy_text = policy,
					  .policy_version = 1,
					  .facts = facts.facts,
					  .fact_count = OEV_CORE_FACTS,
					  .segment_max_mb = segment_mib,
					  .batch_max_rows = 16384,
					  .batch_max_ms = 200,
					  .synchronous = OEV_SYNC_OFF,
					  .mono_ns = mono,
					  .wall_us = wall,
					  .log = complain };

	*record = (struct help_record){ .key = open_key(folder) };
	conf.key = record->key;
	oev_core_facts_of(agent, &facts);
	help_record_clock(agent->now_ns);
	record->journal = oev_journal_new(JOURNAL_RECORDS, OEV_FULL_BLOCK, BLOCK_MAX_MS);
	if (!record->journal ||
	    oev_recorder_start(&record->recorder, record->journal, &conf, error, sizeof(error)) != OC_OK) {
		fprintf(stderr, "recorder: %s\n", error);
		abort();
	}
}

void help_record_end(struct help_record *record)
{
	oev_recorder_stop(record->recorder);
	oev_journal_free(record->journal);
	oev_key_free(record->key);
	*record = (struct help_record){ 0 };
}

void help_record_event(void *ctx, const struct oc_event *event)
{
	struct help_record *record = ctx;

	if (record->watch)
		record->watch(record->watch_ctx, event);
	if (record->journal)
		oev_journal_emit(record->journal, event);
}
