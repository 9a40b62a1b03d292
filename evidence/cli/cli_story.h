/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the numbers say, as the dashboard's first screen says it: who asks for less and how much, do we obey, does it help, and who causes it.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli_http.h"

/* At most so many are about who asks; then how many more, and who causes it. */
#define CLI_STORY_ASKING_MAX 3u
#define CLI_STORY_TEXT 512u

/* Sentences, worst first, as an array of texts to be dropped. @status: of GET /api/v1/status; @series: of cli_series_ask(), NULL: then the
 * effect and the cause are said not to be known. NULL when out of memory. */
json_t *cli_story(const json_t *status, const json_t *series);
/* The same with the series as @http (NULL: nobody can be asked) tells them, which is asked only where they have something to say. */
json_t *cli_story_ask(struct cli_http *http, const json_t *status);

/* Who sends more than usual, as a sentence of CLI_STORY_TEXT octets, or why none is named. @held_s: how long the longest report is in force. */
void cli_story_cause(const json_t *series, double held_s, char *out);

/* How long it is asked for, s: a renewal is a new version of the state, and nothing new. */
double cli_story_lasting(const json_t *state);

/* Whether it helps, to @out: by what is sent to the nodes of @state, and what they answer, now and before it was asked for. */
void cli_story_effect(FILE *out, const json_t *series, const json_t *state);
