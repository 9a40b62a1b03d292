/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Options of replay and whatif.
 */
#include "cli_again.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"

int cli_again_init(struct cli_again *again, int argc)
{
	struct timespec now;

	*again = (struct cli_again){ .until_us = UINT64_MAX };
	clock_gettime(CLOCK_REALTIME, &now);
	again->now_us = (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
	again->inputs = calloc((size_t)argc + 1, sizeof(*again->inputs));
	return again->inputs != NULL ? 0 : -1;
}

void cli_again_fini(struct cli_again *again)
{
	free(again->inputs);
	again->inputs = NULL;
}

static int take_time(struct cli_again *again, const char *text, uint64_t *out)
{
	int rc = oev_time_parse(text, again->now_us, out);

	if (rc == OC_OK)
		return 0;
	snprintf(again->look.error, sizeof(again->look.error),
		 "\"%.64s\" is no time (%s); write 2026-11-29T14:00:00Z, 14:00, -10m or now", text,
		 oc_err_text(rc));
	return EINVAL;
}

/* "-1h" or "1h": that long, up to the end of the evidence. */
static int take_window(struct cli_again *again, const char *text)
{
	char ago[32];
	uint64_t then_us = 0;

	snprintf(ago, sizeof(ago), "%s%s", text[0] == '-' ? "" : "-", text);
	if (oev_time_parse(ago, again->now_us, &then_us) == OC_OK && then_us < again->now_us) {
		again->last_us = again->now_us - then_us;
		return 0;
	}
	snprintf(again->look.error, sizeof(again->look.error),
		 "--window \"%.64s\" is no length of time; write -90s, -10m, -2h or -1d", text);
	return EINVAL;
}

error_t cli_again_take(int key, char *arg, struct cli_again *again)
{
	switch (key) {
	case CLI_AGAIN_SINCE:
		return take_time(again, arg, &again->since_us);
	case CLI_AGAIN_UNTIL:
		return take_time(again, arg, &again->until_us);
	case CLI_AGAIN_WINDOW:
		return take_window(again, arg);
	case CLI_AGAIN_NODE:
		again->node = arg;
		return 0;
	case ARGP_KEY_ARG:
		again->inputs[again->input_count++] = arg;
		return 0;
	default:
		return cli_look_take(&again->look, key, arg);
	}
}

int cli_again_check(struct cli_again *again)
{
	if (again->look.error[0] != '\0' || again->look.help)
		return again->look.help ? CLI_OK : CLI_USAGE;
	if (again->input_count == 0)
		snprintf(again->look.error, sizeof(again->look.error), "name an evidence folder or segments");
	else if (again->since_us >= again->until_us)
		snprintf(again->look.error, sizeof(again->look.error),
			 "the window is empty: --since is not before --until");
	else if (again->last_us != 0 && again->since_us != 0)
		snprintf(again->look.error, sizeof(again->look.error),
			 "--window and --since say the same twice");
	return again->look.error[0] == '\0' ? CLI_OK : CLI_USAGE;
}

static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct cli_again *again = ctx;

	cli_progress_say(&again->shown, done, total);
}

static bool on_stop(void *ctx)
{
	(void)ctx;
	return cli_interrupted();
}

struct oev_lives_options cli_again_lives(struct cli_again *again)
{
	return (struct oev_lives_options){ .inputs = again->inputs,
					   .input_count = again->input_count,
					   .node = again->node,
					   .since_us = again->since_us,
					   .until_us = again->until_us,
					   .last_us = again->last_us,
					   .progress = on_progress,
					   .stop = on_stop,
					   .ctx = again };
}

void cli_again_speed(uint64_t decisions, double seconds, char *out, size_t size)
{
	double rate = seconds > 0 ? (double)decisions / seconds : 0;

	if (rate >= 1e6)
		snprintf(out, size, "(%.1f s, %.2f M decisions/s)", seconds, rate / 1e6);
	else
		snprintf(out, size, "(%.1f s, %.0f k decisions/s)", seconds, rate / 1e3);
}

void cli_again_verdict(FILE *out, const char *line, bool color, int code)
{
	const char *paint = code == CLI_OK ? "\033[1;32m" : code == CLI_NO ? "\033[1;31m" : "\033[1;33m";
	const char *end = strstr(line, "  ");
	size_t length = end != NULL ? (size_t)(end - line) : 0;

	if (color && length > 0)
		fprintf(out, "%s%.*s\033[0m%s", paint, (int)length, line, line + length);
	else
		fputs(line, out);
}
