/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A consistency bundle: two checkpoints of one node, and the proof that the log only grew between them.
 */
#pragma once

#include "oev_bundle.h"

struct oev_growth {
	const char *older; /* notes */
	size_t older_len;
	const char *newer;
	size_t newer_len;
	struct oev_path proof;	/* oev_merkle_growth() */
	const char *public_key; /* text of public-key.txt */
	size_t public_key_len;
};

/* The JSON text, to be freed with free(); NULL: no memory, or a text is not UTF-8. */
char *oev_growth_text(const struct oev_growth *growth);

/* True when it holds; *@out in any case. Of @trust only the signer counts. */
bool oev_growth_check(const char *text, size_t len, const struct oev_trust *trust, struct oev_verdict *out);
