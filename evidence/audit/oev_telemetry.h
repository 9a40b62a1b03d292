/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Files of imported counters beside the segments: reading them, and making them counters the audit can hold against its own.
 */
#pragma once

#include "oev_effect.h"
#include "oev_query.h"

#define OEV_TELEMETRY_PREFIX "telemetry-"

/* One interval; UINT64_MAX is not known. */
struct oev_telemetry_row {
	uint64_t start_us, span_us;
	uint64_t requests, answers, useful;
	uint64_t by_class[OEV_ANSWER_COUNT];
	uint32_t app_id;
	const char *node;  /* valid during the call */
	const char *realm; /* "" not given */
};

/* Calls @take for each row of the file @path that lies in [@from_us, @until_us), by node, application and time. Returns OC_OK, what @take
 * returned first, OC_EIO, OC_EMALFORMED (not such a file), OC_EVERSION, with *@error. */
int oev_telemetry_each(const char *path, uint64_t from_us, uint64_t until_us,
		       int (*take)(void *ctx, const struct oev_telemetry_row *row), void *ctx, char *error,
		       size_t error_size);
