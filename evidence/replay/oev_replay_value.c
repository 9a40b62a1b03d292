/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * JSON values.
 */
#include "oev_replay_value.h"

#include "../oev_time.h"

json_t *oev_value_number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

json_t *oev_value_time(uint64_t wall_us)
{
	char text[OEV_TIME_TEXT_MAX];

	if (wall_us == 0 || wall_us == UINT64_MAX)
		return json_null();
	oev_time_text(wall_us, text);
	return json_string(text);
}

json_t *oev_value_text(const char *text)
{
	json_t *value = json_string(text);

	return value != NULL ? value : json_string("(not UTF-8)");
}

json_t *oev_value_name(const char *text)
{
	return text[0] != '\0' ? oev_value_text(text) : json_null();
}

json_t *oev_value_inputs(const char *const *inputs, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:o}", "path", oev_value_text(inputs[i])));
	return list;
}

int oev_value_write(json_t *object, FILE *out)
{
	int rc = object != NULL ? json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : -1;

	json_decref(object);
	return rc == 0 && fputc('\n', out) != EOF && fflush(out) == 0 ? 0 : -1;
}
