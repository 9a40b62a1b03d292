/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sessions of the page: a cookie that stands for a token, because a page cannot keep a token safe and an event stream cannot send one.
 *
 * A session ends half an hour after it was last used, twelve hours after it began, at its logout, when its token leaves the file or
 * changes its role, and with the server. Its own word (csrf) has to come with every write.
 */
#pragma once

#include "oweb_keyring.h"
#include "oweb_secret.h"

#define OWEB_SESSION_IDLE_S 1800u
#define OWEB_SESSION_LIFE_S 43200u
#define OWEB_SESSIONS_MAX 256u

struct oweb_sessions;

struct oweb_session {
	struct oweb_who who;
	char csrf[OEV_HASH_HEX];
	uint64_t until_ns; /* unless it is used again; monotonic */
};

struct oweb_sessions *oweb_sessions_new(struct oweb_keyring *keyring);
void oweb_sessions_free(struct oweb_sessions *sessions);

/* Begins a session of @who; the cookie's value goes to @id. When all places are taken the one used longest ago ends. False: no chance. Any
 * thread, likewise below. */
bool oweb_session_begin(struct oweb_sessions *sessions, const struct oweb_who *who, uint64_t now_ns,
			char id[static OWEB_WORD_OCTETS], struct oweb_session *out);

/* The session of cookie @id, which is used now; false: there is none. */
bool oweb_session_use(struct oweb_sessions *sessions, const char *id, uint64_t now_ns,
		      struct oweb_session *out);

void oweb_session_end(struct oweb_sessions *sessions, const char *id);
/* How many were ended so: when it changes, whoever goes on for a session asks again. */
uint64_t oweb_sessions_ended(struct oweb_sessions *sessions);
uint32_t oweb_sessions_count(struct oweb_sessions *sessions, uint64_t now_ns);
