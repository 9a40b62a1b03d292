/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * OC-Supported-Features: what an answer selected, and what a request should announce.
 */
#pragma once

#include "../oc_types.h"
#include "../wire/oc_msg.h"

/* Whether the message says anything usable about overload control. */
static inline bool oc_caps_usable(const struct oc_caps *caps)
{
	return (caps->has & OC_CAPS_PRESENT) && !(caps->has & OC_CAPS_MALFORMED);
}

/* Algorithm that governs @olr in an answer with @caps (D-023, D-026, D-028, D-029). OC_ALGO_NONE: ignore the
 * report. *@odd is set when the answer broke a rule and was understood all the same. */
enum oc_algo oc_caps_algorithm(const struct oc_caps *caps, const struct oc_olr *olr, bool *odd);

enum oc_caps_wish {
	OC_CAPS_WISH_KEEP = 0,	/* pass on untouched (D-037, D-039) */
	OC_CAPS_WISH_PLAIN = 1, /* loss only, in our words: nothing trusted or readable is there */
	OC_CAPS_WISH_NARROW = 2 /* keep all but the algorithms we could not apply ourselves (D-038) */
};

/* What a request should announce. @trusted: the client's features count. @reacting: the agent may have
 * to apply the reports this request brings back. *@odd as above. */
enum oc_caps_wish oc_caps_wish_for(const struct oc_caps *caps, bool trusted, bool reacting, bool *odd);

/* The vector to announce under OC_CAPS_WISH_NARROW: loss, and everything that is not an algorithm. */
uint64_t oc_caps_narrow(uint64_t vector);
