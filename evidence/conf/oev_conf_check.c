/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Shape, type and range of every value, as its row of the table wants them.
 */
#include "oev_conf_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define ALLOWED_MAX 128u
#define DECIMALS 3u
#define DECIMAL_WHOLE_MAX 9u

void oev_conf_row_path(const char *path, char out[static OEV_CONF_NAME_MAX])
{
	size_t used = 0;
	bool inside = false;

	for (; *path != '\0' && used < OEV_CONF_NAME_MAX - 1; path++) {
		if (*path == ']')
			inside = false;
		if (!inside)
			out[used++] = *path;
		if (*path == '[')
			inside = true;
	}
	out[used] = '\0';
}

static const struct oev_conf_key *row_of(enum oev_conf_document kind, const char *row_path)
{
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++)
		if (keys[i].document == kind && strcmp(keys[i].path, row_path) == 0)
			return &keys[i];
	return NULL;
}

/* Does some row lie below @row_path? "" is the document itself. */
static bool is_section(enum oev_conf_document kind, const char *row_path)
{
	size_t count;
	size_t len = strlen(row_path);
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		if (keys[i].document != kind || strncmp(keys[i].path, row_path, len) != 0)
			continue;
		if (len == 0 || keys[i].path[len] == '.')
			return true;
	}
	return false;
}

/* Keys are lower-case words; a dot or a bracket would let one key pose as a path. */
static bool is_word(const char *key, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!((key[i] >= 'a' && key[i] <= 'z') || key[i] == '_'))
			return false;
	return len > 0;
}

int oev_conf_check_key(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *parent,
		       const char *key, size_t len)
{
	char row_path[OEV_CONF_NAME_MAX];
	const struct oev_conf_place *first;

	oev_conf_row_path(at->path, row_path);
	if (!is_word(key, len) || (row_of(doc->kind, row_path) == NULL && !is_section(doc->kind, row_path)))
		return oev_conf_unknown_key(doc, at, parent, key, len);
	first = oev_conf_doc_find(doc, at->path);
	if (first != NULL)
		return oev_conf_doc_fail(doc, at, OC_EMALFORMED,
					 "duplicate key, first given on line %" PRIu32 " (allowed: once)",
					 first->key_line);
	return OC_OK;
}

