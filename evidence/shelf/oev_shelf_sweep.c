/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Files of the index whose segment is not in the folder any more.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oev_shelf_index.h"

/* "SEGMENT.N.sessions" or that with ".tmp": whether SEGMENT is gone. */
static bool is_left(const char *name, const struct oev_shelf_catalog *catalog)
{
	const char *end = strstr(name, OEV_SHELF_INDEX_SUFFIX);

	if (strncmp(name, "seg-", 4) != 0 || end == NULL)
		return false;
	for (size_t i = 0; i < catalog->count; i++) {
		const char *segment = catalog->parts[i].facts.name;
		size_t len = strlen(segment);
		if (strncmp(name, segment, len) == 0 && name[len] == '.')
			return false;
	}
	return true;
}

void oev_shelf_sweep(const char *folder, const struct oev_shelf_catalog *catalog)
{
	DIR *dir = folder[0] != '\0' ? opendir(folder) : NULL;
	char path[OEV_SHELF_PATH_MAX + 256];
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (is_left(entry->d_name, catalog) &&
		    (size_t)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) < sizeof(path))
			unlink(path);
	if (dir != NULL)
		closedir(dir);
}
