/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Answers of a story: read from words, written as octets.
 */
#include "scn_say.h"

#include <stdlib.h>
#include <string.h>

#include "scn_world.h"

void scn_answer_init(struct scn_answer *answer)
{
	*answer = (struct scn_answer){ .result = OC_RC_SUCCESS,
				       .experimental = SCN_NONE,
				       .caps = { .kind = SCN_CAPS_VECTOR, .vector = OC_FV_LOSS },
				       .drmp = SCN_NONE };
}

/* TYPE,NAME,VALUE; "-" leaves a part out. */
static bool load_read(struct scn_world *w, const char *text, struct scn_load *out)
{
	char copy[128] = "";
	char *part[3];

	strncpy(copy, text, sizeof(copy) - 1);
	if (scn_parts(copy, ',', part, 3) != 3)
		return false;
	*out = (struct scn_load){ .type = part[0][0] == '-'   ? SCN_NONE
					  : part[0][0] == 'H' ? OC_LOAD_HOST
					  : part[0][0] == 'P' ? OC_LOAD_PEER
							      : (uint32_t)strtoul(part[0], NULL, 0),
				  .source = part[1][0] == '-' ? NULL : scn_identity(w, part[1]),
				  .has_value = part[2][0] != '-',
				  .value = strtoull(part[2], NULL, 0) };
	return true;
}

static bool read_lists(struct scn_world *w, const struct scn_words *words, struct scn_answer *out)
{
	for (int i = 1; i < words->count; i++) {
		const char *word = words->word[i];
		if (strncmp(word, "olr=", 4) == 0 &&
		    (out->olr_count == SCN_OLRS_MAX ||
		     !scn_olr_read(w, word + 4, &out->olrs[out->olr_count++])))
			return false;
		if (strncmp(word, "load=", 5) == 0 &&
		    (out->load_count == SCN_LOADS_MAX ||
		     !load_read(w, word + 5, &out->loads[out->load_count++])))
			return false;
	}
	return true;
}

bool scn_answer_read(struct scn_world *w, const struct scn_words *words, struct scn_answer *out)
{
	const char *sf = scn_words_get(words, "sf", 1);
	const char *host = scn_words_get(words, "host", 1);
	const char *realm = scn_words_get(words, "realm", 1);

	scn_answer_init(out);
	out->host = host ? scn_identity(w, host) : NULL;
	out->realm = realm ? scn_identity(w, realm) : NULL;
	scn_words_u32(words, "result", &out->result);
	scn_words_u32(words, "experimental", &out->experimental);
	scn_words_u32(words, "drmp", &out->drmp);
	return (!sf || scn_caps_read(w, sf, &out->caps)) && read_lists(w, words, out);
}

static void put_result(const struct scn_answer *answer, struct help_wire *wire)
{
	struct help_wire inner = { .len = 0 };

	if (answer->experimental == SCN_NONE) {
		help_wire_u32(wire, OC_AVP_RESULT_CODE, answer->result);
		return;
	}
	help_wire_u32(&inner, OC_AVP_EXPERIMENTAL_RESULT_CODE, answer->experimental);
	help_wire_group(wire, OC_AVP_EXPERIMENTAL_RESULT, &inner);
}

void scn_answer_build(const struct scn_answer *answer, uint32_t app_id, uint32_t command,
		      struct help_wire *wire)
{
	/* 3xxx answers carry the E bit (RFC 6733 section 7.1.3). */
	uint8_t error = answer->result / 1000 == 3 ? OC_FLAG_ERROR : 0;

	help_wire_begin_command(wire, (uint8_t)(OC_FLAG_PROXIABLE | error), command, app_id);
	put_result(answer, wire);
	help_wire_text(wire, OC_AVP_ORIGIN_HOST, answer->host);
	help_wire_text(wire, OC_AVP_ORIGIN_REALM, answer->realm);
	if (answer->drmp != SCN_NONE)
		help_wire_u32(wire, OC_AVP_DRMP, answer->drmp);
	scn_caps_build(&answer->caps, wire);
	for (uint32_t i = 0; i < answer->olr_count; i++)
		scn_olr_build(&answer->olrs[i], wire);
	for (uint32_t i = 0; i < answer->load_count; i++) {
		const struct scn_load *load = &answer->loads[i];
		help_wire_load(wire, load->type == SCN_NONE ? HELP_ABSENT : load->type,
			       load->has_value ? load->value : HELP_ABSENT, load->source);
	}
	help_wire_end(wire);
}
