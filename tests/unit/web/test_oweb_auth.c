/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of tokens, roles, sessions, and of who may not come in.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "help_web.h"
#include "web/oweb_keyring.h"
#include "web/oweb_route.h"
#include "web/oweb_session.h"
#include "web/oweb_throttle.h"

void test_oweb_auth_suite(void);

#define OUT "/api/v1/pools/neighbours/nodes/pcrf-1.example:out"
#define JSON "Content-Type: application/json\r\n"
#define REASON "{\"reason\":\"CHG-4411\"}"

static const char *with(const char *a, const char *b)
{
	static char buffer[4][600];
	static unsigned next;
	char *out = buffer[next++ % 4];

	snprintf(out, sizeof(buffer[0]), "%s%s", a, b);
	return out;
}

static void a_token_line_opens_its_token_and_no_other(void)
{
	char token[OWEB_TOKEN_MAX], other[OWEB_TOKEN_MAX], line[OWEB_TOKEN_LINE_MAX],
		unused[OWEB_TOKEN_LINE_MAX];
	char error[OWEB_ERROR_MAX];
	static struct oweb_tokens tokens;

	CU_ASSERT_EQUAL_FATAL(oweb_token_new("ops-2_x", OWEB_ROLE_ADMINISTRATOR, token, line), OC_OK);
	CU_ASSERT_EQUAL_FATAL(oweb_token_new("ops-2_x", OWEB_ROLE_ADMINISTRATOR, other, unused), OC_OK);
	CU_ASSERT_STRING_NOT_EQUAL(token, other);
	CU_ASSERT_PTR_NULL(strstr(line, strchr(token, '.') + 1));
	CU_ASSERT_EQUAL_FATAL(oweb_tokens_parse(line, &tokens, error), OC_OK);
	CU_ASSERT_EQUAL(tokens.token[0].role, OWEB_ROLE_ADMINISTRATOR);
	CU_ASSERT(oweb_token_is(&tokens.token[0], token));
	CU_ASSERT_FALSE(oweb_token_is(&tokens.token[0], other));
	CU_ASSERT_EQUAL(oweb_token_new("", OWEB_ROLE_OBSERVER, token, line), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_token_new("a b", OWEB_ROLE_OBSERVER, token, line), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_token_new("a.b", OWEB_ROLE_OBSERVER, token, line), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_token_new("x23456789012345678901234567890123", OWEB_ROLE_OBSERVER, token, line),
			OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_token_new("a", OWEB_ROLE_NONE, token, line), OC_EINVAL);
}

static void a_line_that_is_not_one_names_its_number(void)
{
	static struct oweb_tokens tokens;
	char error[OWEB_ERROR_MAX];
	static const char *const bad[] = { "# fine\na observer\n",
					   "\na root $y$j9T$abc$def\n",
					   "\na observer password\n",
					   "\na observer $1$salt$hash\n",
					   "\na observer $y$j9T$abc$def more\n",
					   "\na! observer $y$j9T$abc$def\n" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_EQUAL(oweb_tokens_parse(bad[i], &tokens, error), OC_EMALFORMED);
		CU_ASSERT_PTR_NOT_NULL(strstr(error, "line 2 "));
		CU_ASSERT_EQUAL(tokens.count, 0);
	}
	CU_ASSERT_EQUAL(oweb_tokens_parse("", &tokens, error), OC_OK);
}

static void without_a_token_reading_is_open_and_writing_is_not(void)
{
	struct help_reply reply = help_web_ask("POST", OUT, JSON, REASON);

	CU_ASSERT_EQUAL(reply.status, 401);
	CU_ASSERT(help_reply_has(&reply, "WWW-Authenticate", NULL));
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "detail"), "role administrator"));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", NULL, NULL), 200);
	CU_ASSERT_EQUAL(help_web.agent->writes, 0);
}

static void an_observer_is_refused_every_write_and_told_the_role(void)
{
	const char *headers = with(JSON, help_web_bearer(help_web.observer));
	char path[256];

	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		if (route->role != OWEB_ROLE_ADMINISTRATOR)
			continue;
		snprintf(path, sizeof(path), "%s", route->pattern);
		for (char *at = path; *at != '\0'; at++)
			*at = *at == '{' || *at == '}' ? 'x' : *at;
		struct help_reply reply = help_web_ask(route->method, path, headers, "{}");
		CU_ASSERT_EQUAL(reply.status, 403);
		CU_ASSERT(help_reply_has(&reply, "Content-Type", "application/problem+json"));
		CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "errors/0/role"), "administrator");
		help_reply_drop(&reply);
	}
	CU_ASSERT_EQUAL(help_web.agent->writes, 0);
}

