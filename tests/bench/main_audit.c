/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Benchmark of the audit: how fast it reads decisions and outcomes, how much memory it needs for them, and whether what it
 * counts is what was generated.
 *
 * The evidence is made first, by the core and the recorder (audit_evidence.h). Each round audits it in a process of its own.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit_evidence.h"
#include "bench_report.h"
#include "evidence/audit/oev_audit.h"
#include "evidence/oev_clock.h"
#include "tests/unit/replay/help_record.h"

#define ROUNDS 3u
#define FOLDER_MAX (HELP_FOLDER_MAX - 8)

struct options {
	const char *json;
	const char *commit;
	const char *folder;
	const char *audit; /* a folder to audit in this process */
	uint64_t decisions;
	bool keep;
	bool verify; /* with audit */
};

/* What one round measured. */
struct round {
	double took_s;
	double cpu_s;
	double rss_mib;
	bool holds;
	struct audit_facts found;
};

static void find_facts(const struct oev_audit *audit, struct audit_facts *found)
{
	const struct oev_population *people = &audit->population;

	*found = (struct audit_facts){ .decisions = people->candidates,
				       .forwarded = people->forwarded,
				       .diverted = people->diverted,
				       .refused = people->refused,
				       .by_realm = people->refused_realm,
				       .by_host = people->refused_host,
				       .by_peer = people->refused_peer,
				       .outcomes = people->candidates - people->without_outcome,
				       .reports = audit->report_count,
				       .versions = audit->version_count };
	for (size_t i = 0; i < audit->version_count; i++) {
		found->drawn += audit->versions[i].all.matched;
		found->selected += audit->versions[i].all.selected;
	}
	for (size_t i = 0; i < audit->hop_count; i++) {
		found->success += audit->hops[i].answers[OEV_ANSWER_SUCCESS];
		for (int class = 0; class < OEV_ANSWER_COUNT; class ++)
			found->relayed += audit->hops[i].answers[class];
	}
}

/* In a process of its own: prints time, verdict and facts for the one that asked. */
static int audit_here(const struct options *options)
{
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	const char *inputs[] = { options->audit };
	const struct oev_audit_options what = { .inputs = inputs,
						.input_count = 1,
						.until_us = UINT64_MAX,
						.parts = OEV_PART_ALL,
						.required = OEV_STEP_SELECTED,
						.verify = options->verify };
	uint64_t before_ns = oev_clock_mono_ns(), facts[AUDIT_FACTS];
	struct audit_facts found;
	char verdict[512];

	oev_audit_run(audit, &what);
	double took_s = (double)(oev_clock_mono_ns() - before_ns) / 1e9;
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	fprintf(stderr, "  %.2f s, %zu segments: %s%s\n", took_s, audit->segment_count, verdict,
		audit->error);
	find_facts(audit, &found);
	memcpy(facts, &found, sizeof(facts));
	printf("%.6f %d", took_s,
	       audit->outcome == OEV_HOLDS && audit->exception_count == 0 && audit->gap_count == 0);
	for (size_t i = 0; i < AUDIT_FACTS; i++)
		printf(" %" PRIu64, facts[i]);
	printf("\n");
	oev_audit_fini(audit);
	free(audit);
	return 0;
}

static bool read_round(FILE *words, struct round *round)
{
	uint64_t facts[AUDIT_FACTS];
	int holds = 0;
	bool whole = fscanf(words, "%lf %d", &round->took_s, &holds) == 2;

	for (size_t i = 0; i < AUDIT_FACTS; i++)
		whole = whole && fscanf(words, "%" SCNu64, &facts[i]) == 1;
	if (whole)
		memcpy(&round->found, facts, sizeof(facts));
	round->holds = whole && holds == 1;
	return whole;
}

static struct round run_round(const char *folder, const char *self, bool verify)
{
	struct round round = { .took_s = 1e9 };
	struct rusage usage;
	int out[2], status;

