/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The file of tokens, changed by one program at a time.
 */
#pragma once

#include "../oweb_server.h"
#include "../oweb_token.h"

/* Adds @line ("NAME ROLE HASH\n"); makes the file, mode 0600, when it is absent. Returns OC_OK, OC_EBUSY (@name has a token), OC_EREFUSED
 * (others may read the file), OC_EMALFORMED, OC_ENOMEM (too many), OC_EIO; then *@error is one sentence. */
int cli_token_add(const char *path, const char *name, const char *line, char *error, size_t size);

/* Takes the line of @name out; comments and order stay. As above, and OC_ENOENT: @name has no token. */
int cli_token_remove(const char *path, const char *name, char *error, size_t size);
