/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Opening a segment's database without ever writing to its folder. Private to oev_query.
 */
#pragma once

#include "oev_query.h"

/* Opens @path for reading and begins the transaction. Returns OC_OK, OC_EIO, OC_EMALFORMED, OC_ENOMEM. */
int oev_query_open(const char *path, sqlite3 **db, char *error, size_t error_size);

/* oev_query_policy.c: what the policies of @segment say; of several what allows most. */
void oev_query_policies(struct oev_segment *segment);
