/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Command line of the client.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dt_args.h"
#include "dt_net.h"

enum option_key {
	KEY_CONNECT = 'c',
	KEY_COUNT = 'n',
	KEY_WINDOW = 'w',
	KEY_WAIT = 256,
	KEY_WAIT_ANSWER,
	KEY_RATE,
	KEY_PATTERN,
	KEY_MAX_OUTSTANDING,
	KEY_TIMEOUT,
	KEY_DRAIN,
	KEY_CONNECTIONS,
	KEY_ORIGINS,
	KEY_TEMPLATE,
	KEY_DEST_HOST,
	KEY_DEST_REALM,
	KEY_DRMP,
	KEY_DRMP_MIX,
	KEY_PEER_REPORTS,
	KEY_OBEY,
	KEY_AVP,
	KEY_SESSIONS,
	KEY_UPDATES,
	KEY_SUBSCRIBERS,
	KEY_CAPTURE,
	KEY_APP,
	KEY_REWRITE_ORIGIN,
	KEY_STRIP_DEST_HOST,
	KEY_MULTIPLY,
	KEY_IDLE
};

static const struct argp_option options_table[] = {
	{ "connect", KEY_CONNECT, "ADDR:PORT", 0, "the peer", 0 },
	{ "wait", KEY_WAIT, "TIME", 0, "keep trying to connect that long", 0 },
	{ "wait-answer", KEY_WAIT_ANSWER, "TIME", 0, "first probe until answered by something else than 3002",
	  0 },
	{ "count", KEY_COUNT, "N", 0, "requests to send (default 1000, or the capture once)", 0 },
	{ "window", KEY_WINDOW, "W", 0, "closed loop: requests outstanding (default 100)", 0 },
	{ "rate", KEY_RATE, "RPS", 0, "open loop: arrivals per second", 0 },
	{ "pattern", KEY_PATTERN, "poisson|paced", 0, "open loop: gaps between arrivals (default poisson)",
	  0 },
	{ "max-outstanding", KEY_MAX_OUTSTANDING, "N", 0, "open loop: bound (default 20000)", 0 },
	{ "timeout", KEY_TIMEOUT, "TIME", 0, "a request unanswered that long is given up (default 5s)", 0 },
	{ "drain", KEY_DRAIN, "TIME", 0, "wait for the last answers (default 2s)", 0 },
	{ "connections", KEY_CONNECTIONS, "K", 0, "connections (default 1)", 0 },
	{ "origins", KEY_ORIGINS, "N", 0, "Origin-Hosts per connection (default 1: the identity)", 0 },
	{ "template", KEY_TEMPLATE, "NAME", 0, "gx (default), rx, gy, s6a, s6a-air or mix", 0 },
	{ "dest-host", KEY_DEST_HOST, "NAME", 0, "Destination-Host; 'none' (default) or 'learn' from answers",
	  0 },
	{ "dest-realm", KEY_DEST_REALM, "NAME", 0, "Destination-Realm (default: own realm, or as captured)",
	  0 },
	{ "drmp", KEY_DRMP, "N", 0, "DRMP priority 0..15", 0 },
	{ "drmp-mix", KEY_DRMP_MIX, "MIX", 0, "DRMP priorities by weight, e.g. 2=50,12=50", 0 },
	{ "peer-reports", KEY_PEER_REPORTS, NULL, 0, "announce peer reports, with a SourceID; implies --doic",
	  0 },
	{ "obey", KEY_OBEY, NULL, 0, "throttle as the reports in answers ask; implies --doic", 0 },
	{ "avp", KEY_AVP, "HEX", 0, "octets of whole AVPs appended to every request, repeatable", 0 },
	{ "sessions", KEY_SESSIONS, "N", 0, "whole sessions, N at a time (default: first requests only)", 0 },
	{ "updates", KEY_UPDATES, "N", 0, "updates in a gx or gy session (default 2)", 0 },
	{ "subscribers", KEY_SUBSCRIBERS, "N", 0, "different subscribers (default 100000)", 0 },
	{ "from-capture", KEY_CAPTURE, "FILE", 0, "send the requests of a pcap or pcapng file", 0 },
	{ "app", KEY_APP, "NAME", 0, "of the capture only this application", 0 },
	{ "rewrite-origin", KEY_REWRITE_ORIGIN, NULL, 0, "captured Origin-Host and -Realm become ours", 0 },
	{ "strip-dest-host", KEY_STRIP_DEST_HOST, NULL, 0, "captured Destination-Host is removed", 0 },
	{ "multiply", KEY_MULTIPLY, "N", 0, "subscribers of the capture, N times (default 1)", 0 },
	{ "idle", KEY_IDLE, NULL, 0, "connect and answer watchdogs, but send no request", 0 },
	{ 0 }
};

static uint32_t number32(struct argp_state *state, const char *text, uint64_t min, uint64_t max)
{
	return (uint32_t)dt_args_number(state, text, min, max, "value");
}

static double parse_rate(struct argp_state *state, const char *text)
{
	char *end;
	double rate_rps = strtod(text, &end);
	if (end == text || *end || !isfinite(rate_rps) || rate_rps <= 0 || rate_rps > 1e7)
		argp_error(state, "--rate: '%s' is not a number above 0 and up to 10000000", text);
	return rate_rps;
}

