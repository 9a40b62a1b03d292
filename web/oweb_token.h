/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tokens: "NAME.SECRET" in the hands of a person or a program; in the file of tokens one line each, "NAME ROLE HASH", where HASH is
 * crypt(5)'s, salted, of the whole token. There is no password and no default: who wants to come in is given a token.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oweb_request.h"

#define OWEB_TOKEN_MAX 80u /* "NAME.SECRET" and NUL */
#define OWEB_TOKEN_HASH_MAX 200u
#define OWEB_TOKEN_LINE_MAX 280u
#define OWEB_TOKENS_MAX 64u

struct oweb_token {
	char name[OWEB_WHO_MAX];
	enum oweb_role role;
	char hash[OWEB_TOKEN_HASH_MAX];
};

struct oweb_tokens {
	uint32_t count;
	struct oweb_token token[OWEB_TOKENS_MAX];
};

/* "observer", "administrator"; "none". */
const char *oweb_role_text(enum oweb_role role);
/* OWEB_ROLE_NONE for anything else. */
enum oweb_role oweb_role_parse(const char *text);

/* Makes a token and the line for the file (with its line end). @name: letters, digits, "-", "_", up to 31. OC_OK, OC_EINVAL (name, role), OC_EIO
 * (no chance, or no hash, from the system). The caller wipes @token when it was shown. */
int oweb_token_new(const char *name, enum oweb_role role, char token[static OWEB_TOKEN_MAX],
		   char line[static OWEB_TOKEN_LINE_MAX]);

/* Reads the text of a file of tokens: lines as above, empty ones, and comments after "#". OC_OK, or OC_EMALFORMED with a sentence that
 * names the line: then @out is empty. */
int oweb_tokens_parse(const char *text, struct oweb_tokens *out, char error[static OWEB_ERROR_MAX]);

/* Reads the file at @path, which others than its owner and group may not read. Absent: no tokens. OC_OK, OC_EIO, OC_EREFUSED (its mode),
 * OC_EMALFORMED. */
int oweb_tokens_load(const char *path, struct oweb_tokens *out, char error[static OWEB_ERROR_MAX]);

/* The one whose name @presented begins with; NULL none. */
const struct oweb_token *oweb_tokens_named(const struct oweb_tokens *tokens, const char *presented);

/* Whether @presented is the token of @token. Takes milliseconds of the processor, or what the hash in the file asks for. */
bool oweb_token_is(const struct oweb_token *token, const char *presented);
