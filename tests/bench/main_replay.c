/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the replay: a long life on a virtual clock is decided by the core and kept by the recorder, then made again.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench_latency.h"
#include "bench_report.h"
#include "evidence/replay/oev_replay.h"
#include "tests/unit/replay/help_traffic.h"

#define ROUNDS 3u
#define START_NS 1000000000000ull
#define SLICES 100u /* of the life: something changes with each */

struct options {
	const char *json;
	const char *commit;
	const char *folder; /* below which the evidence is made, and removed */
	const char *keep;   /* folder for the evidence, which stays */
	uint64_t decisions;
};

/* What one replay measured, in a process of its own. */
struct round {
	double per_s; /* by the wall clock */
	double per_cpu_s;
	double rss_mib;
	uint64_t decisions, differences, unlike; /* unlike: inexact, late, missing, unknown */
	int outcome;
};

static double now_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One slice in ten without a report; loss most of the time, a rate, a peer report and an order of our own now and then. */
static void change(struct help_traffic *t, uint32_t slice)
{
	uint32_t server = slice % HELP_SERVERS;

	if (slice % 10 == 9)
		help_traffic_quiet(t, server);
	else if (slice % 10 == 7)
		help_traffic_rate(t, 0, 2000 + 100 * slice, 10);
	else if (slice % 10 == 5)
		help_traffic_loss(t, server, OC_REPORT_PEER, 20, 5);
	else
		help_traffic_loss(t, server, OC_REPORT_HOST, 30, 10);
	t->servers[(slice + 1) % HELP_SERVERS].has_load = slice % 2 != 0;
	t->servers[(slice + 1) % HELP_SERVERS].load = 600u * slice;
	if (slice % 20 == 3)
		help_traffic_order(t, 10);
	if (slice % 20 == 13)
		help_traffic_withdraw(t);
	if (slice % 25 == 11)
		help_traffic_peer(t, server, false);
	if (slice % 25 == 12)
		for (uint32_t i = 0; i < HELP_SERVERS; i++)
			if (!t->servers[i].is_up)
				help_traffic_peer(t, i, true);
}

static void make_evidence(const struct options *options, const char *folder)
{
	static struct help_traffic traffic;
	double begun_s = now_s(CLOCK_MONOTONIC);

	help_traffic_begin(&traffic, folder, START_NS, help_policy);
	traffic.gap_ns = 20000;	      /* 50,000 requests a second, */
	traffic.latency_ns = 3000000; /* 200 of them under way */
	traffic.jitter_ns = 2000000;
	traffic.apps = 3;
	for (uint32_t i = 0; i < SLICES; i++) {
		change(&traffic, i);
		help_traffic_run(&traffic, options->decisions / SLICES);
	}
	help_traffic_end(&traffic);
	fprintf(stderr, "bench-replay: %llu decisions made and kept in %.1f s, %llu refused, %llu diverted\n",
		(unsigned long long)traffic.requests, now_s(CLOCK_MONOTONIC) - begun_s,
		(unsigned long long)traffic.refused, (unsigned long long)traffic.diverted);
}

static struct round replay_once(const char *folder)
{
	const char *const inputs[] = { folder };
	const struct oev_replay_options options = {
		.lives = { .inputs = inputs, .input_count = 1, .until_us = UINT64_MAX }, .version = "0.1.0"
	};
	struct oev_replay replay = { 0 };
	double wall_s = now_s(CLOCK_MONOTONIC), cpu_s = now_s(CLOCK_PROCESS_CPUTIME_ID);
	struct rusage usage;

	(void)oev_replay_run(&replay, &options);
	wall_s = now_s(CLOCK_MONOTONIC) - wall_s;
	cpu_s = now_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
	getrusage(RUSAGE_SELF, &usage);
	const struct oev_replay_tally *total = &replay.total;
	struct round round = { .per_s = (double)total->decisions / wall_s,
			       .per_cpu_s = (double)total->decisions / cpu_s,
			       .rss_mib = (double)usage.ru_maxrss / 1024,
			       .decisions = total->decisions,
			       .differences = total->differing,
			       .unlike = total->inexact + total->late + total->missing + total->unknown,
			       .outcome = (int)replay.outcome };
	if (replay.outcome != OEV_REPLAY_IDENTICAL) {
		char line[512];
		oev_replay_verdict(&replay, line, sizeof(line));
		fprintf(stderr, "bench-replay: %s\n", line);
	}
	oev_replay_fini(&replay);
	return round;
}

/* In a child: its memory is the replay's alone. */
static struct round replay_apart(const char *folder)
{
	struct round round = { .outcome = -1 };
	int ends[2];

