/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the resources that need only the running agent and the watch.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/oev_clock.h"
#include "help_web.h"

void test_oweb_resources_suite(void);

#define JSON "Content-Type: application/json\r\n"
#define NODE "/api/v1/pools/neighbours/nodes/pcrf-1.example"

static void the_state_has_its_sentence(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);

	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "sentences/0/parts/0/text"), "pcrf-2.example");
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "sentences/0/parts/1/text"),
				      " asks for 30 % less (loss, host, Gx)"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(help_reply_text(&reply, "sentences/0/parts/1/text"), "we obey and selected 30.00 %"));
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "node/label"), "LAB");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "recording/when_full"), "block");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "states/41/state"), "active");
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"reduction_ratio\":0.3,"));
	help_reply_drop(&reply);
}

static void one_state_is_found_by_its_version(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/ocs/41", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "subject"), "pcrf-2.example");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "application"), "Gx");
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/ocs/42", NULL, NULL), 404);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/ocs", NULL, NULL), 200);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/reports", NULL, NULL), 200);
}

static void own_reports_are_listed_with_what_was_ordered(void)
{
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->order[0] =
		(struct oc_report_view){ .order = { .key = { .app_id = OC_APP_ANY,
							     .type = OC_REPORT_REALM,
							     .subject = help_web_name("example") },
						    .has_reduction = true,
						    .reduction_pct = 20 },
					 .sequence = 77,
					 .reduction_pct = 20,
					 .sent = 9 };
	help_web.agent->orders = 1;
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/api/v1/reports", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "reports/0/type"), "realm");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "reports/0/subject"), "example");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "reports/0/state"), "active");
	help_reply_drop(&reply);
}

static void wanted_and_is_are_apart(void)
{
	struct help_reply reply = help_web_ask_local("POST", NODE ":out", JSON, "{\"reason\":\"CHG-1\"}");

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "wanted"), "out");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "is"), "up");
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/pools/neighbours", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "nodes/0/wanted"), "out");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "nodes/1/wanted"), "in");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "nodes/1/is"), "down");
	help_reply_drop(&reply);
	reply = help_web_ask("GET", NODE, NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "wanted"), "out");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(reply.json, "host_load")), 48112);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/pools/neighbours/nodes/nobody", NULL, NULL), 404);
	help_reply_drop(&reply);
	reply = help_web_ask_local("POST", NODE ":in", JSON, "{\"reason\":\"CHG-1\"}");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "wanted"), "in");
	help_reply_drop(&reply);
}

static void taking_a_node_out_needs_a_reason(void)
{
	static const char *const bad[] = { "{}", "{\"reason\":\"\"}", "{\"reason\":5}",
					   "{\"reason\":\"a\\nb\"}" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct help_reply reply = help_web_ask_local("POST", NODE ":out", JSON, bad[i]);
		CU_ASSERT_EQUAL(reply.status, 400);
		CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "errors/0/pointer"), "/reason");
		help_reply_drop(&reply);
	}
	CU_ASSERT_EQUAL(help_web.agent->writes, 0);
	CU_ASSERT_EQUAL(help_web_status_local("POST", "/api/v1/pools/neighbours/nodes/nobody:out", JSON,
					      "{\"reason\":\"x\"}"),
			404);
	CU_ASSERT_EQUAL(help_web_status_local("POST", "/api/v1/pools/none/nodes/pcrf-1.example:out", JSON,
					      "{\"reason\":\"x\"}"),
			404);
	help_web.agent->done = OWEB_REFUSED;
	CU_ASSERT_EQUAL(help_web_status_local("POST", NODE ":out", JSON, "{\"reason\":\"x\"}"), 409);
}

static void the_policy_is_given_with_its_name(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/policy", NULL, NULL);
	char etag[128];

	help_reply_header(&reply, "ETag", etag, sizeof(etag));
	CU_ASSERT_EQUAL(strncmp(etag, "\"17-", 4), 0);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "text"), "mode: enforce\n");
	CU_ASSERT_EQUAL(strlen(help_reply_text(&reply, "sha256")), 64);
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/policy", "Accept: application/yaml\r\n", NULL);
	CU_ASSERT_STRING_EQUAL(reply.body, "mode: enforce\n");
	CU_ASSERT(help_reply_has(&reply, "ETag", etag));
	help_reply_drop(&reply);
}

