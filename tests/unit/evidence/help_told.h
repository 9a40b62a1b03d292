/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SQL for a told story (help_segment_tell) in which c1 reacts by itself.
 */
#pragma once

/* What c1 sends to s1, 500 requests/s, is drawn nowhere, and s1 answers all of it; ending 50 is such an answer with the report in it, which
 * c1 gets. */
#define HELP_LEFT_TO_CLIENT                                                                                  \
	"UPDATE wide SET flags = 1, host_version = NULL, host_share = NULL, host_nth = NULL, verdict = 0,"   \
	" why = 0, selected_by = 0, next_hop = dest_host, result_code = NULL WHERE dest_host = 3;"           \
	"UPDATE outcome SET ending = 1 WHERE decision % 2 = 1;"                                              \
	"INSERT INTO profile VALUES (1, 2048, 0, NULL, NULL, NULL, 15, NULL, NULL);"                         \
	"INSERT INTO ending SELECT 50, result_code, maker, answered_by, answered_realm, from_peer, "         \
	"attempts, 1"                                                                                        \
	" FROM ending WHERE id = 1;"

/* The report and its state are about the realm. */
#define HELP_OF_REALM                                                                                        \
	"UPDATE report SET type = 1, subject = 6, raw = x'0000026f0000003c"                                  \
	"00000270000000100000000000000005000002720000000c00000001000002730000000c0000001e"                   \
	"000002710000000c0000000a'; UPDATE ocs_version SET type = 'realm', subject = 6;"                     \
	"UPDATE wide SET flags = 1;"
