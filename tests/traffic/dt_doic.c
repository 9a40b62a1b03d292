/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Overload AVPs read and written.
 */
#include "dt_doic.h"

#include <string.h>
#include <strings.h>

static bool take_u32(const struct dt_avp *avp, uint32_t *value)
{
	if (avp->len == 4)
		*value = dt_get_u32(avp->data);
	return avp->len == 4;
}

static bool take_u64(const struct dt_avp *avp, uint64_t *value)
{
	if (avp->len == 8)
		*value = (uint64_t)dt_get_u32(avp->data) << 32 | dt_get_u32(avp->data + 4);
	return avp->len == 8;
}

static struct dt_text take_text(const struct dt_avp *avp)
{
	return (struct dt_text){ .data = avp->data, .len = avp->len };
}

/* The next child of vendor 0; false at the end. */
static bool next_child(struct dt_iter *it, struct dt_avp *avp)
{
	while (dt_avp_next(it, avp) == 1) {
		if (avp->vendor == 0)
			return true;
	}
	return false;
}

void dt_features_read(const struct dt_avp *group, struct dt_features *features)
{
	struct dt_iter it;
	struct dt_avp avp;

	*features = (struct dt_features){ 0 };
	dt_iter_avps(&it, group->data, group->len);
	while (next_child(&it, &avp)) {
		if (avp.code == OC_AVP_FEATURE_VECTOR)
			features->has_vector = take_u64(&avp, &features->vector);
		else if (avp.code == OC_AVP_PEER_ALGO)
			features->has_peer_algo = take_u64(&avp, &features->peer_algo);
		else if (avp.code == OC_AVP_SOURCE_ID)
			features->source = take_text(&avp);
	}
}

void dt_olr_read(const struct dt_avp *group, struct dt_olr *olr)
{
	struct dt_iter it;
	struct dt_avp avp;

	*olr = (struct dt_olr){ 0 };
	dt_iter_avps(&it, group->data, group->len);
	while (next_child(&it, &avp)) {
		if (avp.code == OC_AVP_SEQUENCE_NUMBER)
			olr->has_sequence = take_u64(&avp, &olr->sequence);
		else if (avp.code == OC_AVP_REPORT_TYPE)
			olr->has_type = take_u32(&avp, &olr->type);
		else if (avp.code == OC_AVP_REDUCTION_PERCENTAGE)
			olr->has_reduction = take_u32(&avp, &olr->reduction_pct);
		else if (avp.code == OC_AVP_VALIDITY_DURATION)
			olr->has_validity = take_u32(&avp, &olr->validity_s);
		else if (avp.code == OC_AVP_MAXIMUM_RATE)
			olr->has_rate = take_u32(&avp, &olr->rate_rps);
		else if (avp.code == OC_AVP_SOURCE_ID)
			olr->source = take_text(&avp);
	}
}

void dt_load_read(const struct dt_avp *group, struct dt_load *load)
{
	struct dt_iter it;
	struct dt_avp avp;

	*load = (struct dt_load){ 0 };
	dt_iter_avps(&it, group->data, group->len);
	while (next_child(&it, &avp)) {
		if (avp.code == OC_AVP_LOAD_TYPE)
			load->has_type = take_u32(&avp, &load->type);
		else if (avp.code == OC_AVP_LOAD_VALUE)
			load->has_value = take_u64(&avp, &load->value);
		else if (avp.code == OC_AVP_SOURCE_ID)
			load->source = take_text(&avp);
	}
}

enum dt_olr_type dt_olr_kind(const struct dt_olr *olr)
{
	return olr->has_type && olr->type < DT_OLR_OTHER ? (enum dt_olr_type)olr->type : DT_OLR_OTHER;
}

enum dt_load_type dt_load_kind(const struct dt_load *load)
{
	return load->has_type && load->type < DT_LOAD_OTHER ? (enum dt_load_type)load->type : DT_LOAD_OTHER;
}

void dt_put_features(struct dt_out *out, uint64_t vector, const char *source, uint64_t peer_algo)
{
	size_t group = dt_group_begin(out, OC_AVP_SUPPORTED_FEATURES | DT_OPTIONAL, 0);
	if (vector)
		dt_put_u64(out, OC_AVP_FEATURE_VECTOR | DT_OPTIONAL, 0, vector);
	if (source)
		dt_put_text(out, OC_AVP_SOURCE_ID | DT_OPTIONAL, 0, source);
	if (peer_algo)
		dt_put_u64(out, OC_AVP_PEER_ALGO | DT_OPTIONAL, 0, peer_algo);
	dt_group_end(out, group);
}

void dt_put_load(struct dt_out *out, enum dt_load_type type, uint64_t value, const char *source)
{
	size_t group = dt_group_begin(out, OC_AVP_LOAD | DT_OPTIONAL, 0);
	dt_put_u32(out, OC_AVP_LOAD_TYPE | DT_OPTIONAL, 0, (uint32_t)type);
	dt_put_u64(out, OC_AVP_LOAD_VALUE | DT_OPTIONAL, 0, value);
	if (source)
		dt_put_text(out, OC_AVP_SOURCE_ID | DT_OPTIONAL, 0, source);
	dt_group_end(out, group);
}

bool dt_text_is(const struct dt_text *text, const char *name)
{
	return text->data && strlen(name) == text->len &&
	       strncasecmp((const char *)text->data, name, text->len) == 0;
}
