/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The server of a test and its client.
 */
#include "help_web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "help_agent.h"

struct help_web help_web;

/* Two tokens are made once for all tests: each costs a slow hash. */
static char observer[OWEB_TOKEN_MAX], administrator[OWEB_TOKEN_MAX], lines[2 * OWEB_TOKEN_LINE_MAX];
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void make_tokens(void)
{
	char line[OWEB_TOKEN_LINE_MAX];

	if (lines[0] != '\0')
		return;
	CU_ASSERT_FATAL(oweb_token_new("eyes", OWEB_ROLE_OBSERVER, observer, lines) == 0);
	CU_ASSERT_FATAL(oweb_token_new("ops2", OWEB_ROLE_ADMINISTRATOR, administrator, line) == 0);
	strncat(lines, line, sizeof(lines) - strlen(lines) - 1);
}

static void write_tokens(const char *path)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_FATAL(file != NULL);
	fputs("# tokens of the test\n\n", file);
	fputs(lines, file);
	fclose(file);
	chmod(path, 0600);
}

static void take_log(void *ctx, int error, const char *text)
{
	struct help_web *web = ctx;

	(void)error;
	pthread_mutex_lock(&log_lock);
	size_t used = strlen(web->log);
	snprintf(web->log + used, sizeof(web->log) - used, "%s\n", text);
	pthread_mutex_unlock(&log_lock);
}

static void start_with(const struct oweb_node *node)
{
	char error[OWEB_ERROR_MAX] = "";
	int rc = oweb_server_start(&help_web.server, &help_web.conf, node, help_web.agent->watch, take_log,
				   &help_web, error);

	if (rc != 0)
		fprintf(stderr, "server: %s\n", error);
	CU_ASSERT_FATAL(rc == 0);
	help_web.port = oweb_server_port(help_web.server);
}

static void start(void)
{
	start_with(&help_web.agent->node);
}

void help_web_set_up(void)
{
	help_web = (struct help_web){ .folder = "/tmp/doic-web-XXXXXX" };
	CU_ASSERT_FATAL(mkdtemp(help_web.folder) != NULL);
	make_tokens();
	strcpy(help_web.observer, observer);
	strcpy(help_web.administrator, administrator);
	snprintf(help_web.conf.bind, sizeof(help_web.conf.bind), "127.0.0.1:0");
	snprintf(help_web.conf.socket_path, sizeof(help_web.conf.socket_path), "%s/web.sock",
		 help_web.folder);
	snprintf(help_web.conf.tokens_path, sizeof(help_web.conf.tokens_path), "%s/tokens", help_web.folder);
	write_tokens(help_web.conf.tokens_path);
	help_web.agent = help_agent_new();
	start();
}

void help_web_stop(void)
{
	oweb_server_stop(help_web.server);
	help_web.server = NULL;
}

void help_web_restart(void)
{
	help_web_stop();
	start();
}

void help_web_restart_without_agent(void)
{
	help_web_stop();
	start_with(NULL);
}

void help_web_tear_down(void)
{
	char command[128];

	help_web_stop();
	help_agent_free(help_web.agent);
	snprintf(command, sizeof(command), "rm -rf %s", help_web.folder);
	CU_ASSERT(system(command) == 0);
}

int help_web_connect(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)help_web.port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	close(fd);
	return -1;
}

int help_web_connect_local(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", help_web.conf.socket_path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	close(fd);
	return -1;
}

bool help_web_send(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t sent = send(fd, text, len, MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
		text += sent;
		len -= (size_t)sent;
	}
	return true;
}

/* Takes the chunks together, in place. */
static size_t join_chunks(char *body)
{
	char *out = body, *at = body, *end = NULL;

	for (;;) {
		size_t len = strtoul(at, &end, 16);
		if (end == at || strncmp(end, "\r\n", 2) != 0)
			break;
		at = end + 2;
		if (len == 0 || strlen(at) < len)
			break;
		memmove(out, at, len);
		out += len;
		at += len + 2;
	}
	*out = '\0';
	return (size_t)(out - body);
}

static void parse(struct help_reply *reply)
{
	char *gap = strstr(reply->text, "\r\n\r\n");

	if (sscanf(reply->text, "HTTP/1.%*c %d", &reply->status) != 1 || gap == NULL)
		return;
	size_t head = (size_t)(gap - reply->text) + 4;
	reply->body = gap + 4;
	reply->body_len = reply->len - head;
	*gap = '\0';
	if (strcasestr(reply->text, "\r\nTransfer-Encoding: chunked") != NULL)
		reply->body_len = join_chunks(gap + 4);
	*gap = '\r';
	reply->json = json_loadb(reply->body, reply->body_len, 0, NULL);
}

struct help_reply help_web_read(int fd, int ms)
{
	struct help_reply reply = { .text = calloc(1, HELP_REPLY_MAX + 1) };
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	ssize_t got = 1;

