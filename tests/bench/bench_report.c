/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Table and JSON writer shared by the benchmark programs.
 */
#include "bench_report.h"

#include <jansson.h>
#include <stdio.h>

static const char *holds_word(int holds)
{
	return holds < 0 ? "" : holds ? "holds" : "MISSED";
}

static json_t *figure_json(const struct bench_figure *f)
{
	return json_pack("{s:s, s:f, s:s, s:s, s:o, s:s}", "id", f->id, "value", f->value, "unit", f->unit,
			 "bound", f->bound, "holds", f->holds < 0 ? json_null() : json_boolean(f->holds),
			 "how", f->how);
}

static int write_json(const char *bench, const char *commit, const struct bench_figure *figures, size_t count,
		      const char *path)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, figure_json(&figures[i]));
	json_t *root = json_pack("{s:s, s:s, s:o}", "bench", bench, "commit", commit, "figures", list);
	int rc = root ? json_dump_file(root, path, JSON_INDENT(2)) : -1;
	json_decref(root);
	if (rc != 0)
		fprintf(stderr, "cannot write %s\n", path);
	return rc != 0;
}

int bench_report(const char *bench, const char *commit, const struct bench_figure *figures, size_t count,
		 const char *json_path)
{
	int missed = 0;
	printf("%-44s %16s %-14s %-16s %s\n", bench, "value", "unit", "bound", "");
	for (size_t i = 0; i < count; i++) {
		const struct bench_figure *f = &figures[i];
		printf("%-44s %16.2f %-14s %-16s %s\n", f->id, f->value, f->unit, f->bound,
		       holds_word(f->holds));
		missed |= f->holds == 0;
	}
	if (json_path)
		missed |= write_json(bench, commit, figures, count, json_path);
	return missed;
}
