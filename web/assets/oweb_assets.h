/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The page as octets in the program: what embed.cmake makes of the files in this folder and of Debian's dygraphs.
 *
 * Everything but the page itself lies under /assets/HASH/, HASH being of the contents of all of them, so those addresses may be kept
 * for ever; the page's own may not.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct oweb_asset {
	const char *path; /* "/", "/assets/0123456789abcdef/app.js"; NULL ends the table */
	const char *mime;
	const char *etag; /* with quotes */
	const unsigned char *data;
	size_t len;
	bool is_immutable;
};

extern const struct oweb_asset oweb_assets[];
