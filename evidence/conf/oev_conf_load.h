/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From checked text to a struct: libcyaml converts, and only keys that the document has are taken over.
 */
#pragma once

#include <cyaml/cyaml.h>

#include "oev_conf_doc.h"

/* A section whose members lie in @structure itself, not in a struct of their own. */
#define OEV_CONF_SECTION(name, structure, members)                                                           \
	{                                                                                                    \
		.key = (name), .value = { CYAML_VALUE_MAPPING(CYAML_FLAG_OPTIONAL, structure, members) },    \
	}

/* Loads doc->text, which oev_conf_walk() accepted. *@loaded is NULL for an empty document; absent keys
 * are zero. Hand it back to oev_conf_unload(). Returns OC_OK, OC_EMALFORMED, OC_ENOMEM. */
int oev_conf_load(const struct oev_conf_doc *doc, const cyaml_schema_value_t *schema, void **loaded);
void oev_conf_unload(const cyaml_schema_value_t *schema, void *loaded);

/* Copies from @loaded to @out, both laid out as @schema says, every scalar that the document has; @out keeps
 * its defaults elsewhere. Lists are left to the caller. @loaded may be NULL. */
void oev_conf_merge(const struct oev_conf_doc *doc, const cyaml_schema_value_t *schema, const void *loaded,
		    void *out);
