/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The file of tokens: always written anew beside the old one and renamed, so that a server that reads it sees all of it.
 */
#include "cli_token_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../../evidence/proof/oev_fresh.h"

#define TEXT_MAX 65536u

static int fail(int rc, const char *path, const char *what, char *error, size_t size)
{
	snprintf(error, size, "%s: %s: %s", path, what, strerror(errno));
	return rc;
}

/* The folder @path is in, locked until the returned descriptor is closed; -1. */
static int lock_folder(const char *path)
{
	char folder[OWEB_PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t len = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);

	if (snprintf(folder, sizeof(folder), "%.*s", len == 0 ? 1 : (int)len, len == 0 ? "." : path) >=
	    (int)sizeof(folder)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The text at @path, "" when there is no file; NULL (errno). */
static char *read_text(const char *path, struct stat *info)
{
	char *text = calloc(1, TEXT_MAX + 1);
	FILE *file = fopen(path, "re");

	*info = (struct stat){ .st_mode = 0600, .st_uid = geteuid(), .st_gid = getegid() };
	if (file == NULL && errno == ENOENT)
		return text;
	size_t len = text != NULL && file != NULL ? fread(text, 1, TEXT_MAX + 1, file) : 0;
	bool ok = file != NULL && text != NULL && ferror(file) == 0 && len <= TEXT_MAX &&
		  fstat(fileno(file), info) == 0;
	if (file != NULL)
		fclose(file);
	if (ok)
		return text;
	if (len > TEXT_MAX)
		errno = EFBIG;
	free(text);
	return NULL;
}

static bool write_temp(int fd, const char *text, const struct stat *like)
{
	size_t len = strlen(text);

	/* the same owner as before; only root can give it back, and nobody else needs to */
	if (fchown(fd, like->st_uid, like->st_gid) != 0 && errno != EPERM)
		return false;
	return fchmod(fd, like->st_mode & 0640) == 0 && write(fd, text, len) == (ssize_t)len &&
	       fsync(fd) == 0;
}

static bool replace(const char *path, const char *text, const struct stat *like)
{
	char temp[OEV_FRESH_PATH_MAX];
	int fd = oev_fresh_open(path, temp);

	if (fd < 0)
		return false;
	bool ok = write_temp(fd, text, like) && rename(temp, path) == 0;
	int why = errno;
	if (!ok)
		unlink(temp);
	close(fd);
	errno = why;
	return ok;
}

/* @text without the line of @name. In place. */
static void cut(char *text, const char *name)
{
	size_t len = strlen(name);

	for (char *line = text; *line != '\0';) {
		size_t whole = strcspn(line, "\n"), skip = strspn(line, " \t");
		whole += line[whole] == '\n';
		bool is_it = strncmp(line + skip, name, len) == 0 &&
			     (line[skip + len] == ' ' || line[skip + len] == '\t');
		if (!is_it) {
			line += whole;
			continue;
		}
		memmove(line, line + whole, strlen(line + whole) + 1);
		return;
	}
}

/* Under the lock: @line NULL takes @name out. */
static int change(const char *path, const char *name, const char *line, char *error, size_t size)
{
	struct oweb_tokens tokens;
	struct stat info;
	char told[OWEB_ERROR_MAX] = "";
	int rc = oweb_tokens_load(path, &tokens, told);
	bool has = rc == OC_OK && oweb_tokens_named(&tokens, name) != NULL;

	if (rc != OC_OK || has == (line != NULL) || (line != NULL && tokens.count == OWEB_TOKENS_MAX)) {
		rc = rc != OC_OK ? rc : line == NULL ? OC_ENOENT : has ? OC_EBUSY : OC_ENOMEM;
		snprintf(error, size, "%s%.100s%s",
			 told[0] != '\0'   ? told
			 : rc == OC_ENOMEM ? "the file is full; no token for "
					   : "",
			 told[0] != '\0' ? "" : name,
			 rc == OC_EBUSY	   ? " has a token already: revoke it first"
			 : rc == OC_ENOENT ? " has no token"
					   : "");
		return rc;
	}
	char *text = read_text(path, &info), *whole = NULL;
	if (text == NULL)
		return fail(OC_EIO, path, "cannot be read", error, size);
	if (line == NULL)
		cut(text, name);
	bool is_open = text[0] != '\0' && text[strlen(text) - 1] != '\n';
	if (asprintf(&whole, "%s%s%s", text, is_open ? "\n" : "", line != NULL ? line : "") < 0)
		whole = NULL;
	rc = whole != NULL && replace(path, whole, &info) ? OC_OK : OC_EIO;
	if (rc != OC_OK)
		fail(rc, path, "cannot be written", error, size);
	free(whole);
	free(text);
	return rc;
}

static int change_locked(const char *path, const char *name, const char *line, char *error, size_t size)
{
	if (strlen(path) >= OWEB_PATH_MAX) {
		errno = ENAMETOOLONG;
		return fail(OC_EIO, "the file", "no use", error, size);
	}
	int lock = lock_folder(path);
	if (lock < 0)
		return fail(OC_EIO, path, "its folder cannot be opened", error, size);
	int rc = change(path, name, line, error, size);
	close(lock);
	return rc;
}

int cli_token_add(const char *path, const char *name, const char *line, char *error, size_t size)
{
	return change_locked(path, name, line, error, size);
}

int cli_token_remove(const char *path, const char *name, char *error, size_t size)
{
	return change_locked(path, name, NULL, error, size);
}
