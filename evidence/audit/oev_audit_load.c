/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Opens what the audit was given and turns it into claims with their versions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_types.h"
#include "oev_audit_parts.h"
#include "oev_telemetry.h"

static int add_segment(struct oev_audit *audit, const char *path)
{
	struct stat info, other;

	if (stat(path, &info) == 0)
		for (size_t i = 0; i < audit->segment_count; i++) /* named twice: counted once */
			if (stat(audit->segments[i].path, &other) == 0 && other.st_ino == info.st_ino &&
			    other.st_dev == info.st_dev)
				return OC_OK;
	struct oev_segment *segment =
		oev_audit_grow(&audit->segments, &audit->segment_count, sizeof(*segment));
	if (segment == NULL)
		return OC_ENOMEM;
	int rc = oev_segment_open(segment, path, audit->error, sizeof(audit->error));
	const char *node = audit->options.node;
	if (rc == OC_OK && node != NULL && strcasecmp(node, segment->node) != 0) {
		oev_segment_fini(segment);
		audit->segment_count--;
	}
	return rc;
}

/* One of a folder. */
static int add_listed(struct oev_audit *audit, const char *path)
{
	size_t before = audit->segment_count;
	int rc = add_segment(audit, path);

	if (rc == OC_OK || rc == OC_ENOMEM || !oev_segment_is_absent(path))
		return rc;
	oev_segment_fini(&audit->segments[before]);
	audit->segment_count = before;
	audit->error[0] = '\0';
	return OC_OK;
}

static int add_counters(struct oev_audit *audit, const char *path)
{
	struct stat info, other;

	if (stat(path, &info) == 0)
		for (size_t i = 0; i < audit->counters_count; i++)
			if (stat(audit->counters[i].path, &other) == 0 && other.st_ino == info.st_ino &&
			    other.st_dev == info.st_dev)
				return OC_OK;
	struct oev_counters *counters =
		oev_audit_grow(&audit->counters, &audit->counters_count, sizeof(*counters));
	if (counters == NULL)
		return OC_ENOMEM;
	return oev_counters_load(counters, path, audit->error, sizeof(audit->error));
}

static int add_telemetry(struct oev_audit *audit, const char *path)
{
	char **place = oev_audit_grow(&audit->telemetry, &audit->telemetry_count, sizeof(*place));

	if (place == NULL)
		return OC_ENOMEM;
	*place = strdup(path);
	return *place != NULL ? OC_OK : OC_ENOMEM;
}

static int add_all(struct oev_audit *audit, const char *folder, const char *prefix, const char *suffix,
		   int (*add)(struct oev_audit *audit, const char *path))
{
	char **paths;
	size_t count;
	int rc = oev_paths_list(folder, prefix, suffix, &paths, &count);

	for (size_t i = 0; rc == OC_OK && i < count; i++)
		rc = add(audit, paths[i]);
	oev_paths_free(paths, count);
	return rc;
}

/* Remembers @folder as one whose integrity is asked for. */
static int note_place(struct oev_audit *audit, const char *path)
{
	char **place = oev_audit_grow(&audit->places, &audit->place_count, sizeof(*place));

	if (place == NULL)
		return OC_ENOMEM;
	*place = strdup(path);
	return *place != NULL ? OC_OK : OC_ENOMEM;
}

/* Counters in @folder, of both kinds. */
static int add_beside(struct oev_audit *audit, const char *folder)
{
	char counters[4096];
	struct stat info;
	int rc = OC_OK;

	snprintf(counters, sizeof(counters), "%s/counters", folder);
	if (stat(counters, &info) == 0 && S_ISDIR(info.st_mode))
		rc = add_all(audit, counters, "", ".json", add_counters);
	return rc == OC_OK ? add_all(audit, folder, OEV_TELEMETRY_PREFIX, ".db", add_telemetry) : rc;
}

