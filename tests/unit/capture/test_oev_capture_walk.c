/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of who is who in a capture, and of pairs.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_capture.h"

void test_oev_capture_walk_suite(void);

#define CLIENT                                                                                               \
	{                                                                                                    \
		.from = 1, .to = 2, .from_port = 40000, .to_port = 3868, .port_type = 2                      \
	}
#define SERVER                                                                                               \
	{                                                                                                    \
		.from = 2, .to = 1, .from_port = 3868, .to_port = 40000, .port_type = 2                      \
	}

struct scene {
	FILE *file;
	uint32_t frame;
	struct help_told told;
	struct oev_capture capture;
};

static struct scene scene; /* large; each test begins it anew */

static void begin(void)
{
	memset(&scene, 0, sizeof(scene));
	help_told_init(&scene.told);
	scene.file = help_export_open();
}

static void say(struct help_sent sent, uint64_t at_ms, const struct help_said *said)
{
	struct help_octets octets;

	help_message(&octets, said);
	sent.at_ms = at_ms;
	sent.frame = ++scene.frame;
	help_export(scene.file, &sent, &octets);
}

static void client(uint64_t at_ms, struct help_said said)
{
	say((struct help_sent)CLIENT, at_ms, &said);
}

static void server(uint64_t at_ms, struct help_said said)
{
	say((struct help_sent)SERVER, at_ms, &said);
}

static void run(void)
{
	fflush(scene.file);
	CU_ASSERT_EQUAL(oev_capture_tell(&scene.capture, scene.file,
					 &(struct oev_capture_options){ .pseudonym_key = { { 1 } },
									.sink = &scene.told.sink }),
			OC_OK);
}

static void end(void)
{
	oev_capture_fini(&scene.capture);
}

static const struct oev_contact *contact(uint32_t number)
{
	return oev_contacts_get(oev_capture_walk_contacts(scene.capture.walk), number);
}

static const char *name_of(uint32_t number, unsigned side)
{
	return oc_names_text(scene.capture.names, contact(number)->name[side]);
}

/* Side of the client: ends are in the order of their addresses, so 10.0.0.1 comes first. */
#define CLIENT_SIDE 0u
#define SERVER_SIDE 1u

#define CCR(number)                                                                                          \
	{                                                                                                    \
		.app = 4, .command = 272, .flags = 0xc0, .hop = number, .end = 100 + number,                 \
		.host = "c1.example.net", .realm = "example.net", .session = "c1;1"                          \
	}
#define CCA(number)                                                                                          \
	{                                                                                                    \
		.app = 4, .command = 272, .flags = 0x40, .hop = number, .end = 100 + number,                 \
		.host = "s1.example.net", .realm = "example.net", .session = "c1;1", .result = 2001          \
	}

static void test_capabilities_exchange_names_both_sides(void)
{
	begin();
	server(0, (struct help_said)CCA(9)); /* somebody behind the relay */
	client(1,
	       (struct help_said){ .command = 257, .flags = 0x80, .host = "mme.example.net", .realm = "a" });
	server(2,
	       (struct help_said){ .command = 257, .host = "dra.example.net", .realm = "b", .result = 2001 });
	client(3, (struct help_said)CCR(1));
	server(4, (struct help_said)CCA(1));
	run();
	CU_ASSERT_STRING_EQUAL(name_of(2, CLIENT_SIDE), "mme.example.net");
	CU_ASSERT_STRING_EQUAL(name_of(2, SERVER_SIDE), "dra.example.net");
	CU_ASSERT_EQUAL(contact(2)->known_by[SERVER_SIDE], OEV_KNOWN_BY_EXCHANGE);
	end();
}