	if (pipe(ends) != 0)
		return round;
	pid_t child = fork();
	if (child == 0) {
		round = replay_once(folder);
		_exit(write(ends[1], &round, sizeof(round)) == (ssize_t)sizeof(round) ? 0 : 1);
	}
	close(ends[1]);
	if (child < 0 || read(ends[0], &round, sizeof(round)) != (ssize_t)sizeof(round))
		round.outcome = -1;
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return round;
}

static double median(const struct round *rounds, size_t offset)
{
	double values[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++)
		memcpy(&values[i], (const char *)&rounds[i] + offset, sizeof(values[i]));
	return bench_median(values, ROUNDS);
}

static int bench(const struct options *options, const char *folder)
{
	struct round rounds[ROUNDS];
	uint64_t differences = 0, unlike = 0, decisions = UINT64_MAX;
	double rss = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		rounds[i] = replay_apart(folder);
		if (rounds[i].outcome < 0)
			return 2;
		differences += rounds[i].differences;
		unlike += rounds[i].unlike;
		decisions = rounds[i].decisions < decisions ? rounds[i].decisions : decisions;
		rss = rounds[i].rss_mib > rss ? rounds[i].rss_mib : rss;
	}
	double per_s = median(rounds, offsetof(struct round, per_s));
	double cpu = median(rounds, offsetof(struct round, per_cpu_s));
	bool is_whole = decisions >= options->decisions / SLICES * SLICES;
	const struct bench_figure figures[] = {
		{ "replay.decisions_per_s", per_s, "1/s", ">= 1000000", per_s >= 1e6,
		  "Decisions made again per second of the wall clock, from a folder to the verdict; loss, "
		  "rates, peer and own reports, loads, failover; median of 3." },
		{ "replay.decisions_per_cpu_s", cpu, "1/s", "", -1,
		  "The same per second of processor time of all threads." },
		{ "replay.differences", (double)differences, "decisions", "= 0", differences == 0 && is_whole,
		  "Decisions of all rounds that came out otherwise; every one was compared." },
		{ "replay.unlike", (double)unlike, "decisions", "= 0", unlike == 0,
		  "Decisions made as given, rows too late, missing or of nothing known, of all rounds." },
		{ "replay.rss_mib", rss, "MiB", "<= 256", rss <= 256,
		  "Largest resident set of a process that replays." },
	};
	return bench_report("replay", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json);
}

static int usage(void)
{
	fprintf(stderr,
		"usage: bench-replay [--quick] [--decisions N] [--json FILE] [--commit SHA] [--folder DIR] "
		"[--keep DIR]\n"
		"The evidence (about 1 GB for 10,000,000 decisions) is made below the --folder DIR (default: "
		"this folder) "
		"and removed.\n"
		"--keep makes it as DIR and leaves it there, and takes what is there the next time.\n");
	return 2;
}

static int parse(int argc, char **argv, struct options *out)
{
	static const struct option known[] = { { "quick", no_argument, NULL, 'q' },
					       { "json", required_argument, NULL, 'j' },
					       { "commit", required_argument, NULL, 'c' },
					       { "keep", required_argument, NULL, 'k' },
					       { "decisions", required_argument, NULL, 'd' },
					       { "folder", required_argument, NULL, 'f' },
					       { NULL, 0, NULL, 0 } };
	int option;

	*out = (struct options){ .commit = "", .folder = ".", .decisions = 10000000 };
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'q':
			out->decisions = 1000000;
			break;
		case 'j':
			out->json = optarg;
			break;
		case 'c':
			out->commit = optarg;
			break;
		case 'f':
			out->folder = optarg;
			break;
		case 'k':
			out->keep = optarg;
			break;
		case 'd':
			out->decisions = strtoull(optarg, NULL, 10);
			break;
		default:
			return -1;
		}
	}
	return optind == argc ? 0 : -1;
}

/* Evidence in a new folder, which goes with it. */
static int bench_new(const struct options *options)
{
	char folder[HELP_FOLDER_MAX];

	if ((size_t)snprintf(folder, sizeof(folder), "%s/bench-replay-XXXXXX", options->folder) >=
		    sizeof(folder) ||
	    mkdtemp(folder) == NULL) {
		fprintf(stderr, "bench-replay: cannot write below %s\n", options->folder);
		return 2;
	}
	make_evidence(options, folder);
	int rc = bench(options, folder);
	help_record_remove(folder);
	return rc;
}

int main(int argc, char **argv)
{
	struct options options;

	if (parse(argc, argv, &options) != 0)
		return usage();
	if (!options.keep)
		return bench_new(&options);
	if (access(options.keep, F_OK) != 0)
		make_evidence(&options, options.keep);
	return bench(&options, options.keep);
}
