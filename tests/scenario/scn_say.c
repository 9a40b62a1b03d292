/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * OC-Supported-Features and OC-OLR of a story, odd ones too: the agent's own encoder would refuse to write those.
 */
#include "scn_say.h"

#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_octets.h"
#include "scn_world.h"

#define AVP_UNKNOWN 99999u
#define CHILDREN_MAX 16u

static uint64_t value_of(const char *option, const char *key, bool *is_it)
{
	size_t len = strlen(key);

	*is_it = strncmp(option, key, len) == 0 && option[len] == '=';
	return *is_it ? strtoull(option + len + 1, NULL, 0) : 0;
}

static bool caps_option(struct scn_world *w, const char *option, struct scn_caps *out)
{
	bool is_it;

	uint64_t number = value_of(option, "pa", &is_it);
	if (is_it) {
		out->has_peer_algo = true;
		out->peer_algo = number;
		return true;
	}
	if (strncmp(option, "sid=", 4) == 0)
		return (out->source = scn_identity(w, option + 4)) != NULL;
	if (strcmp(option, "extra") == 0)
		return (out->has_extra = true);
	return strcmp(option, "twice") == 0 && (out->is_repeated = true);
}

bool scn_caps_read(struct scn_world *w, const char *text, struct scn_caps *out)
{
	char copy[256] = "";
	char *part[8];

	*out = (struct scn_caps){ 0 };
	strncpy(copy, text, sizeof(copy) - 1);
	/* In a mix of kinds the comma has another meaning. */
	for (char *at = strchr(copy, ';'); at; at = strchr(at, ';'))
		*at = ',';
	int count = scn_parts(copy, ',', part, 8);
	if (strcmp(part[0], "empty") == 0) {
		out->kind = SCN_CAPS_EMPTY;
	} else if (strcmp(part[0], "bad") == 0) {
		out->kind = SCN_CAPS_BAD;
	} else if (strcmp(part[0], "0") != 0) {
		out->kind = SCN_CAPS_VECTOR;
		out->vector = strcmp(part[0], "zero") == 0 ? 0 : strtoull(part[0], NULL, 0);
	}
	for (int i = 1; i < count; i++)
		if (!caps_option(w, part[i], out))
			return false;
	return true;
}

/* An inner AVP whose length runs over the end of its group. */
static void put_defect(struct help_wire *wire)
{
	help_wire_hex(wire, "0000026e00000fff");
}

void scn_caps_build(const struct scn_caps *caps, struct help_wire *wire)
{
	struct help_wire inner = { .len = 0 };

	if (caps->kind == SCN_CAPS_NONE)
		return;
	if (caps->kind == SCN_CAPS_VECTOR)
		help_wire_u64(&inner, OC_AVP_FEATURE_VECTOR, caps->vector);
	if (caps->has_extra)
		help_wire_text(&inner, AVP_UNKNOWN, "kept");
	if (caps->source)
		help_wire_text(&inner, OC_AVP_SOURCE_ID, caps->source);
	if (caps->has_peer_algo)
		help_wire_u64(&inner, OC_AVP_PEER_ALGO, caps->peer_algo);
	if (caps->kind == SCN_CAPS_BAD)
		put_defect(&inner);
	help_wire_group(wire, OC_AVP_SUPPORTED_FEATURES, &inner);
	if (caps->is_repeated)
		help_wire_group(wire, OC_AVP_SUPPORTED_FEATURES, &inner);
}

static uint32_t number_or_none(const char *text)
{
	return strcmp(text, "-") == 0 ? SCN_NONE : (uint32_t)strtoul(text, NULL, 0);
}

static bool olr_option(struct scn_world *w, const char *option, struct scn_olr *out)
{
	bool is_it;

	uint64_t number = value_of(option, "rate", &is_it);
	if (is_it) {
		out->rate = (uint32_t)number;
		return true;
	}
	if (strncmp(option, "sid=", 4) == 0)
		return (out->source = scn_identity(w, option + 4)) != NULL;
	if (strncmp(option, "spec=", 5) == 0 && out->specific_count < SCN_SPECIFICS_MAX)
		return (out->specific[out->specific_count++] = scn_keep(w, option + 5)) != NULL;
	bool *const flags[] = { &out->is_bad, &out->has_extra, &out->has_m_bit, &out->is_backward };
	static const char *const names[] = { "bad", "extra", "mbit", "backward" };
	for (unsigned i = 0; i < 4; i++)
		if (strcmp(option, names[i]) == 0)
			return (*flags[i] = true);
	return false;
}

