/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A fixed table of names seen (Origin-Hosts), each with its own counts.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "dt_base.h"

#define DT_NAMES_MAX 1024u
#define DT_TALLY_MAX 32u

/* Counts per result code; codes beyond the table go to "other". */
struct dt_tally {
	uint32_t code[DT_TALLY_MAX];
	uint64_t count[DT_TALLY_MAX];
	uint64_t other;
};

void dt_tally_add(struct dt_tally *tally, uint32_t code);
uint64_t dt_tally_get(const struct dt_tally *tally, uint32_t code);

struct dt_name {
	char text[DT_NAME_MAX];
	uint32_t len;
	uint64_t requests;
	uint64_t answers;
	struct dt_tally by_result;
	uint32_t *per_second; /* requests; heap, grown as needed */
	uint32_t seconds;     /* of them in use */
	uint32_t seconds_room;
};

/* All-zero is empty. When full, or for a name too long, the entry "(other)" is used. */
struct dt_names {
	struct dt_name entry[DT_NAMES_MAX];
	uint16_t slot[DT_NAMES_MAX * 2]; /* entry number + 1 */
	uint32_t count;
};

struct dt_name *dt_names_get(struct dt_names *names, const uint8_t *text, size_t len);
/* Counts one request in second @second of the run; when memory is short it is not counted. */
void dt_name_count_second(struct dt_name *name, uint32_t second);
void dt_names_fini(struct dt_names *names);
