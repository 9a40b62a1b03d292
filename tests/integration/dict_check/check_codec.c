/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Encodes and parses the byte vectors TV1..TV8 with the daemon's own message functions.
 */
#include <freeDiameter/extension.h>
#include <stdbool.h>
#include <stdint.h>

#include "dict_check.h"

#define HEADER_OCTETS 20u
#define LEAVES_MAX 5u
#define OCTETS_MAX 256u

struct leaf {
	uint32_t code; /* 0 ends the list */
	uint64_t number;
	const char *text; /* for SourceID */
};

struct vector {
	const char *id;
	const char *hex;
	uint32_t code;
	struct leaf leaves[LEAVES_MAX + 1];
};

#define AGENT1 "agent1.example.net"

static const struct vector vectors[] = {
	{ "TV1", "0000026d00000008", 621, { { 0 } } },
	{ "TV2", "0000026d000000180000026e000000100000000000000001", 621, { { 622, 0x1, NULL } } },
	{ "TV3",
	  "0000026d000000340000026e000000100000000000000011000002890000001a6167656e74312e6578616d706c652e6e"
	  "65740000",
	  621,
	  { { 622, 0x11, NULL }, { 649, 0, AGENT1 } } },
	{ "TV4",
	  "0000026d000000440000026e000000100000000000000011000002890000001a6167656e74312e6578616d706c652e6e"
	  "6574000000000288000000100000000000000001",
	  621,
	  { { 622, 0x11, NULL }, { 649, 0, AGENT1 }, { 648, 1, NULL } } },
	{ "TV5",
	  "0000026f0000003c00000270000000100000000000000007000002720000000c00000000000002730000000c00000019"
	  "000002710000000c0000003c",
	  623,
	  { { 624, 7, NULL }, { 626, 0, NULL }, { 627, 25, NULL }, { 625, 60, NULL } } },
	{ "TV6",
	  "0000026f0000003c00000270000000100000000000000008000002720000000c00000000000002730000000c00000000"
	  "000002710000000c00000000",
	  623,
	  { { 624, 8, NULL }, { 626, 0, NULL }, { 627, 0, NULL }, { 625, 0, NULL } } },
	{ "TV7",
	  "0000026f0000003000000270000000100000000000000001000002720000000c00000001000002730000000c00000064",
	  623,
	  { { 624, 1, NULL }, { 626, 1, NULL }, { 627, 100, NULL } } },
	{ "TV8",
	  "0000026f0000005800000270000000100000000000000003000002720000000c00000002000002730000000c0000000a"
	  "000002710000000c00000078000002890000001a6167656e74312e6578616d706c652e6e65740000",
	  623,
	  { { 624, 3, NULL }, { 626, 2, NULL }, { 627, 10, NULL }, { 625, 120, NULL }, { 649, 0, AGENT1 } } },
};

