/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The tokens in force: the file, read again when it changed, and which tokens were found right, so that the slow hash is worked out once for each
 * and not for each request. What is remembered is a keyed hash, never the token.
 */
#pragma once

#include "oweb_server.h"
#include "oweb_token.h"

struct oweb_keyring;

/* @path "": nobody has a token. @log as of oweb_server_start(). NULL when out of memory or without chance. */
struct oweb_keyring *oweb_keyring_new(const char *path, void (*log)(void *ctx, int error, const char *text),
				      void *log_ctx);
void oweb_keyring_free(struct oweb_keyring *keyring);

/* Reads the file again if it changed. Counts up with each change, from 1. Any thread, likewise below. */
uint64_t oweb_keyring_generation(struct oweb_keyring *keyring);

/* Whether @presented was found right before and still is; then fills *@who. Quick. */
bool oweb_keyring_recall(struct oweb_keyring *keyring, const char *presented, struct oweb_who *who);

/* Whether it is right. Slow. */
bool oweb_keyring_check(struct oweb_keyring *keyring, const char *presented, struct oweb_who *who);

/* The role of @name as the file says now; OWEB_ROLE_NONE when it is not there. *@mark: a hash that another token of the same name does not
 * share. */
enum oweb_role oweb_keyring_role(struct oweb_keyring *keyring, const char *name, struct oev_hash *mark);

uint32_t oweb_keyring_count(struct oweb_keyring *keyring);
