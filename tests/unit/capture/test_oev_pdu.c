/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of reading exported messages.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_capture.h"

void test_oev_pdu_suite(void);

static const struct help_sent sent = {
	.from = 1, .to = 2, .from_port = 40000, .to_port = 3868, .port_type = 2, .frame = 77
};

static void make(struct help_octets *packet, const char *dissector)
{
	struct help_octets message;

	help_message(&message, &(struct help_said){
				       .app = 4, .command = 272, .flags = 0x80, .host = "c1.example.net" });
	help_packet(packet, &sent, &message, dissector);
}

static struct oc_bytes bytes(const struct help_octets *octets)
{
	return (struct oc_bytes){ octets->data, octets->len };
}

static void test_tags_say_who_and_where(void)
{
	struct help_octets packet;
	struct oev_pdu pdu = { .time_ns = 5 };
	char text[OEV_END_TEXT_MAX];

	make(&packet, "diameter");
	CU_ASSERT_EQUAL(oev_pdu_parse(bytes(&packet), &pdu), OC_OK);
	CU_ASSERT_EQUAL(pdu.frame, 77);
	CU_ASSERT_EQUAL(pdu.time_ns, 5);
	CU_ASSERT_EQUAL(pdu.transport, OEV_TRANSPORT_TCP);
	CU_ASSERT_STRING_EQUAL(oev_end_text(&pdu.from, text), "10.0.0.1:40000");
	CU_ASSERT_STRING_EQUAL(oev_end_text(&pdu.to, text), "10.0.0.2:3868");
	CU_ASSERT_EQUAL(pdu.octets.len, 44);
	CU_ASSERT_EQUAL(pdu.octets.data[0], 1);
}

static void test_what_is_not_diameter_is_told_apart(void)
{
	struct help_octets packet;
	struct oev_pdu pdu = { 0 };

	make(&packet, "sip");
	CU_ASSERT_EQUAL(oev_pdu_parse(bytes(&packet), &pdu), OC_ENOENT);
	make(&packet, "diameters");
	CU_ASSERT_EQUAL(oev_pdu_parse(bytes(&packet), &pdu), OC_ENOENT);
}

static void test_tags_cut_anywhere_are_refused(void)
{
	struct help_octets packet;
	struct oev_pdu pdu = { 0 };

	make(&packet, "diameter");
	size_t tags = packet.len - 44;
	for (size_t len = 0; len < tags; len++) {
		uint8_t *copy = malloc(len + 1);
		memcpy(copy, packet.data, len);
		CU_ASSERT_EQUAL(oev_pdu_parse((struct oc_bytes){ copy, len }, &pdu), OC_EMALFORMED);
		free(copy);
	}
	CU_ASSERT_EQUAL(oev_pdu_parse((struct oc_bytes){ packet.data, tags }, &pdu), OC_OK);
	CU_ASSERT_EQUAL(pdu.octets.len, 0);
}

static void test_a_file_is_read_to_its_end(void)
{
	struct help_octets message;
	struct oev_pdu_file *file = NULL;
	struct oev_pdu pdu = { 0 };
	char error[256] = "";
	FILE *out = help_export_open();

	help_message(&message, &(struct help_said){ .app = 4, .command = 272 });
	help_export(out, &sent, &message);
	help_export(out, &(struct help_sent){ .at_ms = 1500, .from = 1, .to = 2, .port_type = 1 }, &message);
	help_export(out, &(struct help_sent){ .at_ms = 1600, .from = 1, .to = 2, .port_type = 3 },
		    &message); /* UDP */
	CU_ASSERT_EQUAL_FATAL(oev_pdu_open(&file, out, error, sizeof(error)), OC_OK);
	CU_ASSERT_EQUAL(oev_pdu_next(file, &pdu), OC_OK);
	CU_ASSERT_EQUAL(pdu.time_ns, HELP_START);
	CU_ASSERT_EQUAL(oev_pdu_next(file, &pdu), OC_OK);
	CU_ASSERT_EQUAL(pdu.time_ns, HELP_START + 1500000000u);
	CU_ASSERT_EQUAL(pdu.transport, OEV_TRANSPORT_SCTP);
	CU_ASSERT_EQUAL(oev_pdu_next(file, &pdu), OC_ENOENT);
	CU_ASSERT_EQUAL(oev_pdu_broken(file), 1);
	oev_pdu_close(file);
}

static void test_a_file_of_something_else_is_refused(void)
{
	struct oev_pdu_file *file = NULL;
	char error[256] = "";
	FILE *out = tmpfile();

	fputs("this is no capture at all, not even nearly", out);
	CU_ASSERT_EQUAL(oev_pdu_open(&file, out, error, sizeof(error)), OC_EMALFORMED);
	CU_ASSERT_TRUE(strlen(error) > 20);
	out = help_export_open();
	fseek(out, 20, SEEK_SET);
	fwrite("\1\0\0\0", 4, 1, out); /* Ethernet */
	fflush(out);
	CU_ASSERT_EQUAL(oev_pdu_open(&file, out, error, sizeof(error)), OC_EMALFORMED);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "link type 1"));
}

void test_oev_pdu_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_pdu", NULL, NULL);

	CU_add_test(suite, "tags say who and where", test_tags_say_who_and_where);
	CU_add_test(suite, "what is not Diameter is told apart", test_what_is_not_diameter_is_told_apart);
	CU_add_test(suite, "tags cut anywhere are refused", test_tags_cut_anywhere_are_refused);
	CU_add_test(suite, "a file is read to its end", test_a_file_is_read_to_its_end);
	CU_add_test(suite, "a file of something else is refused", test_a_file_of_something_else_is_refused);
}
