/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Points in time as people write them: RFC 3339, "14:00", "-10m", "now"; always UTC microseconds inside.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OEV_TIME_TEXT_MAX 32u

/* Reads @text relative to @now_us: "now"; "-90s", "-10m", "-2h", "-1d" before now; "14:00" or "14:00:05"
 * today, UTC; "2026-11-29", "2026-11-29T14:00:00[.123456][Z|+02:00]" (no zone means UTC).
 * Returns OC_OK, OC_EMALFORMED, OC_ERANGE (no such day or hour, or before 1970). */
int oev_time_parse(const char *text, uint64_t now_us, uint64_t *out_us);

/* Writes "2026-11-29T14:03:27.114Z" into @buf (OEV_TIME_TEXT_MAX octets); the fraction is left out when it
 * is zero and has three digits when they say all. */
void oev_time_text(uint64_t wall_us, char buf[OEV_TIME_TEXT_MAX]);
