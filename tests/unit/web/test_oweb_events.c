/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the stream of live events, of merge patches and of the ring of ticks.
 */
#include <CUnit/Basic.h>
#include <dirent.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "evidence/oev_clock.h"
#include "help_web.h"
#include "web/oweb_inner.h"
#include "web/oweb_patch.h"
#include "web/oweb_ring.h"

void test_oweb_events_suite(void);

static void a_patch_has_what_changed_and_null_for_what_is_gone(void)
{
	json_t *a = json_loads("{\"a\":1,\"b\":{\"c\":2,\"d\":3},\"e\":[1],\"g\":{\"h\":1}}", 0, NULL);
	json_t *b = json_loads("{\"a\":1,\"b\":{\"c\":2,\"d\":4,\"x\":{}},\"e\":[2],\"f\":\"y\"}", 0, NULL);
	json_t *wanted = json_loads("{\"b\":{\"d\":4,\"x\":{}},\"e\":[2],\"f\":\"y\",\"g\":null}", 0, NULL);
	json_t *patch = oweb_patch(a, b), *none = oweb_patch(b, b);

	CU_ASSERT(json_equal(patch, wanted));
	CU_ASSERT_EQUAL(json_object_size(none), 0);
	json_decref(a);
	json_decref(b);
	json_decref(wanted);
	json_decref(patch);
	json_decref(none);
}

static void the_ring_keeps_the_last_600(void)
{
	struct oweb_ring ring = { 0 };
	struct oweb_text text = { 0 };

	for (unsigned i = 1; i <= OWEB_TICKS + 5; i++) {
		oweb_text_format(&text, "%u", i);
		oweb_ring_add(&ring, oweb_shared_new(&text), NULL);
	}
	CU_ASSERT_PTR_NULL(oweb_ring_get(&ring, 0));
	CU_ASSERT_PTR_NULL(oweb_ring_get(&ring, 5));
	CU_ASSERT_PTR_NULL(oweb_ring_get(&ring, OWEB_TICKS + 6));
	struct oweb_shared *oldest = oweb_ring_get(&ring, 6);
	CU_ASSERT_PTR_NOT_NULL_FATAL(oldest);
	oweb_ring_clear(&ring);
	CU_ASSERT_STRING_EQUAL(oldest->data, "6");
	oweb_shared_drop(oldest);
}

/* Reads with @reader until nothing is left; returns the numbers, "R" for reset and "S" for a snapshot. */
static void read_all(const struct oweb_ring *ring, struct oweb_reader *reader, char *out, size_t size)
{
	struct oweb_shared *text;
	uint64_t lost;
	enum oweb_turn turn;

	out[0] = '\0';
	while ((turn = oweb_ring_next(ring, reader, &text, &lost)) != OWEB_TURN_NOTHING) {
		size_t used = strlen(out);
		snprintf(out + used, size - used, "%s ", turn == OWEB_TURN_RESET ? "R" : text->data);
		if (turn == OWEB_TURN_TEXT)
			oweb_shared_drop(text);
	}
}

static void add_ticks(struct oweb_ring *ring, unsigned from, unsigned to)
{
	for (unsigned i = from; i <= to; i++) {
		struct oweb_text tick = { 0 }, snapshot = { 0 };
		oweb_text_format(&tick, "%u", i);
		oweb_text_format(&snapshot, "S%u", i);
		oweb_ring_add(ring, oweb_shared_new(&tick), oweb_shared_new(&snapshot));
	}
}

