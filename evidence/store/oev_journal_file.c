/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * System calls of the journal. A ring appears under its name only when it is whole, by a rename, and a file under that name is
 * believed only when everything its head says is possible.
 */
#include "oev_journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"

#define FILE_MODE 0600
#define OPEN_FLAGS (O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
#define LOCK_TRIES 16u
#define ASIDE_MAX 10000u
#define NAME_MAX_OCTETS (OEV_JOURNAL_PATH_MAX + 16u)
#define PID_MAX_OCTETS 24u

__attribute__((format(printf, 4, 5))) static int complain(char *error, size_t size, int err,
							  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(error, size, format, args);
	va_end(args);
	return err;
}

static int complain_errno(char *error, size_t size, const char *path, const char *what, int number)
{
	return complain(error, size, OC_EIO, "journal \"%s\" %s: %s", path, what, strerror(number));
}

struct oev_ring_kind oev_ring_kind_of(uint32_t records)
{
	struct oev_ring_kind kind = { .magic = OEV_RING_MAGIC,
				      .format = OEV_RING_FORMAT,
				      .slot_octets = sizeof(struct oev_slot),
				      .layout = OC_EVENT_LAYOUT,
				      .records = records };

	for (uint16_t number = 0; number < OC_EVENT_KIND_COUNT; number++) {
		struct oc_event event = { .kind = number };
		uint64_t octets = oc_event_size(&event);
		kind.layout = oc_hash(&octets, sizeof(octets), kind.layout);
	}
	return kind;
}

static void ring_start(struct oev_ring *ring, uint32_t records)
{
	ring->kind = oev_ring_kind_of(records);
	/* Written to, not only reserved: the first turn must not pay for page faults on the message path. */
	for (uint32_t i = 0; i < records; i += OEV_RING_TOUCH_STEP)
		oev_slot_touch(&ring->slots[i]);
}

