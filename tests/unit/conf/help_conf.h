/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the tests of the configuration documents share.
 */
#pragma once

#include "evidence/conf/oev_conf.h"

/* Either document, parsed. */
union help_parsed {
	struct oev_process process;
	struct oc_policy policy;
};

/* Parses @text (@len octets, copied to a block of just that size so that a sanitizer sees overruns) called
 * "t.yaml" into @out, which is zeroed first. */
int help_parse(enum oev_conf_document document, const char *text, size_t len, union help_parsed *out,
	       char error[static OEV_CONF_ERROR_MAX]);

/* Reads @path below the source folder; fails the test and returns NULL when that fails. free() the result. */
char *help_read(const char *path, size_t *len);
