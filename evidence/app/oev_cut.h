/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names and other texts cut to a length.
 */
#pragma once

#include <stddef.h>

/* How many octets of @text to show: at most @most, and never a part of a UTF-8 character. For "%.*s": what is cut inside a character is
 * no UTF-8 any more, and JSON and tables refuse or mark all of it. What is no UTF-8 before is cut at @most. Any thread. */
int oev_cut(const char *text, size_t most);
