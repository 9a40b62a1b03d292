/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Requests over libcurl, and what their replies say when the answer is no.
 */
#include "cli_http.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli_http_inner.h"

#define REPLY_MAX (64u << 20)

void cli_http_escape(const char *text, char *out, size_t size)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
	size_t at = 0;

	for (; *text != '\0' && at + 4 <= size; text++)
		at += (size_t)snprintf(out + at, size - at, strchr(plain, *text) != NULL ? "%c" : "%%%02X",
				       (unsigned char)*text);
	if (size > 0)
		out[at < size ? at : size - 1] = '\0';
}

/* The first word of the file that DOIC_TOKEN_FILE names; "" without one. */
static int read_token(char token[static CLI_HTTP_TOKEN_MAX], char error[static CLI_HTTP_ERROR_MAX])
{
	const char *path = getenv("DOIC_TOKEN_FILE");
	struct stat info;

	token[0] = '\0';
	if (path == NULL || path[0] == '\0')
		return CLI_OK;
	FILE *file = fopen(path, "re");
	bool ok = file != NULL && fgets(token, CLI_HTTP_TOKEN_MAX, file) != NULL;
	if (ok && fstat(fileno(file), &info) == 0 && (info.st_mode & S_IRWXO) != 0)
		fprintf(stderr, "doic: %s can be read by everybody: chmod 0600\n", path);
	if (file != NULL)
		fclose(file);
	token[strcspn(token, " \t\r\n")] = '\0';
	if (ok && token[0] != '\0')
		return CLI_OK;
	snprintf(error, CLI_HTTP_ERROR_MAX, "no token can be read from %.300s (DOIC_TOKEN_FILE)", path);
	return CLI_INPUT;
}

static int check_url(const char *url, char error[static CLI_HTTP_ERROR_MAX])
{
	if (strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0)
		return CLI_OK;
	snprintf(error, CLI_HTTP_ERROR_MAX, "--url \"%.200s\": begins with neither http:// nor https://",
		 url);
	return CLI_USAGE;
}

int cli_http_open(struct cli_http **out, const struct cli_http_place *place,
		  char error[static CLI_HTTP_ERROR_MAX])
{
	struct cli_http *http = calloc(1, sizeof(*http));
	int rc = http == NULL ? CLI_BUG : place->url != NULL ? check_url(place->url, error) : CLI_OK;

	*out = NULL;
	if (rc == CLI_OK)
		rc = read_token(http->token, error);
	if (rc == CLI_OK) {
		http->socket = place->socket != NULL ? place->socket : CLI_HTTP_SOCKET;
		http->url = place->url;
		http->timeout_s = place->timeout_s;
		http->curl = curl_easy_init();
		rc = http->curl != NULL ? CLI_OK : CLI_BUG;
	}
	if (rc == CLI_OK)
		*out = http;
	else
		cli_http_close(http);
	if (rc == CLI_BUG)
		snprintf(error, CLI_HTTP_ERROR_MAX, "out of memory");
	return rc;
}

void cli_http_close(struct cli_http *http)
{
	if (http == NULL)
		return;
	curl_easy_cleanup(http->curl);
	explicit_bzero(http->token, sizeof(http->token));
	free(http);
}

