/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A journal in a file, for tests.
 */
#include "help_journal.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"

void help_journal_set_up(struct help_journal *h)
{
	*h = (struct help_journal){ 0 };
	help_folder_make(h->folder);
	snprintf(h->path, sizeof(h->path), "%s/" OEV_JOURNAL_FILE, h->folder);
}

void help_journal_tear_down(struct help_journal *h)
{
	help_journal_close(h);
	help_folder_remove(h->folder);
}

int help_journal_open(struct help_journal *h, uint32_t records)
{
	struct oev_journal_conf conf = { .path = h->path, .records = records, .when_full = OEV_FULL_GAP };
	int rc = oev_journal_open(&h->journal, &conf, h->error, sizeof(h->error));

	if (rc == OC_OK)
		oev_journal_recovered(h->journal, &h->left);
	return rc;
}

void help_journal_begin(struct help_journal *h)
{
	struct oev_journal_life life = {
		.run_id = HELP_RUN, .started_us = 111, .offset_us = -222, .segment = "seg-a.db"
	};

	CU_ASSERT_EQUAL(oev_journal_begin(h->journal, &life, h->error, sizeof(h->error)), OC_OK);
}

void help_journal_append(struct help_journal *h, uint64_t from, uint64_t to)
{
	struct oc_event event = { .kind = OC_EVENT_OUTCOME };

	for (uint64_t id = from; id <= to; id++) {
		event.u.outcome.id = id;
		CU_ASSERT_EQUAL(oev_journal_append(h->journal, &event), OC_OK);
	}
}

void help_journal_close(struct help_journal *h)
{
	oev_journal_free(h->journal);
	h->journal = NULL;
}

void help_journal_leave(struct help_journal *h, uint32_t records, uint64_t events, uint32_t popped)
{
	CU_ASSERT_EQUAL_FATAL(help_journal_open(h, records), OC_OK);
	help_journal_begin(h);
	help_journal_append(h, 1, events);
	oev_journal_pop_n(h->journal, popped);
	help_journal_close(h);
}

struct oev_ring *help_journal_map(struct help_journal *h, size_t *octets)
{
	struct stat found;
	int fd = open(h->path, O_RDWR | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &found) != 0)
		abort();
	*octets = (size_t)found.st_size;
	void *at = mmap(NULL, *octets, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		abort();
	close(fd);
	return at;
}

void help_journal_unmap(struct oev_ring *ring, size_t octets)
{
	munmap(ring, octets);
}

bool help_journal_drains(struct help_journal *h, uint64_t from, uint64_t to, uint32_t batch)
{
	const struct oc_event *event;
	uint64_t next = from;
	uint32_t n;

	do {
		for (n = 0; n < batch && (event = oev_journal_peek_at(h->journal, n)) != NULL; n++)
			if (event->kind != OC_EVENT_OUTCOME || event->u.outcome.id != next++)
				return false;
		oev_journal_pop_n(h->journal, n);
	} while (n > 0);
	return next == to + 1 && oev_journal_fill(h->journal) == 0;
}

unsigned help_journal_files(const struct help_journal *h)
{
	struct dirent *entry;
	DIR *folder = opendir(h->folder);
	unsigned files = 0;

	while (folder && (entry = readdir(folder)) != NULL)
		files += entry->d_name[0] != '.';
	if (folder)
		closedir(folder);
	return files;
}
