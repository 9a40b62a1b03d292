/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what an audit says of the evidence itself: who signed it, up to which root, and where the first bad record is.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/audit/oev_audit.h"
#include "evidence/page/oev_page.h"
#include "evidence/proof/oev_public.h"
#include "help_evidence.h"

void test_oev_verify_audit_suite(void);

/* Audits three segments, the second one changed by @sql; NULL: none. */
static struct oev_audit *audit_of(struct help_evidence *evidence, const char *sql)
{
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	static const char *paths[1]; /* the audit points to it as long as it lives */
	const struct oev_audit_options options = {
		.inputs = paths, .input_count = 1, .until_us = UINT64_MAX, .verify = true
	};
	char path[256];

	paths[0] = evidence->folder;
	CU_ASSERT_FATAL(audit != NULL && help_evidence_new(evidence) && help_whole(evidence, 3, 4, 5));
	help_path(evidence, 2, path);
	CU_ASSERT(sql == NULL || help_alter(evidence, path, sql));
	(void)oev_audit_run(audit, &options); /* the rows tell no story */
	return audit;
}

static void drop(struct oev_audit *audit, struct help_evidence *evidence)
{
	oev_audit_fini(audit);
	free(audit);
	help_evidence_remove(evidence);
}

static char *text_of(const struct oev_audit *audit, bool page)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (page)
		oev_page_write(audit, &(struct oev_page_conf){ "test", "doic audit" }, out);
	else
		oev_audit_json(audit, "test", out);
	fclose(out);
	return text;
}

static void test_signer_and_root_are_named(void)
{
	struct help_evidence evidence;
	struct oev_audit *audit = audit_of(&evidence, NULL);
	char fingerprint[64], text[OEV_INTEGRITY_TEXT_MAX], wanted[200];

	oev_public_fingerprint(evidence.public_key.key, fingerprint);
	CU_ASSERT_STRING_EQUAL(audit->integrity.key, fingerprint);
	CU_ASSERT_EQUAL(strlen(audit->integrity.root), 64);
	CU_ASSERT(audit->integrity.root_batches >= 12);
	CU_ASSERT_FALSE(audit->integrity.first_bad.is_known);
	CU_ASSERT_STRING_EQUAL(oev_integrity_bad_text(&audit->integrity, text, sizeof(text)), "");
	oev_integrity_signer_text(&audit->integrity, text, sizeof(text));
	snprintf(wanted, sizeof(wanted), "key %s, root %s over ", fingerprint, audit->integrity.root);
	CU_ASSERT_EQUAL(strncmp(text, wanted, strlen(wanted)), 0);
	char *json = text_of(audit, false), *page = text_of(audit, true);
	snprintf(wanted, sizeof(wanted), "\"key_fingerprint\": \"%s\"", fingerprint);
	CU_ASSERT_PTR_NOT_NULL(strstr(json, wanted));
	snprintf(wanted, sizeof(wanted), "\"sha256\": \"%s\"", audit->integrity.root);
	CU_ASSERT_PTR_NOT_NULL(strstr(json, wanted));
	CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"first_bad\": null"));
	CU_ASSERT_PTR_NOT_NULL(strstr(page, text));
	CU_ASSERT_PTR_NULL(strstr(page, "First bad record"));
	free(json);
	free(page);
	drop(audit, &evidence);
}

static void test_first_bad_record_is_named_with_its_segment(void)
{
	struct help_evidence evidence;
	struct oev_audit *audit = audit_of(&evidence, "UPDATE decision SET way = way + 1 WHERE id = 12");
	char text[OEV_INTEGRITY_TEXT_MAX];

	CU_ASSERT_EQUAL(audit->integrity.weight, OEV_INTEGRITY_ALTERED);
	CU_ASSERT_STRING_EQUAL(oev_integrity_bad_text(&audit->integrity, text, sizeof(text)),
			       "seg-20261129T140002.db, table decision, row 12");
	CU_ASSERT_EQUAL(strncmp(audit->integrity.line, "altered: seg-20261129T140002.db: ", 33), 0);
	char *json = text_of(audit, false), *page = text_of(audit, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"segment\": \"seg-20261129T140002.db\",\n"
					    "   \"table\": \"decision\",\n   \"row\": 12\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(page, "First bad record: seg-20261129T140002.db, table decision, row 12."));
	free(json);
	free(page);
	drop(audit, &evidence);
}

void test_oev_verify_audit_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify_audit", NULL, NULL);

	CU_add_test(suite, "signer_and_root_are_named", test_signer_and_root_are_named);
	CU_add_test(suite, "first_bad_record_is_named", test_first_bad_record_is_named_with_its_segment);
}
