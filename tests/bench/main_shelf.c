/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the shelf: how long short questions to a large evidence folder take inside the process, with everything ready (the
 * index of sessions made, the file cache warm), and how long the index takes to make.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "agent/oc_err.h"
#include "audit_evidence.h"
#include "bench_latency.h"
#include "bench_report.h"
#include "evidence/oev_clock.h"
#include "evidence/shelf/oev_shelf_find.h"
#include "tests/unit/replay/help_record.h"

#define SESSIONS 100000u
#define FOLDER_MAX (HELP_FOLDER_MAX - 8)
#define PAGES 400u
#define ONES 2000u
#define LOOKUPS 5000u
#define PAGE_ROWS 100u

struct options {
	const char *json;
	const char *commit;
	const char *folder;
	const char *use;  /* a folder that is there */
	const char *make; /* only makes this folder */
	uint64_t decisions;
	bool keep;
};

struct known { /* of the folder */
	char run[OEV_SHELF_RUN_MAX];
	uint64_t first, last;
	uint64_t from_us, until_us;
	struct oev_shelf_session some[PAGE_ROWS];
	uint32_t some_count;
};

struct bench {
	struct oev_shelf *shelf;
	struct known known;
	uint64_t chance;
	uint64_t failed, rows;
	double *took_ms, *cpu_ms; /* by the clock, and of the processor */
	size_t count;
	uint64_t before_ns, before_cpu_ns;
};

struct times { /* 95th percentiles */
	double took_ms, cpu_ms;
};

static uint64_t roll(struct bench *b, uint64_t below)
{
	b->chance = b->chance * 6364136223846793005ull + 1442695040888963407ull;
	return (b->chance >> 33) % below;
}

/* Of all measured since the last time. */
static struct times p95(struct bench *b)
{
	struct times times = { 1e9, 1e9 };

	bench_sort_values(b->took_ms, b->count);
	bench_sort_values(b->cpu_ms, b->count);
	if (b->count > 0)
		times = (struct times){ b->took_ms[b->count * 95 / 100], b->cpu_ms[b->count * 95 / 100] };
	b->count = 0;
	return times;
}

static void begin(struct bench *b)
{
	b->before_cpu_ns = oev_clock_thread_ns();
	b->before_ns = oev_clock_mono_ns();
}

static void end(struct bench *b, int rc)
{
	b->took_ms[b->count] = (double)(oev_clock_mono_ns() - b->before_ns) / 1e6;
	b->cpu_ms[b->count++] = (double)(oev_clock_thread_ns() - b->before_cpu_ns) / 1e6;
	b->failed += rc != OC_OK;
}

static bool count_row(void *ctx, const struct oev_shelf_decision *row)
{
	struct bench *b = ctx;

	b->rows += row->id != 0;
	return true;
}

static bool count_session(void *ctx, const struct oev_shelf_session *row)
{
	struct bench *b = ctx;

	b->rows += row->decisions != 0;
	return true;
}

static void ask_page(struct bench *b, const struct oev_shelf_filter *filter)
{
	struct oev_shelf_page page;
	char error[OEV_SHELF_TEXT_MAX];

	begin(b);
	end(b, oev_shelf_decisions(b->shelf, filter, "", PAGE_ROWS, OEV_SHELF_EXAMINE, count_row, b, &page,
				   error));
}

/* Filters as people set them: none, a verdict, a peer, a class, a window; half of the windows anywhere. */
static void first_page(struct bench *b, unsigned i)
{
	struct oev_shelf_filter filter = { 0 };
	uint64_t span_us = b->known.until_us - b->known.from_us;

	if (i % 2 != 0)
		filter.until_us = b->known.from_us + 1 + roll(b, span_us);
	if (i % 5 == 1)
		snprintf(filter.verdict, sizeof(filter.verdict), "refused");
	if (i % 5 == 2)
		filter.has_app = true, filter.app_id = OC_APP_GX;
	if (i % 5 == 3)
		filter.has_class = true, filter.klass = (uint8_t)roll(b, 5);
	if (i % 5 == 4 && filter.until_us != 0)
		filter.from_us = filter.until_us > 10000000 ? filter.until_us - 10000000 : 0;
	ask_page(b, &filter);
}

/* One that next to nothing passes. */
static void rare_page(struct bench *b)
{
	struct oev_shelf_filter filter = { .has_command = true, .command = 999, .has_class = true };

	filter.until_us = b->known.from_us + 1 + roll(b, b->known.until_us - b->known.from_us);
	ask_page(b, &filter);
}

static void one_decision(struct bench *b)
{
	struct oev_shelf_whole *whole = NULL;
	char error[OEV_SHELF_TEXT_MAX];
	uint64_t id = b->known.first + roll(b, b->known.last - b->known.first + 1);

	begin(b);
	end(b, oev_shelf_decision(b->shelf, b->known.run, id, &whole, error));
	b->failed += whole != NULL && !whole->row.has_outcome;
	oev_shelf_whole_free(whole);
}