static void an_administrator_may_write_and_the_trail_says_who(void)
{
	CU_ASSERT_EQUAL(
		help_web_status("POST", OUT, with(JSON, help_web_bearer(help_web.administrator)), REASON),
		200);
	CU_ASSERT_EQUAL(help_web.agent->writes, 1);
	CU_ASSERT_STRING_EQUAL(help_web.agent->by.who, "ops2");
	CU_ASSERT_STRING_EQUAL(help_web.agent->by.reason, "CHG-4411");
}

static void over_the_unix_socket_the_system_says_who(void)
{
	char who[32];

	snprintf(who, sizeof(who), "uid %u", (unsigned)getuid());
	CU_ASSERT_EQUAL(help_web_status_local("POST", OUT, JSON, REASON), 200);
	CU_ASSERT_STRING_EQUAL(help_web.agent->by.who, who);
	struct help_reply reply = help_web_ask_local("GET", "/api/v1/session", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "role"), "administrator");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "by"), "system");
	help_reply_drop(&reply);
}

static void a_wrong_token_is_refused_even_where_none_is_needed(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", help_web_bearer("ops2.wrong"), NULL);

	CU_ASSERT_EQUAL(reply.status, 401);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/bad-token");
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", "Authorization: Basic b3BzMjp4\r\n", NULL),
			401);
	CU_ASSERT_EQUAL(help_web.agent->acts, 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_web.agent->act, "login refused 127.0.0.1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(help_web.log, "wrong token from 127.0.0.1"));
	CU_ASSERT_PTR_NULL(strstr(help_web.log, "b3BzMjp4"));
}

static void common_passwords_open_nothing(void)
{
	static const char *const guesses[] = { "admin", "1423", "ClueCon", "administrator.administrator",
					       "ops2.", "ops2" };

	for (size_t i = 0; i < sizeof(guesses) / sizeof(guesses[0]); i++)
		CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", help_web_bearer(guesses[i]), NULL),
				401);
}

static void reads_need_a_token_when_the_configuration_says_so(void)
{
	help_web.conf.reads_need_token = true;
	help_web_restart();
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", NULL, NULL), 401);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/events", NULL, NULL), 401);
	CU_ASSERT_EQUAL(help_web_status("GET", "/metrics", NULL, NULL), 401);
	CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
	struct help_reply page =
		help_web_ask("GET", "/", NULL, NULL); /* is for everybody; what it says is not */
	CU_ASSERT_EQUAL(page.status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(page.body, "reading needs a token here"));
	CU_ASSERT_PTR_NULL(strstr(page.body, "asks for"));
	CU_ASSERT_PTR_NULL(strstr(page.body, "up for"));
	help_reply_drop(&page);
	page = help_web_ask("GET", "/", help_web_bearer(help_web.observer), NULL);
	CU_ASSERT_PTR_NULL(strstr(page.body, "reading needs a token here"));
	help_reply_drop(&page);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", help_web_bearer(help_web.observer), NULL),
			200);
	CU_ASSERT_EQUAL(help_web_status_local("GET", "/api/v1/status", NULL, NULL), 200);
}

static void a_token_works_until_it_leaves_the_file(void)
{
	const char *bearer = help_web_bearer(help_web.administrator);

	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", bearer, NULL), 200);
	CU_ASSERT_EQUAL_FATAL(truncate(help_web.conf.tokens_path, 0), 0);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", bearer, NULL), 401);
}

static void tokens_that_anybody_may_read_are_not_used(void)
{
	const char *bearer = help_web_bearer(help_web.administrator);

	CU_ASSERT_EQUAL_FATAL(chmod(help_web.conf.tokens_path, 0644), 0);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", bearer, NULL), 401);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_web.log, "chmod 0600"));
	CU_ASSERT_EQUAL_FATAL(chmod(help_web.conf.tokens_path, 0640), 0);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", bearer, NULL), 200);
}