#define POLICY "{\"text\":\"mode: observe\\n\",\"reason\":\"CHG-9\"}"

static void a_policy_is_put_in_force_only_by_who_has_seen_the_last(void)
{
	char etag[128], headers[300];
	struct help_reply reply = help_web_ask("GET", "/api/v1/policy", NULL, NULL);

	help_reply_header(&reply, "ETag", etag, sizeof(etag));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status_local("PUT", "/api/v1/policy", JSON, POLICY), 428);
	CU_ASSERT_EQUAL(help_web_status_local("PUT", "/api/v1/policy", JSON "If-Match: \"16-0\"\r\n", POLICY),
			412);
	CU_ASSERT_EQUAL(help_web.agent->writes, 0);
	snprintf(headers, sizeof(headers), JSON "If-Match: %s\r\n", etag);
	reply = help_web_ask_local("PUT", "/api/v1/policy", headers, POLICY);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "text"), "mode: observe\n");
	CU_ASSERT_FALSE(help_reply_has(&reply, "ETag", etag));
	help_reply_drop(&reply);
	CU_ASSERT_STRING_EQUAL(help_web.agent->by.reason, "CHG-9");
	CU_ASSERT_EQUAL(help_web_status_local("PUT", "/api/v1/policy", headers, POLICY), 412);
}

static void of_two_writers_each_is_told_of_its_own_document(void)
{
	struct help_reply reply;
	char etag[128];

	help_web.agent->policy_then = "mode: enforce\nsampler: random\n";
	reply = help_web_ask_local("PUT", "/api/v1/policy", JSON "If-Match: *\r\n", POLICY);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "text"), "mode: observe\n");
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"version\":18,"));
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "note"), "version 19 took its place meanwhile");
	help_reply_header(&reply, "ETag", etag, sizeof(etag));
	CU_ASSERT_EQUAL(strncmp(etag, "\"18-", 4), 0);
	help_reply_drop(&reply);
}

static void a_policy_that_trusts_nobody_is_warned_of(void)
{
	struct help_reply reply = help_web_ask_local("PUT", "/api/v1/policy", JSON "If-Match: *\r\n", POLICY);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "every one will be ignored"));
	help_reply_drop(&reply);
	reply = help_web_ask_local("POST", "/api/v1/policy/check", JSON, "{\"text\":\"mode: observe\\n\"}");
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"valid\":true"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "every one will be ignored"));
	help_reply_drop(&reply);
	reply = help_web_ask_local("POST", "/api/v1/policy/check", JSON,
				   "{\"text\":\"trust: {default: {doic: true, send_reports: true}}\\n\"}");
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"warnings\":[]"));
	help_reply_drop(&reply);
}

static void a_policy_that_is_not_one_is_422_and_the_old_one_stays(void)
{
	help_web.agent->done = OWEB_REFUSED;
	struct help_reply reply = help_web_ask_local("PUT", "/api/v1/policy", JSON "If-Match: *\r\n", POLICY);
	CU_ASSERT_EQUAL(reply.status, 422);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "detail"), "policy.yaml:3:5"));
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "detail"), "still in force"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"line\":3,\"column\":5}"));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status_local("POST", "/api/v1/policy/reload", JSON, "{\"reason\":\"x\"}"),
			422);
	help_web.agent->done = OWEB_DONE;
	CU_ASSERT_EQUAL(help_web_status_local("POST", "/api/v1/policy/reload", NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status_local("POST", "/api/v1/policy/reload", JSON, "{\"reason\":\"x\"}"),
			200);
	CU_ASSERT_STRING_EQUAL(help_web.agent->by.reason, "x");
}

