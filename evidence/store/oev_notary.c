/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The notary's thread: its jobs, one after the other.
 */
#include "oev_notary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <syslog.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_place.h"
#include "oev_sealing.h"

#define FILE_MODE 0640
#define NICE 10
#define LOOK_EVERY_NS 3600000000000u /* for what grows old */
#define SYSLOG_LINE_MAX ((size_t)2 * OEV_NOTE_MAX)

enum job_kind { JOB_NOTE, JOB_SEAL, JOB_REMOVE };

struct job {
	struct job *next;
	enum job_kind kind;
	struct oev_seal seal;
	char path[OEV_PLACE_PATH_MAX]; /* of the segment */
	char note[];		       /* a checkpoint */
};

struct oev_notary {
	struct oev_notary_conf conf;
	char checkpoint_path[OEV_PLACE_PATH_MAX];
	pthread_t thread;
	pthread_mutex_t lock; /* over what follows, up to the thread's own */
	pthread_cond_t work;
	struct job *first;
	struct job **end;
	bool is_stopping;
	struct oev_removal *removals; /* planned; nobody changes them until they are removed */
	size_t removal_count;
	bool removals_told; /* their rows are stored */
	_Atomic uint64_t sealed;
	/* The thread's own. */
	struct oev_limiter note_log;
	struct oev_limiter seal_log;
	struct oev_limiter removal_log;
	uint64_t next_look_ns; /* when retention is looked at again */
	char note[OEV_NOTE_MAX];
	char line[SYSLOG_LINE_MAX];
};

/* The rows that a checkpoint speaks of are on the disk before it is told outside: else a loss of power would make it look as if
 * somebody had cut the log. The -wal has no locks that closing it could drop; when it is gone it was folded in, and pushed. */
