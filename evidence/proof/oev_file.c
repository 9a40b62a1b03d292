/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Small files put whole, and files opened that cannot hold anybody up.
 */
#include "oev_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_fresh.h"

#define PATH_SIZE 4096u
#define NOT_REGULAR ENODEV /* opening and looking never give it for a file */

static int write_whole(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t put = write(fd, data, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return OC_EIO;
		data += put;
		len -= (size_t)put;
	}
	return fsync(fd) == 0 ? OC_OK : OC_EIO;
}

/* A name is safe only when the folder is on the disk too. */
static int sync_folder(const char *path)
{
	char folder[PATH_SIZE];
	const char *slash = strrchr(path, '/');
	int len = slash == NULL || slash == path ? 1 : (int)(slash - path);

	snprintf(folder, sizeof(folder), "%.*s", len, slash == NULL ? "." : path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return OC_EIO;
	int rc = fsync(fd) == 0 ? OC_OK : OC_EIO;
	close(fd);
	return rc;
}

static int name_it(const char *fresh, const char *path, enum oev_file_how how)
{
	if (how == OEV_FILE_OVER)
		return rename(fresh, path) == 0 ? OC_OK : OC_EIO;
	if (link(fresh, path) != 0)
		return errno == EEXIST ? OC_EBUSY : OC_EIO;
	return unlink(fresh) == 0 ? OC_OK : OC_EIO;
}

int oev_file_put(const char *path, const void *data, size_t len, mode_t mode, enum oev_file_how how)
{
	char fresh[OEV_FRESH_PATH_MAX];
	int fd = oev_fresh_open(path, fresh);

	if (fd < 0)
		return OC_EIO;
	int rc = fchmod(fd, mode) == 0 ? write_whole(fd, data, len) : OC_EIO;
	if (rc == OC_OK)
		rc = name_it(fresh, path, how);
	int error = errno;
	if (rc != OC_OK)
		unlink(fresh);
	close(fd);
	errno = error;
	return rc == OC_OK ? sync_folder(path) : rc;
}

int oev_file_folders(const char *path)
{
	char folder[PATH_SIZE];

	if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder)) {
		errno = ENAMETOOLONG;
		return OC_EIO;
	}
	for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0755) != 0 && errno != EEXIST && errno != EISDIR)
			return OC_EIO;
		*slash = '/';
	}
	return OC_OK;
}

int oev_file_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat info;

	if (fd < 0 || (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)))
		return fd;
	close(fd);
	errno = NOT_REGULAR;
	return -1;
}

bool oev_file_is_regular(const char *path)
{
	struct stat info;

	if (stat(path, &info) != 0)
		return false;
	errno = NOT_REGULAR;
	return S_ISREG(info.st_mode);
}

bool oev_file_is_database(const char *path)
{
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
	char beside[PATH_SIZE + 16]; /* a longer path is refused */
	bool is_fit = oev_file_is_regular(path);

	for (size_t i = 0; is_fit && i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		struct stat info;
		snprintf(beside, sizeof(beside), "%.4095s%s", path, suffixes[i]);
		is_fit = stat(beside, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
		if (!is_fit)
			errno = NOT_REGULAR;
	}
	return is_fit;
}

const char *oev_file_problem(int error)
{
	return error == NOT_REGULAR ? "not a regular file" : strerror(error);
}

int oev_file_read(int fd, void *out, size_t size, size_t *len)
{
	char *at = out, more;
	ssize_t got;

	*len = 0;
	while (*len < size) {
		got = read(fd, at + *len, size - *len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return OC_EIO;
		if (got == 0)
			return OC_OK;
		*len += (size_t)got;
	}
	return read(fd, &more, 1) > 0 ? OC_ERANGE : OC_OK;
}
