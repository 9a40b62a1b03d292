/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Profiles: what the core reads of a message beside its parties, its session and its priority, as a small number.
 *
 * Most messages say nothing of that kind, and of the others many say the same. A content gets a number when it is met and keeps
 * it while it has its place, one of OC_PROFILES_PLACES by its hash; when it was pushed out and comes again it gets a new one. So
 * a number never changes its meaning, and numbers rise. Not locked: the agent's L1 guards it.
 */
#pragma once

#include "oc_event.h"
#include "wire/oc_msg.h"

#define OC_PROFILES_PLACES 1024u

struct oc_profiles;

/* NULL when out of memory. */
struct oc_profiles *oc_profiles_new(void);
void oc_profiles_free(struct oc_profiles *profiles);

/* Number of what @msg says, with @hints in place of its own; 0 when it says nothing. *@fresh is the content when the number is
 * new, valid until the next call, else NULL. */
uint32_t oc_profiles_number(struct oc_profiles *profiles, const struct oc_msg *msg, uint16_t hints,
			    const struct oc_profile **fresh);

/* The way back: makes @msg say what @profile does. */
void oc_profile_apply(const struct oc_profile *profile, struct oc_msg *msg);
