/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which octets of a SQLite file are rows of tables: the cells of all table leaves, with what overflows. For
 * the flip of every bit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks in @marks (as long as the file) every octet of a row: rowid and payload, wherever it lies. @roots
 * are the root pages of tables. The number of marked octets; 0 when the file is not as it should be. */
size_t help_cells_mark(const uint8_t *file, size_t len, const uint32_t *roots, size_t root_count,
		       uint8_t *marks);
