/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Stands in for libFuzzer's main: gives each file of the folders named to the fuzz target once.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_MAX 1048576u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *buf = malloc(INPUT_MAX);
	uint8_t *exact = NULL;
	int rc = -1;

	if (file == NULL || buf == NULL)
		goto out;
	size_t len = fread(buf, 1, INPUT_MAX, file);
	if (ferror(file))
		goto out;
	exact = realloc(buf, len + 1); /* small block: a sanitizer sees reads beyond it */
	buf = NULL;
	if (exact == NULL)
		goto out;
	rc = LLVMFuzzerTestOneInput(exact, len);
out:
	if (rc != 0)
		fprintf(stderr, "cannot replay %s\n", path);
	free(exact);
	free(buf);
	if (file != NULL)
		fclose(file);
	return rc;
}

/* Returns the number of files replayed, or -1. */
static int replay_folder(const char *path)
{
	char name[4096];
	int count = 0;
	DIR *folder = opendir(path);

	if (folder == NULL)
		return -1;
	for (struct dirent *entry = readdir(folder); entry != NULL && count >= 0; entry = readdir(folder)) {
		if (entry->d_name[0] == '.')
			continue;
		int len = snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (len < 0 || (size_t)len >= sizeof(name) || replay_file(name) != 0)
			count = -1;
		else
			count++;
	}
	closedir(folder);
	return count;
}

int main(int argc, char **argv)
{
	int total = 0;

	for (int i = 1; i < argc; i++) {
		int count = replay_folder(argv[i]);
		if (count <= 0) {
			fprintf(stderr, "nothing replayed from %s\n", argv[i]);
			return 1;
		}
		total += count;
	}
	printf("%d passed, 0 failed\n", total);
	return total > 0 ? 0 : 1;
}
