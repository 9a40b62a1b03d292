/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Assertions on what a verification found.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "help_evidence.h"

const struct oev_verify_finding *help_find(const struct oev_verify_result *result, enum oev_verify_kind kind)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (result->findings[i].kind == kind)
			return &result->findings[i];
	return NULL;
}

static void print(const struct oev_verify_result *result)
{
	printf("\n    %s (%s)\n", oev_verify_outcome_text(result->outcome), result->error);
	for (size_t i = 0; i < result->finding_count; i++)
		printf("    - %s/%s %s %s %lld: %s\n", oev_verify_outcome_text(result->findings[i].outcome),
		       oev_verify_kind_text(result->findings[i].kind), result->findings[i].segment,
		       result->findings[i].table, (long long)result->findings[i].row,
		       result->findings[i].what);
}

void help_expect(const struct help_evidence *evidence, const struct oev_verify_options *options,
		 enum oev_verify_outcome outcome, enum oev_verify_kind kind, const char *table, int64_t row,
		 struct oev_verify_result *out)
{
	help_verify(evidence, options, out);
	const struct oev_verify_finding *first = oev_verify_first(out);
	CU_ASSERT_EQUAL(out->outcome, outcome);
	CU_ASSERT(first != NULL && first->kind == kind);
	CU_ASSERT(first != NULL && (table[0] == '\0' || strcmp(first->table, table) == 0));
	CU_ASSERT(first != NULL && (row == -1 || first->row == row));
	if (out->outcome != outcome || first == NULL || first->kind != kind ||
	    (table[0] != '\0' && strcmp(first->table, table) != 0) || (row != -1 && first->row != row))
		print(out);
}

void help_remove_segment(const struct help_evidence *evidence, unsigned number)
{
	char path[256], seal[300];

	help_path(evidence, number, path);
	snprintf(seal, sizeof(seal), "%s.seal", path);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(unlink(seal), 0);
}
