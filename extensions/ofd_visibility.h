/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Makes the three names a daemon looks up in an extension visible, and nothing else.
 *
 * Extensions are built with hidden visibility, because the daemon loads them all into one namespace. The headers
 * of freeDiameter 1.2.1 do not mark these three as exported (later ones do), so they are declared so here.
 * Include this file before EXTENSION_ENTRY.
 */
#pragma once

#include <freeDiameter/extension.h>

extern const char *fd_ext_depends[] __attribute__((visibility("default")));
int fd_ext_init(int major, int minor, char *conffile) __attribute__((visibility("default")));
void fd_ext_fini(void) __attribute__((visibility("default")));
