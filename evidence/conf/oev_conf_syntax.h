/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Plain words and places for texts that are not YAML at all.
 */
#pragma once

#include <yaml.h>

#include "oev_conf_doc.h"

/* Refuses what libyaml need not see: too long (OC_ERANGE) or holding a NUL octet (OC_EMALFORMED). */
int oev_conf_syntax_precheck(const struct oev_conf_doc *doc);

/* Describes the error @parser stopped at. Returns OC_EMALFORMED or OC_ENOMEM. */
int oev_conf_syntax_error(const struct oev_conf_doc *doc, const yaml_parser_t *parser);
