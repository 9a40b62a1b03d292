/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From the text of an identity to its pseudonym.
 */
#include <string.h>

#include "../../agent/oc_err.h"
#include "../reveal/oev_pseudonym.h"
#include "oev_shelf_find.h"
#include "oev_shelf_inner.h"

int oev_shelf_pseudonym(const char *key_path, const char *text, uint64_t *out,
			char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_key *key = NULL;
	struct oev_why why;

	*out = 0;
	error[0] = '\0';
	if (text[0] == '\0')
		return oev_shelf_say(error, OC_EINVAL, "there is no text");
	int rc = oev_key_read(key_path, &key, &why);
	if (rc != OC_OK)
		return oev_shelf_say(error, rc, "%.500s", why.text);
	struct oc_keyed_key secret = oev_pseudonym_key(key);
	*out = oev_pseudonym(&secret, text, strlen(text));
	oev_pseudonym_forget(&secret);
	oev_key_free(key);
	return OC_OK;
}
