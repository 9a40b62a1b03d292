/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The lines that steer a running server.
 *
 *   report KEY=VALUE...   send this OC-OLR from now on (replaces one of the same type, application and source)
 *   report off            send none any more
 *   stall 5s              do not read any socket for that long
 *   mute 100 | mute for=5s | mute off    read, but leave the next requests without answer
 *   capacity RPS          change the capacity; 0 = no limit
 *   result MIX            change the result codes
 *   load VALUE | load off               HOST Load in every answer
 *   load-peer VALUE[,NAME] | load-peer off   PEER Load of NAME in every answer
 *   stats | quit | die    one JSON line | finish in order | close abruptly and exit
 */
#pragma once

#include "dt_mix.h"
#include "dt_report.h"

enum dt_command_kind {
	DT_COMMAND_NONE = 0,
	DT_COMMAND_REPORT,
	DT_COMMAND_REPORT_OFF,
	DT_COMMAND_STALL,
	DT_COMMAND_MUTE_COUNT,
	DT_COMMAND_MUTE_FOR,
	DT_COMMAND_CAPACITY,
	DT_COMMAND_RESULT,
	DT_COMMAND_LOAD,
	DT_COMMAND_LOAD_PEER,
	DT_COMMAND_STATS,
	DT_COMMAND_QUIT,
	DT_COMMAND_DIE,
	DT_COMMAND_KIND_COUNT
};

struct dt_control {
	enum dt_command_kind kind;
	uint64_t amount; /* ns, a count, or requests per second */
	struct dt_report report;
	struct dt_mix mix;
	bool off;
	char name[DT_NAME_MAX]; /* of load-peer; empty: none told */
};

/* "VALUE" or "VALUE,NAME" with a NAME of at most DT_NAME_MAX - 1 octets, empty when left out: OC_OK or OC_EINVAL. */
int dt_control_load(const char *text, uint64_t *value, char *name);

/* An empty line is DT_COMMAND_NONE. OC_OK, or OC_EINVAL with *@why. */
int dt_control_parse(const char *line, struct dt_control *control, const char **why);
