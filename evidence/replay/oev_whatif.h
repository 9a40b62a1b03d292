/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic whatif: the recorded traffic under another policy, held against what was decided (or against a third policy).
 *
 * Requests, answers and reports come as they were recorded. What nobody can know from a record is said beside the result:
 * oev_whatif_limits().
 */
#pragma once

#include <stdio.h>

#include "../audit/oev_names.h"
#include "oev_lives.h"

enum oev_whatif_outcome {
	OEV_WHATIF_CHANGES,
	OEV_WHATIF_SAME,
	OEV_WHATIF_UNSURE,
	OEV_WHATIF_UNUSABLE,
	OEV_WHATIF_USAGE,
	OEV_WHATIF_INTERRUPTED,
	OEV_WHATIF_BUG,
	OEV_WHATIF_OUTCOME_COUNT
};

#define OEV_SIDES 2u /* before: recorded or the policy held against; after: the policy asked about */

/* What became of requests. */
struct oev_fate {
	uint64_t decisions, forwarded, diverted, refused;
};

/* The requests of a neighbour, or those of one class. */
struct oev_whatif_client {
	uint32_t name; /* in whatif->names */
	struct oev_fate side[OEV_SIDES];
};

#define OEV_SECONDS_OPEN 4u

struct oev_whatif_server {
	uint32_t name;
	struct {
		uint64_t requests;
		uint64_t peak; /* most in one second */
		uint64_t second[OEV_SECONDS_OPEN], count[OEV_SECONDS_OPEN];
	} side[OEV_SIDES];
};

/* A state of one kind about one node, whatever its versions. */
struct oev_whatif_report {
	uint32_t subject; /* in whatif->names */
	uint32_t app_id;  /* or OC_APP_ANY */
	uint8_t type;	  /* enum oc_report_type */
	uint8_t algorithm;
	struct {
		uint64_t versions;
		uint64_t matched;   /* drawn */
		uint64_t asked_ppm; /* sum of their shares */
		uint64_t selected;
	} side[OEV_SIDES];
};

struct oev_whatif_options {
	struct oev_lives_options lives;
	const char *policy_name; /* for people */
	const struct oc_policy *policy;
	const char *against_name; /* NULL: what was recorded */
	const struct oc_policy *against;
};

struct oev_whatif {
	struct oev_whatif_options options; /* with the window as it was settled */
	enum oev_whatif_outcome outcome;
	char error[OEV_REPLAY_ERROR_MAX];
	char why[OEV_REPLAY_ERROR_MAX]; /* it cannot be told of everything */
	uint32_t lives, lives_partly;	/* done; of them, not whole */
	struct oev_fate total[OEV_SIDES];
	struct oev_fate class[OC_CLASSES][OEV_SIDES];
	uint64_t full[OEV_SIDES];		   /* refused since a peer had no room */
	uint64_t changed;			   /* decisions */
	uint64_t now_sent, now_refused, elsewhere; /* of them */
	uint64_t unpaired;			   /* not held against each other: too far apart in time */
	uint64_t inexact;			   /* their candidates were not recorded: taken from others */
	uint64_t skipped;			   /* in parts that cannot be done again */
	struct oev_names names;
	struct oev_whatif_client *clients;
	size_t client_count;
	struct oev_whatif_server *servers;
	size_t server_count;
	struct oev_whatif_report *reports;
	size_t report_count;
};

/* *@out zeroed before; free with _fini in every case; it keeps the texts of @options by reference. out->outcome says how it went. Returns as
 * oev_replay_run(). */
int oev_whatif_run(struct oev_whatif *out, const struct oev_whatif_options *options);
void oev_whatif_fini(struct oev_whatif *whatif);

const char *oev_whatif_outcome_text(enum oev_whatif_outcome outcome); /* "changes" */
int oev_whatif_exit(enum oev_whatif_outcome outcome);
void oev_whatif_verdict(const struct oev_whatif *whatif, char *out, size_t size);

/* What the result does not know, one sentence each, NULL at the end. */
const char *const *oev_whatif_limits(void);

/* The object "doic.whatif/1". 0, or -1 when it could not be written. */
int oev_whatif_json(const struct oev_whatif *whatif, const char *tool, double seconds, FILE *out);
