/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Every test that docs/threat-model.md names exists, and every threat names one.
 */
#include <CUnit/Basic.h>
#include <CUnit/TestDB.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void test_oweb_threats_suite(void);

static bool exists(char *name)
{
	char *colon = strstr(name, ": ");
	CU_pSuite suite;

	if (colon == NULL)
		return false;
	*colon = '\0';
	suite = CU_get_suite_by_name(name, CU_get_registry());
	bool found = suite != NULL && CU_get_test_by_name(colon + 2, suite) != NULL;
	*colon = ':';
	return found;
}

/* The tests of the last cell of a row. */
static unsigned check_cell(char *cell)
{
	unsigned tests = 0;
	char *rest = NULL;

	for (char *name = strtok_r(cell, ";", &rest); name != NULL; name = strtok_r(NULL, ";", &rest)) {
		name += strspn(name, " ");
		for (char *end = name + strlen(name); end > name && end[-1] == ' '; end--)
			end[-1] = '\0';
		bool found = exists(name);
		if (!found)
			fprintf(stderr, "no such test: %s\n", name);
		CU_ASSERT(found);
		tests++;
	}
	return tests;
}

static void every_threat_names_tests_that_exist(void)
{
	FILE *file = fopen(DOIC_SOURCE_DIR "/docs/threat-model.md", "r");
	char line[2048];
	bool is_table = false;
	unsigned threats = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		bool is_head = strncmp(line, "| threat |", 10) == 0;
		is_table = is_head || (is_table && line[0] == '|');
		char *last = strrchr(line, '|');
		if (!is_table || is_head || strncmp(line, "|---", 4) == 0 || last == NULL)
			continue;
		*last = '\0';
		threats++;
		CU_ASSERT(check_cell(strrchr(line, '|') + 1) > 0);
	}
	fclose(file);
	CU_ASSERT(threats > 20);
}

void test_oweb_threats_suite(void)
{
	CU_pSuite suite = CU_add_suite("oweb_threats", NULL, NULL);

	CU_add_test(suite, "every threat names tests that exist", every_threat_names_tests_that_exist);
}
