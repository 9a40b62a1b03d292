/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From a line to a command: which keys each command takes, and what each key may hold.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../app/oev_app.h"
#include "oev_ctl.h"

/* Keys as bits, so that a command says in one word what it takes and what it needs. */
enum key {
	KEY_TYPE = 0x01,
	KEY_SUBJECT = 0x02,
	KEY_APP = 0x04,
	KEY_REDUCTION = 0x08,
	KEY_RATE = 0x10,
	KEY_VALIDITY = 0x20,
	KEY_FOR = 0x40,
	KEY_VALUE = 0x80,
	KEY_REASON = 0x100
};

static const struct {
	const char *word;
	unsigned takes;
	unsigned needs;
} commands[OEV_CTL_KIND_COUNT] = {
	[OEV_CTL_PING] = { "ping", 0, 0 },
	[OEV_CTL_REPORT_SET] = { "report.set",
				 KEY_TYPE | KEY_SUBJECT | KEY_APP | KEY_REDUCTION | KEY_RATE | KEY_VALIDITY |
					 KEY_FOR | KEY_REASON,
				 KEY_TYPE | KEY_REASON },
	[OEV_CTL_REPORT_END] = { "report.end", KEY_TYPE | KEY_SUBJECT | KEY_APP | KEY_REASON,
				 KEY_TYPE | KEY_REASON },
	[OEV_CTL_REPORT_LIST] = { "report.list", 0, 0 },
	[OEV_CTL_LOAD_SET] = { "load.set", KEY_VALUE, KEY_VALUE },
	[OEV_CTL_LOAD_LIST] = { "load.list", 0, 0 },
	[OEV_CTL_STATES] = { "states", 0, 0 },
	[OEV_CTL_STATS] = { "stats", 0, 0 },
	[OEV_CTL_POLICY_RELOAD] = { "policy.reload", KEY_REASON, KEY_REASON },
};

struct parse {
	struct oev_ctl_command *out;
	char *error; /* OEV_CTL_ERROR_MAX octets */
};

__attribute__((format(printf, 3, 4))) static int fail(const struct parse *parse, int err, const char *format,
						      ...)
{
	va_list args;

	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(parse->error, OEV_CTL_ERROR_MAX, format, args);
	va_end(args);
	for (char *c = parse->error; *c != '\0'; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?'; /* what a client sent may stand in it */
	return err;
}

static int take_number(const struct parse *parse, const char *key, const json_t *value, int64_t least,
		       int64_t most, uint32_t *out)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value))
		return fail(parse, OC_EMALFORMED,
			    "%s: not a whole number (allowed: %" PRId64 "..%" PRId64 ")", key, least, most);
	if (number < least || number > most)
		return fail(parse, OC_ERANGE,
			    "%s: %" JSON_INTEGER_FORMAT " is out of range (allowed: %" PRId64 "..%" PRId64
			    ")",
			    key, number, least, most);
	*out = (uint32_t)number;
	return OC_OK;
}

static int take_type(const struct parse *parse, const json_t *value)
{
	const char *text = json_string_value(value);

	for (unsigned type = 0; text != NULL && type < OC_REPORT_COUNT; type++) {
		if (strcmp(text, oc_report_type_text(type)) != 0)
			continue;
		parse->out->type = (enum oc_report_type)type;
		return OC_OK;
	}
	return fail(parse, OC_EINVAL, "type: \"%.40s\" is not one of the words (allowed: host, realm, peer)",
		    text != NULL ? text : "");
}

/* Names as the agent keeps them: visible octets in lower case (oc_names.h). */
static int take_subject(const struct parse *parse, const json_t *value)
{
	const char *text = json_string_value(value);
	size_t len = json_string_length(value);

	if (text == NULL || len == 0 || len > OC_IDENT_MAX)
		return fail(parse, OC_EMALFORMED, "subject: not a name (allowed: 1..%u octets)",
			    OC_IDENT_MAX);
	for (size_t i = 0; i < len; i++) {
		if (text[i] <= ' ' || text[i] > '~')
			return fail(parse, OC_EMALFORMED, "subject: has an octet that no name has");
		parse->out->subject[i] =
			text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
	}
	parse->out->subject[len] = '\0';
	return OC_OK;
}

static int take_app(const struct parse *parse, const json_t *value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value))
		return take_number(parse, "application", value, 0, UINT32_MAX - 1, &parse->out->app_id);
	if (text != NULL && strcmp(text, "all") == 0)
		return OC_OK;
	if (text == NULL || oev_app_parse(text, &parse->out->app_id) != OC_OK)
		return fail(parse, OC_EINVAL,
			    "application: \"%.40s\" is unknown (allowed: a number, gx, rx, gy, s6a, cx, swx, "
			    "gxx, s9, all)",
			    text != NULL ? text : "");
	return OC_OK;
}

static int take_value(const struct parse *parse, const json_t *value)
{
	const char *text = json_string_value(value);

	parse->out->load_is_measured = text != NULL && strcmp(text, "auto") == 0;
	if (parse->out->load_is_measured)
		return OC_OK;
	if (text != NULL)
		return fail(parse, OC_EMALFORMED, "value: \"%.40s\" is neither 0..65535 nor auto", text);
	return take_number(parse, "value", value, 0, OC_LOAD_IDLE, &parse->out->load_value);
}

static int take_reduction(const struct parse *parse, const json_t *value)
{
	parse->out->has_reduction = true;
	return take_number(parse, "reduction_pct", value, 0, 100, &parse->out->reduction_pct);
}

