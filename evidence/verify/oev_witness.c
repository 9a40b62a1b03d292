/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Notes out of a file, line by line.
 */
#include "oev_witness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"
#include "../proof/oev_seal.h"

int oev_witness_init(struct oev_witness *witness, enum oev_verify_witness source, const char *path)
{
	int fd = oev_file_open(path);
	struct stat info;

	*witness = (struct oev_witness){ .source = source, .path = path };
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? OC_ENOENT : OC_EIO;
	witness->file = fstat(fd, &info) == 0 ? fdopen(fd, "r") : NULL;
	if (witness->file == NULL) {
		close(fd);
		return OC_EIO;
	}
	witness->note = malloc(OEV_NOTE_MAX + 1);
	witness->kept_note = malloc(OEV_NOTE_MAX + 1);
	witness->left = (uint64_t)info.st_size;
	if (witness->note == NULL || witness->kept_note == NULL)
		return OC_ENOMEM;
	return OC_OK;
}

void oev_witness_fini(struct oev_witness *witness)
{
	if (witness->file != NULL)
		fclose(witness->file);
	free(witness->note);
	free(witness->kept_note);
	*witness = (struct oev_witness){ 0 };
}

/* Adds the next line to the note; what has no room is dropped. Its length with the newline; 0 at the end,
 * or when it is not whole. */
static size_t take_line(struct oev_witness *witness, size_t *used)
{
	size_t len = 0, at = *used;
	int c = 0;

	while (witness->left > 0 && c != '\n' && (c = fgetc(witness->file)) != EOF) {
		witness->left--;
		len++;
		if (at < OEV_NOTE_MAX)
			witness->note[at++] = (char)c;
	}
	if (c != '\n')
		return 0;
	witness->line++;
	*used = at;
	return len;
}

/* The text of the next note: from the first line that is not empty to the one that begins with "- ". False
 * at the end. */
static bool take_note(struct oev_witness *witness)
{
	size_t used = 0, start, len;

	for (;;) {
		start = used;
		len = take_line(witness, &used);
		if (len == 0)
			return false;
		if (len == 1 && start == 0)
			used = 0;
		else if (len > 2 && used - start == len && memcmp(witness->note + start, "- ", 2) == 0)
			break;
		else if (used == OEV_NOTE_MAX) /* no note is that long: go on behind the next signature */
			used = start;
	}
	witness->note[used] = '\0';
	witness->note_len = used;
	return true;
}

int oev_witness_read(const char *note, size_t len, const struct oev_public *signer,
		     struct oev_checkpoint *out, struct oev_why *why)
{
	struct oev_seal seal;
	int rc = oev_checkpoint_open(note, len, signer, out, why);

	if (rc == OC_OK || rc == OC_EREFUSED || rc == OC_ENOMEM)
		return rc;
	int again = oev_seal_open(note, len, signer, &seal, why);
	if (again != OC_OK)
		return again;
	if (seal.last == 0)
		return rc;
	*out = (struct oev_checkpoint){ .size = seal.last, .root = seal.root, .wall_us = seal.wall_us };
	memcpy(out->origin, seal.origin, sizeof(out->origin));
	memcpy(out->segment, seal.segment, sizeof(out->segment));
	return OC_OK;
}

/* A seal can come late: a reader was in its way, or hashing took its time. It tells nothing that a checkpoint of its segment
 * did not tell before, and no log begins with one. */
static bool is_late_seal(const struct oev_witness *witness)
{
	static const char title[] = "doic.seal/";

	return witness->next.size < witness->last_size &&
	       strncmp(witness->note, title, sizeof(title) - 1) == 0;
}

int oev_witness_next(struct oev_witness *witness, const char *origin)
{
	if (witness->has_next)
		witness->last_size = witness->next.size;
	witness->has_next = witness->begins_anew = false;
	while (witness->file != NULL && take_note(witness)) {
		if (oev_witness_read(witness->note, witness->note_len, NULL, &witness->next, NULL) != OC_OK) {
			witness->broken_line = witness->broken++ == 0 ? witness->line : witness->broken_line;
			continue;
		}
		if (origin[0] != '\0' && strcmp(witness->next.origin, origin) != 0) {
			witness->others++;
			continue;
		}
		witness->notes++;
		if (is_late_seal(witness))
			continue;
		witness->has_next = true;
		witness->begins_anew = witness->next.size < witness->last_size;
		return OC_OK;
	}
	return witness->file != NULL && ferror(witness->file) ? OC_EIO : OC_OK;
}

void oev_witness_keep(struct oev_witness *witness)
{
	char *note = witness->kept_note;

	witness->kept_note = witness->note;
	witness->note = note;
	witness->kept_len = witness->note_len;
	witness->kept = witness->next;
}
