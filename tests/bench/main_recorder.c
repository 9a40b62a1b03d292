/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the trail: what a row costs the recorder thread, and what an event costs the thread that makes it.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "bench_report.h"
#include "evidence/oev_clock.h"
#include "evidence/proof/oev_hash.h"
#include "evidence/store/oev_recorder.h"

#define ROUNDS 5u
#define RING_RECORDS 65536u
#define BURST_RECORDS 262144u /* a whole burst fits: the hot path is measured without waiting */
#define BLOCK_MAX_MS 60000u
#define PATH_MAX_BENCH 512
#define ERROR_MAX 512

struct options {
	const char *json;
	const char *commit;
	const char *folder;
	uint32_t rows;	  /* per round */
	uint32_t burst;	  /* events of one hot path round */
	uint32_t profile; /* pairs of a profiling run, 0 = the benchmark */
	struct oev_key *key;
};

/* One running recorder and what was sent into it. */
struct rig {
	struct oev_journal *journal;
	struct oev_recorder *recorder;
	struct oev_recorder_stats before;
	uint64_t sent;
	uint64_t started_ns;
};

/* What one round measured. */
struct round {
	double per_cpu_s;
	double per_wall_s;
	double ns_per_event; /* producer's side */
	uint64_t dropped;
};

typedef struct round (*round_fn)(const struct options *options);

static uint64_t mix(uint64_t n)
{
	n ^= n >> 30;
	n *= 0xbf58476d1ce4e5b9u;
	n ^= n >> 27;
	return n * 0x94d049bb133111ebu;
}

/* A request as a relay in front of a few servers sees it; every other one was held against a host report. */
static void fill_decision(struct oc_event *event, uint64_t id)
{
	uint64_t chance = mix(id);
	struct oc_decision *d = &event->u.decision;

	event->kind = OC_EVENT_DECISION;
	event->mono_ns = 1000000000000u + id * 20000u;
	*d = (struct oc_decision){ .id = id, .session_hash = mix(chance), .random = chance };
	d->app_id = 16777238;
	d->command = 272;
	d->end_to_end = (uint32_t)(0x40000000u + id);
	d->client_peer = 10 + chance % 16;
	d->origin_host = 30 + chance % 200;
	d->dest_realm = 5;
	d->first_choice = 300 + (chance >> 8) % 8;
	d->next_hop = d->first_choice;
	d->cc_request_type = 1 + (chance >> 16) % 3;
	d->drmp = (chance >> 20) % 4 ? OC_DRMP_NONE : (uint8_t)((chance >> 24) % 16);
	d->flags = OC_DEC_DOIC_CLIENT;
	if (id % 2 == 0)
		return;
	d->dest_host = d->first_choice;
	d->host = (struct oc_look){ .version = 3, .share_ppm = 300000 };
	if (chance % 10 < 3) {
		d->verdict = OC_REFUSE;
		d->why = OC_WHY_REPORT;
		d->selected_by = OC_SCOPE_HOST;
		d->next_hop = 0;
		d->result_code = OC_RC_UNABLE_TO_COMPLY;
	}
}

static void fill_outcome(struct oc_event *event, uint64_t id)
{
	uint64_t chance = mix(id);

	event->kind = OC_EVENT_OUTCOME;
	event->mono_ns = 1000000000000u + id * 20000u + 5000000u;
	event->u.outcome = (struct oc_event_outcome){ .id = id,
						      .took_ns = 1000000u + (chance & 0xfffff),
						      .result_code = OC_RC_SUCCESS,
						      .answered_by = 300 + (chance >> 8) % 8,
						      .from_peer = 300 + (chance >> 8) % 8,
						      .attempts = 1 };
}

static void say_error(void *ctx, int error, const char *text)
{
	(void)ctx;
	fprintf(stderr, "%s%s\n", error ? "error: " : "", text);
}

