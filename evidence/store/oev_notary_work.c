/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the notary does: notes outside the folder, seals, retention.
 */
#include "oev_notary_inner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"
#include "../proof/oev_file.h"
#include "oev_sealing.h"

#define FILE_MODE 0640
#define AGAIN_NS UINT64_C(5000000000) /* after a seal that could not be made */
#define DOUBLINGS_MAX 6u	      /* of that pause: five minutes */
#define READER_NS                                                                                            \
	UINT64_C(                                                                                            \
		200000000) /* after the first reader in the way; twice as long after each other, up to AGAIN_NS */
#define WAIT_MAX_US 3600000000u	     /* that a reader holds up retention */
#define LOOK_EVERY_NS 3600000000000u /* for what grows old */

static void push_wal(const char *path)
{
	char wal[OEV_PLACE_PATH_MAX + 8];

	snprintf(wal, sizeof(wal), "%s-wal", path);
	int fd = oev_file_open(wal);
	if (fd < 0)
		return;
	(void)fdatasync(fd);
	close(fd);
}

/* Closing a database file would drop the locks that SQLite has on it: its folder stands for the file system. */
static void push_everything(const char *path)
{
	char folder[OEV_PLACE_PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s", (int)(oev_place_name(path) - path), path);
	int fd = open(folder[0] ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)syncfs(fd);
	close(fd);
}

/* The rows that a checkpoint speaks of are on the disk before it is told outside, and those that tell of a removal before it is
 * done: else a loss of power would make it look as if somebody had cut the log. The -wal has no locks that closing it could
 * drop; when it is gone it was folded in, and pushed, unless the database pushes nothing. */
static void push_rows(const struct oev_notary *notary, const char *path)
{
	if (notary->conf.push == OEV_PUSH_WAL)
		push_wal(path);
	else if (notary->conf.push == OEV_PUSH_ALL)
		push_everything(path);
}

/* A whole note or nothing. */
static int write_note(int fd, const char *note, size_t len)
{
	off_t before = lseek(fd, 0, SEEK_END);
	ssize_t put = write(fd, note, len);

	if (put == (ssize_t)len)
		return fsync(fd) == 0 ? OC_OK : OC_EIO;
	int number = put < 0 ? errno : ENOSPC;
	if (put > 0 && before >= 0 && ftruncate(fd, before) != 0)
		number = errno;
	errno = number;
	return OC_EIO;
}

static void append_note(struct oev_notary *notary, const char *note)
{
	uint64_t silent;
	int fd = open(notary->checkpoint_path,
		      O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
		      FILE_MODE);
	int rc = fd >= 0 ? write_note(fd, note, strlen(note)) : OC_EIO;
	int number = errno;

	if (fd >= 0)
		close(fd);
	if (rc == OC_OK || !oev_may_say(&notary->note_log, notary->conf.mono_ns(), &silent))
		return;
	oev_say(&notary->conf.voice, 1,
		"evidence checkpoint cannot be kept outside the folder file=%s error=\"%s\" "
		"messages_suppressed=%llu",
		notary->checkpoint_path, strerror(number), (unsigned long long)silent);
}

/* One line: printf '%b' gives the note back. */
static void tell_syslog(struct oev_notary *notary, const char *note)
{
	char *at = notary->line;

	if (!notary->conf.syslog)
		return;
	for (; *note && at < notary->line + OEV_NOTARY_LINE_MAX - 2; note++) {
		if (*note == '\n')
			*at++ = '\\';
		*at++ = *note == '\n' ? 'n' : *note;
	}
	*at = '\0';
	syslog(LOG_NOTICE | LOG_DAEMON, "doic evidence %s", notary->line);
}

static void tell(struct oev_notary *notary, const char *note)
{
	append_note(notary, note);
	tell_syslog(notary, note);
}

/* False: it stops, there is no later. */
static bool keep_for_later(struct oev_notary *notary, struct oev_notary_job *job, uint64_t pause_ns)
{
	pthread_mutex_lock(&notary->lock);
	bool is_kept = !notary->is_stopping;
	if (is_kept) {
		job->again_ns = oev_clock_mono_ns() + pause_ns;
		job->next = notary->later;
		notary->later = job;
	}
	pthread_mutex_unlock(&notary->lock);
	return is_kept;
}

/* Most readers are gone in a moment, and until then a segment looks as if nobody cared for it. */
static uint64_t pause_for_reader(struct oev_notary_job *job)
{
	uint64_t pause_ns = READER_NS << job->waits;

	if (pause_ns >= AGAIN_NS)
		return AGAIN_NS;
	job->waits++;
	return pause_ns;
}

/* False: a reader is in the way, the job is kept for later. */
static bool fold(struct oev_notary *notary, struct oev_notary_job *job)
{
	if (oev_sealing_fold(job->path) == OC_OK)
		return true;
	if (keep_for_later(notary, job, pause_for_reader(job)))
		return false;
	oev_say(&notary->conf.voice, 0,
		"evidence segment is left unsealed file=%s reason=\"its -wal cannot be folded in: a reader, "
		"or damage\" "
		"remedy=\"the next start seals it\"",
		job->path);
	free(job);
	return false;
}

/* A full disk, or one that fails, may work again: the pauses grow, for every try reads the whole file. */
static void retry_seal(struct oev_notary *notary, struct oev_notary_job *job, const char *error)
{
	bool is_gone = access(job->path, F_OK) != 0 && errno == ENOENT;
	unsigned doublings = job->failures < DOUBLINGS_MAX ? job->failures++ : DOUBLINGS_MAX;
	uint64_t silent;

	if (oev_may_say(&notary->seal_log, notary->conf.mono_ns(), &silent))
		oev_say(&notary->conf.voice, 1,
			"evidence segment is not sealed file=%s error=\"%s\" messages_suppressed=%llu",
			job->path, error, (unsigned long long)silent);
	if (is_gone || !keep_for_later(notary, job, (uint64_t)AGAIN_NS << doublings))
		free(job);
}

static void seal(struct oev_notary *notary, struct oev_notary_job *job)
{
	struct oev_why why;

	if (!fold(notary, job))
		return;
	if (oev_sealing(job->path, &job->seal, &notary->conf.signer, job->closed_us, notary->note, &why) !=
	    OC_OK) {
		retry_seal(notary, job, why.text);
		return;
	}
	atomic_fetch_add(&notary->sealed, 1);
	tell(notary, notary->note);
	free(job);
}

static void set_removals(struct oev_notary *notary, struct oev_removal *removals, size_t count)
{
	pthread_mutex_lock(&notary->lock);
	notary->removals = removals;
	notary->removal_count = count;
	notary->removals_told = false;
	pthread_mutex_unlock(&notary->lock);
}

static void say_doubt(struct oev_notary *notary)
{
	uint64_t silent;

	if (oev_may_say(&notary->doubt_log, notary->conf.mono_ns(), &silent))
		oev_say(&notary->conf.voice, 1,
			"evidence segments are kept file=%s reason=\"by the clock all are too old\" "
			"remedy=\"check the clock; they are removed when two more were sealed\" "
			"messages_suppressed=%llu",
			notary->conf.folder, (unsigned long long)silent);
}

/* When the oldest segment ended that waits for a reader to go; UINT64_MAX: none. What came after it is not removed meanwhile: the
 * log would have a hole, and the rows that tell of it might be removed before the segment is. Nobody reads for hours. */
static uint64_t waiting_since_us(struct oev_notary *notary)
{
	const struct oev_notary_job *lists[2];
	uint64_t now_us = notary->conf.wall_us(), oldest_us = UINT64_MAX;

	pthread_mutex_lock(&notary->lock);
	lists[0] = notary->first;
	lists[1] = notary->later;
	for (size_t i = 0; i < 2; i++)
		for (const struct oev_notary_job *job = lists[i]; job; job = job->next)
			if (job->kind == OEV_NOTARY_SEAL && job->failures == 0 &&
			    job->closed_us + WAIT_MAX_US > now_us && job->closed_us < oldest_us)
				oldest_us = job->closed_us;
	pthread_mutex_unlock(&notary->lock);
	return oldest_us;
}

/* What retention has come to; not while others wait for their rows. */
void oev_notary_look(struct oev_notary *notary)
{
	const struct oev_notary_conf *conf = &notary->conf;
	struct oev_retain_limits limits = conf->limits;
	struct oev_retained retained;

	notary->next_look_ns = conf->mono_ns() + LOOK_EVERY_NS;
	if (notary->removals != NULL) /* this thread alone writes it */
		return;
	limits.before_us = waiting_since_us(notary);
	if (oev_retain(conf->folder, &conf->self, &limits, conf->wall_us(), &retained) != OC_OK)
		return;
	if (retained.is_doubted)
		say_doubt(notary);
	if (retained.count > 0)
		set_removals(notary, retained.removals, retained.count);
}

static void remove_all(struct oev_notary *notary)
{
	struct oev_removal *removals = notary->removals;
	uint64_t silent;

	for (size_t i = 0; i < notary->removal_count; i++) {
		if (oev_retain_remove(&removals[i]) == OC_OK)
			oev_say(&notary->conf.voice, 0, "evidence segment was removed file=%s reason=%s",
				removals[i].path, removals[i].is_by_age ? "age" : "size");
		else if (oev_may_say(&notary->removal_log, notary->conf.mono_ns(), &silent))
			oev_say(&notary->conf.voice, 1,
				"evidence segment cannot be removed file=%s error=\"%s\" "
				"messages_suppressed=%llu",
				removals[i].path, strerror(errno), (unsigned long long)silent);
	}
	set_removals(notary, NULL, 0);
	free(removals);
}

void oev_notary_do(struct oev_notary *notary, struct oev_notary_job *job)
{
	switch (job->kind) {
	case OEV_NOTARY_SEAL:
		seal(notary, job);
		oev_notary_look(notary);
		break;
	case OEV_NOTARY_REMOVE:
		push_rows(notary, job->path);
		remove_all(notary);
		free(job);
		break;
	case OEV_NOTARY_NOTE:
		push_rows(notary, job->path);
		tell(notary, job->note);
		free(job);
		break;
	}
	if (notary->conf.mono_ns() >= notary->next_look_ns)
		oev_notary_look(notary);
}
