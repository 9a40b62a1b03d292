/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Proof bundles: from the columns to the key, one step after the other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_bundle_inner.h"
#include "oev_json.h"

/* What is known of a bundle after its parts were read. */
struct proof {
	const struct oev_bundle *bundle;
	const struct oev_trust *trust;
	struct oev_batch batch;
	struct oev_checkpoint checkpoint;
	struct oev_public signer;
	struct oev_verdict *out;
};

typedef enum oev_bundle_step (*step_fn)(struct proof *proof);

const char *oev_bundle_step_text(enum oev_bundle_step step)
{
	static const char *const words[] = { "holds", "form", "columns",   "rows",
					     "leaf",  "log",  "signature", "key" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_BUNDLE_STEP_COUNT, "one word per step");

	return step < OEV_BUNDLE_STEP_COUNT ? words[step] : "?";
}

/* The names that the table has, NULL when the one who checks knows none. */
static const struct oev_table_names *names_of(const struct proof *proof)
{
	for (size_t i = 0; proof->trust != NULL && i < proof->trust->table_count; i++)
		if (proof->trust->tables[i].number == proof->bundle->table_number)
			return &proof->trust->tables[i];
	return NULL;
}

/* Canonical octets have no names: a row could be told in wrong words. */
static enum oev_bundle_step check_names(struct proof *proof)
{
	const struct oev_bundle *bundle = proof->bundle;
	const struct oev_table_names *names = names_of(proof);
	size_t i = 0;

	if (proof->trust == NULL || proof->trust->table_count == 0)
		return OEV_BUNDLE_STEP_HOLDS;
	if (names == NULL || strcmp(names->table, bundle->table) != 0) {
		oev_why(&proof->out->why, OC_EREFUSED, "table %u is not called %.40s", bundle->table_number,
			bundle->table);
		return OEV_BUNDLE_STEP_COLUMNS;
	}
	for (; i < bundle->column_count && names->columns[i] != NULL; i++)
		if (strcmp(names->columns[i], bundle->columns[i].name) != 0)
			break;
	if (i == bundle->column_count && names->columns[i] == NULL)
		return OEV_BUNDLE_STEP_HOLDS;
	oev_why(&proof->out->why, OC_EREFUSED,
		"column %zu of table %s should be %s, the bundle has %.40s there", i + 1, names->table,
		names->columns[i] != NULL ? names->columns[i] : "the last",
		i < bundle->column_count ? bundle->columns[i].name : "none");
	return OEV_BUNDLE_STEP_COLUMNS;
}

static enum oev_bundle_step check_columns(struct proof *proof)
{
	const struct oev_bundle *bundle = proof->bundle;
	struct oev_canon canon;
	size_t len = 0;
	bool same = false;

	oev_canon_init(&canon);
	if (oev_bundle_octets(bundle, &canon) == OC_OK) {
		const uint8_t *octets = oev_canon_octets(&canon, &len);

		same = len == bundle->octets_len && memcmp(octets, bundle->octets, len) == 0;
	}
	oev_canon_fini(&canon);
	if (same)
		return OEV_BUNDLE_STEP_HOLDS;
	oev_why(&proof->out->why, OC_EREFUSED,
		"the columns of row %" PRId64
		" of %.40s do not give its canonical octets: one of them was altered",
		bundle->rowid, bundle->table);
	return OEV_BUNDLE_STEP_COLUMNS;
}

/* Reads the parts, and sees to it that what a person reads is what the octets say. */
static enum oev_bundle_step check_form(struct proof *proof)
{
	const struct oev_bundle *bundle = proof->bundle;
	struct oev_why *why = &proof->out->why;
	char part[OEV_WHY_MAX] = "it cannot be derived";

	if (oev_batch_parse(bundle->batch, bundle->batch_len, &proof->batch, why) != OC_OK ||
	    oev_checkpoint_open(bundle->checkpoint, bundle->checkpoint_len, NULL, &proof->checkpoint, why) !=
		    OC_OK ||
	    oev_public_parse(bundle->public_key, bundle->public_key_len, &proof->signer, why) != OC_OK)
		return OEV_BUNDLE_STEP_FORM;
	json_t *derived = oev_bundle_json(bundle);
	bool same = derived != NULL &&
		    !oev_json_differ("", derived, oev_bundle_source(bundle), part, sizeof(part));
	json_decref(derived);
	if (same)
		return OEV_BUNDLE_STEP_HOLDS;
	oev_why(why, OC_EREFUSED, "%s: the words of this proof cannot be relied on", part);
	return OEV_BUNDLE_STEP_FORM;
}

static enum oev_bundle_step check_rows(struct proof *proof)
{
	const struct oev_bundle *bundle = proof->bundle;
	const struct oev_batch *batch = &proof->batch;
	uint64_t index = 0;

	if (oev_spans_find(batch->rows, batch->rows_len, bundle->table, bundle->rowid, &index) != OC_OK)
		oev_why(&proof->out->why, OC_EREFUSED, "batch %" PRIu64 " has no row %" PRId64 " of %.40s",
			batch->number, bundle->rowid, bundle->table);
	else if (index != bundle->leaf)
		oev_why(&proof->out->why, OC_EREFUSED,
			"row %" PRId64 " of %.40s is leaf %" PRIu64 " of batch %" PRIu64
			", the bundle says %" PRIu64,
			bundle->rowid, bundle->table, index, batch->number, bundle->leaf);
	else
		return OEV_BUNDLE_STEP_HOLDS;
	return OEV_BUNDLE_STEP_ROWS;
}

