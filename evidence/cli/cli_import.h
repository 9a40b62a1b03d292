/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The import as text and as JSON. Private to the verb import.
 */
#pragma once

#include "../capture/oev_capture.h"
#include "../capture/oev_capture_store.h"
#include "cli.h"

enum cli_import_outcome {
	CLI_IMPORTED = 0,
	CLI_IMPORTED_PART = 1, /* some Diameter could not be decoded */
	CLI_IMPORT_USAGE = 2,
	CLI_IMPORT_NOTHING = 3, /* no Diameter that can be read, but some that cannot */
	CLI_IMPORT_UNUSABLE = 4,
	CLI_IMPORT_INTERRUPTED = 5,
	CLI_IMPORT_BUG = 6
};

struct cli_import_view {
	FILE *out;
	const char *const *files;
	size_t file_count;
	const struct oev_capture_store *store; /* evidence written, NULL none */
	enum cli_import_outcome outcome;
	const char *error; /* NULL none */
	double took_s;
	bool color, quiet, verbose;
};

int cli_import_exit(enum cli_import_outcome outcome);
const char *cli_import_word(enum cli_import_outcome outcome); /* "imported_in_part" */

void cli_import_print(const struct oev_capture *capture, const struct cli_import_view *view);

/* One object "doic.import/1" and a newline. OC_OK, OC_ENOMEM, OC_EIO. */
int cli_import_json(const struct oev_capture *capture, const struct cli_import_view *view);
