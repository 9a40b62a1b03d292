/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl why: what a decision, or those of a session, depended on. It says what the page's Find says, of the same replies.
 */
#include <inttypes.h>
#include <string.h>

#include "../app/oev_cut.h"
#include "cli_ctl_web.h"

#define PAGES_MAX 20u

static int say_nothing(struct cli_ctl_web *web, const char *what)
{
	const char *reached = json_string_value(json_object_get(web->reply.json, "reached"));
	bool is_whole = json_object_get(web->reply.json, "next") == NULL;

	if (is_whole)
		snprintf(web->error, sizeof(web->error), "no decision of %s is in the evidence", what);
	else
		snprintf(web->error, sizeof(web->error),
			 "no decision of %s is among those looked at, which are those since %.40s", what,
			 reached != NULL ? reached : "?");
	return is_whole ? CLI_NO : CLI_UNSURE;
}

/* The next page in place of @all's "next" and "reached", its rows behind those of @all. */
static int add_page(struct cli_ctl_web *web, json_t *all, const char *path)
{
	char cursor[256];

	snprintf(cursor, sizeof(cursor), "%s", json_string_value(json_object_get(all, "next")));
	int code = cli_ctl_find_ask(web, path, cursor);
	if (code != CLI_OK)
		return code;
	json_array_extend(json_object_get(all, "decisions"), json_object_get(web->reply.json, "decisions"));
	json_object_del(all, "next");
	json_object_del(web->reply.json, "decisions");
	json_object_update(all, web->reply.json);
	return CLI_OK;
}

/* A page may end without a row, for only so many are looked at for one. */
static int ask_decisions(struct cli_ctl_web *web, const char *session)
{
	char path[200];
	int code = cli_ctl_find_ask(web, "/api/v1/decisions?session=", session);
	json_t *all = json_incref(web->reply.json);

	snprintf(path, sizeof(path), "/api/v1/decisions?session=%.40s&cursor=", session);
	for (unsigned i = 0; code == CLI_OK && i < PAGES_MAX && json_object_get(all, "next") != NULL; i++)
		code = add_page(web, all, path);
	if (code == CLI_OK) {
		json_object_set_new(all, "session", json_string(session));
		json_decref(web->reply.json);
		web->reply.json = all;
		return json_array_size(json_object_get(all, "decisions")) > 0
			       ? CLI_OK
			       : say_nothing(web, "such a session");
	}
	json_decref(all);
	return code;
}

/* Adds to the reply, which lists the decisions of a session, the whole of the newest, which stands first. */
static int add_newest(struct cli_ctl_web *web)
{
	json_t *all = json_incref(web->reply.json);
	const json_t *first = json_array_get(json_object_get(all, "decisions"), 0);
	const char *id = json_string_value(json_object_get(first, "id"));
	int code = cli_ctl_find_ask(web, "/api/v1/decisions/", id != NULL ? id : "");

	if (code == CLI_OK) {
		json_object_set_new(all, "newest", web->reply.json);
		web->reply.json = json_incref(all);
	}
	json_decref(all);
	return code;
}

int cli_ctl_why(struct cli_ctl_web *web)
{
	const char *id = web->ask->words[1];
	char session[32];

	if (cli_ctl_is_pseudonym(id))
		return ask_decisions(web, id);
	if (!cli_ctl_is_session_id(id))
		return cli_ctl_find_ask(web, "/api/v1/decisions/", id);
	int code = cli_ctl_find(web, "session_id", id, session, sizeof(session));
	if (code == CLI_OK)
		code = ask_decisions(web, session);
	return code == CLI_OK ? add_newest(web) : code;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text != NULL ? text : "-";
}

