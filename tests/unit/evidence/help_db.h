/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Shared by the tests of the write connection: an empty segment of its own for each test, and questions to it.
 */
#pragma once

#include <CUnit/CUnit.h>

#include "evidence/store/oev_traffic.h"
#include "help_trail.h"

#define HELP_BASE_NS 1000000ull

struct help_db {
	char folder[HELP_PATH_MAX];
	char path[HELP_PATH_MAX + 16];
	struct oev_db *db;
	struct oev_traffic traffic; /* its base is HELP_BASE_NS */
};

extern struct help_db help_db; /* of the running test */

/* Of every suite. */
void help_db_set_up(void);
void help_db_tear_down(void);

long long help_db_ask(const char *sql);

/* Writes @count events in one transaction; *@refused (may be NULL) says how many were left out. */
int help_db_put_all(const struct oc_event *events, size_t count, uint64_t *refused);

/* One event; OC_EREFUSED when it was left out. */
int help_db_put(const struct oc_event *event);

#define HELP_DB_TEXT(sql, expected)                                                                          \
	do {                                                                                                 \
		char text_[HELP_TEXT_MAX];                                                                   \
		CU_ASSERT_STRING_EQUAL(help_ask_text(help_db.path, sql, text_), expected);                   \
	} while (0)
