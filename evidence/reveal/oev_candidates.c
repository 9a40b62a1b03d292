/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words, then lines.
 */
#include "oev_candidates.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"

int oev_candidates_open(struct oev_candidates *out, const char *const *words, size_t word_count,
			const char *path, char *error, size_t size)
{
	*out = (struct oev_candidates){ .words = words, .word_count = word_count, .path = path };
	if (path == NULL)
		return OC_OK;
	out->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	if (out->file != NULL)
		return OC_OK;
	int rc = errno == ENOENT ? OC_ENOENT : OC_EIO;
	snprintf(error, size, "%s: %s", path, strerror(errno));
	return rc;
}

void oev_candidates_close(struct oev_candidates *candidates)
{
	if (candidates->file != NULL && candidates->file != stdin)
		fclose(candidates->file);
	candidates->file = NULL;
}

/* One line into candidates->text; *@len its octets. OC_ENOENT at the end. */
static int read_line(struct oev_candidates *candidates, size_t *len)
{
	int c;

	*len = 0;
	candidates->line++;
	while ((c = getc(candidates->file)) != EOF && c != '\n') {
		if (*len == OEV_CANDIDATE_MAX || c == '\0')
			return OC_EMALFORMED;
		candidates->text[(*len)++] = (char)c;
	}
	if (ferror(candidates->file))
		return OC_EIO;
	if (c == EOF && *len == 0)
		return OC_ENOENT;
	if (*len > 0 && candidates->text[*len - 1] == '\r')
		(*len)--;
	candidates->text[*len] = '\0';
	return OC_OK;
}

int oev_candidates_next(struct oev_candidates *candidates, const char **text, size_t *len, char *error,
			size_t size)
{
	int rc = OC_OK;

	for (*len = 0; rc == OC_OK && *len == 0;) {
		*text = candidates->text;
		if (candidates->word_count > 0) {
			*text = *candidates->words++;
			candidates->word_count--;
			*len = strlen(*text);
		} else {
			rc = candidates->file != NULL ? read_line(candidates, len) : OC_ENOENT;
		}
	}
	candidates->count += rc == OC_OK;
	if (rc == OC_EMALFORMED)
		snprintf(error, size,
			 "%s: line %" PRIu64 " is no identity (longer than %u octets, or binary)",
			 candidates->path, candidates->line, OEV_CANDIDATE_MAX);
	else if (rc == OC_EIO)
		snprintf(error, size, "%s: %s", candidates->path, strerror(errno));
	return rc;
}
