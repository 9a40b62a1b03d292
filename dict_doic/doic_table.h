/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The dictionary as data: one row per AVP, children before the groups that hold them.
 *
 * Plain C without freeDiameter, so that tests and other programs can read it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum doic_type {
	DOIC_TYPE_UNSIGNED32 = 0,
	DOIC_TYPE_UNSIGNED64,
	DOIC_TYPE_ENUMERATED,
	DOIC_TYPE_IDENTITY, /* DiameterIdentity */
	DOIC_TYPE_GROUPED,
	DOIC_TYPE_COUNT
};

/* One named value of an Enumerated AVP. */
struct doic_value {
	const char *name;
	int32_t value;
};

/* One AVP a group may hold; any other AVP may stand beside them. */
struct doic_rule {
	uint32_t vendor;
	uint32_t code;
	bool required;
	bool repeats; /* any number of them, else at most one */
};

struct doic_row {
	uint32_t vendor;
	uint32_t code;
	enum doic_type type;
	const char *name;
	const struct doic_value *values; /* Enumerated only */
	size_t value_count;
	const struct doic_rule *rules; /* Grouped only */
	size_t rule_count;
};

/* Every row; *@count gets the number. Constant, any thread. */
const struct doic_row *doic_table(size_t *count);
