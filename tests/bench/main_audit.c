/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the audit: how fast it reads decisions and outcomes, and how much memory it needs for them.
 *
 * A segment is written first: requests of 200 origins to eight servers, one of which asks for 30 % for a third of the time; every
 * request has its outcome, in the order of answers. Each round audits it in a process of its own and must find that the claim holds.
 */
#include <fcntl.h>
#include <getopt.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_event.h"
#include "bench_report.h"
#include "evidence/audit/oev_audit.h"
#include "evidence/oev_clock.h"

#define ROUNDS 3u
#define SPACING_NS 100000ull /* 10,000 requests a second */
#define WALL_US 1796000000000000ull
#define BASE_NS 1000000000000ull
#define GX 16777238u
#define SERVERS 8u
#define ORIGINS 200u
#define WAYS_PER_SERVER 3u /* forwarded; refused; left to a client that reacts itself */
#define UNDER_WAY 4096u	   /* requests that wait for their answer */
#define SELECTED(server) ((server)*WAYS_PER_SERVER + 2u)

struct options {
	const char *json;
	const char *commit;
	const char *folder;
	const char *audit; /* a folder to audit in this process */
	uint64_t decisions;
	bool keep;
};

/* What one round measured. */
struct round {
	double per_s;
	double rss_mib;
	bool holds;
};

static uint64_t mix(uint64_t n)
{
	n ^= n >> 30;
	n *= 0xbf58476d1ce4e5b9u;
	n ^= n >> 27;
	return n * 0x94d049bb133111ebu;
}

static void run_sql(sqlite3 *db, const char *sql)
{
	char *error = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &error) == SQLITE_OK)
		return;
	fprintf(stderr, "bench-audit: %s\n", error);
	exit(2);
}

static void run_file(sqlite3 *db, const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 17);

	if (file == NULL || text == NULL || fread(text, 1, (1 << 17) - 1, file) == 0) {
		fprintf(stderr, "bench-audit: cannot read %s\n", path);
		exit(2);
	}
	run_sql(db, text);
	free(text);
	fclose(file);
}

/* The version lasts for the middle third, without a ramp. */
static uint64_t from_id(const struct options *options)
{
	return options->decisions / 3;
}

static uint64_t until_id(const struct options *options)
{
	return 2 * options->decisions / 3;
}

