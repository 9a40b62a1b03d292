/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counters from outside: what somebody else counted of a node's traffic, interval by interval (docs/counters.md).
 *
 * Files are read strictly: one wrong value refuses the file, and the error names line and column. Then intervals are worked out and
 * compared with each other and with what the folder has; what is left is written to a file of its own beside the segments, which
 * nothing alters afterwards.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oev_effect.h"
#include "oev_samples_mistakes.h"

#define OEV_SAMPLES_MAX 4000000u /* of one import */
#define OEV_SAMPLE_NODE_MAX 128u
#define OEV_SAMPLE_SPAN_MAX_US 86400000000ull /* of one row */
#define OEV_TELEMETRY_SCHEMA "doic.telemetry/1"

/* What is not given is UINT64_MAX. */
#define OEV_SAMPLE_UNKNOWN UINT64_MAX

struct oev_sample {
	uint64_t start_us;
	uint64_t span_us; /* 0: not worked out yet */
	uint32_t node;	  /* number in oev_samples.names */
	uint32_t realm;	  /* likewise; 0 not given */
	uint32_t app_id;
	uint32_t source; /* place among the sources */
	uint32_t line;
	uint64_t requests;
	uint64_t answers; /* of all classes */
	uint64_t by_class[OEV_ANSWER_COUNT];
	uint64_t useful;
};

enum oev_time_unit { OEV_UNIT_NONE, OEV_UNIT_TEXT, OEV_UNIT_S, OEV_UNIT_MS, OEV_UNIT_US, OEV_UNIT_COUNT };

/* One file that was read. */
struct oev_sample_source {
	char *path;
	char sha256[65];
	uint64_t octets;
	uint64_t rows;
	uint64_t duplicates;	 /* of these, said before in the same words */
	enum oev_time_unit unit; /* of its times */
	bool is_json;
};

struct oev_samples { /* zeroed: empty */
	struct oev_sample *items;
	size_t count;
	struct oev_sample_source *sources;
	size_t source_count;
	char **names; /* lower case; number - 1 */
	size_t name_count;
	uint32_t *name_slots; /* numbers of names by their hashes */
	size_t name_room;     /* of these, a power of two */
	uint64_t known;	      /* rows that the folder had already */
	uint64_t derived_us;  /* span of rows that do not give it, 0: from their times */
	struct oev_sample_mistakes
		*mistakes; /* the caller's, for all that is wrong; NULL: the first ends it */
	char error[512];   /* "FILE:LINE:COLUMN: what" */
	char stored[4200]; /* path of the file that was written; "" when nothing was new */
};

/* Reads @path, CSV or JSON by its first character. Returns OC_OK; OC_EIO, OC_EMALFORMED, OC_ENOSPC (too many rows), OC_ENOMEM with
 * samples->error. */
int oev_samples_read(struct oev_samples *samples, const char *path);

/* The same of @text, @length octets and a NUL, that somebody calls @name. */
int oev_samples_read_text(struct oev_samples *samples, const char *name, const char *text, size_t length);

/* After all files: spans, duplicates, contradictions, overlaps. Sorts by node, application, time. The same errors. */
int oev_samples_check(struct oev_samples *samples);

/* Drops what earlier imports into @folder hold in the same words; OC_EREFUSED when they say otherwise. */
int oev_samples_compare(struct oev_samples *samples, const char *folder);

/* Writes what is left to a new sealed file in @folder, and its path to samples->stored. @tool and @by say who did it. */
int oev_samples_store(struct oev_samples *samples, const char *folder, const char *tool, const char *by,
		      uint64_t now_us);

void oev_samples_fini(struct oev_samples *samples);

/* Number of the name @lower, 0 not known; and the same, added when it is not: 0 out of memory. */
uint32_t oev_samples_name(const struct oev_samples *samples, const char *lower);
uint32_t oev_samples_name_add(struct oev_samples *samples, const char *lower);

const char *oev_time_unit_text(enum oev_time_unit unit); /* "seconds since 1970" */

/* Shared by the readers. A column or key by its name; OEV_FIELD_COUNT unknown. */
enum oev_field {
	OEV_FIELD_TIME,
	OEV_FIELD_NODE,
	OEV_FIELD_REALM,
	OEV_FIELD_APP,
	OEV_FIELD_SPAN,
	OEV_FIELD_REQUESTS,
	OEV_FIELD_ANSWERS,
	OEV_FIELD_CLASS, /* plus enum oev_class_of_answer */
	OEV_FIELD_USEFUL = OEV_FIELD_CLASS + OEV_ANSWER_COUNT,
	OEV_FIELD_COUNT
};
enum oev_field oev_field_of(const char *name);
const char *oev_field_text(enum oev_field field);

/* Puts the text of one value into @sample. False and @why (of @size octets) when it is none. */
bool oev_sample_set(struct oev_samples *samples, struct oev_sample *sample, enum oev_field field,
		    const char *text, char *why, size_t size);
/* The empty sample, before its values come. */
struct oev_sample oev_sample_none(void);
/* Checks that nothing needed is missing, and adds it. Returns OC_OK, OC_EMALFORMED with @why, OC_ENOSPC, OC_ENOMEM. */
int oev_sample_add(struct oev_samples *samples, const struct oev_sample *sample, char *why, size_t size);

/* The two formats. @text is NUL-terminated, @size octets long; NULs inside are refused by the caller. */
int oev_samples_csv(struct oev_samples *samples, const char *path, const char *text, size_t size);
int oev_samples_json(struct oev_samples *samples, const char *path, const char *text, size_t size);
