/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making the file beside the name, and finding out whether one that is there has a writer.
 */
#include "oev_fresh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRIES 1000u
#define PAUSE_NS 1000000l /* 1 ms: a second in all */
#define FLAGS (O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)

/* Whether @fd, locked now, is still the file of that name: its writer renames or removes it before the lock ends. */
static bool is_there(const char *fresh, int fd)
{
	struct stat opened, now;

	return fstat(fd, &opened) == 0 && lstat(fresh, &now) == 0 && S_ISREG(opened.st_mode) &&
	       now.st_ino == opened.st_ino && now.st_dev == opened.st_dev;
}

/* Removes the file @fresh unless it has a writer. False with errno: EWOULDBLOCK it has one. */
static bool remove_left(const char *fresh)
{
	int fd = open(fresh, O_RDONLY | FLAGS);

	if (fd < 0)
		return errno == ENOENT;
	bool is_gone = flock(fd, LOCK_EX | LOCK_NB) == 0;
	if (is_gone && is_there(fresh, fd))
		is_gone = unlink(fresh) == 0;
	int number = errno;
	close(fd);
	errno = number;
	return is_gone;
}

/* A new file that is ours; -1 with EEXIST when another was there first, or came in between. */
static int make(const char *fresh)
{
	int fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | FLAGS, 0600);

	if (fd < 0 || (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_there(fresh, fd)))
		return fd;
	close(fd); /* somebody took it for one that was left */
	errno = EEXIST;
	return -1;
}

static bool name_it(const char *path, char fresh[static OEV_FRESH_PATH_MAX])
{
	if (snprintf(fresh, OEV_FRESH_PATH_MAX, "%s" OEV_FRESH_SUFFIX, path) < (int)OEV_FRESH_PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

int oev_fresh_open(const char *path, char fresh[static OEV_FRESH_PATH_MAX])
{
	int fd = -1;

	if (!name_it(path, fresh))
		return -1;
	for (unsigned i = 0; i < TRIES; i++) {
		fd = make(fresh);
		if (fd >= 0 || errno != EEXIST)
			return fd;
		bool is_gone = remove_left(fresh);
		if (!is_gone && errno != EWOULDBLOCK)
			return -1;
		if (!is_gone)
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
		errno = EWOULDBLOCK;
	}
	return -1;
}

void oev_fresh_sweep(const char *path)
{
	char fresh[OEV_FRESH_PATH_MAX];

	if (name_it(path, fresh))
		(void)remove_left(fresh);
}
