/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the accounts of frames, and of which packets are one connection.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/capture/oev_tracks.h"

void test_oev_tracks_suite(void);

static const uint16_t ports[] = { 3868, 5868 };

struct scene {
	struct oev_connections *connections;
	struct oev_tracks *tracks;
	struct oev_missed missed;
	struct oev_frame frame;
	uint32_t number;
};

static struct scene *begin(void)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	scene->connections = oev_connections_new();
	scene->tracks = oev_tracks_new(ports, 2);
	return scene;
}

static void end(struct scene *scene)
{
	oev_connections_free(scene->connections);
	oev_tracks_free(scene->tracks);
	free(scene);
}

static void set_ends(struct oev_frame *frame, const char *from, uint16_t from_port, const char *to,
		     uint16_t to_port)
{
	oev_end_set_address(&frame->from, from, strlen(from));
	oev_end_set_address(&frame->to, to, strlen(to));
	frame->from.port = from_port;
	frame->to.port = to_port;
}

static struct oev_sender take(struct scene *scene)
{
	struct oev_sender sender = { 0 };
	int rc = oev_connections_note(scene->connections, &scene->frame, &sender);

	CU_ASSERT_EQUAL(
		oev_tracks_frame(scene->tracks, &scene->frame, rc == OC_OK ? &sender : NULL, &scene->missed),
		OC_OK);
	return sender;
}

/* A segment to port @port: @len octets from @sequence, and what messages it completes. */
static void tcp(struct scene *scene, uint16_t port, uint32_t sequence, uint32_t len, uint32_t messages,
		uint32_t octets)
{
	memset(&scene->frame, 0, sizeof(scene->frame));
	set_ends(&scene->frame, "10.0.0.1", 40000, "10.0.0.2", port);
	scene->frame.number = ++scene->number;
	scene->frame.transport = OEV_TRANSPORT_TCP;
	scene->frame.sequence = sequence;
	scene->frame.payload = len;
	scene->frame.messages = messages;
	scene->frame.message_octets = octets;
}

static void sctp(struct scene *scene, uint32_t tsn, uint32_t ppid, bool is_last, uint32_t messages)
{
	memset(&scene->frame, 0, sizeof(scene->frame));
	set_ends(&scene->frame, "10.0.0.1", 40000, "10.0.0.2", 3868);
	scene->frame.number = ++scene->number;
	scene->frame.transport = OEV_TRANSPORT_SCTP;
	scene->frame.tag = 0x1111;
	scene->frame.chunk[scene->frame.chunk_count++] = (struct oev_chunk){ tsn, ppid, is_last };
	scene->frame.messages = messages;
}

static const struct oev_missed_sum *sum_of(struct scene *scene, enum oev_missed_kind kind)
{
	return &scene->missed.sum[kind];
}

static void test_whole_messages_leave_nothing(void)
{
	struct scene *scene = begin();

	tcp(scene, 3868, 1, 100, 1, 100);
	take(scene);
	tcp(scene, 3868, 101, 50, 0, 0); /* the first half of a message */
	take(scene);
	tcp(scene, 3868, 151, 150, 2, 200);
	scene->frame.part[scene->frame.part_count++] = 2;
	scene->frame.part[scene->frame.part_count++] = 3;
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_FALSE(oev_missed_any(&scene->missed));
	end(scene);
}

static void test_octets_in_no_message_are_named_with_their_frame(void)
{
	struct scene *scene = begin();

	tcp(scene, 3868, 1, 100, 1, 100);
	take(scene);
	tcp(scene, 3868, 101, 60, 0, 0);
	take(scene);
	tcp(scene, 3868, 101, 60, 0, 0); /* sent again: not counted twice */
	take(scene);
	tcp(scene, 3868, 161, 100, 1, 100);
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_OCTETS)->amount, 60);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_OCTETS)->frames, 1);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_OCTETS)->frame[0], 2);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_LOST)->amount, 0);
	CU_ASSERT_TRUE(oev_missed_any(&scene->missed));
	end(scene);
}

static void test_a_segment_never_captured_is_named_by_the_next(void)
{
	struct scene *scene = begin();

	tcp(scene, 3868, 1, 100, 1, 100);
	take(scene);
	tcp(scene, 3868, 301, 100, 1, 100);
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_LOST)->amount, 200);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_LOST)->frame[0], 2);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_OCTETS)->amount, 0);
	end(scene);
}

static void test_tls_is_said_to_be_encrypted(void)
{
	struct scene *scene = begin();

	tcp(scene, 5868, 1, 500, 0, 0);
	scene->frame.has_tls = true;
	take(scene);
	tcp(scene, 5868, 501, 1400, 0, 0); /* a part of a longer record */
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_TLS)->amount, 1900);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_TLS)->frames, 2);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_OCTETS)->amount, 0);
	end(scene);
}

static void test_other_traffic_is_nobodys_business(void)
{
	struct scene *scene = begin();

	tcp(scene, 443, 1, 500, 0, 0);
	scene->frame.has_tls = true;
	take(scene);
	tcp(scene, 80, 1, 500, 0, 0);
	take(scene);
	memset(&scene->frame, 0, sizeof(scene->frame));
	scene->frame.number = ++scene->number;
	scene->frame.has_esp = true;
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_FALSE(oev_missed_any(&scene->missed));
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_ESP)->amount, 1); /* said, but not feared */
	end(scene);
}

static void test_a_connection_on_any_port_counts_once_it_has_diameter(void)
{
	struct scene *scene = begin();

	tcp(scene, 9999, 1, 100, 1, 100);
	take(scene);
	tcp(scene, 9999, 101, 100, 0, 0);
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_OCTETS)->amount, 100);
	end(scene);
}

