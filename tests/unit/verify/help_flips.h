/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Every bit of a small sealed segment turned over, one at a time: does the verification find it, by the seal
 * and without it?
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct help_flips {
	uint32_t every_row_bit; /* given: of the bits in cells of tables, one of so many */
	uint32_t every;		/* given: of the others */
	uint32_t every_digest;	/* given: against the seal, one of so many of all */
	const char *behind;	/* given, or NULL: only bits in the octets before this text, each of them */
	size_t before;		/* how many octets */
	size_t file_octets;
	size_t cell_octets;
	uint64_t digest_bits, digest_missed; /* against the seal: all of them */
	uint64_t cell_bits, other_bits;	     /* without the seal */
	uint64_t missed;		     /* a reader sees something else, and no finding says so */
	uint64_t no_change; /* no finding, but a reader sees the same: what no row has, forms of one value */
	uint64_t cell_no_change; /* of these in rows */
};

/* Fills the rest of @flips. 0, or 1 when it could not be done. */
int help_flips_run(struct help_flips *flips);
