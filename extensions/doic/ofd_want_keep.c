/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who is out of selection, in a file beside the sequence file, so that the next life of the agent leaves them out too: one name a line.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../../evidence/proof/oev_file.h"
#include "../../evidence/proof/oev_fresh.h"
#include "ofd_want.h"

#define HEAD "doic.out/1\n"
#define FILE_MAX_OCTETS (1u << 20)
#define KEEP_PATH_MAX (OEV_CONF_PATH_MAX + 8u)

/* False: there is no place for it. */
static bool name_file(const struct ofd *ofd, char path[static KEEP_PATH_MAX])
{
	snprintf(path, KEEP_PATH_MAX, "%s.out", ofd->sequence_path);
	return ofd->sequence_path[0];
}

/* The file's text, *@len octets; NULL when out of memory. free() it. */
static char *text_of(const struct ofd *ofd, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	if (!out)
		return NULL;
	fputs(HEAD, out);
	for (uint32_t i = 0; i < ofd_want_size(ofd); i++)
		if (ofd_want_is_out(ofd, i))
			fprintf(out, "%s\n", oc_names_text(ofd->names, i));
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

bool ofd_want_keep(struct ofd *ofd)
{
	char path[KEEP_PATH_MAX], *text;
	size_t len = 0;
	bool is_kept;

	pthread_mutex_lock(ofd_want_lock(ofd));
	text = text_of(ofd, &len);
	is_kept = text && name_file(ofd, path) && oev_file_put(path, text, len, 0600, OEV_FILE_OVER) == OC_OK;
	pthread_mutex_unlock(ofd_want_lock(ofd));
	free(text);
	return is_kept;
}

static void restore(struct ofd *ofd, const char *name, size_t len)
{
	static const struct oweb_actor by = { .who = "system", .reason = "as before the restart" };

	if (ofd_want_set(ofd, ofd_context_name(ofd, name, len), true))
		ofd_act(ofd, "want", name, "in", "out", &by);
}

/* As the agent keeps names: visible octets, NUL is none (oc_names.h). */
static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	return len > 0 && len <= OC_IDENT_MAX;
}

/* The names of @text, one a line; a line that holds none is skipped and said. */
static void read_names(struct ofd *ofd, const char *path, char *text, size_t len)
{
	const size_t head = strlen(HEAD);

	if (len < head || memcmp(text, HEAD, head) != 0) {
		LOG_E("doic: %s: not a list of neighbours out of selection; all are in", path);
		return;
	}
	uint32_t line = 2;
	for (char *at = text + head, *end = text + len; at < end; line++) {
		char *next = memchr(at, '\n', (size_t)(end - at));
		size_t name_len = (size_t)((next ? next : end) - at);
		at[name_len] = '\0';
		if (is_name(at, name_len))
			restore(ofd, at, name_len);
		else
			LOG_E("doic: %s: line %" PRIu32 " is no neighbour's name; it is skipped", path, line);
		at += name_len + 1;
	}
}

void ofd_want_restore(struct ofd *ofd)
{
	char path[KEEP_PATH_MAX], *text = calloc(1, FILE_MAX_OCTETS + 1);
	size_t len = 0;
	bool has_place = name_file(ofd, path);

	if (has_place)
		oev_fresh_sweep(path);
	int fd = has_place ? oev_file_open(path) : -1;
	if (fd >= 0 && text && oev_file_read(fd, text, FILE_MAX_OCTETS, &len) == OC_OK)
		read_names(ofd, path, text, len);
	else if (fd >= 0 || (errno != ENOENT && ofd->sequence_path[0]))
		LOG_E("doic: %s cannot be read: neighbours that were out of selection are in", path);
	if (fd >= 0)
		close(fd);
	free(text);
}