static size_t octets_of(const char *hex, uint8_t out[static OCTETS_MAX])
{
	size_t len = strlen(hex) / 2;

	for (size_t i = 0; i < len; i++) {
		char pair[3] = { hex[2 * i], hex[2 * i + 1], 0 };

		out[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return len;
}

/* The base type of vendor 0 AVP @code, and its object in @model; -1 when undefined. */
static int base_type(uint32_t code, struct dict_object **model)
{
	struct dict_avp_data data;

	if (fd_dict_search(fd_g_config->cnf_dict, DICT_AVP, AVP_BY_CODE, &code, model, ENOENT) != 0)
		return -1;
	return fd_dict_getval(*model, &data) == 0 ? (int)data.avp_basetype : -1;
}

/* A new AVP for @leaf, NULL when the dictionary cannot make it. */
static struct avp *avp_from(const struct leaf *leaf)
{
	union avp_value value = { 0 };
	struct dict_object *model = NULL;
	struct avp *avp = NULL;

	switch (base_type(leaf->code, &model)) {
	case AVP_TYPE_INTEGER32:
		value.i32 = (int32_t)leaf->number;
		break;
	case AVP_TYPE_UNSIGNED32:
		value.u32 = (uint32_t)leaf->number;
		break;
	case AVP_TYPE_UNSIGNED64:
		value.u64 = leaf->number;
		break;
	case AVP_TYPE_OCTETSTRING:
		value.os.data = (uint8_t *)(uintptr_t)leaf->text;
		value.os.len = leaf->text ? strlen(leaf->text) : 0;
		break;
	default:
		return NULL;
	}
	if (fd_msg_avp_new(model, 0, &avp) != 0 || fd_msg_avp_setvalue(avp, &value) != 0)
		return NULL;
	return avp;
}

/* A message holding the group @code with @leaves; NULL when it cannot be made. Caller frees. */
static struct msg *message_with(uint32_t code, const struct leaf *leaves)
{
	struct dict_object *model = NULL;
	struct avp *group = NULL;
	struct msg *msg = NULL;

	if (base_type(code, &model) != AVP_TYPE_GROUPED || fd_msg_new(NULL, 0, &msg) != 0)
		return NULL;
	if (fd_msg_avp_new(model, 0, &group) != 0 || fd_msg_avp_add(msg, MSG_BRW_LAST_CHILD, group) != 0)
		goto fail;
	for (; leaves->code != 0; leaves++) {
		struct avp *leaf = avp_from(leaves);

		if (!leaf || fd_msg_avp_add(group, MSG_BRW_LAST_CHILD, leaf) != 0)
			goto fail;
	}
	return msg;
fail:
	fd_msg_free(msg);
	return NULL;
}

static bool encodes(const struct vector *vector)
{
	uint8_t expected[OCTETS_MAX];
	size_t len = octets_of(vector->hex, expected);
	struct msg *msg = message_with(vector->code, vector->leaves);
	uint8_t *octets = NULL;
	size_t octets_len = 0;
	bool same = false;

	if (!msg)
		return false;
	if (fd_msg_bufferize(msg, &octets, &octets_len) == 0)
		same = octets_len == HEADER_OCTETS + len &&
		       memcmp(octets + HEADER_OCTETS, expected, len) == 0;
	free(octets);
	fd_msg_free(msg);
	return same;
}

static bool leaf_is(struct avp *avp, const struct leaf *leaf)
{
	struct avp_hdr *header = NULL;
	struct dict_object *model = NULL;

	if (fd_msg_avp_hdr(avp, &header) != 0 || header->avp_code != leaf->code || !header->avp_value)
		return false;
	switch (base_type(leaf->code, &model)) {
	case AVP_TYPE_INTEGER32:
		return header->avp_value->i32 == (int32_t)leaf->number;
	case AVP_TYPE_UNSIGNED32:
		return header->avp_value->u32 == leaf->number;
	case AVP_TYPE_UNSIGNED64:
		return header->avp_value->u64 == leaf->number;
	case AVP_TYPE_OCTETSTRING:
		return leaf->text && header->avp_value->os.len == strlen(leaf->text) &&
		       memcmp(header->avp_value->os.data, leaf->text, strlen(leaf->text)) == 0;
	default:
		return false;
	}
}

/* A message as received, of @len AVP octets; NULL when the daemon refuses it. Caller frees. */
static struct msg *message_received(const uint8_t *avps, size_t len)
{
	size_t total = HEADER_OCTETS + len;
	uint8_t *octets = calloc(1, total);
	struct msg *msg = NULL;

	if (!octets)
		return NULL;
	octets[0] = 1; /* version */
	octets[2] = (uint8_t)(total >> 8);
	octets[3] = (uint8_t)total;
	memcpy(octets + HEADER_OCTETS, avps, len);
	if (fd_msg_parse_buffer(&octets, total, &msg) == 0)
		return msg;
	free(octets);
	return NULL;
}

static bool parses(const struct vector *vector)
{
	uint8_t expected[OCTETS_MAX];
	size_t len = octets_of(vector->hex, expected);
	struct msg *msg = message_received(expected, len);
	const struct leaf *leaf = vector->leaves;
	struct avp *group = NULL;
	struct avp *avp = NULL;
	bool same = false;

	if (!msg)
		return false;
	if (fd_msg_browse(msg, MSG_BRW_FIRST_CHILD, &group, NULL) != 0 || !group)
		goto out;
	if (fd_msg_parse_dict(group, fd_g_config->cnf_dict, NULL) != 0)
		goto out;
	fd_msg_browse(group, MSG_BRW_FIRST_CHILD, &avp, NULL);
	while (avp && leaf->code != 0 && leaf_is(avp, leaf)) {
		leaf++;
		fd_msg_browse(avp, MSG_BRW_NEXT, &avp, NULL);
	}
	same = !avp && leaf->code == 0;
out:
	fd_msg_free(msg);
	return same;
}

void dict_check_vectors(FILE *out)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		fprintf(out, "%s %s\n", vectors[i].id, encodes(&vectors[i]) ? "encodes" : "FAILED to encode");
		fprintf(out, "%s %s\n", vectors[i].id, parses(&vectors[i]) ? "parses" : "FAILED to parse");
	}
}

