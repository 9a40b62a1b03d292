/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Seals that come late: the recorder goes on with the next segment while the finished one is being hashed.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

#define FRESH_S 30
#define WAIT_STEP_MS 100u
#define WAIT_BASE_MS 3000u
#define WAIT_FOLD_MS 6000u   /* the agent tries to fold a -wal in every 5 s at the latest */
#define BYTES_PER_MS 100000u /* slow disks included */

static bool is_there(const char *path, const char *suffix)
{
	struct stat info;
	char *whole = oev_verify_join(path, suffix);
	bool found = whole != NULL && stat(whole, &info) == 0;

	free(whole);
	return found;
}

/* Somebody writes the log right now, or may: the next segment may be so young that it has no -wal yet. */
static bool is_fresh(const struct oev_verify_run *run)
{
	struct stat info;

	return run->is_live || (stat(run->files[run->file_count - 1].path, &info) == 0 &&
				info.st_mtime + FRESH_S > time(NULL));
}

/* Waits for the seal as long as hashing the file may take, when somebody is there to write it. A -wal beside it is there because somebody
 * read the segment when it ended, ourselves perhaps: an agent that lives folds it in soon, and one that does not leaves it. */
static bool wait_for(struct oev_verify_run *run, const struct oev_verify_file *file)
{
	struct timespec step = { .tv_nsec = (long)WAIT_STEP_MS * 1000000 };
	bool found = is_there(file->path, OEV_SEAL_SUFFIX), has_wal = is_there(file->path, "-wal");
	uint64_t left = WAIT_BASE_MS + file->bytes / BYTES_PER_MS + (has_wal ? WAIT_FOLD_MS : 0);

	if (!is_fresh(run))
		return found;
	for (; !found && left > WAIT_STEP_MS && oev_verify_go_on(run, 0); left -= WAIT_STEP_MS) {
		nanosleep(&step, NULL);
		found = is_there(file->path, OEV_SEAL_SUFFIX);
	}
	return found;
}

/* The rows were judged; the file gets its digest compared. */
static int judge_seal(struct oev_verify_work *work)
{
	struct stat info;

	if (stat(work->file->path, &info) == 0) /* its -wal was folded in meanwhile */
		work->segment->bytes = (uint64_t)info.st_size;
	work->segment->state = OEV_SEGMENT_SEALED;
	work->is_judged = true;
	int rc = oev_verify_file_seal(work);
	if (rc == OC_OK)
		oev_verify_file_end(work);
	return rc;
}

static int judge(struct oev_verify_run *run, const struct oev_verify_late *late)
{
	struct oev_verify_work *work = calloc(1, sizeof(*work));
	int rc = OC_OK;

	if (work == NULL)
		return OC_ENOMEM;
	work->run = run;
	work->file = late->file;
	work->segment = &run->result->segments[late->segment];
	if (wait_for(run, late->file))
		rc = judge_seal(work);
	else if (is_there(late->file->path, "")) /* else it was removed meanwhile; its rows held */
		oev_verify_find(
			run, work, OEV_VERIFY_UNSEALED, OEV_KIND_SEAL,
			is_there(late->file->path, "-wal")
				? "finished, but not sealed, since its -wal is not folded in "
				  "(somebody read it then); the agent does that when nobody reads it, "
				  "or at its next start"
				: "finished, but without a seal");
	free(work);
	return rc == OC_EIO ? OC_OK : rc;
}

int oev_verify_late(struct oev_verify_run *run)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < run->late_count; i++)
		rc = judge(run, &run->late[i]);
	return run->is_stopped ? OC_EINTERRUPTED : rc;
}
