/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Turns libyaml's problems into a place and a hint an operator can use.
 */
#include "oev_conf_syntax.h"

#include <string.h>

#include "../../agent/oc_err.h"

/* libyaml's reader gives an octet offset only. Columns count octets there, which is near enough. */
static struct oev_conf_place place_of_offset(const struct oev_conf_doc *doc, size_t offset)
{
	struct oev_conf_place at = { .line = 1, .column = 1 };

	for (size_t i = 0; i < offset && i < doc->len; i++) {
		at.column++;
		if (doc->text[i] != '\n')
			continue;
		at.line++;
		at.column = 1;
	}
	return at;
}

static struct oev_conf_place place_of_mark(const yaml_mark_t *mark)
{
	return (struct oev_conf_place){ .line = (uint32_t)mark->line + 1,
					.column = (uint32_t)mark->column + 1 };
}

/* Is the first octet after the leading spaces of line @line a tab? */
static bool is_indented_by_tab(const struct oev_conf_doc *doc, size_t line)
{
	const char *at = doc->text;
	const char *end = doc->text + doc->len;

	for (; line > 0 && at < end; line--) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (at == NULL)
			return false;
		at++;
	}
	while (at < end && *at == ' ')
		at++;
	return at < end && *at == '\t';
}

int oev_conf_syntax_precheck(const struct oev_conf_doc *doc)
{
	struct oev_conf_place at = { .line = 1, .column = 1 };
	const char *nul;

	if (doc->len > OEV_CONF_DOCUMENT_MAX)
		return oev_conf_doc_fail(doc, &at, OC_ERANGE,
					 "%zu octets are too many (allowed: 0..%u octets)", doc->len,
					 OEV_CONF_DOCUMENT_MAX);
	nul = doc->len > 0 ? memchr(doc->text, '\0', doc->len) : NULL;
	if (nul == NULL)
		return OC_OK;
	at = place_of_offset(doc, (size_t)(nul - doc->text));
	return oev_conf_doc_fail(doc, &at, OC_EMALFORMED, "NUL octet (allowed: text in UTF-8)");
}

static int reader_error(const struct oev_conf_doc *doc, const yaml_parser_t *parser)
{
	struct oev_conf_place at = place_of_offset(doc, parser->problem_offset);

	if (strstr(parser->problem, "control characters") != NULL)
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED,
					 "control character 0x%02x (allowed: text in UTF-8)",
					 (unsigned)parser->problem_value);
	return oev_conf_doc_fail(doc, &at, OC_EMALFORMED, "not UTF-8: %s (allowed: text in UTF-8)",
				 parser->problem);
}

static int grammar_error(const struct oev_conf_doc *doc, const yaml_parser_t *parser)
{
	struct oev_conf_place at = place_of_mark(&parser->problem_mark);
	const char *context = parser->context != NULL ? parser->context : "while reading";

	if (is_indented_by_tab(doc, parser->problem_mark.line))
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED,
					 "a tab indents this line (allowed: spaces)");
	if (strstr(parser->problem, "could not find expected ':'") != NULL) {
		/* libyaml notices one line late; the key without a colon is its context. */
		at = place_of_mark(&parser->context_mark);
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED,
					 "a colon and a space are missing after the key");
	}
	if (strstr(parser->problem, "mapping values are not allowed") != NULL)
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED,
					 "no key can stand here; is a colon or a quote missing before it? "
					 "(allowed: one key per line, indented like its neighbours)");
	if (strstr(context, "scanning an alias") != NULL)
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED,
					 "a text that starts with * must be quoted, as \"*.example.net\"");
	if (strstr(context, "parsing a block") != NULL)
		return oev_conf_doc_fail(doc, &at, OC_EMALFORMED,
					 "this line is not indented like its neighbours (%s %s)",
					 parser->problem, context);
	return oev_conf_doc_fail(doc, &at, OC_EMALFORMED, "not YAML: %s %s", parser->problem, context);
}

int oev_conf_syntax_error(const struct oev_conf_doc *doc, const yaml_parser_t *parser)
{
	struct oev_conf_place at = { .line = 1, .column = 1 };

	if (parser->error == YAML_READER_ERROR)
		return reader_error(doc, parser);
	if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL)
		return oev_conf_doc_fail(doc, &at, OC_ENOMEM, "out of memory");
	return grammar_error(doc, parser);
}
