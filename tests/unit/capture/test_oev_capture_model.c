/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what the nodes of a capture should hold, and of what is told of them.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_capture.h"

void test_oev_capture_model_suite(void);

struct scene {
	FILE *file;
	uint32_t frame, number;
	struct help_told told;
	struct oev_capture capture;
};

static struct scene scene;

static void begin(void)
{
	memset(&scene, 0, sizeof(scene));
	help_told_init(&scene.told);
	scene.file = help_export_open();
}

static void send(uint64_t at_ms, bool is_answer, const struct help_said *said)
{
	struct help_octets octets;
	struct help_sent sent = { .at_ms = at_ms,
				  .from = is_answer ? 2 : 1,
				  .to = is_answer ? 1 : 2,
				  .from_port = is_answer ? 3868 : 40000,
				  .to_port = is_answer ? 40000 : 3868,
				  .port_type = 2,
				  .frame = ++scene.frame };

	help_message(&octets, said);
	help_export(scene.file, &sent, &octets);
}

/* A request of c1 to s1 and its answer 1 ms later, which carries what @report says. */
static void pair(uint64_t at_ms, const char *to_host, const struct help_said *report)
{
	struct help_said request = { .app = 16777238,
				     .command = 272,
				     .flags = 0xc0,
				     .host = "c1.example.net",
				     .realm = "example.net",
				     .to_host = to_host,
				     .to_realm = "example.net",
				     .features = true };
	struct help_said answer = report != NULL ? *report : (struct help_said){ 0 };

	request.hop = request.end = answer.hop = answer.end = ++scene.number;
	send(at_ms, false, &request);
	answer.app = request.app;
	answer.command = 272;
	answer.flags = 0x40;
	answer.host = "s1.example.net";
	answer.realm = "example.net";
	answer.result = answer.result != 0 ? answer.result : 2001;
	answer.features = true;
	send(at_ms + 1, true, &answer);
}

static int run(void)
{
	fflush(scene.file);
	return oev_capture_tell(
		&scene.capture, scene.file,
		&(struct oev_capture_options){ .pseudonym_key = { { 1 } }, .sink = &scene.told.sink });
}

static void end(void)
{
	oev_capture_fini(&scene.capture);
}

static const struct oev_state *state(uint32_t index)
{
	uint32_t count;
	const struct oev_state *states = oev_capture_model_states(scene.capture.model, &count);

	CU_ASSERT_TRUE_FATAL(index < count);
	return &states[index];
}

static const struct oev_node *node(uint32_t index)
{
	uint32_t count;
	const struct oev_node *nodes = oev_capture_model_nodes(scene.capture.model, &count);

	CU_ASSERT_TRUE_FATAL(index < count);
	return &nodes[index];
}

#define REPORT(number, percent, seconds)                                                                     \
	{                                                                                                    \
		.report = true, .sequence = number, .pct = percent, .validity = seconds                      \
	}

static void test_a_report_becomes_a_state_from_its_first_reception_to_its_expiry(void)
{
	const struct help_said report = REPORT(7, 30, 2);

	begin();
	for (uint64_t at = 0; at < 10000; at += 100)
		pair(at, "s1.example.net", at >= 3000 && at < 6000 ? &report : NULL);
	CU_ASSERT_EQUAL(run(), OC_OK);
	/* 3001 to 5001 it is held; while it is remembered the same number does not open it again */
	CU_ASSERT_EQUAL(node(0)->versions, 1);
	CU_ASSERT_EQUAL(state(0)->from_ns, HELP_START + 3001 * 1000000ull);
	CU_ASSERT_EQUAL(state(0)->until_ns, HELP_START + 5001 * 1000000ull);
	CU_ASSERT_EQUAL(state(0)->how, OC_END_EXPIRED);
	CU_ASSERT_EQUAL(state(0)->version.reduction_pct, 30);
	CU_ASSERT_EQUAL(state(0)->during, 20); /* 3100 ... 5000 */
	CU_ASSERT_EQUAL(state(0)->success, 20);
	CU_ASSERT_EQUAL(state(0)->before_s, 2); /* the first second is not whole, nor that of the report */
	CU_ASSERT_EQUAL(state(0)->before, 20);
	CU_ASSERT_EQUAL(state(0)->after, 49); /* 5100 ... 9900 */
	CU_ASSERT_EQUAL(state(0)->frame, 62);
	CU_ASSERT_EQUAL(node(0)->receptions, 30);
	CU_ASSERT_EQUAL(node(0)->reports[OC_INTAKE_NEW], 1);
	CU_ASSERT_EQUAL(node(0)->vectors, 1);
	end();
}

