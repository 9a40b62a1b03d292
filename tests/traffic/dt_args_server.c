/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Command line of the server.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dt_args.h"
#include "dt_net.h"

enum option_key {
	KEY_LISTEN = 'l',
	KEY_IDENTITY = 'i',
	KEY_REALM = 'r',
	KEY_APPS = 256,
	KEY_SERVICE,
	KEY_EXPONENTIAL,
	KEY_WORKERS,
	KEY_CAPACITY,
	KEY_QUEUE,
	KEY_OVER,
	KEY_RESULT,
	KEY_DOIC,
	KEY_DOIC_ALWAYS,
	KEY_VECTOR,
	KEY_REPORT,
	KEY_REPORT_FILE,
	KEY_FROM_FIRST,
	KEY_RAW,
	KEY_CONTROL,
	KEY_DUMP,
	KEY_RECORD,
	KEY_JSON,
	KEY_COUNTERS,
	KEY_TELEMETRY,
	KEY_PROGRESS,
	KEY_DURATION,
	KEY_SEED,
	KEY_QUIET = 'q'
};

static const struct argp_option options_table[] = {
	{ "listen", KEY_LISTEN, "ADDR:PORT", 0, "where to accept connections (port 0: any)", 0 },
	{ "identity", KEY_IDENTITY, "NAME", 0, "own DiameterIdentity", 0 },
	{ "realm", KEY_REALM, "NAME", 0, "own realm", 0 },
	{ "apps", KEY_APPS, "LIST", 0, "applications to advertise: gx,rx,gy,s6a,cx or all", 0 },
	{ "service-time-ms", KEY_SERVICE, "MS", 0, "time to answer (mean when exponential)", 0 },
	{ "exponential", KEY_EXPONENTIAL, NULL, 0, "service times are exponential, not fixed", 0 },
	{ "workers", KEY_WORKERS, "N", 0, "requests served at the same time (default: no limit)", 0 },
	{ "capacity", KEY_CAPACITY, "RPS", 0, "requests per second all workers together can do", 0 },
	{ "queue", KEY_QUEUE, "N", 0, "requests that may wait for a worker (default 1000)", 0 },
	{ "over", KEY_OVER, "busy|drop", 0, "queue full: answer 3004, or stay silent", 0 },
	{ "result", KEY_RESULT, "MIX", 0, "result codes, e.g. 2001=95,5012=5", 0 },
	{ "doic", KEY_DOIC, NULL, 0, "answer OC-Supported-Features to requests that have it", 0 },
	{ "doic-always", KEY_DOIC_ALWAYS, NULL, 0, "send OC AVPs even to requests without (negative tests)",
	  0 },
	{ "vector", KEY_VECTOR, "N", 0, "OC-Feature-Vector (default 0x1, 0: leave it out)", 0 },
	{ "report", KEY_REPORT, "SPEC", 0, "scripted OC-OLR, repeatable; implies --doic", 0 },
	{ "report-file", KEY_REPORT_FILE, "FILE", 0, "scripted OC-OLR, one per line; implies --doic", 0 },
	{ "from-first", KEY_FROM_FIRST, NULL, 0, "the script's clock starts with the first request", 0 },
	{ "raw-answer-avp", KEY_RAW, "HEX", 0, "octets appended to every answer", 0 },
	{ "control", KEY_CONTROL, "PATH", 0, "control lines from this UNIX socket, '-' for standard input",
	  0 },
	{ "dump", KEY_DUMP, "FILE", 0, "every message as a capture file", 0 },
	{ "record", KEY_RECORD, "FILE", 0, "every request and answer as JSON lines", 0 },
	{ "json", KEY_JSON, "FILE", 0, "results here instead of standard output", 0 },
	{ "counters", KEY_COUNTERS, "FILE", 0, "counters file", 0 },
	{ "telemetry", KEY_TELEMETRY, NULL, 0, "useful work in the counters file", 0 },
	{ "progress", KEY_PROGRESS, NULL, 0, "a line per second on standard error", 0 },
	{ "duration", KEY_DURATION, "TIME", 0, "stop after this time (default and maximum 3600s)", 0 },
	{ "seed", KEY_SEED, "N", 0, "seed of all random choices (default 1)", 0 },
	{ "quiet", KEY_QUIET, NULL, 0, "no result on standard output, no greeting", 0 },
	{ 0 }
};

static void add_report(struct argp_state *state, const char *text, struct dt_server_options *options)
{
	struct dt_report report;
	const char *why;
	if (dt_report_parse(text, options->reports.count + 1, &report, &why) != OC_OK)
		argp_error(state, "--report '%s': %s", text, why);
	else if (dt_reports_add(&options->reports, &report) != OC_OK)
		argp_error(state, "--report: too many");
	options->doic = true;
}

static void add_report_file(struct argp_state *state, const char *path, struct dt_server_options *options)
{
	const char *why;
	unsigned line;
	if (dt_reports_load(&options->reports, path, &why, &line) != OC_OK)
		argp_error(state, "%s:%u: %s", path, line, why);
	options->doic = true;
}