static int take_rate(const struct parse *parse, const json_t *value)
{
	parse->out->has_rate = true;
	return take_number(parse, "rate_rps", value, 0, UINT32_MAX, &parse->out->rate_rps);
}

static int take_validity(const struct parse *parse, const json_t *value)
{
	return take_number(parse, "validity_s", value, 0, 86400, &parse->out->validity_s);
}

static int take_for(const struct parse *parse, const json_t *value)
{
	return take_number(parse, "for_s", value, 0, 31536000, &parse->out->for_s); /* a year */
}

/* A text for people: whatever JSON lets in, but no control characters. */
static int take_reason(const struct parse *parse, const json_t *value)
{
	const char *text = json_string_value(value);
	size_t len = json_string_length(value);

	if (text == NULL || len == 0 || len >= OC_ORDER_TEXT_MAX)
		return fail(parse, OC_EMALFORMED, "reason: not a text (allowed: 1..%u octets)",
			    OC_ORDER_TEXT_MAX - 1);
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return fail(parse, OC_EMALFORMED, "reason: has a control character");
	memcpy(parse->out->reason, text, len + 1);
	return OC_OK;
}

static const struct {
	const char *name;
	unsigned bit;
	int (*take)(const struct parse *parse, const json_t *value);
} keys[] = {
	{ "type", KEY_TYPE, take_type },       { "subject", KEY_SUBJECT, take_subject },
	{ "application", KEY_APP, take_app },  { "reduction_pct", KEY_REDUCTION, take_reduction },
	{ "rate_rps", KEY_RATE, take_rate },   { "validity_s", KEY_VALIDITY, take_validity },
	{ "for_s", KEY_FOR, take_for },	       { "value", KEY_VALUE, take_value },
	{ "reason", KEY_REASON, take_reason },
};
#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

static int take_command(const struct parse *parse, const json_t *root)
{
	const char *word = json_string_value(json_object_get(root, "do"));

	if (word == NULL)
		return fail(parse, OC_EINVAL, "the key \"do\" is missing, or not a word");
	for (unsigned kind = 0; kind < OEV_CTL_KIND_COUNT; kind++) {
		if (strcmp(commands[kind].word, word) != 0)
			continue;
		parse->out->kind = (enum oev_ctl_kind)kind;
		return OC_OK;
	}
	return fail(parse, OC_EINVAL, "do: unknown command \"%.40s\"", word);
}

/* Takes one key; its bit is added to *@given. */
static int take_key(const struct parse *parse, const char *name, const json_t *value, unsigned *given)
{
	unsigned takes = commands[parse->out->kind].takes;

	if (strcmp(name, "do") == 0)
		return OC_OK;
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (strcmp(keys[i].name, name) != 0 || (takes & keys[i].bit) == 0)
			continue;
		*given |= keys[i].bit;
		return keys[i].take(parse, value);
	}
	return fail(parse, OC_EINVAL, "%s takes no key \"%.40s\"", commands[parse->out->kind].word, name);
}

static int check_whole(const struct parse *parse, unsigned given)
{
	const struct oev_ctl_command *out = parse->out;
	unsigned needs = commands[out->kind].needs & ~given;

	for (size_t i = 0; i < KEY_COUNT; i++)
		if ((needs & keys[i].bit & ~(unsigned)KEY_REASON) != 0)
			return fail(parse, OC_EINVAL, "%s needs the key \"%s\"", commands[out->kind].word,
				    keys[i].name);
	if ((given & KEY_TYPE) != 0 && out->type != OC_REPORT_PEER && (given & KEY_SUBJECT) == 0)
		return fail(parse, OC_EINVAL, "a report of type %s needs the key \"subject\"",
			    oc_report_type_text(out->type));
	if (out->kind == OEV_CTL_REPORT_SET && !out->has_reduction && !out->has_rate)
		return fail(parse, OC_EINVAL, "report.set needs reduction_pct, rate_rps or both");
	if ((needs & KEY_REASON) != 0) /* last, so that what makes no sense is said before */
		return fail(parse, OC_EINVAL, "%s: give a reason; it is kept in the evidence",
			    commands[out->kind].word);
	return OC_OK;
}

static int take_root(const struct parse *parse, json_t *root)
{
	unsigned given = 0;
	const char *name;
	json_t *value;
	int rc = json_is_object(root) ? take_command(parse, root)
				      : fail(parse, OC_EMALFORMED, "not a JSON object");

	if (rc != OC_OK)
		return rc;
	for (void *at = json_object_iter(root); at != NULL; at = json_object_iter_next(root, at)) {
		name = json_object_iter_key(at);
		value = json_object_iter_value(at);
		rc = take_key(parse, name, value, &given);
		if (rc != OC_OK)
			return rc;
	}
	return check_whole(parse, given);
}

int oev_ctl_parse(const char *line, size_t len, struct oev_ctl_command *out,
		  char error[static OEV_CTL_ERROR_MAX])
{
	const struct parse parse = { .out = out, .error = error };
	json_error_t why;

	*out = (struct oev_ctl_command){ .app_id = OC_APP_ANY };
	if (len > OEV_CTL_LINE_MAX)
		return fail(&parse, OC_ERANGE, "longer than %u octets", OEV_CTL_LINE_MAX);
	json_t *root = json_loadb(line, len, JSON_REJECT_DUPLICATES, &why);
	if (root == NULL)
		return fail(&parse, OC_EMALFORMED, "not JSON at octet %d: %.160s", why.position, why.text);
	int rc = take_root(&parse, root);
	json_decref(root);
	return rc;
}

const char *oev_ctl_kind_text(unsigned kind)
{
	return kind < OEV_CTL_KIND_COUNT ? commands[kind].word : "?";
}
