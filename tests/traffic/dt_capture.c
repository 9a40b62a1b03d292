/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads a packet capture.
 */
#include "dt_capture.h"
#include <stdio.h>
int dt_capture_load(struct dt_capture *capture, const char *path, char *why, size_t why_size)
{
	(void)capture;
	(void)path;
	snprintf(why, why_size, "not yet");
	return OC_EIO;
}
void dt_capture_fini(struct dt_capture *capture)
{
	(void)capture;
}
