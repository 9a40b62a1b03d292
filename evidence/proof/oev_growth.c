/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Consistency bundles: written and checked.
 */
#include "oev_growth.h"

#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_bundle_inner.h"
#include "oev_json.h"

static json_t *growth_json(const struct oev_growth *growth)
{
	json_t *root = json_object();
	int rc = 0;

	rc |= oev_json_put(root, "schema", json_string(OEV_GROWTH_SCHEMA));
	rc |= oev_json_put(root, "older", json_stringn(growth->older, growth->older_len));
	rc |= oev_json_put(root, "newer", json_stringn(growth->newer, growth->newer_len));
	rc |= oev_json_put(root, "path", oev_json_path(&growth->proof));
	rc |= oev_json_put(root, "public_key", json_stringn(growth->public_key, growth->public_key_len));
	if (rc == 0)
		return root;
	json_decref(root);
	return NULL;
}

char *oev_growth_text(const struct oev_growth *growth)
{
	json_t *root = growth_json(growth);
	char *text = root != NULL ? json_dumps(root, JSON_INDENT(2)) : NULL;

	json_decref(root);
	return text;
}

static int take_text(const json_t *root, const char *key, const char **out, size_t *len)
{
	const json_t *text = json_object_get(root, key);

	*out = json_string_value(text);
	*len = json_string_length(text);
	return *out != NULL ? OC_OK : OC_EMALFORMED;
}

/* Borrows from @root. */
static int take_growth(const json_t *root, struct oev_growth *out)
{
	if (take_text(root, "older", &out->older, &out->older_len) != OC_OK ||
	    take_text(root, "newer", &out->newer, &out->newer_len) != OC_OK ||
	    take_text(root, "public_key", &out->public_key, &out->public_key_len) != OC_OK)
		return OC_EMALFORMED;
	return oev_json_take_path(json_object_get(root, "path"), &out->proof);
}

static enum oev_bundle_step check_form(const json_t *root, struct oev_growth *out, struct oev_why *why)
{
	bool same = false;

	if (take_growth(root, out) == OC_OK) {
		json_t *again = growth_json(out);

		same = again != NULL && json_equal(again, root) != 0;
		json_decref(again);
	}
	if (same)
		return OEV_BUNDLE_STEP_HOLDS;
	oev_why(why, OC_EMALFORMED, "a part of the bundle is missing, or is not as it must be");
	return OEV_BUNDLE_STEP_FORM;
}

static enum oev_bundle_step check_log(const struct oev_checkpoint *older, const struct oev_checkpoint *newer,
				      const struct oev_path *proof, struct oev_why *why)
{
	int rc;

	if (older->size == 0) /* everything grows out of nothing */
		rc = proof->count == 0 ? OC_OK : OC_EMALFORMED;
	else
		rc = oev_merkle_check_growth(older->size, newer->size, proof, &older->root, &newer->root);
	if (rc == OC_OK && newer->rows >= older->rows)
		return OEV_BUNDLE_STEP_HOLDS;
	oev_why(why, OC_EREFUSED,
		"the log of %" PRIu64 " batches is not the one of %" PRIu64
		" with more added: batches were altered, or "
		"removed, after the older checkpoint",
		newer->size, older->size);
	return OEV_BUNDLE_STEP_LOG;
}

static enum oev_bundle_step check_parts(const struct oev_growth *growth, const struct oev_trust *trust,
					struct oev_why *why)
{
	struct oev_checkpoint older, newer;
	struct oev_public signer;
	enum oev_bundle_step step;

	if (oev_public_parse(growth->public_key, growth->public_key_len, &signer, why) != OC_OK)
		return OEV_BUNDLE_STEP_FORM;
	if (oev_checkpoint_open(growth->older, growth->older_len, &signer, &older, why) != OC_OK ||
	    oev_checkpoint_open(growth->newer, growth->newer_len, &signer, &newer, why) != OC_OK)
		return OEV_BUNDLE_STEP_SIGNATURE;
	step = check_log(&older, &newer, &growth->proof, why);
	if (step == OEV_BUNDLE_STEP_HOLDS)
		step = oev_bundle_check_key(&signer, trust, why);
	if (step == OEV_BUNDLE_STEP_HOLDS)
		oev_why(why, OC_OK,
			"the log of %.64s grew from %" PRIu64 " to %" PRIu64
			" batches and nothing in it changed",
			newer.origin, older.size, newer.size);
	return step;
}

bool oev_growth_check(const char *text, size_t len, const struct oev_trust *trust, struct oev_verdict *out)
{
	struct oev_growth growth;
	int rc;

	*out = (struct oev_verdict){ .step = OEV_BUNDLE_STEP_FORM };
	json_t *root = oev_json_open(text, len, OEV_GROWTH_SCHEMA, &rc, &out->why);
	if (root == NULL)
		return false;
	out->step = check_form(root, &growth, &out->why);
	if (out->step == OEV_BUNDLE_STEP_HOLDS)
		out->step = check_parts(&growth, trust, &out->why);
	json_decref(root);
	return out->step == OEV_BUNDLE_STEP_HOLDS;
}
