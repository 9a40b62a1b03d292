/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The thread that ticks, and the streams it wakes.
 *
 * One lock guards the ring and the list of streams. Under it a stream is put to sleep or woken, so that no wake is lost; text is copied to
 * a client without it.
 */
#include "oweb_events.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../agent/oc_err.h"
#include "oweb_inner.h"
#include "oweb_ring.h"
#include "oweb_tick.h"

#define BLOCK 16384u
#define SECOND_NS 1000000000ull

static const char begin_text[] = "retry: 2000\n\n";
static const char reset_text[] = "event: reset\ndata: {}\n\n";

struct stream {
	struct stream *next, *previous;
	struct oweb_events *events;
	struct MHD_Connection *connection;
	struct oweb_shared *text; /* being sent, held */
	const char *data;	  /* what is being sent: of text, or one of the constants */
	size_t len, at;
	struct oweb_reader reader;
	bool is_asleep;
	bool is_over;	     /* who listens is to say again who it is */
	uint64_t generation; /* of the tokens when it began; 0: needs none */
	bool is_of_session;
	uint64_t logouts; /* when it began, of a session's stream */
	uint64_t until_ns;
};

struct oweb_events {
	struct oweb_server *server;
	uint64_t life; /* first part of every id: numbers begin again with each server */
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_ended;
	struct oweb_ring ring;
	struct stream *first;
	uint32_t streams;
	uint64_t dropped;
	struct oweb_tick tick; /* of the thread alone */
	pthread_t thread;
};

/* What comes next for @stream, under the lock. False: nothing yet. */
static bool choose(struct oweb_events *events, struct stream *stream)
{
	uint64_t lost;
	enum oweb_turn turn = oweb_ring_next(&events->ring, &stream->reader, &stream->text, &lost);

	events->dropped += lost;
	stream->data = turn == OWEB_TURN_TEXT ? stream->text->data : reset_text;
	stream->len = turn == OWEB_TURN_TEXT	? stream->text->len
		      : turn == OWEB_TURN_RESET ? sizeof(reset_text) - 1
						: 0;
	return turn != OWEB_TURN_NOTHING;
}

/* Under the lock: what comes next, the end, or sleep. */
static ssize_t prepare(struct stream *stream)
{
	struct oweb_events *events = stream->events;
	ssize_t rc = 1;

	pthread_mutex_lock(&events->lock);
	if (events->is_ended || stream->is_over)
		rc = MHD_CONTENT_READER_END_OF_STREAM;
	else if (!choose(events, stream)) {
		stream->is_asleep = true;
		MHD_suspend_connection(stream->connection);
		rc = 0;
	}
	pthread_mutex_unlock(&events->lock);
	return rc;
}

static ssize_t read_stream(void *ctx, uint64_t position, char *out, size_t max)
{
	struct stream *stream = ctx;

	(void)position;
	if (stream->at == stream->len) {
		oweb_shared_drop(stream->text);
		stream->text = NULL;
		stream->at = stream->len = 0;
		ssize_t rc = prepare(stream);
		if (rc <= 0)
			return rc;
	}
	size_t len = stream->len - stream->at < max ? stream->len - stream->at : max;
	memcpy(out, stream->data + stream->at, len);
	stream->at += len;
	return (ssize_t)len;
}

static void drop_stream(void *ctx)
{
	struct stream *stream = ctx;
	struct oweb_events *events = stream->events;

	pthread_mutex_lock(&events->lock);
	if (stream->next != NULL)
		stream->next->previous = stream->previous;
	if (stream->previous != NULL)
		stream->previous->next = stream->next;
	else
		events->first = stream->next;
	events->streams--;
	pthread_mutex_unlock(&events->lock);
	oweb_shared_drop(stream->text);
	free(stream);
}

/* The tick after the one @id names; 0 when it names none of this life. */
static uint64_t after(struct oweb_events *events, const char *id)
{
	char *dash = NULL, *end = NULL;
	uint64_t life = id == NULL ? 0 : strtoull(id, &dash, 16);
	uint64_t number = dash == NULL || *dash != '-' ? 0 : strtoull(dash + 1, &end, 10);

	if (end == NULL || *end != '\0')
		return 0;
	return life == events->life && number > 0 && number <= events->ring.latest &&
			       number + 1 >= events->ring.first
		       ? number + 1
		       : 0;
}

/* Where reading needs a token, a stream does not outlive it by much: it ends when the tokens change, a session's when somebody logs out, and
 * after a while, and the client comes back with what it has by then. */
static void bind_to_tokens(struct stream *stream, struct oweb_request *request)
{
	if (!request->conf->reads_need_token || request->who.how == OWEB_BY_SYSTEM)
		return;
	stream->generation = oweb_keyring_generation(request->server->auth.keyring);
	stream->until_ns = oweb_request_now_ns(request) + OWEB_STREAM_LIFE_S * SECOND_NS;
	stream->is_of_session = request->who.how == OWEB_BY_SESSION;
	stream->logouts = oweb_sessions_ended(request->server->auth.sessions);
}

static bool add_stream(struct oweb_events *events, struct stream *stream, const char *last_id)
{
	pthread_mutex_lock(&events->lock);
	bool ok = events->streams < OWEB_STREAMS_MAX && !events->is_ended;
	if (ok) {
		stream->reader.wants = after(events, last_id);
		stream->reader.is_catching_up = stream->reader.wants != 0;
		bool is_lost = last_id != NULL && stream->reader.wants == 0;
		stream->data = is_lost ? reset_text : begin_text;
		stream->len = strlen(stream->data);
		stream->next = events->first;
		if (stream->next != NULL)
			stream->next->previous = stream;
		events->first = stream;
		events->streams++;
	}
	pthread_mutex_unlock(&events->lock);
	return ok;
}