/* The segments and counters of @folder itself; *@found segments, of which other nodes' are left out. */
static int add_one_folder(struct oev_audit *audit, const char *folder, size_t *found)
{
	char **paths;
	int rc = oev_paths_list(folder, "seg-", ".db", &paths, found);

	if (rc == OC_EIO)
		snprintf(audit->error, sizeof(audit->error), "%s: %s", folder, strerror(errno));
	oev_paths_free(paths, *found);
	if (rc != OC_OK || *found == 0)
		return rc;
	size_t before = audit->segment_count;
	rc = add_all(audit, folder, "seg-", ".db", add_listed);
	if (rc == OC_OK && audit->segment_count > before)
		rc = note_place(audit, folder);
	return rc == OC_OK ? add_beside(audit, folder) : rc;
}

/* A folder of evidence, or one that holds such folders, one for each node. */
static int add_folder(struct oev_audit *audit, const char *folder)
{
	char **paths = NULL;
	size_t count = 0, found = 0, inner;
	struct stat info;
	int rc = add_one_folder(audit, folder, &found);

	if (rc == OC_OK && found == 0)
		rc = oev_paths_list(folder, "", "", &paths, &count);
	for (size_t i = 0; rc == OC_OK && i < count; i++) {
		const char *name = strrchr(paths[i], '/') + 1;
		if (name[0] == '.' || stat(paths[i], &info) != 0 || !S_ISDIR(info.st_mode))
			continue;
		rc = add_one_folder(audit, paths[i], &inner);
		found += inner;
	}
	oev_paths_free(paths, count);
	if (rc == OC_OK && count > 0 && found > 0)
		rc = add_beside(audit, folder);
	if (rc == OC_OK && found == 0) {
		snprintf(audit->error, sizeof(audit->error), "%s: no segment (seg-*.db) in this folder",
			 folder);
		rc = OC_ENOENT;
	}
	return rc;
}

static int add_file(struct oev_audit *audit, const char *path)
{
	int rc = add_segment(audit, path);

	return rc == OC_OK ? note_place(audit, path) : rc;
}

static int open_inputs(struct oev_audit *audit)
{
	const struct oev_audit_options *options = &audit->options;
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < options->input_count; i++) {
		struct stat info;
		const char *path = options->inputs[i];
		if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
			rc = add_folder(audit, path);
		else
			rc = add_file(audit, path);
	}
	for (size_t i = 0; rc == OC_OK && i < options->counters_count; i++)
		rc = add_counters(audit, options->counters[i]);
	if (rc == OC_OK && audit->segment_count == 0) {
		snprintf(audit->error, sizeof(audit->error), "no segment recorded by node %s",
			 options->node != NULL ? options->node : "?");
		rc = OC_ENOENT;
	}
	return rc;
}

uint64_t oev_audit_wall(const struct oev_version *version, uint64_t mono_ns)
{
	return version->from_us + (mono_ns - version->from_ns) / 1000;
}

/* A version that nobody ended lasts until it expires or the life's last row, whichever is first. */
static void close_versions(struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->version_count; i++) {
		struct oev_version *version = &audit->versions[i];
		uint64_t last_ns = audit->lives[version->life].last_ns;
		if (version->end_ns > last_ns && strcmp(version->how, "open") == 0)
			version->end_ns = last_ns > version->from_ns ? last_ns : version->from_ns;
		if (version->end_ns < version->from_ns)
			version->end_ns = version->from_ns;
		/* nobody reduces anything on a ramp in a capture */
		if (audit->lives[version->life].is_capture && version->effect_ns == UINT64_MAX &&
		    strcmp(version->how, "open") != 0)
			version->effect_ns = version->recovered_ns = version->end_ns;
	}
}

static bool wanted(const struct oev_audit *audit, const struct oev_claim *claim)
{
	const struct oev_audit_options *options = &audit->options;

	if (!oev_audit_wants_app(audit, claim->app_id))
		return false;
	if (options->host == NULL && options->realm == NULL)
		return true;
	if (options->host != NULL && claim->type != OC_REPORT_REALM &&
	    strcasecmp(options->host, claim->subject) == 0)
		return true;
	return options->realm != NULL && claim->type == OC_REPORT_REALM &&
	       strcasecmp(options->realm, claim->subject) == 0;
}

