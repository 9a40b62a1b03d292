/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The scan with everything around it.
 */
#include "help_wire_scan.h"

#include <string.h>

const struct oc_keyed_key help_key = { { 0x5e, 0xed } };

void help_scan(struct help_scan *got, const struct help_wire *wire)
{
	memset(got, 0, sizeof(*got));
	got->names = oc_names_new(64, 11);
	got->err = oc_msg_scan(help_wire_bytes(wire), got->names, &help_key, &got->msg, &got->found);
}

const char *help_scan_text(const struct help_scan *got, uint32_t id)
{
	return oc_names_text(got->names, id);
}
