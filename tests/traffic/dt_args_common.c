/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Command line: the options of both roles, and checks of option values.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dt_args.h"
#include "dt_net.h"

enum option_key {
	KEY_IDENTITY = 'i',
	KEY_REALM = 'r',
	KEY_DURATION = 'd',
	KEY_QUIET = 'q',
	KEY_APPS = 256,
	KEY_DOIC,
	KEY_VECTOR,
	KEY_SOURCE_ID,
	KEY_DUMP,
	KEY_RECORD,
	KEY_RECEIPTS,
	KEY_JSON,
	KEY_COUNTERS,
	KEY_PROGRESS,
	KEY_SEED
};

static const struct argp_option options_table[] = {
	{ "identity", KEY_IDENTITY, "NAME", 0,
	  "own DiameterIdentity; at a client '#' becomes the connection's number", 0 },
	{ "realm", KEY_REALM, "NAME", 0, "own realm", 0 },
	{ "apps", KEY_APPS, "LIST", 0, "applications to advertise: gx,rx,gy,s6a,cx or all", 0 },
	{ "doic", KEY_DOIC, NULL, 0,
	  "OC-Supported-Features: in every request, or in the answer to a request that has it", 0 },
	{ "vector", KEY_VECTOR, "N", 0,
	  "algorithms: announced by a client, supported by a server (default 0x1, 0: no OC-Feature-Vector)",
	  0 },
	{ "source-id", KEY_SOURCE_ID, "NAME", 0, "instead of the own identity in every SourceID", 0 },
	{ "dump", KEY_DUMP, "FILE", 0, "every message as a capture file", 0 },
	{ "record", KEY_RECORD, "FILE", 0, "every request and answer as JSON lines", 0 },
	{ "receipts", KEY_RECEIPTS, "FILE", 0, "a small record of every request and answer, at full load",
	  0 },
	{ "json", KEY_JSON, "FILE", 0, "results here instead of standard output", 0 },
	{ "counters", KEY_COUNTERS, "FILE", 0, "counters file", 0 },
	{ "progress", KEY_PROGRESS, NULL, 0, "a line per second on standard error", 0 },
	{ "duration", KEY_DURATION, "TIME", 0, "stop after this time, at most 3600s", 0 },
	{ "seed", KEY_SEED, "N", 0, "seed of all random choices (default 1)", 0 },
	{ "quiet", KEY_QUIET, NULL, 0, "nothing on standard output, only errors on standard error", 0 },
	{ 0 }
};

struct dt_common dt_args_common_default(void)
{
	return (struct dt_common){ .me = { .app_mask = UINT32_MAX }, .vector = 1, .seed = 1 };
}

uint64_t dt_args_number(const struct argp_state *state, const char *text, uint64_t min, uint64_t max,
			const char *what)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 0);
	if (*text == '\0' || *text == '-' || *end || errno || value < min || value > max)
		argp_error(state, "%s: '%s' is not a number from %llu to %llu", what, text,
			   (unsigned long long)min, (unsigned long long)max);
	return value;
}

uint64_t dt_args_duration_ns(const struct argp_state *state, const char *text, const char *what)
{
	uint64_t duration_ns = 0;
	if (dt_duration_parse(text, &duration_ns) != OC_OK)
		argp_error(state, "%s: '%s' is not a duration such as 2s or 150ms", what, text);
	return duration_ns;
}

void dt_args_hex(const struct argp_state *state, const char *text, struct dt_octets *octets, const char *what)
{
	size_t len = 0;
	if (dt_hex_decode(text, octets->data + octets->len, sizeof(octets->data) - octets->len, &len) !=
	    OC_OK)
		argp_error(state, "%s: not hexadecimal, or too long", what);
	octets->len += len;
}

static void set_name(const struct argp_state *state, const char *text, char *name, const char *what)
{
	if (*text == '\0' || strlen(text) >= DT_NAME_MAX - 16)
		argp_error(state, "%s: empty or too long", what);
	else
		memcpy(name, text, strlen(text) + 1);
}

static uint64_t run_time_ns(const struct argp_state *state, const char *text)
{
	uint64_t duration_ns = dt_args_duration_ns(state, text, "--duration");
	if (duration_ns == 0 || duration_ns > DT_DURATION_MAX_NS)
		argp_error(state, "--duration is above 0 and at most 3600s");
	return duration_ns;
}

static error_t parse_file(int key, char *arg, const struct argp_state *state)
{
	struct dt_common *common = state->input;
	switch (key) {
	case KEY_DUMP:
		common->dump_path = arg;
		return 0;
	case KEY_RECORD:
		common->record_path = arg;
		return 0;
	case KEY_RECEIPTS:
		common->receipts_path = arg;
		return 0;
	case KEY_JSON:
		common->json_path = arg;
		return 0;
	case KEY_COUNTERS:
		common->counters_path = arg;
		return 0;
	case KEY_PROGRESS:
		common->progress = true;
		return 0;
	case KEY_QUIET:
		common->quiet = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct dt_common *common = state->input;
	switch (key) {
	case KEY_IDENTITY:
		set_name(state, arg, common->me.host, "--identity");
		return 0;
	case KEY_REALM:
		set_name(state, arg, common->me.realm, "--realm");
		return 0;
	case KEY_APPS:
		if (dt_apps_mask(arg, &common->me.app_mask) != OC_OK)
			argp_error(state, "--apps: '%s' names an unknown application", arg);
		return 0;
	case KEY_DOIC:
		common->doic = true;
		return 0;
	case KEY_VECTOR:
		common->vector = dt_args_number(state, arg, 0, UINT64_MAX, "--vector");
		return 0;
	case KEY_SOURCE_ID:
		common->source_id = arg;
		return 0;
	case KEY_DURATION:
		common->duration_ns = run_time_ns(state, arg);
		return 0;
	case KEY_SEED:
		common->seed = dt_args_number(state, arg, 0, UINT64_MAX, "--seed");
		return 0;
	default:
		return parse_file(key, arg, state);
	}
}

const struct argp dt_args_common = { .options = options_table, .parser = parse_option };
