/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Samples as JSON: a list of objects, or an object whose member "samples" is one. The objects have the columns of the CSV as keys.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_samples.h"

#define SPACE " \t\r\n"

struct cursor {
	struct oev_samples *samples;
	const char *path;
	const char *text;
	const char *at;
	const char *line_at; /* lines were counted up to here */
	uint32_t line;
};

/* Line and column of @at, counted from the beginning: errors are few. */
static int wrong(const struct cursor *cursor, const char *at, const char *why)
{
	unsigned line = 1;
	const char *line_start = cursor->text;

	for (const char *c = cursor->text; c < at; c++)
		if (*c == '\n') {
			line++;
			line_start = c + 1;
		}
	return oev_sample_wrong(cursor->samples, cursor->path, line, (size_t)(at - line_start) + 1, why);
}

static void skip(struct cursor *cursor)
{
	cursor->at += strspn(cursor->at, SPACE);
}

static bool take(struct cursor *cursor, char c)
{
	skip(cursor);
	if (*cursor->at != c)
		return false;
	cursor->at++;
	skip(cursor);
	return true;
}

/* Where the value of @key stands in the object at [@from, @to): objects are flat, so the first such key is it. */
static const char *value_at(const char *from, const char *to, const char *key)
{
	char quoted[80];

	snprintf(quoted, sizeof(quoted), "\"%.70s\"", key);
	size_t len = strlen(quoted);
	for (const char *at = memchr(from, '"', (size_t)(to - from)); at != NULL;
	     at = memchr(at + 1, '"', (size_t)(to - at - 1))) {
		const char *after = at + len;
		if (strncmp(at, quoted, len) != 0)
			continue;
		after += strspn(after, SPACE);
		if (*after == ':')
			return after + 1 + strspn(after + 1, SPACE);
	}
	return from;
}

/* A scalar as the text it would be in CSV. */
static bool text_of(const json_t *value, char *text, size_t size)
{
	if (json_is_string(value))
		return (size_t)snprintf(text, size, "%s", json_string_value(value)) < size &&
		       json_string_length(value) == strlen(json_string_value(value));
	if (json_is_integer(value))
		snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		snprintf(text, size, "%.6f", json_real_value(value));
	else
		return false;
	return true;
}

static int take_member(struct cursor *cursor, struct oev_sample *sample, const char *from, const char *key,
		       const json_t *value)
{
	enum oev_field field = oev_field_of(key);
	const char *at = value_at(from, cursor->at, key);
	char text[256], why[300];

	if (field == OEV_FIELD_COUNT) {
		snprintf(why, sizeof(why), "no key is called \"%.40s\"", key);
		return wrong(cursor, at, why);
	}
	if (json_is_null(value))
		return OC_OK; /* not known */
	if (!text_of(value, text, sizeof(text))) {
		snprintf(why, sizeof(why), "\"%.40s\" must be a number or a text of less than 256 octets",
			 key);
		return wrong(cursor, at, why);
	}
	if (json_is_real(value) && field != OEV_FIELD_TIME && field != OEV_FIELD_SPAN)
		return wrong(cursor, at, "a count is a whole number");
	return oev_sample_set(cursor->samples, sample, field, text, why, sizeof(why))
		       ? OC_OK
		       : wrong(cursor, at, why);
}

static int take_object(struct cursor *cursor, const char *from, json_t *object)
{
	struct oev_sample sample = oev_sample_none();
	const char *key;
	json_t *value;
	char why[300];
	int rc = OC_OK;

	for (; cursor->line_at < from; cursor->line_at++)
		cursor->line += *cursor->line_at == '\n';
	sample.line = cursor->line;
	json_object_foreach(object, key, value)
	{
		int one = take_member(cursor, &sample, from, key, value);
		if (!oev_samples_goes_on(cursor->samples, one))
			return one;
		rc = one != OC_OK ? one : rc;
	}
	if (rc != OC_OK)
		return rc;
	rc = oev_sample_add(cursor->samples, &sample, why, sizeof(why));
	if (rc == OC_EMALFORMED || rc == OC_ENOSPC)
		wrong(cursor, from, why);
	return rc;
}

/* One object by the library, and where it ended; not @is_readable when that does not show. */
static int take_item(struct cursor *cursor, bool *is_readable)
{
	const char *from = cursor->at;
	json_error_t error;
	json_t *object = json_loads(from, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);

	*is_readable = object != NULL;
	if (object == NULL)
		return wrong(cursor, from + (error.position > 0 ? error.position - 1 : 0), error.text);
	cursor->at = from + error.position;
	int rc = json_is_object(object) ? take_object(cursor, from, object)
					: wrong(cursor, from, "a sample is an object");
	json_decref(object);
	return rc;
}

static int take_list(struct cursor *cursor)
{
	int rc = OC_OK;

	if (!take(cursor, '['))
		return wrong(cursor, cursor->at, "a list of samples is expected");
	if (take(cursor, ']'))
		return OC_OK;
	for (bool is_readable = true; is_readable;) {
		rc = take_item(cursor, &is_readable);
		if (!is_readable || !oev_samples_goes_on(cursor->samples, rc))
			return rc;
		if (take(cursor, ']'))
			return OC_OK; /* what was wrong is noted */
		if (!take(cursor, ','))
			return wrong(cursor, cursor->at, "a comma or the end of the list is expected");
	}
	return rc;
}

static int take_wrapped(struct cursor *cursor)
{
	cursor->at++;
	skip(cursor);
	if (strncmp(cursor->at, "\"schema\"", 8) == 0)
		return wrong(cursor, cursor->at,
			     "this is a counter file of one node: put it into FOLDER/counters/, or give it "
			     "to doic audit --counters");
	if (strncmp(cursor->at, "\"samples\"", 9) != 0)
		return wrong(cursor, cursor->at, "the object must begin with the member \"samples\"");
	cursor->at += 9;
	if (!take(cursor, ':'))
		return wrong(cursor, cursor->at, "a colon is expected");
	int rc = take_list(cursor);
	if (rc == OC_OK && !take(cursor, '}'))
		rc = wrong(cursor, cursor->at, "the end of the object is expected");
	return rc;
}

int oev_samples_json(struct oev_samples *samples, const char *path, const char *text, size_t size)
{
	struct cursor cursor = {
		.samples = samples, .path = path, .text = text, .at = text, .line_at = text, .line = 1
	};

	skip(&cursor);
	int rc = *cursor.at == '{' ? take_wrapped(&cursor) : take_list(&cursor);
	skip(&cursor);
	if (rc == OC_OK && cursor.at != text + size)
		rc = wrong(&cursor, cursor.at, "nothing may follow");
	return rc;
}