void dict_check_rules(FILE *out)
{
	static const struct {
		const char *what;
		struct leaf leaves[LEAVES_MAX + 1];
	} groups[] = {
		{ "sequence and type", { { 624, 1, NULL }, { 626, 0, NULL } } },
		{ "type before sequence", { { 626, 0, NULL }, { 624, 1, NULL } } },
		{ "rate", { { 624, 1, NULL }, { 626, 0, NULL }, { 670, 90, NULL } } },
		{ "no sequence", { { 626, 0, NULL }, { 627, 10, NULL } } },
		{ "no type", { { 624, 1, NULL }, { 627, 10, NULL } } },
		{ "two percentages",
		  { { 624, 1, NULL }, { 626, 0, NULL }, { 627, 1, NULL }, { 627, 2, NULL } } },
	};

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		struct msg *msg = message_with(623, groups[i].leaves);
		struct avp *group = NULL;

		if (!msg || fd_msg_browse(msg, MSG_BRW_FIRST_CHILD, &group, NULL) != 0)
			fprintf(out, "OC-OLR with %s: FAILED to build\n", groups[i].what);
		else
			fprintf(out, "OC-OLR with %s: %s\n", groups[i].what,
				fd_msg_parse_rules(group, fd_g_config->cnf_dict, NULL) == 0 ? "accepted"
											    : "refused");
		if (msg)
			fd_msg_free(msg);
	}
}

/* OC-OLR with sequence 5, type host and one 3GPP-OC-Specific-Reduction: rating groups 10 and 20, initial requests, 80 %. */
static const char specific_report[] = "0000026f0000006c"
				      "00000270000000100000000000000005"
				      "000002720000000c00000000"
				      "0000052880000048000028af"
				      "0000052980000010000028af0000000a"
				      "0000052980000010000028af00000014"
				      "0000052a80000010000028af00000001"
				      "000002730000000c00000050";

/* Whether the children of @group have these @count codes and values, in order. */
static bool children_are(struct avp *group, const uint32_t (*wanted)[2], size_t count)
{
	struct avp *avp = NULL;
	struct avp_hdr *header = NULL;
	size_t i = 0;

	fd_msg_browse(group, MSG_BRW_FIRST_CHILD, &avp, NULL);
	for (; avp && i < count; i++) {
		if (fd_msg_avp_hdr(avp, &header) != 0 || header->avp_code != wanted[i][0] ||
		    !header->avp_value || header->avp_value->u32 != wanted[i][1])
			return false;
		fd_msg_browse(avp, MSG_BRW_NEXT, &avp, NULL);
	}
	return !avp && i == count;
}

void dict_check_specific(FILE *out)
{
	static const uint32_t wanted[][2] = { { 1321, 10 }, { 1321, 20 }, { 1322, 1 }, { 627, 80 } };
	uint8_t octets[OCTETS_MAX];
	size_t len = octets_of(specific_report, octets);
	struct msg *msg = message_received(octets, len);
	struct avp *report = NULL;
	struct avp *reduction = NULL;
	bool is_whole = false;

	if (msg && fd_msg_browse(msg, MSG_BRW_FIRST_CHILD, &report, NULL) == 0 && report &&
	    fd_msg_parse_dict(report, fd_g_config->cnf_dict, NULL) == 0 &&
	    fd_msg_browse(report, MSG_BRW_LAST_CHILD, &reduction, NULL) == 0 && reduction)
		is_whole = children_are(reduction, wanted, sizeof(wanted) / sizeof(wanted[0])) &&
			   fd_msg_parse_rules(report, fd_g_config->cnf_dict, NULL) == 0;
	fprintf(out, "specific reduction %s\n", is_whole ? "parses" : "FAILED to parse");
	if (msg)
		fd_msg_free(msg);
}
