/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A run in memory and in its file: made, sealed, loaded, let go. The head stands in front of the arrays.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_run.h"

#define MAGIC "doicidx2"
#define MODE 0600
#define COUNT_MAX (1ull << 32) /* what 32 bits count */
#define BLOCK ((size_t)1 << 16)
#define UNSUMMED offsetof(struct oev_shelf_run_head, segment) /* octets in front that no checksum covers */

struct oev_shelf_layout oev_shelf_run_layout(const struct oev_shelf_run_head *head)
{
	struct oev_shelf_layout at = { .entries = sizeof(*head) };

	at.hits = at.entries + head->entries * sizeof(struct oev_shelf_entry);
	at.by_last = at.hits + head->hits * sizeof(uint32_t);
	at.by_subscriber = at.by_last + head->entries * sizeof(uint32_t);
	at.places = at.by_subscriber + head->known * sizeof(uint32_t);
	at.end = at.places + head->places * sizeof(uint32_t);
	return at;
}

static size_t size_of(const struct oev_shelf_run_head *head)
{
	return oev_shelf_run_layout(head).end;
}

/* Eight octets at a time; every part but the last is a multiple of eight, and the last one of four. */
static uint64_t sum(uint64_t hash, const char *at, size_t left)
{
	uint64_t word;

	for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
		hash ^= hash >> 29;
	}
	return left == 0 ? hash : oev_shelf_hash(hash, at, left);
}

static uint64_t checksum(const struct oev_shelf_run *run)
{
	return sum(OEV_SHELF_HASH_FIRST ^ run->size, (const char *)run->head + UNSUMMED,
		   run->size - UNSUMMED);
}

/* Of the file, as checksum() of the memory. False: it cannot be read. */
static bool checksum_of(int fd, size_t size, uint64_t *out)
{
	char *block = malloc(BLOCK);
	uint64_t hash = OEV_SHELF_HASH_FIRST ^ size;
	size_t at = UNSUMMED;
	bool is_read = block != NULL;

	while (is_read && at < size) {
		size_t part = size - at < BLOCK ? size - at : BLOCK;
		is_read = pread(fd, block, part, (off_t)at) == (ssize_t)part;
		if (is_read)
			hash = sum(hash, block, part);
		at += part;
	}
	free(block);
	*out = hash;
	return is_read;
}

static struct oev_shelf_run *run_new(size_t room)
{
	struct oev_shelf_run *run = calloc(1, sizeof(*run));

	if (run == NULL || (run->head = calloc(1, room)) == NULL) {
		free(run);
		return NULL;
	}
	run->refs = 1;
	run->fd = -1;
	return run;
}

int oev_shelf_run_new(struct oev_shelf_run **out, const struct oev_shelf_run_head *head)
{
	struct oev_shelf_run *run = run_new(size_of(head));

	*out = run;
	if (run == NULL)
		return OC_ENOMEM;
	run->size = size_of(head);
	*run->head = *head;
	memcpy(run->head->magic, MAGIC, sizeof(run->head->magic)); /* NOLINT: octets, no text */
	return OC_OK;
}

struct oev_shelf_arrays oev_shelf_run_arrays(const struct oev_shelf_run *run)
{
	const struct oev_shelf_layout at = oev_shelf_run_layout(run->head);
	char *front = (char *)run->head;

	return (struct oev_shelf_arrays){ .entries = (void *)(front + at.entries),
					  .hits = (void *)(front + at.hits),
					  .by_last = (void *)(front + at.by_last),
					  .by_subscriber = (void *)(front + at.by_subscriber),
					  .places = (void *)(front + at.places) };
}

static bool write_all(int fd, const char *at, size_t left)
{
	while (left > 0) {
		ssize_t written = write(fd, at, left);
		if (written <= 0)
			return false;
		at += written;
		left -= (size_t)written;
	}
	return true;
}

/* Without a trace; returns -1, with errno as it was. */
static int give_up(int fd, const char *made)
{
	int number = errno;

	close(fd);
	unlink(made);
	errno = number;
	return -1;
}

