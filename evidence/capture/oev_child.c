/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Children by posix_spawn.
 */
#include "oev_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../agent/oc_err.h"

#define SILENCE_MS 10000 /* from the end of its output to its own */
#define HIGH 16		 /* descriptors are moved up here before they get their numbers in the child */

/* A pipe whose both ends are closed in children, and away from the numbers children get. */
static int make_pipe(int ends[2])
{
	int low[2];

	if (pipe(low) != 0)
		return OC_EIO;
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, HIGH);
		close(low[i]);
	}
	if (ends[0] >= 0 && ends[1] >= 0)
		return OC_OK;
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	return OC_EIO;
}

static void close_if(int descriptor)
{
	if (descriptor >= 0)
		close(descriptor);
}

struct ends {
	int in, out[2], err[2], extra;
};

static int open_ends(struct ends *ends, const struct oev_child_conf *conf)
{
	*ends = (struct ends){ .in = -1, .out = { -1, -1 }, .err = { -1, -1 }, .extra = -1 };
	int rc = make_pipe(ends->err);
	if (rc == OC_OK && conf->out < 0)
		rc = make_pipe(ends->out);
	else if (rc == OC_OK)
		ends->out[1] = fcntl(conf->out, F_DUPFD_CLOEXEC, HIGH);
	ends->in = fcntl(conf->in, F_DUPFD_CLOEXEC, HIGH);
	if (conf->extra >= 0)
		ends->extra = fcntl(conf->extra, F_DUPFD_CLOEXEC, HIGH);
	if (rc == OC_OK && (ends->in < 0 || ends->out[1] < 0 || (conf->extra >= 0 && ends->extra < 0)))
		rc = OC_EIO;
	return rc;
}

/* What the child holds by now, and on failure what we do. */
static void close_ends(const struct ends *ends, bool all)
{
	close_if(ends->in);
	close_if(ends->out[1]);
	close_if(ends->err[1]);
	close_if(ends->extra);
	if (!all)
		return;
	close_if(ends->out[0]);
	close_if(ends->err[0]);
}

static int map_ends(posix_spawn_file_actions_t *actions, const struct ends *ends)
{
	int rc = posix_spawn_file_actions_adddup2(actions, ends->in, 0);

	rc |= posix_spawn_file_actions_adddup2(actions, ends->out[1], 1);
	rc |= posix_spawn_file_actions_adddup2(actions, ends->err[1], 2);
	if (ends->extra >= 0)
		rc |= posix_spawn_file_actions_adddup2(actions, ends->extra, OEV_CHILD_EXTRA);
	return rc;
}

static int spawn(struct oev_child *child, const struct oev_child_conf *conf, const struct ends *ends)
{
	char path[4096] = "PATH=/usr/bin:/bin", tmp[4096] = "TMPDIR=/tmp";
	char *const environment[] = { path, tmp, "LC_ALL=C", "TZ=UTC", "HOME=/nonexistent", NULL };
	const char *own_path = getenv("PATH"), *own_tmp = getenv("TMPDIR");
	posix_spawn_file_actions_t actions;

	if (own_path != NULL && (size_t)snprintf(path, sizeof(path), "PATH=%s", own_path) >= sizeof(path))
		return OC_EINVAL;
	if (own_tmp != NULL && (size_t)snprintf(tmp, sizeof(tmp), "TMPDIR=%s", own_tmp) >= sizeof(tmp))
		return OC_EINVAL;
	if (posix_spawn_file_actions_init(&actions) != 0)
		return OC_ENOMEM;
	int rc = map_ends(&actions, ends);
	if (rc == 0)
		rc = posix_spawnp(&child->pid, conf->argv[0], &actions, NULL, (char *const *)conf->argv,
				  environment);
	posix_spawn_file_actions_destroy(&actions);
	if (rc == 0)
		return OC_OK;
	return rc == ENOENT ? OC_ENOENT : rc == ENOMEM ? OC_ENOMEM : OC_EIO;
}

