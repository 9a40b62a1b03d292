/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Checking and copying the recorder's conf.
 */
#include "oev_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"
#include "../proof/oev_lines.h"

#define CHECKPOINT_SUFFIX ".checkpoints"

static int refuse(char *error, size_t error_size, const char *text)
{
	snprintf(error, error_size, "recorder: %s", text);
	return OC_EINVAL;
}

static int check(const struct oev_recorder_conf *conf, char *error, size_t error_size)
{
	if (conf->batch_max_rows < 1 || conf->batch_max_rows > 1000000 || conf->batch_max_ms < 1 ||
	    conf->batch_max_ms > 60000 || (unsigned)conf->synchronous > OEV_SYNC_FULL)
		return refuse(error, error_size,
			      "batch_max_rows must be 1..1000000, batch_max_ms 1..60000, synchronous off, "
			      "normal or full");
	if (!conf->key)
		return refuse(error, error_size, "there is no key to sign with");
	if (!conf->node || !oev_lines_is_word(conf->node, OEV_NODE_MAX))
		return refuse(error, error_size, "the node's name cannot stand in a signed note");
	return OC_OK;
}

static char *copy(const char *text)
{
	return strdup(text ? text : "");
}

static int copy_facts(struct oev_settings *settings, const struct oev_recorder_conf *conf)
{
	settings->facts = calloc(conf->fact_count + 1, sizeof(*settings->facts));
	for (size_t i = 0; settings->facts && i < conf->fact_count; i++) {
		settings->facts[i].key = copy(conf->facts[i].key);
		settings->facts[i].value = copy(conf->facts[i].value);
		if (!settings->facts[i].key || !settings->facts[i].value)
			return OC_ENOMEM;
	}
	return settings->facts ? OC_OK : OC_ENOMEM;
}

static int copy_texts(struct oev_settings *settings, const struct oev_recorder_conf *conf)
{
	const char *const texts[] = { conf->folder, conf->node, conf->realm };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		settings->texts[i] = copy(texts[i]);
		if (!settings->texts[i])
			return OC_ENOMEM;
	}
	settings->conf.folder = settings->texts[0];
	settings->conf.node = settings->texts[1];
	settings->conf.realm = settings->texts[2];
	return copy_facts(settings, conf);
}

static int fill_in(struct oev_settings *settings, char *error, size_t error_size)
{
	struct oev_recorder_conf *conf = &settings->conf;
	int rc = OC_OK;

	conf->policy_text = NULL;
	conf->facts = settings->facts;
	conf->mono_ns = conf->mono_ns ? conf->mono_ns : oev_clock_mono_ns;
	conf->wall_us = conf->wall_us ? conf->wall_us : oev_clock_wall_us;
	if (conf->checkpoint_path && *conf->checkpoint_path)
		rc = snprintf(settings->checkpoint_path, sizeof(settings->checkpoint_path), "%s",
			      conf->checkpoint_path) < (int)sizeof(settings->checkpoint_path)
			     ? OC_OK
			     : OC_EINVAL;
	else if (*conf->folder)
		rc = oev_place_beside(conf->folder, CHECKPOINT_SUFFIX, settings->checkpoint_path);
	conf->checkpoint_path = settings->checkpoint_path;
	return rc == OC_OK ? rc : refuse(error, error_size, "the path of the checkpoint file is too long");
}

int oev_settings_init(struct oev_settings *settings, const struct oev_recorder_conf *conf, char *error,
		      size_t error_size)
{
	int rc = check(conf, error, error_size);

	*settings = (struct oev_settings){ .conf = *conf };
	if (rc != OC_OK)
		return rc;
	if (copy_texts(settings, conf) != OC_OK) {
		snprintf(error, error_size, "out of memory");
		rc = OC_ENOMEM;
	}
	if (rc == OC_OK)
		rc = fill_in(settings, error, error_size);
	if (rc != OC_OK)
		oev_settings_fini(settings);
	return rc;
}

void oev_settings_fini(struct oev_settings *settings)
{
	for (size_t i = 0; settings->facts && i < settings->conf.fact_count; i++) {
		free((char *)settings->facts[i].key);
		free((char *)settings->facts[i].value);
	}
	free(settings->facts);
	for (size_t i = 0; i < sizeof(settings->texts) / sizeof(settings->texts[0]); i++)
		free(settings->texts[i]);
	*settings = (struct oev_settings){ 0 };
}