static void test_a_new_connection_on_old_ports_starts_anew(void)
{
	struct scene *scene = begin();

	tcp(scene, 3868, 1, 100, 1, 100);
	take(scene);
	tcp(scene, 3868, 900000, 100, 1, 100);
	scene->frame.stream = 1;
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_FALSE(oev_missed_any(&scene->missed));
	end(scene);
}

static void test_what_the_snap_length_cut_is_counted(void)
{
	struct scene *scene = begin();

	tcp(scene, 3868, 1, 100, 1, 100);
	scene->frame.is_cut = true;
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_CUT)->amount, 1);
	end(scene);
}

static void test_chunks_are_counted_by_user_message(void)
{
	struct scene *scene = begin();

	sctp(scene, 1, 46, true, 1);
	take(scene);
	sctp(scene, 2, 46, false, 0);
	take(scene);
	sctp(scene, 3, 46, true, 1);
	scene->frame.part[scene->frame.part_count++] = 2;
	scene->frame.part[scene->frame.part_count++] = 3;
	take(scene);
	sctp(scene, 3, 46, true, 0); /* sent again */
	take(scene);
	CU_ASSERT_FALSE(oev_missed_any(&scene->missed));
	sctp(scene, 5, 46, true, 0); /* 4 is lost, 5 says nothing without it */
	take(scene);
	sctp(scene, 6, 47, true, 0);
	take(scene);
	sctp(scene, 7, 3, true, 0); /* M3UA beside it */
	take(scene);
	oev_tracks_end(scene->tracks, &scene->missed);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_CHUNKS)->amount, 1);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_CHUNKS)->frame[0], 5);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_LOST_CHUNKS)->amount, 1);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_DTLS)->amount, 1);
	CU_ASSERT_EQUAL(sum_of(scene, OEV_MISSED_DTLS)->frame[0], 6);
	end(scene);
}

static void test_all_paths_of_an_association_are_one_connection(void)
{
	struct scene *scene = begin();
	struct oev_sender first, other, back;

	sctp(scene, 1, 46, true, 1);
	first = take(scene);
	sctp(scene, 2, 46, true, 1); /* the same tag by other addresses at both ends */
	set_ends(&scene->frame, "10.9.0.1", 40000, "10.8.0.2", 3868);
	other = take(scene);
	CU_ASSERT_EQUAL(other.connection, first.connection);
	CU_ASSERT_EQUAL(other.side, first.side);
	sctp(scene, 900, 46, true, 1); /* the way back on the second path, with a tag not seen yet */
	set_ends(&scene->frame, "10.8.0.2", 3868, "10.9.0.1", 40000);
	scene->frame.tag = 0x2222;
	back = take(scene);
	CU_ASSERT_EQUAL(back.connection, first.connection);
	CU_ASSERT_NOT_EQUAL(back.side, first.side);
	sctp(scene, 901, 46, true, 1); /* and on a third, known by that tag */
	set_ends(&scene->frame, "10.8.0.3", 3868, "10.9.0.9", 40000);
	scene->frame.tag = 0x2222;
	back = take(scene);
	CU_ASSERT_EQUAL(back.connection, first.connection);
	CU_ASSERT_NOT_EQUAL(back.side, first.side);
	CU_ASSERT_EQUAL(oev_connections_count(scene->connections), 1);
	CU_ASSERT_FALSE(oev_missed_any(&scene->missed));
	end(scene);
}

static void test_frames_listed_are_the_first_ones(void)
{
	struct oev_missed missed = { 0 };

	for (uint32_t frame = 100; frame > 0; frame -= 10)
		oev_missed_add(&missed, OEV_MISSED_CUT, 1, frame);
	oev_missed_add(&missed, OEV_MISSED_CUT, 1, 10); /* once more */
	CU_ASSERT_EQUAL(missed.sum[OEV_MISSED_CUT].amount, 11);
	CU_ASSERT_EQUAL(missed.sum[OEV_MISSED_CUT].frames, 10);
	CU_ASSERT_EQUAL(missed.sum[OEV_MISSED_CUT].listed, OEV_MISSED_LISTED);
	for (uint32_t i = 0; i < OEV_MISSED_LISTED; i++)
		CU_ASSERT_EQUAL(missed.sum[OEV_MISSED_CUT].frame[i], 10 * (i + 1));
}

void test_oev_tracks_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_tracks", NULL, NULL);

	CU_add_test(suite, "whole messages leave nothing", test_whole_messages_leave_nothing);
	CU_add_test(suite, "octets in no message are named with their frame",
		    test_octets_in_no_message_are_named_with_their_frame);
	CU_add_test(suite, "a segment never captured is named by the next",
		    test_a_segment_never_captured_is_named_by_the_next);
	CU_add_test(suite, "TLS is said to be encrypted", test_tls_is_said_to_be_encrypted);
	CU_add_test(suite, "other traffic is nobody's business", test_other_traffic_is_nobodys_business);
	CU_add_test(suite, "a connection on any port counts once it has Diameter",
		    test_a_connection_on_any_port_counts_once_it_has_diameter);
	CU_add_test(suite, "a new connection on old ports starts anew",
		    test_a_new_connection_on_old_ports_starts_anew);
	CU_add_test(suite, "what the snap length cut is counted", test_what_the_snap_length_cut_is_counted);
	CU_add_test(suite, "chunks are counted by user message", test_chunks_are_counted_by_user_message);
	CU_add_test(suite, "all paths of an association are one connection",
		    test_all_paths_of_an_association_are_one_connection);
	CU_add_test(suite, "frames listed are the first ones", test_frames_listed_are_the_first_ones);
}
