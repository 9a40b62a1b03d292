/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tokens, cookies, roles.
 */
#include "oweb_auth.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../agent/oc_err.h"
#include "oweb_inner.h"
#include "oweb_route.h"

#define COOKIE "doic_session"
#define COOKIE_TLS "__Host-doic_session"

int oweb_auth_open(struct oweb_auth *auth, const char *tokens_path,
		   void (*log)(void *ctx, int error, const char *text), void *log_ctx)
{
	auth->keyring = oweb_keyring_new(tokens_path, log, log_ctx);
	auth->throttle = oweb_throttle_new();
	auth->sessions = auth->keyring == NULL ? NULL : oweb_sessions_new(auth->keyring);
	return auth->sessions != NULL && auth->throttle != NULL ? OC_OK : OC_ENOMEM;
}

void oweb_auth_close(struct oweb_auth *auth)
{
	oweb_sessions_free(auth->sessions);
	oweb_throttle_free(auth->throttle);
	oweb_keyring_free(auth->keyring);
	*auth = (struct oweb_auth){ 0 };
}

static const char *cookie_name(const struct oweb_request *request)
{
	return request->link->is_tls ? COOKIE_TLS : COOKIE;
}

bool oweb_auth_cookie(const struct oweb_request *request, char out[static OWEB_WORD_OCTETS])
{
	const char *at = oweb_request_header(request, "Cookie"), *name = cookie_name(request);
	size_t name_len = strlen(name);

	while (at != NULL && *at != '\0') {
		at += strspn(at, "; ");
		size_t len = strcspn(at, ";");
		if (len == name_len + OWEB_WORD_OCTETS && strncmp(at, name, name_len) == 0 &&
		    at[name_len] == '=') {
			snprintf(out, OWEB_WORD_OCTETS, "%.*s", (int)OWEB_WORD_OCTETS - 1, at + name_len + 1);
			return true;
		}
		at += len;
	}
	return false;
}

void oweb_auth_set_cookie(struct oweb_request *request, const char *id)
{
	char value[200];

	snprintf(value, sizeof(value), "%s=%s; Path=/; HttpOnly; SameSite=Strict%s%s", cookie_name(request),
		 id, request->link->is_tls ? "; Secure" : "", id[0] == '\0' ? "; Max-Age=0" : "");
	oweb_reply_header(request, "Set-Cookie", value);
}

/* In the log and in the trail. What was shown is told to nobody, not even the name it claims. */
static void tell(struct oweb_request *request, const char *what)
{
	char text[160];
	struct oweb_actor by = { 0 };

	snprintf(text, sizeof(text), "%s from %s", what, request->link->address);
	oweb_log(request->server, 1, text);
	snprintf(by.who, sizeof(by.who), "%.31s", request->link->address);
	snprintf(by.reason, sizeof(by.reason), "%s", what);
	if (request->node != NULL && request->node->act != NULL)
		request->node->act(request->node->ctx, "login refused", request->link->address, &by);
}

bool oweb_auth_verify(struct oweb_request *request, const char *token, struct oweb_who *who)
{
	struct oweb_auth *auth = &request->server->auth;
	bool is_first = false;

	if (oweb_keyring_recall(auth->keyring, token, who))
		return true;
	if (!oweb_throttle_enter(auth->throttle, request->link->address, oweb_request_now_ns(request),
				 &is_first)) {
		if (is_first)
			tell(request, "too many wrong tokens");
		oweb_problem(request, OWEB_P_TOO_MANY, "too many wrong tokens came from this address");
		oweb_reply_header(request, "Retry-After", "60");
		return false;
	}
	if (strlen(token) < OWEB_TOKEN_MAX && oweb_keyring_check(auth->keyring, token, who)) {
		oweb_throttle_forgive(auth->throttle, request->link->address);
		return true;
	}
	tell(request, "wrong token");
	oweb_problem(request, OWEB_P_BAD_TOKEN, "the token is not one of this server's");
	oweb_reply_header(request, "WWW-Authenticate", "Bearer realm=\"doic\", error=\"invalid_token\"");
	return false;
}

static bool identify_remote(struct oweb_request *request)
{
	const char *authorization = oweb_request_header(request, "Authorization");
	char id[OWEB_WORD_OCTETS];
	struct oweb_session session;

	request->who = (struct oweb_who){ .role = request->conf->reads_need_token ? OWEB_ROLE_NONE
										  : OWEB_ROLE_OBSERVER };
	if (request->route->flags & OWEB_OPEN)
		return true;
	if (authorization != NULL) {
		bool is_bearer = strncasecmp(authorization, "Bearer ", 7) == 0;
		return oweb_auth_verify(request, is_bearer ? authorization + 7 : "", &request->who);
	}
	if (oweb_auth_cookie(request, id) &&
	    oweb_session_use(request->server->auth.sessions, id, oweb_request_now_ns(request), &session)) {
		request->who = session.who;
		memcpy(request->csrf, session.csrf, sizeof(request->csrf));
		request->session_until_ns = session.until_ns;
	}
	return true;
}

bool oweb_auth_identify(struct oweb_request *request)
{
	if (!request->link->is_local)
		return identify_remote(request);
	request->who = (struct oweb_who){ .role = OWEB_ROLE_ADMINISTRATOR, .how = OWEB_BY_SYSTEM };
	snprintf(request->who.name, sizeof(request->who.name), "uid %lu", (unsigned long)request->link->uid);
	return true;
}

static bool has_csrf(struct oweb_request *request)
{
	const char *word = oweb_request_header(request, "X-CSRF-Token");

	if (!request->is_write || request->who.how != OWEB_BY_SESSION)
		return true;
	if (word != NULL && oweb_same_text(word, request->csrf))
		return true;
	oweb_problem(request, OWEB_P_NEEDS_CSRF, "a write of a session needs the header X-CSRF-Token");
	return false;
}

bool oweb_auth_allows(struct oweb_request *request)
{
	const char *needed = oweb_role_text(request->route->role);
	bool is_open = request->route->flags & OWEB_OPEN || request->route->role == OWEB_ROLE_NONE;

	if (is_open || request->who.role >= request->route->role)
		return has_csrf(request);
	if (request->who.how == OWEB_BY_NOBODY) {
		oweb_problem(request, OWEB_P_NEEDS_TOKEN, "this needs role %s, and nothing says who asks",
			     needed);
		oweb_reply_header(request, "WWW-Authenticate", "Bearer realm=\"doic\"");
	} else {
		oweb_problem(request, OWEB_P_NEEDS_ROLE, "this needs role %s; %s has role %s", needed,
			     request->who.name, oweb_role_text(request->who.role));
	}
	oweb_problem_at(request, "role", needed, "is missing");
	return false;
}
