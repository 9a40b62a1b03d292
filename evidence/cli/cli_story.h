/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What goes on, in the words of the server: its sentences as texts.
 */
#pragma once

#include <jansson.h>

/* The sentences of @status (of GET /api/v1/status), each joined of its parts, as an array of texts to be dropped; what is no sentence is left
 * out. NULL when out of memory. */
json_t *cli_story(const json_t *status);