static void test_newer_reports_replace_older_ones_and_an_end_ends(void)
{
	const struct help_said first = REPORT(7, 30, 10), newer = REPORT(8, 50, 10),
			       stale = REPORT(6, 90, 10), over = REPORT(9, 0, 0);

	begin();
	for (uint64_t at = 0; at < 8000; at += 100)
		pair(at, "s1.example.net",
		     at == 2000	  ? &first
		     : at == 4000 ? &newer
		     : at == 4500 ? &stale
		     : at == 6000 ? &over
				  : NULL);
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_EQUAL(node(0)->reports[OC_INTAKE_NEW], 1);
	CU_ASSERT_EQUAL(node(0)->reports[OC_INTAKE_UPDATED], 2);
	CU_ASSERT_EQUAL(node(0)->reports[OC_INTAKE_STALE], 1);
	CU_ASSERT_EQUAL(state(0)->how, OC_END_REPLACED);
	CU_ASSERT_EQUAL(state(0)->until_ns, HELP_START + 4001 * 1000000ull);
	CU_ASSERT_EQUAL(state(1)->how, OC_END_ENDED);
	CU_ASSERT_EQUAL(state(1)->until_ns, HELP_START + 6001 * 1000000ull);
	CU_ASSERT_EQUAL(state(1)->before, state(0)->before); /* the condition began with the first report */
	CU_ASSERT_EQUAL(state(1)->before_s, state(0)->before_s);
	CU_ASSERT_EQUAL(state(0)->during, 20);
	CU_ASSERT_EQUAL(state(0)->after, 0);
	CU_ASSERT_EQUAL(state(1)->during, 20);
	CU_ASSERT_EQUAL(state(1)->after, 19);
	CU_ASSERT_EQUAL(state(2)->version.validity_s, 0);
	end();
}

/* Told once, then counted: also copies of a report that is over when the capture ends. */
static void test_every_reception_of_a_report_is_told(void)
{
	const struct help_said report = REPORT(7, 30, 2);
	const struct oc_event *event;
	uint64_t told = 0;

	begin();
	for (uint64_t at = 0; at < 5000; at += 100)
		pair(at, "s1.example.net", &report);
	CU_ASSERT_EQUAL(run(), OC_OK);
	for (unsigned i = 0; help_told_get(&scene.told, 0, OC_EVENT_REPORT, i) != NULL; i++)
		told++;
	for (unsigned i = 0; (event = help_told_get(&scene.told, 0, OC_EVENT_REPORT_REPEAT, i)) != NULL; i++)
		told += event->u.report_repeat.count;
	CU_ASSERT_EQUAL(told, 50);
	CU_ASSERT_EQUAL(node(0)->receptions, 50);
	end();
}

