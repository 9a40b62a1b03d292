/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A proven decision in words.
 */
#pragma once

#include <jansson.h>

/* What became of decision @id with @columns, as far as @rows ({table, row, columns} of what it names) tell: "refused with 3004; Gx
 * request of c1 ...; by the host report of ...". To be freed; NULL: no memory. */
char *oev_proof_words(json_int_t id, const json_t *columns, const json_t *rows);
