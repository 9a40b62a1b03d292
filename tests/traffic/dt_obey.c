/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Overload control state of a plain reacting node.
 */
#include "dt_obey.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dt_base.h"
#include "dt_bucket.h"

#define SECOND_NS 1000000000ull
#define VALIDITY_DEFAULT_S 30u /* RFC 7683 section 7.5 */
#define VALIDITY_MAX_S 86400u
#define MEMORY_NS (30 * SECOND_NS)	 /* an ended entry still refuses old sequence numbers that long */
#define WRAP_TOP 18262276632972456099ull /* within 1 % of the top, and of the bottom */
#define WRAP_BOTTOM 184467440737095516ull

struct entry {
	enum dt_olr_type type;
	uint32_t app_id;
	uint32_t name_len;
	char name[DT_NAME_MAX];
	uint64_t sequence;
	uint64_t expires_ns; /* not in force from then on */
	uint64_t forget_ns;  /* free from then on */
	bool is_rate;
	uint32_t reduction_pct;
	struct dt_bucket bucket;
};

struct dt_obey {
	struct dt_rng rng;
	struct dt_obey_counts counts;
	uint32_t count;
	struct entry entry[DT_OBEY_MAX];
};

struct dt_obey *dt_obey_new(uint64_t seed)
{
	struct dt_obey *obey = calloc(1, sizeof(*obey));
	if (obey)
		obey->rng.state = seed;
	return obey;
}

void dt_obey_free(struct dt_obey *obey)
{
	free(obey);
}

const struct dt_obey_counts *dt_obey_counts(const struct dt_obey *obey)
{
	return &obey->counts;
}

static struct entry *find(struct dt_obey *obey, enum dt_olr_type type, uint32_t app_id,
			  const struct dt_text *name, uint64_t now_ns)
{
	for (uint32_t i = 0; i < obey->count; i++) {
		struct entry *entry = &obey->entry[i];
		if (entry->type == type && entry->app_id == app_id && entry->name_len == name->len &&
		    now_ns < entry->forget_ns &&
		    strncasecmp(entry->name, (const char *)name->data, name->len) == 0)
			return entry;
	}
	return NULL;
}

/* NULL when there is no room. */
static struct entry *add(struct dt_obey *obey, enum dt_olr_type type, uint32_t app_id,
			 const struct dt_text *name, uint64_t now_ns)
{
	uint32_t at = 0;
	while (at < obey->count && now_ns < obey->entry[at].forget_ns)
		at++;
	if (at == DT_OBEY_MAX || name->len >= DT_NAME_MAX)
		return NULL;
	if (at == obey->count)
		obey->count++;
	struct entry *entry = &obey->entry[at];
	*entry = (struct entry){ .type = type, .app_id = app_id, .name_len = name->len };
	memcpy(entry->name, name->data, name->len);
	return entry;
}

static bool is_newer(uint64_t sequence, uint64_t stored)
{
	return sequence > stored || (stored >= WRAP_TOP && sequence <= WRAP_BOTTOM);
}

/* The algorithm the answer selected for this type of report. Two bits at once: loss, if the report is one. */
static bool selects_rate(const struct dt_features *features, enum dt_olr_type type)
{
	uint64_t bits = type == DT_OLR_PEER ? features->peer_algo : features->vector;
	return (bits & DT_FEATURE_RATE) && !(bits & DT_FEATURE_LOSS);
}

/* Whom the report is about; without data when that cannot be told. */
static struct dt_text subject(const struct dt_scan *answer, const struct dt_olr *olr)
{
	const struct dt_avp *avp = olr->type == DT_OLR_HOST ? &answer->origin : &answer->origin_realm;
	if (olr->type == DT_OLR_PEER)
		return olr->source;
	return (struct dt_text){ .data = avp->data, .len = avp->len };
}

static bool is_complete(const struct dt_olr *olr, bool is_rate)
{
	if (dt_olr_kind(olr) == DT_OLR_OTHER || !olr->has_sequence)
		return false;
	if (olr->has_validity && olr->validity_s == 0)
		return true; /* it ends; how much no longer matters */
	return is_rate ? olr->has_rate : olr->has_reduction && olr->reduction_pct <= 100;
}

