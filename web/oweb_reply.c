/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Filling a reply.
 */
#include "oweb_reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../evidence/oev_time.h"
#include "oweb_request.h"

void oweb_reply_drop(struct oweb_reply *reply)
{
	free(reply->owned);
	json_decref(reply->problem);
	if (reply->kind == OWEB_BODY_ROWS && reply->rows.done != NULL)
		reply->rows.done(reply->rows.ctx);
	reply->owned = NULL;
	reply->problem = NULL;
	reply->kind = OWEB_BODY_NONE;
}

/* Headers a filling set before stay: what a refusal says of the session, say. */
static void begin(struct oweb_request *request, unsigned status, enum oweb_body kind, const char *type)
{
	struct oweb_reply *reply = &request->reply;

	oweb_reply_drop(reply);
	reply->status = status;
	reply->kind = kind;
	reply->type = type;
	reply->octets = "";
	reply->len = 0;
	reply->etag[0] = '\0';
}

void oweb_reply_empty(struct oweb_request *request, unsigned status)
{
	begin(request, status, OWEB_BODY_NONE, NULL);
}

void oweb_reply_constant(struct oweb_request *request, unsigned status, const char *type, const char *octets,
			 size_t len)
{
	begin(request, status, OWEB_BODY_OCTETS, type);
	request->reply.octets = octets;
	request->reply.len = len;
}

void oweb_reply_text(struct oweb_request *request, unsigned status, const char *type, char *text, size_t len)
{
	if (text == NULL) {
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
		return;
	}
	oweb_reply_constant(request, status, type, text, len);
	request->reply.owned = text;
}

void oweb_reply_json(struct oweb_request *request, unsigned status, json_t *value)
{
	char *text = value == NULL ? NULL : json_dumps(value, OWEB_JSON_DUMP);

	json_decref(value);
	oweb_reply_text(request, status, "application/json", text, text == NULL ? 0 : strlen(text));
}

void oweb_reply_rows(struct oweb_request *request, const struct oweb_rows *rows)
{
	begin(request, 200, OWEB_BODY_ROWS,
	      rows->is_csv ? "text/csv; charset=utf-8" : "application/x-ndjson");
	request->reply.rows = *rows;
}

void oweb_reply_header(struct oweb_request *request, const char *name, const char *value)
{
	struct oweb_reply *reply = &request->reply;

	if (reply->header_count == OWEB_REPLY_HEADERS_MAX)
		return;
	reply->header[reply->header_count].name = name;
	snprintf(reply->header[reply->header_count].value, sizeof(reply->header[0].value), "%s", value);
	reply->header_count++;
}

void oweb_reply_etag(struct oweb_request *request, const char *etag)
{
	snprintf(request->reply.etag, sizeof(request->reply.etag), "%s", etag);
}

void oweb_json_time(json_t *object, const char *key, uint64_t wall_us)
{
	char text[OEV_TIME_TEXT_MAX];

	if (wall_us == 0) {
		json_object_set_new(object, key, json_null());
		return;
	}
	oev_time_text(wall_us, text);
	json_object_set_new(object, key, json_string(text));
}
