/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The two halves of dict_check.fdx that encode and parse.
 */
#pragma once

#include <stdio.h>

/* Writes "TVn encodes|parses" or "TVn FAILED ..." for each byte vector. Caller keeps @out. */
void dict_check_vectors(FILE *out);

/* Writes which OC-OLR groups the daemon's rules accept. Caller keeps @out. */
void dict_check_rules(FILE *out);

/* Writes whether a report with 3GPP's reductions for rating groups parses to its last child. Caller keeps @out. */
void dict_check_specific(FILE *out);
