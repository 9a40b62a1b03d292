/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The life of a journal: opened, drained, begun, given up. At every moment of it the file under the journal's name is either a
 * ring with all that waits in it, or one in which nothing waits.
 */
#include "oev_journal_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"

#define SEGMENT_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

static int complain(char *error, size_t size, int err, const char *text)
{
	snprintf(error, size, "%s", text);
	return err;
}

static void take_ring(struct oev_journal *journal, struct oev_ring *ring, uint32_t records)
{
	journal->ring = ring;
	journal->mask = records - 1u;
}

/* Empties @journal->ring. A kill on the way leaves a ring that says it is empty. */
static void reset(struct oev_journal *journal)
{
	struct oev_ring *ring = journal->ring;

	atomic_store(&ring->state, OEV_RING_EMPTY);
	for (uint64_t i = 0; i <= journal->mask; i++)
		atomic_store_explicit(&ring->slots[i].word, 0, memory_order_relaxed);
	oev_ring_reset_positions(ring);
	journal->is_draining = false;
	journal->tended_at = 0;
}

static void let_in(struct oev_journal *journal)
{
	atomic_store(&journal->ring->state, OEV_RING_LIVE);
	atomic_store(&journal->stalled, false);
	journal->room = journal->mask + 1;
}

static int make_ring(struct oev_journal *journal, char *error, size_t error_size)
{
	struct oev_ring *ring;
	int rc = oev_journal_file_make(journal->path, journal->records, &ring, error, error_size);

	if (rc != OC_OK)
		return rc;
	if (journal->ring)
		oev_ring_free(journal->ring, (uint32_t)journal->mask + 1);
	take_ring(journal, ring, journal->records);
	reset(journal);
	return OC_OK;
}

static int open_memory(struct oev_journal *journal, char *error, size_t error_size)
{
	struct oev_ring *ring = oev_ring_new(journal->records);

	if (!ring)
		return complain(error, error_size, OC_ENOMEM, "out of memory");
	take_ring(journal, ring, journal->records);
	let_in(journal);
	return OC_OK;
}

static int open_file(struct oev_journal *journal, char *error, size_t error_size)
{
	struct oev_journal_left *left = &journal->left;
	struct oev_ring *ring = NULL;
	int rc = oev_journal_file_lock(journal->path, &journal->lock, error, error_size);

	if (rc == OC_OK)
		rc = oev_journal_file_load(journal->path, &ring, &left->why, error, error_size);
	if (rc == OC_OK) {
		take_ring(journal, ring, ring->kind.records);
		oev_drain_start(journal);
		return OC_OK;
	}
	if (rc == OC_EMALFORMED) {
		rc = oev_journal_file_aside(journal->path, "unreadable", left->aside, error, error_size);
		if (rc != OC_OK)
			return rc;
		rc = OC_ENOENT;
	}
	return rc == OC_ENOENT ? make_ring(journal, error, error_size) : rc;
}

static struct oev_journal *journal_new(const struct oev_journal_conf *conf)
{
	struct oev_journal *journal = aligned_alloc(OEV_LINE_PAIR, sizeof(*journal));

	if (!journal)
		return NULL;
	memset(journal, 0, sizeof(*journal));
	journal->when_full = conf->when_full;
	journal->block_max_ns = (uint64_t)conf->block_max_ms * 1000000u;
	journal->records = conf->records;
	journal->lock = -1;
	journal->left.why = "";
	if (conf->path)
		snprintf(journal->path, sizeof(journal->path), "%s", conf->path);
	return journal;
}

int oev_journal_open(struct oev_journal **out, const struct oev_journal_conf *conf, char *error,
		     size_t error_size)
{
	*out = NULL;
	if (!oev_ring_records_allowed(conf->records))
		return complain(error, error_size, OC_EINVAL,
				"journal: records must be a power of two, 64..16777216");
	if (conf->path && (!*conf->path || strlen(conf->path) >= OEV_JOURNAL_PATH_MAX))
		return complain(error, error_size, OC_EINVAL, "journal: the path is empty or too long");
	struct oev_journal *journal = journal_new(conf);
	if (!journal)
		return complain(error, error_size, OC_ENOMEM, "out of memory");
	int rc = conf->path ? open_file(journal, error, error_size) : open_memory(journal, error, error_size);
	if (rc == OC_OK)
		*out = journal;
	else
		oev_journal_free(journal);
	return rc;
}

