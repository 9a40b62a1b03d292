/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading a mark, and putting a new one in its place without a moment in which none is there.
 */
#include "oev_sequence.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"

#define FILE_MODE 0640
#define LINE_MAX 96u
#define PATH_MAX_OCTETS 1024u
#define PREFIX "doic.sequence/1 "

/* The one text for @mark. The number stands there twice: half a file, or a flipped digit, is no such text. */
static size_t line_of(uint64_t mark, char out[static LINE_MAX])
{
	return (size_t)snprintf(out, LINE_MAX, PREFIX "%" PRIu64 " %" PRIu64 " end\n", mark, mark);
}

static int parse(const char *text, size_t len, uint64_t *mark)
{
	char line[LINE_MAX];

	if (strncmp(text, PREFIX, sizeof(PREFIX) - 1) != 0)
		return OC_EMALFORMED;
	errno = 0;
	*mark = strtoull(text + sizeof(PREFIX) - 1, NULL, 10);
	if (errno != 0 || *mark > UINT64_MAX - 2 * OEV_SEQUENCE_AHEAD)
		return OC_EMALFORMED;
	return line_of(*mark, line) == len && memcmp(line, text, len) == 0 ? OC_OK : OC_EMALFORMED;
}

/* OC_OK, OC_ENOENT, OC_EMALFORMED, OC_EIO (errno). */
static int read_mark(const char *path, uint64_t *mark)
{
	char text[LINE_MAX + 1] = "";
	size_t used = 0;
	ssize_t got = 1;
	int fd = oev_file_open(path);

	if (fd < 0)
		return errno == ENOENT ? OC_ENOENT : OC_EIO;
	while (used < LINE_MAX && got > 0) {
		got = read(fd, text + used, LINE_MAX - used);
		used += got > 0 ? (size_t)got : 0;
		if (got < 0 && errno == EINTR)
			got = 1;
	}
	int error = errno;
	close(fd);
	errno = error;
	return got < 0 ? OC_EIO : parse(text, used, mark);
}

static int write_whole(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t put = write(fd, text, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return OC_EIO;
		text += put;
		len -= (size_t)put;
	}
	return fsync(fd) == 0 ? OC_OK : OC_EIO;
}

/* A rename is safe only when the folder is on the disk too. */
static int sync_folder(const char *path)
{
	char folder[PATH_MAX_OCTETS];
	const char *slash = strrchr(path, '/');
	int len = slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path);

	snprintf(folder, sizeof(folder), "%.*s", len, slash == NULL ? "." : path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return OC_EIO;
	int rc = fsync(fd) == 0 ? OC_OK : OC_EIO;
	close(fd);
	return rc;
}

static int write_mark(const char *path, uint64_t mark)
{
	char fresh[PATH_MAX_OCTETS];
	char line[LINE_MAX];
	int rc, fd;

	if (snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh)) {
		errno = ENAMETOOLONG;
		return OC_EIO;
	}
	fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, FILE_MODE);
	if (fd < 0)
		return OC_EIO;
	rc = write_whole(fd, line, line_of(mark, line));
	if (close(fd) != 0)
		rc = OC_EIO;
	if (rc == OC_OK && rename(fresh, path) != 0)
		rc = OC_EIO;
	return rc == OC_OK ? sync_folder(path) : rc;
}

int oev_sequence_reserve(const char *path, uint64_t next)
{
	return write_mark(path, next + OEV_SEQUENCE_AHEAD);
}

/* "PATH: what: reason; and then": @number is an errno value, 0 none. */
static void say(char *note, size_t size, const char *path, const char *what, int number, const char *then)
{
	char reason[128] = "";

	if (number != 0 && strerror_r(number, reason, sizeof(reason)) != 0)
		snprintf(reason, sizeof(reason), "error %d", number);
	snprintf(note, size, "%s: %s%s%s; %s", path, what, number != 0 ? ": " : "", reason, then);
}

int oev_sequence_open(const char *path, uint64_t wall_s, uint64_t *first, char *note, size_t note_size)
{
	static const char from_clock[] = "sequence numbers start from the wall clock";
	uint64_t mark = 0;
	int rc = read_mark(path, &mark);
	int number = errno;

	*first = wall_s << 20;
	if (note_size > 0)
		note[0] = '\0';
	if (rc == OC_OK && mark >= *first)
		*first = mark + 1;
	else if (rc == OC_ENOENT)
		say(note, note_size, path, "is not there yet, or was lost", 0, from_clock);
	else if (rc == OC_EMALFORMED)
		say(note, note_size, path, "is damaged", 0, from_clock);
	else if (rc == OC_EIO)
		say(note, note_size, path, "cannot be read", number, from_clock);
	if (oev_sequence_reserve(path, *first) == OC_OK)
		return rc;
	number = errno;
	if (rc == OC_OK || rc == OC_ENOENT)
		say(note, note_size, path, "cannot be written", number,
		    "after the next start sequence numbers have only the wall clock to go by");
	return OC_EIO;
}