static enum oev_bundle_step check_leaf(struct proof *proof)
{
	const struct oev_bundle *bundle = proof->bundle;
	struct oev_hash leaf;

	oev_merkle_leaf(bundle->octets, bundle->octets_len, &leaf);
	if (oev_merkle_check_path(&leaf, bundle->leaf, proof->batch.leaves, &bundle->leaf_path,
				  &proof->batch.root) == OC_OK)
		return OEV_BUNDLE_STEP_HOLDS;
	oev_why(&proof->out->why, OC_EREFUSED,
		"row %" PRId64 " of %.40s is not leaf %" PRIu64 " of batch %" PRIu64
		": row, path or root was altered",
		bundle->rowid, bundle->table, bundle->leaf, proof->batch.number);
	return OEV_BUNDLE_STEP_LEAF;
}

static enum oev_bundle_step check_log(struct proof *proof)
{
	const struct oev_bundle *bundle = proof->bundle;
	const struct oev_checkpoint *checkpoint = &proof->checkpoint;
	struct oev_hash leaf, chain;

	oev_batch_leaf(bundle->batch, bundle->batch_len, &leaf);
	oev_batch_chain(bundle->batch, bundle->batch_len, &chain);
	if (oev_merkle_check_path(&leaf, proof->batch.number - 1, checkpoint->size, &bundle->batch_path,
				  &checkpoint->root) != OC_OK)
		oev_why(&proof->out->why, OC_EREFUSED,
			"batch %" PRIu64 " is not in the log of %" PRIu64
			" batches that the checkpoint is about",
			proof->batch.number, checkpoint->size);
	else if (proof->batch.number == checkpoint->size && !oev_hash_equal(&chain, &checkpoint->chain))
		oev_why(&proof->out->why, OC_EREFUSED,
			"the checkpoint has another chain hash than its last batch, %" PRIu64,
			checkpoint->size);
	else
		return OEV_BUNDLE_STEP_HOLDS;
	return OEV_BUNDLE_STEP_LOG;
}

static enum oev_bundle_step check_signature(struct proof *proof)
{
	const struct oev_bundle *bundle = proof->bundle;
	struct oev_checkpoint checkpoint;

	return oev_checkpoint_open(bundle->checkpoint, bundle->checkpoint_len, &proof->signer, &checkpoint,
				   &proof->out->why) == OC_OK
		       ? OEV_BUNDLE_STEP_HOLDS
		       : OEV_BUNDLE_STEP_SIGNATURE;
}

enum oev_bundle_step oev_bundle_check_key(const struct oev_public *signer, const struct oev_trust *trust,
					  struct oev_why *why)
{
	char theirs[OEV_FINGERPRINT_LEN + 1], trusted[OEV_FINGERPRINT_LEN + 1];

	if (trust == NULL || trust->signer == NULL ||
	    (memcmp(signer->key, trust->signer->key, sizeof(signer->key)) == 0 &&
	     strcmp(signer->node, trust->signer->node) == 0))
		return OEV_BUNDLE_STEP_HOLDS;
	oev_public_fingerprint(signer->key, theirs);
	oev_public_fingerprint(trust->signer->key, trusted);
	oev_why(why, OC_EREFUSED, "signed with key %s of %.64s: foreign, the trusted one is %s of %.64s",
		theirs, signer->node, trusted, trust->signer->node);
	return OEV_BUNDLE_STEP_KEY;
}

static enum oev_bundle_step check_key(struct proof *proof)
{
	return oev_bundle_check_key(&proof->signer, proof->trust, &proof->out->why);
}

static void say_it_holds(struct proof *proof)
{
	char fingerprint[OEV_FINGERPRINT_LEN + 1];
	bool is_trusted = proof->trust != NULL && proof->trust->signer != NULL;

	oev_public_fingerprint(proof->signer.key, fingerprint);
	oev_why(&proof->out->why, OC_EREFUSED,
		"row %" PRId64 " of %s is in batch %" PRIu64 " of %.64s, as signed with key %s%s",
		proof->bundle->rowid, proof->bundle->table, proof->batch.number, proof->checkpoint.origin,
		fingerprint,
		is_trusted ? ", which is the trusted one" : "; compare this fingerprint with the node's own");
}

bool oev_bundle_check(const char *text, size_t len, const struct oev_trust *trust, struct oev_verdict *out)
{
	static const step_fn steps[] = { check_names, check_columns, check_form,      check_rows,
					 check_leaf,  check_log,     check_signature, check_key };
	struct oev_bundle *bundle = NULL;
	struct proof proof = { .trust = trust, .out = out };

	*out = (struct oev_verdict){ .step = OEV_BUNDLE_STEP_FORM };
	if (oev_bundle_load(text, len, &bundle, &out->why) != OC_OK)
		return false;
	proof.bundle = bundle;
	out->step = OEV_BUNDLE_STEP_HOLDS;
	for (size_t i = 0; out->step == OEV_BUNDLE_STEP_HOLDS && i < sizeof(steps) / sizeof(steps[0]); i++)
		out->step = steps[i](&proof);
	if (out->step == OEV_BUNDLE_STEP_HOLDS)
		say_it_holds(&proof);
	oev_bundle_free(bundle);
	return out->step == OEV_BUNDLE_STEP_HOLDS;
}
