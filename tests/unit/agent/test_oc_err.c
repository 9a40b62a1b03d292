/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the error texts and of event sizes.
 */
#include <CUnit/CUnit.h>

#include "agent/oc_err.h"
#include "agent/oc_event.h"

void test_oc_err_suite(void);

static void test_oc_err_every_code_has_a_text(void)
{
	for (int err = OC_OK; err >= OC_ERR_LAST; err--)
		CU_ASSERT_STRING_NOT_EQUAL(oc_err_text(err), "unknown error");
	CU_ASSERT_STRING_EQUAL(oc_err_text(1), "unknown error");
	CU_ASSERT_STRING_EQUAL(oc_err_text(OC_ERR_LAST - 1), "unknown error");
}

static void test_oc_event_sizes_cover_their_part_and_are_aligned(void)
{
	struct oc_event event = { 0 };

	CU_ASSERT_EQUAL(oc_event_size(&event), 0);
	event.kind = OC_EVENT_KIND_COUNT;
	CU_ASSERT_EQUAL(oc_event_size(&event), 0);
	for (event.kind = OC_EVENT_NAME; event.kind < OC_EVENT_KIND_COUNT; event.kind++) {
		CU_ASSERT(oc_event_size(&event) > offsetof(struct oc_event, u));
		CU_ASSERT(oc_event_size(&event) <= sizeof(event));
		CU_ASSERT_EQUAL(oc_event_size(&event) % 8, 0);
		CU_ASSERT_STRING_NOT_EQUAL(oc_event_kind_text(event.kind), "?");
	}
	CU_ASSERT_STRING_EQUAL(oc_event_kind_text(OC_EVENT_KIND_COUNT), "?");
}

void test_oc_err_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_err", NULL, NULL);
	CU_add_test(suite, "every_code_has_a_text", test_oc_err_every_code_has_a_text);
	CU_add_test(suite, "event_sizes", test_oc_event_sizes_cover_their_part_and_are_aligned);
}
