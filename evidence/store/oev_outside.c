/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Looking for the last note from the end of the file on.
 */
#include "oev_outside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"

#define TAIL_OCTETS ((size_t)65536)
#define TITLE "doic.checkpoint/1\n"
#define SIGNATURE "\n- "

/* The end of the file, with a NUL behind it. OC_OK, OC_ENOENT, OC_EIO. */
static int read_tail(const char *path, char *out, size_t *len)
{
	struct stat found;
	int fd = oev_file_open(path);
	off_t from;
	ssize_t got = -1;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? OC_ENOENT : OC_EIO;
	if (fstat(fd, &found) == 0) {
		from = found.st_size > (off_t)TAIL_OCTETS ? found.st_size - (off_t)TAIL_OCTETS : 0;
		got = pread(fd, out, TAIL_OCTETS, from);
	}
	close(fd);
	if (got < 0)
		return OC_EIO;
	*len = (size_t)got;
	out[got] = '\0';
	return OC_OK;
}

/* Octets of the note that @text begins with, its last newline included; 0 when it is not whole. */
static size_t note_len(const char *text)
{
	const char *signature = strstr(text, SIGNATURE);
	const char *end = signature ? strchr(signature + strlen(SIGNATURE), '\n') : NULL;

	return end ? (size_t)(end - text) + 1 : 0;
}

static int find_last(char *tail, const struct oev_public *signer, struct oev_checkpoint *out)
{
	const char *at = tail;
	int rc = OC_ENOENT;

	while ((at = strstr(at, TITLE)) != NULL) {
		struct oev_checkpoint point;
		size_t len = note_len(at);
		if (len > 0 && oev_checkpoint_open(at, len, signer, &point, NULL) == OC_OK) {
			*out = point;
			rc = OC_OK;
		}
		at += strlen(TITLE);
	}
	return rc;
}

int oev_outside_last(const char *path, const struct oev_public *signer, struct oev_checkpoint *out)
{
	char *tail = malloc(TAIL_OCTETS + 1);
	size_t len;

	if (!tail)
		return OC_EIO;
	int rc = read_tail(path, tail, &len);
	if (rc == OC_OK)
		rc = find_last(tail, signer, out);
	free(tail);
	return rc;
}
