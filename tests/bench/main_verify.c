/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the verification: rows per second and memory over what the recorder wrote, and the flip of
 * every bit.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "bench_report.h"
#include "evidence/oev_clock.h"
#include "evidence/store/oev_recorder.h"
#include "tests/unit/verify/help_evidence.h"
#include "tests/unit/verify/help_flips.h"

#define RING_RECORDS 65536u
#define BLOCK_MAX_MS 60000u
#define PATH_MAX_BENCH 512
#define MIB 1024.0 /* in kilobytes, as getrusage() has them */

struct options {
	const char *json;
	const char *commit;
	uint32_t pairs; /* decisions and outcomes of the large folder */
	uint32_t every; /* bits outside the rows: one of so many */
	uint32_t every_row_bit;
	uint32_t every_digest;
	const char *make;    /* only makes this folder, with as many pairs */
	uint32_t segment_mb; /* in segments of that size, 0 one */
	uint32_t keep_mb;    /* of which so many are kept, 0 all */
};

static uint64_t mix(uint64_t n)
{
	n ^= n >> 30;
	n *= 0xbf58476d1ce4e5b9u;
	n ^= n >> 27;
	return n * 0x94d049bb133111ebu;
}

/* A request as a relay in front of a few servers sees it, and its answer. */
static void send_pair(struct oev_journal *journal, uint64_t id)
{
	struct oc_event event = { .kind = OC_EVENT_DECISION, .mono_ns = 1000000000000u + id * 20000u };
	struct oc_decision *d = &event.u.decision;
	uint64_t chance = mix(id);

	d->id = id;
	d->at_ns = event.mono_ns;
	d->session_hash = mix(chance) >> 17;
	d->random = chance;
	d->app_id = 16777238;
	d->command = 272;
	d->end_to_end = (uint32_t)(0x40000000u + id);
	d->client_peer = 10 + chance % 16;
	d->origin_host = 30 + chance % 200;
	d->first_choice = 300 + (chance >> 8) % 8;
	d->next_hop = d->first_choice;
	d->drmp = OC_DRMP_NONE;
	oev_journal_append(journal, &event);
	event = (struct oc_event){ .kind = OC_EVENT_OUTCOME, .mono_ns = event.mono_ns + 5000000u };
	event.u.outcome = (struct oc_event_outcome){ .id = id,
						     .took_ns = 1000000u + (chance & 0xfffff),
						     .result_code = OC_RC_SUCCESS,
						     .answered_by = 300 + (chance >> 8) % 8,
						     .from_peer = 300 + (chance >> 8) % 8,
						     .attempts = 1 };
	oev_journal_append(journal, &event);
}

/* A sealed folder of options->pairs requests, by the recorder itself. */
static void record(const struct help_evidence *place, const struct options *options)
{
	struct oev_journal *journal = oev_journal_new(RING_RECORDS, OEV_FULL_BLOCK, BLOCK_MAX_MS);
	struct oev_recorder_conf conf = { .folder = place->folder,
					  .node = HELP_NODE,
					  .realm = "example.net",
					  .policy_text = "",
					  .policy_version = 1,
					  .key = place->key,
					  .checkpoint_s = 1,
					  .segment_max_mb = options->segment_mb,
					  .keep_mb = options->keep_mb,
					  .batch_max_rows = 8192,
					  .batch_max_ms = 200,
					  .synchronous = OEV_SYNC_OFF };
	struct oev_recorder *recorder = NULL;
	char error[512] = "out of memory";

	if (journal == NULL || oev_recorder_start(&recorder, journal, &conf, error, sizeof(error)) != OC_OK) {
		fprintf(stderr, "bench-verify: %s\n", error);
		exit(2);
	}
	for (uint64_t id = 1; id <= options->pairs; id++)
		send_pair(journal, id);
	oev_recorder_stop(recorder);
	oev_journal_free(journal);
}

struct speed {
	double rows_per_s;
	double rss_mib;
	uint64_t rows;
	bool is_intact;
};

static struct speed measure(const struct options *options)
{
	struct help_evidence place;
	struct oev_verify_result result;
	struct rusage after;

	if (!help_evidence_new(&place)) {
		fprintf(stderr, "bench-verify: no folder can be made\n");
		exit(2);
	}
	pid_t child = fork(); /* what recording takes is not to be counted */
	if (child == 0) {
		record(&place, options);
		_exit(0);
	}
	int status = 1;
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		exit(2);
	help_verify(&place, NULL, &result);
	getrusage(RUSAGE_SELF, &after);
	struct speed speed = { .rows_per_s = (double)result.rows / result.seconds,
			       .rss_mib = (double)after.ru_maxrss / MIB,
			       .rows = result.rows,
			       .is_intact = result.outcome == OEV_VERIFY_INTACT };
	oev_verify_fini(&result);
	help_evidence_remove(&place);
	return speed;
}

