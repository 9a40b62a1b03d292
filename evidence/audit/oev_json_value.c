/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Values of the audit's JSON.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../oev_time.h"
#include "oev_json_parts.h"

json_t *oev_json_number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

json_t *oev_json_time(uint64_t wall_us)
{
	char text[OEV_TIME_TEXT_MAX];

	if (wall_us == 0 || wall_us == UINT64_MAX)
		return json_null();
	oev_time_text(wall_us, text);
	return json_string(text);
}

json_t *oev_json_status(enum oev_status status)
{
	return status == OEV_OK ? json_true() : status == OEV_REFUTED ? json_false() : json_null();
}

json_t *oev_json_text(const char *text)
{
	json_t *value = json_string(text);

	return value != NULL ? value : json_string("(not UTF-8)");
}

json_t *oev_json_text_or_null(const char *text)
{
	return text[0] != '\0' ? oev_json_text(text) : json_null();
}

json_t *oev_json_seconds(uint64_t us)
{
	return json_real((double)us / 1e6);
}

json_t *oev_json_ratio(uint64_t part, uint64_t whole)
{
	return whole > 0 ? json_real((double)part / (double)whole) : json_null();
}
