/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What makes one JSON object of another: a merge patch (RFC 7396). Values are never null in either: unknown is absent.
 */
#pragma once

#include <jansson.h>

/* A new object; empty when they are equal. NULL when out of memory. Borrows both; parts of @now may be shared. */
json_t *oweb_patch(json_t *before, json_t *now);