void cli_http_prepare(struct cli_http *http, const char *method, const char *path, struct curl_slist *headers)
{
	size_t len = http->url == NULL ? 0 : strlen(http->url);

	while (len > 0 && http->url[len - 1] == '/')
		len--;
	snprintf(http->address, sizeof(http->address), "%.*s%s", len > 0 ? (int)len : 16,
		 len > 0 ? http->url : "http://localhost", path);
	curl_easy_reset(http->curl);
	curl_easy_setopt(http->curl, CURLOPT_URL, http->address);
	if (http->url == NULL)
		curl_easy_setopt(http->curl, CURLOPT_UNIX_SOCKET_PATH, http->socket);
	curl_easy_setopt(http->curl, CURLOPT_CUSTOMREQUEST, method);
	curl_easy_setopt(http->curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(http->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(http->curl, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(http->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(http->curl, CURLOPT_CONNECTTIMEOUT, (long)http->timeout_s);
	curl_easy_setopt(http->curl, CURLOPT_USERAGENT, CLI_TOOL);
	if (http->token[0] != '\0') {
		curl_easy_setopt(http->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		curl_easy_setopt(http->curl, CURLOPT_XOAUTH2_BEARER, http->token);
	}
}

/* Nobody answered, for somebody who does not know the agent. */
int cli_http_unreachable(const struct cli_http *http, int code, char error[static CLI_HTTP_ERROR_MAX])
{
	long os = 0;
	const char *what = curl_easy_strerror((CURLcode)code), *hint = "";

	curl_easy_getinfo(http->curl, CURLINFO_OS_ERRNO, &os);
	if (code == CURLE_COULDNT_CONNECT && os != 0)
		what = strerror((int)os);
	if (http->url == NULL && (os == EACCES || os == EPERM))
		hint = " (only root, the daemon's user and, by http.socket_mode, its group may open it)";
	else if (http->url == NULL &&
		 (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY))
		hint = " (what answers there speaks no HTTP: this is not http.socket of doic.yaml, but "
		       "control.socket?)";
	else if (http->url == NULL && code == CURLE_COULDNT_CONNECT)
		hint = " (is the daemon running, and is this http.socket of its doic.yaml? else --socket "
		       "PATH "
		       "or --url URL)";
	snprintf(error, CLI_HTTP_ERROR_MAX, "%.300s: nobody answers: %s%s",
		 http->url != NULL ? http->url : http->socket, what, hint);
	return CLI_UNREACHABLE;
}

static size_t take_body(char *data, size_t size, size_t count, void *ctx)
{
	struct cli_http_reply *reply = ctx;
	size_t len = size * count;
	char *bigger = reply->len + len < REPLY_MAX ? realloc(reply->body, reply->len + len + 1) : NULL;

	if (bigger == NULL)
		return 0;
	memcpy(bigger + reply->len, data, len);
	reply->body = bigger;
	reply->len += len;
	reply->body[reply->len] = '\0';
	return len;
}

static size_t take_header(char *data, size_t size, size_t count, void *ctx)
{
	struct cli_http_reply *reply = ctx;
	size_t len = size * count, skip = 5;

	if (len > skip && strncasecmp(data, "etag:", skip) == 0) {
		while (skip < len && data[skip] == ' ')
			skip++;
		snprintf(reply->etag, sizeof(reply->etag), "%.*s", (int)(len - skip), data + skip);
		reply->etag[strcspn(reply->etag, "\r\n")] = '\0';
	}
	return len;
}

/* A problem (RFC 9457) in one sentence, with what to do about it. */
int cli_http_refused(const struct cli_http_reply *reply, char error[static CLI_HTTP_ERROR_MAX])
{
	const char *title = json_string_value(json_object_get(reply->json, "title"));
	const char *detail = json_string_value(json_object_get(reply->json, "detail"));
	const char *hint = json_string_value(json_object_get(reply->json, "try"));

	if (title == NULL && detail == NULL)
		snprintf(error, CLI_HTTP_ERROR_MAX, "answered with HTTP status %ld; is this an agent?",
			 reply->status);
	else
		snprintf(error, CLI_HTTP_ERROR_MAX, "%.400s%s%.200s%s", detail != NULL ? detail : title,
			 hint != NULL ? " (" : "", hint != NULL ? hint : "", hint != NULL ? ")" : "");
	return CLI_REFUSED;
}

int cli_http_ask(struct cli_http *http, const char *method, const char *path, const json_t *body,
		 const char *if_match, struct cli_http_reply *reply, char error[static CLI_HTTP_ERROR_MAX])
{
	struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/json, text/plain;q=0.5");
	char *text = body != NULL ? json_dumps(body, JSON_COMPACT) : NULL, match[160];

	*reply = (struct cli_http_reply){ .body = calloc(1, 1) };
	if (text != NULL)
		headers = curl_slist_append(headers, "Content-Type: application/json");
	snprintf(match, sizeof(match), "If-Match: %s", if_match != NULL ? if_match : "");
	if (if_match != NULL)
		headers = curl_slist_append(headers, match);
	cli_http_prepare(http, method, path, headers);
	curl_easy_setopt(http->curl, CURLOPT_TIMEOUT, (long)http->timeout_s);
	if (text != NULL)
		curl_easy_setopt(http->curl, CURLOPT_POSTFIELDS, text);
	curl_easy_setopt(http->curl, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(http->curl, CURLOPT_WRITEDATA, reply);
	curl_easy_setopt(http->curl, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(http->curl, CURLOPT_HEADERDATA, reply);
	CURLcode rc = reply->body != NULL ? curl_easy_perform(http->curl) : CURLE_OUT_OF_MEMORY;
	curl_slist_free_all(headers);
	free(text);
	if (rc != CURLE_OK)
		return cli_http_unreachable(http, (int)rc, error);
	curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &reply->status);
	reply->json = json_loadb(reply->body, reply->len, 0, NULL);
	return reply->status >= 200 && reply->status < 300 ? CLI_OK : cli_http_refused(reply, error);
}

void cli_http_drop(struct cli_http_reply *reply)
{
	json_decref(reply->json);
	free(reply->body);
	*reply = (struct cli_http_reply){ 0 };
}