/* One request of a client to a server, decided and answered at @wall_us. */
static void feed_request(uint64_t id, uint64_t wall_us, bool is_refused)
{
	static struct oc_event events[2];
	const struct oc_event *list[2] = { &events[0], &events[1] };

	memset(events, 0, sizeof(events));
	events[0].kind = OC_EVENT_DECISION;
	events[0].mono_ns = wall_us * 1000;
	events[0].u.decision =
		(struct oc_decision){ .id = id,
				      .at_ns = wall_us * 1000,
				      .app_id = OC_APP_GX,
				      .client_peer = help_web_name("mme-1.example"),
				      .next_hop = is_refused ? 0 : help_web_name("pcrf-1.example"),
				      .verdict = is_refused ? OC_REFUSE : OC_FORWARD,
				      .why = is_refused ? OC_WHY_REPORT : OC_WHY_NONE };
	events[1].kind = OC_EVENT_OUTCOME;
	events[1].mono_ns = wall_us * 1000 + 3000000;
	events[1].u.outcome =
		(struct oc_event_outcome){ .id = id,
					   .took_ns = 3000000,
					   .result_code = is_refused ? 3004 : 2001,
					   .from_peer = is_refused ? 0 : help_web_name("pcrf-1.example"),
					   .maker = is_refused ? OC_MADE_AGENT : OC_MADE_UPSTREAM,
					   .attempts = !is_refused };
	oev_watch_take(help_web.agent->watch, list, 2, 0);
}

static double at(const struct help_reply *reply, const char *column, size_t place)
{
	json_t *value =
		json_array_get(json_object_get(json_object_get(reply->json, "columns"), column), place);

	return json_is_number(value) ? json_number_value(value) : -1;
}

static void series_come_in_columns_with_null_for_unknown(void)
{
	uint64_t second = oev_clock_wall_us() / 1000000;

	feed_request(1, second * 1000000 + 100, false);
	feed_request(2, second * 1000000 + 200, true);
	oev_watch_reached(help_web.agent->watch, (second + 1) * 1000000);
	struct help_reply reply = help_web_ask(
		"GET", "/api/v1/series?window=3&names=requests,refused,took_p99_seconds", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_EQUAL(json_object_size(json_object_get(reply.json, "columns")), 3);
	CU_ASSERT_EQUAL(at(&reply, "requests", 2), 2);
	CU_ASSERT_EQUAL(at(&reply, "refused", 2), 1);
	CU_ASSERT_EQUAL(at(&reply, "requests", 0), -1);
	CU_ASSERT(at(&reply, "took_p99_seconds", 2) > 0);
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/series?window=1&node=PCRF-1.example", NULL, NULL);
	CU_ASSERT_EQUAL(at(&reply, "sent", 0), 1);
	CU_ASSERT_EQUAL(at(&reply, "useful", 0), 1);
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/series?window=1&node=mme-1.example&side=client&names=requests",
			     NULL, NULL);
	CU_ASSERT_EQUAL(at(&reply, "requests", 0), 2);
	help_reply_drop(&reply);
}

static void longer_steps_come_as_means_of_what_is_known(void)
{
	uint64_t second = oev_clock_wall_us() / 1000000 / 10 * 10 - 20;

	for (uint64_t s = 0; s < 15; s++) {
		feed_request(2 * s + 1, (second + s) * 1000000 + 100, false);
		feed_request(2 * s + 2, (second + s) * 1000000 + 200, s % 2 == 0);
		oev_watch_reached(help_web.agent->watch, (second + s + 1) * 1000000);
	}
	struct help_reply reply = help_web_ask(
		"GET", "/api/v1/series?step=10&names=requests,refused,took_p99_seconds", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(reply.json, "step_seconds")), 10);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(json_object_get(reply.json, "columns"), "requests")),
			2);
	CU_ASSERT_EQUAL(at(&reply, "requests", 0), 2);
	CU_ASSERT_EQUAL(at(&reply, "refused", 0), 0.5);
	CU_ASSERT_EQUAL(at(&reply, "requests", 1), 2);
	CU_ASSERT(at(&reply, "took_p99_seconds", 1) > 0);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "known_since"), help_reply_text(&reply, "first"));
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/series?step=600&window=86400&names=requests", NULL, NULL);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(json_object_get(reply.json, "columns"), "requests")),
			144);
	CU_ASSERT_EQUAL(at(&reply, "requests", 0), -1);
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?window=601", NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?step=60&node=mme-1.example", NULL, NULL), 400);
}

