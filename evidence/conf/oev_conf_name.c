/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names, patterns and places.
 */
#include "oev_conf_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"

struct oev_conf_place oev_conf_place_of(const struct oev_conf_doc *doc, const char *format, ...)
{
	struct oev_conf_place at = { .line = 1, .column = 1 };
	const struct oev_conf_place *found;
	va_list args;

	va_start(args, format);
	vsnprintf(at.path, sizeof(at.path), format, args);
	va_end(args);
	found = oev_conf_doc_find(doc, at.path);
	return found != NULL ? *found : at;
}

bool oev_conf_is_given(const struct oev_conf_doc *doc, const char *format, ...)
{
	char path[OEV_CONF_NAME_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	return oev_conf_doc_find(doc, path) != NULL;
}

/* Diameter identities are domain names (RFC 6733 section 4.3.1): no empty label, and letters of either case. */
static bool is_name_octet(char octet)
{
	return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') ||
	       (octet >= '0' && octet <= '9') || octet == '-' || octet == '_';
}

static bool is_name(const char *text)
{
	bool label = false;

	for (; *text != '\0'; text++) {
		if (*text == '.' ? !label : !is_name_octet(*text))
			return false;
		label = *text != '.';
	}
	return label;
}

static bool is_pattern(const char *text)
{
	if (strcmp(text, "*") == 0)
		return true;
	return is_name(strncmp(text, "*.", 2) == 0 ? text + 2 : text);
}

/* @out has room for all of @text. */
static void copy_lower(const char *text, char *out)
{
	for (; *text != '\0'; text++)
		*out++ = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
	*out = '\0';
}

int oev_conf_copy_pattern(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *text,
			  char out[static OC_POLICY_PATTERN_MAX])
{
	char extract[OEV_CONF_EXTRACT_MAX];

	if (!is_pattern(text))
		return oev_conf_doc_fail(
			doc, at, OC_EMALFORMED,
			"\"%s\" is not a pattern (allowed: a name of letters, digits, - and _ between "
			"dots, \"*.\" before it, or \"*\")",
			oev_conf_extract(text, strlen(text), extract));
	copy_lower(text, out);
	return OC_OK;
}

int oev_conf_copy_name(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *text,
		       char *out, size_t size)
{
	char extract[OEV_CONF_EXTRACT_MAX];

	if (!is_name(text) || strlen(text) >= size)
		return oev_conf_doc_fail(
			doc, at, OC_EMALFORMED,
			"\"%s\" is not a name (allowed: letters, digits, - and _ between dots)",
			oev_conf_extract(text, strlen(text), extract));
	copy_lower(text, out);
	return OC_OK;
}
