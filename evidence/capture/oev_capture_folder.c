/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names of nodes as names of folders.
 */
#include "oev_capture_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define NAME_MAX_OCTETS 200u

int oev_capture_folder_check(const char *folder, char *error, size_t error_size)
{
	DIR *dir = opendir(folder);
	int count = 0;

	if (dir == NULL && errno == ENOENT)
		return OC_OK;
	if (dir == NULL) {
		snprintf(error, error_size, "%s: %s", folder, strerror(errno));
		return OC_EIO;
	}
	while (count < 3 && readdir(dir) != NULL)
		count++;
	closedir(dir);
	if (count < 3) /* "." and ".." */
		return OC_OK;
	snprintf(error, error_size, "%s: is not empty; evidence of a capture goes to a folder of its own",
		 folder);
	return OC_EREFUSED;
}

static bool is_plain(char c, size_t at)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
	       (c == '.' && at > 0);
}

int oev_capture_folder_path(const char *folder, const char *name, unsigned number,
			    char out[static OEV_PLACE_PATH_MAX])
{
	char safe[NAME_MAX_OCTETS + 1];
	size_t len = 0;

	for (; len < NAME_MAX_OCTETS && name[len] != '\0'; len++)
		safe[len] = name[len];
	safe[len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (!is_plain(safe[i], i))
			safe[i] = '_';
	int written = number == 1 ? snprintf(out, OEV_PLACE_PATH_MAX, "%s/%s", folder, safe)
				  : snprintf(out, OEV_PLACE_PATH_MAX, "%s/%s-%u", folder, safe, number);
	return written > 0 && (size_t)written < OEV_PLACE_PATH_MAX ? OC_OK : OC_EINVAL;
}
