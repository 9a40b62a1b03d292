/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the trail: what a proven row costs, beside SQLite alone; what a request takes on the disk; and what an event costs the
 * thread that makes it.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "bench_latency.h"
#include "bench_report.h"
#include "evidence/oev_clock.h"
#include "evidence/proof/oev_hash.h"
#include "evidence/store/oev_place.h"
#include "evidence/store/oev_recorder.h"
#include "recorder_bare.h"
#include "recorder_traffic.h"

#define ROUNDS 9u
#define RING_RECORDS 65536u
#define BURST_RECORDS 262144u /* a whole burst fits: the hot path is measured without waiting */
#define BLOCK_MAX_MS 60000u
#define BATCH_ROWS 20000u /* as the agent's default; the ring makes them 16384 */
#define TRANSACTION_ROWS 16384u
#define GROUP_ROWS 16u
#define FULL_SEGMENT_ID 10000000u /* numbers as large as those at the end of a segment of 1 GiB */
#define PATH_MAX_BENCH 512
#define ERROR_MAX 512

struct options {
	const char *json;
	const char *commit;
	const char *folder;
	uint32_t requests; /* per round */
	uint32_t burst;	   /* events of one hot path round */
	uint32_t profile;  /* requests of a profiling run, 0 = the benchmark */
	struct oev_key *key;
};

/* One running recorder and what was sent into it. */
struct rig {
	struct oev_journal *journal;
	struct oev_recorder *recorder;
	uint64_t sent;
	uint64_t started_ns;
	uint64_t cpu_ns; /* of the process so far */
	uint64_t own_ns; /* of this thread, which makes the events */
	char path[PATH_MAX_BENCH];
};

/* What one round measured. */
struct round {
	double per_cpu_s;     /* rows; of all threads but the one that makes the events */
	double per_process_s; /* with that one */
	double per_wall_s;
	double sealed; /* as per_cpu_s, with the last checkpoint, the folding and the seal */
	double bare;   /* rows per processor second of SQLite alone, one per statement */
	double grouped;
	double ns_per_event; /* producer's side */
	double octets;	     /* per request */
	uint64_t dropped;
};

typedef struct round (*round_fn)(const struct options *options);

static void say_error(void *ctx, int error, const char *text)
{
	(void)ctx;
	fprintf(stderr, "%s%s\n", error ? "error: " : "", text);
}

static void die(const char *text)
{
	fprintf(stderr, "bench-recorder: %s\n", text);
	exit(2);
}

static uint64_t process_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct rig rig_start(const struct options *options, uint32_t records)
{
	struct rig rig = { .sent = 0 };
	char error[ERROR_MAX] = "", ring[PATH_MAX_BENCH + 32];
	const struct oev_journal_conf journal = {
		.path = ring, .records = records, .when_full = OEV_FULL_BLOCK, .block_max_ms = BLOCK_MAX_MS
	};
	const struct oev_recorder_conf conf = { .folder = options->folder,
						.node = "bench.example",
						.realm = "example",
						.policy_text = "",
						.policy_version = 1,
						.key = options->key,
						.checkpoint_s = 10,
						.batch_max_rows = BATCH_ROWS,
						.batch_max_ms = 200,
						.synchronous = OEV_SYNC_NORMAL,
						.log = say_error };

	snprintf(ring, sizeof(ring), "%s/%s", options->folder, OEV_JOURNAL_FILE);
	if (oev_place_make(options->folder, error, sizeof(error)) != OC_OK ||
	    oev_journal_open(&rig.journal, &journal, error, sizeof(error)) != OC_OK ||
	    oev_recorder_start(&rig.recorder, rig.journal, &conf, error, sizeof(error)) != OC_OK)
		die(error);
	oev_recorder_path(rig.recorder, rig.path, sizeof(rig.path));
	rig.started_ns = oev_clock_mono_ns();
	rig.own_ns = oev_clock_thread_ns();
	rig.cpu_ns = process_ns();
	return rig;
}

static void send_event(struct rig *rig, const struct oc_event *event)
{
	if (oev_journal_append(rig->journal, event) == OC_OK)
		rig->sent++;
}

