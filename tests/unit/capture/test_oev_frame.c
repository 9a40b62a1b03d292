/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of reading tshark's lines.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "agent/oc_err.h"
#include "evidence/capture/oev_frame.h"

void test_oev_frame_suite(void);

static struct oev_frame frame; /* large, and filled anew by each test */

static int parse(const char *line)
{
	return oev_frame_parse(&frame, line, strlen(line));
}

static void test_a_tcp_line_is_read(void)
{
	char text[OEV_END_TEXT_MAX];

	CU_ASSERT_EQUAL(
		parse("61\t82\t82\t10.0.0.1\t10.0.0.2\t\t\t40000\t3868\t7\t4294967295\t440\t59,61\t\t\t\t\t"
		      "\t\t\t440,92\t\t\t"),
		OC_OK);
	CU_ASSERT_EQUAL(frame.number, 61);
	CU_ASSERT_EQUAL(frame.transport, OEV_TRANSPORT_TCP);
	CU_ASSERT_EQUAL(frame.sequence, 4294967295u);
	CU_ASSERT_EQUAL(frame.payload, 440);
	CU_ASSERT_EQUAL(frame.stream, 7);
	CU_ASSERT_EQUAL(frame.messages, 2);
	CU_ASSERT_EQUAL(frame.message_octets, 532);
	CU_ASSERT_EQUAL(frame.part_count, 2);
	CU_ASSERT_EQUAL(frame.part[1], 61);
	CU_ASSERT_FALSE(frame.is_cut);
	CU_ASSERT_STRING_EQUAL(oev_end_text(&frame.from, text), "10.0.0.1:40000");
	CU_ASSERT_STRING_EQUAL(oev_end_text(&frame.to, text), "10.0.0.2:3868");
}

static void test_an_sctp_line_is_read_chunk_by_chunk(void)
{
	char text[OEV_END_TEXT_MAX];

	CU_ASSERT_EQUAL(parse("5\t300\t200\t\t\t2001:db8::1\t2001:db8::"
			      "2\t\t\t\t\t\t\t3868\t40000\t0x1111abcd\t2,3\t46,47\t1,"
			      "0\t4,5\t\t\tdtls\t"),
			OC_OK);
	CU_ASSERT_EQUAL(frame.transport, OEV_TRANSPORT_SCTP);
	CU_ASSERT_EQUAL(frame.tag, 0x1111abcdu);
	CU_ASSERT_EQUAL(frame.chunk_count, 2);
	CU_ASSERT_EQUAL(frame.chunk[0].ppid, 46);
	CU_ASSERT_TRUE(frame.chunk[0].is_last);
	CU_ASSERT_EQUAL(frame.chunk[1].tsn, 3);
	CU_ASSERT_FALSE(frame.chunk[1].is_last);
	CU_ASSERT_TRUE(frame.is_cut);
	CU_ASSERT_TRUE(frame.has_dtls);
	CU_ASSERT_FALSE(frame.has_tls);
	CU_ASSERT_STRING_EQUAL(oev_end_text(&frame.from, text), "[2001:db8::1]:3868");
}

static void test_truths_of_later_versions_are_read(void)
{
	CU_ASSERT_EQUAL(parse("5\t9\t9\t10.0.0.1\t10.0.0.2\t\t\t\t\t\t\t\t\t1\t2\t0x01\t2,3\t46,46\tTrue,"
			      "False\t\t\t\t\t"),
			OC_OK);
	CU_ASSERT_TRUE(frame.chunk[0].is_last);
	CU_ASSERT_FALSE(frame.chunk[1].is_last);
}

static void test_of_a_tunnel_the_inner_addresses_count(void)
{
	char text[OEV_END_TEXT_MAX];

	CU_ASSERT_EQUAL(parse("35\t9\t9\t172.24.0.46,192.168.101.2\t10.4.128.21,10.4.128."
			      "22\t\t\t1\t2\t6\t1\t1\t\t\t\t\t\t"
			      "\t\t\t\t\t\t"),
			OC_OK);
	CU_ASSERT_STRING_EQUAL(oev_end_text(&frame.from, text), "192.168.101.2:1");
	CU_ASSERT_STRING_EQUAL(oev_end_text(&frame.to, text), "10.4.128.22:2");
}

