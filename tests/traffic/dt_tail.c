/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The end of a request.
 */
#include "dt_tail.h"

#include "dt_doic.h"

static void put_drmp(const struct dt_mix *drmp, struct dt_tmpl *tmpl, struct dt_out *out)
{
	if (drmp->count == 0)
		return;
	dt_put_u32(out, OC_AVP_DRMP | DT_OPTIONAL, 0, drmp->code[0]);
	if (drmp->count == 1)
		return;
	struct dt_patch patch = { .kind = DT_PATCH_DRMP, .at = (uint32_t)out->len - 4, .len = 4 };
	dt_tmpl_patch(tmpl, &patch);
}

void dt_tail_put(const struct dt_tail *tail, const char *source, struct dt_tmpl *tmpl, struct dt_out *out)
{
	put_drmp(&tail->drmp, tmpl, out);
	if (tail->with_sf)
		dt_put_features(out, tail->vector, source, 0);
	if (tail->raw)
		dt_put_raw(out, tail->raw->data, tail->raw->len);
}
