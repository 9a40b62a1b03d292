/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What differs between two texts, line by line.
 */
#pragma once

#include <jansson.h>

/* An array of {"old": line number or null, "new": likewise, "text": line} of the lines that are in one of them only, in the order of the new
 * text; as few as there can be, unless the texts differ in more than about a thousand lines: then all of the part that differs. NULL when out of
 * memory. */
json_t *oweb_diff(const char *before, const char *after);