/* The file that becomes @path, named in @made, empty but with room for @octets; -1 (errno). */
static int make(const char *path, size_t octets, char made[static OEV_SHELF_PATH_MAX + 8])
{
	snprintf(made, OEV_SHELF_PATH_MAX + 8, "%s.tmp", path);
	unlink(made);
	int fd = open(made, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
	int number = fd >= 0 ? posix_fallocate(fd, 0, (off_t)octets) : 0;

	if (number == 0)
		return fd;
	errno = number;
	return give_up(fd, made);
}

/* File @path, readable from now on; -1 (errno): it cannot be written, and there is none. */
static int keep(const struct oev_shelf_run *run, const char *path)
{
	char made[OEV_SHELF_PATH_MAX + 8];
	int fd = make(path, run->size, made);

	if (fd >= 0 && (!write_all(fd, (const char *)run->head, run->size) || rename(made, path) != 0))
		return give_up(fd, made);
	return fd;
}

bool oev_shelf_run_has_room(const char *path, size_t octets)
{
	char made[OEV_SHELF_PATH_MAX + 8];
	int fd = make(path, octets, made);

	if (fd < 0)
		return false;
	(void)give_up(fd, made);
	return true;
}

int oev_shelf_run_write(const struct oev_shelf_run *run, const char *path)
{
	int fd = keep(run, path);

	if (fd < 0)
		return OC_EIO;
	close(fd);
	return OC_OK;
}

bool oev_shelf_run_hold(struct oev_shelf_run *run, _Atomic size_t *held, size_t most)
{
	if (atomic_fetch_add(held, run->size) + run->size > most) {
		atomic_fetch_sub(held, run->size);
		return false;
	}
	run->held = held;
	return true;
}

int oev_shelf_run_seal(struct oev_shelf_run *run, const char *path)
{
	run->head->checksum = checksum(run);
	if (path == NULL)
		return OC_OK;
	run->fd = keep(run, path);
	if (run->fd < 0)
		return OC_EIO;
	void *head = realloc(run->head, sizeof(*run->head));
	if (head != NULL)
		run->head = head;
	return OC_OK;
}

/* Whether it is what we made of @part from decision @first on. */
static bool is_of(const struct oev_shelf_run *run, const struct oev_shelf_part *part, uint64_t first)
{
	const struct oev_shelf_run_head *head = run->head;
	uint64_t hash;

	return memcmp(head->magic, MAGIC, 8) == 0 && head->entries < COUNT_MAX && head->hits < COUNT_MAX &&
	       head->known <= head->entries &&
	       (head->places == 0 || head->places == head->last - head->first + 1) &&
	       head->places < COUNT_MAX && size_of(head) == run->size && head->first >= first &&
	       head->last >= head->first && head->last <= part->facts.last_decision &&
	       head->run_key == part->run_key &&
	       strncmp(head->segment, part->facts.name, sizeof(head->segment)) == 0 &&
	       strncmp(head->sha256, part->facts.sha256, sizeof(head->sha256)) == 0 &&
	       checksum_of(run->fd, run->size, &hash) && head->checksum == hash;
}

int oev_shelf_run_load(struct oev_shelf_run **out, const struct oev_shelf_part *part, uint64_t first,
		       const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat info;

	*out = NULL;
	if (fd < 0)
		return errno == EMFILE || errno == ENFILE ? OC_EBUSY : OC_ENOENT;
	struct oev_shelf_run *run = run_new(sizeof(*run->head));
	if (run == NULL) {
		close(fd);
		return OC_ENOMEM;
	}
	run->fd = fd;
	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
	    pread(fd, run->head, sizeof(*run->head), 0) != (ssize_t)sizeof(*run->head)) {
		oev_shelf_run_put(run);
		return OC_EMALFORMED;
	}
	run->size = (size_t)info.st_size;
	if (!is_of(run, part, first)) {
		oev_shelf_run_put(run);
		return OC_EMALFORMED;
	}
	*out = run;
	return OC_OK;
}

void oev_shelf_run_settle(struct oev_shelf_run *run, _Atomic unsigned *open, const char *path)
{
	struct stat info;

	if (run->fd < 0)
		return;
	if (atomic_fetch_add(open, 1) < OEV_SHELF_RUNS_OPEN) {
		run->open = open;
		return;
	}
	atomic_fetch_sub(open, 1);
	if (fstat(run->fd, &info) != 0 || (run->path = strdup(path)) == NULL)
		return;
	run->device = info.st_dev;
	run->inode = info.st_ino;
	close(run->fd);
	run->fd = -1;
}

void oev_shelf_run_put(struct oev_shelf_run *run)
{
	if (run == NULL || atomic_fetch_sub(&run->refs, 1) != 1)
		return;
	if (run->fd >= 0)
		close(run->fd);
	if (run->open != NULL)
		atomic_fetch_sub(run->open, 1);
	if (run->held != NULL)
		atomic_fetch_sub(run->held, run->size);
	free(run->path);
	free(run->head);
	free(run);
}
