/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads a configuration file whole, and finds files named in one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_conf_doc.h"

/* Returns the error for @number, an errno value. */
static int fail(const char *path, const char *what, int number, char error[static OEV_CONF_ERROR_MAX])
{
	char reason[128];
	int failed = strerror_r(number, reason, sizeof(reason)); /* POSIX's; GNU's would not compile here */

	if (failed != 0)
		snprintf(reason, sizeof(reason), "error %d", number);
	snprintf(error, OEV_CONF_ERROR_MAX, "%s: %s: %s", path, what, reason);
	return number == ENOENT || number == ENOTDIR ? OC_ENOENT : OC_EIO;
}

/* Opens @path if it is a regular file. O_NONBLOCK: opening a pipe must not wait for its writer. */
static int open_regular(const char *path, int *fd, char error[static OEV_CONF_ERROR_MAX])
{
	struct stat info;
	int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (opened < 0)
		return fail(path, "cannot open", errno, error);
	if (fstat(opened, &info) == 0 && S_ISREG(info.st_mode)) {
		*fd = opened;
		return OC_OK;
	}
	close(opened);
	snprintf(error, OEV_CONF_ERROR_MAX, "%s: not a regular file", path);
	return OC_EIO;
}

/* Reads until the end or until @size octets are there. Returns the octets read or -1 (errno set). */
static ssize_t read_up_to(int fd, char *buffer, size_t size)
{
	size_t used = 0;

	while (used < size) {
		ssize_t got = read(fd, buffer + used, size - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		used += (size_t)got;
	}
	return (ssize_t)used;
}

static int read_whole(const char *path, int fd, char *buffer, size_t *len,
		      char error[static OEV_CONF_ERROR_MAX])
{
	/* One octet more than allowed tells a file that is too large from one that just fits. */
	ssize_t got = read_up_to(fd, buffer, OEV_CONF_DOCUMENT_MAX + 1);

	if (got < 0)
		return fail(path, "cannot read", errno, error);
	if ((size_t)got > OEV_CONF_DOCUMENT_MAX) {
		snprintf(error, OEV_CONF_ERROR_MAX, "%s: too large (allowed: 0..%u octets)", path,
			 OEV_CONF_DOCUMENT_MAX);
		return OC_ERANGE;
	}
	buffer[got] = '\0';
	*len = (size_t)got;
	return OC_OK;
}

int oev_conf_read_file(const char *path, char **text, size_t *len, char error[static OEV_CONF_ERROR_MAX])
{
	char *buffer;
	int fd = -1;
	int err = open_regular(path, &fd, error);

	if (err != OC_OK)
		return err;
	buffer = malloc(OEV_CONF_DOCUMENT_MAX + 2);
	if (buffer == NULL) {
		snprintf(error, OEV_CONF_ERROR_MAX, "%s: out of memory", path);
		err = OC_ENOMEM;
		goto out;
	}
	err = read_whole(path, fd, buffer, len, error);
	if (err == OC_OK)
		*text = buffer;
	else
		free(buffer);
out:
	close(fd);
	return err;
}

int oev_conf_resolve(const char *file, const char *path, char out[static OEV_CONF_PATH_MAX])
{
	const char *slash = strrchr(file, '/');
	size_t folder = path[0] == '/' || slash == NULL ? 0 : (size_t)(slash - file) + 1;
	size_t len = strlen(path);

	if (folder + len >= OEV_CONF_PATH_MAX)
		return OC_ERANGE;
	memmove(out + folder, path, len + 1); /* @path may be @out itself */
	memcpy(out, file, folder);
	return OC_OK;
}
