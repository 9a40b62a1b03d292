/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A capture as evidence: a sink (oev_capture_sink.h) that writes one evidence folder per node, FOLDER/NODE, as that node's recorder would
 * have, but for meta kind, which says "capture", and the facts about where it comes from.
 *
 * Times of rows are those of the capture; times of batches, checkpoints and seals are those of the writing. It is proven like any other evidence, by
 * the key of whoever imports: that vouches for what was made of the capture, not for the capture. No thread of its own.
 */
#pragma once

#include "../proof/oev_key.h"
#include "../store/oev_recorder.h"
#include "oev_capture_sink.h"
#include "oev_contacts.h"

#define OEV_CAPTURE_FOLDERS_MAX 64u /* nodes that are written; more are counted */

struct oev_capture_store;

struct oev_capture_store_conf {
	const char *folder;	   /* absent or empty; made; copied */
	const struct oev_key *key; /* borrowed until the end */
	const char *only;	   /* write this node alone; NULL all; borrowed */
};

/* Refuses a folder that is not empty. On failure *@error is one sentence. OC_OK, OC_EREFUSED, OC_EIO, OC_ENOMEM. */
int oev_capture_store_open(struct oev_capture_store **out, const struct oev_capture_store_conf *conf,
			   char *error, size_t error_size);

/* What the folders say of their origin, copied, and the names numbers mean, borrowed. To be called before the sink is told anything.
 * OC_OK or OC_ENOMEM. */
int oev_capture_store_describe(struct oev_capture_store *store, const struct oc_names *names,
			       const struct oev_fact *facts, size_t fact_count);

/* Borrowed; as long as the store. */
const struct oev_capture_sink *oev_capture_store_sink(const struct oev_capture_store *store);

/* Folders written so far, by index: path, NULL beyond the last. */
const char *oev_capture_store_folder(const struct oev_capture_store *store, uint32_t index);

/* Nodes for which there was no room. */
uint32_t oev_capture_store_left_out(const struct oev_capture_store *store);

/* One sentence about the last failure, "" none. */
const char *oev_capture_store_error(const struct oev_capture_store *store);

/* Closes what is open, ended or not, and frees. NULL is fine. */
void oev_capture_store_free(struct oev_capture_store *store);
