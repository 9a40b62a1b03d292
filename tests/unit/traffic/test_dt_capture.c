/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of capture reading: made-up captures of every difficulty, and the real ones.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dt_capture.h"
#include "dt_dump.h"
#include "help_pcap.h"

void test_dt_capture_suite(void);

struct three {
	uint8_t data[3][1024];
	size_t len[3];
};

static void make_three(struct three *three)
{
	const char *names[] = { "first", "second", "third" };
	for (size_t i = 0; i < 3; i++)
		three->len[i] = help_request(three->data[i], sizeof(three->data[i]), names[i], 100 + 40 * i);
}

static bool holds_three(const char *path, const struct three *three)
{
	struct dt_capture capture = { 0 };
	char why[256] = "";
	bool same = dt_capture_load(&capture, path, why, sizeof(why)) == OC_OK && capture.count == 3;

	for (uint32_t i = 0; same && i < 3; i++)
		same = capture.msg[i].len == three->len[i] &&
		       memcmp(capture.msg[i].data, three->data[i], three->len[i]) == 0;
	dt_capture_fini(&capture);
	unlink(path);
	return same;
}

static void test_dt_capture_reads_what_the_dump_wrote(void)
{
	struct three three;
	char path[] = "/tmp/dt_dump_XXXXXX";
	struct dt_flow flow = { .local_port = 1234, .remote_port = 3868, .sent_seq = 1, .received_seq = 1 };

	make_three(&three);
	close(mkstemp(path));
	FILE *file = dt_dump_open(path);
	for (int i = 0; i < 3; i++)
		dt_dump_msg(file, &flow, i != 1, three.data[i], three.len[i]);
	fclose(file);
	CU_ASSERT_TRUE(holds_three(path, &three));
}

static void test_dt_capture_joins_tcp_segments_in_any_order_and_repeated(void)
{
	struct three three;
	struct help_pcap capture;
	uint8_t all[3072];
	size_t len = 0;

	make_three(&three);
	for (int i = 0; i < 3; i++) {
		memcpy(all + len, three.data[i], three.len[i]);
		len += three.len[i];
	}
	help_pcap_open(&capture);
	const uint32_t base = 0xffffffa0u; /* sequence numbers wrap on the way */
	help_pcap_tcp(&capture, base - 1, 0x02, NULL, 0);
	help_pcap_tcp(&capture, base, 0x18, all, 10);
	help_pcap_tcp(&capture, base + 50, 0x18, all + 50, 200);
	help_pcap_tcp(&capture, base + 10, 0x18, all + 10, 40);
	help_pcap_tcp(&capture, base + 10, 0x18, all + 10, 60); /* overlaps */
	help_pcap_tcp(&capture, base + 250, 0x18, all + 250, len - 250);
	help_pcap_tcp(&capture, base + 250, 0x18, all + 250, len - 250);
	help_pcap_close(&capture);
	CU_ASSERT_TRUE(holds_three(capture.path, &three));
}

static void test_dt_capture_joins_sctp_fragments_and_drops_repeats(void)
{
	struct three three;
	struct help_pcap capture;

	make_three(&three);
	help_pcap_open(&capture);
	help_pcap_sctp(&capture, 7, 3, three.data[0], three.len[0]);
	help_pcap_sctp(&capture, 7, 3, three.data[0], three.len[0]);
	help_pcap_sctp(&capture, 8, 2, three.data[1], 30);
	help_pcap_sctp(&capture, 10, 1, three.data[1] + 90, three.len[1] - 90);
	help_pcap_sctp(&capture, 9, 0, three.data[1] + 30, 60);
	help_pcap_sctp(&capture, 9, 0, three.data[1] + 30, 60);
	help_pcap_sctp(&capture, 11, 3, three.data[2], three.len[2]);
	help_pcap_close(&capture);
	CU_ASSERT_TRUE(holds_three(capture.path, &three));
}

static void test_dt_capture_survives_noise(void)
{
	struct help_pcap capture;
	struct dt_capture read = { 0 };
	char why[256] = "";
	uint8_t noise[1500];
	uint32_t state = 1;

	help_pcap_open(&capture);
	for (int i = 0; i < 3000; i++) {
		for (size_t j = 0; j < sizeof(noise); j++)
			noise[j] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
		noise[0] = i % 3 ? noise[0] : 1;
		size_t len = (state >> 8) % 1400;
		if (i % 4 == 0)
			help_pcap_tcp(&capture, state, noise[1], noise, len);
		else if (i % 4 == 1)
			help_pcap_sctp(&capture, state % 64, noise[1] & 3, noise, len);
		else
			help_pcap_packet(&capture, i % 4 == 2 ? 6 : 132, noise, len);
	}
	help_pcap_close(&capture);
	CU_ASSERT_EQUAL(dt_capture_load(&read, capture.path, why, sizeof(why)), OC_OK);
	CU_ASSERT_EQUAL(read.packets, 3000);
	dt_capture_fini(&read);
	unlink(capture.path);
}

static void test_dt_capture_says_why_a_file_cannot_be_read(void)
{
	struct dt_capture read = { 0 };
	char why[256] = "";
	CU_ASSERT_EQUAL(dt_capture_load(&read, "/nonexistent.pcap", why, sizeof(why)), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "nonexistent"));
}

/* Counts as another analyser gives them for these files. */
static void test_dt_capture_finds_every_message_of_the_real_captures(void)
{
	static const struct {
		const char *name;
		uint32_t messages;
		uint32_t requests;
	} rows[] = {
		{ "magma_gx_gy_combined_04_210505_133027-1.pcapng", 1288, 592 },
		{ "magma_inbound_roaming_01_210505_130828-1.pcapng", 94, 3 },
		{ "magma_nsa_connection.pcap", 12, 3 },
		{ "o5gs_testattach.pcapng", 98, 43 },
		{ "o5gs_ipsec_reg.pcapng", 16, 7 },
		{ "o5gs_nonipsec_to_ipsec_call.pcapng", 16, 5 },
		{ "ndpi_diameter.pcap", 6, 3 },
		{ "pypacker_diameter.pcap", 1, 0 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_capture read = { 0 };
		char path[512], why[256] = "";
		if (!help_capture_path(path, sizeof(path), rows[i].name))
			continue;
		CU_ASSERT_EQUAL(dt_capture_load(&read, path, why, sizeof(why)), OC_OK);
		CU_ASSERT_EQUAL(read.messages, rows[i].messages);
		CU_ASSERT_EQUAL(read.count, rows[i].requests);
		CU_ASSERT_EQUAL(read.lost, 0);
		dt_capture_fini(&read);
	}
}

void test_dt_capture_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_capture", NULL, NULL);
	CU_add_test(suite, "own_dump", test_dt_capture_reads_what_the_dump_wrote);
	CU_add_test(suite, "tcp", test_dt_capture_joins_tcp_segments_in_any_order_and_repeated);
	CU_add_test(suite, "sctp", test_dt_capture_joins_sctp_fragments_and_drops_repeats);
	CU_add_test(suite, "noise", test_dt_capture_survives_noise);
	CU_add_test(suite, "bad_file", test_dt_capture_says_why_a_file_cannot_be_read);
	CU_add_test(suite, "real", test_dt_capture_finds_every_message_of_the_real_captures);
}