static void the_slow_hash_is_worked_out_once(void)
{
	struct oweb_keyring *keyring = oweb_keyring_new(help_web.conf.tokens_path, NULL, NULL);
	struct oweb_who who = { 0 };

	CU_ASSERT_FALSE(oweb_keyring_recall(keyring, help_web.observer, &who));
	CU_ASSERT(oweb_keyring_check(keyring, help_web.observer, &who));
	who = (struct oweb_who){ 0 };
	CU_ASSERT(oweb_keyring_recall(keyring, help_web.observer, &who));
	CU_ASSERT_STRING_EQUAL(who.name, "eyes");
	CU_ASSERT_EQUAL(who.role, OWEB_ROLE_OBSERVER);
	CU_ASSERT_FALSE(oweb_keyring_recall(keyring, help_web.administrator, &who));
	CU_ASSERT_EQUAL_FATAL(chmod(help_web.conf.tokens_path, 0640), 0);
	CU_ASSERT_FALSE(oweb_keyring_recall(keyring, help_web.observer, &who));
	oweb_keyring_free(keyring);
}

static void attempts_are_counted_by_address_and_minute(void)
{
	struct oweb_throttle *throttle = oweb_throttle_new();
	uint64_t now_ns = 1000;
	bool is_first;

	for (unsigned i = 0; i < OWEB_ATTEMPTS_PER_ADDRESS; i++)
		CU_ASSERT(oweb_throttle_enter(throttle, "a", now_ns, &is_first));
	CU_ASSERT_FALSE(oweb_throttle_enter(throttle, "a", now_ns, &is_first));
	CU_ASSERT(is_first);
	CU_ASSERT_FALSE(oweb_throttle_enter(throttle, "a", now_ns, &is_first));
	CU_ASSERT_FALSE(is_first);
	CU_ASSERT(oweb_throttle_enter(throttle, "b", now_ns, &is_first));
	CU_ASSERT(oweb_throttle_enter(throttle, "a", now_ns + 60000000000ull, &is_first));
	oweb_throttle_free(throttle);
}

static void attempts_of_many_addresses_are_bounded_together(void)
{
	struct oweb_throttle *throttle = oweb_throttle_new();
	unsigned let_in = 0;
	bool is_first;
	char address[16];

	for (unsigned i = 0; i < 5000; i++) {
		snprintf(address, sizeof(address), "a%u", i);
		let_in += oweb_throttle_enter(throttle, address, 1000, &is_first);
	}
	CU_ASSERT_EQUAL(let_in, OWEB_ATTEMPTS_OF_ALL);
	oweb_throttle_free(throttle);
}

static void too_many_wrong_tokens_are_429_and_a_right_one_that_is_known_still_works(void)
{
	int status = 0;
	uint32_t acts;

	CU_ASSERT_EQUAL(help_web_status("GET", "/livez", help_web_bearer(help_web.observer), NULL), 200);
	for (unsigned i = 0; i < OWEB_ATTEMPTS_PER_ADDRESS; i++)
		CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", help_web_bearer("x.y"), NULL), 401);
	status = help_web_status("GET", "/api/v1/status", help_web_bearer("x.y"), NULL);
	CU_ASSERT_EQUAL(status, 429);
	acts = help_web.agent->acts;
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", help_web_bearer("x.y"), NULL), 429);
	CU_ASSERT_EQUAL(help_web.agent->acts, acts); /* told once */
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", help_web_bearer(help_web.observer), NULL),
			200);
	CU_ASSERT_EQUAL(help_web_status_local("GET", "/api/v1/status", NULL, NULL), 200);
}

/* Logs in; the cookie line and the csrf line go to the two buffers. */
static void log_in(const char *token, char cookie[256], char csrf[128])
{
	char body[200], value[256];

	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	struct help_reply reply = help_web_ask("POST", "/api/v1/session", JSON, body);
	CU_ASSERT_EQUAL_FATAL(reply.status, 200);
	help_reply_header(&reply, "Set-Cookie", value, sizeof(value));
	CU_ASSERT_PTR_NOT_NULL(strstr(value, "HttpOnly"));
	CU_ASSERT_PTR_NOT_NULL(strstr(value, "SameSite=Strict"));
	snprintf(cookie, 256, "Cookie: other=1; %.*s\r\n", (int)strcspn(value, ";"), value);
	snprintf(csrf, 128, "X-CSRF-Token: %s\r\n", help_reply_text(&reply, "csrf"));
	help_reply_drop(&reply);
}