static struct oev_ring *map(size_t octets, int flags, int fd)
{
	void *at = mmap(NULL, octets, PROT_READ | PROT_WRITE, flags, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

struct oev_ring *oev_ring_new(uint32_t records)
{
	struct oev_ring *ring = map(oev_ring_octets(records), MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (ring)
		ring_start(ring, records);
	return ring;
}

void oev_ring_free(struct oev_ring *ring, uint32_t records)
{
	if (ring)
		munmap(ring, oev_ring_octets(records));
}

/* A regular file and nothing else; -1 with errno otherwise. */
static int open_regular(const char *path, int flags, struct stat *found)
{
	int fd = open(path, flags, FILE_MODE);

	if (fd < 0)
		return -1;
	if (fstat(fd, found) == 0 && S_ISREG(found->st_mode))
		return fd;
	close(fd);
	errno = EISDIR;
	return -1;
}

static long holder_of(int lock)
{
	char text[PID_MAX_OCTETS] = "";

	if (pread(lock, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	return strtol(text, NULL, 10);
}

static int complain_held(const char *path, int lock, char *error, size_t size)
{
	long holder = holder_of(lock);

	if (holder > 0)
		return complain(error, size, OC_EBUSY, "journal \"%s\" is in use by process %ld", path,
				holder);
	return complain(error, size, OC_EBUSY, "journal \"%s\" is in use by another process", path);
}

/* On a disk without room the number is missing, which costs the other process a word. */
static void write_holder(int lock)
{
	char text[PID_MAX_OCTETS];
	int len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	if (ftruncate(lock, 0) != 0 || pwrite(lock, text, (size_t)len, 0) != len)
		(void)ftruncate(lock, 0);
}

/* Whether the file that was locked is still the one under that name: its holder removes it before letting go. */
static bool is_there(const char *name, const struct stat *opened)
{
	struct stat now;

	return lstat(name, &now) == 0 && now.st_ino == opened->st_ino && now.st_dev == opened->st_dev;
}

static bool name_of(char name[static NAME_MAX_OCTETS], const char *path, const char *suffix)
{
	return snprintf(name, NAME_MAX_OCTETS, "%s%s", path, suffix) < (int)OEV_JOURNAL_PATH_MAX;
}

int oev_journal_file_lock(const char *path, int *lock, char *error, size_t size)
{
	char name[NAME_MAX_OCTETS];
	struct stat opened;

	if (!name_of(name, path, ".lock"))
		return complain(error, size, OC_EIO, "journal: the path is too long");
	for (unsigned i = 0; i < LOCK_TRIES; i++) {
		int fd = open_regular(name, OPEN_FLAGS | O_CREAT, &opened);
		if (fd < 0)
			return complain_errno(error, size, name, "cannot be made", errno);
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_there(name, &opened)) {
			write_holder(fd);
			*lock = fd;
			return OC_OK;
		}
		int number = errno;
		int rc = is_there(name, &opened) ? complain_held(path, fd, error, size) : OC_OK;
		close(fd);
		if (rc != OC_OK && number == EWOULDBLOCK)
			return rc;
		if (rc != OC_OK)
			return complain_errno(error, size, name, "cannot be locked", number);
	}
	return complain(error, size, OC_EBUSY, "journal \"%s\" is in use by several processes", path);
}

void oev_journal_file_unlock(const char *path, int lock)
{
	char name[NAME_MAX_OCTETS];

	if (lock < 0)
		return;
	if (name_of(name, path, ".lock"))
		unlink(name);
	close(lock);
}

/* Takes the room, maps, and fills in the head. */
static struct oev_ring *fill_file(const char *path, int fd, uint32_t records, char *error, size_t size)
{
	size_t octets = oev_ring_octets(records);
	int number = posix_fallocate(fd, 0, (off_t)octets);

	if (number != 0) {
		complain(error, size, OC_EIO, "journal \"%s\": no room for %zu MiB: %s", path, octets >> 20,
			 strerror(number));
		return NULL;
	}
	struct oev_ring *ring = map(octets, MAP_SHARED, fd);
	if (ring)
		ring_start(ring, records);
	else
		complain_errno(error, size, path, "cannot be mapped", errno);
	return ring;
}

int oev_journal_file_make(const char *path, uint32_t records, struct oev_ring **out, char *error, size_t size)
{
	char fresh[NAME_MAX_OCTETS];

	if (!name_of(fresh, path, ".new"))
		return complain(error, size, OC_EIO, "journal: the path is too long");
	unlink(fresh);
	int fd = open(fresh, OPEN_FLAGS | O_CREAT | O_EXCL, FILE_MODE);
	if (fd < 0)
		return complain_errno(error, size, fresh, "cannot be made", errno);
	struct oev_ring *ring = fill_file(path, fd, records, error, size);
	close(fd);
	if (ring && rename(fresh, path) != 0) {
		complain_errno(error, size, path, "cannot be made", errno);
		oev_ring_free(ring, records);
		ring = NULL;
	}
	if (!ring)
		unlink(fresh);
	*out = ring;
	return ring ? OC_OK : OC_EIO;
}

/* Why a file with head @kind and of @octets is no ring to be read here; NULL when it is one. */
static const char *why_other(const struct oev_ring_kind *kind, off_t octets)
{
	struct oev_ring_kind wanted = oev_ring_kind_of(kind->records);

	if (kind->magic != wanted.magic)
		return "it is no journal";
	if (kind->format != wanted.format)
		return "it is a journal of another format";
	if (kind->layout != wanted.layout || kind->slot_octets != wanted.slot_octets)
		return "its events are laid out for another version of the agent";
	if (!oev_ring_records_allowed(kind->records))
		return "its number of records is impossible";
	if ((uint64_t)octets != oev_ring_octets(kind->records))
		return "it is longer or shorter than it says";
	return NULL;
}

static const char *why_impossible(const struct oev_ring *ring)
{
	uint64_t head = atomic_load(&ring->head);
	uint64_t tail = atomic_load(&ring->tail);
	uint64_t gap = atomic_load(&ring->gap);

	uint32_t state = atomic_load(&ring->state);

	if (state > OEV_RING_LIVE || atomic_load(&ring->segment_now) > 1)
		return "its state is impossible";
	if (state == OEV_RING_EMPTY)
		return NULL;
	if (tail > OEV_RING_POSITION_MAX || head > tail || tail - head > ring->kind.records)
		return "its positions are impossible";
	if (gap > OEV_RING_POSITION_MAX || atomic_load(&ring->gap_stored) > gap)
		return "its gap is impossible";
	return NULL;
}

/* The file behind @fd; as oev_journal_file_load(). */
static int load(const char *path, int fd, off_t octets, struct oev_ring **out, const char **why, char *error,
		size_t size)
{
	struct oev_ring_kind kind = { 0 };
	ssize_t got = pread(fd, &kind, sizeof(kind), 0);

	if (got < 0)
		return complain_errno(error, size, path, "cannot be read", errno);
	*why = got < (ssize_t)sizeof(kind) ? "it is too short" : why_other(&kind, octets);
	if (*why)
		return OC_EMALFORMED;
	/* A copy may have holes, and writing into one on a full disk is a signal, not an error. */
	int number = posix_fallocate(fd, 0, octets);
	if (number != 0)
		return complain_errno(error, size, path, "cannot be used", number);
	struct oev_ring *ring = map((size_t)octets, MAP_SHARED, fd);
	if (!ring)
		return complain_errno(error, size, path, "cannot be mapped", errno);
	*why = why_impossible(ring);
	if (*why) {
		munmap(ring, (size_t)octets);
		return OC_EMALFORMED;
	}
	*out = ring;
	return OC_OK;
}

int oev_journal_file_load(const char *path, struct oev_ring **out, const char **why, char *error, size_t size)
{
	struct stat found;
	int fd = open_regular(path, OPEN_FLAGS, &found);

	if (fd < 0 && errno == ENOENT)
		return OC_ENOENT;
	if (fd < 0 && (errno == EISDIR || errno == ELOOP || errno == ENXIO)) {
		*why = "it is no regular file";
		return OC_EMALFORMED;
	}
	if (fd < 0)
		return complain_errno(error, size, path, "cannot be opened", errno);
	int rc = load(path, fd, found.st_size, out, why, error, size);
	close(fd);
	return rc;
}

int oev_journal_file_aside(const char *path, const char *word, char aside[static OEV_JOURNAL_PATH_MAX],
			   char *error, size_t size)
{
	struct stat found;

	for (unsigned n = 1; n <= ASIDE_MAX; n++) {
		if (snprintf(aside, OEV_JOURNAL_PATH_MAX, "%s.%s-%u", path, word, n) >=
		    (int)OEV_JOURNAL_PATH_MAX)
			return complain(error, size, OC_EIO, "journal: the path is too long");
		if (lstat(aside, &found) == 0)
			continue;
		if (rename(path, aside) == 0)
			return OC_OK;
		return complain_errno(error, size, path, "cannot be moved aside", errno);
	}
	return complain(error, size, OC_EIO, "journal \"%s\": too many files were moved aside", path);
}
