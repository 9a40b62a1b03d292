/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Scripted overload reports: when an answer to whom carries which OC-OLR.
 *
 * One report is a line of key=value pairs separated by commas or blanks:
 *   at=2s for=10s type=host|realm|peer|N|none seq=N|none pct=N validity=N rate=N[/origin|/split] source=ID|none
 *   app=NAME|N origin=NAME order=swapped specific=rg:10,20;type:1;pct:80 extra=HEX
 * A key left out means that the AVP is absent, except: at=0, for=ever, type=host, seq=1 + number of earlier reports, and
 * the source of a PEER report, which is then the reporting node. Nothing is judged, so that invalid reports can be sent
 * on purpose; but a report that has only a rate goes to those for whom rate was selected, one that has only a
 * percentage to those for whom loss was, and a PEER report to those who asked for peer reports (RFC 7683 section 5.2.3).
 */
#pragma once

#include "dt_base.h"
#include "dt_doic.h"

#define DT_REPORTS_MAX 64u

/* How the rate of a report becomes the rate of one Origin-Host (RFC 8582 section 6.1). */
enum dt_share {
	DT_SHARE_NONE = 0, /* the same OC-OLR for all */
	DT_SHARE_EACH, /* each has the whole rate and its own sequence number: seq + its place in order of arrival */
	DT_SHARE_SPLIT /* each has an equal part; the sequence number rises with every newcomer */
};

struct dt_report {
	uint64_t at_ns; /* since the origin of the script */
	uint64_t for_ns;
	uint64_t sequence;
	uint32_t type;
	uint32_t reduction_pct;
	uint32_t validity_s;
	uint32_t rate_rps;
	uint32_t app_id; /* 0: every application */
	enum dt_share share;
	bool has_sequence;
	bool has_type;
	bool has_reduction;
	bool has_validity;
	bool has_rate;
	bool has_source; /* told; an empty one is left out */
	bool swapped;	 /* OC-Report-Type before OC-Sequence-Number */
	char source[DT_NAME_MAX];
	char origin[DT_NAME_MAX]; /* only for requests of this Origin-Host; empty: for all */
	uint8_t extra[512];	  /* appended inside the group */
	size_t extra_len;
};

struct dt_reports {
	struct dt_report entry[DT_REPORTS_MAX];
	uint32_t count;
};

/* Whose request is answered, and what may be told. */
struct dt_report_to {
	uint64_t since_ns; /* since the origin of the script */
	uint32_t app_id;
	const char *host;	 /* the reporting node's SourceID; NULL: none */
	const char *origin;	 /* Origin-Host of the request */
	uint32_t origin_index;	 /* of it, in order of arrival */
	uint32_t origin_count;	 /* Origin-Hosts seen so far */
	uint64_t algorithm;	 /* selected for HOST and REALM reports; several bits: any */
	uint64_t peer_algorithm; /* selected for PEER reports; 0: the request did not ask for them */
	bool is_everything;	 /* whatever was asked for (negative tests) */
};

/* Parses one line (with or without the leading word "report"). @number: default sequence number.
 * OC_OK or OC_EINVAL with *@why set to a constant text. */
int dt_report_parse(const char *line, uint64_t number, struct dt_report *report, const char **why);
/* "rg:10,20;type:1;pct:80" as one 3GPP-OC-Specific-Reduction (TS 32.299 annex B.2) to @out; OC_OK or OC_EINVAL. */
int dt_report_specific(const char *text, struct dt_out *out);
/* OC_OK or OC_ENOSPC. */
int dt_reports_add(struct dt_reports *reports, const struct dt_report *report);
/* Like dt_reports_add, but first removes the reports of the same type, application, source, origin and algorithm. */
int dt_reports_replace(struct dt_reports *reports, const struct dt_report *report);
/* One report per line, '#' begins a comment. OC_OK, OC_EIO, OC_EINVAL (*@why, *@line_number), OC_ENOSPC. */
int dt_reports_load(struct dt_reports *reports, const char *path, const char **why, unsigned *line_number);

/* The algorithm the script means for those who can do @usable (a set of enum dt_feature bits): rate, if they can and a
 * report in force has one, or, without a report in force, if any has; otherwise loss. @for_peer: for PEER reports. */
uint64_t dt_reports_select(const struct dt_reports *reports, const struct dt_report_to *to, uint64_t usable,
			   bool for_peer);
/* Whether any report has a rate. */
bool dt_reports_have_rate(const struct dt_reports *reports);
/* Appends every OC-OLR in force that is for @to. */
void dt_reports_put(const struct dt_reports *reports, const struct dt_report_to *to, struct dt_out *out);