static void write_frame(sqlite3 *db, const struct options *options)
{
	uint64_t from_ns = from_id(options) * SPACING_NS, until_ns = until_id(options) * SPACING_NS;
	unsigned validity_s = (unsigned)((until_ns - from_ns + 999999999) / 1000000000);
	uint64_t end_ns = from_ns + validity_s * 1000000000ull;
	char *sql = sqlite3_mprintf(
		"INSERT INTO meta VALUES ('schema', '3'), ('node', 'dra.example'), ('realm', 'example'), "
		"('base_ns', '%llu'),"
		" ('started_us', '%llu'), ('closed_us', '%llu');"
		"INSERT INTO policy VALUES (1, 0, 0, '', 'ramp_ms: 0 slack_requests: 0');"
		"INSERT INTO name VALUES (1, 'dra.example'), (2, 'example');"
		"WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 9 + %u)"
		" INSERT INTO name SELECT i, 'server' || i || '.example' FROM n;"
		"WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 99 + %u)"
		" INSERT INTO name SELECT i, 'client' || i || '.example' FROM n;"
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %llu)"
		" INSERT INTO clock SELECT %llu + i * 1000000000, %llu + i * 1000000 FROM n;"
		"INSERT INTO report VALUES (1, %llu, %llu, 10, %u, 0, 10, 10, 2, '5', 30, %u, NULL, 'loss', "
		"'new', '', 1,"
		" x'"
		"0000026f0000003c00000270000000100000000000000005000002720000000c00000000000002730000000c0000"
		"001e"
		"000002710000000c%08x', 60);"
		"INSERT INTO ocs_version VALUES (1, 1, NULL, 'host', %u, 10, '5', 'loss', 30, NULL, %u, "
		"%llu, %llu, %llu, NULL)",
		BASE_NS, WALL_US, WALL_US + options->decisions * SPACING_NS / 1000 + 1000000, SERVERS,
		ORIGINS, (unsigned long long)(options->decisions * SPACING_NS / 1000000000), BASE_NS, WALL_US,
		BASE_NS + from_ns, WALL_US + from_ns / 1000, GX, validity_s, validity_s, GX, validity_s,
		BASE_NS + from_ns, WALL_US + from_ns / 1000, BASE_NS + end_ns);
	run_sql(db, sql);
	sqlite3_free(sql);
	sql = sqlite3_mprintf("INSERT INTO ocs_change VALUES (1, %llu, %llu, 'shutdown', 0, 0, 0, 0);"
			      "WITH RECURSIVE o(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM o WHERE i < %u - "
			      "1)," /* flows */
			      " s(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM s WHERE j < %u - 1),"
			      " c(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 3)"
			      " INSERT INTO flow SELECT (i * %u + j) * 3 + k, %u, 272, 100 + i %% 16, 100 + "
			      "i, 2, 10 + j, 2, NULL, k, NULL"
			      " FROM o, s, c;"
			      "WITH RECURSIVE s(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM s WHERE j < %u - "
			      "1)"
			      " INSERT INTO way SELECT j * 3 + 1, 0, 0, 0, 4, 128, NULL, 10 + j, 10 + j, "
			      "NULL FROM s"
			      " UNION ALL SELECT j * 3 + 2, 2, 1, 2, 4, 128, NULL, 10 + j, NULL, 5012 FROM s"
			      " UNION ALL SELECT j * 3 + 3, 0, 0, 0, 4, 1, NULL, 10 + j, 10 + j, NULL FROM s "
			      "ORDER BY 1;"
			      "WITH RECURSIVE s(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM s WHERE j < %u - "
			      "1)"
			      " INSERT INTO ending SELECT j + 1, 2001, 0, 10 + j, 2, 10 + j, 1, NULL FROM s;"
			      "INSERT INTO ending VALUES (100, 5012, 1, 1, 2, NULL, 0, NULL)",
			      BASE_NS + until_ns, WALL_US + until_ns / 1000, ORIGINS, SERVERS, SERVERS, GX,
			      SERVERS, SERVERS);
	run_sql(db, sql);
	sqlite3_free(sql);
}

struct writer {
	sqlite3_stmt *decision, *outcome;
	uint64_t matched, selected;
	struct waiting {
		uint64_t decision, took_ns;
		uint32_t ending;
	} waiting[UNDER_WAY];
};

/* Answers leave in another order than requests came: each waits for up to UNDER_WAY others. */
static void write_outcome(struct writer *writer, const struct waiting *next)
{
	struct waiting *place = &writer->waiting[mix(next->decision * 7) % UNDER_WAY];

	if (place->decision != 0) {
		sqlite3_bind_int64(writer->outcome, 1, (int64_t)place->decision);
		sqlite3_bind_int64(writer->outcome, 2, (int64_t)place->took_ns);
		sqlite3_bind_int64(writer->outcome, 3, place->ending);
		sqlite3_step(writer->outcome);
		sqlite3_reset(writer->outcome);
	}
	*place = *next;
}