static json_int_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* "refused with 5012: host_report, host state #1" */
static void print_verdict(const json_t *decision, FILE *out)
{
	char line[512];
	int len = snprintf(line, sizeof(line), "%.20s", text_of(decision, "verdict"));

	if (number_of(decision, "result_code") != 0)
		len += snprintf(line + len, sizeof(line) - (size_t)len, " with %" JSON_INTEGER_FORMAT,
				number_of(decision, "result_code"));
	if (json_object_get(decision, "why") != NULL)
		len += snprintf(line + len, sizeof(line) - (size_t)len, ": %.40s", text_of(decision, "why"));
	if (number_of(decision, "version") != 0)
		snprintf(line + len, sizeof(line) - (size_t)len, ", %.10s state #%" JSON_INTEGER_FORMAT,
			 text_of(decision, "selected_by"), number_of(decision, "version"));
	fprintf(out, "%s\n", cli_safe(line));
}

/* "host: state #1 of s1.example.net, which asks for 50 % less, share 50.0 %, draw 12 under it" */
static void print_look(const char *scope, const json_t *look, FILE *out)
{
	char asked[64] = "", line[640];
	const json_t *ratio = json_object_get(look, "reduction_ratio"),
		     *rate = json_object_get(look, "rate_per_second");

	if (rate != NULL)
		snprintf(asked, sizeof(asked), ", which asks for %" JSON_INTEGER_FORMAT "/s at most",
			 json_integer_value(rate));
	else if (ratio != NULL)
		snprintf(asked, sizeof(asked), ", which asks for %.0f %% less",
			 100 * json_number_value(ratio));
	int len = snprintf(line, sizeof(line), "  %.10s: state #%" JSON_INTEGER_FORMAT, scope,
			   number_of(look, "version"));
	if (json_object_get(look, "subject") != NULL)
		len += snprintf(line + len, sizeof(line) - (size_t)len, " of %.*s%s",
				oev_cut(text_of(look, "subject"), 300), text_of(look, "subject"), asked);
	len += snprintf(line + len, sizeof(line) - (size_t)len, ", share %.1f %%",
			100 * json_number_value(json_object_get(look, "share_ratio")));
	if (number_of(look, "nth") != 0)
		snprintf(line + len, sizeof(line) - (size_t)len, ", draw %" JSON_INTEGER_FORMAT " under it",
			 number_of(look, "nth"));
	fprintf(out, "%s\n", cli_safe(line));
}

/* The answer in words, then all there is. */
static void print_decision(const json_t *decision, FILE *out)
{
	const char *scope;
	json_t *look;

	print_verdict(decision, out);
	json_object_foreach(json_object_get(decision, "looks"), scope, look) print_look(scope, look, out);
	cli_ctl_print_object(decision, 0, out);
}

static void print_table(const json_t *reply, FILE *out)
{
	static const char *const titles[] = { "id",	     "time",	"command_text", "verdict",     "why",
					      "selected_by", "version", "next_hop",	"answer_code", NULL };

	cli_ctl_print_columns(json_object_get(reply, "decisions"), titles, out);
	if (json_object_get(reply, "next") != NULL)
		fprintf(out, "there may be more\n");
}

/* The newest decision of a session, and how to see the others. */
static void print_newest(const json_t *reply, FILE *out)
{
	const json_t *list = json_object_get(reply, "decisions");
	size_t count = json_array_size(list), refused = 0, i;
	const char *more = json_object_get(reply, "next") != NULL ? "at least " : "";
	json_t *row;

	json_array_foreach(list, i, row) refused += strcmp(text_of(row, "verdict"), "refused") == 0;
	if (count > 1)
		fprintf(out, "newest of %s%zu decisions, %zu of them refused:\n", more, count, refused);
	print_decision(json_object_get(reply, "newest"), out);
	if (count > 1)
		fprintf(out, "%s%zu %s of the same session: doic ctl why %.40s\n", more, count - 1,
			count > 2 ? "others" : "other", text_of(reply, "session"));
}

void cli_ctl_why_print(const json_t *reply, FILE *out)
{
	if (json_object_get(reply, "decisions") == NULL) {
		print_decision(reply, out);
		return;
	}
	fprintf(out, "session %.40s\n", text_of(reply, "session"));
	if (json_object_get(reply, "newest") != NULL)
		print_newest(reply, out);
	else
		print_table(reply, out);
}
