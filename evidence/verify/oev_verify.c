/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The verification of a folder, from the list of its files to one word.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The key a person trusts. OC_OK, OC_ENOENT... with result->outcome and error set. */
static int read_given_key(struct oev_verify_run *run)
{
	struct oev_verify_result *result = run->result;
	struct oev_why why;
	int rc = oev_public_read(run->options->key, &run->signer, &why);

	if (rc == OC_OK) {
		run->has_signer = true;
		result->trust = OEV_TRUST_GIVEN;
		return OC_OK;
	}
	result->outcome = rc == OC_ENOENT     ? OEV_VERIFY_NOT_FOUND
			  : rc == OC_EVERSION ? OEV_VERIFY_NEWER_FORMAT
			  : rc == OC_EIO      ? OEV_VERIFY_UNREADABLE
					      : OEV_VERIFY_NOT_EVIDENCE;
	snprintf(result->error, sizeof(result->error), "%.200s: no public key: %.250s", run->options->key,
		 why.text);
	return rc;
}

/* Whether one of the folders that @path names is @folder. */
static bool lies_in(const char *path, const char *folder)
{
	struct stat whole, at;
	bool inside = false;
	char *parent = strdup(path);

	if (parent == NULL || stat(folder, &whole) != 0 || !S_ISDIR(whole.st_mode)) {
		free(parent);
		return false;
	}
	if (strchr(parent, '/') == NULL)
		inside = stat(".", &at) == 0 && at.st_dev == whole.st_dev && at.st_ino == whole.st_ino;
	for (char *end = strrchr(parent, '/'); end != NULL && !inside; end = strrchr(parent, '/')) {
		*end = '\0';
		inside = stat(parent, &at) == 0 && at.st_dev == whole.st_dev && at.st_ino == whole.st_ino;
	}
	free(parent);
	return inside;
}

/* Whether the key given is the file of the folder itself, or another in it: then whoever made the folder made the key too. */
static bool is_key_of_folder(const struct oev_verify_run *run, const char *path)
{
	struct stat given, own;

	if (run->options->key == NULL)
		return false;
	return lies_in(run->options->key, run->folder) ||
	       (stat(run->options->key, &given) == 0 && stat(path, &own) == 0 && given.st_dev == own.st_dev &&
		given.st_ino == own.st_ino);
}

/* public-key.txt of the folder: the key that counts when none is given, else one that must be the same. */
static int read_folder_key(struct oev_verify_run *run)
{
	struct oev_public found;
	struct oev_why why;
	char *path = oev_verify_join(run->folder, "/" OEV_PUBLIC_FILE), fingerprint[OEV_FINGERPRINT_LEN + 1];

	if (path == NULL)
		return OC_ENOMEM;
	int rc = oev_public_read(path, &found, &why);
	run->result->is_key_of_folder = is_key_of_folder(run, path);
	free(path);
	if (rc == OC_ENOENT)
		return OC_OK;
	if (rc != OC_OK) {
		oev_verify_find(run, NULL, OEV_VERIFY_ALTERED, OEV_KIND_KEY, OEV_PUBLIC_FILE ": %.200s",
				why.text);
		return OC_OK;
	}
	if (!run->has_signer) {
		run->signer = found;
		run->has_signer = true;
		run->result->trust = OEV_TRUST_FOLDER;
	} else if (memcmp(found.key, run->signer.key, sizeof(found.key)) != 0) {
		oev_public_fingerprint(found.key, fingerprint);
		oev_verify_find(run, NULL, OEV_VERIFY_FOREIGN_KEY, OEV_KIND_KEY,
				OEV_PUBLIC_FILE " in the folder is key %s, not the one given", fingerprint);
	}
	return OC_OK;
}

static int read_keys(struct oev_verify_run *run)
{
	int rc = run->options->key != NULL ? read_given_key(run) : OC_OK;

	if (rc == OC_OK)
		rc = read_folder_key(run);
	if (rc == OC_OK && run->has_signer)
		oev_public_fingerprint(run->signer.key, run->result->key);
	return rc;
}

