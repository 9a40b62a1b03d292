/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the dictionary's table and of its agreement with the codes the core uses.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_types.h"
#include "agent/wire/oc_avp.h"
#include "dict_doic/doic_avp.h"
#include "dict_doic/doic_table.h"

void test_doic_table_suite(void);

static const struct doic_row *row_of(uint32_t code)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);

	for (size_t i = 0; i < count; i++)
		if (rows[i].code == code)
			return &rows[i];
	return NULL;
}

static void test_doic_table_agrees_with_the_codes_of_the_core(void)
{
	static const uint32_t pairs[][2] = {
		{ DOIC_AVP_DRMP, OC_AVP_DRMP },
		{ DOIC_AVP_SUPPORTED_FEATURES, OC_AVP_SUPPORTED_FEATURES },
		{ DOIC_AVP_FEATURE_VECTOR, OC_AVP_FEATURE_VECTOR },
		{ DOIC_AVP_OLR, OC_AVP_OLR },
		{ DOIC_AVP_SEQUENCE_NUMBER, OC_AVP_SEQUENCE_NUMBER },
		{ DOIC_AVP_VALIDITY_DURATION, OC_AVP_VALIDITY_DURATION },
		{ DOIC_AVP_REPORT_TYPE, OC_AVP_REPORT_TYPE },
		{ DOIC_AVP_REDUCTION_PERCENTAGE, OC_AVP_REDUCTION_PERCENTAGE },
		{ DOIC_AVP_PEER_ALGO, OC_AVP_PEER_ALGO },
		{ DOIC_AVP_SOURCE_ID, OC_AVP_SOURCE_ID },
		{ DOIC_AVP_LOAD, OC_AVP_LOAD },
		{ DOIC_AVP_LOAD_TYPE, OC_AVP_LOAD_TYPE },
		{ DOIC_AVP_LOAD_VALUE, OC_AVP_LOAD_VALUE },
		{ DOIC_AVP_MAXIMUM_RATE, OC_AVP_MAXIMUM_RATE },
		{ DOIC_AVP_3GPP_SPECIFIC_REDUCTION, OC_AVP3_SPECIFIC_REDUCTION },
		{ DOIC_AVP_3GPP_RATING_GROUP, OC_AVP3_OC_RATING_GROUP },
		{ DOIC_AVP_3GPP_REQUEST_TYPE, OC_AVP3_OC_REQUEST_TYPE },
	};

	CU_ASSERT_EQUAL(sizeof(pairs) / sizeof(pairs[0]), DOIC_AVP_COUNT);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		CU_ASSERT_EQUAL(pairs[i][0], pairs[i][1]);
		CU_ASSERT_PTR_NOT_NULL(row_of(pairs[i][1]));
	}
}

/* A code of another vendor is another AVP: rows and the rules that name them must agree on the vendor. */
static void test_doic_table_keeps_vendors_apart(void)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);

	for (size_t i = 0; i < count; i++) {
		bool is_3gpp = rows[i].code >= 1320;

		CU_ASSERT_EQUAL(rows[i].vendor, is_3gpp ? OC_VENDOR_3GPP : 0);
		for (size_t j = 0; j < rows[i].rule_count; j++) {
			const struct doic_rule *rule = &rows[i].rules[j];

			CU_ASSERT_EQUAL(rule->vendor, row_of(rule->code)->vendor);
			CU_ASSERT_EQUAL(rule->repeats, rule->vendor == OC_VENDOR_3GPP);
		}
	}
}

static void test_doic_table_has_each_code_and_name_once(void)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);

	CU_ASSERT_EQUAL(count, DOIC_AVP_COUNT);
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++) {
			CU_ASSERT_NOT_EQUAL(rows[i].code, rows[j].code);
			CU_ASSERT_STRING_NOT_EQUAL(rows[i].name, rows[j].name);
		}
}

/* One loop defines everything, so a group's members must have been defined before the group. */
static void test_doic_table_lists_members_before_their_group(void)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);

	for (size_t i = 0; i < count; i++) {
		CU_ASSERT_EQUAL(rows[i].type == DOIC_TYPE_GROUPED, rows[i].rule_count > 0);
		for (size_t j = 0; j < rows[i].rule_count; j++) {
			const struct doic_row *member = row_of(rows[i].rules[j].code);

			CU_ASSERT_PTR_NOT_NULL_FATAL(member);
			CU_ASSERT(member < &rows[i]);
		}
	}
}

static void test_doic_table_requires_sequence_and_type_of_a_report_only(void)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < rows[i].rule_count; j++) {
			uint32_t code = rows[i].rules[j].code;
			bool required = rows[i].code == DOIC_AVP_OLR &&
					(code == DOIC_AVP_SEQUENCE_NUMBER || code == DOIC_AVP_REPORT_TYPE);

			CU_ASSERT_EQUAL(rows[i].rules[j].required, required);
		}
}

static void test_doic_table_names_the_values_of_enumerated_rows(void)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);
	const struct doic_row *priority = row_of(DOIC_AVP_DRMP);
	const struct doic_row *report = row_of(DOIC_AVP_REPORT_TYPE);

	for (size_t i = 0; i < count; i++)
		CU_ASSERT_EQUAL(rows[i].type == DOIC_TYPE_ENUMERATED, rows[i].value_count > 0);
	CU_ASSERT_EQUAL(priority->value_count, DOIC_DRMP_MAX + 1);
	CU_ASSERT_EQUAL(report->value_count, 3);
	CU_ASSERT_STRING_EQUAL(report->values[2].name, "PEER_REPORT");
	CU_ASSERT_EQUAL(report->values[2].value, DOIC_PEER_REPORT);
}

void test_doic_table_suite(void)
{
	CU_pSuite suite = CU_add_suite("doic_table", NULL, NULL);

	CU_add_test(suite, "agrees_with_the_codes_of_the_core",
		    test_doic_table_agrees_with_the_codes_of_the_core);
	CU_add_test(suite, "keeps_vendors_apart", test_doic_table_keeps_vendors_apart);
	CU_add_test(suite, "has_each_code_and_name_once", test_doic_table_has_each_code_and_name_once);
	CU_add_test(suite, "lists_members_before_their_group",
		    test_doic_table_lists_members_before_their_group);
	CU_add_test(suite, "requires_sequence_and_type_of_a_report_only",
		    test_doic_table_requires_sequence_and_type_of_a_report_only);
	CU_add_test(suite, "names_the_values_of_enumerated_rows",
		    test_doic_table_names_the_values_of_enumerated_rows);
}
