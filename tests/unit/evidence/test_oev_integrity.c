/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what an audit says of rows that are not signed yet.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/audit/oev_audit.h"
#include "evidence/audit/oev_audit_parts.h"

void test_oev_integrity_suite(void);

/* Two reports: one until second 20, one that is still in force; what is stored after second 30 is not signed. */
static void test_claims_of_the_unsigned_tail_are_told_apart(void)
{
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	struct oev_version versions[2] = {
		{ .from_us = 10000000, .effect_ns = 10000000000u, .in_window = true },
		{ .from_us = 25000000, .effect_ns = UINT64_MAX, .in_window = false },
	};
	char text[OEV_INTEGRITY_TAIL_MAX];

	CU_ASSERT_PTR_NOT_NULL_FATAL(audit);
	audit->versions = versions;
	audit->version_count = 2;
	audit->until_us = UINT64_MAX;
	audit->integrity.tail_after_us = 30000000;
	versions[1].in_window = true;
	CU_ASSERT_FALSE(oev_integrity_is_tail_judged(audit));
	CU_ASSERT_STRING_EQUAL(oev_integrity_tail_text(&audit->integrity, text, sizeof(text)), "");
	audit->integrity.tail_rows = 12;
	CU_ASSERT_TRUE(oev_integrity_is_tail_judged(audit));
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_integrity_tail_text(&audit->integrity, text, sizeof(text)),
				      "12 rows after the last checkpoint are not signed yet"));
	audit->until_us = 29000000;
	CU_ASSERT_FALSE(oev_integrity_is_tail_judged(audit));
	audit->until_us = UINT64_MAX;
	versions[1].in_window = false;
	CU_ASSERT_FALSE(oev_integrity_is_tail_judged(audit));
	free(audit);
}

void test_oev_integrity_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_integrity", NULL, NULL);

	CU_add_test(suite, "claims_of_the_unsigned_tail_are_told_apart",
		    test_claims_of_the_unsigned_tail_are_told_apart);
}
