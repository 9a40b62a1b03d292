/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading counter files.
 */
#include "oev_counters.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"

#define SCHEMA "doic.counters/1"
#define SERIES_MAX 10000000u

/* A copy in lower case: identities are compared without regard to case. */
static char *lower_copy(const char *text)
{
	char *copy = malloc(strlen(text) + 1);

	for (size_t i = 0; copy != NULL && (i == 0 || text[i - 1] != '\0'); i++)
		copy[i] = (char)tolower((unsigned char)text[i]);
	return copy;
}

/* A non-negative integer member; @absent_ok leaves *@out alone when there is none. */
static int take_count(const json_t *object, const char *key, bool absent_ok, uint64_t *out)
{
	const json_t *value = json_object_get(object, key);

	if (value == NULL)
		return absent_ok ? OC_ENOENT : OC_EMALFORMED;
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return OC_EMALFORMED;
	*out = (uint64_t)json_integer_value(value);
	return OC_OK;
}

static int take_app(const json_t *item, struct oev_counter_app *app)
{
	uint64_t app_id;

	if (take_count(item, "app_id", false, &app_id) != OC_OK || app_id > UINT32_MAX ||
	    take_count(item, "requests", false, &app->requests) != OC_OK ||
	    take_count(item, "answers", false, &app->answers) != OC_OK ||
	    take_count(item, "unanswered", true, &app->unanswered) == OC_EMALFORMED)
		return OC_EMALFORMED;
	int rc = take_count(item, "useful", true, &app->useful);
	app->has_useful = rc == OC_OK;
	app->has_answers = true;
	app->app_id = (uint32_t)app_id;
	return rc == OC_EMALFORMED ? rc : OC_OK;
}

static int take_apps(struct oev_counters *out, const json_t *list)
{
	size_t count = json_array_size(list);

	if (!json_is_array(list))
		return OC_EMALFORMED;
	out->apps = calloc(count + 1, sizeof(*out->apps));
	if (out->apps == NULL)
		return OC_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		int rc = take_app(json_array_get(list, i), &out->apps[i]);
		if (rc != OC_OK)
			return rc;
		for (size_t j = 0; j < i; j++)
			if (out->apps[j].app_id == out->apps[i].app_id)
				return OC_EMALFORMED;
	}
	out->app_count = count;
	return OC_OK;
}

static int take_series(struct oev_counters *out, const json_t *series)
{
	const json_t *list = json_object_get(series, "requests");
	size_t count = json_array_size(list);

	if (series == NULL || json_is_null(series))
		return OC_OK;
	if (take_count(series, "start_us", false, &out->series_start_us) != OC_OK ||
	    take_count(series, "interval_us", false, &out->series_interval_us) != OC_OK ||
	    out->series_interval_us == 0 || !json_is_array(list) || count > SERIES_MAX)
		return OC_EMALFORMED;
	out->series = calloc(count + 1, sizeof(*out->series));
	if (out->series == NULL)
		return OC_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(list, i);
		if (!json_is_integer(value) || json_integer_value(value) < 0)
			return OC_EMALFORMED;
		out->series[i] = (uint64_t)json_integer_value(value);
	}
	out->series_count = count;
	return OC_OK;
}

static int take_root(struct oev_counters *out, const json_t *root)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const char *role = json_string_value(json_object_get(root, "role"));
	const char *node = json_string_value(json_object_get(root, "node"));
	const char *realm = json_string_value(json_object_get(root, "realm"));

	if (schema == NULL || strcmp(schema, SCHEMA) != 0)
		return schema != NULL && strncmp(schema, "doic.counters/", 14) == 0 ? OC_EVERSION
										    : OC_EMALFORMED;
	if (role == NULL || (strcmp(role, "server") != 0 && strcmp(role, "client") != 0) || node == NULL ||
	    take_count(root, "started_us", false, &out->started_us) != OC_OK ||
	    take_count(root, "ended_us", false, &out->ended_us) != OC_OK || out->ended_us < out->started_us)
		return OC_EMALFORMED;
	out->role = strcmp(role, "server") == 0 ? OEV_ROLE_SERVER : OEV_ROLE_CLIENT;
	out->node = lower_copy(node);
	out->realm = lower_copy(realm != NULL ? realm : "");
	if (out->node == NULL || out->realm == NULL)
		return OC_ENOMEM;
	int rc = take_apps(out, json_object_get(root, "apps"));
	return rc != OC_OK ? rc : take_series(out, json_object_get(root, "series"));
}

/* The document in @path, if that is a regular file: opening a pipe or reading a device might never end. */
static int load_root(const char *path, json_t **root, char *error, size_t error_size)
{
	int fd = oev_file_open(path);
	json_error_t at;

	*root = fd >= 0 ? json_loadfd(fd, JSON_REJECT_DUPLICATES, &at) : NULL;
	if (fd < 0)
		snprintf(error, error_size, "%s: cannot open: %s", path, oev_file_problem(errno));
	else if (*root == NULL)
		snprintf(error, error_size, "%s:%d:%d: %s", path, at.line, at.column, at.text);
	if (fd >= 0)
		close(fd);
	if (*root != NULL)
		return OC_OK;
	return fd >= 0 ? OC_EMALFORMED : OC_EIO;
}

int oev_counters_load(struct oev_counters *out, const char *path, char *error, size_t error_size)
{
	json_t *root;

	out->path = strdup(path);
	int err = load_root(path, &root, error, error_size);
	if (err != OC_OK)
		return err;
	int rc = out->path == NULL ? OC_ENOMEM : take_root(out, root);
	json_decref(root);
	if (rc == OC_EVERSION)
		snprintf(error, error_size, "%s: not schema " SCHEMA ", which is all this program knows",
			 path);
	else if (rc != OC_OK)
		snprintf(error, error_size, "%s: not a counter file (schema " SCHEMA ")", path);
	return rc;
}

void oev_counters_fini(struct oev_counters *counters)
{
	free(counters->path);
	free(counters->node);
	free(counters->realm);
	free(counters->apps);
	free(counters->series);
	free(counters->useful_series);
	*counters = (struct oev_counters){ 0 };
}

const struct oev_counter_app *oev_counters_app(const struct oev_counters *counters, uint32_t app_id)
{
	for (size_t i = 0; i < counters->app_count; i++)
		if (counters->apps[i].app_id == app_id)
			return &counters->apps[i];
	return NULL;
}

bool oev_counters_between(const struct oev_counters *counters, uint64_t from_us, uint64_t until_us,
			  struct oev_counter_span *out)
{
	uint64_t start = counters->series_start_us, step = counters->series_interval_us;

	if (counters->series_count == 0 || until_us <= start)
		return false;
	uint64_t first = from_us <= start ? 0 : (from_us - start + step - 1) / step;
	uint64_t last = (until_us - start) / step;
	if (last > counters->series_count)
		last = counters->series_count;
	if (first >= last)
		return false;
	*out = (struct oev_counter_span){ .first_us = start + first * step, .last_us = start + last * step };
	for (uint64_t i = first; i < last; i++) {
		out->sum += counters->series[i];
		out->useful += counters->useful_series != NULL ? counters->useful_series[i] : 0;
	}
	return true;
}
