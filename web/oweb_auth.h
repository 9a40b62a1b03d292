/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who asks, and whether they may.
 *
 * Over the UNIX socket: whoever could open it is administrator. Over TCP: the token or session that came with the request; nothing at all
 * is observer while reads need no token. A wrong token is refused even where none is needed. Writes of a session need its csrf word;
 * writes that a browser says another page caused are refused whoever asks.
 */
#pragma once

#include "oweb_keyring.h"
#include "oweb_request.h"
#include "oweb_session.h"
#include "oweb_throttle.h"

struct oweb_auth {
	struct oweb_keyring *keyring;
	struct oweb_sessions *sessions;
	struct oweb_throttle *throttle;
};

/* OC_OK or OC_ENOMEM. @log as of oweb_server_start(). */
int oweb_auth_open(struct oweb_auth *auth, const char *tokens_path,
		   void (*log)(void *ctx, int error, const char *text), void *log_ctx);
void oweb_auth_close(struct oweb_auth *auth);

/* Fills request->who. False: the reply is filled with a refusal (wrong token, too many attempts). */
bool oweb_auth_identify(struct oweb_request *request);

/* Whether who asks may use the route. False: the reply says what is missing. */
bool oweb_auth_allows(struct oweb_request *request);

/* Checks @token, within the limits of attempts, and tells of a refusal. False: the reply is filled. */
bool oweb_auth_verify(struct oweb_request *request, const char *token, struct oweb_who *who);

/* The session's cookie of the request, in @out; false: none. */
bool oweb_auth_cookie(const struct oweb_request *request, char out[static OWEB_WORD_OCTETS]);

/* Sets the cookie to @id; with "" takes it away. */
void oweb_auth_set_cookie(struct oweb_request *request, const char *id);

/* oweb_origin.c: whether the Host header is a name of this server, and an Origin header, if any, is that same place. False: the reply is
 * filled. */
bool oweb_origin_allows(struct oweb_request *request);
