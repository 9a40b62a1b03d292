/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How far a long scan is: a bar on a terminal, a plain line now and then elsewhere.
 */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

#define BAR_WIDTH 30

double cli_now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void cli_progress_start(struct cli_progress *progress, enum cli_progress_kind kind)
{
	*progress = (struct cli_progress){ .kind = kind, .started_s = cli_now_s() };
	progress->said_s = progress->started_s;
	if (kind == CLI_PROGRESS_AUTO)
		progress->kind = isatty(STDERR_FILENO) ? CLI_PROGRESS_BAR : CLI_PROGRESS_PLAIN;
}

/* Seconds between two signs of life; quick audits show none. */
static double period_s(enum cli_progress_kind kind)
{
	return kind == CLI_PROGRESS_BAR ? 0.2 : kind == CLI_PROGRESS_JSON ? 1.0 : 10.0;
}

static void draw_bar(double part, double rate, double left_s)
{
	int full = (int)(part * BAR_WIDTH);

	fprintf(stderr, "\r[");
	for (int i = 0; i < BAR_WIDTH; i++)
		fputc(i < full ? '=' : i == full ? '>' : ' ', stderr);
	fprintf(stderr, "] %3.0f %%  %.2f M/s  about %.0f s ", part * 100, rate / 1e6, left_s);
}

void cli_progress_say(struct cli_progress *progress, uint64_t done, uint64_t total)
{
	double now_s = cli_now_s(), spent_s = now_s - progress->started_s;
	const char *unit = progress->unit != NULL ? progress->unit : "decisions";

	if (progress->kind == CLI_PROGRESS_NONE || now_s - progress->said_s < period_s(progress->kind))
		return;
	progress->said_s = now_s;
	double part = total > 0 ? (double)done / (double)total : 0;
	double rate = spent_s > 0 ? (double)done / spent_s : 0;
	double left_s = rate > 0 && total > done ? (double)(total - done) / rate : 0;
	part = part > 1 ? 1 : part;
	if (progress->kind == CLI_PROGRESS_BAR) {
		draw_bar(part, rate, left_s);
		progress->drawn = true;
	} else if (progress->kind == CLI_PROGRESS_JSON) {
		fprintf(stderr, "{\"done\":%" PRIu64 ",\"total\":%" PRIu64 ",\"per_second\":%.0f}\n", done,
			total, rate);
	} else if (total == 0) {
		fprintf(stderr, "doic: %" PRIu64 " %s read, %.2f M/s\n", done, unit, rate / 1e6);
	} else {
		fprintf(stderr, "doic: %.0f %% read, %.2f M %s/s, about %.0f s left\n", part * 100,
			rate / 1e6, unit, left_s);
	}
}

void cli_progress_stop(struct cli_progress *progress)
{
	if (progress->drawn)
		fprintf(stderr, "\r%*s\r", BAR_WIDTH + 40, "");
}
