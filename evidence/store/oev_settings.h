/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The recorder's conf, checked and copied, with what it leaves open filled in.
 */
#pragma once

#include "oev_place.h"
#include "oev_recorder.h"

struct oev_settings {
	struct oev_recorder_conf conf; /* its texts are those below */
	char *texts[3];		       /* folder, node, realm */
	struct oev_fact *facts;
	char checkpoint_path[OEV_PLACE_PATH_MAX];
};

/* OC_OK, OC_EINVAL, OC_ENOMEM with one sentence in *@error. policy_text is not copied and NULL in the result. */
int oev_settings_init(struct oev_settings *settings, const struct oev_recorder_conf *conf, char *error,
		      size_t error_size);
void oev_settings_fini(struct oev_settings *settings);
