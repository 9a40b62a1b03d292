/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a resource answers: JSON, text, an asset, rows that are made while they are sent, or a problem (RFC 9457).
 *
 * A resource fills the reply once; a second filling takes the place of the first. The core adds what every reply has: security
 * headers, Cache-Control, ETag of the content, 304 when the client has it already, gzip when that is worth it and wanted.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How JSON is written: 0.3 is not 0.29999999999999999. */
#define OWEB_JSON_DUMP (JSON_COMPACT | JSON_REAL_PRECISION(12))

#define OWEB_REPLY_HEADERS_MAX 8u
#define OWEB_ETAG_MAX 80u

/* Problems a client can meet; their types, statuses and titles are a table in oweb_problem.c. */
enum oweb_problem {
	OWEB_P_BAD_REQUEST = 0,
	OWEB_P_UNKNOWN_PARAMETER,
	OWEB_P_BAD_PARAMETER,
	OWEB_P_BAD_BODY,
	OWEB_P_NEEDS_TOKEN, /* 401 */
	OWEB_P_BAD_TOKEN,
	OWEB_P_NEEDS_ROLE, /* 403 */
	OWEB_P_FOREIGN_ORIGIN,
	OWEB_P_NEEDS_CSRF,
	OWEB_P_NOT_FOUND,	   /* 404 */
	OWEB_P_METHOD_NOT_ALLOWED, /* 405 */
	OWEB_P_CONFLICT,	   /* 409 */
	OWEB_P_CHANGED,		   /* 412 */
	OWEB_P_TOO_LARGE,	   /* 413 */
	OWEB_P_TARGET_TOO_LONG,	   /* 414 */
	OWEB_P_MEDIA_TYPE,	   /* 415 */
	OWEB_P_FOREIGN_HOST,	   /* 421 */
	OWEB_P_REFUSED,		   /* 422: well-formed, and refused with a reason */
	OWEB_P_NEEDS_IF_MATCH,	   /* 428 */
	OWEB_P_TOO_MANY,	   /* 429 */
	OWEB_P_INTERNAL,	   /* 500 */
	OWEB_P_NOT_SERVED,	   /* 501: this kind of server has no such thing */
	OWEB_P_UNAVAILABLE,	   /* 503 */
	OWEB_P_COUNT
};

/* Rows made while they are sent. @next: 1 and *@row (a flat object, taken), 0 the end, negative an error: then the last line says
 * so; OWEB_ROWS_LATER after a bounded piece of work, so that the thread can look at its other clients. @end adds to the object of the
 * last line, may be NULL; returns what is missing among the rows, "" nothing. @done frees @ctx. One thread at a time. */
#define OWEB_ROWS_LATER 2
struct oweb_rows {
	const char *const *columns; /* of CSV, NULL-terminated */
	int (*next)(void *ctx, json_t **row);
	const char *(*end)(void *ctx, json_t *last);
	void (*done)(void *ctx);
	void *ctx;
	bool is_csv;
};

enum oweb_body { OWEB_BODY_NONE = 0, OWEB_BODY_OCTETS = 1, OWEB_BODY_ROWS = 2, OWEB_BODY_EVENTS = 3 };

struct oweb_reply {
	unsigned status; /* 0: not filled yet */
	enum oweb_body kind;
	const char *type; /* media type; a constant */
	char *owned;	  /* octets to free(); NULL when they are constant */
	const char *octets;
	size_t len;
	struct oweb_rows rows;
	char etag[OWEB_ETAG_MAX]; /* with quotes; "" of the content */
	json_t *problem;	  /* becomes the octets when it is sent */
	bool is_page;		  /* the page's content policy */
	bool is_report;		  /* a page of the audit: it stands alone, with its style inside */
	bool is_immutable;	  /* its address has the hash of its content */
	bool is_kept;		  /* others get the same for a moment (oweb_fresh.h) */
	bool closes;		  /* the connection is not to be used again */
	unsigned header_count;
	struct {
		const char *name;
		char value[256];
	} header[OWEB_REPLY_HEADERS_MAX];
};

struct oweb_request;

/* @value is taken. */
void oweb_reply_json(struct oweb_request *request, unsigned status, json_t *value);
/* @text: malloc()ed, taken; NULL becomes "out of memory". */
void oweb_reply_text(struct oweb_request *request, unsigned status, const char *type, char *text, size_t len);
/* @octets are constant. */
void oweb_reply_constant(struct oweb_request *request, unsigned status, const char *type, const char *octets,
			 size_t len);
void oweb_reply_empty(struct oweb_request *request, unsigned status);
void oweb_reply_rows(struct oweb_request *request, const struct oweb_rows *rows);
void oweb_reply_header(struct oweb_request *request, const char *name, const char *value);
void oweb_reply_etag(struct oweb_request *request, const char *etag);

/* A problem with its detail, one sentence. */
void oweb_problem(struct oweb_request *request, enum oweb_problem problem, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* One entry more of its errors[]: @kind "parameter", "pointer" or "header", @where its name. */
void oweb_problem_at(struct oweb_request *request, const char *kind, const char *where, const char *detail);
/* What to do, when it is not what the table says. */
void oweb_problem_try(struct oweb_request *request, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* For the core: frees what the reply holds. */
void oweb_reply_drop(struct oweb_reply *reply);

/* Sets @key of @object to @value, a time in UTC, or to null when it is 0. */
void oweb_json_time(json_t *object, const char *key, uint64_t wall_us);
