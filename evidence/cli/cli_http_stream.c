/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A stream of server-sent events, line by line.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_http_inner.h"

#define LINE_MAX_OCTETS (32u << 20)

struct stream {
	struct cli_http *http;
	bool (*on_event)(void *ctx, const char *name, const char *data);
	void *ctx;
	char *text; /* what came and is no whole line yet */
	size_t len, room;
	char name[32];
	char *data; /* of the event being read; NULL none yet */
	bool is_done, is_interrupted, is_refused;
};

static void take_line(struct stream *stream, const char *line)
{
	if (strncmp(line, "event: ", 7) == 0) {
		snprintf(stream->name, sizeof(stream->name), "%s", line + 7);
	} else if (strncmp(line, "data: ", 6) == 0) {
		free(stream->data);
		stream->data = strdup(line + 6);
	} else if (line[0] == '\0') {
		if (stream->data != NULL)
			stream->is_done = !stream->on_event(stream->ctx, stream->name, stream->data);
		free(stream->data);
		stream->data = NULL;
		stream->name[0] = '\0';
	}
}

static bool append(struct stream *stream, const char *data, size_t len)
{
	if (stream->len + len + 1 > stream->room) {
		size_t room = (stream->len + len + 1) * 2;
		char *bigger = room < LINE_MAX_OCTETS ? realloc(stream->text, room) : NULL;
		if (bigger == NULL)
			return false;
		stream->text = bigger;
		stream->room = room;
	}
	memcpy(stream->text + stream->len, data, len);
	stream->len += len;
	stream->text[stream->len] = '\0';
	return true;
}

static size_t take(char *data, size_t size, size_t count, void *ctx)
{
	struct stream *stream = ctx;
	size_t len = size * count, used = 0;
	long status = 0;

	if (!append(stream, data, len))
		return 0;
	curl_easy_getinfo(stream->http->curl, CURLINFO_RESPONSE_CODE, &status);
	stream->is_refused = status < 200 || status >= 300;
	if (stream->is_refused) /* a problem: kept whole */
		return len;
	for (char *end; !stream->is_done && (end = memchr(stream->text + used, '\n', stream->len - used));) {
		*end = '\0';
		take_line(stream, stream->text + used);
		used = (size_t)(end - stream->text) + 1;
	}
	memmove(stream->text, stream->text + used, stream->len - used + 1);
	stream->len -= used;
	return stream->is_done ? 0 : len;
}

static int look_up(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct stream *stream = ctx;

	(void)a, (void)b, (void)c, (void)d;
	stream->is_interrupted = cli_interrupted();
	return stream->is_interrupted;
}

static int conclude(struct stream *stream, CURLcode rc, char error[static CLI_HTTP_ERROR_MAX])
{
	if (stream->is_interrupted) {
		snprintf(error, CLI_HTTP_ERROR_MAX, "interrupted");
		return CLI_INTERRUPTED;
	}
	if (stream->is_done)
		return CLI_OK;
	if (stream->is_refused) {
		struct cli_http_reply reply = { .json = json_loads(stream->text, 0, NULL) };
		curl_easy_getinfo(stream->http->curl, CURLINFO_RESPONSE_CODE, &reply.status);
		int code = cli_http_refused(&reply, error);
		json_decref(reply.json);
		return code;
	}
	if (rc != CURLE_OK)
		return cli_http_unreachable(stream->http, (int)rc, error);
	snprintf(error, CLI_HTTP_ERROR_MAX, "the stream ended: the daemon stops");
	return CLI_UNREACHABLE;
}

int cli_http_follow(struct cli_http *http, const char *path,
		    bool (*on_event)(void *ctx, const char *name, const char *data), void *ctx,
		    char error[static CLI_HTTP_ERROR_MAX])
{
	struct stream stream = { .http = http, .on_event = on_event, .ctx = ctx };
	struct curl_slist *headers = curl_slist_append(NULL, "Accept: text/event-stream");

	cli_http_prepare(http, "GET", path, headers);
	curl_easy_setopt(http->curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(http->curl, CURLOPT_WRITEDATA, &stream);
	curl_easy_setopt(http->curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(http->curl, CURLOPT_XFERINFOFUNCTION, look_up);
	curl_easy_setopt(http->curl, CURLOPT_XFERINFODATA, &stream);
	curl_easy_setopt(http->curl, CURLOPT_LOW_SPEED_LIMIT, 1L); /* silent that long: gone */
	curl_easy_setopt(http->curl, CURLOPT_LOW_SPEED_TIME, 30L);
	CURLcode rc = curl_easy_perform(http->curl);
	int code = conclude(&stream, rc, error);
	curl_slist_free_all(headers);
	free(stream.text);
	free(stream.data);
	return code;
}