static int bench(const struct options *options)
{
	struct help_flips flips = { .every = options->every,
				    .every_row_bit = options->every_row_bit,
				    .every_digest = options->every_digest };
	char how[900];
	struct speed speed = measure(options);
	int failed = help_flips_run(&flips);

	snprintf(how, sizeof(how),
		 "One sealed segment of %zu octets, every table filled; %zu octets are rows. Digest against "
		 "the seal: %llu bits "
		 "(one of %u), %llu not found. Without the seal: %llu bits of rows (one of %u) and %llu "
		 "others (one of %u) turned "
		 "over; missed is a bit after which a reader of some table or of the schema sees something "
		 "else and no finding "
		 "says so. %llu (%llu in rows) change nothing that is read, and only the seal finds them.",
		 flips.file_octets, flips.cell_octets, (unsigned long long)flips.digest_bits,
		 options->every_digest, (unsigned long long)flips.digest_missed,
		 (unsigned long long)flips.cell_bits, options->every_row_bit,
		 (unsigned long long)flips.other_bits, options->every, (unsigned long long)flips.no_change,
		 (unsigned long long)flips.cell_no_change);
	const struct bench_figure figures[] = {
		{ "verify.bitflips_missed", (double)(flips.missed + flips.digest_missed), "bits", "= 0",
		  failed == 0 && flips.missed == 0 && flips.digest_missed == 0, how },
		{ "verify.rows_per_s", speed.rows_per_s, "1/s", "", -1,
		  "Rows made into leaves again per second of wall time, file digest, chain and signatures "
		  "included; one "
		  "thread, one folder by the recorder." },
		{ "verify.rss_mib", speed.rss_mib, "MiB", "<= 64", speed.rss_mib <= 64 && speed.is_intact,
		  "Largest resident set of the program that verified that folder." },
	};
	printf("%llu rows verified\n", (unsigned long long)speed.rows);
	return bench_report("verify", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json) |
	       failed;
}

/* One life of an agent in folder options->make, with its key beside it. */
static int make(const struct options *options)
{
	struct help_evidence place = { .node = HELP_NODE };
	char path[PATH_MAX_BENCH];
	struct oev_why why;
	bool is_new;

	oev_gcrypt_ready();
	snprintf(place.folder, sizeof(place.folder), "%s", options->make);
	snprintf(path, sizeof(path), "%s.key", options->make);
	if (oev_key_open(path, &place.key, &is_new, &why) != OC_OK) {
		fprintf(stderr, "bench-verify: %s\n", why.text);
		return 2;
	}
	record(&place, options);
	oev_key_free(place.key);
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: bench-verify [--quick] [--all] [--json FILE] [--commit SHA]\n"
			"       bench-verify --make FOLDER [--pairs N] [--segment-mb N] [--keep-mb N]\n"
			"--all turns over every bit of the file rather than every bit of the rows and some "
			"others.\n");
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option known[] = { { "quick", no_argument, NULL, 'q' },
					       { "all", no_argument, NULL, 'a' },
					       { "make", required_argument, NULL, 'm' },
					       { "pairs", required_argument, NULL, 'p' },
					       { "segment-mb", required_argument, NULL, 's' },
					       { "keep-mb", required_argument, NULL, 'k' },
					       { "json", required_argument, NULL, 'j' },
					       { "commit", required_argument, NULL, 'c' },
					       { NULL, 0, NULL, 0 } };
	struct options options = {
		.commit = "", .pairs = 1000000, .every = 97, .every_row_bit = 1, .every_digest = 1
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'q':
			options.pairs = 100000;
			options.every = 997;
			options.every_row_bit = 97;
			options.every_digest = 97;
			break;
		case 'a':
			options.every = 1;
			break;
		case 'm':
			options.make = optarg;
			break;
		case 'p':
			options.pairs = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 's':
			options.segment_mb = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 'k':
			options.keep_mb = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 'j':
			options.json = optarg;
			break;
		case 'c':
			options.commit = optarg;
			break;
		default:
			return usage();
		}
	}
	if (optind != argc)
		return usage();
	return options.make != NULL ? make(&options) : bench(&options);
}
