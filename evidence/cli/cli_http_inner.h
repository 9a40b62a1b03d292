/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the parts of the HTTP client share. Private to it.
 */
#pragma once

#include <curl/curl.h>
#include <errno.h>

#include "cli_http.h"

struct cli_http {
	CURL *curl;
	const char *socket, *url;
	unsigned timeout_s;
	char token[CLI_HTTP_TOKEN_MAX];
	char address[2048];
};

/* Sets what every request has; @headers are borrowed until it was made. */
void cli_http_prepare(struct cli_http *http, const char *method, const char *path,
		      struct curl_slist *headers);
int cli_http_unreachable(const struct cli_http *http, int code, char error[static CLI_HTTP_ERROR_MAX]);
int cli_http_refused(const struct cli_http_reply *reply, char error[static CLI_HTTP_ERROR_MAX]);
