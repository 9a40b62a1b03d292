/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Identities somebody names: words, then the lines of a file, one after the other, in memory of fixed size.
 *
 * A line is an identity as it stands, without its end (LF or CR LF); empty lines are none.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OEV_CANDIDATE_MAX 4096u /* octets of one */

struct oev_candidates {
	const char *const *words;
	size_t word_count;
	FILE *file;
	const char *path; /* NULL: no file; "-": standard input */
	uint64_t line;	  /* that was read last, from 1 */
	uint64_t count;	  /* identities so far */
	char text[OEV_CANDIDATE_MAX + 1];
};

/* @words and @path are borrowed. OC_OK, OC_ENOENT, OC_EIO with one sentence in *@error. */
int oev_candidates_open(struct oev_candidates *out, const char *const *words, size_t word_count,
			const char *path, char *error, size_t size);
void oev_candidates_close(struct oev_candidates *candidates);

/* The next one, borrowed until the next call. OC_OK; OC_ENOENT: there are no more; OC_EMALFORMED (a line too long, or with a zero octet),
 * OC_EIO with one sentence in *@error. */
int oev_candidates_next(struct oev_candidates *candidates, const char **text, size_t *len, char *error,
			size_t size);
