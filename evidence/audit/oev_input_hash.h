/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SHA-256 of a file that an audit read.
 */
#pragma once

#include "../proof/oev_hash.h"

/* Of @path, in hexadecimal; "" when it is no regular file, or cannot be read. Returns text. */
const char *oev_input_hash(const char *path, char text[static OEV_HASH_HEX]);
