/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parser of control lines.
 */
#include "dt_control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dt_net.h"

static int parse_count(const char *text, uint64_t *count)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || value > 1000000000ul)
		return OC_EINVAL;
	*count = value;
	return OC_OK;
}

static int parse_report(const char *rest, struct dt_control *control, const char **why)
{
	control->kind = strcmp(rest, "off") == 0 ? DT_COMMAND_REPORT_OFF : DT_COMMAND_REPORT;
	if (control->kind == DT_COMMAND_REPORT_OFF)
		return OC_OK;
	return dt_report_parse(rest, 1, &control->report, why);
}

static int parse_mute(const char *rest, struct dt_control *control)
{
	control->kind = DT_COMMAND_MUTE_COUNT;
	if (strcmp(rest, "off") == 0)
		return OC_OK;
	if (strncmp(rest, "for=", 4) != 0)
		return parse_count(rest, &control->amount);
	control->kind = DT_COMMAND_MUTE_FOR;
	return dt_duration_parse(rest + 4, &control->amount);
}

int dt_control_load(const char *text, uint64_t *value, char *name)
{
	char *end;
	errno = 0;
	unsigned long long parsed = strtoull(text, &end, 10);

	name[0] = '\0';
	if (*text < '0' || *text > '9' || errno || (*end && *end != ',') || strlen(end) > DT_NAME_MAX ||
	    strcmp(end, ",") == 0)
		return OC_EINVAL;
	if (*end == ',')
		memcpy(name, end + 1, strlen(end));
	*value = parsed;
	return OC_OK;
}

static int parse_load(const char *word, const char *rest, struct dt_control *control)
{
	control->kind = strcmp(word, "load") == 0 ? DT_COMMAND_LOAD : DT_COMMAND_LOAD_PEER;
	control->off = strcmp(rest, "off") == 0;
	if (control->off)
		return OC_OK;
	int rc = dt_control_load(rest, &control->amount, control->name);
	return rc == OC_OK && control->kind == DT_COMMAND_LOAD && control->name[0] ? OC_EINVAL : rc;
}

static int parse_word(const char *word, const char *rest, struct dt_control *control, const char **why)
{
	static const struct {
		const char *word;
		enum dt_command_kind kind;
	} plain[] = { { "stats", DT_COMMAND_STATS }, { "quit", DT_COMMAND_QUIT }, { "die", DT_COMMAND_DIE } };

	if (strcmp(word, "report") == 0)
		return parse_report(rest, control, why);
	*why = "bad value";
	if (strcmp(word, "mute") == 0)
		return parse_mute(rest, control);
	if (strcmp(word, "stall") == 0) {
		control->kind = DT_COMMAND_STALL;
		return dt_duration_parse(rest, &control->amount);
	}
	if (strcmp(word, "capacity") == 0) {
		control->kind = DT_COMMAND_CAPACITY;
		return parse_count(rest, &control->amount);
	}
	if (strcmp(word, "result") == 0) {
		control->kind = DT_COMMAND_RESULT;
		return dt_mix_results(rest, &control->mix);
	}
	if (strcmp(word, "load") == 0 || strcmp(word, "load-peer") == 0)
		return parse_load(word, rest, control);
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (strcmp(word, plain[i].word) == 0) {
			control->kind = plain[i].kind;
			return *rest ? OC_EINVAL : OC_OK;
		}
	}
	*why = "unknown command";
	return OC_EINVAL;
}

int dt_control_parse(const char *line, struct dt_control *control, const char **why)
{
	char word[16] = "";
	int used = 0;

	*why = "";
	control->kind = DT_COMMAND_NONE;
	control->amount = 0;
	if (sscanf(line, " %15s%n", word, &used) != 1)
		return OC_OK;
	char rest[1024];
	line += used;
	int len = snprintf(rest, sizeof(rest), "%s", line + strspn(line, " \t"));
	*why = "too long";
	if (len < 0 || (size_t)len >= sizeof(rest))
		return OC_EINVAL;
	while (len > 0 && strchr(" \t\r\n", rest[len - 1]))
		rest[--len] = '\0';
	return parse_word(word, rest, control, why);
}
