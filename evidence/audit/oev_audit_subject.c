/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Claims by whom they are about, for each request that goes there.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit_scan.h"

/* Versions of a claim stand by life, then time. */
static void find_versions(const struct oev_audit *audit, uint32_t life, struct oev_subject *subject)
{
	const struct oev_claim *claim = &audit->claims[subject->claim];

	for (uint32_t i = 0; i < claim->version_count; i++) {
		struct oev_version *version = &audit->versions[claim->version_first + i];
		if (version->life != life)
			continue;
		if (subject->count++ == 0)
			subject->versions = version;
	}
}

static int by_key(const void *a, const void *b)
{
	const struct oev_subject *left = a, *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return left->claim < right->claim ? -1 : left->claim > right->claim;
}

int oev_subjects_make(struct oev_scan *scan)
{
	const struct oev_audit *audit = scan->audit;
	const char *node = audit->segments[audit->lives[scan->life].first].node;
	size_t count = 0;
	int rc = OC_OK;

	scan->subjects = calloc(audit->claim_count + 1, sizeof(*scan->subjects));
	if (scan->subjects == NULL)
		return OC_ENOMEM;
	for (uint32_t i = 0; i < audit->claim_count; i++) {
		const struct oev_claim *claim = &audit->claims[i];
		struct oev_lapse *lapse = oev_lapse_of(audit, i, scan->life);
		bool counts =
			(claim->type == OC_REPORT_HOST || claim->type == OC_REPORT_REALM || lapse != NULL) &&
			strcmp(claim->recorded_by, node) == 0;
		uint32_t name = counts ? oev_life_name_id(audit, scan->life, claim->subject) : 0;
		if (name == 0)
			continue;
		struct oev_subject *subject = &scan->subjects[count++];
		subject->key = oev_subject_key(name, claim->app_id);
		subject->claim = i;
		subject->type = claim->type;
		subject->lapse = lapse;
		scan->has_peers |= claim->type == OC_REPORT_PEER;
		subject->origin =
			claim->origin[0] != '\0' ? oev_life_name_id(audit, scan->life, claim->origin) : 0;
		scan->has_any_app |= claim->app_id == OC_APP_ANY;
		find_versions(audit, scan->life, subject);
	}
	if (count > 1)
		qsort(scan->subjects, count, sizeof(*scan->subjects), by_key);
	for (size_t i = 0; rc == OC_OK && i < count; i++) {
		struct oev_subject *subject = &scan->subjects[i];
		subject->is_last = i + 1 == count || subject[1].key != subject->key;
		if (i == 0 || subject[-1].key != subject->key)
			rc = oev_index_put(&scan->subject_at, subject->key, i + 1);
	}
	return rc;
}

struct oev_subject *oev_subjects_of(const struct oev_scan *scan, uint32_t name, uint32_t app_id)
{
	uint64_t at = name != 0 && (app_id != OC_APP_ANY || scan->has_any_app)
			      ? oev_index_get(&scan->subject_at, oev_subject_key(name, app_id))
			      : 0;

	return at != 0 ? &scan->subjects[at - 1] : NULL;
}

struct oev_version *oev_subject_begun(struct oev_subject *subject, enum oev_subject_use use, uint64_t mono_ns)
{
	uint32_t low = 0, high = subject->count;

	if (mono_ns >= subject->begun[use].from_ns && mono_ns < subject->begun[use].until_ns)
		return subject->begun[use].version;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (subject->versions[mid].from_ns <= mono_ns)
			low = mid + 1;
		else
			high = mid;
	}
	subject->begun[use].version = low > 0 ? &subject->versions[low - 1] : NULL;
	subject->begun[use].from_ns = low > 0 ? subject->versions[low - 1].from_ns : 0;
	subject->begun[use].until_ns = low < subject->count ? subject->versions[low].from_ns : UINT64_MAX;
	return subject->begun[use].version;
}