static void a_reader_that_is_late_loses_ticks_and_is_reset(void)
{
	struct oweb_ring ring = { 0 };
	struct oweb_reader reader = { 0 }, replaying = { .wants = 2, .is_catching_up = true };
	static char out[8192];

	read_all(&ring, &reader, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "");
	add_ticks(&ring, 1, 3);
	read_all(&ring, &reader, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "S3 ");
	add_ticks(&ring, 4, 5);
	read_all(&ring, &reader, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "4 5 ");
	add_ticks(&ring, 6, 5 + OWEB_TICKS_BEHIND);
	read_all(&ring, &reader, out, sizeof(out));
	CU_ASSERT_EQUAL(strncmp(out, "6 7 ", 4), 0); /* not late yet */
	add_ticks(&ring, 36, 36 + OWEB_TICKS_BEHIND);
	read_all(&ring, &reader, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "R S66 ");
	read_all(&ring, &replaying, out, sizeof(out));
	CU_ASSERT_EQUAL(strncmp(out, "2 3 4 ", 6), 0);
	CU_ASSERT_PTR_NULL(strstr(out, "R"));
	CU_ASSERT_FALSE(replaying.is_catching_up);
	oweb_ring_clear(&ring);
}

/* A stream; @headers as of help_web_ask(). */
static int open_stream(const char *headers)
{
	char request[512];
	int fd = help_web_connect();
	int len = snprintf(
		request, sizeof(request),
		"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n%s\r\n",
		headers);

	CU_ASSERT(help_web_send(fd, request, (size_t)len));
	return fd;
}

/* Reads for about @ms; the text is for free(). */
static char *listen_to(int fd, int ms)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	char *text = calloc(1, HELP_REPLY_MAX);
	uint64_t end_ns = oev_clock_mono_ns() + (uint64_t)ms * 1000000, now_ns;
	size_t len = 0;

	while ((now_ns = oev_clock_mono_ns()) < end_ns &&
	       poll(&poller, 1, (int)((end_ns - now_ns) / 1000000) + 1) >= 0) {
		ssize_t got = recv(fd, text + len, HELP_REPLY_MAX - 1 - len, MSG_DONTWAIT);
		if (got == 0)
			break;
		len += got > 0 ? (size_t)got : 0;
	}
	return text;
}

static unsigned count(const char *text, const char *word)
{
	unsigned found = 0;

	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		found++;
	return found;
}

static void a_snapshot_comes_first_then_a_tick_each_second(void)
{
	int fd = open_stream("");
	char *text = listen_to(fd, 3300);
	const char *snapshot = strstr(text, "event: snapshot"), *tick = strstr(text, "event: tick");

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Content-Type: text/event-stream"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "X-Accel-Buffering: no"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "retry: "));
	CU_ASSERT_PTR_NOT_NULL_FATAL(snapshot);
	CU_ASSERT_PTR_NOT_NULL_FATAL(tick);
	CU_ASSERT(snapshot < tick);
	CU_ASSERT_EQUAL(count(text, "event: snapshot"), 1);
	unsigned ticks = count(text, "event: tick");
	CU_ASSERT(ticks >= 2 && ticks <= 5);
	CU_ASSERT_PTR_NOT_NULL(strstr(snapshot, "pcrf-2.example asks for 30 % less"));
	free(text);
	close(fd);
}

static void a_tick_says_only_what_changed(void)
{
	int fd = open_stream("");
	free(listen_to(fd, 1500));
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->peer[0].outstanding = 77;
	pthread_mutex_unlock(&help_web.agent->lock);
	char *text = listen_to(fd, 1500);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"peers\":{\"pcrf-1.example\":{\"outstanding\":77}}"));
	CU_ASSERT_PTR_NULL(strstr(text, "pcrf-1.example\":{\"wanted\""));
	free(text);
	close(fd);
}

static void what_changed_comes_as_an_event(void)
{
	int fd = open_stream("");
	free(listen_to(fd, 1200));
	oev_watch_gap(help_web.agent->watch, oev_clock_wall_us(), 12, "disk full");
	char *text = listen_to(fd, 2200);
	/* Without an id: who is cut off before the tick that follows gets both again. */
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "event: event\ndata: {"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "disk full"));
	free(text);
	close(fd);
}

/* The last "id: " of @text as a header line. */
static void last_id(const char *text, char *out, size_t size)
{
	const char *at = text, *last = NULL;

	while ((at = strstr(at, "\nid: ")) != NULL)
		last = at++;
	CU_ASSERT_PTR_NOT_NULL_FATAL(last);
	snprintf(out, size, "Last-Event-ID: %.*s\r\n", (int)strcspn(last + 5, "\n"), last + 5);
}