static void send_traffic(struct rig *rig, uint64_t first_id, uint32_t requests)
{
	struct traffic *traffic = traffic_new(first_id, requests);
	struct oc_event event;

	while (traffic_next(traffic, &event))
		send_event(rig, &event);
	traffic_free(traffic);
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

/* Rows per second of processor time, all threads but this one. */
static double per_cpu_s(const struct rig *rig)
{
	uint64_t all_ns = process_ns() - rig->cpu_ns;
	uint64_t own_ns = oev_clock_thread_ns() - rig->own_ns;

	return (double)rig->sent * 1e9 / (double)(all_ns - own_ns);
}

/* Stops the clocks when all is committed, one of them when it is sealed. The sealed segment stays at rig->path. */
static struct round rig_stop(struct rig *rig)
{
	struct oev_recorder_stats stats = wait_drained(rig);
	double wall_s = (double)(oev_clock_mono_ns() - rig->started_ns) / 1e9;
	struct round round = { .per_cpu_s = per_cpu_s(rig), .per_wall_s = (double)rig->sent / wall_s };

	round.per_process_s = (double)rig->sent * 1e9 / (double)(process_ns() - rig->cpu_ns);
	round.dropped = stats.gap_events + oev_journal_take_gap(rig->journal);
	oev_recorder_stop(rig->recorder);
	round.sealed = per_cpu_s(rig);
	oev_journal_free(rig->journal);
	return round;
}

/* A fresh folder for the next round, so that none has a longer past than another. */
static void sweep(const struct options *options)
{
	char command[3 * PATH_MAX_BENCH];

	snprintf(command, sizeof(command), "rm -rf '%s' '%s.checkpoints'", options->folder, options->folder);
	if (system(command) != 0)
		die("the benchmark's folder cannot be removed");
}

/* The recorder, then SQLite alone twice, with the rows the recorder wrote. */
static struct round round_rows(const struct options *options)
{
	char path[PATH_MAX_BENCH + 16];
	struct rig rig = rig_start(options, RING_RECORDS);

	send_traffic(&rig, 1, options->requests);
	struct round round = rig_stop(&rig);
	struct bare *bare = bare_load(rig.path);
	snprintf(path, sizeof(path), "%s.bare", rig.path);
	round.bare = bare_run(bare, path, TRANSACTION_ROWS, 1);
	round.grouped = bare_run(bare, path, TRANSACTION_ROWS, GROUP_ROWS);
	bare_free(bare);
	sweep(options);
	return round;
}

static struct round round_octets(const struct options *options)
{
	struct rig rig = rig_start(options, RING_RECORDS);
	struct stat found = { 0 };

	send_traffic(&rig, FULL_SEGMENT_ID, options->requests);
	struct round round = rig_stop(&rig);
	if (stat(rig.path, &found) != 0)
		die("the segment is not there");
	round.octets = (double)found.st_size / options->requests;
	sweep(options);
	return round;
}

static struct round round_hot_path(const struct options *options)
{
	struct rig rig = rig_start(options, BURST_RECORDS);
	struct traffic *traffic = traffic_new(1, options->burst);
	struct oc_event *events = malloc(options->burst * sizeof(*events));

	if (!events)
		die("out of memory");
	for (uint32_t i = 0; i < options->burst; i++)
		(void)traffic_next(traffic, &events[i]);
	uint64_t before_ns = oev_clock_thread_ns();
	for (uint32_t i = 0; i < options->burst; i++)
		send_event(&rig, &events[i]);
	uint64_t took_ns = oev_clock_thread_ns() - before_ns;
	free(events);
	traffic_free(traffic);
	struct round round = rig_stop(&rig);
	round.ns_per_event = (double)took_ns / options->burst;
	sweep(options);
	return round;
}

/* Of one quantity of all rounds, @at octets from the beginning of each. */
static double median(const struct round rounds[static ROUNDS], size_t at)
{
	double values[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++)
		memcpy(&values[i], (const char *)&rounds[i] + at, sizeof(values[i]));
	return bench_median(values, ROUNDS);
}

static double quickest(const struct round rounds[static ROUNDS], size_t at)
{
	double best = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		double value;
		memcpy(&value, (const char *)&rounds[i] + at, sizeof(value));
		best = value > best ? value : best;
	}
	return best;
}

/* Of the quickest rounds: a neighbour on the machine slows a round down, nothing makes one quicker than it is. */
static double ratio(const struct round rounds[static ROUNDS], size_t by)
{
	return quickest(rounds, offsetof(struct round, per_cpu_s)) / quickest(rounds, by);
}

static double ratio_of_medians(const struct round rounds[static ROUNDS], size_t by)
{
	return median(rounds, offsetof(struct round, per_cpu_s)) / median(rounds, by);
}

static uint64_t run_rounds(round_fn fn, const struct options *options, struct round rounds[static ROUNDS])
{
	uint64_t dropped = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		rounds[i] = fn(options);
		dropped += rounds[i].dropped;
	}
	return dropped;
}

