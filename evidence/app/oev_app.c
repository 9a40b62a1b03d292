/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of application names.
 */
#include "oev_app.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_types.h"

static const struct {
	uint32_t app_id;
	const char *word;
} apps[] = {
	{ OC_APP_GX, "Gx" },   { OC_APP_RX, "Rx" }, { OC_APP_GY, "Gy" },
	{ OC_APP_S6A, "S6a" }, { OC_APP_CX, "Cx" }, { OC_APP_SWX, "SWx" },
	{ OC_APP_GXX, "Gxx" }, { OC_APP_S9, "S9" }, { OC_APP_ANY, "all" },
};

_Static_assert(sizeof(apps) / sizeof(apps[0]) == OEV_APP_PLACES,
	       "the row \"all\" stands last, where others are counted");

unsigned oev_app_place(uint32_t app_id)
{
	unsigned place = 0;

	while (place + 1 < OEV_APP_PLACES && apps[place].app_id != app_id)
		place++;
	return place;
}

const char *oev_app_place_text(unsigned place)
{
	return place + 1 < OEV_APP_PLACES ? apps[place].word : "other";
}

const char *oev_app_text(uint32_t app_id, char *buf)
{
	for (size_t i = 0; i < sizeof(apps) / sizeof(apps[0]); i++)
		if (apps[i].app_id == app_id)
			return apps[i].word;
	snprintf(buf, 16, "%" PRIu32, app_id);
	return buf;
}

int oev_app_parse(const char *text, uint32_t *app_id)
{
	char *end;

	for (size_t i = 0; i < sizeof(apps) / sizeof(apps[0]); i++) {
		if (strcasecmp(apps[i].word, text) != 0)
			continue;
		*app_id = apps[i].app_id;
		return OC_OK;
	}
	unsigned long value = strtoul(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > UINT32_MAX)
		return OC_ENOENT;
	*app_id = (uint32_t)value;
	return OC_OK;
}
