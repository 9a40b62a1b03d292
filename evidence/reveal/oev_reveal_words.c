/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words and exit codes of a revelation.
 */
#include "oev_reveal.h"

static const struct {
	const char *text, *title;
	int code;
} outcomes[OEV_REVEAL_OUTCOME_COUNT] = {
	[OEV_REVEAL_FOUND] = { "found", "FOUND", 0 },
	[OEV_REVEAL_NOT_FOUND] = { "not_found", "NOT FOUND", 1 },
	[OEV_REVEAL_CANNOT_TELL] = { "cannot_tell", "CANNOT TELL", 3 },
	[OEV_REVEAL_UNUSABLE] = { "unusable", "UNUSABLE", 4 },
	[OEV_REVEAL_USAGE] = { "usage", "USAGE", 2 },
	[OEV_REVEAL_INTERRUPTED] = { "interrupted", "INTERRUPTED", 130 },
	[OEV_REVEAL_BUG] = { "bug", "BUG", 70 },
};

int oev_reveal_exit(enum oev_reveal_outcome outcome)
{
	return outcomes[outcome].code;
}

const char *oev_reveal_text(enum oev_reveal_outcome outcome)
{
	return outcomes[outcome].text;
}

const char *oev_reveal_title(enum oev_reveal_outcome outcome)
{
	return outcomes[outcome].title;
}