/* Whether a later life should have held it in the window. */
static bool lapses_in_window(const struct oev_audit *audit, const struct oev_version *version)
{
	return version->lapsed_until_us > audit->options.from_us &&
	       version->lapsed_from_us < audit->options.until_us;
}

/* Marks versions with some effect in the window. */
static void mark_versions(struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->version_count; i++) {
		struct oev_version *version = &audit->versions[i];
		uint64_t last_ns = version->effect_ns != UINT64_MAX ? version->effect_ns : version->end_ns;
		version->in_window = version->from_us < audit->options.until_us &&
				     (oev_audit_wall(version, last_ns) >= audit->options.from_us ||
				      lapses_in_window(audit, version));
	}
}

/* Whether anything of the claim touches the window: a version's effect, or a report. */
static bool in_window(const struct oev_audit *audit, uint32_t claim)
{
	for (size_t i = 0; i < audit->version_count; i++)
		if (audit->versions[i].claim == claim && audit->versions[i].in_window)
			return true;
	for (size_t i = 0; i < audit->report_count; i++) {
		const struct oev_report *report = &audit->reports[i];
		if (report->claim == (int32_t)claim && report->accepted &&
		    report->wall_us >= audit->options.from_us && report->wall_us < audit->options.until_us)
			return true;
	}
	return false;
}

/* Whether the claim asked for something within the window, not only before it: what is left of it there is a ramp. */
static bool asks_in_window(const struct oev_audit *audit, uint32_t claim)
{
	uint64_t from_us = audit->options.from_us;

	for (size_t i = 0; i < audit->version_count; i++) {
		const struct oev_version *version = &audit->versions[i];
		if (version->claim == claim && version->in_window &&
		    (version->from_us >= from_us || oev_audit_wall(version, version->end_ns) > from_us ||
		     lapses_in_window(audit, version)))
			return true;
	}
	for (size_t i = 0; i < audit->report_count; i++)
		if (audit->reports[i].claim == (int32_t)claim && audit->reports[i].accepted &&
		    audit->reports[i].wall_us >= from_us &&
		    audit->reports[i].wall_us < audit->options.until_us)
			return true;
	return false;
}

static void put_aside(struct oev_aside *aside, const struct oev_claim *claim)
{
	if (aside->count < OEV_ASIDE_NAMED) {
		aside->named[aside->count].type = claim->type;
		aside->named[aside->count].app_id = claim->app_id;
		snprintf(aside->named[aside->count].subject, sizeof(claim->subject), "%s", claim->subject);
	}
	aside->count++;
}

/* Whether claim number @i is to be judged; those that touch the window and are not are remembered by name. */
static bool is_kept(struct oev_audit *audit, uint32_t i)
{
	const struct oev_claim *claim = &audit->claims[i];

	if (!in_window(audit, i))
		return false;
	if (!asks_in_window(audit, i)) {
		if (wanted(audit, claim))
			put_aside(&audit->ended, claim);
		return false;
	}
	if (!wanted(audit, claim)) {
		put_aside(&audit->filtered, claim);
		return false;
	}
	return true;
}

