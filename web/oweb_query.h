/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The target of a request taken apart: a clean path, and the parameters a route knows, checked against what it says of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWEB_TARGET_MAX 4096u /* octets of path and query together, as sent */
#define OWEB_PARAMS_MAX 24u

enum oweb_kind {
	OWEB_TEXT = 0,	 /* any text, at most max octets when max is set */
	OWEB_NUMBER = 1, /* decimal, min to max */
	OWEB_TIME = 2,	 /* as people write them (oev_time.h); comes as microseconds */
	OWEB_FLAG = 3,	 /* "", "true", "1"; "false", "0" */
	OWEB_WORD = 4,	 /* one of words */
	OWEB_KIND_COUNT
};

/* One parameter a route knows. A list of them ends with name NULL. */
struct oweb_param {
	const char *name;
	enum oweb_kind kind;
	uint64_t min, max;
	const char *words; /* "newest|oldest" */
};

/* Unknown, twice, or not as the route says: which one and why, in a sentence. */
struct oweb_query_error {
	bool is_unknown;
	char parameter[64];
	char detail[200];
	char nearest[64]; /* a known one that was perhaps meant; "" none */
};

struct oweb_query {
	uint32_t count;
	struct {
		const struct oweb_param *param;
		const char *text;
		uint64_t number; /* of a number, time or flag */
	} item[OWEB_PARAMS_MAX];
	char text[OWEB_TARGET_MAX];
};

/* Decodes @len octets of the path part of a target: begins with "/", no empty, "." or ".." segment, no NUL, control, backslash, and no
 * encoded slash. @out: OWEB_TARGET_MAX octets. OC_OK or OC_EMALFORMED. */
int oweb_path_clean(const char *raw, size_t len, char *out);

/* Reads what follows the "?" (NULL: nothing). Texts are UTF-8 without control characters. @now_us: for relative times. OC_OK or OC_EINVAL,
 * with *@error. */
int oweb_query_read(struct oweb_query *query, const char *raw, const struct oweb_param *params,
		    uint64_t now_us, struct oweb_query_error *error);

/* NULL: not given. */
const char *oweb_query_text(const struct oweb_query *query, const char *name);
uint64_t oweb_query_number(const struct oweb_query *query, const char *name, uint64_t otherwise);

bool oweb_is_utf8(const char *text, size_t len);
