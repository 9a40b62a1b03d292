/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The proof of a decision takes along those of the rows it names by number, so that it can be read in words: what became of it, of
 * whom it was, which report selected it, and the names in them.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_bundle.h"
#include "oev_prove_parts.h"

struct beside {
	struct oev_prover *prover;
	const char *path; /* of the decision's segment */
	json_t *list;
};

static bool is_there(const json_t *list, const char *table, int64_t row)
{
	size_t i;
	json_t *at;

	json_array_foreach(list, i, at)
	{
		const json_t *known = json_object_get(at, "row");
		if (strcmp(json_string_value(json_object_get(known, "table")), table) == 0 &&
		    json_integer_value(json_object_get(known, "rowid")) == row)
			return true;
	}
	return false;
}

/* Adds the proof of row @number of @table; *@columns are its columns, NULL when there is no such row. What has no proof is left out;
 * evidence that was altered proves nothing. */
static int add(struct beside *beside, const char *table, const json_t *number, const json_t **columns)
{
	struct oev_prover part = *beside->prover;
	const struct oev_prove_options options = { .path = beside->path,
						   .table = table,
						   .row = json_integer_value(number),
						   .stop = part.options->stop,
						   .ctx = part.options->ctx };
	struct oev_prove_result result = { .outcome = OEV_VERIFY_INTACT };

	*columns = NULL;
	if (options.row == 0 || is_there(beside->list, table, options.row))
		return OC_OK;
	part.options = &options;
	part.result = &result;
	int rc = oev_prove_row(&part);
	json_t *root = result.text != NULL ? json_loads(result.text, 0, NULL) : NULL;
	free(result.text);
	if (result.outcome == OEV_VERIFY_ALTERED)
		return oev_prove_fail(beside->prover, result.outcome, "%.500s", result.error);
	if (root == NULL)
		return rc == OC_EREFUSED ? OC_OK : rc != OC_OK ? rc : OC_ENOMEM;
	*columns = json_object_get(json_object_get(root, "row"), "columns");
	return json_array_append_new(beside->list, root) == 0 ? OC_OK : OC_ENOMEM;
}

static int add_names(struct beside *beside, const json_t *columns, const char *const *keys)
{
	const json_t *none;
	int rc = OC_OK;

	for (; rc == OC_OK && columns != NULL && *keys != NULL; keys++)
		rc = add(beside, "name", json_object_get(columns, *keys), &none);
	return rc;
}

static int add_all(struct beside *beside, const json_t *decision)
{
	static const char *const versions[] = { NULL, "realm_version", "host_version", "peer_version" };
	static const char *const hops[] = { "next_hop", NULL };
	static const char *const parties[] = { "origin_host", "dest_host", "dest_realm", NULL };
	static const char *const subjects[] = { "subject", NULL };
	const json_t *way = NULL, *flow = NULL, *version = NULL;
	int rc = add(beside, "way", json_object_get(decision, "way"), &way);

	if (rc == OC_OK)
		rc = add(beside, "flow", json_object_get(decision, "flow"), &flow);
	json_int_t by = json_integer_value(json_object_get(way, "selected_by"));
	if (rc == OC_OK && by >= 1 && by <= 3)
		rc = add(beside, "ocs_version", json_object_get(decision, versions[by]), &version);
	if (rc == OC_OK)
		rc = add_names(beside, way, hops);
	if (rc == OC_OK)
		rc = add_names(beside, flow, parties);
	return rc == OC_OK ? add_names(beside, version, subjects) : rc;
}

int oev_prove_beside(struct oev_prover *prover, const char *path)
{
	struct beside beside = { .prover = prover, .path = path, .list = json_array() };
	json_t *root = json_loads(prover->result->text, 0, NULL);
	int rc = root != NULL && beside.list != NULL ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK)
		rc = add_all(&beside, json_object_get(json_object_get(root, "row"), "columns"));
	char *text = NULL;
	if (rc == OC_OK && json_object_set(root, OEV_BUNDLE_BESIDE, beside.list) == 0)
		text = json_dumps(root, JSON_INDENT(2));
	json_decref(beside.list);
	json_decref(root);
	if (text == NULL)
		return rc != OC_OK ? rc : OC_ENOMEM;
	free(prover->result->text);
	prover->result->text = text;
	return OC_OK;
}
