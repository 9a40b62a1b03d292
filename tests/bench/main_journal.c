/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the hot path: what one append costs the thread that makes the event, measured append by append.
 *
 * Two producers, each on a processor of its own, append decision events in bursts that fit the ring; a consumer drains it in
 * bursts and runs wherever the system puts it, on two processors on top of a producer. Whatever happens inside an
 * append is in its sample: cache misses, page faults, interrupts, and the producer losing its processor to the consumer.
 */
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "bench_latency.h"
#include "bench_report.h"
#include "evidence/oev_clock.h"
#include "evidence/store/oev_journal.h"

#define RECORDS 65536u /* as configured by default */
#define PRODUCERS 2u
#define BURST 8192u	       /* of each producer: together a quarter of the ring */
#define PACE_NS 20000u	       /* 50,000 events/s of each producer */
#define EXPECT_NS 500u	       /* from oev_journal_expect() to the append */
#define WALK_OCTETS 65536u     /* more than the innermost cache */
#define CONSUMER_PAUSE_US 500u /* between two batches */
#define WRITEBACK_US 100000u
#define BATCH 8192u
#define RUNS_MAX 16u
#define PATH_MAX_BENCH 512
#define ERROR_MAX 512

struct options {
	const char *json;
	const char *commit;
	const char *folder;
	uint32_t appends; /* of each producer in a flat-out run; a paced run has a quarter */
	uint32_t runs;
};

/* One way to measure. */
struct setting {
	const char *name;
	bool in_file;
	bool drained;	   /* a consumer drains while producers append; else between their bursts */
	bool paced;	   /* PACE_NS apart, other memory used in between; else as fast as it goes */
	bool unexpected;   /* nobody says ahead that an append is coming */
	bool written_back; /* the system is made to write the ring to the disk all the time */
};

struct rig {
	const struct setting *setting;
	struct oev_journal *journal;
	struct bench_clock clock;
	pthread_barrier_t bursts; /* producers and, between bursts, whoever drains */
	atomic_bool stopping;
	uint32_t appends;
	uint64_t expect; /* EXPECT_NS in ticks */
	char path[PATH_MAX_BENCH];
	/* The consumer's. */
	_Alignas(128) uint64_t drained;
	uint64_t turns; /* events of another producer than the one before */
	uint64_t last;
	uint64_t read; /* keeps the compiler honest */
};

struct producer {
	_Alignas(128) struct rig *rig; /* none shares a cache line with another */
	pthread_t thread;
	uint32_t number;
	uint32_t refused;
	long switches; /* times it lost its processor */
	uint32_t *samples;
	uint64_t *walk;
	uint64_t walked; /* keeps the compiler honest */
};

/* What was measured in one run; of several: medians of p50 and p999, all that was lost. */
struct result {
	double p50, p99, p999, worst; /* ns */
	double turns;  /* share of events that came from another producer than the one before them */
	long switches; /* times a producer lost its processor, to the consumer or to somebody else */
	uint64_t lost; /* appends that found no room, events that did not come out */
};

static void die(const char *what)
{
	fprintf(stderr, "bench-journal: %s\n", what);
	exit(2);
}

static uint64_t mix(uint64_t n)
{
	n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
	return n ^ (n >> 27);
}

/* Filled just before it is appended, as the core does. */
static void fill_decision(struct oc_event *event, uint64_t id)
{
	struct oc_decision *d = &event->u.decision;

	event->kind = OC_EVENT_DECISION;
	event->mono_ns = id * 20000u;
	*d = (struct oc_decision){ .id = id, .at_ns = id * 20000u, .session_hash = mix(id), .random = id };
	d->app_id = 16777238;
	d->command = 272;
	d->client_peer = 10;
	d->origin_host = 30;
	d->dest_realm = 5;
	d->host = (struct oc_look){ .version = 3, .share_ppm = 300000 };
	d->first_choice = d->next_hop = 300;
}

/* The @n-th processor this program may run on. */
static void pin(uint32_t n)
{
	cpu_set_t allowed, one;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed) || n-- > 0)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		(void)sched_setaffinity(0, sizeof(one), &one);
		return;
	}
}

static void append_once(struct producer *p, struct oc_event *event, uint32_t i, uint64_t id)
{
	fill_decision(event, id);
	uint64_t before = bench_ticks();
	int rc = oev_journal_append(p->rig->journal, event);
	uint64_t took = bench_ticks() - before;

	p->samples[i] = took < UINT32_MAX ? (uint32_t)took : UINT32_MAX;
	p->refused += rc != OC_OK;
}

