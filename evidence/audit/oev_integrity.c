/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Asking the verification, and weighing its answer.
 */
#include "oev_integrity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "../proof/oev_file.h"
#include "../proof/oev_public.h"
#include "oev_audit_parts.h"

enum oev_integrity_weight oev_integrity_weigh(enum oev_verify_outcome outcome)
{
	switch (outcome) {
	case OEV_VERIFY_INTACT:
		return OEV_INTEGRITY_GOOD;
	case OEV_VERIFY_UNWITNESSED:
	case OEV_VERIFY_UNSEALED:
		return OEV_INTEGRITY_UNSEEN;
	case OEV_VERIFY_GAP:
	case OEV_VERIFY_CUT:
	case OEV_VERIFY_MIXED:
		return OEV_INTEGRITY_PARTIAL;
	case OEV_VERIFY_FOREIGN_KEY:
	case OEV_VERIFY_ALTERED:
		return OEV_INTEGRITY_ALTERED;
	default:
		return OEV_INTEGRITY_NOT_CHECKED;
	}
}

const char *oev_integrity_weight_text(enum oev_integrity_weight weight)
{
	static const char *const words[] = { "good", "unseen", "partial", "altered", "not_checked" };
	return words[weight];
}

const char *oev_integrity_tail_text(const struct oev_integrity *integrity, char *buf, size_t size)
{
	char since[OEV_TIME_TEXT_MAX];
	bool one = integrity->tail_rows == 1;

	buf[0] = '\0';
	if (integrity->tail_rows == 0)
		return buf;
	oev_time_text(integrity->tail_us, since);
	snprintf(buf, size, "%" PRIu64 " row%s after the last checkpoint %s not signed yet (since %s)",
		 integrity->tail_rows, one ? "" : "s", one ? "is" : "are", since);
	return buf;
}

const char *oev_integrity_signer_text(const struct oev_integrity *integrity, char *buf, size_t size)
{
	buf[0] = '\0';
	if (integrity->key[0] == '\0')
		return buf;
	if (integrity->root[0] == '\0')
		snprintf(buf, size, "key %s, no checkpoint of it", integrity->key);
	else
		snprintf(buf, size, "key %s, root %s over %" PRIu64 " batch%s", integrity->key,
			 integrity->root, integrity->root_batches, integrity->root_batches == 1 ? "" : "es");
	return buf;
}

const char *oev_integrity_bad_text(const struct oev_integrity *integrity, char *buf, size_t size)
{
	const char *segment = integrity->first_bad.segment, *table = integrity->first_bad.table;
	size_t at = 0;

	buf[0] = '\0';
	if (!integrity->first_bad.is_known)
		return buf;
	at = (size_t)snprintf(buf, size, "%s%s%s%s", segment,
			      segment[0] != '\0' && table[0] != '\0' ? ", " : "",
			      table[0] != '\0' ? "table " : "", table);
	if (integrity->first_bad.has_row && at < size)
		snprintf(buf + at, size - at, ", row %" PRId64, integrity->first_bad.row);
	return buf;
}

/* When @version no longer had any effect. */
static uint64_t effect_end_us(const struct oev_version *version)
{
	if (version->effect_ns == UINT64_MAX)
		return UINT64_MAX;
	return version->effect_ns > version->from_ns ? oev_audit_wall(version, version->effect_ns)
						     : version->from_us;
}

bool oev_integrity_is_tail_judged(const struct oev_audit *audit)
{
	if (audit->integrity.tail_rows == 0 || audit->until_us < audit->integrity.tail_after_us)
		return false;
	for (size_t i = 0; i < audit->version_count; i++)
		if (audit->versions[i].in_window &&
		    effect_end_us(&audit->versions[i]) >= audit->integrity.tail_after_us)
			return true;
	return false;
}

static void take_tail(struct oev_integrity *integrity, const struct oev_verify_result *result)
{
	if (result->tail_rows == 0)
		return;
	if (integrity->tail_rows == 0 || result->tail_us < integrity->tail_us)
		integrity->tail_us = result->tail_us;
	if (integrity->tail_rows == 0 || result->signed_us < integrity->tail_after_us)
		integrity->tail_after_us = result->signed_us;
	integrity->tail_rows += result->tail_rows;
}

static void take_signer(struct oev_integrity *integrity, const struct oev_verify_result *result)
{
	snprintf(integrity->key, sizeof(integrity->key), "%s", result->key);
	snprintf(integrity->root, sizeof(integrity->root), "%s", result->signed_root);
	integrity->root_batches = result->signed_batch;
}

