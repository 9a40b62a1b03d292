/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Pseudonyms of identities as the agent makes them: its own function, under the subkey of the node's key file.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../agent/wire/oc_keyed.h"
#include "../proof/oev_key.h"

/* The key of pseudonyms, out of @key; wipe it with oev_pseudonym_forget(). */
struct oc_keyed_key oev_pseudonym_key(const struct oev_key *key);
void oev_pseudonym_forget(struct oc_keyed_key *key);

/* The number that stands for @text, of a session or a subscriber alike. */
uint64_t oev_pseudonym(const struct oc_keyed_key *key, const char *text, size_t len);
