/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of versions that renew each other.
 */
#include <CUnit/CUnit.h>

#include "evidence/audit/oev_chain.h"

void test_oev_chain_suite(void);

#define SECOND 1000000000ull

/* The @number-th version: two seconds long, right after the one before, 30 %. */
static struct oev_version version_of(uint32_t number)
{
	return (struct oev_version){ .number = number,
				     .replaces = number - 1,
				     .from_ns = number * 2 * SECOND,
				     .end_ns = (number + 1) * 2 * SECOND,
				     .selected_ns = number * 2 * SECOND + 5,
				     .reduction_pct = 30,
				     .validity_s = 10,
				     .active = { .matched = 10, .selected = 3 },
				     .in_window = true,
				     .sequence = "7",
				     .how = "replaced" };
}

/* How many versions each chain of the five is made of, as decimal digits. */
static unsigned lengths_of(struct oev_version versions[static 5])
{
	struct oev_audit audit = { .versions = versions, .version_count = 5 };
	struct oev_claim claim = { .version_count = 5 };
	struct oev_chain chain;
	unsigned digits = 0;

	for (uint32_t at = oev_chain_next(&audit, &claim, 0, &chain); chain.count > 0;
	     at = oev_chain_next(&audit, &claim, at, &chain))
		digits = digits * 10 + chain.count;
	return digits;
}

static void begin(struct oev_version versions[static 5])
{
	for (uint32_t i = 0; i < 5; i++)
		versions[i] = version_of(i + 1);
}

static void test_renewals_are_one_chain(void)
{
	struct oev_version versions[5];
	struct oev_audit audit = { .versions = versions, .version_count = 5 };
	struct oev_claim claim = { .version_count = 5 };
	struct oev_chain chain;
	char text[64];

	begin(versions);
	versions[4].ramp.selected = 2;
	CU_ASSERT_EQUAL(oev_chain_next(&audit, &claim, 0, &chain), 5);
	CU_ASSERT_EQUAL(chain.count, 5);
	CU_ASSERT_EQUAL(chain.active_ns, 10 * SECOND);
	CU_ASSERT_EQUAL(chain.matched, 50);
	CU_ASSERT_EQUAL(chain.selected, 15);
	CU_ASSERT_EQUAL(chain.ramp_selected, 2);
	CU_ASSERT_EQUAL(chain.selected_ns, versions[0].selected_ns);
	CU_ASSERT_STRING_EQUAL(oev_chain_numbers(&chain, text), "#1..#5");
	CU_ASSERT_STRING_EQUAL(oev_chain_sequences(&chain, text), "7..7");
	CU_ASSERT_EQUAL(oev_chain_next(&audit, &claim, 5, &chain), 5);
	CU_ASSERT_EQUAL(chain.count, 0);
	CU_ASSERT_EQUAL(oev_chain_next(&audit, &claim, 4, &chain), 5);
	CU_ASSERT_STRING_EQUAL(oev_chain_numbers(&chain, text), "#5");
}

static void test_what_asks_for_something_else_begins_anew(void)
{
	struct oev_version versions[5];

	begin(versions);
	versions[2].reduction_pct = 20;
	CU_ASSERT_EQUAL(lengths_of(versions), 212);
	begin(versions);
	versions[3].is_rate = true;
	CU_ASSERT_EQUAL(lengths_of(versions), 311);
	begin(versions);
	versions[4].validity_s = 0; /* the end is told apart */
	CU_ASSERT_EQUAL(lengths_of(versions), 41);
}

static void test_break_begins_anew(void)
{
	struct oev_version versions[5];

	begin(versions);
	snprintf(versions[1].how, sizeof(versions[1].how), "expired");
	CU_ASSERT_EQUAL(lengths_of(versions), 23);
	begin(versions);
	versions[1].end_ns -= SECOND;
	CU_ASSERT_EQUAL(lengths_of(versions), 23);
	begin(versions);
	versions[2].replaces = 0;
	CU_ASSERT_EQUAL(lengths_of(versions), 23);
	begin(versions);
	versions[3].life = versions[4].life = 1;
	CU_ASSERT_EQUAL(lengths_of(versions), 32);
	begin(versions);
	versions[0].in_window = versions[4].in_window = false;
	CU_ASSERT_EQUAL(lengths_of(versions), 3);
}

void test_oev_chain_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_chain", NULL, NULL);

	CU_add_test(suite, "renewals_are_one_chain", test_renewals_are_one_chain);
	CU_add_test(suite, "what_asks_for_something_else", test_what_asks_for_something_else_begins_anew);
	CU_add_test(suite, "break_begins_anew", test_break_begins_anew);
}
