/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who may reach the HTTP server, and whether the daemon answers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_check.h"
#include "cli_ctl.h"
#include "cli_http.h"

static bool is_loopback(const char *bind)
{
	return strncmp(bind, "127.", 4) == 0 || strncmp(bind, "localhost:", 10) == 0 ||
	       strncmp(bind, "[::1]:", 6) == 0;
}

static void look_at_reach(struct cli_check *check)
{
	const struct oev_process *conf = &check->conf;
	bool has_tls = conf->http_tls_cert[0] != '\0', has_tokens = conf->http_tokens[0] != '\0';

	if (conf->http_bind[0] == '\0')
		cli_check_note(check, CLI_CHECK_OK, "", "http listens on no TCP address");
	else if (is_loopback(conf->http_bind))
		cli_check_note(check, CLI_CHECK_OK, "", "http listens on %s, for this machine only",
			       conf->http_bind);
	else if (!has_tls && !has_tokens)
		cli_check_note(check, CLI_CHECK_FAIL, "http.tokens, http.tls_cert, http.bind, doic.yaml(5)",
			       "http listens on %s without TLS and tokens: it will not start",
			       conf->http_bind);
	else if (!has_tls)
		cli_check_note(check, CLI_CHECK_WARN, "http.tls_cert, http.bind, doic.yaml(5)",
			       "http listens on %s without TLS", conf->http_bind);
	else if (!conf->http_reads_need_token)
		cli_check_note(check, CLI_CHECK_WARN, "http.reads_need_token, doic.yaml(5)",
			       "http listens on %s, and whoever reaches it may read", conf->http_bind);
	else
		cli_check_note(check, CLI_CHECK_OK, "", "http listens on %s with TLS; reading needs a token",
			       conf->http_bind);
}

static void look_at_tokens(struct cli_check *check)
{
	const char *path = check->conf.http_tokens;
	struct stat info;

	if (path[0] == '\0')
		return;
	if (stat(path, &info) != 0)
		cli_check_note(check, CLI_CHECK_WARN, "doic-token(1); http.tokens, doic.yaml(5)",
			       "tokens %s: %s", path, strerror(errno));
	else if ((info.st_mode & (S_IRWXO | S_IWGRP)) != 0)
		cli_check_note(check, CLI_CHECK_FAIL, "chmod 0600; http.tokens, doic.yaml(5)",
			       "tokens %s has mode %04o: it will not be used", path,
			       (unsigned)info.st_mode & 07777u);
	else
		cli_check_note(check, CLI_CHECK_OK, "", "tokens %s has mode %04o", path,
			       (unsigned)info.st_mode & 07777u);
}

static void look_at_pem(struct cli_check *check, const char *key, const char *path)
{
	char hint[64];

	if (path[0] == '\0' || access(path, R_OK) == 0)
		return;
	snprintf(hint, sizeof(hint), "%s, doic.yaml(5)", key);
	cli_check_note(check, CLI_CHECK_FAIL, hint, "%s: %s", path, strerror(errno));
}

void cli_check_http(struct cli_check *check)
{
	look_at_reach(check);
	look_at_tokens(check);
	look_at_pem(check, "http.tls_cert", check->conf.http_tls_cert);
	look_at_pem(check, "http.tls_key", check->conf.http_tls_key);
}

static void ask_control(struct cli_check *check)
{
	char error[512];
	char *reply =
		cli_ctl_exchange(check->conf.control_path, "{\"do\":\"ping\"}", 2000, error, sizeof(error));

	if (reply != NULL)
		cli_check_note(check, CLI_CHECK_OK, "", "control socket %s answers",
			       check->conf.control_path);
	else
		cli_check_note(check, CLI_CHECK_FAIL, "is the daemon running? control.socket, doic.yaml(5)",
			       "control socket %s: nobody answers", check->conf.control_path);
	free(reply);
}

/* Each line of the reply that says FAILED; else that all is well. */
static void note_ready(struct cli_check *check, struct cli_http_reply *reply)
{
	char *rest = NULL;

	if (reply->status == 200) {
		cli_check_note(check, CLI_CHECK_OK, "", "http socket %s answers: ready",
			       check->conf.http_socket);
		return;
	}
	for (char *line = strtok_r(reply->body, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest))
		if (strncmp(line, "FAILED", 6) == 0)
			cli_check_note(check, CLI_CHECK_FAIL, "doic ctl status",
				       "the running agent: not so: %s", line + 7);
}

static void ask_http(struct cli_check *check)
{
	struct cli_http_place place = { .socket = check->conf.http_socket, .timeout_s = 2 };
	struct cli_http *http = NULL;
	struct cli_http_reply reply = { 0 };
	char error[CLI_HTTP_ERROR_MAX] = "";
	int code = cli_http_open(&http, &place, error);

	if (code == CLI_OK)
		code = cli_http_ask(http, "GET", "/readyz?verbose", NULL, NULL, &reply, error);
	if (reply.status == 200 || reply.status == 503)
		note_ready(check, &reply);
	else if (reply.status == 0 && http != NULL)
		cli_check_note(check, CLI_CHECK_FAIL, "is the daemon running? http.socket, doic.yaml(5)",
			       "http socket %s: nobody answers", check->conf.http_socket);
	else
		cli_check_note(check, CLI_CHECK_FAIL, "http.socket, doic.yaml(5)", "%s", error);
	cli_http_drop(&reply);
	cli_http_close(http);
}

void cli_check_running(struct cli_check *check)
{
	if (check->conf.control_path[0] != '\0')
		ask_control(check);
	if (check->conf.http_socket[0] != '\0')
		ask_http(check);
}
