/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzz target of proof and consistency bundles: none holds for a key that signed none.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_growth.h"
#include "evidence/proof/oev_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void look(const struct oev_bundle *bundle)
{
	struct oev_canon_reader reader;
	struct oev_value value;
	uint8_t table;
	int64_t rowid;

	require(bundle->table != NULL && bundle->checkpoint != NULL && bundle->public_key != NULL);
	for (size_t i = 0; i < bundle->column_count; i++)
		require(bundle->columns[i].name != NULL && bundle->columns[i].value.type < OEV_TYPE_COUNT);
	if (oev_canon_open(&reader, bundle->octets, bundle->octets_len, &table, &rowid) == OC_OK)
		while (oev_canon_next(&reader, &value) == OC_OK)
			require(value.type < OEV_TYPE_COUNT);
	free(oev_bundle_text(bundle));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct oev_public nobody = { .node = "dra.example.net" };
	static const struct oev_trust trust = { .signer = &nobody };
	const char *text = (const char *)data;
	struct oev_bundle *bundle = NULL;
	struct oev_verdict verdict;

	oev_gcrypt_ready();
	require(!oev_bundle_check(text, size, &trust, &verdict));
	require(verdict.step != OEV_BUNDLE_STEP_HOLDS && verdict.why.text[0] != '\0');
	require(!oev_growth_check(text, size, &trust, &verdict));
	require(verdict.step != OEV_BUNDLE_STEP_HOLDS && verdict.why.text[0] != '\0');
	if (oev_bundle_load(text, size, &bundle, NULL) == OC_OK)
		look(bundle);
	oev_bundle_free(bundle);
	return 0;
}
