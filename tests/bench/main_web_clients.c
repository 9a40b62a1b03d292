/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Clients of the HTTP server, as pages are: each asks once a second over a connection of its own, streams of live events beside them. One thread,
 * little work of its own, for what it costs is measured with what it asks of. Ends after SECONDS, or at SIGTERM.
 *
 *   bench-web_clients PORT SECONDS CLIENTS STREAMS UNTIL
 *
 * What they ask for one by one, decisions and the sessions of a subscriber, lies before the time UNTIL (RFC 3339).
 *
 * Prints one JSON object: requests, failures, octets of streams, and p50, p95 in milliseconds of each kind of question, at the client and in the
 * server (header Server-Timing).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench_latency.h"
#include "evidence/oev_clock.h"

#define NS_PER_S 1000000000ull
#define CLIENTS_MAX 200u
#define SAMPLES_MAX 20000u
#define BUFFER (1u << 20)
#define NAMES_MAX 1000u
#define NAME_SIZE 64u
#define ADDRESSES 4u /* the server allows one address only so many connections */

enum kind { FIRST_PAGE, STATUS, ONE_DECISION, SESSION, SESSIONS_PAGE, KINDS };

static const char *const kind_names[KINDS] = { "first_page", "status", "one_decision", "session_lookup",
					       "sessions_page" };

static volatile sig_atomic_t is_over; /* nothing else is in reach of a signal's handler */

static void end(int number)
{
	(void)number;
	is_over = 1;
}

struct samples {
	uint32_t count;
	double ms[SAMPLES_MAX];	       /* from the request to the last octet of the reply */
	double server_ms[SAMPLES_MAX]; /* as the server says itself */
};

struct client {
	int fd;
	bool is_stream;
	bool is_waiting; /* for a reply */
	enum kind kind;
	uint64_t due_ns, sent_ns, asked;
	size_t len, wanted; /* octets of the reply so far, and in all; 0 not known yet */
	char *buffer;
};

struct load {
	unsigned port, count, streams;
	struct client client[CLIENTS_MAX];
	struct samples samples[KINDS];
	unsigned decisions, subscribers; /* that are asked for, one after the other */
	char decision[NAMES_MAX][NAME_SIZE], subscriber[NAMES_MAX][NAME_SIZE];
	uint64_t requests, failures, stream_octets;
};

static int dial(unsigned port, unsigned which)
{
	struct sockaddr_in from = { .sin_family = AF_INET }, to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + which % ADDRESSES);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)port);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&from, sizeof(from)) == 0 &&
	    connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool send_request(int fd, unsigned port, const char *path, const char *headers)
{
	char text[512];
	int len = snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s\r\n", path, port,
			   headers);

	return send(fd, text, (size_t)len, MSG_NOSIGNAL) == len;
}

/* Length of the whole reply once its head is there; 0 not yet; SIZE_MAX: no good one. */
static size_t whole_length(const char *text, size_t len)
{
	const char *end = memmem(text, len, "\r\n\r\n", 4);

	if (end == NULL)
		return 0;
	const char *at = strcasestr(text, "\r\nContent-Length:");
	if (strncmp(text, "HTTP/1.1 200", 12) != 0 || at == NULL || at > end)
		return SIZE_MAX;
	return (size_t)(end + 4 - text) + strtoul(at + 17, NULL, 10);
}

/* The server's own time; 0 when it does not tell. */
static double server_ms(const char *text)
{
	const char *at = strcasestr(text, "\r\nServer-Timing: total;dur=");

	return at == NULL ? 0 : strtod(at + strlen("\r\nServer-Timing: total;dur="), NULL);
}

/* The texts after each @key in the JSON at @path, up to a quotation mark; how many there are in @out. */
static unsigned fetch(struct load *load, const char *path, const char *key, char out[][NAME_SIZE],
		      unsigned max)
{
	char *buffer = calloc(1, BUFFER);
	int fd = dial(load->port, 0);
	size_t len = 0;
	ssize_t got = 1;
	unsigned count = 0;

	if (buffer != NULL && fd >= 0 && send_request(fd, load->port, path, "Connection: close\r\n"))
		while (len + 1 < BUFFER && (got = recv(fd, buffer + len, BUFFER - 1 - len, 0)) > 0)
			len += (size_t)got;
	for (const char *at = buffer; at != NULL && count < max && (at = strstr(at, key)) != NULL; count++) {
		at += strlen(key);
		snprintf(out[count], NAME_SIZE, "%.*s", (int)strcspn(at, "\""), at);
	}
	if (fd >= 0)
		close(fd);
	free(buffer);
	return count;
}

/* Two of every twenty-five look at sessions, the others at what the page shows. */
static enum kind kind_of(unsigned which, uint64_t asked)
{
	if (which % 25 < 2)
		return which % 25 == 0 ? SESSION : SESSIONS_PAGE;
	return (enum kind)((which + asked) % 3);
}

static void ask(struct load *load, unsigned which)
{
	struct client *client = &load->client[which];
	char path[256];

	client->kind = kind_of(which, client->asked++);
	switch (client->kind) {
	case ONE_DECISION:
		snprintf(path, sizeof(path), "/api/v1/decisions/%s",
			 load->decision[load->requests % load->decisions]);
		break;
	case SESSION:
		snprintf(path, sizeof(path), "/api/v1/sessions?subscriber=%s",
			 load->subscriber[load->requests % load->subscribers]);
		break;
	default:
		snprintf(path, sizeof(path), "%s",
			 client->kind == STATUS	      ? "/api/v1/status"
			 : client->kind == FIRST_PAGE ? "/api/v1/decisions"
						      : "/api/v1/sessions");
	}
	client->sent_ns = oev_clock_mono_ns();
	client->is_waiting = send_request(client->fd, load->port, path, "Accept-Encoding: gzip\r\n");
	load->failures += !client->is_waiting;
	client->len = client->wanted = 0;
	client->due_ns += NS_PER_S;
}

