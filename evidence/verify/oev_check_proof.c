/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Judging proof files.
 */
#include "oev_check_proof.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_armor.h"
#include "../proof/oev_file.h"
#include "../proof/oev_growth.h"
#include "oev_layout.h"
#include "oev_proof_words.h"

#define BESIDE_MAX 16u
#define BLOB_SHOWN 64u /* octets of a blob in words */

static const struct {
	const char *text;
	const char *title;
	int exit;
} outcomes[] = {
	[OEV_PROOF_HOLDS] = { "holds", "HOLDS", 0 },
	[OEV_PROOF_UNCONFIRMED] = { "unconfirmed", "CANNOT TELL", 3 },
	[OEV_PROOF_REFUTED] = { "refuted", "REFUTED", 1 },
	[OEV_PROOF_UNUSABLE] = { "unusable", "UNUSABLE", 4 },
	[OEV_PROOF_NOT_FOUND] = { "not_found", "NOT FOUND", 4 },
	[OEV_PROOF_USAGE] = { "usage", "USAGE", 2 },
	[OEV_PROOF_BUG] = { "bug", "BUG", 70 },
};
_Static_assert(sizeof(outcomes) / sizeof(outcomes[0]) == OEV_PROOF_OUTCOME_COUNT, "one line per outcome");

int oev_proof_exit(enum oev_proof_outcome outcome)
{
	return outcomes[outcome].exit;
}

const char *oev_proof_text(enum oev_proof_outcome outcome)
{
	return outcomes[outcome].text;
}

const char *oev_proof_title(enum oev_proof_outcome outcome)
{
	return outcomes[outcome].title;
}

static void fail(struct oev_proof_check *out, enum oev_proof_outcome outcome, const char *path,
		 const char *what)
{
	out->outcome = outcome;
	snprintf(out->what, sizeof(out->what), "%.200s: %.300s", path, what);
}

