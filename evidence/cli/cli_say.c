/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a verb says of its outcome: words on stderr, and one object on stdout where JSON was asked for.
 */
#include <string.h>

#include "cli_say.h"

json_t *cli_object(const char *verb, int code, const char *outcome)
{
	char schema[48];

	snprintf(schema, sizeof(schema), "doic.%s/1", verb);
	return json_pack("{s:s, s:s, s:s, s:i}", "schema", schema, "tool", CLI_TOOL, "outcome", outcome,
			 "exit", code);
}

int cli_put_object(json_t *object, FILE *out)
{
	bool ok = object != NULL && json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;

	fputc('\n', out);
	json_decref(object);
	return ok && fflush(out) == 0 ? 0 : -1;
}

int cli_fail(const char *verb, bool json, int code, const char *outcome, const char *text)
{
	char safe[1024];

	snprintf(safe, sizeof(safe), "%s", text);
	cli_safe(safe);
	if (code == CLI_USAGE)
		fprintf(stderr, "doic %s: %s  (doic %s --help)\n", verb, safe, verb);
	else
		fprintf(stderr, "doic %s: %s\n", verb, safe);
	if (!json)
		return code;
	json_t *object = cli_object(verb, code, outcome);
	json_object_set_new(object, "error", json_string(cli_ascii(safe)));
	return cli_put_object(object, stdout) == 0 ? code : CLI_BUG;
}
