/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the resources that read evidence share: rows as JSON, pages, rows as a stream.
 */
#pragma once

#include "../evidence/shelf/oev_shelf.h"
#include "../evidence/shelf/oev_shelf_list.h"
#include "oweb_inner.h"
#include "oweb_request.h"

#define OWEB_PAGE_DEFAULT 100u
#define OWEB_PAGE_MAX 1000u
#define OWEB_STREAM_PAGE 500u /* rows read at once for a stream */

/* False: there is no evidence folder, and the reply says so. */
bool oweb_has_shelf(struct oweb_request *request);

/* A decision as it is listed. */
json_t *oweb_view_decision(const struct oev_shelf_decision *row);
extern const char *const oweb_decision_columns[]; /* of CSV */

/* A row of a list; its columns by the names the API has for them ("application", "reduction_ratio"). */
json_t *oweb_view_row(enum oev_shelf_list list, const struct oev_shelf_list_row *row);

/* oweb_pages.c: append a page from @cursor ("" the first) on to @rows. OC_OK or what the shelf returned. The first page of the list of gaps
 * begins with parts that are missing, beyond @limit. */
int oweb_read_decisions(struct oev_shelf *shelf, const struct oev_shelf_filter *filter, const char *cursor,
			uint32_t limit, json_t *rows, struct oev_shelf_page *page,
			char error[static OEV_SHELF_TEXT_MAX]);
int oweb_read_list(struct oev_shelf *shelf, enum oev_shelf_list list,
		   const struct oev_shelf_list_filter *filter, const char *cursor, uint32_t limit,
		   json_t *rows, struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX]);
/* The gaps of a window, for who tells its rows: without them nobody knows that there were none. null, or not all of them: @left_out says
 * so. */
json_t *oweb_read_gaps(struct oev_shelf *shelf, const struct oev_shelf_list_filter *filter, char *left_out,
		       size_t size);

/* Appends to @rows, of the list of gaps, the parts that are missing and that @filter lets pass. OC_OK or what the shelf returned. */
int oweb_put_missing(json_t *rows, struct oev_shelf *shelf, const struct oev_shelf_list_filter *filter,
		     char error[static OEV_SHELF_TEXT_MAX]);

/* Puts "next", "reached" and "left_out" of @page into @object. */
void oweb_put_page(json_t *object, const struct oev_shelf_page *page);

/* The reply for what a question to the shelf returned, but for OC_OK. */
void oweb_shelf_problem(struct oweb_request *request, int rc, const char *error);

/* Pages, one after the other: fills @rows with a page from @cursor on. OC_OK or what the shelf returned. */
typedef int (*oweb_page_fn)(void *ctx, struct oev_shelf *shelf, const char *cursor, json_t *rows,
			    struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX]);

/* Replies with all rows as NDJSON or, when @columns are given, CSV. @ctx: malloc()ed, taken over. */
void oweb_stream(struct oweb_request *request, oweb_page_fn read, void *ctx, const char *const *columns);

/* Whether the request wants NDJSON or CSV (format=, or the Accept header); 0 neither. */
enum oweb_format { OWEB_FORMAT_JSON = 0, OWEB_FORMAT_NDJSON = 1, OWEB_FORMAT_CSV = 2 };
enum oweb_format oweb_wanted_format(const struct oweb_request *request);

/* "CCR-I" of a command and its CC-Request-Type in an application; "" when there is no short word. @buf of 16 octets. */
const char *oweb_command_text(uint32_t app_id, uint32_t command, uint8_t cc_request_type, char *buf);