/* YAML's ways to say nothing, which no key of ours takes. */
static bool is_nothing(const struct oev_conf_node *node)
{
	if (node->shape != OEV_SHAPE_SCALAR || !node->plain)
		return false;
	return node->len == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

/* The failure every value check ends in: what is wrong, then what the row allows. */
static int refuse(const struct oev_conf_doc *doc, const struct oev_conf_node *node,
		  const struct oev_conf_key *key, int err, const char *reason)
{
	char allowed[ALLOWED_MAX];
	char extract[OEV_CONF_EXTRACT_MAX];

	oev_conf_key_allowed(key, allowed, sizeof(allowed));
	if (node->shape != OEV_SHAPE_SCALAR)
		return oev_conf_doc_fail(doc, &node->at, err, "%s (allowed: %s)", reason, allowed);
	if (is_nothing(node))
		return oev_conf_doc_fail(doc, &node->at, OC_EMALFORMED, "has no value (allowed: %s)",
					 allowed);
	oev_conf_extract(node->text, node->len, extract);
	return oev_conf_doc_fail(doc, &node->at, err, "\"%s\" %s (allowed: %s)", extract, reason, allowed);
}

static int check_bool(const struct oev_conf_doc *doc, const struct oev_conf_node *node,
		      const struct oev_conf_key *key)
{
	/* libcyaml takes every unknown word for true, so the two words are insisted on here. */
	if (node->plain && node->len == strlen(node->text) &&
	    (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0))
		return OC_OK;
	return refuse(doc, node, key, OC_EMALFORMED, "is not a truth value");
}

static bool is_digits(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return len > 0;
}

static int check_uint(const struct oev_conf_doc *doc, const struct oev_conf_node *node,
		      const struct oev_conf_key *key)
{
	uint64_t value;

	if (!node->plain)
		return refuse(doc, node, key, OC_EMALFORMED, "is quoted, not a number");
	if (node->len > 1 && node->text[0] == '-' && is_digits(node->text + 1, node->len - 1))
		return refuse(doc, node, key, OC_ERANGE, "is negative");
	/* A leading 0 would mean octal to libcyaml. */
	if (!is_digits(node->text, node->len) || (node->len > 1 && node->text[0] == '0'))
		return refuse(doc, node, key, OC_EMALFORMED, "is not a whole decimal number");
	errno = 0;
	value = strtoull(node->text, NULL, 10);
	if (errno != 0 || value < key->min || value > key->max)
		return refuse(doc, node, key, OC_ERANGE, "is out of range");
	if (key->power_of_two && (value & (value - 1)) != 0)
		return refuse(doc, node, key, OC_ERANGE, "is not a power of two");
	return OC_OK;
}

bool oev_conf_decimal(const char *text, size_t len, uint64_t *out)
{
	const char *point = memchr(text, '.', len);
	size_t whole = point != NULL ? (size_t)(point - text) : len;
	size_t decimals = point != NULL ? len - whole - 1 : 0;

	if (whole == 0 || whole > DECIMAL_WHOLE_MAX || !is_digits(text, whole) ||
	    (whole > 1 && text[0] == '0'))
		return false;
	if (point != NULL && (decimals > DECIMALS || !is_digits(point + 1, decimals)))
		return false;
	*out = 0;
	for (size_t i = 0; i < whole + DECIMALS; i++) {
		bool written = i < whole || i - whole < decimals;
		char digit = !written ? '0' : i < whole ? text[i] : point[1 + i - whole];

		*out = *out * 10 + (uint64_t)(digit - '0');
	}
	return true;
}

static int check_decimal(const struct oev_conf_doc *doc, const struct oev_conf_node *node,
			 const struct oev_conf_key *key)
{
	uint64_t value;

	if (!node->plain)
		return refuse(doc, node, key, OC_EMALFORMED, "is quoted, not a number");
	if (!oev_conf_decimal(node->text, node->len, &value))
		return refuse(doc, node, key, OC_EMALFORMED, "is not a decimal number");
	if (value < key->min || value > key->max)
		return refuse(doc, node, key, OC_ERANGE, "is out of range");
	return OC_OK;
}

static int check_word(const struct oev_conf_doc *doc, const struct oev_conf_node *node,
		      const struct oev_conf_key *key)
{
	const char *word = key->words;

	while (node->len > 0) {
		size_t len = strcspn(word, "|");

		if (len == node->len && memcmp(word, node->text, len) == 0)
			return OC_OK;
		if (word[len] == '\0')
			break;
		word += len + 1;
	}
	return refuse(doc, node, key, OC_ERANGE, "is not one of the words");
}

static int check_text(const struct oev_conf_doc *doc, const struct oev_conf_node *node,
		      const struct oev_conf_key *key)
{
	for (size_t i = 0; i < node->len; i++)
		if ((unsigned char)node->text[i] < ' ' || node->text[i] == 0x7f)
			return refuse(doc, node, key, OC_EMALFORMED, "contains a control character");
	if (node->len < key->min)
		return refuse(doc, node, key, OC_ERANGE, "is too short");
	if (node->len > key->max)
		return refuse(doc, node, key, OC_ERANGE, "is too long");
	return OC_OK;
}

static int check_scalar(const struct oev_conf_doc *doc, const struct oev_conf_node *node,
			const struct oev_conf_key *key)
{
	static int (*const checks[])(const struct oev_conf_doc *, const struct oev_conf_node *,
				     const struct oev_conf_key *) = {
		[OEV_KEY_UINT] = check_uint, [OEV_KEY_BOOL] = check_bool,	[OEV_KEY_WORD] = check_word,
		[OEV_KEY_TEXT] = check_text, [OEV_KEY_DECIMAL] = check_decimal,
	};
	_Static_assert(sizeof(checks) / sizeof(checks[0]) == OEV_KEY_LIST, "one check per scalar type");

	if (node->shape == OEV_SHAPE_LIST)
		return refuse(doc, node, key, OC_EMALFORMED, "is a list, not a single value");
	if (node->shape == OEV_SHAPE_MAPPING)
		return refuse(doc, node, key, OC_EMALFORMED, "is a group of keys, not a single value");
	if (is_nothing(node))
		return refuse(doc, node, key, OC_EMALFORMED, "");
	return checks[key->type](doc, node, key);
}

/* @node is an entry of the list in row @key: "peers[7]" of "peers". Its position is checked, not its value. */
static int check_position(const struct oev_conf_doc *doc, const struct oev_conf_node *node)
{
	char row_path[OEV_CONF_NAME_MAX];
	const char *bracket = strrchr(node->at.path, '[');
	const struct oev_conf_key *list;
	size_t len = strlen(node->at.path);

	if (len == 0 || node->at.path[len - 1] != ']' || bracket == NULL)
		return OC_OK;
	oev_conf_row_path(node->at.path, row_path);
	row_path[strlen(row_path) - 2] = '\0';
	list = row_of(doc->kind, row_path);
	if (list == NULL || strtoull(bracket + 1, NULL, 10) < list->max)
		return OC_OK;
	return oev_conf_doc_fail(doc, &node->at, OC_ERANGE,
				 "too many entries (allowed: %" PRIu64 "..%" PRIu64 " entries)", list->min,
				 list->max);
}

static int check_section(const struct oev_conf_doc *doc, const struct oev_conf_node *node)
{
	if (node->shape == OEV_SHAPE_MAPPING)
		return OC_OK;
	if (node->shape == OEV_SHAPE_LIST)
		return oev_conf_doc_fail(doc, &node->at, OC_EMALFORMED,
					 "is a list (allowed: keys of its own, as \"key: value\")");
	if (is_nothing(node))
		return oev_conf_doc_fail(doc, &node->at, OC_EMALFORMED,
					 "has no keys (allowed: at least one key, or leave it out)");
	return oev_conf_doc_fail(doc, &node->at, OC_EMALFORMED,
				 "is a single value; is a colon missing? (allowed: keys, as \"key: value\")");
}

int oev_conf_check_node(const struct oev_conf_doc *doc, const struct oev_conf_node *node)
{
	char row_path[OEV_CONF_NAME_MAX];
	const struct oev_conf_key *key;
	int err = check_position(doc, node);

	if (err != OC_OK)
		return err;
	oev_conf_row_path(node->at.path, row_path);
	key = row_of(doc->kind, row_path);
	if (key == NULL)
		return check_section(doc, node);
	if (key->type != OEV_KEY_LIST)
		return check_scalar(doc, node, key);
	if (node->shape == OEV_SHAPE_LIST)
		return OC_OK;
	return refuse(doc, node, key, OC_EMALFORMED, "is not a list");
}
