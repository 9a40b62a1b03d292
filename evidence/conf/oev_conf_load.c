/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The one place that calls libcyaml.
 */
#include "oev_conf_load.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"

static const cyaml_config_t config = {
	.mem_fn = cyaml_mem,
	.log_level = CYAML_LOG_ERROR,
	.flags = CYAML_CFG_NO_ALIAS,
};

int oev_conf_load(const struct oev_conf_doc *doc, const cyaml_schema_value_t *schema, void **loaded)
{
	struct oev_conf_place at = { .line = 1, .column = 1 };
	cyaml_err_t rc;

	*loaded = NULL;
	if (doc->place_count == 0)
		return OC_OK;
	rc = cyaml_load_data((const uint8_t *)doc->text, doc->len, &config, schema, loaded, NULL);
	if (rc == CYAML_OK)
		return OC_OK;
	/* libyaml took the same text a moment ago, so what fails inside it now is memory. */
	if (rc == CYAML_ERR_OOM || rc == CYAML_ERR_LIBYAML_PARSER || rc == CYAML_ERR_LIBYAML_PARSER_INIT)
		return oev_conf_doc_fail(doc, &at, OC_ENOMEM, "out of memory");
	/* The walk named every mistake an operator can make; what is left is a schema that does not agree with the
	 * table (a test looks for that). */
	return oev_conf_doc_fail(doc, &at, OC_EMALFORMED, "%s", cyaml_strerror(rc));
}

void oev_conf_unload(const cyaml_schema_value_t *schema, void *loaded)
{
	if (loaded != NULL)
		cyaml_free(&config, schema, loaded, 0);
}

/* @name is a buffer that already holds the path of @fields' section, @len octets long. */
static void merge_fields(const struct oev_conf_doc *doc, const cyaml_schema_field_t *fields,
			 char name[static OEV_CONF_NAME_MAX], const uint8_t *loaded, uint8_t *out)
{
	size_t len = strlen(name);

	for (const cyaml_schema_field_t *field = fields; field->key != NULL; field++) {
		size_t offset = field->data_offset;

		snprintf(name + len, OEV_CONF_NAME_MAX - len, "%s%s", len > 0 ? "." : "", field->key);
		if (oev_conf_doc_find(doc, name) == NULL || field->value.type == CYAML_SEQUENCE)
			continue;
		if (field->value.type == CYAML_MAPPING)
			merge_fields(doc, field->value.mapping.fields, name, loaded + offset, out + offset);
		else
			memcpy(out + offset, loaded + offset, field->value.data_size);
	}
}

void oev_conf_merge(const struct oev_conf_doc *doc, const cyaml_schema_value_t *schema, const void *loaded,
		    void *out)
{
	char name[OEV_CONF_NAME_MAX] = "";

	if (loaded != NULL)
		merge_fields(doc, schema->mapping.fields, name, loaded, out);
}
