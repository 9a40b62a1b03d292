/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One scan with a name table of its own and everything it left, for tests.
 */
#pragma once

#include "agent/wire/oc_names.h"
#include "help_wire.h"

extern const struct oc_keyed_key help_key;

struct help_scan {
	struct oc_names *names;
	struct oc_msg_found found;
	struct oc_msg msg;
	int err;
};

/* Scans @wire into *@got; oc_names_free(got->names) afterwards. */
void help_scan(struct help_scan *got, const struct help_wire *wire);

/* Text of a name number of that scan. */
const char *help_scan_text(const struct help_scan *got, uint32_t id);
