/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lines "key value", one after the other.
 */
#include "oev_lines.h"

#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_armor.h"

struct value {
	const char *text;
	size_t len;
};

void oev_lines_start(struct oev_lines *lines, const char *text, size_t len, struct oev_why *why)
{
	if (len == 0)
		text = ""; /* nothing may be nowhere */
	*lines = (struct oev_lines){ .at = text, .end = text + len, .why = why };
}

static void fail(struct oev_lines *lines, int rc, const char *key, const char *what)
{
	lines->rc = oev_why(lines->why, rc, "line %u: %s %s", lines->line, key, what);
}

static bool is_visible(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	return true;
}

bool oev_lines_is_word(const char *text, size_t most)
{
	size_t len = strnlen(text, most + 1);

	return len > 0 && len <= most && is_visible(text, len);
}

/* The next line without its newline; false when there is none, or when something failed before. */
static bool take_line(struct oev_lines *lines, const char *key, struct value *out)
{
	if (lines->rc != OC_OK)
		return false;
	lines->line++;
	const char *end = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	if (end == NULL) {
		fail(lines, OC_EMALFORMED, key, "is missing");
		return false;
	}
	*out = (struct value){ .text = lines->at, .len = (size_t)(end - lines->at) };
	lines->at = end + 1;
	return true;
}

/* What stands behind @key and one space: one or more visible octets. */
static bool take_value(struct oev_lines *lines, const char *key, struct value *out)
{
	size_t key_len = strlen(key);

	if (!take_line(lines, key, out))
		return false;
	if (out->len < key_len + 2 || memcmp(out->text, key, key_len) != 0 || out->text[key_len] != ' ') {
		fail(lines, OC_EMALFORMED, key, "should stand here, with a value");
		return false;
	}
	out->text += key_len + 1;
	out->len -= key_len + 1;
	if (!is_visible(out->text, out->len)) {
		fail(lines, OC_EMALFORMED, key, "has a value with a space or an octet that is not visible");
		return false;
	}
	return true;
}

void oev_lines_title(struct oev_lines *lines, const char *name)
{
	struct value line;
	size_t name_len = strlen(name);

	if (!take_line(lines, name, &line))
		return;
	if (line.len < name_len + 2 || memcmp(line.text, name, name_len) != 0 || line.text[name_len] != '/')
		fail(lines, OC_EMALFORMED, name, "should be named here");
	else if (line.len != name_len + 2 || line.text[name_len + 1] != '1')
		fail(lines, OC_EVERSION, name, "has another version than 1, the only one this program reads");
}

void oev_lines_word(struct oev_lines *lines, const char *key, char *out, size_t most)
{
	struct value value;

	if (!take_value(lines, key, &value))
		return;
	if (value.len > most) {
		fail(lines, OC_EMALFORMED, key, "is too long");
		return;
	}
	memcpy(out, value.text, value.len);
	out[value.len] = '\0';
}

void oev_lines_number(struct oev_lines *lines, const char *key, uint64_t *out)
{
	struct value value;
	uint64_t sum = 0;

	if (!take_value(lines, key, &value))
		return;
	for (size_t i = 0; i < value.len; i++) {
		unsigned digit = (unsigned)(value.text[i] - '0');

		if (digit > 9 || (i == 1 && value.text[0] == '0')) {
			fail(lines, OC_EMALFORMED, key, "is no number as it is written here");
			return;
		}
		if (sum > (UINT64_MAX - digit) / 10) {
			fail(lines, OC_ERANGE, key, "is larger than 64 bits hold");
			return;
		}
		sum = sum * 10 + digit;
	}
	*out = sum;
}

void oev_lines_hash(struct oev_lines *lines, const char *key, struct oev_hash *out)
{
	struct value value;

	if (take_value(lines, key, &value) && oev_hash_parse(value.text, value.len, out) != OC_OK)
		fail(lines, OC_EMALFORMED, key, "is no hash: 64 digits 0-9 and a-f");
}

void oev_lines_base64(struct oev_lines *lines, const char *key, void *out, size_t want)
{
	struct value value;

	if (take_value(lines, key, &value) &&
	    oev_armor_base64_parse(value.text, value.len, out, want) != OC_OK)
		fail(lines, OC_EMALFORMED, key, "is not what base64 makes of so many octets");
}

int oev_lines_end(struct oev_lines *lines)
{
	if (lines->rc == OC_OK && lines->at != lines->end)
		lines->rc = oev_why(lines->why, OC_EMALFORMED, "something follows line %u, the last one",
				    lines->line);
	return lines->rc;
}