static void ask_sessions(struct bench *b, uint64_t subscriber, uint64_t until_us)
{
	const struct oev_shelf_session_filter filter = { .subscriber = subscriber, .until_us = until_us };
	struct oev_shelf_page page;
	char error[OEV_SHELF_TEXT_MAX];

	begin(b);
	int rc = oev_shelf_sessions(b->shelf, &filter, "", PAGE_ROWS, count_session, b, &page, error);

	end(b, rc);
	b->failed += page.rows == 0;
}

static bool keep_session(void *ctx, const struct oev_shelf_session *row)
{
	struct known *known = ctx;

	known->some[known->some_count++] = *row;
	return known->some_count < PAGE_ROWS;
}

static int learn(struct bench *b)
{
	const struct oev_shelf_session_filter any = { 0 };
	struct oev_shelf_segment *segments = NULL;
	struct oev_shelf_page page;
	char error[OEV_SHELF_TEXT_MAX];
	size_t count;
	int rc = oev_shelf_segments(b->shelf, &segments, &count);

	if (rc != OC_OK || count == 0)
		return OC_EIO;
	memcpy(b->known.run, segments[0].run, sizeof(b->known.run));
	b->known.first = segments[0].first_decision;
	b->known.from_us = segments[0].from_us;
	b->known.last = segments[count - 1].last_decision;
	b->known.until_us = segments[count - 1].until_us;
	free(segments);
	return oev_shelf_sessions(b->shelf, &any, "", PAGE_ROWS, keep_session, &b->known, &page, error);
}

/* Seconds until all is indexed. */
static double wait_index(struct bench *b)
{
	uint64_t before_ns = oev_clock_mono_ns();
	struct oev_shelf_find_state state;

	do {
		oev_clock_sleep_us(20000);
		oev_shelf_find_state(b->shelf, &state);
	} while (!state.is_whole && oev_clock_mono_ns() - before_ns < 600000000000ull);
	fprintf(stderr, "bench-shelf: %" PRIu64 " of %" PRIu64 " decisions indexed %s\n", state.indexed,
		state.decisions, state.trouble);
	return (double)(oev_clock_mono_ns() - before_ns) / 1e9;
}

struct measured {
	struct times page, rare, one, lookup, sessions;
	double index_s, again_s;
};

static void ask_all(struct bench *b, struct measured *m)
{
	for (unsigned i = 0; i < PAGES; i++)
		first_page(b, i);
	m->page = p95(b);
	for (unsigned i = 0; i < PAGES; i++)
		rare_page(b);
	m->rare = p95(b);
	for (unsigned i = 0; i < ONES; i++)
		one_decision(b);
	m->one = p95(b);
	for (unsigned i = 0; i < LOOKUPS; i++)
		ask_sessions(b, b->known.some[roll(b, b->known.some_count)].subscriber, 0);
	m->lookup = p95(b);
	for (unsigned i = 0; i < PAGES; i++)
		ask_sessions(b, 0, 0);
	m->sessions = p95(b);
}

static int measure(struct bench *b, const struct options *options, struct measured *m)
{
	struct rusage usage;

	ask_all(b, m);
	getrusage(RUSAGE_SELF, &usage);
	const struct bench_figure figures[] = {
		{ "shelf.decisions_first_page_p95_ms", m->page.took_ms, "ms", "< 10", m->page.took_ms < 10,
		  "First page of 100 decisions, newest first: filters by verdict, application, class and "
		  "window in "
		  "turn, half of them anywhere in the folder; with names, times and outcomes, inside the "
		  "process, "
		  "95th percentile of 400." },
		{ "shelf.decisions_rare_page_p95_ms", m->rare.took_ms, "ms", "< 10", m->rare.took_ms < 10,
		  "The same with a filter that nothing passes: 10,000 rows are looked at, then the page is "
		  "given as "
		  "it is, with a cursor." },
		{ "shelf.one_decision_p95_ms", m->one.took_ms, "ms", "< 2", m->one.took_ms < 2,
		  "One decision anywhere with its outcome, versions, raw reports, policy, candidates and the "
		  "other "
		  "decisions of its session; of 2,000." },
		{ "shelf.session_lookup_p95_ms", m->lookup.took_ms, "ms", "< 0.4", m->lookup.took_ms < 0.4,
		  "Sessions of one subscriber among 100,000 sessions of 25,000 subscribers; of 5,000." },
		{ "shelf.sessions_first_page_p95_ms", m->sessions.took_ms, "ms", "< 6.9",
		  m->sessions.took_ms < 6.9,
		  "First page of 100 sessions, newest first, each summed up over all segments; of 400." },
		{ "shelf.decisions_first_page_cpu_p95_ms", m->page.cpu_ms, "ms", "", -1,
		  "The same questions by the processor's time: what they take on a machine that nobody else "
		  "uses, with "
		  "a warm file cache; likewise below." },
		{ "shelf.decisions_rare_page_cpu_p95_ms", m->rare.cpu_ms, "ms", "", -1, "" },
		{ "shelf.one_decision_cpu_p95_ms", m->one.cpu_ms, "ms", "", -1, "" },
		{ "shelf.session_lookup_cpu_p95_ms", m->lookup.cpu_ms, "ms", "", -1, "" },
		{ "shelf.sessions_first_page_cpu_p95_ms", m->sessions.cpu_ms, "ms", "", -1, "" },
		{ "shelf.index_s", m->index_s, "s", "", -1,
		  "Time until the index of sessions is whole, made by a thread of the lowest priority." },
		{ "shelf.index_again_s", m->again_s, "s", "", -1, "The same from its files." },
		{ "shelf.decisions", (double)(b->known.last - b->known.first + 1), "rows", "", -1,
		  "Decisions in the folder, in several segments." },
		{ "shelf.failed", (double)b->failed, "", "= 0", b->failed == 0,
		  "Questions that were not answered, decisions without the outcome they have, lookups "
		  "without a row." },
		{ "shelf.rss_mib", (double)usage.ru_maxrss / 1024.0, "MiB", "", -1,
		  "Largest resident set, mapped files and the making of the evidence included." },
	};
	return bench_report("shelf", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json);
}