struct oev_journal *oev_journal_new(uint32_t records, enum oev_full when_full, uint32_t block_max_ms)
{
	struct oev_journal_conf conf = { .records = records,
					 .when_full = when_full,
					 .block_max_ms = block_max_ms };
	struct oev_journal *journal;
	char error[64];

	(void)oev_journal_open(&journal, &conf, error, sizeof(error));
	return journal;
}

/* Whether the file has told everything: what was left is drained by then, or it is looked at again. */
static bool is_done(const struct oev_journal *journal)
{
	return journal->ring && !journal->is_draining && oev_journal_fill(journal) == 0 &&
	       oev_journal_gap_total(journal) == atomic_load(&journal->ring->gap_stored);
}

void oev_journal_free(struct oev_journal *journal)
{
	if (!journal)
		return;
	if (journal->lock >= 0 && is_done(journal))
		unlink(journal->path);
	if (journal->ring)
		oev_ring_free(journal->ring, (uint32_t)journal->mask + 1);
	oev_journal_file_unlock(journal->path, journal->lock);
	free(journal);
}

int oev_journal_set_aside(struct oev_journal *journal, char *aside, size_t size)
{
	char moved[OEV_JOURNAL_PATH_MAX];
	int rc = oev_journal_file_aside(journal->path, "undrained", moved, aside, size);

	if (rc == OC_OK)
		rc = make_ring(journal, aside, size);
	if (rc == OC_OK)
		snprintf(aside, size, "%s", moved);
	return rc;
}

bool oev_journal_segment_allowed(const char name[static OEV_JOURNAL_SEGMENT_MAX])
{
	size_t len = strnlen(name, OEV_JOURNAL_SEGMENT_MAX);

	return len < OEV_JOURNAL_SEGMENT_MAX && name[0] != '.' && strspn(name, SEGMENT_CHARACTERS) == len;
}

int oev_journal_note_segment(struct oev_journal *journal, const char *name)
{
	struct oev_ring *ring = journal->ring;
	char copy[OEV_JOURNAL_SEGMENT_MAX] = "";
	uint32_t next = !atomic_load_explicit(&ring->segment_now, memory_order_relaxed);

	if (snprintf(copy, sizeof(copy), "%s", name) >= (int)sizeof(copy) ||
	    !oev_journal_segment_allowed(copy))
		return OC_ERANGE;
	memcpy(ring->segment[next], copy, sizeof(copy));
	atomic_store_explicit(&ring->segment_now, next, memory_order_release);
	return OC_OK;
}

void oev_journal_note_clock(struct oev_journal *journal, int64_t offset_us)
{
	atomic_store_explicit(&journal->ring->offset_us, offset_us, memory_order_relaxed);
}

/* An empty ring of the wanted size, in place or anew. */
static int empty_ring(struct oev_journal *journal, char *error, size_t error_size)
{
	if (journal->lock >= 0 && journal->mask + 1 != journal->records)
		return make_ring(journal, error, error_size);
	reset(journal);
	return OC_OK;
}

int oev_journal_begin(struct oev_journal *journal, const struct oev_journal_life *life, char *error,
		      size_t error_size)
{
	if (oev_journal_fill(journal) > 0)
		return complain(error, error_size, OC_EBUSY,
				"journal: events of an earlier run are waiting to be drained");
	journal->room = 0;
	int rc = empty_ring(journal, error, error_size);
	if (rc != OC_OK)
		return rc;
	if (oev_journal_note_segment(journal, life->segment ? life->segment : "") != OC_OK)
		return complain(error, error_size, OC_ERANGE, "journal: this is no name of a segment");
	oev_journal_note_clock(journal, life->offset_us);
	journal->ring->run_id = life->run_id;
	journal->ring->started_us = life->started_us;
	journal->ring->pid = (uint32_t)getpid();
	let_in(journal);
	return OC_OK;
}
