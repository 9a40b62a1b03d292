/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * All mistakes of a document at once, for people who edit it.
 *
 * What makes a document unreadable ends the search: broken YAML, or a second document. Keys that contradict each other are looked at
 * when every key by itself is right.
 */
#pragma once

#include <jansson.h>

#include "oev_conf.h"

#define OEV_CONF_ERRORS_MAX 50u
#define OEV_CONF_WARNINGS_MAX 4u

struct oev_conf_mistake {
	uint32_t line; /* from 1 */
	uint32_t column;
	char key[96];	/* "trust.peers[2].doic"; "document" */
	char text[384]; /* what is wrong, and what is allowed */
};

struct oev_conf_errors {
	uint32_t count; /* listed */
	uint32_t all;	/* found */
	struct oev_conf_mistake list[OEV_CONF_ERRORS_MAX];
	/* Of a document without mistakes: what can be put in force, and is hardly meant. */
	uint32_t warned;
	struct oev_conf_mistake warning[OEV_CONF_WARNINGS_MAX];
};

/* As oev_conf_policy_parse(), with every mistake in *@errors: 0 of them exactly when it returns OC_OK. */
int oev_conf_policy_check(const char *text, size_t len, const char *file, struct oc_policy *out,
			  struct oev_conf_errors *errors);

/* The same where the policy itself is not wanted: its mistakes and warnings, to be given to free(). NULL when out of memory. */
struct oev_conf_errors *oev_conf_policy_mistakes(const char *text, size_t len, const char *file);

int oev_conf_process_check(const char *text, size_t len, const char *file, struct oev_process *out,
			   struct oev_conf_errors *errors);

/* Which of the two documents @text is, by the keys it has; by its name @file when they do not tell. OEV_CONF_PROCESS when out of memory. */
enum oev_conf_document oev_conf_kind(const char *text, size_t len, const char *file);

/* "FILE:LINE:COLUMN: KEY: text", cut to @size. */
void oev_conf_mistake_text(const struct oev_conf_mistake *mistake, const char *file, char *out, size_t size);

/* What was found as a new object: {"valid", "errors_found", "errors": [{"line", "column", "key", "detail"}], "warnings": likewise}. NULL when
 * out of memory. */
json_t *oev_conf_errors_json(const struct oev_conf_errors *errors);

/* Takes over @error, "FILE:LINE:COLUMN: KEY: text" as the parsers write it. */
void oev_conf_errors_add(struct oev_conf_errors *errors, const char *file, const char *error);
