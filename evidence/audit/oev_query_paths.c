/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Files of a folder by name.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_query.h"

static bool fits(const char *name, const char *prefix, const char *suffix)
{
	size_t length = strlen(name), head = strlen(prefix), tail = strlen(suffix);

	return length >= head + tail && strncmp(name, prefix, head) == 0 &&
	       strcmp(name + length - tail, suffix) == 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_path(char ***paths, size_t *count, const char *folder, const char *name)
{
	char **bigger = realloc(*paths, (*count + 1) * sizeof(**paths));
	size_t size = strlen(folder) + strlen(name) + 2;

	if (bigger == NULL)
		return OC_ENOMEM;
	*paths = bigger;
	bigger[*count] = malloc(size);
	if (bigger[*count] == NULL)
		return OC_ENOMEM;
	snprintf(bigger[*count], size, "%s/%s", folder, name);
	(*count)++;
	return OC_OK;
}

int oev_paths_list(const char *folder, const char *prefix, const char *suffix, char ***paths, size_t *count)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	int rc = OC_OK;

	*paths = NULL;
	*count = 0;
	if (dir == NULL)
		return OC_EIO;
	while (rc == OC_OK && (entry = readdir(dir)) != NULL)
		if (fits(entry->d_name, prefix, suffix))
			rc = add_path(paths, count, folder, entry->d_name);
	closedir(dir);
	if (*count > 1)
		qsort(*paths, *count, sizeof(**paths), by_text);
	return rc;
}

void oev_paths_free(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}

static bool holds_segments(const char *folder)
{
	char **paths;
	size_t count;
	int rc = oev_paths_list(folder, "seg-", ".db", &paths, &count);

	oev_paths_free(paths, count);
	return rc == OC_OK && count > 0;
}

const char *oev_paths_hint(const char *folder, char *buf, size_t size)
{
	char **paths;
	size_t count, found = 0, first = 0;
	int rc = oev_paths_list(folder, "", "", &paths, &count);

	buf[0] = '\0';
	for (size_t i = 0; rc == OC_OK && i < count; i++)
		if (strrchr(paths[i], '/')[1] != '.' && holds_segments(paths[i]) && found++ == 0)
			first = i;
	if (found > 0)
		snprintf(buf, size, "; of an import, name the folder of one node: %s%s", paths[first],
			 found > 1 ? ", or another there" : "");
	oev_paths_free(paths, count);
	return buf;
}