static void push_rows(const char *path)
{
	char wal[OEV_PLACE_PATH_MAX + 8];

	snprintf(wal, sizeof(wal), "%s-wal", path);
	int fd = open(wal, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)fdatasync(fd);
	close(fd);
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
	int fd = open(notary->checkpoint_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
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
	for (; *note && at < notary->line + SYSLOG_LINE_MAX - 2; note++) {
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

static void seal(struct oev_notary *notary, struct job *job)
{
	struct oev_why why;
	uint64_t silent;
	int rc = oev_sealing(job->path, &job->seal, &notary->conf.signer, notary->conf.wall_us(),
			     notary->note, &why);

	if (rc == OC_OK) {
		atomic_fetch_add(&notary->sealed, 1);
		tell(notary, notary->note);
		return;
	}
	if (oev_may_say(&notary->seal_log, notary->conf.mono_ns(), &silent))
		oev_say(&notary->conf.voice, 1,
			"evidence segment is not sealed file=%s error=\"%s\" messages_suppressed=%llu",
			job->path, why.text, (unsigned long long)silent);
}

static void set_removals(struct oev_notary *notary, struct oev_removal *removals, size_t count)
{
	pthread_mutex_lock(&notary->lock);
	notary->removals = removals;
	notary->removal_count = count;
	notary->removals_told = false;
	pthread_mutex_unlock(&notary->lock);
}

/* What retention has come to; not while others wait for their rows. */
static void look(struct oev_notary *notary)
{
	const struct oev_notary_conf *conf = &notary->conf;
	struct oev_removal *removals;
	size_t count;

	notary->next_look_ns = conf->mono_ns() + LOOK_EVERY_NS;
	if (notary->removals != NULL) /* this thread alone writes it */
		return;
	if (oev_retain(conf->folder, &conf->self, &conf->limits, conf->wall_us(), &removals, &count) ==
		    OC_OK &&
	    count > 0)
		set_removals(notary, removals, count);
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

static void do_job(struct oev_notary *notary, struct job *job)
{
	switch (job->kind) {
	case JOB_SEAL:
		seal(notary, job);
		look(notary);
		break;
	case JOB_REMOVE:
		remove_all(notary);
		break;
	case JOB_NOTE:
		if (notary->conf.sync)
			push_rows(job->path);
		tell(notary, job->note);
		break;
	}
	if (notary->conf.mono_ns() >= notary->next_look_ns)
		look(notary);
}

/* The next job; NULL when all is done and no more will come. */
static struct job *take_job(struct oev_notary *notary)
{
	pthread_mutex_lock(&notary->lock);
	while (!notary->first && !notary->is_stopping)
		pthread_cond_wait(&notary->work, &notary->lock);
	struct job *job = notary->first;
	if (job) {
		notary->first = job->next;
		if (!notary->first)
			notary->end = &notary->first;
	}
	pthread_mutex_unlock(&notary->lock);
	return job;
}

static void *run(void *ctx)
{
	struct oev_notary *notary = ctx;
	struct job *job;

	/* On Linux this is the thread's own priority; without the privilege it stays as it is. */
	(void)setpriority(PRIO_PROCESS, 0, NICE);
	look(notary);
	while ((job = take_job(notary)) != NULL) {
		do_job(notary, job);
		free(job);
	}
	return NULL;
}

static void notary_free(struct oev_notary *notary)
{
	pthread_cond_destroy(&notary->work);
	pthread_mutex_destroy(&notary->lock);
	free(notary->removals);
	free(notary);
}

int oev_notary_start(struct oev_notary **out, const struct oev_notary_conf *conf)
{
	struct oev_notary *notary = calloc(1, sizeof(*notary));

	if (!notary)
		return OC_ENOMEM;
	notary->conf = *conf;
	snprintf(notary->checkpoint_path, sizeof(notary->checkpoint_path), "%s", conf->checkpoint_path);
	notary->end = &notary->first;
	pthread_mutex_init(&notary->lock, NULL);
	pthread_cond_init(&notary->work, NULL);
	if (pthread_create(&notary->thread, NULL, run, notary) == 0) {
		*out = notary;
		return OC_OK;
	}
	notary_free(notary);
	return OC_ENOMEM;
}

void oev_notary_stop(struct oev_notary *notary)
{
	if (!notary)
		return;
	pthread_mutex_lock(&notary->lock);
	notary->is_stopping = true;
	pthread_cond_signal(&notary->work);
	pthread_mutex_unlock(&notary->lock);
	pthread_join(notary->thread, NULL);
	notary_free(notary);
}

static int give_job(struct oev_notary *notary, struct job *job)
{
	pthread_mutex_lock(&notary->lock);
	*notary->end = job;
	notary->end = &job->next;
	pthread_cond_signal(&notary->work);
	pthread_mutex_unlock(&notary->lock);
	return OC_OK;
}

static struct job *job_new(const char *path, size_t note_octets)
{
	struct job *job = calloc(1, sizeof(*job) + note_octets);

	if (job)
		snprintf(job->path, sizeof(job->path), "%s", path);
	return job;
}

int oev_notary_note(struct oev_notary *notary, const char *path, const char *note)
{
	size_t octets = strlen(note) + 1;
	struct job *job = job_new(path, octets);

	if (!job)
		return OC_ENOMEM;
	memcpy(job->note, note, octets);
	return give_job(notary, job);
}

int oev_notary_seal(struct oev_notary *notary, const char *path, const struct oev_seal *seal_of)
{
	struct job *job = job_new(path, 0);

	if (!job)
		return OC_ENOMEM;
	job->kind = JOB_SEAL;
	job->seal = *seal_of;
	return give_job(notary, job);
}

const struct oev_removal *oev_notary_removals(struct oev_notary *notary, size_t *count)
{
	pthread_mutex_lock(&notary->lock);
	const struct oev_removal *removals = notary->removals_told ? NULL : notary->removals;
	*count = notary->removal_count;
	pthread_mutex_unlock(&notary->lock);
	return removals;
}

void oev_notary_remove(struct oev_notary *notary)
{
	struct job *job = job_new("", 0);

	if (!job)
		return; /* they wait for the next life, which will tell of them again */
	job->kind = JOB_REMOVE;
	pthread_mutex_lock(&notary->lock);
	notary->removals_told = true;
	pthread_mutex_unlock(&notary->lock);
	give_job(notary, job);
}

uint64_t oev_notary_sealed(const struct oev_notary *notary)
{
	return atomic_load(&notary->sealed);
}
