/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the checks between keys share: where a key stands, and names in lower case.
 */
#pragma once

#include "oev_conf_doc.h"

/* Where the path was written, or the start of the document when it is absent. */
struct oev_conf_place oev_conf_place_of(const struct oev_conf_doc *doc, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether the document has the key. */
bool oev_conf_is_given(const struct oev_conf_doc *doc, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Copies @text in lower case when it is a pattern: a name, "*.suffix" or "*". Returns OC_OK or OC_EMALFORMED. */
int oev_conf_copy_pattern(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *text,
			  char out[static OC_POLICY_PATTERN_MAX]);

/* Likewise a name of one host, realm or access point. @size: octets at @out, more than @text has. */
int oev_conf_copy_name(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *text,
		       char *out, size_t size);
