/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Files by path: small ones put whole (written beside their name, pushed to the disk, then named), and regular ones opened.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum oev_file_how {
	OEV_FILE_NEW,  /* never over a file that is there */
	OEV_FILE_OVER, /* in place of one that may be there */
};

/* Writes @len octets to @path with @mode. Returns OC_OK, OC_EBUSY (a file is there; OEV_FILE_NEW alone),
 * OC_EIO (errno says why). */
int oev_file_put(const char *path, const void *data, size_t len, mode_t mode, enum oev_file_how how);

/* Makes the folders above the file @path that are missing. OC_OK or OC_EIO (errno). */
int oev_file_folders(const char *path);

/* Opens @path for reading if it is a regular file: opening a pipe might wait for ever for its writer, and reading a device might never end.
 * A descriptor, or -1 with errno: see oev_file_problem(). */
int oev_file_open(const char *path);

/* The same, for those who have the file opened by somebody else. True, or false with errno. */
bool oev_file_is_regular(const char *path);

/* A database that is not sealed: nor may a -journal, -wal or -shm beside it be a pipe or a device. */
bool oev_file_is_database(const char *path);

/* What is wrong in words, from the errno of these. */
const char *oev_file_problem(int error);

/* Reads at most @size octets of an open file. OC_OK with *@len, OC_ERANGE (there is more), OC_EIO (errno). */
int oev_file_read(int fd, void *out, size_t size, size_t *len);