static void write_request(struct writer *writer, const struct options *options, uint64_t id)
{
	uint64_t chance = mix(id);
	uint32_t server = chance % SERVERS, origin = (chance >> 8) % ORIGINS, type = 1 + (chance >> 20) % 3;
	bool drawn = server == 0 && id >= from_id(options) && id < until_id(options);
	bool hit = drawn && (writer->matched + 1) * 3 / 10 > writer->matched * 3 / 10;
	sqlite3_stmt *stmt = writer->decision;

	writer->matched += drawn;
	writer->selected += hit;
	sqlite3_bind_int64(stmt, 1, (int64_t)id);
	sqlite3_bind_int64(stmt, 2, (int64_t)(id * SPACING_NS));
	sqlite3_bind_int64(stmt, 3, 20000 + (int64_t)(chance >> 50));
	sqlite3_bind_int64(stmt, 4, (origin * SERVERS + server) * 3 + type);
	sqlite3_bind_int64(stmt, 5, hit ? SELECTED(server) : server * WAYS_PER_SERVER + 1);
	for (int column = 6; column <= 14; column++)
		sqlite3_bind_null(stmt, column);
	if (drawn) {
		sqlite3_bind_int64(stmt, 9, 1);
		sqlite3_bind_int64(stmt, 10, 300000);
		sqlite3_bind_int64(stmt, 11, (int64_t)writer->matched);
	}
	sqlite3_bind_int64(stmt, 15, (int64_t)(0x40000000u + id));
	sqlite3_bind_int64(stmt, 16, (int64_t)(mix(chance) >> 17));
	sqlite3_bind_int64(stmt, 17, (int64_t)(mix(chance + 1) >> 17));
	if (drawn)
		sqlite3_bind_int64(stmt, 18, (int64_t)(chance >> 1));
	else
		sqlite3_bind_null(stmt, 18);
	sqlite3_step(stmt);
	sqlite3_reset(stmt);
	write_outcome(writer, &(struct waiting){ .decision = id,
						 .took_ns = 1000000 + (chance >> 40),
						 .ending = hit ? 100 : server + 1 });
}