static struct rig rig_start(const struct options *options, uint32_t records)
{
	struct rig rig = { .journal = oev_journal_new(records, OEV_FULL_BLOCK, BLOCK_MAX_MS) };
	struct oev_recorder_conf conf = { .folder = options->folder,
					  .node = "bench.example",
					  .realm = "example",
					  .policy_text = "",
					  .policy_version = 1,
					  .key = options->key,
					  .checkpoint_s = 1,
					  .batch_max_rows = 8192,
					  .batch_max_ms = 200,
					  .synchronous = OEV_SYNC_NORMAL,
					  .log = say_error };
	char error[ERROR_MAX] = "out of memory";

	if (!rig.journal ||
	    oev_recorder_start(&rig.recorder, rig.journal, &conf, error, sizeof(error)) != OC_OK) {
		fprintf(stderr, "bench-recorder: %s\n", error);
		exit(2);
	}
	oev_recorder_stats(rig.recorder, &rig.before);
	rig.started_ns = oev_clock_mono_ns();
	return rig;
}

static void send_event(struct rig *rig, const struct oc_event *event)
{
	if (oev_journal_append(rig->journal, event) == OC_OK)
		rig->sent++;
}

static struct oev_recorder_stats wait_drained(const struct rig *rig)
{
	struct oev_recorder_stats stats;

	do {
		oev_clock_sleep_us(500);
		oev_recorder_stats(rig->recorder, &stats);
	} while (stats.rows + stats.gap_events < rig->sent);
	return stats;
}

/* Stops the clocks when all is committed, then removes the segment. @per: events that make one of what is counted. */
static struct round rig_stop(struct rig *rig, uint32_t per)
{
	char path[PATH_MAX_BENCH];
	struct oev_recorder_stats stats = wait_drained(rig);
	double wall_s = (double)(oev_clock_mono_ns() - rig->started_ns) / 1e9;
	double cpu_s = (double)(stats.cpu_ns - rig->before.cpu_ns) / 1e9;
	double made = (double)rig->sent / per;
	struct round round = { .per_cpu_s = made / cpu_s, .per_wall_s = made / wall_s };

	round.dropped = stats.gap_events + oev_journal_take_gap(rig->journal);
	oev_recorder_path(rig->recorder, path, sizeof(path));
	oev_recorder_stop(rig->recorder);
	oev_journal_free(rig->journal);
	unlink(path);
	return round;
}

static struct round round_rows(const struct options *options)
{
	struct rig rig = rig_start(options, RING_RECORDS);
	struct oc_event event = { 0 };

	for (uint64_t id = 1; id <= options->rows; id++) {
		fill_decision(&event, id);
		send_event(&rig, &event);
	}
	return rig_stop(&rig, 1);
}

static struct round round_pairs(const struct options *options)
{
	struct rig rig = rig_start(options, RING_RECORDS);
	struct oc_event event = { 0 };

	for (uint64_t id = 1; id <= options->rows / 2; id++) {
		fill_decision(&event, id);
		send_event(&rig, &event);
		fill_outcome(&event, id);
		send_event(&rig, &event);
	}
	return rig_stop(&rig, 2);
}

static struct round round_hot_path(const struct options *options)
{
	struct rig rig = rig_start(options, BURST_RECORDS);
	struct oc_event event = { 0 };
	uint64_t before_ns = oev_clock_mono_ns();

	for (uint64_t id = 1; id <= options->burst; id++) {
		fill_decision(&event, id);
		send_event(&rig, &event);
	}
	uint64_t took_ns = oev_clock_mono_ns() - before_ns;
	struct round round = rig_stop(&rig, 1);
	round.ns_per_event = (double)took_ns / options->burst;
	return round;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double values[static ROUNDS])
{
	double sorted[ROUNDS];

	memcpy(sorted, values, sizeof(sorted));
	qsort(sorted, ROUNDS, sizeof(sorted[0]), by_value);
	return sorted[ROUNDS / 2];
}