static void a_session_reads_and_writes_with_its_own_word(void)
{
	char cookie[256], csrf[128];

	log_in(help_web.administrator, cookie, csrf);
	struct help_reply reply = help_web_ask("GET", "/api/v1/session", cookie, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "who"), "ops2");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "by"), "session");
	CU_ASSERT_PTR_NOT_NULL(strstr(csrf, help_reply_text(&reply, "csrf")));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), csrf), REASON), 200);
	CU_ASSERT_STRING_EQUAL(help_web.agent->by.who, "ops2");
}

static void a_cookie_alone_changes_nothing(void)
{
	char cookie[256], csrf[128];

	log_in(help_web.administrator, cookie, csrf);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(JSON, cookie), REASON), 403);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), "X-CSRF-Token: 0\r\n"), REASON),
			403);
	CU_ASSERT_EQUAL(help_web_status("DELETE", "/api/v1/session", cookie, NULL), 403);
	CU_ASSERT_EQUAL(help_web.agent->writes, 0);
}

static void another_page_changes_nothing(void)
{
	char cookie[256], csrf[128], own[96], headers[600];
	static const char *const origins[] = { "Origin: http://evil.example\r\n", "Origin: null\r\n",
					       "Origin: http://127.0.0.1\r\n",
					       "Origin: https://127.0.0.1\r\n" };

	log_in(help_web.administrator, cookie, csrf);
	snprintf(headers, sizeof(headers), "%s%s%s", JSON, cookie, csrf);
	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++)
		CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(headers, origins[i]), REASON), 403);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT,
					with(with(JSON, help_web_bearer(help_web.administrator)), origins[0]),
					REASON),
			403);
	CU_ASSERT_EQUAL(help_web.agent->writes, 0);
	snprintf(own, sizeof(own), "Origin: http://127.0.0.1:%u\r\n", help_web.port);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(headers, own), REASON), 200);
}

static void a_form_of_another_page_cannot_log_in_or_write(void)
{
	CU_ASSERT_EQUAL(help_web_status("POST", "/api/v1/session", "Content-Type: text/plain\r\n",
					"{\"token\":\"a.b\"}"),
			415);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT,
					with("Content-Type: application/x-www-form-urlencoded\r\n",
					     help_web_bearer(help_web.administrator)),
					"reason=x"),
			415);
}

static void a_logout_ends_the_session(void)
{
	char cookie[256], csrf[128], value[200];

	log_in(help_web.administrator, cookie, csrf);
	struct help_reply reply = help_web_ask("DELETE", "/api/v1/session", with(cookie, csrf), NULL);
	CU_ASSERT_EQUAL(reply.status, 204);
	help_reply_header(&reply, "Set-Cookie", value, sizeof(value));
	CU_ASSERT_PTR_NOT_NULL(strstr(value, "Max-Age=0"));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), csrf), REASON), 401);
}

static void a_session_ends_with_its_token(void)
{
	char cookie[256], csrf[128];

	log_in(help_web.administrator, cookie, csrf);
	CU_ASSERT_EQUAL_FATAL(truncate(help_web.conf.tokens_path, 0), 0);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), csrf), REASON), 401);
}

/* Taken back, and made once more under the same name: whoever had the old one is out. */
static void a_session_does_not_pass_to_the_next_token_of_its_name(void)
{
	char cookie[256], csrf[128], token[OWEB_TOKEN_MAX], line[OWEB_TOKEN_LINE_MAX];

	log_in(help_web.administrator, cookie, csrf);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), csrf), REASON), 200);
	CU_ASSERT_EQUAL_FATAL(oweb_token_new("ops2", OWEB_ROLE_ADMINISTRATOR, token, line), OC_OK);
	FILE *file = fopen(help_web.conf.tokens_path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(line, file);
	fclose(file);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), csrf), REASON), 401);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(JSON, help_web_bearer(token)), REASON), 200);
}

static void a_session_that_is_not_used_ends(void)
{
	char cookie[256], csrf[128];

	log_in(help_web.administrator, cookie, csrf);
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->ahead_ns = (OWEB_SESSION_IDLE_S - 60) * 1000000000ull;
	pthread_mutex_unlock(&help_web.agent->lock);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), csrf), REASON), 200);
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->ahead_ns += (OWEB_SESSION_IDLE_S + 60) * 1000000000ull;
	pthread_mutex_unlock(&help_web.agent->lock);
	CU_ASSERT_EQUAL(help_web_status("POST", OUT, with(with(JSON, cookie), csrf), REASON), 401);
}

