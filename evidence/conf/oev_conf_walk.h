/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The walk over libyaml's events that gives every key its path and place, and checks it there.
 */
#pragma once

#include "oev_conf_doc.h"

/* Checks the whole document and fills doc->places with every value in it (none: the document is empty).
 * Refuses what is not YAML, aliases, anchors, tags, more than one document, more than OEV_CONF_DOCUMENT_MAX.
 * Returns OC_OK, OC_EMALFORMED, OC_ERANGE, OC_ENOMEM; on failure doc->error is set. */
int oev_conf_walk(struct oev_conf_doc *doc);