static void test_what_is_held_at_the_end_of_the_capture_stays_open(void)
{
	const struct help_said report = REPORT(7, 30, 600);

	begin();
	for (uint64_t at = 0; at < 4000; at += 100)
		pair(at, "s1.example.net", at == 2000 ? &report : NULL);
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_EQUAL(state(0)->how, OC_END_SHUTDOWN);
	CU_ASSERT_EQUAL(state(0)->until_ns, HELP_START + 3901 * 1000000ull);
	const struct oc_event *change = help_told_get(&scene.told, 0, OC_EVENT_OCS_CHANGE, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(change);
	CU_ASSERT_EQUAL(change->u.ocs_change.how, OC_END_SHUTDOWN);
	CU_ASSERT_EQUAL(scene.told.begun, 1);
	CU_ASSERT_EQUAL(scene.told.ended, 1);
	end();
}

static void test_no_decision_of_the_node_is_made_up(void)
{
	const struct help_said all = REPORT(7, 100, 600);

	begin();
	for (uint64_t at = 0; at < 5000; at += 100)
		pair(at, at % 200 == 0 ? "s1.example.net" : NULL, at == 1000 ? &all : NULL);
	CU_ASSERT_EQUAL(run(), OC_OK);
	const struct oc_event *event;
	unsigned decisions = 0;
	for (; (event = help_told_get(&scene.told, 0, OC_EVENT_DECISION, decisions)) != NULL; decisions++) {
		const struct oc_decision *d = &event->u.decision;
		CU_ASSERT_EQUAL(d->id, decisions + 1);
		CU_ASSERT_EQUAL(d->verdict, OC_FORWARD);
		CU_ASSERT_EQUAL(d->why, OC_WHY_NONE);
		CU_ASSERT_EQUAL(d->selected_by, OC_SCOPE_NONE);
		CU_ASSERT_EQUAL(d->random, 0);
		CU_ASSERT_EQUAL(d->first_choice, OC_NAME_NONE);
		CU_ASSERT_EQUAL(d->realm.version + d->host.version + d->peer.version, 0);
		CU_ASSERT_EQUAL(
			d->flags & (OC_DEC_OBSERVED | OC_DEC_PROBE | OC_DEC_REACTING_FOR | OC_DEC_REMEMBERED),
			0);
		CU_ASSERT_STRING_EQUAL(oc_names_text(scene.capture.names, d->next_hop), "s1.example.net");
	}
	CU_ASSERT_EQUAL(decisions, 50);
	for (unsigned i = 0; (event = help_told_get(&scene.told, 0, OC_EVENT_OCS_CHANGE, i)) != NULL; i++)
		CU_ASSERT_EQUAL(event->u.ocs_change.matched + event->u.ocs_change.selected +
					event->u.ocs_change.expected_ppm,
				0);
	end();
}

static void test_the_same_is_so_of_a_node_without_doic(void)
{
	const struct help_said report = REPORT(7, 100, 600);

	begin();
	pair(0, "s1.example.net", &report);
	for (uint32_t i = 0; i < 20; i++)
		send(100 + i, false,
		     &(struct help_said){ .app = 16777238,
					  .command = 272,
					  .flags = 0xc0,
					  .hop = 1000 + i,
					  .end = 1000 + i,
					  .host = "c1.example.net",
					  .to_host = "s1.example.net" });
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_EQUAL(node(0)->requests, 21);
	CU_ASSERT_EQUAL(node(0)->with_doic, 1);
	CU_ASSERT_EQUAL(node(0)->unanswered, 20);
	CU_ASSERT_EQUAL(state(0)->during, 20);
	CU_ASSERT_EQUAL(state(0)->unanswered, 20);
	const struct oc_event *last = help_told_get(&scene.told, 0, OC_EVENT_DECISION, 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(last);
	CU_ASSERT_EQUAL(last->u.decision.why, OC_WHY_NONE);
	CU_ASSERT_EQUAL(last->u.decision.flags & OC_DEC_REACTING_FOR, 0);
	end();
}

static void test_reports_keep_their_octets_and_are_judged_as_always(void)
{
	struct help_said bad = REPORT(7, 130, 600), unknown = REPORT(8, 30, 600);

	begin();
	pair(0, "s1.example.net", &bad);
	unknown.type = 9;
	pair(10, "s1.example.net", &unknown);
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_EQUAL(node(0)->reports[OC_INTAKE_REFUSED], 2);
	const struct oc_event *report = help_told_get(&scene.told, 0, OC_EVENT_REPORT, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(report);
	CU_ASSERT_EQUAL(report->u.report.reason, OC_REASON_PERCENTAGE_RANGE);
	CU_ASSERT_EQUAL(report->u.report.raw_len, 60);
	CU_ASSERT_EQUAL(report->u.report.raw[2] << 8 | report->u.report.raw[3], 623);
	report = help_told_get(&scene.told, 0, OC_EVENT_REPORT, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(report);
	CU_ASSERT_EQUAL(report->u.report.reason, OC_REASON_TYPE_UNSUPPORTED);
	end();
}

static void test_a_realm_report_is_about_requests_without_a_host(void)
{
	struct help_said realm = REPORT(7, 30, 600);

	begin();
	realm.type = OC_REPORT_REALM;
	pair(0, NULL, &realm);
	for (uint64_t at = 10; at < 110; at += 10)
		pair(at, at % 20 == 0 ? "s1.example.net" : NULL, NULL);
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_EQUAL(state(0)->version.type, OC_REPORT_REALM);
	CU_ASSERT_EQUAL(state(0)->during, 5);
	end();
}

static void test_an_answer_whose_request_is_not_there_is_believed(void)
{
	struct help_said answer = REPORT(7, 30, 600);

	begin();
	answer.app = 16777238;
	answer.command = 272;
	answer.flags = 0x40;
	answer.hop = answer.end = 5;
	answer.host = "s1.example.net";
	answer.realm = "example.net";
	answer.result = 2001;
	answer.features = true;
	send(0, true, &answer);
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_EQUAL(node(0)->unpaired, 1);
	CU_ASSERT_EQUAL(node(0)->reports[OC_INTAKE_NEW], 1);
	CU_ASSERT_STRING_EQUAL(oc_names_text(scene.capture.names, node(0)->name), "10.0.0.1:40000");
	CU_ASSERT_PTR_NULL(help_told_get(&scene.told, 0, OC_EVENT_DECISION, 0)); /* none was seen */
	CU_ASSERT_PTR_NULL(help_told_get(&scene.told, 0, OC_EVENT_OUTCOME, 0));
	const struct oc_event *caps = help_told_get(&scene.told, 0, OC_EVENT_CAPABILITY, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(caps);
	CU_ASSERT_EQUAL(caps->u.capability.direction, OC_DIR_ANSWER);
	CU_ASSERT_PTR_NULL(help_told_get(&scene.told, 0, OC_EVENT_CAPABILITY, 1));
	end();
}

static void test_servers_that_send_requests_are_nodes_too(void)
{
	begin();
	pair(0, "s1.example.net", NULL);
	send(10, true,
	     &(struct help_said){ .app = 16777238,
				  .command = 258,
				  .flags = 0xc0,
				  .hop = 9,
				  .end = 9,
				  .host = "s1.example.net",
				  .to_host = "c1.example.net" });
	send(11, false,
	     &(struct help_said){ .app = 16777238,
				  .command = 258,
				  .flags = 0x40,
				  .hop = 9,
				  .end = 9,
				  .host = "c1.example.net",
				  .result = 2001 });
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_STRING_EQUAL(oc_names_text(scene.capture.names, node(1)->name), "s1.example.net");
	CU_ASSERT_EQUAL(node(1)->requests, 1);
	CU_ASSERT_EQUAL(node(1)->answers, 1);
	CU_ASSERT_EQUAL(help_told_get(&scene.told, 1, OC_EVENT_DECISION, 0)->u.decision.id, 1);
	end();
}

/* The request decides what the answer belongs to, whatever application the answer's header has. */
static void test_an_answer_of_another_application_ends_its_request(void)
{
	begin();
	send(0, false,
	     &(struct help_said){
		     .app = 7, .command = 272, .flags = 0xc0, .hop = 9, .end = 9, .host = "c1.example.net" });
	send(1, true,
	     &(struct help_said){ .command = 272,
				  .flags = 0x40,
				  .hop = 9,
				  .end = 9,
				  .host = "s1.example.net",
				  .result = 2001 });
	CU_ASSERT_EQUAL(run(), OC_OK);
	CU_ASSERT_EQUAL(node(0)->answers, 1);
	CU_ASSERT_PTR_NOT_NULL(help_told_get(&scene.told, 0, OC_EVENT_OUTCOME, 0));
	end();
}

static void test_an_error_of_the_sink_stops_the_import(void)
{
	begin();
	for (uint64_t at = 0; at < 1000; at += 100)
		pair(at, "s1.example.net", NULL);
	scene.told.fails_at = 5;
	CU_ASSERT_EQUAL(run(), OC_EIO);
	CU_ASSERT_EQUAL(scene.told.count, 5);
	end();
}

void test_oev_capture_model_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_capture_model", NULL, NULL);

	CU_add_test(suite, "D-082 a report becomes a state from its first reception to its expiry",
		    test_a_report_becomes_a_state_from_its_first_reception_to_its_expiry);
	CU_add_test(suite, "newer reports replace older ones, and an end ends",
		    test_newer_reports_replace_older_ones_and_an_end_ends);
	CU_add_test(suite, "every reception of a report is told", test_every_reception_of_a_report_is_told);
	CU_add_test(suite, "what is held at the end of the capture stays open",
		    test_what_is_held_at_the_end_of_the_capture_stays_open);
	CU_add_test(suite, "no decision of the node is made up", test_no_decision_of_the_node_is_made_up);
	CU_add_test(suite, "the same is so of a node without DOIC",
		    test_the_same_is_so_of_a_node_without_doic);
	CU_add_test(suite, "reports keep their octets and are judged as always",
		    test_reports_keep_their_octets_and_are_judged_as_always);
	CU_add_test(suite, "a realm report is about requests without a host",
		    test_a_realm_report_is_about_requests_without_a_host);
	CU_add_test(suite, "an answer whose request is not there is believed",
		    test_an_answer_whose_request_is_not_there_is_believed);
	CU_add_test(suite, "servers that send requests are nodes too",
		    test_servers_that_send_requests_are_nodes_too);
	CU_add_test(suite, "an answer of another application ends its request",
		    test_an_answer_of_another_application_ends_its_request);
	CU_add_test(suite, "an error of the sink stops the import",
		    test_an_error_of_the_sink_stops_the_import);
}
