/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where the sorted arrays lie: one mapping, the head in front.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_run.h"

#define MAGIC "doicidx2"
#define MODE 0600
#define COUNT_MAX (1ull << 32) /* what 32 bits count */

static size_t size_of(const struct oev_shelf_run_head *head)
{
	return sizeof(*head) + head->entries * sizeof(struct oev_shelf_entry) +
	       (head->hits + head->entries + head->known + head->places) * sizeof(uint32_t);
}

static void spread(struct oev_shelf_run *run)
{
	run->head = run->map;
	run->entries = (const void *)(run->head + 1);
	run->hits = (const void *)(run->entries + run->head->entries);
	run->by_last = run->hits + run->head->hits;
	run->by_subscriber = run->by_last + run->head->entries;
	run->places = run->by_subscriber + run->head->known;
}

/* Eight octets at a time; the size is a multiple of four. */
static uint64_t checksum(const struct oev_shelf_run *run)
{
	const size_t skip = offsetof(struct oev_shelf_run_head, segment);
	const char *at = (const char *)run->map + skip;
	uint64_t hash = OEV_SHELF_HASH_FIRST ^ run->size, word;
	size_t left = run->size - skip;

	for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
		hash ^= hash >> 29;
	}
	return oev_shelf_hash(hash, at, left);
}

static int open_new(const char *path, size_t size)
{
	char made[OEV_SHELF_PATH_MAX + 8];

	snprintf(made, sizeof(made), "%s.tmp", path);
	unlink(made);
	int fd = open(made, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
	if (fd >= 0 &&
	    posix_fallocate(fd, 0, (off_t)size) != 0) { /* a full disk shows here, not as a signal */
		close(fd);
		unlink(made);
		return -1;
	}
	return fd;
}

int oev_shelf_run_new(struct oev_shelf_run **out, const struct oev_shelf_run_head *head, const char *path)
{
	struct oev_shelf_run *run = calloc(1, sizeof(*run));
	size_t size = size_of(head);
	int fd = path != NULL ? open_new(path, size) : -1;

	*out = NULL;
	if (run == NULL || (path != NULL && fd < 0)) {
		if (fd >= 0)
			close(fd);
		free(run);
		return run == NULL ? OC_ENOMEM : OC_EIO;
	}
	run->map = mmap(NULL, size, PROT_READ | PROT_WRITE,
			fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	if (fd >= 0)
		close(fd);
	if (run->map == MAP_FAILED) {
		free(run);
		return OC_ENOMEM;
	}
	run->refs = 1;
	run->size = size;
	memcpy(run->map, head, sizeof(*head));
	memcpy(((struct oev_shelf_run_head *)run->map)->magic, MAGIC, 8); /* NOLINT: octets, no text */
	spread(run);
	*out = run;
	return OC_OK;
}

int oev_shelf_run_seal(struct oev_shelf_run *run, const char *path)
{
	char made[OEV_SHELF_PATH_MAX + 8];

	((struct oev_shelf_run_head *)run->map)->checksum = checksum(run);
	if (path == NULL)
		return OC_OK;
	snprintf(made, sizeof(made), "%s.tmp", path);
	return rename(made, path) == 0 ? OC_OK : OC_EIO;
}

/* Whether it is what we made of @part from decision @first on. */
static bool is_of(const struct oev_shelf_run *run, const struct oev_shelf_part *part, uint64_t first)
{
	const struct oev_shelf_run_head *head = run->map;

	return memcmp(head->magic, MAGIC, 8) == 0 && head->entries < COUNT_MAX && head->hits < COUNT_MAX &&
	       head->known <= head->entries &&
	       (head->places == 0 || head->places == head->last - head->first + 1) &&
	       head->places < COUNT_MAX && size_of(head) == run->size && head->first >= first &&
	       head->last >= head->first && head->last <= part->facts.last_decision &&
	       head->run_key == part->run_key &&
	       strncmp(head->segment, part->facts.name, sizeof(head->segment)) == 0 &&
	       strncmp(head->sha256, part->facts.sha256, sizeof(head->sha256)) == 0 &&
	       head->checksum == checksum(run);
}

int oev_shelf_run_load(struct oev_shelf_run **out, const struct oev_shelf_part *part, uint64_t first,
		       const char *path)
{
	struct oev_shelf_run *run = calloc(1, sizeof(*run));
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), rc = OC_OK;
	struct stat info;

	*out = NULL;
	if (run == NULL)
		rc = OC_ENOMEM;
	else if (fd < 0)
		rc = OC_ENOENT;
	else if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
		 (size_t)info.st_size < sizeof(struct oev_shelf_run_head))
		rc = OC_EMALFORMED;
	if (rc == OC_OK) {
		run->refs = 1;
		run->size = (size_t)info.st_size;
		run->map = mmap(NULL, run->size, PROT_READ, MAP_SHARED, fd, 0);
		rc = run->map == MAP_FAILED ? OC_ENOMEM : is_of(run, part, first) ? OC_OK : OC_EMALFORMED;
		if (run->map != MAP_FAILED && rc != OC_OK)
			munmap(run->map, run->size);
	}
	if (fd >= 0)
		close(fd);
	if (rc != OC_OK) {
		free(run);
		return rc;
	}
	spread(run);
	*out = run;
	return OC_OK;
}

void oev_shelf_run_put(struct oev_shelf_run *run)
{
	if (run == NULL || atomic_fetch_sub(&run->refs, 1) != 1)
		return;
	munmap(run->map, run->size);
	free(run);
}

const struct oev_shelf_entry *oev_shelf_run_find(const struct oev_shelf_run *run, uint64_t session)
{
	size_t low = 0, high = run->head->entries;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (run->entries[mid].session == session)
			return &run->entries[mid];
		if (run->entries[mid].session < session)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

uint64_t oev_shelf_run_hit(const struct oev_shelf_run *run, const struct oev_shelf_entry *entry, uint32_t i)
{
	uint64_t at = (uint64_t)entry->at + i;

	return at < run->head->hits ? run->head->first + run->hits[at] : 0;
}

const struct oev_shelf_entry *oev_shelf_run_entry(const struct oev_shelf_run *run, uint32_t at)
{
	return &run->entries[at < run->head->entries ? at : 0];
}

/* The first place whose subscriber is not below @subscriber. */
static size_t place(const struct oev_shelf_run *run, uint64_t subscriber)
{
	size_t low = 0, high = run->head->known;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (oev_shelf_run_entry(run, run->by_subscriber[mid])->subscriber < subscriber)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void oev_shelf_run_range(const struct oev_shelf_run *run, uint64_t subscriber, size_t *from, size_t *to)
{
	*from = place(run, subscriber);
	*to = place(run, subscriber + 1);
}
