/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Applications by the names people use: "Gx" for 16777238.
 */
#pragma once

#include <stdint.h>

/* "Gx" for 16777238, the number for applications without a word; @buf of 16 octets. */
const char *oev_app_text(uint32_t app_id, char *buf);

/* Number for "gx" or "16777238"; OC_ENOENT. */
int oev_app_parse(const char *text, uint32_t *app_id);

/* Places of a table with a row for each application that has a word, and a last one for all others. */
#define OEV_APP_PLACES 9u

unsigned oev_app_place(uint32_t app_id);
/* "Gx"; "other" for the last place. */
const char *oev_app_place_text(unsigned place);
