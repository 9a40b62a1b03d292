/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making, reading and checking tokens.
 */
#include "oweb_token.h"

#include <crypt.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../agent/oc_err.h"
#include "oweb_secret.h"

#define FILE_MAX 65536
#define PREFIX "$y$" /* yescrypt; other methods of crypt(5) are read too */
#define COST 1	     /* its least: 256 random bits cannot be guessed, and each wrong token costs us a hash */

static const char *const roles[] = { "none", "observer", "administrator" };
_Static_assert(sizeof(roles) / sizeof(roles[0]) == OWEB_ROLE_COUNT, "every role has its word");

const char *oweb_role_text(enum oweb_role role)
{
	return (unsigned)role < OWEB_ROLE_COUNT ? roles[role] : "none";
}

enum oweb_role oweb_role_parse(const char *text)
{
	for (unsigned role = OWEB_ROLE_OBSERVER; role < OWEB_ROLE_COUNT; role++)
		if (strcmp(roles[role], text) == 0)
			return (enum oweb_role)role;
	return OWEB_ROLE_NONE;
}

static bool is_name(const char *name)
{
	size_t len = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

	return len > 0 && len < OWEB_WHO_MAX && name[len] == '\0';
}

/* crypt() of @text by @setting, to @out. */
static bool hash_text(const char *text, const char *setting, char out[static OWEB_TOKEN_HASH_MAX])
{
	struct crypt_data *data = calloc(1, sizeof(*data));
	const char *hash = data == NULL ? NULL : crypt_r(text, setting, data);
	bool ok = hash != NULL && hash[0] != '*' &&
		  snprintf(out, OWEB_TOKEN_HASH_MAX, "%s", hash) < (int)OWEB_TOKEN_HASH_MAX;

	if (data != NULL)
		explicit_bzero(data, sizeof(*data));
	free(data);
	return ok;
}

int oweb_token_new(const char *name, enum oweb_role role, char token[static OWEB_TOKEN_MAX],
		   char line[static OWEB_TOKEN_LINE_MAX])
{
	char word[OWEB_WORD_OCTETS], setting[CRYPT_GENSALT_OUTPUT_SIZE], hash[OWEB_TOKEN_HASH_MAX];

	if (!is_name(name) || role <= OWEB_ROLE_NONE || role >= OWEB_ROLE_COUNT)
		return OC_EINVAL;
	if (!oweb_word_new(word) || crypt_gensalt_rn(PREFIX, COST, NULL, 0, setting, sizeof(setting)) == NULL)
		return OC_EIO;
	snprintf(token, OWEB_TOKEN_MAX, "%s.%s", name, word);
	explicit_bzero(word, sizeof(word));
	if (!hash_text(token, setting, hash))
		return OC_EIO;
	snprintf(line, OWEB_TOKEN_LINE_MAX, "%s %s %s\n", name, oweb_role_text(role), hash);
	return OC_OK;
}

bool oweb_token_is(const struct oweb_token *token, const char *presented)
{
	char hash[OWEB_TOKEN_HASH_MAX];

	return hash_text(presented, token->hash, hash) && oweb_same_text(hash, token->hash);
}

const struct oweb_token *oweb_tokens_named(const struct oweb_tokens *tokens, const char *presented)
{
	size_t len = strcspn(presented, ".");

	for (uint32_t i = 0; i < tokens->count; i++)
		if (strlen(tokens->token[i].name) == len &&
		    strncmp(tokens->token[i].name, presented, len) == 0)
			return &tokens->token[i];
	return NULL;
}

/* What is wrong with the line; NULL nothing. */
static const char *read_line(char *line, struct oweb_tokens *out)
{
	char *rest = NULL;
	const char *name = strtok_r(line, " \t\r", &rest), *role = strtok_r(NULL, " \t\r", &rest);
	const char *hash = strtok_r(NULL, " \t\r", &rest);

	if (name == NULL || name[0] == '#')
		return NULL;
	if (hash == NULL || strtok_r(NULL, " \t\r", &rest) != NULL)
		return "is not NAME ROLE HASH";
	if (!is_name(name))
		return "has a name that is not letters, digits, - and _";
	if (oweb_role_parse(role) == OWEB_ROLE_NONE)
		return "has a role that is neither observer nor administrator";
	if (hash[0] != '$' || strlen(hash) >= OWEB_TOKEN_HASH_MAX || crypt_checksalt(hash) != CRYPT_SALT_OK)
		return "has no hash of a kind that is strong enough";
	if (oweb_tokens_named(out, name) != NULL)
		return "has a name that was used before";
	if (out->count == OWEB_TOKENS_MAX)
		return "is one too many";
	struct oweb_token *token = &out->token[out->count++];
	snprintf(token->name, sizeof(token->name), "%s", name);
	snprintf(token->hash, sizeof(token->hash), "%s", hash);
	token->role = oweb_role_parse(role);
	return NULL;
}

int oweb_tokens_parse(const char *text, struct oweb_tokens *out, char error[static OWEB_ERROR_MAX])
{
	char line[512];

	*out = (struct oweb_tokens){ 0 };
	for (unsigned number = 1; *text != '\0'; number++) {
		size_t len = strcspn(text, "\n");
		bool is_long = (size_t)snprintf(line, sizeof(line), "%.*s", (int)len, text) >= sizeof(line);
		const char *wrong = is_long ? "is too long" : read_line(line, out);
		if (wrong != NULL) {
			snprintf(error, OWEB_ERROR_MAX, "line %u of the tokens %s", number, wrong);
			*out = (struct oweb_tokens){ 0 };
			return OC_EMALFORMED;
		}
		text += len;
		text += *text == '\n';
	}
	return OC_OK;
}

/* The whole of a small file; NULL. */
static char *read_all(int fd)
{
	char *text = calloc(1, FILE_MAX + 1);
	size_t used = 0;
	ssize_t got = 1;

	while (text != NULL && got > 0 && used < FILE_MAX) {
		got = read(fd, text + used, FILE_MAX - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (got == 0)
		return text;
	free(text);
	return NULL;
}

static int load_open(int fd, const char *path, struct oweb_tokens *out, char error[static OWEB_ERROR_MAX])
{
	struct stat info;

	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
		snprintf(error, OWEB_ERROR_MAX, "tokens \"%s\" are no file", path);
		return OC_EIO;
	}
	if ((info.st_mode & (S_IRWXO | S_IWGRP)) != 0) {
		snprintf(error, OWEB_ERROR_MAX,
			 "tokens \"%s\" may be read or changed by others (chmod 0600): none is used", path);
		return OC_EREFUSED;
	}
	char *text = read_all(fd);
	if (text == NULL) {
		snprintf(error, OWEB_ERROR_MAX, "tokens \"%s\" cannot be read, or are too many", path);
		return OC_EIO;
	}
	int rc = oweb_tokens_parse(text, out, error);
	explicit_bzero(text, FILE_MAX);
	free(text);
	return rc;
}

int oweb_tokens_load(const char *path, struct oweb_tokens *out, char error[static OWEB_ERROR_MAX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*out = (struct oweb_tokens){ 0 };
	if (fd < 0 && errno == ENOENT)
		return OC_OK;
	if (fd < 0) {
		snprintf(error, OWEB_ERROR_MAX, "tokens \"%s\" cannot be opened", path);
		return OC_EIO;
	}
	int rc = load_open(fd, path, out, error);
	close(fd);
	return rc;
}