void oweb_events_get(struct oweb_request *request)
{
	struct oweb_events *events = request->server->events;

	if (oweb_events_streams(events) >= OWEB_STREAMS_MAX) {
		oweb_problem(request, OWEB_P_UNAVAILABLE, "%u streams are open, which is all there may be",
			     OWEB_STREAMS_MAX);
		oweb_reply_header(request, "Retry-After", "5");
		return;
	}
	oweb_reply_empty(request, 200);
	request->reply.kind = OWEB_BODY_EVENTS;
	request->reply.type = "text/event-stream; charset=utf-8";
	oweb_reply_header(request, "X-Accel-Buffering", "no");
}

struct MHD_Response *oweb_events_response(struct oweb_request *request)
{
	struct oweb_events *events = request->server->events;
	struct stream *stream = calloc(1, sizeof(*stream));

	if (stream == NULL)
		return NULL;
	stream->events = events;
	stream->connection = request->connection;
	bind_to_tokens(stream, request);
	if (!add_stream(events, stream, oweb_request_header(request, "Last-Event-ID"))) {
		free(stream);
		return NULL;
	}
	struct MHD_Response *response =
		MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, stream, drop_stream);
	if (response == NULL)
		drop_stream(stream);
	return response;
}

/* Under the lock. */
static void wake_all(struct oweb_events *events)
{
	for (struct stream *stream = events->first; stream != NULL; stream = stream->next) {
		if (!stream->is_asleep)
			continue;
		stream->is_asleep = false;
		MHD_resume_connection(stream->connection);
	}
}

/* Under the lock. */
static void end_unknown(struct oweb_events *events, uint64_t generation, uint64_t logouts, uint64_t now_ns)
{
	for (struct stream *stream = events->first; stream != NULL; stream = stream->next)
		stream->is_over = stream->generation != 0 &&
				  (stream->generation != generation || now_ns > stream->until_ns ||
				   (stream->is_of_session && stream->logouts != logouts));
}

static void tick(struct oweb_events *events)
{
	struct oweb_text told = { 0 }, whole = { 0 };
	uint64_t now_ns = oweb_server_now_ns(events->server);
	uint64_t generation = oweb_keyring_generation(events->server->auth.keyring);
	uint64_t logouts = oweb_sessions_ended(events->server->auth.sessions);

	oweb_tick_make(events->server, events->life, &events->tick, &told, &whole);
	struct oweb_shared *tick_text = oweb_shared_new(&told), *snapshot = oweb_shared_new(&whole);
	pthread_mutex_lock(&events->lock);
	oweb_ring_add(&events->ring, tick_text, snapshot);
	end_unknown(events, generation, logouts, now_ns);
	wake_all(events);
	pthread_mutex_unlock(&events->lock);
	oweb_links_sweep(events->server->links, now_ns);
}

/* Sleeps until @due, or the end. */
static bool wait_until(struct oweb_events *events, const struct timespec *due)
{
	int rc = 0;

	pthread_mutex_lock(&events->lock);
	while (!events->is_ended && rc == 0)
		rc = pthread_cond_timedwait(&events->ended, &events->lock, due);
	bool is_ended = events->is_ended;
	pthread_mutex_unlock(&events->lock);
	return !is_ended;
}

static void *run(void *ctx)
{
	struct oweb_events *events = ctx;
	struct timespec due, now;

	clock_gettime(CLOCK_MONOTONIC, &due);
	do {
		tick(events);
		due.tv_sec++;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec > due.tv_sec) /* the machine slept: missed ticks are not made up for */
			due = now;
	} while (wait_until(events, &due));
	return NULL;
}

int oweb_events_start(struct oweb_events **out, struct oweb_server *server)
{
	struct oweb_events *events = calloc(1, sizeof(*events));
	pthread_condattr_t monotonic;

	if (events == NULL)
		return OC_ENOMEM;
	events->server = server;
	events->life = server->started_us;
	pthread_mutex_init(&events->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&events->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (pthread_create(&events->thread, NULL, run, events) != 0) {
		free(events);
		return OC_EIO;
	}
	*out = events;
	return OC_OK;
}

void oweb_events_end(struct oweb_events *events)
{
	if (events == NULL)
		return;
	pthread_mutex_lock(&events->lock);
	events->is_ended = true;
	pthread_cond_signal(&events->ended);
	wake_all(events);
	pthread_mutex_unlock(&events->lock);
	pthread_join(events->thread, NULL);
}

void oweb_events_free(struct oweb_events *events)
{
	if (events == NULL)
		return;
	oweb_ring_clear(&events->ring);
	json_decref(events->tick.state);
	pthread_cond_destroy(&events->ended);
	pthread_mutex_destroy(&events->lock);
	free(events);
}

uint32_t oweb_events_streams(struct oweb_events *events)
{
	pthread_mutex_lock(&events->lock);
	uint32_t streams = events->streams;
	pthread_mutex_unlock(&events->lock);
	return streams;
}

uint64_t oweb_events_dropped(struct oweb_events *events)
{
	pthread_mutex_lock(&events->lock);
	uint64_t dropped = events->dropped;
	pthread_mutex_unlock(&events->lock);
	return dropped;
}
