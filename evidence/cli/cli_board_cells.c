/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Texts of cells, and the head line of the board.
 */
#include "cli_board_cells.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

double cli_number(const json_t *object, const char *key, double fallback)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : fallback;
}

bool cli_is(const json_t *object, const char *key, const char *text)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value != NULL && strcasecmp(value, text) == 0;
}

double cli_ratio(const json_t *object, const char *part, const char *whole)
{
	double of = cli_number(object, whole, 0), value = cli_number(object, part, -1);

	return of > 0 && value >= 0 ? value / of : -1;
}

void cli_cell_text(char *cell, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	snprintf(cell, CLI_BOARD_CELL, "%s", text);
	cli_ascii(cell);
}

void cli_cell_name(char *cell, const char *text)
{
	size_t len = strlen(text), half = CLI_BOARD_CELL / 2 - 3;

	if (len < CLI_BOARD_CELL)
		snprintf(cell, CLI_BOARD_CELL, "%s", text);
	else
		snprintf(cell, CLI_BOARD_CELL, "%.*s..%s", (int)half, text, text + len - half);
	cli_ascii(cell);
}

const char *cli_grouped(double value, char *out, size_t size)
{
	char digits[40];
	int len = snprintf(digits, sizeof(digits), "%.0f", value < 0 ? 0 : value);
	size_t at = 0;

	for (int i = 0; i < len && at + 2 < size; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}

void cli_cell_count(char *cell, const json_t *object, const char *key, const char *unit)
{
	double value = cli_number(object, key, -1);
	char text[40];

	if (value >= 0)
		snprintf(cell, CLI_BOARD_CELL, "%s%s", cli_grouped(value, text, sizeof(text)), unit);
}

void cli_cell_percent(char *cell, double ratio, int decimals)
{
	if (ratio >= 0)
		snprintf(cell, CLI_BOARD_CELL, "%.*f %%", decimals, 100 * ratio);
}

void cli_cell_seconds(char *cell, const json_t *object, const char *key)
{
	double value = cli_number(object, key, -1);

	if (value >= 1)
		snprintf(cell, CLI_BOARD_CELL, "%.2f s", value);
	else if (value >= 0)
		snprintf(cell, CLI_BOARD_CELL, "%.3g ms", 1000 * value);
}

void cli_cell_asked(char *cell, const json_t *state)
{
	if (cli_is(state, "algorithm", "rate"))
		cli_cell_count(cell, state, "rate_per_second", "/s");
	else
		cli_cell_percent(cell, cli_number(state, "reduction_ratio", -1), 0);
}

double cli_cell_value(const char *cell)
{
	char digits[CLI_BOARD_CELL];
	size_t at = 0;

	if (cell[0] == '-')
		return -1;
	for (; *cell != '\0' && at + 1 < sizeof(digits); cell++)
		if ((*cell >= '0' && *cell <= '9') || *cell == '.')
			digits[at++] = *cell;
		else if (*cell == ' ' && strcmp(cell, " ms") == 0)
			break;
	digits[at] = '\0';
	return strcmp(cell, " ms") == 0 ? strtod(digits, NULL) / 1000 : strtod(digits, NULL);
}

/* Seconds since 1970 of "2026-11-29T14:03:27.120034Z"; -1. */
static double time_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	struct tm tm = { 0 };
	const char *rest = text != NULL ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;

	return rest == NULL ? -1 : (double)timegm(&tm) + (*rest == '.' ? strtod(rest, NULL) : 0);
}

static void say_evidence(const json_t *recording, char *out, size_t size)
{
	const char *error = json_string_value(json_object_get(recording, "error"));
	char text[40];

	if (recording == NULL)
		snprintf(out, size, "evidence not recorded");
	else if (error != NULL)
		snprintf(out, size, "evidence STOPPED: %.60s", error);
	else if (cli_number(recording, "gap_events", 0) > 0)
		snprintf(out, size, "evidence GAP of %s events",
			 cli_grouped(cli_number(recording, "gap_events", 0), text, sizeof(text)));
	else if (json_object_get(recording, "checkpoint_age_seconds") != NULL)
		snprintf(out, size, "evidence ok, checkpoint %.0f s ago",
			 cli_number(recording, "checkpoint_age_seconds", 0));
	else
		snprintf(out, size, "evidence ok, no checkpoint yet");
}

/* How old the figures are; -1 there are none. */
static double age_of(const json_t *status, double heard_s)
{
	const json_t *second = json_object_get(status, "second");
	double at = time_of(second, "second"), now = time_of(status, "time");

	if (at < 0 || now < 0)
		return heard_s > CLI_BOARD_STALE_S ? heard_s : -1;
	return now - at - 1 + heard_s; /* a second is told when it is over */
}

void cli_board_head(const json_t *status, double heard_s, char *out, size_t size)
{
	const json_t *second = json_object_get(status, "second"), *node = json_object_get(status, "node");
	const char *name = json_string_value(json_object_get(node, "identity"));
	const char *label = json_string_value(json_object_get(node, "label"));
	const char *at = json_string_value(json_object_get(status, "time"));
	bool is_known = json_is_true(json_object_get(second, "known"));
	char requests[40] = "-", useful[40] = "-", refused[CLI_BOARD_CELL] = "-", evidence[128], age[48] = "";

	if (is_known) {
		cli_grouped(cli_number(second, "requests", 0), requests, sizeof(requests));
		cli_grouped(cli_number(second, "useful", 0), useful, sizeof(useful));
		cli_cell_percent(refused, cli_ratio(second, "refused", "requests"), 1);
	}
	double old = age_of(status, heard_s);
	if (old > CLI_BOARD_STALE_S)
		snprintf(age, sizeof(age), "  (%.0f s old)", old);
	say_evidence(json_object_get(status, "recording"), evidence, sizeof(evidence));
	snprintf(out, size, "%.120s%s%.32s  %s req/s  refused %s  useful %s/s%s  %s  %.8sZ",
		 name != NULL ? name : "-", label != NULL ? " " : "", label != NULL ? label : "", requests,
		 refused, useful, age, evidence, at != NULL && strlen(at) > 19 ? at + 11 : "-");
	cli_ascii(out);
}