static void update(struct entry *entry, const struct dt_olr *olr, bool is_rate, uint64_t now_ns)
{
	bool is_valid = olr->has_validity && olr->validity_s <= VALIDITY_MAX_S;
	uint64_t validity_ns = (is_valid ? olr->validity_s : VALIDITY_DEFAULT_S) * SECOND_NS;
	uint64_t old_end_ns = entry->expires_ns > now_ns ? entry->expires_ns : now_ns;

	if (is_rate && entry->is_rate && now_ns < entry->expires_ns)
		dt_bucket_change(&entry->bucket, olr->rate_rps);
	else
		dt_bucket_start(&entry->bucket, olr->rate_rps, now_ns);
	entry->sequence = olr->sequence;
	entry->is_rate = is_rate;
	entry->reduction_pct = olr->reduction_pct;
	entry->expires_ns = now_ns + validity_ns;
	entry->forget_ns = (validity_ns ? entry->expires_ns : old_end_ns) + MEMORY_NS;
}

static void take(struct dt_obey *obey, const struct dt_olr *olr, const struct dt_features *features,
		 const struct dt_scan *answer, uint32_t app_id, const char *peer, uint64_t now_ns)
{
	enum dt_olr_type type = dt_olr_kind(olr);
	bool is_rate = selects_rate(features, type);
	const struct dt_text name = subject(answer, olr);

	if (type == DT_OLR_PEER && (!peer || !dt_text_is(&olr->source, peer))) {
		obey->counts.foreign++;
		return;
	}
	struct entry *entry = NULL;
	if (is_complete(olr, is_rate) && name.data) {
		entry = find(obey, type, app_id, &name, now_ns);
		if (entry && !is_newer(olr->sequence, entry->sequence)) {
			obey->counts.repeated += olr->sequence == entry->sequence;
			obey->counts.old += olr->sequence != entry->sequence;
			return;
		}
		entry = entry ? entry : add(obey, type, app_id, &name, now_ns);
	}
	obey->counts.accepted += entry != NULL;
	obey->counts.useless += entry == NULL;
	if (entry)
		update(entry, olr, is_rate, now_ns);
}

void dt_obey_answer(struct dt_obey *obey, const struct dt_scan *answer, uint32_t app_id, const char *peer,
		    uint64_t now_ns)
{
	struct dt_features features;
	struct dt_olr olr;

	if (answer->sf.code == 0) {
		obey->counts.useless += answer->olrs;
		return;
	}
	dt_features_read(&answer->sf, &features);
	for (uint32_t i = 0; i < answer->olrs; i++) {
		dt_olr_read(&answer->olr[i], &olr);
		take(obey, &olr, &features, answer, app_id, peer, now_ns);
	}
}

/* Whether the entry of that identity, if there is one in force, lets a request pass. */
static bool passes(struct dt_obey *obey, enum dt_olr_type type, uint32_t app_id, struct dt_text name,
		   uint64_t now_ns)
{
	struct entry *entry = name.data ? find(obey, type, app_id, &name, now_ns) : NULL;
	if (!entry || now_ns >= entry->expires_ns)
		return true;
	if (entry->is_rate)
		return dt_bucket_admit(&entry->bucket, now_ns);
	return dt_rng_next(&obey->rng) % 100 >= entry->reduction_pct; /* RFC 7683 section 6.3 */
}

bool dt_obey_allows(struct dt_obey *obey, const struct dt_scan *request, uint32_t app_id, const char *peer,
		    uint64_t now_ns)
{
	bool has_host = request->dest_host.code != 0;
	const struct dt_avp *avp = has_host ? &request->dest_host : &request->dest_realm;
	struct dt_text dest = { .data = avp->data, .len = avp->len };
	struct dt_text hop = { .data = (const uint8_t *)peer, .len = peer ? (uint32_t)strlen(peer) : 0 };

	if (obey->count == 0)
		return true;
	return passes(obey, has_host ? DT_OLR_HOST : DT_OLR_REALM, app_id, dest, now_ns) &&
	       passes(obey, DT_OLR_PEER, app_id, hop, now_ns);
}