int oev_child_start(struct oev_child *child, const struct oev_child_conf *conf)
{
	struct ends ends;

	*child = (struct oev_child){ .pid = -1, .out = -1, .err = -1, .line = malloc(OEV_CHILD_LINE_MAX) };
	int rc = child->line != NULL ? open_ends(&ends, conf) : OC_ENOMEM;
	if (child->line == NULL)
		return rc;
	if (rc == OC_OK)
		rc = spawn(child, conf, &ends);
	close_ends(&ends, rc != OC_OK);
	if (rc != OC_OK) {
		free(child->line);
		child->line = NULL;
		return rc;
	}
	child->out = ends.out[0];
	child->err = ends.err[0];
	child->is_over = child->out < 0;
	fcntl(child->err, F_SETFL, O_NONBLOCK);
	return OC_OK;
}

/* Keeps the last words; what is no visible ASCII becomes a blank. */
static void keep_said(struct oev_child *child, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (child->said_len == sizeof(child->said) - 1) {
			memmove(child->said, child->said + 1, child->said_len - 1);
			child->said_len--;
		}
		char c = text[i] > 0x20 && text[i] < 0x7f ? text[i] : ' ';
		child->said[child->said_len++] = c;
		child->said[child->said_len] = '\0';
	}
}

/* False: its standard error is at the end. */
static bool read_err(struct oev_child *child)
{
	char text[512];
	ssize_t got;

	while ((got = read(child->err, text, sizeof(text))) > 0)
		keep_said(child, text, (size_t)got);
	return got < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Reads more of standard output behind what is there. */
static int read_out(struct oev_child *child)
{
	if (child->line_at > 0) {
		memmove(child->line, child->line + child->line_at, child->line_len - child->line_at);
		child->line_len -= child->line_at;
		child->line_at = 0;
	}
	if (child->line_len ==
	    OEV_CHILD_LINE_MAX) { /* no newline in all of it: the rest of that line follows */
		child->line_len = 0;
		return OC_EMALFORMED;
	}
	ssize_t got = read(child->out, child->line + child->line_len, OEV_CHILD_LINE_MAX - child->line_len);
	if (got < 0 && errno == EINTR)
		return OC_EINTERRUPTED;
	if (got <= 0)
		child->is_over = true;
	else
		child->line_len += (size_t)got;
	return OC_OK;
}

/* Waits for something to read on either pipe. */
static int wait_for(struct oev_child *child, int wait_ms)
{
	struct pollfd ready[2] = { { .fd = child->out, .events = POLLIN },
				   { .fd = child->err, .events = POLLIN } };
	int count = poll(ready, 2, wait_ms);

	if (count < 0)
		return errno == EINTR ? OC_EINTERRUPTED : OC_EIO;
	if (count == 0)
		return OC_EBUSY;
	if (ready[1].revents != 0 && !read_err(child)) {
		close(child->err);
		child->err = -1;
	}
	return ready[0].revents != 0 ? read_out(child) : OC_OK;
}

static bool take_line(struct oev_child *child, const char **line, size_t *len)
{
	const char *start = child->line + child->line_at;
	const char *end = memchr(start, '\n', child->line_len - child->line_at);

	if (end == NULL)
		return false;
	*line = start;
	*len = (size_t)(end - start);
	child->line_at += *len + 1;
	return true;
}

int oev_child_line(struct oev_child *child, int wait_ms, const char **line, size_t *len)
{
	while (!take_line(child, line, len)) {
		if (child->is_over)
			return OC_ENOENT;
		int rc = wait_for(child, wait_ms);
		if (rc != OC_OK)
			return rc;
	}
	return OC_OK;
}

/* Takes its last words, so that it never waits for somebody to hear them; what is silent too long is ended. */
static bool hear_out(struct oev_child *child)
{
	struct pollfd ready = { .fd = child->err, .events = POLLIN };

	while (child->err >= 0) {
		int count = poll(&ready, 1, SILENCE_MS);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		if (!read_err(child))
			break;
	}
	return true;
}

int oev_child_end(struct oev_child *child, bool kill_it)
{
	int status = 0;

	close_if(child->out);
	if (kill_it || !hear_out(child))
		kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	close_if(child->err);
	free(child->line);
	child->line = NULL;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
