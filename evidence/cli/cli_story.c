/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The sentences about who asks for less. Claims stop where a receipt is missing.
 */
#include "cli_story.h"

#include <math.h>
#include <string.h>

#include "../app/oev_cut.h"
#include "cli_board_cells.h"
#include "cli_series.h"

#define FINISHED "no agent runs here; what is shown is the end of a finished evidence folder"

static const char *time_text(double seconds, char out[static 40])
{
	unsigned long s = (unsigned long)fmax(0, fmin(seconds, 1e12));

	if (s >= 3600)
		snprintf(out, 40, "%lu h %lu m", s / 3600, s / 60 % 60);
	else if (s >= 60)
		snprintf(out, 40, "%lu m %lu s", s / 60, s % 60);
	else
		snprintf(out, 40, "%lu s", s);
	return out;
}

/* What is asked: "30 % less", "at most 250 requests/s". */
static void put_wish(FILE *out, const json_t *of, const char *reduction, const char *rate)
{
	double share = cli_number(of, reduction, -1), per_s = cli_number(of, rate, -1);
	char text[40];

	if (per_s >= 0)
		fprintf(out, "at most %s requests/s", cli_grouped(per_s, text, sizeof(text)));
	if (per_s < 0 || share > 0)
		fprintf(out, "%s%.0f %% less", per_s >= 0 ? " or " : "", 100 * (share > 0 ? share : 0));
}

static void put_obeys(FILE *out, const json_t *status, const json_t *state)
{
	double drawn = cli_number(state, "same_matched", cli_number(state, "matched", 0)),
	       taken = cli_number(state, "same_selected", cli_number(state, "selected", 0));

	if (cli_is(json_object_get(status, "node"), "mode", "observe"))
		fputs("we only observe, and forward everything", out);
	else if (drawn <= 0)
		fputs("no request has matched it yet", out);
	else
		fprintf(out, "we obey and selected %.2f %%", 100 * taken / drawn);
}

static void put_name(FILE *out, const char *name)
{
	fprintf(out, "%.*s", oev_cut(name, 255), name);
}

/* "pcrf-2.example asks for 30 % less (loss, host, Gx)", or what this node itself asks. */
static void put_asking(FILE *out, const json_t *state)
{
	const char *subject = json_string_value(json_object_get(state, "subject"));
	const char *algorithm = json_string_value(json_object_get(state, "algorithm"));
	const char *type = json_string_value(json_object_get(state, "type"));
	const char *app = json_string_value(json_object_get(state, "application"));
	const char *rate = cli_is(state, "algorithm", "rate") ? "rate_per_second" : "";
	bool own = json_is_true(json_object_get(state, "is_own"));

	put_name(out, own || subject == NULL ? "this node" : subject);
	fputs(" asks for ", out);
	put_wish(out, state, "reduction_ratio", rate);
	if (own) {
		fputs(" on behalf of ", out);
		put_name(out, subject != NULL ? subject : "-");
		fputs(", by its own order", out);
	}
	fprintf(out, " (%s, %s, %s)", algorithm != NULL ? algorithm : "-", type != NULL ? type : "-",
		app != NULL ? app : "all");
}

static json_t *text_of(char *text)
{
	json_t *value = json_string(text);

	return value != NULL ? value : json_string(cli_ascii(text));
}

static json_t *sentence(const json_t *status, const json_t *series, const json_t *state)
{
	char text[2 * CLI_STORY_TEXT] = "", held[40];
	FILE *out = fmemopen(text, sizeof(text), "w");

	if (out == NULL)
		return NULL;
	put_asking(out, state);
	fprintf(out, ", held for %s; ", time_text(cli_story_lasting(state), held));
	put_obeys(out, status, state);
	fputs("; ", out);
	cli_story_effect(out, series, state);
	fclose(out);
	text[sizeof(text) - 1] = '\0';
	return text_of(text);
}

/* An order about this node's own overload, which no state holds: neighbours are told, those who cannot react are refused here. */
static json_t *own_sentence(const json_t *status, const json_t *report)
{
	const json_t *second = json_object_get(status, "second");
	double refused = cli_number(json_object_get(second, "refused_why"), "own", 0);
	char text[CLI_STORY_TEXT] = "", count[40], of[40];
	const char *subject = json_string_value(json_object_get(report, "subject"));
	const char *app = json_string_value(json_object_get(report, "application"));
	FILE *out = fmemopen(text, sizeof(text), "w");

	if (out == NULL)
		return NULL;
	fputs("this node asks ", out);
	put_name(out, subject != NULL ? subject : "all its neighbours");
	fputs(" for ", out);
	put_wish(out, report, "ordered_reduction_ratio", "ordered_rate_per_second");
	fprintf(out, ", by its own order (peer, %s); told in %s answers", app != NULL ? app : "all",
		cli_grouped(cli_number(report, "sent", 0), count, sizeof(count)));
	if (json_is_true(json_object_get(second, "known")))
		fprintf(out, "; of %s/s that arrive we refuse %s/s, of those who cannot react",
			cli_grouped(cli_number(second, "requests", 0), of, sizeof(of)),
			cli_grouped(refused, count, sizeof(count)));
	else
		fputs("; we refuse it to those who cannot react", out);
	fclose(out);
	text[sizeof(text) - 1] = '\0';
	return text_of(text);
}