static void set_over(struct argp_state *state, const char *text, struct dt_server_options *options)
{
	options->over_drop = strcmp(text, "drop") == 0;
	if (!options->over_drop && strcmp(text, "busy") != 0)
		argp_error(state, "--over is busy or drop");
}

static uint64_t milliseconds(struct argp_state *state, const char *text)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !isfinite(value) || value < 0 || value > 600000)
		argp_error(state, "--service-time-ms: '%s' is not a number from 0 to 600000", text);
	return (uint64_t)(value * 1e6);
}

static error_t parse_work(int key, char *arg, struct argp_state *state)
{
	struct dt_server_options *options = state->input;
	switch (key) {
	case KEY_SERVICE:
		options->work.delay_ns = milliseconds(state, arg);
		return 0;
	case KEY_EXPONENTIAL:
		options->work.exponential = true;
		return 0;
	case KEY_WORKERS:
		options->work.workers = (uint32_t)dt_args_number(state, arg, 1, DT_WORKERS_MAX, "--workers");
		return 0;
	case KEY_CAPACITY:
		options->capacity_rps = dt_args_number(state, arg, 1, 100000000, "--capacity");
		return 0;
	case KEY_QUEUE:
		options->work.queue_max = (uint32_t)dt_args_number(state, arg, 0, DT_JOBS_MAX - 1, "--queue");
		return 0;
	case KEY_OVER:
		set_over(state, arg, options);
		return 0;
	case KEY_RESULT:
		if (dt_mix_parse(arg, &options->mix) != OC_OK)
			argp_error(state, "--result: '%s' is not like 2001=95,5012=5", arg);
		return 0;
	case KEY_RAW:
		if (dt_hex_decode(arg, options->raw, sizeof(options->raw), &options->raw_len) != OC_OK)
			argp_error(state, "--raw-answer-avp: not hexadecimal, or too long");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_doic(int key, char *arg, struct argp_state *state)
{
	struct dt_server_options *options = state->input;
	switch (key) {
	case KEY_DOIC:
		options->doic = true;
		return 0;
	case KEY_DOIC_ALWAYS:
		options->doic_always = true;
		return 0;
	case KEY_VECTOR:
		options->vector = dt_args_number(state, arg, 0, UINT64_MAX, "--vector");
		return 0;
	case KEY_REPORT:
		add_report(state, arg, options);
		return 0;
	case KEY_REPORT_FILE:
		add_report_file(state, arg, options);
		return 0;
	case KEY_FROM_FIRST:
		options->from_first = true;
		return 0;
	case KEY_CONTROL:
		options->control_path = arg;
		return 0;
	default:
		return parse_work(key, arg, state);
	}
}

static error_t parse_files(int key, char *arg, struct argp_state *state)
{
	struct dt_server_options *options = state->input;
	switch (key) {
	case KEY_DUMP:
		options->dump_path = arg;
		return 0;
	case KEY_RECORD:
		options->record_path = arg;
		return 0;
	case KEY_JSON:
		options->json_path = arg;
		return 0;
	case KEY_COUNTERS:
		options->counters_path = arg;
		return 0;
	case KEY_TELEMETRY:
		options->telemetry = true;
		return 0;
	case KEY_PROGRESS:
		options->progress = true;
		return 0;
	case KEY_QUIET:
		options->quiet = true;
		return 0;
	default:
		return parse_doic(key, arg, state);
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct dt_server_options *options = state->input;
	switch (key) {
	case KEY_LISTEN:
		if (dt_addr_parse(arg, &options->listen) != OC_OK)
			argp_error(state, "--listen: '%s' is not like 127.0.0.1:3868", arg);
		return 0;
	case KEY_IDENTITY:
		dt_args_name(state, arg, options->me.host, "--identity");
		return 0;
	case KEY_REALM:
		dt_args_name(state, arg, options->me.realm, "--realm");
		return 0;
	case KEY_APPS:
		if (dt_apps_mask(arg, &options->me.app_mask) != OC_OK)
			argp_error(state, "--apps: '%s' names an unknown application", arg);
		return 0;
	case KEY_DURATION:
		options->duration_ns = dt_args_duration_ns(state, arg, "--duration");
		if (options->duration_ns > DT_DURATION_MAX_NS)
			argp_error(state, "--duration is at most 3600s");
		return 0;
	case KEY_SEED:
		options->seed = dt_args_number(state, arg, 0, UINT64_MAX, "--seed");
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (!options->listen.sin_family || !options->me.host[0] || !options->me.realm[0])
			argp_error(state, "--listen, --identity and --realm are needed");
		return 0;
	default:
		return parse_files(key, arg, state);
	}
}

void dt_args_server(int argc, char **argv, struct dt_server_options *options)
{
	static const struct argp argp = { .options = options_table,
					  .parser = parse_option,
					  .doc = "A Diameter server for tests." };
	*options = (struct dt_server_options){ .listen_fd = -1,
					       .vector = 1,
					       .duration_ns = DT_DURATION_MAX_NS,
					       .seed = 1,
					       .me = { .app_mask = UINT32_MAX },
					       .work = { .queue_max = 1000 },
					       .mix = { { 2001 }, { 1 }, 1, 1 } };
	argp_parse(&argp, argc, argv, 0, NULL, options);
	options->me.addr = options->listen.sin_addr;
}