/* Retention may take a segment away while it is being read: what was said of it then counts for nothing.
 * Its removal is told by a row that is there before, or it is a hole. */
static bool has_vanished(const struct oev_verify_run *run, const struct oev_verify_file *file,
			 const struct oev_verify_result *before)
{
	const struct oev_verify_result *now = run->result;
	struct stat info;
	bool is_good =
		now->segment_count > before->segment_count && now->findings_all == before->findings_all;

	return !is_good && stat(file->path, &info) != 0 && errno == ENOENT;
}

/* How far the log is signed, as far as the segment read last tells. */
static void note_signed(const struct oev_verify_run *run, struct oev_verify_file *file, size_t segments)
{
	const struct oev_verify_result *now = run->result;

	if (now->segment_count > segments && now->segments[now->segment_count - 1].signed_us != 0)
		file->signed_batch = now->signed_batch;
}

static int one_segment(struct oev_verify_run *run, struct oev_verify_file *file)
{
	struct oev_verify_result before = *run->result;
	struct oev_verify_log log = run->log;
	enum oev_verify_outcome worst = run->worst;
	size_t late_count = run->late_count;
	size_t hole_count = run->hole_count;

	if (oev_verify_memory_recall(run, file)) {
		note_signed(run, file, before.segment_count);
		oev_verify_outside(run, NULL);
		return oev_verify_go_on(run, 2 * file->bytes) ? OC_OK : OC_EINTERRUPTED;
	}
	int rc = oev_verify_segment(run, file);
	if (rc != OC_OK)
		return rc;
	if (has_vanished(run, file, &before)) {
		*run->result = before;
		run->log = log;
		run->worst = worst;
		run->late_count = late_count;
		run->hole_count = hole_count;
		run->has_vanished = true;
	} else {
		note_signed(run, file, before.segment_count);
		oev_verify_memory_keep(run, file, &before, &log);
	}
	return OC_OK;
}

static int all_segments(struct oev_verify_run *run)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < run->file_count; i++)
		rc = run->is_stopped ? OC_EINTERRUPTED : one_segment(run, &run->files[i]);
	return rc;
}

/* A folder of files that are no evidence at all, rather than evidence that was altered. */
static bool holds_no_evidence(const struct oev_verify_run *run)
{
	for (size_t i = 0; i < run->file_count; i++)
		if (run->files[i].is_segment || run->files[i].has_seal)
			return false;
	return !run->has_signer && run->worst != OEV_VERIFY_UNREADABLE;
}

static enum oev_verify_outcome decide(const struct oev_verify_run *run)
{
	const struct oev_verify_result *result = run->result;
	enum oev_verify_outcome worst = OEV_VERIFY_INTACT;

	/* a definite no, then what could not be read, then what cannot be told */
	for (size_t i = 0; i < result->finding_count; i++)
		if (result->findings[i].outcome <= OEV_VERIFY_ALTERED && result->findings[i].outcome > worst)
			worst = result->findings[i].outcome;
	if (worst >= OEV_VERIFY_LEFTOVER)
		return worst;
	if (run->worst > OEV_VERIFY_ALTERED)
		return run->worst;
	if (worst > OEV_VERIFY_UNWITNESSED)
		return worst;
	if (result->trust == OEV_TRUST_NONE || result->signed_us == 0)
		return OEV_VERIFY_UNWITNESSED; /* there is nothing to accept */
	bool is_witnessed = result->trust >= OEV_TRUST_OUTSIDE && !result->is_key_of_folder &&
			    result->witness != OEV_WITNESS_NONE;
	return is_witnessed || run->options->accept_unwitnessed ? OEV_VERIFY_INTACT : OEV_VERIFY_UNWITNESSED;
}

/* The sentence for outcomes that are about a file rather than about what is in it. */
static void say_error(struct oev_verify_run *run)
{
	struct oev_verify_result *result = run->result;

	if (result->outcome <= OEV_VERIFY_ALTERED || result->error[0] != '\0')
		return;
	const struct oev_verify_finding *first = oev_verify_first(result);
	if (first != NULL)
		snprintf(result->error, sizeof(result->error), "%.120s: %s", first->segment, first->what);
}