static error_t parse_load(int key, char *arg, struct argp_state *state)
{
	struct dt_client_options *options = state->input;
	switch (key) {
	case KEY_COUNT:
		options->count = dt_args_number(state, arg, 1, UINT32_MAX, "--count");
		return 0;
	case KEY_WINDOW:
		options->window = number32(state, arg, 1, DT_OUTSTANDING_MAX);
		return 0;
	case KEY_RATE:
		options->rate_rps = parse_rate(state, arg);
		return 0;
	case KEY_PATTERN:
		options->paced = strcmp(arg, "paced") == 0;
		if (!options->paced && strcmp(arg, "poisson") != 0)
			argp_error(state, "--pattern is poisson or paced");
		return 0;
	case KEY_MAX_OUTSTANDING:
		options->max_outstanding = number32(state, arg, 1, DT_OUTSTANDING_MAX);
		return 0;
	case KEY_TIMEOUT:
		options->timeout_ns = dt_args_duration_ns(state, arg, "--timeout");
		return 0;
	case KEY_DRAIN:
		options->drain_ns = dt_args_duration_ns(state, arg, "--drain");
		return 0;
	case KEY_IDLE:
		options->idle = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_content(int key, char *arg, struct argp_state *state)
{
	struct dt_client_options *options = state->input;
	switch (key) {
	case KEY_ORIGINS:
		options->origins = number32(state, arg, 1, DT_NAMES_MAX - 1);
		return 0;
	case KEY_TEMPLATE:
		options->template = arg;
		return 0;
	case KEY_DEST_HOST:
		options->dest_host = arg;
		return 0;
	case KEY_DEST_REALM:
		options->dest_realm = arg;
		return 0;
	case KEY_DRMP:
	case KEY_DRMP_MIX:
		if (dt_mix_parse(arg, 0, 15, &options->drmp) != OC_OK)
			argp_error(state, "--drmp or --drmp-mix: '%s' is not like 2 or 2=50,12=50 (0 to 15)",
				   arg);
		return 0;
	case KEY_PEER_REPORTS:
		options->peer_reports = true;
		return 0;
	case KEY_OBEY:
		options->obey = true;
		return 0;
	case KEY_AVP:
		dt_args_hex(state, arg, &options->raw, "--avp");
		return 0;
	case KEY_SESSIONS:
		options->sessions = number32(state, arg, 1, 1000000);
		return 0;
	case KEY_UPDATES:
		options->updates = number32(state, arg, 0, 1000);
		return 0;
	case KEY_SUBSCRIBERS:
		options->subscribers = dt_args_number(state, arg, 1, 1000000000, "--subscribers");
		return 0;
	default:
		return parse_load(key, arg, state);
	}
}

static error_t parse_capture(int key, char *arg, struct argp_state *state)
{
	struct dt_client_options *options = state->input;
	switch (key) {
	case KEY_CAPTURE:
		options->capture_path = arg;
		return 0;
	case KEY_APP:
		if (dt_app_parse(arg, &options->capture_app) != OC_OK)
			argp_error(state, "--app: '%s' is none of gx, rx, gy, s6a, cx", arg);
		return 0;
	case KEY_REWRITE_ORIGIN:
		options->rewrite_origin = true;
		return 0;
	case KEY_STRIP_DEST_HOST:
		options->strip_dest_host = true;
		return 0;
	case KEY_MULTIPLY:
		options->multiply = dt_args_number(state, arg, 1, 10000, "--multiply");
		return 0;
	default:
		return parse_content(key, arg, state);
	}
}

static void check(struct argp_state *state, const struct dt_client_options *options)
{
	if (!options->connect.sin_family || !options->common.me.host[0] || !options->common.me.realm[0])
		argp_error(state, "--connect, --identity and --realm are needed");
	if (options->connections * options->origins >= DT_NAMES_MAX)
		argp_error(state, "too many origins: connections times origins must stay below %u",
			   DT_NAMES_MAX);
	if (!dt_source_is_template(options->template))
		argp_error(state, "--template: '%s' is none of gx, gy, rx, s6a, s6a-air, mix",
			   options->template);
	if (options->peer_reports && options->capture_path && options->connections > 1)
		argp_error(state, "--peer-reports with --from-capture needs one connection: its SourceID");
	if (options->idle && !options->common.duration_ns)
		argp_error(state, "--idle needs --duration");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct dt_client_options *options = state->input;
	switch (key) {
	case KEY_CONNECT:
		if (dt_addr_parse(arg, &options->connect) != OC_OK)
			argp_error(state, "--connect: '%s' is not like 127.0.0.1:3868", arg);
		return 0;
	case KEY_WAIT:
		options->wait_ns = dt_args_duration_ns(state, arg, "--wait");
		return 0;
	case KEY_WAIT_ANSWER:
		options->wait_answer_ns = dt_args_duration_ns(state, arg, "--wait-answer");
		return 0;
	case KEY_CONNECTIONS:
		options->connections = number32(state, arg, 1, DT_CLIENT_CONNS_MAX);
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		check(state, options);
		return 0;
	default:
		return parse_capture(key, arg, state);
	}
}

void dt_args_client(int argc, char **argv, struct dt_client_options *options)
{
	static const struct argp_child children[] = { { &dt_args_common, 0, "In both roles:", 1 }, { 0 } };
	static const struct argp argp = { .options = options_table,
					  .parser = parse_option,
					  .doc = "A Diameter client for tests and load.",
					  .children = children };
	*options = (struct dt_client_options){ .common = dt_args_common_default(),
					       .window = 100,
					       .max_outstanding = 20000,
					       .timeout_ns = 5000000000u,
					       .drain_ns = 2000000000u,
					       .connections = 1,
					       .origins = 1,
					       .template = "gx",
					       .updates = 2,
					       .subscribers = 100000,
					       .multiply = 1 };
	argp_parse(&argp, argc, argv, 0, NULL, options);
}
