/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pseudonyms of identities as the agent makes them (oc_keyed.h), under the subkey of the node's key file.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../agent/oc_event.h"
#include "../../agent/wire/oc_keyed.h"
#include "../proof/oev_key.h"

struct oev_pseudonyms {
	struct oc_keyed_key key;
};

/* Takes the subkey of @key. Wipe it with _fini. */
void oev_pseudonyms_init(struct oev_pseudonyms *pseudonyms, const struct oev_key *key);
void oev_pseudonyms_fini(struct oev_pseudonyms *pseudonyms);

/* The number that stands for @text in the evidence; the same for both kinds of identity. */
uint64_t oev_pseudonym(const struct oev_pseudonyms *pseudonyms, enum oc_identity_kind kind, const char *text,
		       size_t len);