static int bench(const struct options *options)
{
	struct round rows[ROUNDS], hot[ROUNDS];
	uint64_t dropped = run_rounds(round_rows, options, rows);
	struct round octets = round_octets(options);
	dropped += run_rounds(round_hot_path, options, hot) + octets.dropped;
	double cpu = median(rows, offsetof(struct round, per_cpu_s));
	double vs_bare = ratio(rows, offsetof(struct round, bare));
	double vs_grouped = ratio(rows, offsetof(struct round, grouped));
	double hot_ns = median(hot, offsetof(struct round, ns_per_event));
	const struct bench_figure figures[] = {
		{ "recorder.proven_rows_per_s", cpu, "1/s", ">= 450000", cpu >= 450000,
		  "Rows (a decision or an outcome) committed per second of processor time of the trail's "
		  "threads, so by one core that does "
		  "nothing else: journal file, dictionaries, leaves, Merkle tree, chain, signed checkpoints. "
		  "Making the events is not in "
		  "it. Overload of 30 %; WAL, synchronous normal; median of 9 rounds." },
		{ "recorder.sealed_rows_per_s", median(rows, offsetof(struct round, sealed)), "1/s", "", -1,
		  "The same with what ends a segment: last checkpoint, -wal folded in, digest of the file, "
		  "seal." },
		{ "recorder.rows_per_s_made_too", median(rows, offsetof(struct round, per_process_s)), "1/s",
		  "", -1,
		  "The same per second of processor time of the whole process: making and appending the "
		  "events is in it." },
		{ "recorder.proven_rows_per_s_wall", median(rows, offsetof(struct round, per_wall_s)), "1/s",
		  "", -1,
		  "The same rounds by the wall clock, from the first append to the last commit, on two cores "
		  "that others may use too: the "
		  "events are made on one, a full ring blocks the producer." },
		{ "recorder.vs_bare_sqlite", vs_bare, "ratio", ">= 0.75", vs_bare >= 0.75,
		  "The first figure over the rows per processor second of SQLite alone: same decisions and "
		  "outcomes, columns, pragmas and "
		  "transactions, one row per execution of a prepared statement. Both in turn in each of 9 "
		  "rounds; quickest round of each." },
		{ "recorder.vs_bare_sqlite_median", ratio_of_medians(rows, offsetof(struct round, bare)),
		  "ratio", "", -1, "The same from the median round of each." },
		{ "recorder.vs_grouped_sqlite", vs_grouped, "ratio", "", -1,
		  "The same over SQLite alone with 16 rows per execution." },
		{ "recorder.bare_rows_per_s", median(rows, offsetof(struct round, bare)), "1/s", "", -1,
		  "SQLite alone, one row per execution." },
		{ "recorder.bytes_per_request", octets.octets, "octets", "<= 100", octets.octets <= 100,
		  "Size of the sealed segment over its requests: decision, outcome, and their share of "
		  "dictionaries, batches "
		  "and checkpoints. Overload of 30 %, one host look per request with a chance of 64 bits, "
		  "sessions of 2 to 4 "
		  "requests and subscribers with pseudonyms, 50 origin hosts, answers after 0.3 to 20 ms and "
		  "1 % after 10 s; "
		  "numbers from 10,000,000 on." },
		{ "recorder.rows_dropped", (double)dropped, "rows", "= 0", dropped == 0,
		  "Events of all rounds that became a gap instead of a row." },
		{ "recorder.hot_path_ns", hot_ns, "ns", "<= 500", hot_ns <= 500,
		  "Appending an event to the journal's file while the recorder drains; mean of a burst that "
		  "fits the ring, "
		  "median of 9 bursts." },
	};
	return bench_report("recorder", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json);
}

static int profile(const struct options *options)
{
	struct rig rig = rig_start(options, RING_RECORDS);

	send_traffic(&rig, 1, options->profile);
	struct round round = rig_stop(&rig);
	printf("%.0f rows per processor second, %.0f by the wall\n", round.per_cpu_s, round.per_wall_s);
	sweep(options);
	return round.dropped != 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: bench-recorder [--quick] [--json FILE] [--commit SHA] [--folder DIR] "
			"[--profile REQUESTS]\n"
			"--folder names a folder that is made and removed again. --profile runs that many "
			"requests once, "
			"for a profiler.\n");
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

	*out = (struct options){ .commit = "", .requests = 500000, .burst = 200000 };
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'q':
			out->requests = 150000;
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

static void make_key(struct options *options, char path[static PATH_MAX_BENCH])
{
	struct oev_why why;
	bool is_new;

	snprintf(path, PATH_MAX_BENCH, "%s.key", options->folder);
	oev_gcrypt_ready();
	if (oev_key_open(path, &options->key, &is_new, &why) != OC_OK)
		die(why.text);
}

int main(int argc, char **argv)
{
	struct options options;
	char made[PATH_MAX_BENCH], folder[PATH_MAX_BENCH + 8], key[PATH_MAX_BENCH];
	const char *tmp = getenv("TMPDIR");

	if (parse(argc, argv, &options) != 0)
		return usage();
	snprintf(made, sizeof(made), "%s/doic-bench-XXXXXX", tmp ? tmp : "/tmp");
	bool own_folder = !options.folder;
	if (own_folder && !mkdtemp(made)) {
		perror(made);
		return 2;
	}
	snprintf(folder, sizeof(folder), "%s/e", made);
	if (own_folder)
		options.folder = folder;
	make_key(&options, key);
	int rc = options.profile ? profile(&options) : bench(&options);
	oev_key_free(options.key);
	unlink(key);
	if (own_folder)
		rmdir(made);
	return rc;
}