static void senders_are_listed_with_whether_they_do_as_told(void)
{
	uint64_t now_us = oev_clock_wall_us() / 1000000 * 1000000;
	struct oc_event version = { .kind = OC_EVENT_OCS_VERSION,
				    .mono_ns = (now_us - 20000000) * 1000,
				    .u.ocs_version = { .version = 41,
						       .app_id = OC_APP_GX,
						       .subject = help_web_name("pcrf-2.example"),
						       .type = OC_REPORT_HOST,
						       .algorithm = OC_ALGO_LOSS,
						       .reduction_pct = 30,
						       .validity_s = 60,
						       .expires_ns = (now_us + 40000000) * 1000 } };
	struct oc_event asked = { .kind = OC_EVENT_DECISION,
				  .mono_ns = (now_us - 10000000) * 1000,
				  .u.decision = { .id = 1,
						  .at_ns = (now_us - 10000000) * 1000,
						  .app_id = OC_APP_GX,
						  .origin_host = help_web_name("mme-1.example"),
						  .dest_host = help_web_name("pcrf-2.example"),
						  .flags = OC_DEC_REACTING_FOR } };
	const struct oc_event *list[] = { &version, &asked };

	oev_watch_take(help_web.agent->watch, list, 2, 0);
	struct help_reply reply = help_web_ask("GET", "/api/v1/senders", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "senders/0/sender"), "mme-1.example");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "senders/0/subject"), "pcrf-2.example");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "senders/0/heeding"), "held_here");
	CU_ASSERT_PTR_NULL(strstr(reply.body, "ignored")); /* not known is not 0 */
	help_reply_drop(&reply);
}

static long number_at(const struct help_reply *reply, const char *path)
{
	json_t *at = reply->json;
	char step[64];

	while (at != NULL && *path != '\0') {
		size_t len = strcspn(path, "/");
		snprintf(step, sizeof(step), "%.*s", (int)len, path);
		at = json_is_array(at) ? json_array_get(at, strtoul(step, NULL, 10))
				       : json_object_get(at, step);
		path += len;
		path += *path == '/';
	}
	return json_is_integer(at) ? (long)json_integer_value(at) : json_is_null(at) ? -1 : -2;
}

static void the_last_minutes_of_every_node_come_at_once(void)
{
	uint64_t second = oev_clock_wall_us() / 1000000;
	struct help_reply reply = help_web_ask("GET", "/api/v1/series/nodes", NULL, NULL);

	CU_ASSERT_EQUAL(json_array_size(json_object_get(reply.json, "nodes")), 0);
	help_reply_drop(&reply);
	feed_request(1, second * 1000000 + 100, false);
	feed_request(2, second * 1000000 + 200, true);
	oev_watch_reached(help_web.agent->watch, (second + 1) * 1000000);
	reply = help_web_ask("GET", "/api/v1/series/nodes?window=2", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	bool is_client_first = strcmp(help_reply_text(&reply, "nodes/0/node"), "mme-1.example") == 0;
	const char *client = is_client_first ? "nodes/0/client/requests/1" : "nodes/1/client/requests/1";
	const char *server = is_client_first ? "nodes/1/server/useful/1" : "nodes/0/server/useful/1";
	CU_ASSERT_EQUAL(number_at(&reply, client), 2);
	CU_ASSERT_EQUAL(number_at(&reply, server), 1);
	CU_ASSERT_EQUAL(
		number_at(&reply, is_client_first ? "nodes/0/client/refused/0" : "nodes/1/client/refused/0"),
		-1);
	CU_ASSERT_EQUAL(
		number_at(&reply, is_client_first ? "nodes/0/server/sent/1" : "nodes/1/server/sent/1"), -2);
	help_reply_drop(&reply);
}

static void what_changed_is_listed_newest_first(void)
{
	oev_watch_gap(help_web.agent->watch, oev_clock_wall_us() - 1000, 12, "disk full");
	oev_watch_gap(help_web.agent->watch, oev_clock_wall_us(), 0, "disk is back");
	struct help_reply reply = help_web_ask("GET", "/api/v1/changes?limit=200", NULL, NULL);
	CU_ASSERT_EQUAL(number_at(&reply, "changes/0/number"), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "changes/1/text"), "disk full"));
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/changes?after=1", NULL, NULL);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(reply.json, "changes")), 1);
	help_reply_drop(&reply);
}