static void test_esp_has_no_transport(void)
{
	CU_ASSERT_EQUAL(parse("9\t9\t9\t10.0.0.1\t10.0.0.2\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t0x00009a61"),
			OC_OK);
	CU_ASSERT_EQUAL(frame.transport, OEV_TRANSPORT_NONE);
	CU_ASSERT_TRUE(frame.has_esp);
}

static void test_lines_that_are_none_are_refused(void)
{
	static const char *const lines[] = {
		"",
		"1",
		"1\t2\t3",
		"\t9\t9\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t",		  /* no number */
		"x\t9\t9\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t",		  /* no digit */
		"4294967296\t9\t9\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t",	  /* too large */
		"1\t9\t9\t1.2.3\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t",	  /* no address */
		"1\t9\t9\t\t\t\t\t65536\t1\t1\t1\t1\t\t\t\t\t\t\t\t\t\t\t\t",	  /* no port */
		"1\t9\t9\t\t\t\t\t\t\t\t\t\t\t1\t2\t0x1\t2,3\t46\t1,1\t\t\t\t\t", /* a chunk without PPID */
		"1\t9\t9\t\t\t\t\t\t\t\t\t\t\t1\t2\t0x1\t2\t46\tmaybe\t\t\t\t\t",
		"1\t9\t9\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t-440\t\t\t",
		"1\t9\t9\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t", /* a field too many */
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		CU_ASSERT_EQUAL(parse(lines[i]), OC_EMALFORMED);
}

static void test_more_parts_and_chunks_than_are_kept_do_no_harm(void)
{
	size_t room = 65536, len = 0;
	char *line = malloc(room);

	len = (size_t)snprintf(line, room, "1\t9\t9\t10.0.0.1\t10.0.0.2\t\t\t1\t2\t0\t1\t1\t1");
	for (int i = 0; i < 5000; i++)
		len += (size_t)snprintf(line + len, room - len, ",%d", i);
	snprintf(line + len, room - len, "\t\t\t\t\t\t\t\t\t\t\t");
	CU_ASSERT_EQUAL(parse(line), OC_OK);
	CU_ASSERT_EQUAL(frame.part_count, OEV_FRAME_PARTS_MAX);
	free(line);
}

/* Whatever stands in a line, the counts stay within the arrays. */
static void test_mutated_lines_are_read_or_refused(void)
{
	static const char good[] = "5\t300\t200\t10.0.0.1\t10.0.0."
				   "2\t\t\t\t\t\t\t\t\t3868\t40000\t0x1111abcd\t2,3\t46,47\t1,0\t4,"
				   "5\t440\t\tdtls\t";
	static const char octets[] = "0123456789,,xa\t\x80";
	uint64_t random = 1;
	unsigned read = 0, refused = 0;

	for (int i = 0; i < 200000; i++) {
		size_t len = sizeof(good) - 1;
		char *line = malloc(len + 1);
		memcpy(line, good, len);
		for (int k = 0; k < 3; k++) {
			random = random * 6364136223846793005ull + 1442695040888963407ull;
			line[(random >> 33) % len] = octets[(random >> 56) % (sizeof(octets) - 1)];
		}
		len -= random >> 60 == 0 ? (random >> 40) % len : 0;
		if (oev_frame_parse(&frame, line, len) == OC_OK)
			read++;
		else
			refused++;
		CU_ASSERT_TRUE_FATAL(frame.chunk_count <= OEV_FRAME_CHUNKS_MAX &&
				     frame.part_count <= OEV_FRAME_PARTS_MAX);
		free(line);
	}
	CU_ASSERT_TRUE(read > 1000 && refused > 1000);
}

void test_oev_frame_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_frame", NULL, NULL);

	CU_add_test(suite, "a TCP line is read", test_a_tcp_line_is_read);
	CU_add_test(suite, "an SCTP line is read chunk by chunk", test_an_sctp_line_is_read_chunk_by_chunk);
	CU_add_test(suite, "truths of later versions are read", test_truths_of_later_versions_are_read);
	CU_add_test(suite, "of a tunnel the inner addresses count",
		    test_of_a_tunnel_the_inner_addresses_count);
	CU_add_test(suite, "ESP has no transport", test_esp_has_no_transport);
	CU_add_test(suite, "lines that are none are refused", test_lines_that_are_none_are_refused);
	CU_add_test(suite, "more parts and chunks than are kept do no harm",
		    test_more_parts_and_chunks_than_are_kept_do_no_harm);
	CU_add_test(suite, "mutated lines are read or refused", test_mutated_lines_are_read_or_refused);
}
