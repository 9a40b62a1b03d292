/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How a benchmark program says its figures: a table for people, a JSON file for programs.
 */
#pragma once

#include <stddef.h>

struct bench_figure {
	const char *id; /* stable, "core.decisions_per_s" */
	double value;
	const char *unit;  /* "1/s", "ns", "instructions" */
	const char *bound; /* ">= 10000000", "" when there is none */
	int holds;	   /* 1 yes, 0 no, -1 no bound */
	const char *how;   /* one sentence: what was measured and how */
};

/* Prints the table and writes @json_path (NULL: no file) with bench name @bench and commit @commit ("" when unknown).
 * Returns 0 when every bound holds and the file was written, 1 otherwise. */
int bench_report(const char *bench, const char *commit, const struct bench_figure *figures, size_t count,
		 const char *json_path);
