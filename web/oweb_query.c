/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Percent-decoding, the path, the parameters.
 */
#include "oweb_query.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/oc_err.h"
#include "../evidence/app/oev_nearest.h"
#include "../evidence/oev_time.h"

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Octet at raw[*at], decoded; *@at moves on, *@was_encoded says how it was written. -1: malformed. */
static int next_octet(const char *raw, size_t len, size_t *at, bool *was_encoded)
{
	*was_encoded = raw[*at] == '%';
	if (!*was_encoded)
		return (unsigned char)raw[(*at)++];
	if (*at + 2 >= len)
		return -1;
	int high = hex(raw[*at + 1]), low = hex(raw[*at + 2]);
	*at += 3;
	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static bool is_control(int octet)
{
	return octet < 0x20 || octet == 0x7f;
}

bool oweb_is_utf8(const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)text[i];
		size_t more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : 3;
		if (c > 0xf4 || (c >= 0x80 && c < 0xc2) || i + more >= len)
			return false;
		for (size_t j = 1; j <= more; j++)
			if (((unsigned char)text[i + j] & 0xc0) != 0x80)
				return false;
		unsigned char second = more > 0 ? (unsigned char)text[i + 1] : 0;
		if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) ||
		    (c == 0xf0 && second < 0x90) || (c == 0xf4 && second > 0x8f))
			return false;
		i += more + 1;
	}
	return true;
}

/* Every segment is a name; a last empty one too is refused, "/" alone is not. */
static bool are_segments_names(const char *path)
{
	for (const char *at = path; *at == '/' && path[1] != '\0';) {
		size_t len = strcspn(at + 1, "/");
		if (len == 0 || (len == 1 && at[1] == '.') || (len == 2 && at[1] == '.' && at[2] == '.'))
			return false;
		at += len + 1;
	}
	return true;
}

int oweb_path_clean(const char *raw, size_t len, char *out)
{
	size_t used = 0;

	if (len == 0 || len >= OWEB_TARGET_MAX || raw[0] != '/')
		return OC_EMALFORMED;
	for (size_t at = 0; at < len;) {
		bool was_encoded;
		int octet = next_octet(raw, len, &at, &was_encoded);
		if (octet < 0 || is_control(octet) || octet == '\\' || (octet == '/' && was_encoded))
			return OC_EMALFORMED;
		out[used++] = (char)octet;
	}
	out[used] = '\0';
	return oweb_is_utf8(out, used) && are_segments_names(out) ? OC_OK : OC_EMALFORMED;
}

/* Decodes raw[0..len) as a form does ("+" is a blank) to @out, NUL-terminated; *@used octets. */
static bool decode(const char *raw, size_t len, char *out, size_t *used)
{
	*used = 0;
	for (size_t at = 0; at < len;) {
		bool was_encoded;
		int octet = next_octet(raw, len, &at, &was_encoded);
		if (octet < 0 || is_control(octet))
			return false;
		out[(*used)++] = octet == '+' && !was_encoded ? ' ' : (char)octet;
	}
	out[*used] = '\0';
	return oweb_is_utf8(out, *used);
}

static int refuse(struct oweb_query_error *error, const char *parameter, const char *detail)
{
	snprintf(error->parameter, sizeof(error->parameter), "%.60s", parameter);
	if (!oweb_is_utf8(error->parameter, strlen(error->parameter)))
		error->parameter[0] = '\0'; /* cut inside a character */
	snprintf(error->detail, sizeof(error->detail), "%s", detail);
	return OC_EINVAL;
}

static int refuse_unknown(struct oweb_query_error *error, const char *name, const struct oweb_param *params)
{
	const char *words[OWEB_PARAMS_MAX + 1] = { NULL };

	for (size_t i = 0; params != NULL && params[i].name != NULL && i < OWEB_PARAMS_MAX; i++)
		words[i] = params[i].name;
	const char *nearest = oev_nearest(name, words);
	if (nearest != NULL)
		snprintf(error->nearest, sizeof(error->nearest), "%s", nearest);
	error->is_unknown = true;
	return refuse(error, name,
		      words[0] == NULL ? "this resource takes no parameters"
				       : "this resource has no such parameter");
}

static int read_number(const struct oweb_param *param, const char *text, uint64_t *out,
		       struct oweb_query_error *error)
{
	char detail[120];
	char *end = NULL;

	errno = 0;
	*out = strtoull(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out >= param->min &&
	    *out <= param->max)
		return OC_OK;
	snprintf(detail, sizeof(detail), "is a whole number from %llu to %llu",
		 (unsigned long long)param->min, (unsigned long long)param->max);
	return refuse(error, param->name, detail);
}