bool scn_olr_read(struct scn_world *w, const char *text, struct scn_olr *out)
{
	char copy[512] = "";
	char *part[16];

	strncpy(copy, text, sizeof(copy) - 1);
	int count = scn_parts(copy, ',', part, 16);
	if (count < 4)
		return false;
	*out = (struct scn_olr){ .type = strcmp(part[0], "-") == 0 ? SCN_NONE : scn_type(part[0]),
				 .has_sequence = strcmp(part[1], "-") != 0,
				 .sequence = strtoull(part[1], NULL, 0),
				 .pct = number_or_none(part[2]),
				 .validity = number_or_none(part[3]),
				 .rate = SCN_NONE };
	for (int i = 4; i < count; i++)
		if (!olr_option(w, part[i], out))
			return false;
	return true;
}

/* rg:10+20;type:1+2;pct:80, each part once or not at all. */
static void put_specific(const char *text, struct help_wire *wire)
{
	struct help_wire inner = { .len = 0 };
	char copy[128] = "";
	char *part[4];
	char *number[16];

	strncpy(copy, text, sizeof(copy) - 1);
	int count = scn_parts(copy, ';', part, 4);
	for (int i = 0; i < count; i++) {
		char *value = strchr(part[i], ':');
		int numbers = value ? scn_parts(value + 1, '+', number, 16) : 0;
		for (int j = 0; j < numbers; j++) {
			uint32_t n = (uint32_t)strtoul(number[j], NULL, 0);
			if (part[i][0] == 'p')
				help_wire_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, n);
			else
				help_wire_u32_of(&inner, OC_VENDOR_3GPP,
						 part[i][0] == 'r' ? OC_AVP3_OC_RATING_GROUP
								   : OC_AVP3_OC_REQUEST_TYPE,
						 n);
		}
	}
	help_wire_avp_of(wire, OC_VENDOR_3GPP, OC_AVP3_SPECIFIC_REDUCTION, inner.data, inner.len);
}

/* Children one by one, so that they can be put in either order. */
static unsigned children_of(const struct scn_olr *olr, struct help_wire *child)
{
	unsigned n = 0;

	if (olr->has_sequence)
		help_wire_u64(&child[n++], OC_AVP_SEQUENCE_NUMBER, olr->sequence);
	if (olr->type != SCN_NONE)
		help_wire_u32(&child[n++], OC_AVP_REPORT_TYPE, olr->type);
	if (olr->pct != SCN_NONE)
		help_wire_u32(&child[n++], OC_AVP_REDUCTION_PERCENTAGE, olr->pct);
	if (olr->has_extra)
		help_wire_text(&child[n++], AVP_UNKNOWN, "kept");
	if (olr->validity != SCN_NONE)
		help_wire_u32(&child[n++], OC_AVP_VALIDITY_DURATION, olr->validity);
	if (olr->source)
		help_wire_text(&child[n++], OC_AVP_SOURCE_ID, olr->source);
	if (olr->rate != SCN_NONE)
		help_wire_u32(&child[n++], OC_AVP_MAXIMUM_RATE, olr->rate);
	for (uint32_t i = 0; i < olr->specific_count; i++)
		put_specific(olr->specific[i], &child[n++]);
	if (olr->is_bad)
		put_defect(&child[n++]);
	return n;
}

void scn_olr_build(const struct scn_olr *olr, struct help_wire *wire)
{
	static struct help_wire child[CHILDREN_MAX];
	struct help_wire inner = { .len = 0 };

	for (unsigned i = 0; i < CHILDREN_MAX; i++)
		child[i].len = 0;
	unsigned count = children_of(olr, child);
	for (unsigned i = 0; i < count; i++) {
		struct help_wire *c = &child[olr->is_backward ? count - 1 - i : i];
		c->data[4] |= olr->has_m_bit ? 0x40 : 0;
		memcpy(inner.data + inner.len, c->data, c->len);
		inner.len += c->len;
	}
	help_wire_group(wire, OC_AVP_OLR, &inner);
}
