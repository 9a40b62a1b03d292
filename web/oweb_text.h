/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Text that grows while it is written. Zero is an empty one; a failed one stays failed and holds nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct oweb_text {
	char *data; /* NUL-terminated when there is any */
	size_t len;
	size_t size;
	bool failed; /* out of memory */
};

void oweb_text_add(struct oweb_text *text, const char *data, size_t len);
void oweb_text_put(struct oweb_text *text, const char *string);
void oweb_text_format(struct oweb_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void oweb_text_free(struct oweb_text *text);