static void who_comes_back_gets_what_was_missed(void)
{
	char id[128];
	int fd = open_stream("");
	char *text = listen_to(fd, 1300);

	close(fd);
	last_id(text, id, sizeof(id));
	free(text);
	usleep(2100000);
	fd = open_stream(id);
	text = listen_to(fd, 500);
	CU_ASSERT_EQUAL(count(text, "event: snapshot"), 0);
	CU_ASSERT_EQUAL(count(text, "event: reset"), 0);
	CU_ASSERT(count(text, "event: tick") >= 2);
	free(text);
	close(fd);
}

static void who_names_another_life_is_reset(void)
{
	static const char *const ids[] = { "Last-Event-ID: abc-3\r\n", "Last-Event-ID: nonsense\r\n",
					   "Last-Event-ID: 1-18446744073709551615\r\n" };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		int fd = open_stream(ids[i]);
		char *text = listen_to(fd, 1300);
		const char *reset = strstr(text, "event: reset"), *snapshot = strstr(text, "event: snapshot");
		CU_ASSERT_PTR_NOT_NULL(reset);
		CU_ASSERT_PTR_NOT_NULL(snapshot);
		CU_ASSERT(reset < snapshot);
		free(text);
		close(fd);
	}
}

static unsigned count_threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	unsigned threads = 0;

	while (folder != NULL && readdir(folder) != NULL)
		threads++;
	if (folder != NULL)
		closedir(folder);
	return threads;
}

static void twenty_streams_take_no_thread_and_delay_nobody(void)
{
	unsigned before = count_threads();
	int fd[20];

	for (unsigned i = 0; i < 20; i++)
		fd[i] = open_stream("");
	for (unsigned i = 0; i < 20; i++)
		CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
	CU_ASSERT_EQUAL(count_threads(), before);
	usleep(1200000);
	for (unsigned i = 0; i < 20; i++) {
		char *text = listen_to(fd[i], 20);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "event: snapshot"));
		free(text);
		close(fd[i]);
	}
}

static void there_is_an_end_to_how_many_streams(void)
{
	int fd[OWEB_STREAMS_MAX];

	help_web.conf.connections_per_address = 250;
	help_web_restart();
	for (unsigned i = 0; i < OWEB_STREAMS_MAX; i++)
		fd[i] = open_stream("");
	for (unsigned i = 0; i < 100 && oweb_events_streams(help_web.server->events) < OWEB_STREAMS_MAX; i++)
		usleep(20000);
	struct help_reply reply = help_web_ask("GET", "/api/v1/events", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 503);
	CU_ASSERT(help_reply_has(&reply, "Retry-After", NULL));
	help_reply_drop(&reply);
	for (unsigned i = 0; i < OWEB_STREAMS_MAX; i++)
		close(fd[i]);
}

/* Many peers that all change fill the sockets of a client that does not read within seconds. */
static void a_reader_that_sleeps_keeps_nobody_waiting(void)
{
	char name[64];

	pthread_mutex_lock(&help_web.agent->lock);
	for (unsigned i = 0; i < HELP_PEERS_MAX; i++) {
		snprintf(name, sizeof(name), "peer-%u.with-a-rather-long-name.example", i);
		help_web.agent->peer[i] = (struct oweb_peer){ .name = help_web_name(name) };
	}
	help_web.agent->peers = HELP_PEERS_MAX;
	pthread_mutex_unlock(&help_web.agent->lock);
	int lazy = open_stream(""), eager = open_stream("");
	for (unsigned i = 0; i < 5; i++) {
		pthread_mutex_lock(&help_web.agent->lock);
		for (unsigned j = 0; j < HELP_PEERS_MAX; j++)
			help_web.agent->peer[j].outstanding++;
		pthread_mutex_unlock(&help_web.agent->lock);
		char *text = listen_to(eager, 1400);
		CU_ASSERT(count(text, "event: tick") >= 1 || i == 0);
		free(text);
		CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
	}
	close(lazy);
	close(eager);
}