static void conclude(struct oev_verify_run *run)
{
	struct oev_verify_result *result = run->result;

	if (holds_no_evidence(run)) {
		result->outcome = OEV_VERIFY_NOT_EVIDENCE;
		snprintf(result->error, sizeof(result->error), "%.300s: no evidence segment: %.180s",
			 run->options->path, result->finding_count > 0 ? result->findings[0].what : "");
		return;
	}
	if (run->has_vanished)
		oev_verify_removals_again(run);
	oev_verify_removals_end(run);
	oev_verify_holes(run);
	oev_verify_outside_end(run);
	result->outcome = decide(run);
	say_error(run);
	if (result->outcome <= OEV_VERIFY_UNWITNESSED && oev_verify_remember(run) != OC_OK) {
		result->outcome = OEV_VERIFY_UNREADABLE;
		snprintf(result->error, sizeof(result->error), "%.300s cannot be written: %.150s",
			 run->options->remember, strerror(errno));
	}
}

static int verify(struct oev_verify_run *run)
{
	int rc = oev_verify_memory_model(run);

	if (rc == OC_OK)
		rc = oev_verify_place(run);
	if (rc == OC_OK) /* first: what is written meanwhile is in the segments, but not yet out there */
		rc = oev_verify_outside_open(run);
	if (rc == OC_OK)
		rc = oev_verify_list(run);
	if (rc == OC_OK)
		rc = read_keys(run);
	if (rc == OC_OK)
		rc = oev_verify_outside_begin(run);
	if (rc != OC_OK)
		return rc;
	run->result->segments = calloc(run->file_count, sizeof(*run->result->segments));
	run->late = calloc(run->file_count, sizeof(*run->late));
	run->holes = calloc(run->file_count, sizeof(*run->holes));
	if (run->result->segments == NULL || run->late == NULL || run->holes == NULL)
		return OC_ENOMEM;
	rc = all_segments(run);
	if (rc == OC_OK)
		rc = oev_verify_late(run);
	if (rc == OC_OK)
		conclude(run);
	return rc;
}

static void run_fini(struct oev_verify_run *run)
{
	for (unsigned i = 0; i < run->witness_count; i++)
		oev_witness_fini(&run->witnesses[i]);
	for (size_t i = 0; i < run->file_count; i++)
		free(run->files[i].path);
	free(run->files);
	free(run->removals);
	free(run->late);
	free(run->holes);
	free(run->newest);
	free(run->folder);
	free(run->beside);
	if (run->options->memory == NULL) {
		free(run->model_layout);
		sqlite3_close(run->model);
	}
}

void oev_verify_folder(struct oev_verify_result *out, const struct oev_verify_options *options)
{
	struct oev_verify_run *run = calloc(1, sizeof(*run));
	double started = now_s();
	int rc = OC_ENOMEM;

	*out = (struct oev_verify_result){ .deep = options->deep };
	snprintf(out->path, sizeof(out->path), "%s", options->path);
	out->findings = calloc(OEV_VERIFY_FINDINGS_MAX + 1, sizeof(*out->findings));
	oev_gcrypt_ready();
	if (run != NULL && out->findings != NULL) {
		run->result = out;
		run->options = options;
		rc = verify(run);
		run_fini(run);
	}
	free(run);
	out->seconds = now_s() - started;
	if (rc == OC_EINTERRUPTED) {
		out->outcome = OEV_VERIFY_INTERRUPTED;
		snprintf(out->error, sizeof(out->error), "interrupted");
	} else if (rc == OC_ENOMEM) {
		out->outcome = OEV_VERIFY_UNREADABLE;
		snprintf(out->error, sizeof(out->error), "out of memory");
	}
}

void oev_verify_fini(struct oev_verify_result *result)
{
	free(result->findings);
	free(result->segments);
	result->findings = NULL;
	result->segments = NULL;
	result->finding_count = result->segment_count = 0;
}