static int read_flag(const struct oweb_param *param, const char *text, uint64_t *out,
		     struct oweb_query_error *error)
{
	*out = strcmp(text, "false") != 0 && strcmp(text, "0") != 0;
	if (*out == 0 || text[0] == '\0' || strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
		return OC_OK;
	return refuse(error, param->name, "is true or false");
}

static int read_word(const struct oweb_param *param, const char *text, struct oweb_query_error *error)
{
	char detail[200];
	size_t len = strlen(text);

	for (const char *at = param->words; *at != '\0'; at += strcspn(at, "|"), at += *at == '|')
		if (strcspn(at, "|") == len && strncmp(at, text, len) == 0)
			return OC_OK;
	snprintf(detail, sizeof(detail), "is one of %s", param->words);
	return refuse(error, param->name, detail);
}

static int read_value(const struct oweb_param *param, const char *text, uint64_t now_us, uint64_t *out,
		      struct oweb_query_error *error)
{
	switch (param->kind) {
	case OWEB_NUMBER:
		return read_number(param, text, out, error);
	case OWEB_TIME:
		if (oev_time_parse(text, now_us, out) == OC_OK)
			return OC_OK;
		return refuse(error, param->name, "is a time: 2026-11-29T14:00:00Z, 14:00, -10m or now");
	case OWEB_FLAG:
		return read_flag(param, text, out, error);
	case OWEB_WORD:
		return read_word(param, text, error);
	default:
		if (param->max == 0 || strlen(text) <= param->max)
			return OC_OK;
		return refuse(error, param->name, "is too long");
	}
}

static const struct oweb_param *known(const struct oweb_param *params, const char *name)
{
	for (; params != NULL && params->name != NULL; params++)
		if (strcmp(params->name, name) == 0)
			return params;
	return NULL;
}

/* One "name=value" of @len octets. @used: octets of query->text in use. */
static int read_item(struct oweb_query *query, const char *raw, size_t len, const struct oweb_param *params,
		     uint64_t now_us, size_t *used, struct oweb_query_error *error)
{
	const char *equals = memchr(raw, '=', len);
	size_t name_len = equals == NULL ? len : (size_t)(equals - raw), octets;
	char *name = query->text + *used;

	if (!decode(raw, name_len, name, &octets))
		return refuse(error, "", "a parameter's name is not percent-encoded UTF-8");
	const struct oweb_param *param = known(params, name);
	if (param == NULL)
		return refuse_unknown(error, name, params);
	if (oweb_query_text(query, param->name) != NULL)
		return refuse(error, param->name, "is given twice");
	if (query->count == OWEB_PARAMS_MAX)
		return refuse(error, param->name, "is one parameter too many");
	char *value = name; /* the name is not needed any more */
	if (!decode(equals == NULL ? "" : equals + 1, equals == NULL ? 0 : len - name_len - 1, value,
		    &octets))
		return refuse(error, param->name, "is not percent-encoded UTF-8 text");
	*used += octets + 1;
	query->item[query->count].param = param;
	query->item[query->count].text = value;
	query->count++;
	return read_value(param, value, now_us, &query->item[query->count - 1].number, error);
}

int oweb_query_read(struct oweb_query *query, const char *raw, const struct oweb_param *params,
		    uint64_t now_us, struct oweb_query_error *error)
{
	size_t used = 0;

	*error = (struct oweb_query_error){ 0 };
	query->count = 0;
	while (raw != NULL && *raw != '\0') {
		size_t len = strcspn(raw, "&");
		if (len + used + 2 > sizeof(query->text))
			return refuse(error, "", "the query is too long");
		int rc = len == 0 ? OC_OK : read_item(query, raw, len, params, now_us, &used, error);
		if (rc != OC_OK)
			return rc;
		raw += len;
		raw += *raw == '&';
	}
	return OC_OK;
}

const char *oweb_query_text(const struct oweb_query *query, const char *name)
{
	for (uint32_t i = 0; i < query->count; i++)
		if (strcmp(query->item[i].param->name, name) == 0)
			return query->item[i].text;
	return NULL;
}

uint64_t oweb_query_number(const struct oweb_query *query, const char *name, uint64_t otherwise)
{
	for (uint32_t i = 0; i < query->count; i++)
		if (strcmp(query->item[i].param->name, name) == 0)
			return query->item[i].number;
	return otherwise;
}