	if (pipe(out) != 0)
		exit(2);
	pid_t child = fork();
	if (child == 0) {
		dup2(out[1], STDOUT_FILENO);
		execl(self, self, "--audit", folder, verify ? "--verify" : (char *)NULL, (char *)NULL);
		_exit(2);
	}
	close(out[1]);
	FILE *words = fdopen(out[0], "r");
	if (child < 0 || words == NULL || !read_round(words, &round))
		fprintf(stderr, "bench-audit: a round gave no figures\n");
	if (words != NULL)
		fclose(words);
	wait4(child, &status, 0, &usage);
	round.rss_mib = (double)usage.ru_maxrss / 1024.0;
	round.cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		      (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	return round;
}

/* How many facts the audit found otherwise than they were told. */
static unsigned count_wrong(const struct audit_facts *told, const struct audit_facts *found)
{
	uint64_t want[AUDIT_FACTS], got[AUDIT_FACTS];
	unsigned wrong = 0;

	memcpy(want, told, sizeof(want));
	memcpy(got, found, sizeof(got));
	for (size_t i = 0; i < AUDIT_FACTS; i++) {
		if (want[i] == got[i])
			continue;
		fprintf(stderr, "bench-audit: %s: %" PRIu64 " were told, the audit found %" PRIu64 "\n",
			audit_facts_names[i], want[i], got[i]);
		wrong++;
	}
	return wrong;
}

static int by_time(const void *a, const void *b)
{
	const struct round *left = a, *right = b;

	return (left->took_s > right->took_s) - (left->took_s < right->took_s);
}

static int bench(const struct options *options, const struct audit_facts *told, const char *folder,
		 const char *self)
{
	struct round rounds[ROUNDS], verified = run_round(folder, self, true);
	double rss_mib = verified.rss_mib, decisions = (double)told->decisions;
	unsigned wrong = count_wrong(told, &verified.found);
	bool holds = verified.holds;

	for (unsigned i = 0; i < ROUNDS; i++) {
		rounds[i] = run_round(folder, self, false);
		rss_mib = rounds[i].rss_mib > rss_mib ? rounds[i].rss_mib : rss_mib;
		holds &= rounds[i].holds;
		wrong += count_wrong(told, &rounds[i].found);
	}
	qsort(rounds, ROUNDS, sizeof(rounds[0]), by_time);
	double per_s = decisions / rounds[ROUNDS / 2].took_s;
	const struct bench_figure figures[] = {
		{ "audit.decisions_per_s", per_s, "1/s", ">= 1000000", per_s >= 1000000,
		  "Decisions, each with its outcome, audited per second of wall time, from opening the "
		  "folder "
		  "to the verdict, without the verification of every row (bench verify); three applications, "
		  "host, realm and peer reports, loss and rate, failover, several segments as the recorder "
		  "writes them; warm file cache, median of 3 rounds." },
		{ "audit.decisions_per_s_verified", decisions / verified.took_s, "1/s", "", -1,
		  "The same with the verification of every row, as the command does it by default; one "
		  "round." },
		{ "audit.decisions_per_cpu_s", decisions / rounds[ROUNDS / 2].cpu_s, "1/s", "", -1,
		  "Decisions per second of processor time of all threads, of the round that is the median." },
		{ "audit.rss_mib", rss_mib, "MiB", "<= 256", rss_mib <= 256,
		  "Largest resident set of an auditing process, of all rounds." },
		{ "audit.decisions", decisions, "rows", "", -1, "Decisions of the folder audited." },
		{ "audit.wrong_counts", wrong, "", "= 0", wrong == 0,
		  "Of what the core told event by event (decisions by verdict and scope, outcomes, reports, "
		  "versions, draws): counts that the audit found otherwise, of all rounds." },
		{ "audit.verdict_holds", holds, "", "= 1", holds,
		  "Every claim of the honest evidence is found to hold up to selected in every round, "
		  "without "
		  "exceptions and gaps." },
	};
	return bench_report("audit", options->commit, figures, sizeof(figures) / sizeof(figures[0]),
			    options->json);
}

static int usage(void)
{
	fprintf(stderr, "usage: bench-audit [--quick] [--decisions N] [--json FILE] [--commit SHA] [--folder "
			"DIR] [--keep]\n"
			"       bench-audit --audit FOLDER [--verify]\n"
			"The evidence (about 1 GB for 10,000,000 decisions) is written below DIR (default: "
			"this folder) and removed.\n");
	return 2;
}

static int parse(int argc, char **argv, struct options *out)
{
	static const struct option known[] = { { "quick", no_argument, NULL, 'q' },
					       { "json", required_argument, NULL, 'j' },
					       { "commit", required_argument, NULL, 'c' },
					       { "folder", required_argument, NULL, 'f' },
					       { "audit", required_argument, NULL, 'a' },
					       { "decisions", required_argument, NULL, 'n' },
					       { "keep", no_argument, NULL, 'k' },
					       { "verify", no_argument, NULL, 'v' },
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
		case 'a':
			out->audit = optarg;
			break;
		case 'n':
			out->decisions = strtoull(optarg, NULL, 10);
			break;
		case 'k':
			out->keep = true;
			break;
		case 'v':
			out->verify = true;
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
	struct audit_facts told;
	char folder[FOLDER_MAX];

	if (parse(argc, argv, &options) != 0)
		return usage();
	if (options.audit != NULL)
		return audit_here(&options);
	int length = snprintf(folder, sizeof(folder), "%s/bench-audit-XXXXXX", options.folder);
	if (length >= (int)sizeof(folder) || mkdtemp(folder) == NULL) {
		fprintf(stderr, "bench-audit: cannot write below %s\n", options.folder);
		return 2;
	}
	uint64_t before_ns = oev_clock_mono_ns();
	audit_evidence_make(folder, options.decisions, 0, &told);
	fprintf(stderr, "bench-audit: %" PRIu64 " decisions made and kept in %.1f s\n", told.decisions,
		(double)(oev_clock_mono_ns() - before_ns) / 1e9);
	int missed = bench(&options, &told, folder, argv[0]);
	if (!options.keep)
		help_record_remove(folder);
	return missed;
}