static void a_neighbour_that_went_is_shown_as_gone(void)
{
	feed_request(1, oev_clock_wall_us() - 2000000, false);
	struct oc_event peer = { .kind = OC_EVENT_PEER,
				 .u.peer = { .peer = help_web_name("mme-1.example") } };
	const struct oc_event *list[] = { &peer };
	peer.mono_ns = oev_clock_wall_us() * 1000;
	oev_watch_take(help_web.agent->watch, list, 1, 0);
	struct help_reply reply =
		help_web_ask("GET", "/api/v1/pools/neighbours/nodes/mme-1.example", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "is"), "gone");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "wanted"), "in");
	help_reply_drop(&reply);
}

static void series_that_are_none_are_refused(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/series?names=requests,refusd", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 400);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "try"), "Did you mean refused?");
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?node=nobody", NULL, NULL), 404);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?side=client", NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?node=x&names=matched", NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?step=2", NULL, NULL), 400);
}

static void counters_follow_the_seconds_that_were_told(void)
{
	uint64_t second = oev_clock_wall_us() / 1000000;
	bool is_there = false;

	feed_request(1, second * 1000000 + 100, false);
	feed_request(2, second * 1000000 + 200, true);
	oev_watch_reached(help_web.agent->watch, (second + 1) * 1000000);
	for (unsigned i = 0; i < 40 && !is_there; i++) {
		struct help_reply reply = help_web_ask("GET", "/metrics", NULL, NULL);
		is_there =
			strstr(reply.body, "doic_useful_answers_total 1\n") != NULL &&
			strstr(reply.body, "doic_refusals_total{why=\"report\"} 1\n") != NULL &&
			strstr(reply.body, "doic_node_sent_requests_total{peer=\"pcrf-1.example\"} 1\n") !=
				NULL &&
			strstr(reply.body, "doic_node_received_requests_total{peer=\"other\"} 2\n") != NULL;
		help_reply_drop(&reply);
		oev_clock_sleep_us(100000);
	}
	CU_ASSERT(is_there);
}

void test_oweb_resources_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_resources", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "the state has its sentence", the_state_has_its_sentence);
	CU_add_test(suite, "one state is found by its version", one_state_is_found_by_its_version);
	CU_add_test(suite, "own reports are listed with what was ordered",
		    own_reports_are_listed_with_what_was_ordered);
	CU_add_test(suite, "wanted and is are apart", wanted_and_is_are_apart);
	CU_add_test(suite, "taking a node out needs a reason", taking_a_node_out_needs_a_reason);
	CU_add_test(suite, "the policy is given with its name", the_policy_is_given_with_its_name);
	CU_add_test(suite, "a policy is put in force only by who has seen the last",
		    a_policy_is_put_in_force_only_by_who_has_seen_the_last);
	CU_add_test(suite, "of two writers each is told of its own document",
		    of_two_writers_each_is_told_of_its_own_document);
	CU_add_test(suite, "a policy that trusts nobody is warned of",
		    a_policy_that_trusts_nobody_is_warned_of);
	CU_add_test(suite, "a policy that is none is 422, and the old one stays",
		    a_policy_that_is_not_one_is_422_and_the_old_one_stays);
	CU_add_test(suite, "series come in columns, with null for unknown",
		    series_come_in_columns_with_null_for_unknown);
	CU_add_test(suite, "longer steps come as means of what is known",
		    longer_steps_come_as_means_of_what_is_known);
	CU_add_test(suite, "senders are listed with whether they do as told",
		    senders_are_listed_with_whether_they_do_as_told);
	CU_add_test(suite, "the last minutes of every node come at once",
		    the_last_minutes_of_every_node_come_at_once);
	CU_add_test(suite, "what changed is listed newest first", what_changed_is_listed_newest_first);
	CU_add_test(suite, "a neighbour that went is shown as gone", a_neighbour_that_went_is_shown_as_gone);
	CU_add_test(suite, "series that are none are refused", series_that_are_none_are_refused);
	CU_add_test(suite, "counters follow the seconds that were told",
		    counters_follow_the_seconds_that_were_told);
}
