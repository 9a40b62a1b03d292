/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Requests and answers that every claim sees alike, counted together: claims are many, and so are requests, but few requests differ
 * in what claims look at.
 *
 * Time counts as the stretch between two edges: no phase of any claim and no point of any series begins inside one. Room is of fixed
 * size; when it is used up the caller takes what is there, and goes on.
 */
#pragma once

#include "oev_read.h"

#define OEV_STRANDS 4096u

/* All that effects, series and origins ask of a row or its answer. Compared octet for octet: no padding. */
struct oev_strand_key {
	uint64_t step;				  /* wall time in steps of the series */
	uint32_t wall_edge, mono_edge, told_edge; /* of the request; of the answer's arrival */
	uint32_t app_id, origin_host, dest_host, dest_realm, first_choice, next_hop;
	uint32_t version[OC_SCOPE_COUNT - 1];
	uint32_t answered_by, from_peer; /* of a relayed answer */
	uint16_t flags;
	uint8_t verdict, why, selected_by;
	uint8_t retried;
	uint8_t is_answer, has_result, relayed, class, useful;
	uint8_t passes, of_realm; /* of an answer: oev_answer.passes, oev_answer_of_realm() */
	uint8_t none[3];
};
_Static_assert(sizeof(struct oev_strand_key) == 80, "no padding");

struct oev_strand {
	uint64_t count;
	struct oev_row row; /* one of them */
	struct oev_answer answer;
	unsigned retried;
	bool is_answer;
};

struct oev_strands {
	struct oev_strand_key *keys;
	struct oev_strand *all; /* in the order in which they came first */
	uint16_t *places;	/* hash table of 1 + index, twice as many */
	uint32_t count;
};

/* Times at which something begins or ends, sorted; the stretch found last. */
struct oev_edges {
	uint64_t *at;
	size_t count, room;
	uint64_t from, until; /* no edge lies between */
	uint32_t stretch;
};

/* Returns OC_OK, OC_ENOMEM. Free with _fini, also then. */
int oev_strands_init(struct oev_strands *strands);
void oev_strands_fini(struct oev_strands *strands);

/* The strand of @key, its count raised by one; *@is_new: the caller fills in the rest. NULL when there is no room. */
struct oev_strand *oev_strands_count(struct oev_strands *strands, const struct oev_strand_key *key,
				     bool *is_new);
/* Forgets all. */
void oev_strands_clear(struct oev_strands *strands);

/* Edges in any order, then sort once; after that oev_edges_stretch(). Returns OC_OK, OC_ENOMEM. */
int oev_edges_add(struct oev_edges *edges, uint64_t at);
void oev_edges_sort(struct oev_edges *edges);
void oev_edges_fini(struct oev_edges *edges);
void oev_edges_find(struct oev_edges *edges, uint64_t at);

/* Number of the stretch that @at lies in: an edge begins one. */
static inline uint32_t oev_edges_stretch(struct oev_edges *edges, uint64_t at)
{
	if (at < edges->from || at >= edges->until)
		oev_edges_find(edges, at);
	return edges->stretch;
}