static void write_segment(const struct options *options, const char *path)
{
	struct writer *writer = calloc(1, sizeof(*writer));
	sqlite3 *db = NULL;
	char sql[200];

	if (writer == NULL || sqlite3_open(path, &db) != SQLITE_OK) {
		fprintf(stderr, "bench-audit: cannot write %s\n", path);
		exit(2);
	}
	run_sql(db, "PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
	run_file(db, DOIC_SOURCE_DIR "/evidence/schema.sql");
	run_file(db, DOIC_SOURCE_DIR "/evidence/views.sql");
	write_frame(db, options);
	sqlite3_prepare_v2(db, "INSERT INTO decision VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
			   &writer->decision, NULL);
	sqlite3_prepare_v2(db, "INSERT INTO outcome VALUES (?,?,?)", -1, &writer->outcome, NULL);
	for (uint64_t id = 1; id <= options->decisions; id++)
		write_request(writer, options, id);
	for (size_t i = 0; i < UNDER_WAY; i++) /* the last ones */
		if (writer->waiting[i].decision != 0) {
			sqlite3_bind_int64(writer->outcome, 1, (int64_t)writer->waiting[i].decision);
			sqlite3_step(writer->outcome);
			sqlite3_reset(writer->outcome);
		}
	snprintf(sql, sizeof(sql),
		 "UPDATE ocs_change SET matched = %llu, selected = %llu, expected_ppm = %llu",
		 (unsigned long long)writer->matched, (unsigned long long)writer->selected,
		 (unsigned long long)(writer->matched * 300000));
	run_sql(db, sql);
	run_sql(db, "COMMIT");
	sqlite3_finalize(writer->decision);
	sqlite3_finalize(writer->outcome);
	sqlite3_close(db);
	free(writer);
}

/* In a process of its own: prints rate and outcome for the one that asked. */
static int audit_here(const struct options *options)
{
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	const char *inputs[] = { options->audit };
	const struct oev_audit_options what = { .inputs = inputs,
						.input_count = 1,
						.until_us = UINT64_MAX,
						.parts = OEV_PART_ALL,
						.required = OEV_STEP_SELECTED };
	uint64_t before_ns = oev_clock_mono_ns();
	char verdict[512];

	oev_audit_run(audit, &what);
	double took_s = (double)(oev_clock_mono_ns() - before_ns) / 1e9;
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	fprintf(stderr, "  %.2f s: %s\n", took_s, verdict);
	printf("%.3f %d\n", (double)audit->scanned / took_s, audit->outcome == OEV_HOLDS);
	oev_audit_fini(audit);
	free(audit);
	return 0;
}

static struct round run_round(const struct options *options, const char *self)
{
	struct round round = { 0 };
	struct rusage usage;
	int out[2], holds = 0, status;

	if (pipe(out) != 0)
		exit(2);
	pid_t child = fork();
	if (child == 0) {
		dup2(out[1], STDOUT_FILENO);
		execl(self, self, "--audit", options->folder, (char *)NULL);
		_exit(2);
	}
	close(out[1]);
	FILE *words = fdopen(out[0], "r");
	if (child < 0 || words == NULL || fscanf(words, "%lf %d", &round.per_s, &holds) != 2)
		fprintf(stderr, "bench-audit: a round gave no figures\n");
	if (words != NULL)
		fclose(words);
	wait4(child, &status, 0, &usage);
	round.rss_mib = (double)usage.ru_maxrss / 1024.0;
	round.holds = holds == 1;
	return round;
}

static int by_rate(const void *a, const void *b)
{
	const struct round *left = a, *right = b;

	return (left->per_s > right->per_s) - (left->per_s < right->per_s);
}

static int bench(const struct options *options, const char *self)
{
	struct round rounds[ROUNDS];
	double rss_mib = 0;
	bool holds = true;

	for (unsigned i = 0; i < ROUNDS; i++) {
		rounds[i] = run_round(options, self);
		rss_mib = rounds[i].rss_mib > rss_mib ? rounds[i].rss_mib : rss_mib;
		holds &= rounds[i].holds;
	}
	qsort(rounds, ROUNDS, sizeof(rounds[0]), by_rate);
	double per_s = rounds[ROUNDS / 2].per_s;
	const struct bench_figure figures[] = {
		{ "audit.decisions_per_s", per_s, "1/s", ">= 1000000", per_s >= 1000000,
		  "Decisions, each with its outcome, audited per second of wall time from opening the "
		  "segment to the verdict; "
		  "warm file cache, median of 3 rounds." },
		{ "audit.rss_mib", rss_mib, "MiB", "<= 256", rss_mib <= 256,
		  "Largest resident set of the auditing process, of 3 rounds." },
		{ "audit.decisions", (double)options->decisions, "rows", "", -1,
		  "Decisions of the segment audited." },
		{ "audit.verdict_holds", holds, "", "= 1", holds,
		  "The honest segment is found to hold in every round: nothing was read wrongly." },
	};
	return bench_report("audit", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json);
}

static int usage(void)
{
	fprintf(stderr, "usage: bench-audit [--quick] [--decisions N] [--json FILE] [--commit SHA] [--folder "
			"DIR] [--keep]\n"
			"       bench-audit --audit FOLDER\n"
			"The segment (about 1 GB for 10,000,000 decisions) is written below DIR (default: "
			"this folder) and removed.\n");
	return 2;
}

static int parse(int argc, char **argv, struct options *out)
{
	static const struct option known[] = {
		{ "quick", no_argument, NULL, 'q' },	    { "json", required_argument, NULL, 'j' },
		{ "commit", required_argument, NULL, 'c' }, { "folder", required_argument, NULL, 'f' },
		{ "audit", required_argument, NULL, 'a' },  { "decisions", required_argument, NULL, 'n' },
		{ "keep", no_argument, NULL, 'k' },	    { NULL, 0, NULL, 0 }
	};
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
		case 'a':
			out->audit = optarg;
			break;
		case 'n':
			out->decisions = strtoull(optarg, NULL, 10);
			break;
		case 'k':
			out->keep = true;
			break;
		default:
			return -1;
		}
	}
	return optind == argc && out->decisions >= 1000 ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct options options;
	char folder[4096], path[4160];

	if (parse(argc, argv, &options) != 0)
		return usage();
	if (options.audit != NULL)
		return audit_here(&options);
	snprintf(folder, sizeof(folder), "%s/bench-audit-XXXXXX", options.folder);
	if (mkdtemp(folder) == NULL) {
		fprintf(stderr, "bench-audit: cannot write below %s\n", options.folder);
		return 2;
	}
	options.folder = folder;
	snprintf(path, sizeof(path), "%s/seg-1.db", folder);
	write_segment(&options, path);
	int missed = bench(&options, argv[0]);
	if (!options.keep) {
		unlink(path);
		rmdir(folder);
	}
	return missed;
}
