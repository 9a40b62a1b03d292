/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/session: who asks, logging in with a token, logging out.
 */
#include <string.h>

#include "../oweb_inner.h"
#include "../oweb_resources.h"

static json_t *describe(struct oweb_request *request)
{
	static const char *const how[] = { "nothing", "system", "token", "session" };
	const struct oweb_who *who = &request->who;
	json_t *object = json_pack("{s:s, s:s, s:s}", "who", who->name, "role", oweb_role_text(who->role),
				   "by", how[who->how]);

	if (who->how != OWEB_BY_SESSION)
		return object;
	uint64_t now_ns = oweb_request_now_ns(request);
	json_object_set_new(object, "csrf", json_string(request->csrf));
	json_object_set_new(object, "left_seconds",
			    json_integer((json_int_t)((request->session_until_ns - now_ns) / 1000000000)));
	return object;
}

void oweb_session_get(struct oweb_request *request)
{
	oweb_reply_json(request, 200, describe(request));
}

void oweb_session_post(struct oweb_request *request)
{
	const char *token = json_string_value(json_object_get(request->json, "token"));
	char id[OWEB_WORD_OCTETS];
	struct oweb_session session;
	struct oweb_who who;

	if (token == NULL || json_object_size(request->json) != 1) {
		oweb_problem(request, OWEB_P_BAD_BODY, "the body is {\"token\": \"...\"}");
		oweb_problem_at(request, "pointer", "/token", "is missing, or something else is there");
		return;
	}
	if (!oweb_auth_verify(request, token, &who))
		return;
	if (!oweb_session_begin(request->server->auth.sessions, &who, oweb_request_now_ns(request), id,
				&session)) {
		oweb_problem(request, OWEB_P_INTERNAL, "no session can be made");
		return;
	}
	request->who = session.who;
	memcpy(request->csrf, session.csrf, sizeof(request->csrf));
	request->session_until_ns = session.until_ns;
	oweb_reply_json(request, 200, describe(request));
	oweb_auth_set_cookie(request, id);
	explicit_bzero(id, sizeof(id));
}

void oweb_session_delete(struct oweb_request *request)
{
	char id[OWEB_WORD_OCTETS];

	if (oweb_auth_cookie(request, id))
		oweb_session_end(request->server->auth.sessions, id);
	oweb_reply_empty(request, 204);
	oweb_auth_set_cookie(request, "");
}
