/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How the lists are described. Private to the folder.
 */
#pragma once

#include "oev_shelf_list.h"

struct oev_shelf_list_shape {
	const char *text;
	const char *of;	    /* table */
	const char *sql[3]; /* newest first, oldest first, the last carried row */
	const struct oev_shelf_column *columns;
	size_t count;
};
const struct oev_shelf_list_shape *oev_shelf_list_shape(enum oev_shelf_list list);