static void a_stream_ends_when_the_tokens_change(void)
{
	help_web.conf.reads_need_token = true;
	help_web_restart();
	int fd = open_stream(help_web_bearer(help_web.observer));
	char *text = listen_to(fd, 1300);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "event: snapshot"));
	free(text);
	CU_ASSERT_EQUAL_FATAL(truncate(help_web.conf.tokens_path, 0), 0);
	text = listen_to(fd, 2500);
	CU_ASSERT_EQUAL(count(text, "event: tick"), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "0\r\n\r\n")); /* the end */
	free(text);
	close(fd);
}

static void a_stream_of_a_session_ends_at_its_logout(void)
{
	char body[200], value[256], cookie[300], headers[500];

	help_web.conf.reads_need_token = true;
	help_web_restart();
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", help_web.observer);
	struct help_reply reply =
		help_web_ask("POST", "/api/v1/session", "Content-Type: application/json\r\n", body);
	help_reply_header(&reply, "Set-Cookie", value, sizeof(value));
	snprintf(cookie, sizeof(cookie), "Cookie: %.*s\r\n", (int)strcspn(value, ";"), value);
	snprintf(headers, sizeof(headers), "%sX-CSRF-Token: %s\r\n", cookie, help_reply_text(&reply, "csrf"));
	help_reply_drop(&reply);
	int fd = open_stream(cookie);
	char *text = listen_to(fd, 1300);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "event: snapshot"));
	free(text);
	CU_ASSERT_EQUAL(help_web_status("DELETE", "/api/v1/session", headers, NULL), 204);
	text = listen_to(fd, 2500);
	CU_ASSERT(count(text, "event: tick") <= 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "0\r\n\r\n")); /* the end */
	free(text);
	close(fd);
}

static void a_stop_ends_all_streams_at_once(void)
{
	int fd[5];

	for (unsigned i = 0; i < 5; i++)
		fd[i] = open_stream("");
	usleep(300000);
	uint64_t began_ns = oev_clock_mono_ns();
	help_web_stop();
	CU_ASSERT(oev_clock_mono_ns() - began_ns < 3000000000ull);
	for (unsigned i = 0; i < 5; i++)
		close(fd[i]);
}

void test_oweb_events_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_events", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "a patch has what changed, and null for what is gone",
		    a_patch_has_what_changed_and_null_for_what_is_gone);
	CU_add_test(suite, "the ring keeps the last 600", the_ring_keeps_the_last_600);
	CU_add_test(suite, "a reader that is late loses ticks and is reset",
		    a_reader_that_is_late_loses_ticks_and_is_reset);
	CU_add_test(suite, "a snapshot comes first, then a tick each second",
		    a_snapshot_comes_first_then_a_tick_each_second);
	CU_add_test(suite, "a tick says only what changed", a_tick_says_only_what_changed);
	CU_add_test(suite, "what changed comes as an event", what_changed_comes_as_an_event);
	CU_add_test(suite, "who comes back gets what was missed", who_comes_back_gets_what_was_missed);
	CU_add_test(suite, "who names another life is reset", who_names_another_life_is_reset);
	CU_add_test(suite, "twenty streams take no thread and delay nobody",
		    twenty_streams_take_no_thread_and_delay_nobody);
	CU_add_test(suite, "there is an end to how many streams", there_is_an_end_to_how_many_streams);
	CU_add_test(suite, "a reader that sleeps keeps nobody waiting",
		    a_reader_that_sleeps_keeps_nobody_waiting);
	CU_add_test(suite, "a stream ends when the tokens change", a_stream_ends_when_the_tokens_change);
	CU_add_test(suite, "a stream of a session ends at its logout",
		    a_stream_of_a_session_ends_at_its_logout);
	CU_add_test(suite, "a stop ends all streams at once", a_stop_ends_all_streams_at_once);
}
