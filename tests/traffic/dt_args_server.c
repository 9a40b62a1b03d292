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
	KEY_SERVICE = 256,
	KEY_EXPONENTIAL,
	KEY_WORKERS,
	KEY_CAPACITY,
	KEY_QUEUE,
	KEY_OVER,
	KEY_RESULT,
	KEY_DOIC_ALWAYS,
	KEY_NO_PEER_REPORTS,
	KEY_ANSWER_VECTOR,
	KEY_PEER_ALGO,
	KEY_LOAD,
	KEY_LOAD_PEER,
	KEY_REPORT,
	KEY_REPORT_FILE,
	KEY_FROM_FIRST,
	KEY_RAW,
	KEY_CONTROL,
	KEY_TELEMETRY
};

static const struct argp_option options_table[] = {
	{ "listen", KEY_LISTEN, "ADDR:PORT", 0, "where to accept connections (port 0: any)", 0 },
	{ "service-time-ms", KEY_SERVICE, "MS", 0, "time to answer (mean when exponential)", 0 },
	{ "exponential", KEY_EXPONENTIAL, NULL, 0, "service times are exponential, not fixed", 0 },
	{ "workers", KEY_WORKERS, "N", 0, "requests served at the same time (default: no limit)", 0 },
	{ "capacity", KEY_CAPACITY, "RPS", 0, "requests per second all workers together can do", 0 },
	{ "queue", KEY_QUEUE, "N", 0, "requests that may wait for a worker (default 1000)", 0 },
	{ "over", KEY_OVER, "busy|drop", 0, "queue full: answer 3004, or stay silent", 0 },
	{ "result", KEY_RESULT, "MIX", 0, "result codes, e.g. 2001=95,5012=5", 0 },
	{ "doic-always", KEY_DOIC_ALWAYS, NULL, 0, "send OC AVPs even to requests without (negative tests)",
	  0 },
	{ "no-peer-reports", KEY_NO_PEER_REPORTS, NULL, 0, "answer as a node that knows no peer reports", 0 },
	{ "answer-vector", KEY_ANSWER_VECTOR, "N", 0,
	  "exactly this OC-Feature-Vector, whatever was asked for (negative tests; 0: none)", 0 },
	{ "peer-algo", KEY_PEER_ALGO, "N", 0, "exactly this OC-Peer-Algo to those who asked (0: none)", 0 },
	{ "load", KEY_LOAD, "VALUE", 0, "HOST Load in every answer, 0 (full) to 65535 (idle)", 0 },
	{ "load-peer", KEY_LOAD_PEER, "VALUE[,NAME]", 0,
	  "PEER Load in every answer, SourceID NAME or the own identity", 0 },
	{ "report", KEY_REPORT, "SPEC", 0, "scripted OC-OLR, repeatable; implies --doic", 0 },
	{ "report-file", KEY_REPORT_FILE, "FILE", 0, "scripted OC-OLR, one per line; implies --doic", 0 },
	{ "from-first", KEY_FROM_FIRST, NULL, 0, "the script's clock starts with the first request", 0 },
	{ "raw-answer-avp", KEY_RAW, "HEX", 0, "octets appended to every answer", 0 },
	{ "control", KEY_CONTROL, "PATH", 0, "control lines from this UNIX socket, '-' for standard input",
	  0 },
	{ "telemetry", KEY_TELEMETRY, NULL, 0, "useful work in the counters file", 0 },
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
	options->common.doic = true;
}

static void add_report_file(struct argp_state *state, const char *path, struct dt_server_options *options)
{
	const char *why;
	unsigned line;
	if (dt_reports_load(&options->reports, path, &why, &line) != OC_OK)
		argp_error(state, "%s:%u: %s", path, line, why);
	options->common.doic = true;
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

static error_t parse_load(int key, char *arg, struct argp_state *state)
{
	struct dt_server_options *options = state->input;
	switch (key) {
	case KEY_LOAD:
		options->loads.host = dt_args_number(state, arg, 0, UINT64_MAX, "--load");
		options->loads.has_host = true;
		return 0;
	case KEY_LOAD_PEER:
		if (dt_control_load(arg, &options->loads.peer, options->loads.peer_source) != OC_OK)
			argp_error(state, "--load-peer: '%s' is not like 12000 or 12000,a9.example.net", arg);
		options->loads.has_peer = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
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
		if (dt_mix_results(arg, &options->mix) != OC_OK)
			argp_error(state, "--result: '%s' is not like 2001=95,5012=5", arg);
		return 0;
	case KEY_RAW:
		dt_args_hex(state, arg, &options->raw, "--raw-answer-avp");
		return 0;
	default:
		return parse_load(key, arg, state);
	}
}

static error_t parse_doic(int key, char *arg, struct argp_state *state)
{
	struct dt_server_options *options = state->input;
	switch (key) {
	case KEY_DOIC_ALWAYS:
		options->doic_always = true;
		return 0;
	case KEY_NO_PEER_REPORTS:
		options->no_peer_reports = true;
		return 0;
	case KEY_ANSWER_VECTOR:
		options->answer_vector = dt_args_number(state, arg, 0, UINT64_MAX, "--answer-vector");
		options->has_answer_vector = options->common.doic = true;
		return 0;
	case KEY_PEER_ALGO:
		options->peer_algo = dt_args_number(state, arg, 0, UINT64_MAX, "--peer-algo");
		options->has_peer_algo = options->common.doic = true;
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
	case KEY_TELEMETRY:
		options->telemetry = true;
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
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (!options->listen.sin_family || !options->common.me.host[0] ||
		    !options->common.me.realm[0])
			argp_error(state, "--listen, --identity and --realm are needed");
		return 0;
	default:
		return parse_files(key, arg, state);
	}
}

void dt_args_server(int argc, char **argv, struct dt_server_options *options)
{
	static const struct argp_child children[] = { { &dt_args_common, 0, "In both roles:", 1 }, { 0 } };
	static const struct argp argp = { .options = options_table,
					  .parser = parse_option,
					  .doc = "A Diameter server for tests.",
					  .children = children };
	*options = (struct dt_server_options){ .common = dt_args_common_default(),
					       .listen_fd = -1,
					       .work = { .queue_max = 1000 },
					       .mix = { { 2001 }, { 1 }, 1, 1 } };
	argp_parse(&argp, argc, argv, 0, NULL, options);
	options->common.me.addr = options->listen.sin_addr;
}
