/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic ctl tap: a line for each second and for each change, as they happen.
 */
#include <inttypes.h>
#include <string.h>

#include "cli_ctl_web.h"

struct tap {
	const struct cli_ctl_ask *ask;
	uint64_t said;
};

static bool count(struct tap *tap)
{
	tap->said++;
	return fflush(stdout) == 0 && (tap->ask->limit == 0 || tap->said < tap->ask->limit);
}

/* "14:03:27" of "2026-11-29T14:03:27.120034Z". */
static const char *clock_of(const json_t *object, const char *key, char out[static 9])
{
	const char *text = json_string_value(json_object_get(object, key));

	snprintf(out, 9, "%.8s", text != NULL && strlen(text) >= 19 ? text + 11 : "--:--:--");
	return out;
}

static json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void print_second(const json_t *second)
{
	char at[9];

	clock_of(second, "second", at);
	if (!json_is_true(json_object_get(second, "known"))) {
		printf("%s  second  unknown: nothing was recorded\n", at);
		return;
	}
	printf("%s  second  requests %" JSON_INTEGER_FORMAT "  refused %" JSON_INTEGER_FORMAT
	       "  diverted %" JSON_INTEGER_FORMAT "  useful %" JSON_INTEGER_FORMAT
	       "  lost %" JSON_INTEGER_FORMAT,
	       at, number(second, "requests"), number(second, "refused"), number(second, "diverted"),
	       number(second, "useful"), number(second, "lost"));
	if (json_object_get(second, "asked_ratio") != NULL)
		printf("  asked %.0f %%", 100 * json_real_value(json_object_get(second, "asked_ratio")));
	if (json_object_get(second, "selected_ratio") != NULL)
		printf("  selected %.1f %%",
		       100 * json_real_value(json_object_get(second, "selected_ratio")));
	printf("%s\n", json_is_true(json_object_get(second, "gap")) ? "  GAP" : "");
}

static void print_change(const json_t *change)
{
	const char *text = json_string_value(json_object_get(change, "text"));
	char at[9], words[400];

	snprintf(words, sizeof(words), "%s", text != NULL ? text : "");
	printf("%s  change  %s\n", clock_of(change, "time", at), cli_safe(words));
}

static bool on_json(struct tap *tap, const char *name, json_t *data)
{
	json_t *line = json_pack("{s:s, s:O}", "event", name, "data", data);

	json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(line);
	return count(tap);
}

static bool on_words(struct tap *tap, const char *name, const json_t *data)
{
	const json_t *seconds = json_object_get(data, "seconds");

	if (strcmp(name, "event") == 0) {
		print_change(data);
		return count(tap);
	}
	if (strcmp(name, "reset") == 0) {
		printf("--------  reset   too slow for the stream: what happened meanwhile is not shown\n");
		return count(tap);
	}
	for (size_t i = 0; strcmp(name, "tick") == 0 && i < json_array_size(seconds); i++) {
		print_second(json_array_get(seconds, i));
		if (!count(tap))
			return false;
	}
	return true;
}

static bool on_event(void *ctx, const char *name, const char *text)
{
	struct tap *tap = ctx;
	json_t *data = json_loads(text, 0, NULL);
	bool goes_on = true;

	if (data != NULL)
		goes_on = tap->ask->json ? on_json(tap, name, data) : on_words(tap, name, data);
	json_decref(data);
	return goes_on;
}

int cli_ctl_tap(struct cli_ctl_web *web)
{
	struct tap tap = { .ask = web->ask };

	cli_catch_interrupt();
	return cli_http_follow(web->http, "/api/v1/events", on_event, &tap, web->error);
}
