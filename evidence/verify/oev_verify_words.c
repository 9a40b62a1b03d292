/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Words for what the verification finds, and what each outcome means for a script.
 */
#include "oev_verify.h"

#include <string.h>

#include "../oev_time.h"

/* Exit codes of the command line (evidence/cli/cli.h). */
enum {
	EXIT_INTACT = 0,
	EXIT_NO = 1,
	EXIT_USAGE = 2,
	EXIT_UNSURE = 3,
	EXIT_INPUT = 4,
	EXIT_BUG = 70,
	EXIT_SIGNAL = 130
};

static const struct {
	const char *text;
	const char *title;
	int exit;
} outcomes[] = {
	[OEV_VERIFY_INTACT] = { "intact", "INTACT", EXIT_INTACT },
	[OEV_VERIFY_UNWITNESSED] = { "unwitnessed", "CANNOT TELL", EXIT_UNSURE },
	[OEV_VERIFY_UNSEALED] = { "unsealed", "UNSEALED", EXIT_UNSURE },
	[OEV_VERIFY_LEFTOVER] = { "leftover", "LEFTOVER", EXIT_NO },
	[OEV_VERIFY_GAP] = { "gap", "GAP", EXIT_NO },
	[OEV_VERIFY_CUT] = { "cut", "CUT", EXIT_NO },
	[OEV_VERIFY_MIXED] = { "mixed", "MIXED", EXIT_NO },
	[OEV_VERIFY_FOREIGN_KEY] = { "foreign_key", "FOREIGN KEY", EXIT_NO },
	[OEV_VERIFY_ALTERED] = { "altered", "ALTERED", EXIT_NO },
	[OEV_VERIFY_NOT_EVIDENCE] = { "not_evidence", "NOT EVIDENCE", EXIT_INPUT },
	[OEV_VERIFY_NEWER_FORMAT] = { "newer_format", "NEWER FORMAT", EXIT_INPUT },
	[OEV_VERIFY_UNREADABLE] = { "unreadable", "UNREADABLE", EXIT_INPUT },
	[OEV_VERIFY_NOT_FOUND] = { "not_found", "NOT FOUND", EXIT_INPUT },
	[OEV_VERIFY_USAGE] = { "usage", "USAGE", EXIT_USAGE },
	[OEV_VERIFY_INTERRUPTED] = { "interrupted", "INTERRUPTED", EXIT_SIGNAL },
	[OEV_VERIFY_BUG] = { "bug", "BUG", EXIT_BUG },
};
_Static_assert(sizeof(outcomes) / sizeof(outcomes[0]) == OEV_VERIFY_OUTCOME_COUNT, "one line per outcome");

static const char *const kinds[] = {
	[OEV_KIND_ROW] = "row",
	[OEV_KIND_SWAPPED] = "swapped",
	[OEV_KIND_INSERTED] = "inserted",
	[OEV_KIND_MISSING] = "missing",
	[OEV_KIND_TWICE] = "twice",
	[OEV_KIND_BATCH] = "batch",
	[OEV_KIND_LOG] = "log",
	[OEV_KIND_SIGNATURE] = "signature",
	[OEV_KIND_KEY] = "key",
	[OEV_KIND_SEAL] = "seal",
	[OEV_KIND_OUTSIDE_ROWS] = "outside_rows",
	[OEV_KIND_PAGE] = "page",
	[OEV_KIND_SCHEMA] = "schema",
	[OEV_KIND_SIZE] = "size",
	[OEV_KIND_LEFTOVER] = "leftover",
	[OEV_KIND_HOLE] = "hole",
	[OEV_KIND_END] = "end",
	[OEV_KIND_NODE] = "node",
	[OEV_KIND_PLACE] = "place",
	[OEV_KIND_CHECKPOINT] = "checkpoint",
	[OEV_KIND_WITNESS] = "witness",
	[OEV_KIND_POLICY] = "policy",
	[OEV_KIND_INDEX] = "index",
	[OEV_KIND_FORMAT] = "format",
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == OEV_KIND_COUNT, "one word per kind");

static const char *const trusts[] = { "none", "folder", "outside", "given" };
static const char *const witnesses[] = { "none", "beside", "remembered", "given" };
static const char *const states[] = { "sealed", "open", "unsealed" };

int oev_verify_exit(enum oev_verify_outcome outcome)
{
	return outcomes[outcome].exit;
}

const char *oev_verify_outcome_text(enum oev_verify_outcome outcome)
{
	return outcomes[outcome].text;
}

const char *oev_verify_outcome_title(enum oev_verify_outcome outcome)
{
	return outcomes[outcome].title;
}

const char *oev_verify_kind_text(enum oev_verify_kind kind)
{
	return kinds[kind];
}

const char *oev_verify_trust_text(enum oev_verify_trust trust)
{
	return trusts[trust];
}

const char *oev_verify_witness_text(enum oev_verify_witness witness)
{
	return witnesses[witness];
}

const char *oev_verify_state_text(enum oev_verify_state state)
{
	return states[state];
}

void oev_verify_line(const struct oev_verify_result *result, char *buf, size_t size)
{
	char signed_at[OEV_TIME_TEXT_MAX] = "", witness_at[OEV_TIME_TEXT_MAX] = "";

	if (result->outcome > OEV_VERIFY_ALTERED) {
		snprintf(buf, size, "%s: %s", oev_verify_outcome_text(result->outcome), result->error);
		return;
	}
	if (result->outcome > OEV_VERIFY_UNWITNESSED && result->finding_count > 0) {
		const struct oev_verify_finding *first = oev_verify_first(result);
		bool is_named = first->segment[0] == '\0' || strstr(first->what, first->segment) != NULL;
		snprintf(buf, size, "%s: %s%s%s", oev_verify_outcome_text(result->outcome),
			 is_named ? "" : first->segment, is_named ? "" : ": ", first->what);
		return;
	}
	oev_time_text(result->signed_us, signed_at);
	oev_time_text(result->witness_us, witness_at);
	snprintf(buf, size, "intact, %s%s, %s%s%s", result->signed_us != 0 ? "signed " : "not signed yet",
		 result->signed_us != 0 ? signed_at : "",
		 result->witness != OEV_WITNESS_NONE ? "outside checkpoint " : "no outside checkpoint",
		 result->witness != OEV_WITNESS_NONE ? witness_at : "",
		 result->trust == OEV_TRUST_FOLDER ? ", nobody outside vouches for the key"
		 : result->is_key_of_folder	   ? ", the key given is the folder's own"
						   : "");
}