static void done(struct load *load, struct client *client, bool is_good)
{
	struct samples *samples = &load->samples[client->kind];

	client->is_waiting = false;
	load->requests++;
	load->failures += !is_good;
	if (!is_good || samples->count == SAMPLES_MAX)
		return;
	samples->ms[samples->count] = (double)(oev_clock_mono_ns() - client->sent_ns) / 1e6;
	samples->server_ms[samples->count++] = server_ms(client->buffer);
}

static void hear(struct load *load, struct client *client)
{
	ssize_t got = recv(client->fd, client->buffer + client->len, BUFFER - 1 - client->len, 0);

	if (got <= 0) {
		close(client->fd);
		client->fd = -1;
		load->failures++;
		client->is_waiting = false;
	} else if (client->is_stream) {
		load->stream_octets += (uint64_t)got;
	} else {
		client->len += (size_t)got;
		client->buffer[client->len] = '\0';
		if (client->wanted == 0)
			client->wanted = whole_length(client->buffer, client->len);
		if (client->wanted == SIZE_MAX || (client->wanted != 0 && client->len >= client->wanted))
			done(load, client, client->wanted != SIZE_MAX);
	}
}

/* What is asked for lies before @until: of the evidence that was there before the load. */
static bool begin(struct load *load, const char *until)
{
	uint64_t start = oev_clock_mono_ns();
	char path[256];

	snprintf(path, sizeof(path), "/api/v1/decisions?limit=%u&until=%s", NAMES_MAX, until);
	load->decisions = fetch(load, path, "\"id\":\"", load->decision, NAMES_MAX);
	snprintf(path, sizeof(path), "/api/v1/sessions?limit=%u&until=%s", NAMES_MAX, until);
	load->subscribers = fetch(load, path, "\"subscriber\":\"", load->subscriber, NAMES_MAX);
	if (load->decisions == 0 || load->subscribers == 0)
		return false;
	for (unsigned i = 0; i < load->count + load->streams; i++) {
		struct client *client = &load->client[i];
		*client = (struct client){ .fd = dial(load->port, i),
					   .is_stream = i >= load->count,
					   .due_ns = start + i * NS_PER_S / (load->count + 1),
					   .buffer = malloc(BUFFER) };
		if (client->fd < 0 || client->buffer == NULL)
			return false;
		if (client->is_stream &&
		    !send_request(client->fd, load->port, "/api/v1/events", "Accept: text/event-stream\r\n"))
			return false;
	}
	return true;
}

static void run(struct load *load, uint64_t until_ns)
{
	struct pollfd polls[CLIENTS_MAX];
	unsigned count = load->count + load->streams;

	for (uint64_t now = oev_clock_mono_ns(); now < until_ns && !is_over; now = oev_clock_mono_ns()) {
		uint64_t next = until_ns;
		for (unsigned i = 0; i < count; i++) {
			struct client *client = &load->client[i];
			if (!client->is_stream && client->fd >= 0 && !client->is_waiting &&
			    client->due_ns <= now)
				ask(load, i);
			if (!client->is_stream && !client->is_waiting && client->due_ns < next)
				next = client->due_ns;
			polls[i] = (struct pollfd){ .fd = client->fd, .events = POLLIN };
		}
		int wait_ms = next > now ? (int)((next - now) / 1000000) + 1 : 0;
		if (poll(polls, count, wait_ms) <= 0)
			continue;
		for (unsigned i = 0; i < count; i++)
			if (polls[i].revents != 0)
				hear(load, &load->client[i]);
	}
}

static void report(struct load *load)
{
	json_t *kinds = json_object(), *root;

	for (unsigned i = 0; i < KINDS; i++) {
		struct samples *of = &load->samples[i];
		bench_sort_values(of->ms, of->count);
		bench_sort_values(of->server_ms, of->count);
		if (of->count > 0)
			json_object_set_new(kinds, kind_names[i],
					    json_pack("{s:i, s:f, s:f, s:f}", "count", (int)of->count,
						      "p50_ms", of->ms[of->count / 2], "p95_ms",
						      of->ms[of->count * 95 / 100], "server_p95_ms",
						      of->server_ms[of->count * 95 / 100]));
	}
	root = json_pack("{s:I, s:I, s:I, s:o}", "requests", (json_int_t)load->requests, "failures",
			 (json_int_t)load->failures, "stream_octets", (json_int_t)load->stream_octets,
			 "kinds", kinds);
	json_dumpf(root, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(root);
}

int main(int argc, char **argv)
{
	struct load *load = calloc(1, sizeof(*load));

	if (argc != 6 || load == NULL) {
		fprintf(stderr, "usage: bench-web_clients PORT SECONDS CLIENTS STREAMS UNTIL\n");
		return 2;
	}
	load->port = (unsigned)strtoul(argv[1], NULL, 10);
	load->count = (unsigned)strtoul(argv[3], NULL, 10);
	load->streams = (unsigned)strtoul(argv[4], NULL, 10);
	if (load->count + load->streams > CLIENTS_MAX || !begin(load, argv[5])) {
		fprintf(stderr, "bench-web_clients: no clients: %s\n", strerror(errno));
		return 2;
	}
	(void)signal(SIGTERM, end);
	run(load, oev_clock_mono_ns() + strtoul(argv[2], NULL, 10) * NS_PER_S);
	report(load);
	return 0; /* what is open closes with the process */
}