static void sessions_are_bounded_and_the_oldest_gives_way(void)
{
	struct oweb_keyring *keyring = oweb_keyring_new(help_web.conf.tokens_path, NULL, NULL);
	struct oweb_sessions *sessions = oweb_sessions_new(keyring);
	struct oweb_who who = { .name = "eyes", .role = OWEB_ROLE_OBSERVER };
	char first[OWEB_WORD_OCTETS], id[OWEB_WORD_OCTETS];
	struct oweb_session session;

	CU_ASSERT(oweb_session_begin(sessions, &who, 1, first, &session));
	CU_ASSERT(oweb_session_use(sessions, first, 2, &session));
	for (unsigned i = 0; i < OWEB_SESSIONS_MAX; i++)
		CU_ASSERT(oweb_session_begin(sessions, &who, 10 + i, id, &session));
	CU_ASSERT_FALSE(oweb_session_use(sessions, first, 1000, &session));
	CU_ASSERT(oweb_session_use(sessions, id, 1000, &session));
	CU_ASSERT_EQUAL(oweb_sessions_count(sessions, 1000), OWEB_SESSIONS_MAX);
	oweb_sessions_free(sessions);
	oweb_keyring_free(keyring);
}

void test_oweb_auth_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_auth", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "a token's line opens its token and no other",
		    a_token_line_opens_its_token_and_no_other);
	CU_add_test(suite, "a line of tokens that is not one names its number",
		    a_line_that_is_not_one_names_its_number);
	CU_add_test(suite, "without a token reading is open and writing is not",
		    without_a_token_reading_is_open_and_writing_is_not);
	CU_add_test(suite, "an observer is refused every write and told the role",
		    an_observer_is_refused_every_write_and_told_the_role);
	CU_add_test(suite, "an administrator may write, and the trail says who",
		    an_administrator_may_write_and_the_trail_says_who);
	CU_add_test(suite, "over the UNIX socket the system says who",
		    over_the_unix_socket_the_system_says_who);
	CU_add_test(suite, "a wrong token is refused even where none is needed",
		    a_wrong_token_is_refused_even_where_none_is_needed);
	CU_add_test(suite, "common passwords open nothing", common_passwords_open_nothing);
	CU_add_test(suite, "reads need a token when the configuration says so",
		    reads_need_a_token_when_the_configuration_says_so);
	CU_add_test(suite, "a token works until it leaves the file", a_token_works_until_it_leaves_the_file);
	CU_add_test(suite, "tokens that anybody may read are not used",
		    tokens_that_anybody_may_read_are_not_used);
	CU_add_test(suite, "the slow hash is worked out once", the_slow_hash_is_worked_out_once);
	CU_add_test(suite, "attempts are counted by address and minute",
		    attempts_are_counted_by_address_and_minute);
	CU_add_test(suite, "attempts of many addresses are bounded together",
		    attempts_of_many_addresses_are_bounded_together);
	CU_add_test(suite, "too many wrong tokens are 429, and a right one that is known still works",
		    too_many_wrong_tokens_are_429_and_a_right_one_that_is_known_still_works);
	CU_add_test(suite, "a session reads, and writes with its own word",
		    a_session_reads_and_writes_with_its_own_word);
	CU_add_test(suite, "a cookie alone changes nothing", a_cookie_alone_changes_nothing);
	CU_add_test(suite, "another page changes nothing", another_page_changes_nothing);
	CU_add_test(suite, "a form of another page cannot log in or write",
		    a_form_of_another_page_cannot_log_in_or_write);
	CU_add_test(suite, "a logout ends the session", a_logout_ends_the_session);
	CU_add_test(suite, "a session ends with its token", a_session_ends_with_its_token);
	CU_add_test(suite, "a session does not pass to the next token of its name",
		    a_session_does_not_pass_to_the_next_token_of_its_name);
	CU_add_test(suite, "a session that is not used ends", a_session_that_is_not_used_ends);
	CU_add_test(suite, "sessions are bounded, and the oldest gives way",
		    sessions_are_bounded_and_the_oldest_gives_way);
}