/* What a relay does between two events, as far as the caches see it: it uses other memory. A producer that lost its processor
 * does not hurry afterwards, or the two would not meet any more. */
static void wait_turn(struct producer *p, uint64_t ticks)
{
	uint64_t until = bench_ticks() + ticks;

	for (uint32_t i = 0; i < WALK_OCTETS / sizeof(*p->walk); i += 8)
		p->walked += p->walk[i]++;
	while (bench_ticks() < until - p->rig->expect)
		;
	if (!p->rig->setting->unexpected)
		oev_journal_expect(p->rig->journal);
	while (bench_ticks() < until)
		;
}

static long involuntary_switches(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

static void *produce(void *ctx)
{
	struct producer *p = ctx;
	struct rig *rig = p->rig;
	struct oc_event event = { 0 };
	uint64_t pace = (uint64_t)(PACE_NS / rig->clock.ns_per_tick);
	long before = involuntary_switches();

	pin(p->number);
	pthread_barrier_wait(&rig->bursts);
	for (uint32_t i = 0; i < rig->appends; i++) {
		if (i > 0 && i % BURST == 0) {
			pthread_barrier_wait(&rig->bursts);
			while (oev_journal_fill(rig->journal) > RECORDS / 2)
				oev_clock_sleep_us(CONSUMER_PAUSE_US);
			pthread_barrier_wait(&rig->bursts);
		}
		uint64_t id = (uint64_t)p->number << 32 | i;
		if (rig->setting->paced)
			wait_turn(p, pace / 2 + mix(id + 1) % pace);
		append_once(p, &event, i, id);
	}
	p->switches = involuntary_switches() - before;
	return NULL;
}

/* Reads every event, as a recorder does, and notes how often the producer changes. */
static void drain(struct rig *rig)
{
	const struct oc_event *event;
	uint32_t n;

	do {
		for (n = 0; n < BATCH && (event = oev_journal_peek_at(rig->journal, n)) != NULL; n++) {
			for (size_t at = 0; at < oc_event_size(event) / sizeof(uint64_t); at++)
				rig->read += ((const uint64_t *)event)[at];
			uint64_t producer = event->u.decision.id >> 32;
			rig->turns += producer != rig->last;
			rig->last = producer;
		}
		oev_journal_pop_n(rig->journal, n);
		rig->drained += n;
	} while (n == BATCH);
}

static void *consume(void *ctx)
{
	struct rig *rig = ctx;

	while (!atomic_load(&rig->stopping)) {
		/* Without a consumer in the setting: only what would not fit any more. */
		if (rig->setting->drained || oev_journal_fill(rig->journal) > RECORDS / 2)
			drain(rig);
		oev_journal_tend(rig->journal);
		oev_clock_sleep_us(CONSUMER_PAUSE_US);
	}
	drain(rig);
	return NULL;
}

static void *write_back(void *ctx)
{
	struct rig *rig = ctx;
	int fd = open(rig->path, O_RDWR | O_CLOEXEC);

	while (fd >= 0 && !atomic_load(&rig->stopping)) {
		(void)fdatasync(fd);
		oev_clock_sleep_us(WRITEBACK_US);
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

static void rig_start(struct rig *rig, const struct options *options)
{
	char error[ERROR_MAX] = "";
	struct oev_journal_conf conf = { .records = RECORDS, .when_full = OEV_FULL_GAP };
	struct oev_journal_life life = { .run_id = 1 };

	snprintf(rig->path, sizeof(rig->path), "%s/" OEV_JOURNAL_FILE, options->folder);
	if (rig->setting->in_file)
		conf.path = rig->path;
	if (oev_journal_open(&rig->journal, &conf, error, sizeof(error)) != OC_OK ||
	    oev_journal_begin(rig->journal, &life, error, sizeof(error)) != OC_OK)
		die(error);
	pthread_barrier_init(&rig->bursts, NULL, PRODUCERS);
}

static void start_thread(pthread_t *thread, void *(*fn)(void *), void *ctx)
{
	if (pthread_create(thread, NULL, fn, ctx) != 0)
		die("a thread cannot be started");
}

static void *filled(size_t octets)
{
	void *memory = malloc(octets);

	if (!memory)
		die("out of memory");
	memset(memory, 1, octets); /* its pages are there */
	return memory;
}

static struct result result_of(const struct bench_clock *clock, uint32_t *samples, size_t count)
{
	bench_sort(samples, count);
	return (struct result){ .p50 = bench_percentile_ns(clock, samples, count, 500),
				.p99 = bench_percentile_ns(clock, samples, count, 990),
				.p999 = bench_percentile_ns(clock, samples, count, 999),
				.worst = bench_percentile_ns(clock, samples, count, 1000) };
}

/* One run; @samples: of both producers, room for @appends of each. */
static struct result run_once(const struct options *options, const struct setting *setting,
			      const struct bench_clock *clock, uint32_t appends, uint32_t *samples)
{
	struct rig rig = { .setting = setting,
			   .clock = *clock,
			   .appends = appends,
			   .expect = (uint64_t)(EXPECT_NS / clock->ns_per_tick) };
	struct producer producers[PRODUCERS];
	pthread_t consumer, writer;
	struct result counted = { 0 };

	rig_start(&rig, options);
	start_thread(&consumer, consume, &rig);
	if (setting->written_back)
		start_thread(&writer, write_back, &rig);
	for (uint32_t i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){ .rig = &rig,
						  .number = i,
						  .samples = samples + (size_t)i * appends,
						  .walk = filled(WALK_OCTETS) };
		start_thread(&producers[i].thread, produce, &producers[i]);
	}
	for (uint32_t i = 0; i < PRODUCERS; i++) {
		pthread_join(producers[i].thread, NULL);
		counted.lost += producers[i].refused;
		counted.switches += producers[i].switches;
		free(producers[i].walk);
	}
	atomic_store(&rig.stopping, true);
	pthread_join(consumer, NULL);
	if (setting->written_back)
		pthread_join(writer, NULL);
	pthread_barrier_destroy(&rig.bursts);
	oev_journal_free(rig.journal);
	counted.lost += rig.drained != (uint64_t)appends * PRODUCERS;
	counted.turns = (double)rig.turns / (double)rig.drained;
	return counted;
}

/* All runs of one setting, each of them printed. */
static struct result measure(const struct options *options, const struct setting *setting,
			     const struct bench_clock *clock)
{
	uint32_t appends = setting->paced ? options->appends / 8 : options->appends;
	size_t count = (size_t)appends * PRODUCERS;
	uint32_t *samples = filled(count * sizeof(*samples));
	double p50[RUNS_MAX];
	double p999[RUNS_MAX];
	struct result all = { 0 };

	for (uint32_t run = 0; run < options->runs; run++) {
		struct result counted = run_once(options, setting, clock, appends, samples);
		struct result r = result_of(clock, samples, count);
		p50[run] = r.p50;
		p999[run] = r.p999;
		all.lost += counted.lost;
		printf("  %-38s %8.0f %8.0f %8.0f %10.0f %8.2f %9ld\n", setting->name, r.p50, r.p99, r.p999,
		       r.worst, counted.turns, counted.switches);
	}
	all.p50 = bench_median(p50, options->runs);
	all.p999 = bench_median(p999, options->runs);
	free(samples);
	return all;
}

enum { PACED, UNEXPECTED, FLAT, ALONE, MEMORY, WRITTEN_BACK, SETTINGS };

static const struct setting settings[SETTINGS] = {
	[PACED] = { .name = "file, drained, 50,000/s each", .in_file = true, .drained = true, .paced = true },
	[UNEXPECTED] = { .name = "the same, not told ahead",
			 .in_file = true,
			 .drained = true,
			 .paced = true,
			 .unexpected = true },
	[FLAT] = { .name = "file, drained, flat out", .in_file = true, .drained = true },
	[ALONE] = { .name = "file, producers alone, flat out", .in_file = true },
	[MEMORY] = { .name = "memory, drained, 50,000/s each", .drained = true, .paced = true },
	[WRITTEN_BACK] = { .name = "file, drained, 50,000/s, written back",
			   .in_file = true,
			   .drained = true,
			   .paced = true,
			   .written_back = true },
};

static struct bench_figure figure(const char *id, double value, const char *bound, double most,
				  const char *how)
{
	return (struct bench_figure){ id, value, "ns", bound, *bound ? value <= most : -1, how };
}

/* Every setting; returns what was lost in all of them. */
static uint64_t measure_all(const struct options *options, struct result results[static SETTINGS])
{
	struct bench_clock clock = bench_clock_calibrate();
	uint64_t lost = 0;

	printf("reading the clock takes %.1f ns, which are taken off every sample; turns: share of events of "
	       "another producer than the one before; switches: times a producer lost its processor\n"
	       "  %-38s %8s %8s %8s %10s %8s %9s\n",
	       clock.cost * clock.ns_per_tick, "each run, ns", "p50", "p99", "p99.9", "worst", "turns",
	       "switches");
	for (unsigned i = 0; i < SETTINGS; i++) {
		results[i] = measure(options, &settings[i], &clock);
		lost += results[i].lost;
	}
	return lost;
}

static int bench(const struct options *options)
{
	struct result results[SETTINGS];
	uint64_t lost = measure_all(options, results);
	const struct bench_figure figures[] = {
		figure("journal.append_ns_p50", results[PACED].p50, "<= 100", 100,
		       "As a relay appends: one append of a decision to the ring in its file, two pinned "
		       "producers at 50,000 events/s each, which use 64 KiB of other memory in between and "
		       "say 500 ns ahead that one is coming (oev_journal_expect(), which the agent calls "
		       "when "
		       "it takes up a message that leaves; the fetch it begins is not in the sample); a "
		       "consumer drains on a processor of theirs. What reading the clock takes is taken off, "
		       "nothing else is; median of the runs."),
		figure("journal.append_ns_p999", results[PACED].p999, "<= 1000", 1000,
		       "One in a thousand of these appends takes longer."),
		figure("journal.append_unexpected_ns_p50", results[UNEXPECTED].p50, "", 0,
		       "The same, but nobody says ahead that an append is coming: the line the producers "
		       "share is fetched within the sample."),
		figure("journal.append_unexpected_ns_p999", results[UNEXPECTED].p999, "<= 1000", 1000,
		       "One in a thousand of these takes longer."),
		figure("journal.append_flat_ns_p50", results[FLAT].p50, "", 0,
		       "Flat out, not told ahead, in bursts that fit the ring: the two producers meet at "
		       "every append, which no relay makes them do."),
		figure("journal.append_flat_ns_p999", results[FLAT].p999, "<= 1000", 1000,
		       "One in a thousand of these takes longer."),
		figure("journal.append_alone_ns_p50", results[ALONE].p50, "", 0,
		       "Flat out, drained only between the bursts."),
		figure("journal.append_alone_ns_p999", results[ALONE].p999, "<= 1000", 1000,
		       "One in a thousand of these takes longer."),
		figure("journal.append_memory_ns_p50", results[MEMORY].p50, "", 0,
		       "As the first figure, the ring in memory of the process."),
		figure("journal.append_memory_ns_p999", results[MEMORY].p999, "", 0,
		       "One in a thousand of these takes longer."),
		figure("journal.append_written_back_ns_p999", results[WRITTEN_BACK].p999, "", 0,
		       "As the second figure, while the system is made to write the ring to the disk every "
		       "100 ms, "
		       "50 times as often as it looks by itself."),
		{ "journal.append_refused", (double)lost, "events", "= 0", lost == 0,
		  "Appends of all runs that found no room, or events that did not come out." },
	};
	return bench_report("journal", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json);
}

static int usage(void)
{
	fprintf(stderr, "usage: bench-journal [--quick] [--json FILE] [--commit SHA] [--folder DIR]\n");
	return 2;
}

static int parse(int argc, char **argv, struct options *out)
{
	static const struct option known[] = { { "quick", no_argument, NULL, 'q' },
					       { "json", required_argument, NULL, 'j' },
					       { "commit", required_argument, NULL, 'c' },
					       { "folder", required_argument, NULL, 'f' },
					       { NULL, 0, NULL, 0 } };
	int option;

	*out = (struct options){ .commit = "", .appends = 400000, .runs = 7 };
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'q':
			out->appends = 100000;
			out->runs = 3;
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
		default:
			return -1;
		}
	}
	return optind == argc ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct options options;
	char made[PATH_MAX_BENCH / 2];
	const char *tmp = getenv("TMPDIR");

	if (parse(argc, argv, &options) != 0)
		return usage();
	snprintf(made, sizeof(made), "%s/doic-bench-XXXXXX", tmp ? tmp : "/tmp");
	bool own_folder = !options.folder;
	if (own_folder && !(options.folder = mkdtemp(made))) {
		perror(made);
		return 2;
	}
	int rc = bench(&options);
	if (own_folder)
		rmdir(made);
	return rc;
}