/* A rate cannot be compared with a share, so it comes after every share. */
static bool is_worse(const json_t *a, const json_t *b)
{
	double x = cli_number(a, "share_ratio", 0), y = cli_number(b, "share_ratio", 0);

	return x != y ? x > y : cli_number(a, "version", 0) < cli_number(b, "version", 0);
}

/* States in force, worst first, borrowed. */
static json_t *active(const json_t *status)
{
	json_t *list = json_array(), *state;
	const char *key;

	json_object_foreach(json_object_get(status, "states"), key, state)
	{
		size_t at = 0;
		if (!cli_is(state, "state", "active"))
			continue;
		while (at < json_array_size(list) && is_worse(json_array_get(list, at), state))
			at++;
		json_array_insert(list, at, state);
	}
	return list;
}

static void add_own(json_t *out, const json_t *status)
{
	const char *key;
	json_t *report;

	json_object_foreach(json_object_get(status, "reports"), key, report)
	{
		if (cli_is(report, "type", "peer") && cli_is(report, "state", "active"))
			json_array_append_new(out, own_sentence(status, report));
	}
}

/* That no neighbour is connected, of those there are. */
static void add_closed(json_t *out, const json_t *status)
{
	unsigned configured = 0, up = 0;
	char text[96];
	const char *key;
	json_t *peer;

	json_object_foreach(json_object_get(status, "peers"), key, peer)
	{
		configured += json_is_true(json_object_get(peer, "configured"));
		up += cli_is(peer, "is", "up");
	}
	snprintf(text, sizeof(text), "no Diameter peer is open; %u %s configured", configured,
		 configured == 1 ? "is" : "are");
	if (up == 0)
		json_array_append_new(out, json_string(text));
}

/* Nobody asks: the server's own sentence, and that nobody could. */
static void add_quiet(json_t *out, const json_t *status)
{
	const json_t *told = json_array_get(json_object_get(status, "sentences"), 0);

	json_array_append_new(out, told != NULL ? json_deep_copy(told) : json_string("nobody asks for less"));
	add_closed(out, status);
}

/* Returns how long the longest state is in force, s. */
static double add_asking(json_t *out, const json_t *status, const json_t *series)
{
	json_t *list = active(status), *state;
	char text[40];
	double held = 0;
	size_t i;

	json_array_foreach(list, i, state)
	{
		if (i < CLI_STORY_ASKING_MAX)
			json_array_append_new(out, sentence(status, series, state));
		held = fmax(held, cli_story_lasting(state));
	}
	if (i > CLI_STORY_ASKING_MAX) {
		snprintf(text, sizeof(text), "and %zu more", i - CLI_STORY_ASKING_MAX);
		json_array_append_new(out, json_string(text));
	}
	json_decref(list);
	return held;
}

static bool has_active(const json_t *objects)
{
	const char *key;
	json_t *object;

	json_object_foreach((json_t *)(uintptr_t)objects, key, object)
	{
		if (cli_is(object, "state", "active"))
			return true;
	}
	return false;
}

/* Only while somebody asks for less, this node included, have the series of nodes, which are much to tell, something to say. */
static bool needs_series(const json_t *status)
{
	return has_active(json_object_get(status, "states")) ||
	       has_active(json_object_get(status, "reports"));
}

json_t *cli_story(const json_t *status, const json_t *series)
{
	json_t *out = json_array();
	char cause[CLI_STORY_TEXT];

	if (json_object_get(status, "states") == NULL) {
		json_array_append_new(out, json_string(FINISHED));
		return out;
	}
	double held = add_asking(out, status, series);
	add_own(out, status);
	if (json_array_size(out) == 0) {
		add_quiet(out, status);
		return out;
	}
	cli_story_cause(series, held, cause);
	json_array_append_new(out, text_of(cause));
	return out;
}

json_t *cli_story_ask(struct cli_http *http, const json_t *status)
{
	json_t *series = http != NULL && needs_series(status) ? cli_series_ask(http) : NULL;
	json_t *story = cli_story(status, series);

	json_decref(series);
	return story;
}
