/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One key or value of a document against the table of keys.
 */
#pragma once

#include "oev_conf_doc.h"

enum oev_conf_shape { OEV_SHAPE_SCALAR = 0, OEV_SHAPE_LIST = 1, OEV_SHAPE_MAPPING = 2 };

/* A value as the walk meets it. @text: for scalars, with a NUL after @len octets. */
struct oev_conf_node {
	struct oev_conf_place at;
	enum oev_conf_shape shape;
	bool plain; /* written without quotes or block marks */
	const char *text;
	size_t len;
};

/* Is @key (@len octets) known below @parent, and new? @at carries the path with @key appended (cut when long).
 * Returns OC_OK or OC_EMALFORMED. */
int oev_conf_check_key(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *parent,
		       const char *key, size_t len);

/* Has @node the shape, type and range of its row? Returns OC_OK, OC_EMALFORMED, OC_ERANGE. */
int oev_conf_check_node(const struct oev_conf_doc *doc, const struct oev_conf_node *node);

/* Writes the error for a key that the table does not have, with the nearest one that it has. OC_EMALFORMED. */
int oev_conf_unknown_key(const struct oev_conf_doc *doc, const struct oev_conf_place *at, const char *parent,
			 const char *key, size_t len);

/* The thousandths that @text (@len octets, "2.5": no sign, no exponent, at most three decimals) says. False: it is no
 * such number. */
bool oev_conf_decimal(const char *text, size_t len, uint64_t *out);

/* @path without list positions: "trust.peers[2].doic" becomes "trust.peers[].doic". */
void oev_conf_row_path(const char *path, char out[static OEV_CONF_NAME_MAX]);

/* Of the mapping at @path, an entry of a list, which ends: notes every required key that it lacks. Only where all mistakes are wanted. */
void oev_conf_note_missing(const struct oev_conf_doc *doc, const char *path);
