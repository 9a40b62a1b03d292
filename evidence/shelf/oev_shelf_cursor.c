/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Cursors: where a page ended, and a hash of the filter it was made with. A later version of the program may not know them.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_inner.h"

#define VERSION_TEXT "a"
#define CURSOR_LEN (sizeof(VERSION_TEXT) - 1 + (size_t)4 * 16)

void oev_shelf_cursor_text(char out[static OEV_SHELF_CURSOR_MAX], uint64_t filter_key,
			   const struct oev_shelf_at *at)
{
	snprintf(out, OEV_SHELF_CURSOR_MAX,
		 VERSION_TEXT "%016" PRIx64 "%016" PRIx64 "%016" PRIx64 "%016" PRIx64, filter_key,
		 at->run_key, at->number, at->more);
}

/* 16 digits as we write them. */
static bool digits(const char *text, uint64_t *out)
{
	*out = 0;
	for (unsigned i = 0; i < 16; i++) {
		char c = text[i];
		bool is_number = c >= '0' && c <= '9';
		if (!is_number && (c < 'a' || c > 'f'))
			return false;
		*out = *out << 4 | (uint64_t)(is_number ? c - '0' : c - 'a' + 10);
	}
	return true;
}

int oev_shelf_cursor_parse(const char *text, uint64_t filter_key, struct oev_shelf_at *at, char *error)
{
	uint64_t key;

	*at = (struct oev_shelf_at){ 0 };
	if (text == NULL || text[0] == '\0')
		return OC_OK;
	const char *rest = text + sizeof(VERSION_TEXT) - 1;
	if (strlen(text) != CURSOR_LEN || strncmp(text, VERSION_TEXT, sizeof(VERSION_TEXT) - 1) != 0 ||
	    !digits(rest, &key) || !digits(rest + 16, &at->run_key) || !digits(rest + 32, &at->number) ||
	    !digits(rest + 48, &at->more))
		return oev_shelf_say(error, OC_EINVAL, "the cursor is none that was given out here");
	if (key != filter_key)
		return oev_shelf_say(error, OC_EINVAL, "the cursor belongs to a page with another filter");
	at->is_set = true;
	return OC_OK;
}

static uint64_t add_number(uint64_t hash, uint64_t number)
{
	return oev_shelf_hash(hash, &number, sizeof(number));
}

/* Letters' case makes no difference to the filter, so none to its cursor. */
static uint64_t add_text(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++) {
		char lower = (char)tolower((unsigned char)*text);
		hash = oev_shelf_hash(hash, &lower, 1);
	}
	return oev_shelf_hash(hash, "", 1);
}

/* Without the window: "the last ten minutes" are others for the next page, and the cursor says where it begins. */
uint64_t oev_shelf_filter_key(const struct oev_shelf_filter *filter)
{
	const uint64_t numbers[] = { filter->has_app ? 1 + (uint64_t)filter->app_id : 0,
				     filter->has_command ? 1 + (uint64_t)filter->command : 0,
				     filter->has_version ? 1 + (uint64_t)filter->version : 0,
				     filter->has_class ? 1 + (uint64_t)filter->klass : 0,
				     filter->has_result ? 1 + (uint64_t)filter->result_code : 0,
				     filter->has_maker ? 1 + (uint64_t)filter->maker : 0,
				     filter->session,
				     filter->subscriber,
				     filter->only_observed,
				     filter->oldest_first };
	const char *const texts[] = { filter->run,	 filter->origin_host, filter->origin_realm,
				      filter->dest_host, filter->dest_realm,  filter->client,
				      filter->next_hop,	 filter->verdict };
	uint64_t hash = OEV_SHELF_HASH_FIRST;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		hash = add_number(hash, numbers[i]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		hash = add_text(hash, texts[i]);
	return hash;
}
