/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Record of traffic for comparison: one JSON line per message that is not base protocol.
 *
 * {"dir":"tx","t_us":N,"request":true,"cmd":272,"app":16777238,"hbh":N,"e2e":N,"malformed":false,"origin":"...",
 *  "result":N,"drmp":N,"sf":{...},"olr":[{...}],"load":[{...}],"hash":"16 hex","kept":"hex","hex":"hex"}
 * "kept" is every top-level AVP except Route-Record, OC-Supported-Features, OC-OLR and a PEER Load, in order, padding
 * octets as zero; "hash" is FNV-1a 64 of it. Equal "kept" at both ends means that nothing was altered on the way.
 */
#pragma once

#include <stdio.h>

#include "dt_scan.h"

/* Appends the kept AVPs of @msg to @out. OC_OK, OC_EMALFORMED, OC_ENOSPC. */
int dt_record_kept(const uint8_t *msg, size_t len, struct dt_out *out);
uint64_t dt_record_hash(const uint8_t *data, size_t len);
/* Its members from "origin" to "load", each followed by a comma; what is absent is left out. */
void dt_record_doic(FILE *file, const struct dt_scan *scan);
void dt_record_msg(FILE *file, bool sent, const uint8_t *msg, size_t len);