/* That nobody outside confirms it, or that it is not sealed yet, is no bad record. */
static void take_bad(struct oev_integrity *integrity, const struct oev_verify_result *result)
{
	const struct oev_verify_finding *first =
		result->outcome > OEV_VERIFY_UNSEALED ? oev_verify_first(result) : NULL;

	integrity->first_bad.is_known =
		first != NULL && (first->segment[0] != '\0' || first->table[0] != '\0');
	if (!integrity->first_bad.is_known)
		return;
	snprintf(integrity->first_bad.segment, sizeof(integrity->first_bad.segment), "%s", first->segment);
	snprintf(integrity->first_bad.table, sizeof(integrity->first_bad.table), "%s", first->table);
	integrity->first_bad.has_row = first->table[0] != '\0' && first->has_row;
	integrity->first_bad.row = first->row;
}

static void take_result(struct oev_integrity *integrity, const char *input, size_t inputs,
			const struct oev_verify_result *result)
{
	bool worst = !integrity->is_checked || result->outcome > integrity->outcome;

	integrity->segments += result->segment_count;
	integrity->rows += result->rows;
	integrity->by_seal_rows += result->by_seal_rows;
	integrity->is_key_of_folder |= result->is_key_of_folder;
	take_tail(integrity, result);
	if (!worst)
		return;
	integrity->is_checked = true;
	integrity->outcome = result->outcome;
	integrity->weight = oev_integrity_weigh(result->outcome);
	integrity->signed_us = result->signed_us;
	integrity->witness = result->witness;
	integrity->witness_us = result->witness_us;
	integrity->trust = result->trust;
	take_signer(integrity, result);
	take_bad(integrity, result);
	oev_verify_line(result, integrity->line, sizeof(integrity->line));
	snprintf(integrity->input, sizeof(integrity->input), "%s", inputs > 1 ? input : "");
}

/* Segments of older schemas hold nothing that could be verified. */
static bool has_proofs(const struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->segment_count; i++)
		if (audit->segments[i].schema < 3)
			return false;
	return true;
}

static void on_progress(void *ctx, uint64_t done, uint64_t total, uint64_t rows)
{
	const struct oev_audit_options *options = ctx;

	(void)rows;
	if (options->verify_progress != NULL)
		options->verify_progress(options->ctx, done, total);
}

static bool on_stop(void *ctx)
{
	const struct oev_audit_options *options = ctx;

	return options->stop != NULL && options->stop(options->ctx);
}

int oev_integrity_begin(struct oev_audit *audit)
{
	const struct oev_audit_options *options = &audit->options;
	struct oev_public key;
	struct oev_why why;

	if (options->key != NULL && oev_public_read(options->key, &key, &why) != OC_OK) {
		snprintf(audit->error, sizeof(audit->error), "no public key: %.400s", why.text);
		return OC_EIO;
	}
	int fd = options->checkpoint != NULL ? oev_file_open(options->checkpoint) : -1;
	if (options->checkpoint != NULL && fd < 0) {
		snprintf(audit->error, sizeof(audit->error), "no checkpoints: %.300s: %.100s",
			 options->checkpoint, oev_file_problem(errno));
		return OC_EIO;
	}
	if (fd >= 0)
		close(fd);
	return OC_OK;
}

void oev_integrity_check(struct oev_audit *audit)
{
	struct oev_audit_options *options = &audit->options;
	struct oev_integrity *integrity = &audit->integrity;

	integrity->weight = OEV_INTEGRITY_NOT_CHECKED;
	snprintf(integrity->line, sizeof(integrity->line), "not checked");
	if (!options->verify || audit->place_count == 0)
		return;
	if (!has_proofs(audit)) {
		snprintf(integrity->line, sizeof(integrity->line),
			 "cannot be checked: made before segments were signed");
		return;
	}
	for (size_t i = 0; i < audit->place_count && integrity->outcome != OEV_VERIFY_INTERRUPTED; i++) {
		struct oev_verify_result result;
		const struct oev_verify_options what = { .path = audit->places[i],
							 .by_seals = !options->strict,
							 .key = options->key,
							 .checkpoint = options->checkpoint,
							 .progress = on_progress,
							 .stop = on_stop,
							 .ctx = options };
		oev_verify_folder(&result, &what);
		take_result(integrity, audit->places[i], audit->place_count, &result);
		oev_verify_fini(&result);
	}
}
