/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Scripted overload reports: when an answer carries which OC-OLR.
 *
 * One report is a line of key=value pairs separated by commas or blanks:
 *   at=2s for=10s type=host|realm|peer|N|none seq=N|none pct=N validity=N rate=N source=ID app=NAME|N order=swapped extra=HEX
 * A key left out means that the AVP is absent, except: at=0, for=ever, type=host, seq=1 + number of earlier reports.
 * Nothing is judged, so that invalid reports can be sent on purpose.
 */
#pragma once

#include "dt_base.h"

#define DT_REPORTS_MAX 64u
#define DT_REPORT_OCTETS_MAX 1024u

struct dt_report {
	uint64_t at_ns; /* since the origin of the script */
	uint64_t for_ns;
	uint64_t sequence;
	uint32_t type;
	uint32_t reduction_pct;
	uint32_t validity_s;
	uint32_t rate_rps;
	uint32_t app_id; /* 0: every application */
	bool has_sequence;
	bool has_type;
	bool has_reduction;
	bool has_validity;
	bool has_rate;
	bool swapped; /* OC-Report-Type before OC-Sequence-Number */
	char source[DT_NAME_MAX];
	uint8_t extra[256]; /* appended inside the group */
	size_t extra_len;
	uint8_t octets[DT_REPORT_OCTETS_MAX]; /* the whole OC-OLR */
	size_t octets_len;
};

struct dt_reports {
	struct dt_report entry[DT_REPORTS_MAX];
	uint32_t count;
};

/* Parses one line (with or without the leading word "report") and encodes it. @number: default sequence number.
 * OC_OK or OC_EINVAL with *@why set to a constant text. */
int dt_report_parse(const char *line, uint64_t number, struct dt_report *report, const char **why);
/* OC_OK or OC_ENOSPC. */
int dt_reports_add(struct dt_reports *reports, const struct dt_report *report);
/* Like dt_reports_add, but first removes the reports of the same type, application and source. */
int dt_reports_replace(struct dt_reports *reports, const struct dt_report *report);
/* One report per line, '#' begins a comment. OC_OK, OC_EIO, OC_EINVAL (*@why, *@line_number), OC_ENOSPC. */
int dt_reports_load(struct dt_reports *reports, const char *path, const char **why, unsigned *line_number);
/* Appends every OC-OLR in force at @since_ns for @app_id to @out. */
void dt_reports_put(const struct dt_reports *reports, uint64_t since_ns, uint32_t app_id, struct dt_out *out);