static int by_claim(const void *a, const void *b)
{
	const struct oev_version *left = a, *right = b;

	if (left->claim != right->claim)
		return left->claim < right->claim ? -1 : 1;
	if (left->life != right->life)
		return left->life < right->life ? -1 : 1;
	if (left->from_ns != right->from_ns)
		return left->from_ns < right->from_ns ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static void note_asked(bool *asked, uint32_t value, uint32_t *least, uint32_t *most)
{
	*least = *asked && *least < value ? *least : value;
	*most = *asked && *most > value ? *most : value;
	*asked = true;
}

static void give_version(struct oev_claim *claim, const struct oev_version *version, uint32_t index)
{
	if (claim->version_count++ == 0)
		claim->version_first = index;
	if (!version->in_window)
		return;
	claim->judged++;
	snprintf(claim->algorithm, sizeof(claim->algorithm), "%s", version->algorithm);
	if (version->validity_s == 0)
		return; /* an explicit end asks for nothing */
	if (version->is_rate)
		note_asked(&claim->asked_rate, version->rate_rps, &claim->asked_rps_min,
			   &claim->asked_rps_max);
	else
		note_asked(&claim->asked_loss, version->reduction_pct, &claim->asked_pct_min,
			   &claim->asked_pct_max);
}

/* Drops claims that filters or window leave out; versions of a dropped claim stay, for decisions that name them,
 * under claim UINT32_MAX. */
static int pick_claims(struct oev_audit *audit)
{
	uint32_t *renumber = calloc(audit->claim_count + 1, sizeof(*renumber));
	size_t kept = 0;

	if (renumber == NULL)
		return OC_ENOMEM;
	for (uint32_t i = 0; i < audit->claim_count; i++) {
		bool keep = is_kept(audit, i);
		renumber[i] = keep ? (uint32_t)kept : UINT32_MAX;
		if (keep)
			audit->claims[kept++] = audit->claims[i];
	}
	audit->claim_count = kept;
	for (size_t i = 0; i < audit->version_count; i++)
		audit->versions[i].claim = renumber[audit->versions[i].claim];
	for (size_t i = 0; i < audit->report_count; i++)
		if (audit->reports[i].claim >= 0)
			audit->reports[i].claim = (int32_t)renumber[audit->reports[i].claim];
	for (size_t i = 0; i < audit->lapse_count; i++)
		audit->lapses[i].claim = renumber[audit->lapses[i].claim];
	free(renumber);
	if (audit->version_count > 1)
		qsort(audit->versions, audit->version_count, sizeof(*audit->versions), by_claim);
	for (uint32_t i = 0; i < audit->version_count && audit->versions[i].claim != UINT32_MAX; i++)
		give_version(&audit->claims[audit->versions[i].claim], &audit->versions[i], i);
	return OC_OK;
}

/* The window as it will be shown: what was asked for, cut to what the segments can tell of. */
static void settle_window(struct oev_audit *audit)
{
	audit->from_us = audit->options.from_us;
	audit->until_us = audit->options.until_us;
	uint64_t first_us = UINT64_MAX, last_us = 0;
	for (size_t i = 0; i < audit->segment_count; i++) {
		const struct oev_segment *segment = &audit->segments[i];
		uint64_t end_us = oev_segment_until(segment);
		first_us = segment->started_us < first_us ? segment->started_us : first_us;
		last_us = end_us > last_us ? end_us : last_us;
	}
	if (audit->from_us == 0)
		audit->from_us = first_us;
	if (audit->until_us == UINT64_MAX)
		audit->until_us = last_us;
}

static int load_life(struct oev_audit *audit, uint32_t life)
{
	const struct oev_life *at = &audit->lives[life];
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < at->count; i++)
		rc = oev_audit_rows(audit, life, at->first + i);
	if (rc == OC_OK)
		oev_audit_follow_versions(audit, life);
	return rc;
}

int oev_audit_load(struct oev_audit *audit)
{
	int rc = open_inputs(audit);

	if (rc == OC_OK)
		rc = oev_lives_make(audit);
	for (uint32_t i = 0; rc == OC_OK && i < audit->life_count; i++)
		rc = load_life(audit, i);
	if (rc != OC_OK)
		return rc;
	settle_window(audit);
	close_versions(audit);
	rc = oev_lapses_make(audit);
	mark_versions(audit);
	oev_own_end(audit);
	rc = rc == OC_OK ? pick_claims(audit) : rc;
	return rc == OC_OK ? oev_audit_gaps(audit) : rc;
}
