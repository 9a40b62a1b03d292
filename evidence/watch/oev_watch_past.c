/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The file of a watch's sums, and the thread that writes it: neither the recorder nor those who look wait for a disk.
 */
#include "oev_watch_past.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../oev_idle.h"
#include "../proof/oev_file.h"
#include "../proof/oev_hash.h"
#include "../store/oev_place.h"
#include "oev_watch_inner.h"

#define MAGIC "doicsum1" /* another one when a member of the sums changes its meaning */
#define MODE 0600
#define PATH_SIZE 4096u
#define PAUSE_S 600u

struct head {
	char magic[8];
	uint64_t size; /* of the image behind it */
	char self[OC_IDENT_MAX + 1];
	struct oev_hash sha256; /* of the image */
};

struct oev_watch_past {
	struct oev_watch *watch;
	char path[PATH_SIZE];
	struct oev_idle idle;
};

static void say(char *error, const char *path, const char *what)
{
	snprintf(error, OEV_WATCH_PAST_ERROR, "%.300s: %.150s", path, what);
}

/* Of what is in @head and behind it; NULL: it is as it should be. */
static const char *wrong_with(const struct head *head, size_t len, const char *self)
{
	struct oev_hash sha256;

	if (len < sizeof(*head) || memcmp(head->magic, MAGIC, sizeof(head->magic)) != 0 ||
	    head->size != oev_watch_image_size() || len - sizeof(*head) != head->size)
		return "the history is of another version, or cut; it begins anew";
	if (memchr(head->self, '\0', sizeof(head->self)) == NULL || strcmp(head->self, self) != 0)
		return "the history is of another node; it begins anew";
	oev_hash_of(head + 1, head->size, &sha256);
	return oev_hash_equal(&sha256, &head->sha256) ? NULL : "the history is damaged; it begins anew";
}

/* What cannot be used is not written over: it may be another node's, or a later version's. */
static void put_aside(const char *path)
{
	char aside[PATH_SIZE + sizeof(".old")];

	snprintf(aside, sizeof(aside), "%s.old", path);
	(void)rename(path, aside);
}

static int load(struct oev_watch_past *past, uint64_t wall_us, char *error)
{
	size_t size = sizeof(struct head) + oev_watch_image_size(), len = 0;
	struct head *head = calloc(1, size);
	int fd = head != NULL ? oev_file_open(past->path) : -1;
	int rc = head != NULL ? OC_OK : OC_ENOMEM;

	if (fd < 0 && head != NULL && errno != ENOENT)
		say(error, past->path, oev_file_problem(errno));
	if (fd >= 0) {
		(void)oev_file_read(fd, head, size, &len); /* what is too long or short has another size */
		const char *wrong = wrong_with(head, len, oev_watch_self(past->watch));
		if (wrong != NULL) {
			say(error, past->path, wrong);
			put_aside(past->path);
		} else
			oev_watch_image_put(past->watch, head + 1, wall_us);
		close(fd);
	}
	free(head);
	return rc;
}

static bool save(struct oev_watch_past *past, char *error)
{
	size_t size = oev_watch_image_size();
	struct head *head = calloc(1, sizeof(*head) + size);

	if (head == NULL) {
		say(error, past->path, "out of memory");
		return false;
	}
	memcpy(head->magic, MAGIC, sizeof(head->magic));
	head->size = size;
	snprintf(head->self, sizeof(head->self), "%s", oev_watch_self(past->watch));
	oev_watch_image_get(past->watch, head + 1);
	oev_hash_of(head + 1, size, &head->sha256);
	bool is_put = oev_file_put(past->path, head, sizeof(*head) + size, MODE, OEV_FILE_OVER) == OC_OK;
	if (!is_put)
		say(error, past->path, strerror(errno));
	free(head);
	return is_put;
}

static void run(void *ctx)
{
	struct oev_watch_past *past = ctx;
	char error[OEV_WATCH_PAST_ERROR];

	while (oev_idle_pause(&past->idle, PAUSE_S, 0))
		(void)save(past, error); /* tried again; the last one is told */
}

int oev_watch_past_start(struct oev_watch_past **out, struct oev_watch *watch, const char *folder,
			 uint64_t wall_us, char error[static OEV_WATCH_PAST_ERROR])
{
	struct oev_watch_past *past = calloc(1, sizeof(*past));
	int rc = past != NULL ? OC_OK : OC_ENOMEM;

	*out = NULL;
	error[0] = '\0';
	if (rc == OC_OK)
		rc = oev_place_make(folder, error, OEV_WATCH_PAST_ERROR);
	if (rc == OC_OK && (size_t)snprintf(past->path, sizeof(past->path), "%s/" OEV_WATCH_PAST_FILE,
					    folder) >= sizeof(past->path)) {
		say(error, folder, strerror(ENAMETOOLONG));
		rc = OC_EIO;
	}
	if (rc == OC_OK) {
		past->watch = watch;
		rc = load(past, wall_us, error);
	}
	if (rc != OC_OK) {
		free(past);
		return rc == OC_ENOMEM ? rc : OC_EIO;
	}
	(void)oev_idle_start(&past->idle, run, past); /* without it the end writes */
	*out = past;
	return OC_OK;
}

bool oev_watch_past_stop(struct oev_watch_past *past, char error[static OEV_WATCH_PAST_ERROR])
{
	error[0] = '\0';
	if (past == NULL)
		return true;
	oev_idle_stop(&past->idle);
	bool is_saved = save(past, error);
	free(past);
	return is_saved;
}