	while (reply.text != NULL && got > 0 && reply.len < HELP_REPLY_MAX && poll(&poller, 1, ms) > 0) {
		got = recv(fd, reply.text + reply.len, HELP_REPLY_MAX - reply.len, 0);
		reply.len += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	reply.body = "";
	parse(&reply);
	return reply;
}

void help_reply_drop(struct help_reply *reply)
{
	json_decref(reply->json);
	free(reply->text);
	*reply = (struct help_reply){ 0 };
}

/* With DOIC_WEB_DUMP: one line for each reply, for tests/integration/web_openapi_test.sh. */
static void dump(const char *method, const char *target, const struct help_reply *reply)
{
	const char *path = getenv("DOIC_WEB_DUMP");
	FILE *file = path == NULL || reply->status == 0 ? NULL : fopen(path, "a");
	char type[128];

	if (file == NULL)
		return;
	help_reply_header(reply, "Content-Type", type, sizeof(type));
	json_t *line = json_pack("{s:s, s:s, s:i, s:s, s:O?}", "method", method, "target", target, "status",
				 reply->status, "type", type, "body", reply->json);
	if (reply->json == NULL)
		json_object_set_new(line, "text", json_string(reply->body)); /* not when it is packed */
	if (line != NULL)
		json_dumpf(line, file, JSON_COMPACT);
	fputs("\n", file);
	json_decref(line);
	fclose(file);
}

static struct help_reply ask(int fd, const char *method, const char *target, const char *headers,
			     const char *body)
{
	char head[8192], length[64] = "";

	CU_ASSERT_FATAL(fd >= 0);
	if (body != NULL)
		snprintf(length, sizeof(length), "Content-Length: %zu\r\n", strlen(body));
	int len = snprintf(head, sizeof(head),
			   "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n%s%s\r\n", method,
			   target, help_web.port, length, headers == NULL ? "" : headers);
	(void)help_web_send(fd, head, (size_t)len);
	if (body != NULL)
		(void)help_web_send(fd, body, strlen(body));
	struct help_reply reply = help_web_read(fd, 10000);
	dump(method, target, &reply);
	return reply;
}

struct help_reply help_web_ask(const char *method, const char *target, const char *headers, const char *body)
{
	return ask(help_web_connect(), method, target, headers, body);
}

struct help_reply help_web_ask_local(const char *method, const char *target, const char *headers,
				     const char *body)
{
	return ask(help_web_connect_local(), method, target, headers, body);
}

struct help_reply help_web_raw(const char *octets)
{
	int fd = help_web_connect();

	CU_ASSERT_FATAL(fd >= 0);
	(void)help_web_send(fd, octets, strlen(octets));
	return help_web_read(fd, 10000);
}

int help_web_status(const char *method, const char *target, const char *headers, const char *body)
{
	struct help_reply reply = help_web_ask(method, target, headers, body);
	int status = reply.status;

	help_reply_drop(&reply);
	return status;
}

int help_web_status_local(const char *method, const char *target, const char *headers, const char *body)
{
	struct help_reply reply = help_web_ask_local(method, target, headers, body);
	int status = reply.status;

	help_reply_drop(&reply);
	return status;
}

void help_reply_header(const struct help_reply *reply, const char *name, char *out, size_t size)
{
	size_t name_len = strlen(name);
	const char *at = reply->text;

	out[0] = '\0';
	while ((at = strstr(at, "\r\n")) != NULL && at + 2 < reply->body) {
		at += 2;
		if (strncasecmp(at, name, name_len) != 0 || at[name_len] != ':')
			continue;
		at += name_len + 1;
		at += strspn(at, " ");
		snprintf(out, size, "%.*s", (int)strcspn(at, "\r"), at);
		return;
	}
}

bool help_reply_has(const struct help_reply *reply, const char *name, const char *value)
{
	char found[1024];

	help_reply_header(reply, name, found, sizeof(found));
	return value == NULL ? found[0] != '\0' : strcmp(found, value) == 0;
}

const char *help_reply_text(const struct help_reply *reply, const char *path)
{
	json_t *at = reply->json;
	char step[64];

	while (at != NULL && *path != '\0') {
		size_t len = strcspn(path, "/");
		snprintf(step, sizeof(step), "%.*s", (int)len, path);
		at = json_is_array(at) ? json_array_get(at, strtoul(step, NULL, 10))
				       : json_object_get(at, step);
		path += len;
		path += *path == '/';
	}
	return json_is_string(at) ? json_string_value(at) : "";
}

const char *help_web_bearer(const char *token)
{
	static char buffer[4][OWEB_TOKEN_MAX + 40];
	static unsigned next;
	char *out = buffer[next++ % 4];

	snprintf(out, sizeof(buffer[0]), "Authorization: Bearer %s\r\n", token);
	return out;
}

uint32_t help_web_name(const char *name)
{
	return help_agent_name(help_web.agent, name);
}