/* The whole file, to be freed, with a NUL behind it; NULL when there is none or it is too long. */
static char *read_all(struct oev_proof_check *out, const char *path, size_t *len)
{
	int fd = oev_file_open(path);
	char *text = malloc((size_t)OEV_BUNDLE_MAX + 1);
	int rc = fd < 0 || text == NULL ? OC_EIO : oev_file_read(fd, text, OEV_BUNDLE_MAX, len);

	if (rc != OC_OK)
		fail(out, fd < 0 && errno == ENOENT ? OEV_PROOF_NOT_FOUND : OEV_PROOF_UNUSABLE, path,
		     rc == OC_ERANGE ? "longer than a proof can be" : oev_file_problem(errno));
	if (fd >= 0)
		close(fd);
	if (rc == OC_OK) {
		text[*len] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

/* A column in JSON: numbers as such, octets in hexadecimal. */
static json_t *value_json(const struct oev_value *value)
{
	switch (value->type) {
	case OEV_INTEGER:
		return json_integer(value->integer);
	case OEV_TEXT: {
		json_t *text = json_stringn((const char *)value->data, value->len);
		return text != NULL ? text : json_string("?");
	}
	case OEV_BLOB: {
		char *hex = malloc(OEV_HEX_LEN(value->len) + 1);
		if (hex == NULL)
			return NULL;
		oev_armor_hex(value->data, value->len, hex);
		json_t *text = json_string(hex);
		free(hex);
		return text;
	}
	default:
		return json_null();
	}
}

static void put_value(FILE *out, const struct oev_value *value)
{
	size_t shown = value->len < BLOB_SHOWN ? value->len : BLOB_SHOWN;

	if (value->type == OEV_INTEGER)
		fprintf(out, "%" PRId64, value->integer);
	else if (value->type == OEV_NULL)
		fputs("-", out);
	for (size_t i = 0; value->type == OEV_TEXT && i < value->len; i++)
		fputc(value->data[i] >= ' ' && value->data[i] != 0x7f ? value->data[i] : '?', out);
	for (size_t i = 0; value->type == OEV_BLOB && i < shown; i++)
		fprintf(out, "%02x", value->data[i]);
	if (value->type == OEV_BLOB && shown < value->len)
		fprintf(out, "... (%zu octets)", value->len);
}

/* "decision 88120: at_ns 1, flow 2, ...". */
static void tell_row(struct oev_proof_check *out, const struct oev_bundle *bundle)
{
	size_t size = 0;
	FILE *stream = open_memstream(&out->row, &size);
	json_t *columns = json_object();

	if (stream == NULL)
		return;
	fprintf(stream, "%s %" PRId64 ":", bundle->table, bundle->rowid);
	for (size_t i = 0; i < bundle->column_count; i++) {
		fprintf(stream, "%s %s ", i > 0 ? "," : "", bundle->columns[i].name);
		put_value(stream, &bundle->columns[i].value);
		json_object_set_new(columns, bundle->columns[i].name, value_json(&bundle->columns[i].value));
	}
	fclose(stream);
	out->columns = columns;
}

static void tell_key(struct oev_proof_check *out, const char *text, size_t len)
{
	struct oev_public key;

	if (oev_public_parse(text, len, &key, NULL) != OC_OK)
		return;
	snprintf(out->node, sizeof(out->node), "%s", key.node);
	oev_public_fingerprint(key.key, out->key);
}

static void tell_checkpoint(struct oev_proof_check *out, const char *note, size_t len)
{
	struct oev_checkpoint checkpoint;

	if (oev_checkpoint_open(note, len, NULL, &checkpoint, NULL) != OC_OK)
		return;
	out->size = checkpoint.size;
	out->signed_us = checkpoint.wall_us;
}

static void tell_bundle(struct oev_proof_check *out, const struct oev_bundle *bundle)
{
	struct oev_batch batch;

	snprintf(out->table, sizeof(out->table), "%s", bundle->table);
	out->rowid = bundle->rowid;
	out->leaf = bundle->leaf;
	tell_row(out, bundle);
	tell_key(out, bundle->public_key, bundle->public_key_len);
	tell_checkpoint(out, bundle->checkpoint, bundle->checkpoint_len);
	if (oev_batch_parse(bundle->batch, bundle->batch_len, &batch, NULL) != OC_OK)
		return;
	out->leaves = batch.leaves;
	out->batch = batch.number;
	out->batch_us = batch.wall_us;
	snprintf(out->segment, sizeof(out->segment), "%s", batch.segment);
}

/* What the parts of a consistency file say, for a person; oev_growth_check() judged them. */
static void tell_growth(struct oev_proof_check *out, const json_t *root)
{
	const json_t *older = json_object_get(root, "older"), *newer = json_object_get(root, "newer");
	const json_t *key = json_object_get(root, "public_key");

	out->is_growth = true;
	if (json_is_string(older)) {
		tell_checkpoint(out, json_string_value(older), json_string_length(older));
		out->older = out->size;
	}
	out->size = 0;
	if (json_is_string(newer))
		tell_checkpoint(out, json_string_value(newer), json_string_length(newer));
	if (json_is_string(key))
		tell_key(out, json_string_value(key), json_string_length(key));
}

/* Names of tables and columns, of which a bundle must use the right ones. */
static size_t table_names(const struct oev_layout *layout, struct oev_table_names *names)
{
	for (unsigned i = 0; layout != NULL && i < layout->count; i++)
		names[i] = (struct oev_table_names){ .number = layout->tables[i].number,
						     .table = layout->tables[i].name,
						     .columns = layout->tables[i].names };
	return layout != NULL ? layout->count : 0;
}

static void conclude(struct oev_proof_check *out, bool holds, const struct oev_verdict *verdict, bool has_key)
{
	out->step = oev_bundle_step_text(verdict->step);
	out->is_trusted = holds && has_key;
	out->outcome = !holds ? OEV_PROOF_REFUTED : has_key ? OEV_PROOF_HOLDS : OEV_PROOF_UNCONFIRMED;
	snprintf(out->what, sizeof(out->what), "%s%s", verdict->why.text,
		 holds && !has_key ? " (but nobody vouches for the key in the file)" : "");
}

static void check_bundle(struct oev_proof_check *out, const char *path, const char *text, size_t len,
			 const struct oev_trust *trust)
{
	struct oev_bundle *bundle = NULL;
	struct oev_verdict verdict = { .step = OEV_BUNDLE_STEP_FORM };
	struct oev_why why = { "" };
	int rc = oev_bundle_load(text, len, &bundle, &why);

	if (rc == OC_OK) {
		tell_bundle(out, bundle);
		snprintf(out->signer, sizeof(out->signer), "%.*s", (int)bundle->public_key_len,
			 bundle->public_key);
		bool holds = oev_bundle_check(text, len, trust, &verdict);
		conclude(out, holds, &verdict, trust->signer != NULL);
	} else {
		fail(out, OEV_PROOF_UNUSABLE, path, why.text);
	}
	oev_bundle_free(bundle);
}

static void check_growth(struct oev_proof_check *out, const char *text, size_t len, const json_t *root,
			 const struct oev_trust *trust)
{
	struct oev_verdict verdict = { .step = OEV_BUNDLE_STEP_FORM };

	tell_growth(out, root);
	bool holds = oev_growth_check(text, len, trust, &verdict);
	conclude(out, holds, &verdict, trust->signer != NULL);
}

/* One row beside the proven one: it has to be proven as well, in the same segment, by the same key. */
static bool take_beside(struct oev_proof_check *out, const json_t *part, const struct oev_trust *trust)
{
	struct oev_proof_check other = { .outcome = OEV_PROOF_BUG };
	char *text = json_dumps(part, JSON_COMPACT);

	if (text == NULL) {
		snprintf(out->what, sizeof(out->what), "what stands beside the row is no proof");
		return false;
	}
	check_bundle(&other, "a row beside it", text, strlen(text), trust);
	free(text);
	bool holds = other.outcome <= OEV_PROOF_UNCONFIRMED;
	bool fits = strcmp(other.segment, out->segment) == 0 && strcmp(other.signer, out->signer) == 0;
	if (holds && fits)
		json_array_append_new(out->beside,
				      json_pack("{s:s, s:I, s:O}", "table", other.table, "row",
						(json_int_t)other.rowid, "columns", (json_t *)other.columns));
	else
		snprintf(out->what, sizeof(out->what), "row %" PRId64 " of %.31s beside it: %.400s",
			 other.rowid, other.table,
			 holds ? "of another segment, or signed by another key" : other.what);
	out->step = holds ? out->step : other.step;
	oev_proof_check_fini(&other);
	return holds && fits;
}

static void check_beside(struct oev_proof_check *out, const json_t *list, const struct oev_trust *trust)
{
	size_t i;
	json_t *part;

	out->beside = json_array();
	json_array_foreach(list, i, part)
	{
		if (i < BESIDE_MAX && take_beside(out, part, trust))
			continue;
		if (i >= BESIDE_MAX)
			snprintf(out->what, sizeof(out->what), "more rows beside it than a decision names");
		out->outcome = OEV_PROOF_REFUTED;
		out->is_trusted = false;
		return;
	}
	if (strcmp(out->table, "decision") == 0)
		out->says = oev_proof_words(out->rowid, out->columns, out->beside);
}

/* The row's own proof, then those beside it. */
static void check_rows(struct oev_proof_check *out, const char *path, json_t *root, const char *text,
		       size_t len, const struct oev_trust *trust)
{
	json_t *list = json_incref(json_object_get(root, OEV_BUNDLE_BESIDE));
	char *own = NULL;

	if (list != NULL) {
		json_object_del(root, OEV_BUNDLE_BESIDE);
		own = json_dumps(root, JSON_COMPACT);
	}
	if (list == NULL)
		check_bundle(out, path, text, len, trust);
	else if (own != NULL)
		check_bundle(out, path, own, strlen(own), trust);
	if (out->outcome <= OEV_PROOF_UNCONFIRMED && list != NULL && !json_is_array(list)) {
		out->outcome = OEV_PROOF_REFUTED;
		out->step = oev_bundle_step_text(OEV_BUNDLE_STEP_FORM);
		out->is_trusted = false;
		snprintf(out->what, sizeof(out->what), "what stands beside the row is no list of proofs");
	} else if (out->outcome <= OEV_PROOF_UNCONFIRMED) {
		check_beside(out, list, trust);
	}
	free(own);
	json_decref(list);
}

/* What kind of proof it is decides. */
static void check_text(struct oev_proof_check *out, const char *path, const char *text, size_t len,
		       const struct oev_trust *trust)
{
	json_error_t error;
	json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	const char *schema = json_string_value(json_object_get(root, "schema"));

	if (schema != NULL && strcmp(schema, OEV_GROWTH_SCHEMA) == 0)
		check_growth(out, text, len, root, trust);
	else
		check_rows(out, path, root, text, len, trust);
	json_decref(root);
}

void oev_proof_check_text(struct oev_proof_check *out, const char *text, size_t len)
{
	const struct oev_trust trust = { .tables = NULL };

	*out = (struct oev_proof_check){ .outcome = OEV_PROOF_BUG,
					 .step = oev_bundle_step_text(OEV_BUNDLE_STEP_FORM) };
	oev_gcrypt_ready();
	check_text(out, "the proof", text, len, &trust);
}

static bool read_key(struct oev_proof_check *out, const char *key_path, struct oev_public *key)
{
	struct oev_why why;
	int rc = oev_public_read(key_path, key, &why);

	if (rc == OC_OK)
		return true;
	out->outcome = rc == OC_ENOENT ? OEV_PROOF_NOT_FOUND : OEV_PROOF_UNUSABLE;
	snprintf(out->what, sizeof(out->what), "%.500s", why.text);
	return false;
}

void oev_proof_check(struct oev_proof_check *out, const char *path, const char *key_path)
{
	struct oev_table_names names[OEV_LAYOUT_TABLES_MAX];
	struct oev_trust trust = { .tables = names };
	struct oev_layout *layout = NULL;
	struct oev_public key;
	sqlite3 *model = NULL;
	char what[120];
	size_t len = 0;

	*out = (struct oev_proof_check){ .outcome = OEV_PROOF_BUG,
					 .step = oev_bundle_step_text(OEV_BUNDLE_STEP_FORM) };
	oev_gcrypt_ready();
	if (key_path != NULL && !read_key(out, key_path, &key))
		return;
	trust.signer = key_path != NULL ? &key : NULL;
	if (oev_layout_model(&model) == OC_OK && oev_layout_read(model, &layout, what, sizeof(what)) == OC_OK)
		trust.table_count = table_names(layout, names);
	char *text = read_all(out, path, &len);
	if (text != NULL)
		check_text(out, path, text, len, &trust);
	free(text);
	free(layout);
	sqlite3_close(model);
}

void oev_proof_check_fini(struct oev_proof_check *check)
{
	free(check->row);
	free(check->says);
	json_decref(check->columns);
	json_decref(check->beside);
	check->row = check->says = NULL;
	check->columns = check->beside = NULL;
}

static json_t *text_or_null(const char *text)
{
	json_t *value = text[0] != '\0' ? json_string(text) : NULL;

	return value != NULL ? value : json_null();
}

static json_t *number_or_null(uint64_t value)
{
	return value != 0 ? json_integer((json_int_t)value) : json_null();
}

int oev_proof_json(const struct oev_proof_check *check, const char *tool, FILE *out)
{
	bool has_row = check->table[0] != '\0';
	json_t *columns = check->columns != NULL ? json_incref((json_t *)check->columns) : json_null();
	json_t *object = json_pack(
		"{s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, "
		"s:{s:o, s:o, s:b}}",
		"schema", "doic.check-proof/1", "tool", tool, "outcome", oev_proof_text(check->outcome),
		"exit", oev_proof_exit(check->outcome), "step", check->step != NULL ? check->step : "form",
		"what", text_or_null(check->what), "proves", json_string(check->is_growth ? "growth" : "row"),
		"table", text_or_null(check->table), "row",
		has_row ? json_integer(check->rowid) : json_null(), "columns", columns, "says",
		text_or_null(check->says != NULL ? check->says : ""), "beside",
		check->beside != NULL ? json_incref((json_t *)check->beside) : json_null(), "leaf",
		has_row ? json_integer((json_int_t)check->leaf) : json_null(), "batch",
		number_or_null(check->batch), "segment", text_or_null(check->segment), "older_size",
		number_or_null(check->older), "size", number_or_null(check->size), "batch_us",
		number_or_null(check->batch_us), "signed_us", number_or_null(check->signed_us), "key",
		"fingerprint", text_or_null(check->key), "node", text_or_null(check->node), "trusted",
		check->is_trusted);

	if (object == NULL)
		return OC_ENOMEM;
	int rc = json_dumpf(object, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF ? OC_OK : OC_EIO;
	json_decref(object);
	return rc;
}