static void test_without_one_a_watchdog_does_and_is_known_from_the_start(void)
{
	begin();
	client(0, (struct help_said){ .app = 4,
				      .command = 272,
				      .flags = 0x80,
				      .hop = 1,
				      .end = 1,
				      .host = "far.example.net",
				      .route = "nearer.example.net" });
	client(1, (struct help_said){ .command = 280, .flags = 0x80, .host = "dra.example.net" });
	server(2, (struct help_said){ .command = 280, .host = "s1.example.net", .result = 2001 });
	run();
	CU_ASSERT_STRING_EQUAL(name_of(1, CLIENT_SIDE), "dra.example.net");
	CU_ASSERT_STRING_EQUAL(name_of(1, SERVER_SIDE), "s1.example.net");
	CU_ASSERT_EQUAL(contact(1)->known_by[CLIENT_SIDE], OEV_KNOWN_BY_BASE);
	const struct oc_event *decision = help_told_get(&scene.told, 0, OC_EVENT_DECISION, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(decision);
	CU_ASSERT_STRING_EQUAL(oc_names_text(scene.capture.names, decision->u.decision.client_peer),
			       "nearer.example.net");
	CU_ASSERT_STRING_EQUAL(oc_names_text(scene.capture.names, decision->u.decision.origin_host),
			       "far.example.net");
	end();
}

static void test_requests_without_route_record_name_their_sender(void)
{
	begin();
	client(0, (struct help_said)CCR(1));
	server(1, (struct help_said)CCA(1));
	run();
	CU_ASSERT_STRING_EQUAL(name_of(1, CLIENT_SIDE), "c1.example.net");
	CU_ASSERT_EQUAL(contact(1)->known_by[CLIENT_SIDE], OEV_KNOWN_BY_REQUESTS);
	CU_ASSERT_STRING_EQUAL(name_of(1, SERVER_SIDE), "s1.example.net");
	CU_ASSERT_EQUAL(contact(1)->known_by[SERVER_SIDE], OEV_KNOWN_BY_ANSWERS);
	end();
}

static void test_who_cannot_be_named_is_called_by_address(void)
{
	struct help_said other = CCA(2);

	begin();
	client(0, (struct help_said){ .app = 4,
				      .command = 272,
				      .flags = 0x80,
				      .hop = 1,
				      .end = 1,
				      .host = "far.example.net",
				      .route = "nearer.example.net" });
	server(1, (struct help_said)CCA(1));
	other.host = "s2.example.net"; /* answers of two hosts: neither need be the neighbour */
	server(2, other);
	run();
	CU_ASSERT_STRING_EQUAL(name_of(1, CLIENT_SIDE), "10.0.0.1:40000");
	CU_ASSERT_STRING_EQUAL(name_of(1, SERVER_SIDE), "10.0.0.2:3868");
	end();
}

static void test_a_port_used_again_is_another_connection(void)
{
	begin();
	client(0, (struct help_said){ .command = 257, .flags = 0x80, .host = "one.example.net" });
	client(1, (struct help_said)CCR(1));
	client(2, (struct help_said){ .command = 257, .flags = 0x80, .host = "two.example.net" });
	server(3, (struct help_said)CCA(1)); /* not of this contact */
	run();
	CU_ASSERT_EQUAL(oev_contacts_count(oev_capture_walk_contacts(scene.capture.walk)), 2);
	CU_ASSERT_STRING_EQUAL(name_of(1, CLIENT_SIDE), "one.example.net");
	CU_ASSERT_STRING_EQUAL(name_of(2, CLIENT_SIDE), "two.example.net");
	CU_ASSERT_EQUAL(scene.capture.count.row[1].unanswered, 1);
	CU_ASSERT_EQUAL(scene.capture.count.row[1].unpaired, 1);
	end();
}

static void test_answers_find_their_requests_in_any_order(void)
{
	begin();
	for (uint32_t i = 1; i <= 50; i++)
		client(i, (struct help_said)CCR(i));
	for (uint32_t i = 50; i > 0; i--)
		server(200 - i, (struct help_said)CCA(i));
	run();
	CU_ASSERT_EQUAL(scene.capture.count.row[0].requests, 50);
	CU_ASSERT_EQUAL(scene.capture.count.row[0].answers, 50);
	CU_ASSERT_EQUAL(scene.capture.count.row[0].unanswered + scene.capture.count.row[0].unpaired, 0);
	for (unsigned i = 0; i < 50; i++) {
		const struct oc_event *outcome = help_told_get(&scene.told, 0, OC_EVENT_OUTCOME, i);
		CU_ASSERT_PTR_NOT_NULL_FATAL(outcome);
		CU_ASSERT_EQUAL(outcome->u.outcome.id,
				50 - i); /* decisions are numbered in the order of requests */
		/* besides the nanoseconds that keep steps of one moment apart */
		CU_ASSERT_EQUAL((outcome->u.outcome.took_ns + 500) / 1000, (200 - 2 * (50 - i)) * 1000u);
	}
	end();
}

static void test_both_identifiers_and_the_way_must_fit(void)
{
	struct help_said answer = CCA(1);

	begin();
	client(0, (struct help_said)CCR(1));
	answer.end = 5; /* another End-to-End Identifier */
	server(1, answer);
	answer = (struct help_said)CCA(1);
	client(2, answer); /* the wrong way */
	run();
	CU_ASSERT_EQUAL(scene.capture.count.row[0].unanswered, 1);
	CU_ASSERT_EQUAL(scene.capture.count.row[0].unpaired, 2);
	end();
}

static void test_retransmissions_are_known_by_flag_or_identifier(void)
{
	struct help_said again = CCR(2);

	begin();
	client(0, (struct help_said)CCR(1));
	again.end = 101; /* of the first one, under a Hop-by-Hop Identifier of its own */
	client(1, again);
	again = (struct help_said)CCR(3);
	again.flags |= 0x10; /* T: sent before this capture began */
	client(2, again);
	client(300000, (struct help_said)CCR(1)); /* five minutes later it is a new request */
	run();
	CU_ASSERT_EQUAL(scene.capture.count.row[0].requests, 4);
	CU_ASSERT_EQUAL(scene.capture.count.row[0].again, 2);
	CU_ASSERT_EQUAL(scene.capture.count.row[0].unanswered, 4);
	end();
}

static void test_a_request_waits_four_minutes(void)
{
	begin();
	client(0, (struct help_said)CCR(1));
	client(1000, (struct help_said)CCR(2));
	server(240500, (struct help_said)CCA(1)); /* too late */
	server(240600, (struct help_said)CCA(2));
	run();
	CU_ASSERT_EQUAL(scene.capture.count.row[0].unanswered, 1);
	CU_ASSERT_EQUAL(scene.capture.count.row[0].unpaired, 1);
	end();
}

static void test_sessions_are_counted_once(void)
{
	struct help_said other = CCR(2);

	begin();
	client(0, (struct help_said)CCR(1));
	server(1, (struct help_said)CCA(1));
	other.session = "c1;2";
	client(2, other);
	client(3, (struct help_said){ .command = 280, .flags = 0x80, .host = "c1.example.net" });
	run();
	CU_ASSERT_EQUAL(scene.capture.count.sessions, 2);
	end();
}

static void test_one_way_and_broken_messages_are_said(void)
{
	struct help_octets octets;
	struct help_sent sent = CLIENT;

	begin();
	help_message(&octets, &(struct help_said)CCR(1));
	octets.data[20 + 7] = 3; /* length of the first AVP */
	sent.frame = 7;
	help_export(scene.file, &sent, &octets);
	octets.data[0] = 2; /* no version of Diameter */
	sent.frame = 8;
	help_export(scene.file, &sent, &octets);
	octets.len = 11; /* not even a header */
	sent.frame = 9;
	help_export(scene.file, &sent, &octets);
	help_message(&octets, &(struct help_said)CCR(2));
	octets.len -= 10; /* snap length */
	sent.frame = 10;
	help_export(scene.file, &sent, &octets);
	run();
	const struct oev_missed *missed = &scene.capture.missed;
	CU_ASSERT_EQUAL(missed->sum[OEV_MISSED_MALFORMED].amount, 3);
	CU_ASSERT_EQUAL(missed->sum[OEV_MISSED_MALFORMED].frame[0], 7);
	CU_ASSERT_EQUAL(missed->sum[OEV_MISSED_ONE_WAY].amount, 2);
	CU_ASSERT_EQUAL(missed->sum[OEV_MISSED_ONE_WAY].frame[0], 7);
	CU_ASSERT_EQUAL(scene.capture.count.requests, 2); /* what has a header counts */
	end();
}

static void test_time_never_goes_back(void)
{
	begin();
	client(1000, (struct help_said)CCR(1));
	server(400, (struct help_said)CCA(1)); /* a clock that was set */
	run();
	const struct oc_event *outcome = help_told_get(&scene.told, 0, OC_EVENT_OUTCOME, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(outcome);
	CU_ASSERT_TRUE(outcome->u.outcome.took_ns < 1000);
	CU_ASSERT_EQUAL(outcome->mono_ns, HELP_START + HELP_S);
	end();
}

void test_oev_capture_walk_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_capture_walk", NULL, NULL);

	CU_add_test(suite, "capabilities exchange names both sides",
		    test_capabilities_exchange_names_both_sides);
	CU_add_test(suite, "without one a watchdog does, and is known from the start",
		    test_without_one_a_watchdog_does_and_is_known_from_the_start);
	CU_add_test(suite, "requests without Route-Record name their sender",
		    test_requests_without_route_record_name_their_sender);
	CU_add_test(suite, "who cannot be named is called by address",
		    test_who_cannot_be_named_is_called_by_address);
	CU_add_test(suite, "a port used again is another connection",
		    test_a_port_used_again_is_another_connection);
	CU_add_test(suite, "answers find their requests in any order",
		    test_answers_find_their_requests_in_any_order);
	CU_add_test(suite, "both identifiers and the way must fit",
		    test_both_identifiers_and_the_way_must_fit);
	CU_add_test(suite, "retransmissions are known by flag or identifier",
		    test_retransmissions_are_known_by_flag_or_identifier);
	CU_add_test(suite, "a request waits four minutes", test_a_request_waits_four_minutes);
	CU_add_test(suite, "sessions are counted once", test_sessions_are_counted_once);
	CU_add_test(suite, "one way and broken messages are said", test_one_way_and_broken_messages_are_said);
	CU_add_test(suite, "time never goes back", test_time_never_goes_back);
}
