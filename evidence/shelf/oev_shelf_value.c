/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Values as they are handed on: no surprise in them, whatever the file holds.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_inner.h"

uint64_t oev_shelf_number(sqlite3_stmt *stmt, int column)
{
	int64_t number = sqlite3_column_int64(stmt, column);

	return number < 0 ? INT64_MAX : (uint64_t)number;
}

/* Octets of the UTF-8 character at @at; 0: it is none. */
static size_t character(const unsigned char *at)
{
	size_t len = at[0] < 0x80		     ? 1
		     : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
		     : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
						     : 4;

	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
		return 0;
	return len;
}

void oev_shelf_clean(char *text, bool keep_lines)
{
	unsigned char *at = (unsigned char *)text;

	while (*at != '\0') {
		size_t len = character(at);
		bool is_line = keep_lines && (*at == '\n' || *at == '\t');
		if (len == 0 || ((*at < 0x20 || *at == 0x7f) && !is_line)) {
			*at = '?';
			len = 1;
		}
		at += len;
	}
}

void oev_shelf_word(sqlite3_stmt *stmt, int column, char *buf, size_t size)
{
	oev_query_copy(stmt, column, buf, size);
	oev_shelf_clean(buf, false);
}

uint64_t oev_shelf_hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *octets = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ octets[i]) * 0x100000001b3ull;
	return hash;
}

uint64_t oev_shelf_run_key(const char *run)
{
	return oev_shelf_hash(OEV_SHELF_HASH_FIRST, run, strlen(run));
}

bool oev_shelf_leave_out(struct oev_shelf_page *page, const struct oev_shelf_part *part)
{
	bool is_out = part->facts.trouble[0] != '\0';

	if (is_out && page->left_out[0] == '\0')
		snprintf(page->left_out, sizeof(page->left_out), "%s: %s", part->facts.name,
			 part->facts.trouble);
	return is_out;
}

int oev_shelf_say(char *error, int rc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, OEV_SHELF_TEXT_MAX, format, args);
	va_end(args);
	return rc;
}

int oev_shelf_fail(const struct oev_shelf_conn *conn, char *error)
{
	int code = sqlite3_errcode(conn->db);

	if (code == SQLITE_NOMEM)
		return oev_shelf_say(error, OC_ENOMEM, "out of memory");
	if (code == SQLITE_INTERRUPT)
		return oev_shelf_say(error, OC_EIO, "segment %s: a question took too long", conn->name);
	return oev_shelf_say(error, OC_EIO, "segment %s cannot be read: %s", conn->name,
			     sqlite3_errmsg(conn->db));
}