static void make(const char *folder, uint64_t decisions)
{
	uint64_t before_ns = oev_clock_mono_ns();
	struct audit_facts told;

	audit_evidence_make(folder, decisions, SESSIONS, &told);
	fprintf(stderr, "bench-shelf: %" PRIu64 " decisions made and kept in %.1f s\n", told.decisions,
		(double)(oev_clock_mono_ns() - before_ns) / 1e9);
}

static int bench(const struct options *options, const char *folder)
{
	struct bench b = { .chance = 20261129,
			   .took_ms = calloc(LOOKUPS, sizeof(double)),
			   .cpu_ms = calloc(LOOKUPS, sizeof(double)) };
	char index[HELP_FOLDER_MAX + 16], error[OEV_SHELF_TEXT_MAX] = "";
	struct measured measured = { 0 };
	int missed = 2;

	snprintf(index, sizeof(index), "%s.index", folder);
	help_record_remove(index);
	for (int i = 0; i < 2; i++) {
		oev_shelf_close(b.shelf);
		b.shelf = NULL;
		if (oev_shelf_open(&b.shelf, folder, index, error) != OC_OK)
			break;
		*(i == 0 ? &measured.index_s : &measured.again_s) = wait_index(&b);
	}
	if (b.shelf != NULL && learn(&b) == OC_OK)
		missed = measure(&b, options, &measured);
	else
		fprintf(stderr, "bench-shelf: %s: %s\n", folder, error);
	oev_shelf_close(b.shelf);
	help_record_remove(index);
	free(b.took_ms);
	free(b.cpu_ms);
	return missed;
}

static int usage(void)
{
	fprintf(stderr, "usage: bench-shelf [--quick] [--decisions N] [--json FILE] [--commit SHA] [--folder "
			"DIR] [--keep]\n"
			"       bench-shelf --use FOLDER [--json FILE]\n"
			"       bench-shelf --make FOLDER [--decisions N]\n"
			"The evidence (about 1 GB for 10,000,000 decisions) is written below DIR (default: "
			"this folder) "
			"and removed.\n");
	return 2;
}

static int parse(int argc, char **argv, struct options *out)
{
	static const struct option known[] = { { "quick", no_argument, NULL, 'q' },
					       { "json", required_argument, NULL, 'j' },
					       { "commit", required_argument, NULL, 'c' },
					       { "folder", required_argument, NULL, 'f' },
					       { "use", required_argument, NULL, 'u' },
					       { "decisions", required_argument, NULL, 'n' },
					       { "keep", no_argument, NULL, 'k' },
					       { "make", required_argument, NULL, 'm' },
					       { NULL, 0, NULL, 0 } };
	int option;

	*out = (struct options){ .commit = "", .folder = ".", .decisions = 10000000 };
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'q')
			out->decisions = 1000000;
		else if (option == 'j')
			out->json = optarg;
		else if (option == 'c')
			out->commit = optarg;
		else if (option == 'f')
			out->folder = optarg;
		else if (option == 'u')
			out->use = optarg;
		else if (option == 'm')
			out->make = optarg;
		else if (option == 'n')
			out->decisions = strtoull(optarg, NULL, 10);
		else if (option == 'k')
			out->keep = true;
		else
			return -1;
	}
	return optind == argc && out->decisions >= 1000 ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct options options;
	char folder[FOLDER_MAX];

	if (parse(argc, argv, &options) != 0)
		return usage();
	if (options.make != NULL) {
		make(options.make, options.decisions);
		return 0;
	}
	if (options.use != NULL)
		return bench(&options, options.use);
	int length = snprintf(folder, sizeof(folder), "%s/bench-shelf-XXXXXX", options.folder);
	if (length >= (int)sizeof(folder) || mkdtemp(folder) == NULL) {
		fprintf(stderr, "bench-shelf: cannot write below %s\n", options.folder);
		return 2;
	}
	make(folder, options.decisions);
	int missed = bench(&options, folder);
	if (!options.keep)
		help_record_remove(folder);
	return missed;
}