/* Each quantity's median over the rounds; everything that was ever dropped. */
static struct round medians(round_fn fn, const struct options *options)
{
	double cpu[ROUNDS];
	double wall[ROUNDS];
	double ns[ROUNDS];
	uint64_t dropped = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct round round = fn(options);
		cpu[i] = round.per_cpu_s;
		wall[i] = round.per_wall_s;
		ns[i] = round.ns_per_event;
		dropped += round.dropped;
	}
	return (struct round){ median(cpu), median(wall), median(ns), dropped };
}

static int bench(const struct options *options)
{
	struct round rows = medians(round_rows, options);
	struct round pairs = medians(round_pairs, options);
	struct round hot = medians(round_hot_path, options);
	uint64_t dropped = rows.dropped + pairs.dropped + hot.dropped;
	const struct bench_figure figures[] = {
		{ "recorder.rows_per_s", rows.per_cpu_s, "1/s", ">= 300000", rows.per_cpu_s >= 300000,
		  "Decision rows committed per second of the recorder thread's processor time, half of them "
		  "with a"
		  " host look; WAL, synchronous normal; median of 5 rounds." },
		{ "recorder.rows_per_s_wall", rows.per_wall_s, "1/s", "", -1,
		  "The same rounds by the wall clock, from the first append to the last commit; a full ring "
		  "blocks the"
		  " producer." },
		{ "recorder.pairs_per_s", pairs.per_cpu_s, "1/s", "", -1,
		  "Decision and outcome of one request, pairs per second of the recorder thread's processor "
		  "time." },
		{ "recorder.rows_dropped", (double)dropped, "rows", "= 0", dropped == 0,
		  "Events of all rounds that became a gap instead of a row." },
		{ "recorder.hot_path_ns", hot.ns_per_event, "ns", "<= 500", hot.ns_per_event <= 500,
		  "Filling a decision event and appending it while the recorder drains; mean of a burst that "
		  "fits the"
		  " ring, median of 5 bursts." },
	};
	return bench_report("recorder", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json);
}

static int profile(const struct options *options)
{
	struct options once = *options;

	once.rows = 2 * options->profile;
	return round_pairs(&once).dropped != 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: bench-recorder [--quick] [--json FILE] [--commit SHA] [--folder DIR] "
			"[--profile PAIRS]\n"
			"--profile runs that many decision and outcome pairs once, for a profiler.\n");
	return 2;
}

static int parse(int argc, char **argv, struct options *out)
{
	static const struct option known[] = {
		{ "quick", no_argument, NULL, 'q' },	     { "json", required_argument, NULL, 'j' },
		{ "commit", required_argument, NULL, 'c' },  { "folder", required_argument, NULL, 'f' },
		{ "profile", required_argument, NULL, 'p' }, { NULL, 0, NULL, 0 }
	};
	int option;

	*out = (struct options){ .commit = "", .rows = 300000, .burst = 200000 };
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'q':
			out->rows = 100000;
			out->burst = 50000;
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
		case 'p':
			out->profile = (uint32_t)strtoul(optarg, NULL, 10);
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
	char made[PATH_MAX_BENCH];
	const char *tmp = getenv("TMPDIR");

	if (parse(argc, argv, &options) != 0)
		return usage();
	snprintf(made, sizeof(made), "%s/doic-bench-XXXXXX", tmp ? tmp : "/tmp");
	bool own_folder = !options.folder;
	if (own_folder && !(options.folder = mkdtemp(made))) {
		perror(made);
		return 2;
	}
	char path[PATH_MAX_BENCH + 8];
	struct oev_why why;
	bool is_new;
	snprintf(path, sizeof(path), "%s.key", options.folder);
	oev_gcrypt_ready();
	if (oev_key_open(path, &options.key, &is_new, &why) != OC_OK) {
		fprintf(stderr, "bench-recorder: %s\n", why.text);
		return 2;
	}
	int rc = options.profile ? profile(&options) : bench(&options);
	if (own_folder)
		rmdir(made);
	return rc;
}
