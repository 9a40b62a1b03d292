/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Expectations about messages as they left the agent: what the next hop or the client reads in their octets.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/wire/oc_avp_walk.h"
#include "scn_command.h"

/* One value in words: texts and numbers alike, "none" when it is not there. */
struct found {
	char text[OC_IDENT_MAX + 1];
};

static void found_number(struct found *f, bool is_there, uint64_t value)
{
	snprintf(f->text, sizeof(f->text), is_there ? "%" PRIu64 : "none", value);
}

static void found_name(struct scn_world *w, struct found *f, bool is_there, uint32_t name)
{
	snprintf(f->text, sizeof(f->text), "%s", is_there ? oc_names_text(w->names, name) : "none");
}

static bool number_is(uint64_t value, uint64_t wanted, uint64_t slack)
{
	return (value > wanted ? value - wanted : wanted - value) <= slack;
}

/* Whether @found is @wanted, which may be a number in another base, less or more @slack, or a name without its domain. */
static bool is_found(struct scn_world *w, const struct found *found, const char *wanted, uint64_t slack)
{
	char *end = NULL;

	if (strcmp(found->text, wanted) == 0)
		return true;
	unsigned long long number = strtoull(wanted, &end, 0);
	if (*wanted && !*end && found->text[0] >= '0' && found->text[0] <= '9')
		return number_is(strtoull(found->text, NULL, 10), number, slack);
	return *end && strcmp(found->text, oc_names_text(w->names, scn_name(w, wanted))) == 0;
}

static uint32_t count_of(const struct scn_left *left, uint32_t code)
{
	struct oc_bytes octets = { .data = left->wire.data + 20, .len = left->wire.len - 20 };
	struct oc_avp_walk walk = oc_avp_walk_of(octets);
	struct oc_avp avp;
	uint32_t count = 0;

	while (oc_avp_walk_next_base(&walk, &avp))
		count += oc_avp_code(&avp) == code;
	return count;
}

static const struct oc_olr *olr_of(const struct oc_msg *msg, const char *type)
{
	for (uint32_t i = 0; i < msg->olr_count; i++)
		if (msg->olr[i].type == scn_type(type))
			return &msg->olr[i];
	return NULL;
}

static const struct oc_load_avp *load_of(const struct oc_msg *msg, const char *type)
{
	uint32_t number = type[0] == 'P' ? OC_LOAD_PEER : OC_LOAD_HOST;

	for (uint32_t i = 0; i < msg->load_count; i++)
		if ((msg->load[i].has & OC_LOAD_HAS_TYPE) && msg->load[i].type == number)
			return &msg->load[i];
	return NULL;
}

/* Octets of the OC-OLR of @type are those of the answer before. */
static bool is_same_olr(struct scn_world *w, const char *type)
{
	const struct oc_olr *now = olr_of(&w->answer.msg, type);
	const struct oc_olr *then = olr_of(&w->before.msg, type);

	return now && then && now->raw_len == then->raw_len &&
	       memcmp(w->answer.msg.raw + now->raw_at, w->before.msg.raw + then->raw_at, now->raw_len) == 0;
}

/* FIELD of the report of TYPE; "none" and "same" stand for the whole report. */
static bool find_olr(struct scn_world *w, const struct scn_left *left, const char *type, const char *field,
		     struct found *f)
{
	const struct oc_olr *olr = olr_of(&left->msg, type);
	uint8_t has = olr ? olr->has : 0;

	if (strcmp(field, "none") == 0)
		snprintf(f->text, sizeof(f->text), "%s", olr ? "there" : "none");
	else if (strcmp(field, "same") == 0)
		snprintf(f->text, sizeof(f->text), "%s", is_same_olr(w, type) ? "same" : "different");
	else if (strcmp(field, "seq") == 0)
		found_number(f, has & OC_OLR_HAS_SEQUENCE, olr ? olr->sequence : 0);
	else if (strcmp(field, "pct") == 0)
		found_number(f, has & OC_OLR_HAS_REDUCTION, olr ? olr->reduction_pct : 0);
	else if (strcmp(field, "validity") == 0)
		found_number(f, has & OC_OLR_HAS_VALIDITY, olr ? olr->validity_s : 0);
	else if (strcmp(field, "rate") == 0)
		found_number(f, has & OC_OLR_HAS_RATE, olr ? olr->rate_rps : 0);
	else if (strcmp(field, "sid") == 0)
		found_name(w, f, has & OC_OLR_HAS_SOURCE, olr ? olr->source : 0);
	else
		return false;
	return true;
}

static bool find_load(struct scn_world *w, const struct scn_left *left, const char *type, const char *field,
		      struct found *f)
{
	const struct oc_load_avp *load = load_of(&left->msg, type);
	uint8_t has = load ? load->has : 0;

	if (strcmp(field, "none") == 0)
		snprintf(f->text, sizeof(f->text), "%s", load ? "there" : "none");
	else if (strcmp(field, "value") == 0)
		found_number(f, has & OC_LOAD_HAS_VALUE, load ? load->value : 0);
	else if (strcmp(field, "sid") == 0)
		found_name(w, f, has & OC_LOAD_HAS_SOURCE, load ? load->source : 0);
	else
		return false;
	return true;
}

/* A run of octets, as hexadecimal. */
static bool has_octets(const struct scn_left *left, const char *hex)
{
	struct help_wire wanted = { .len = 0 };

	help_wire_hex(&wanted, hex);
	for (size_t at = 0; at + wanted.len <= left->wire.len; at++)
		if (memcmp(left->wire.data + at, wanted.data, wanted.len) == 0)
			return true;
	return false;
}

/* Fields that are one word. */
static bool find(struct scn_world *w, const struct scn_left *left, const char *what, struct found *f)
{
	const struct oc_msg *msg = &left->msg;
	const struct oc_caps *caps = &msg->caps;

	if (strcmp(what, "sf") == 0 && (caps->has & OC_CAPS_PRESENT) && !(caps->has & OC_CAPS_HAS_VECTOR))
		snprintf(f->text, sizeof(f->text), "empty");
	else if (strcmp(what, "sf") == 0)
		found_number(f, caps->has & OC_CAPS_PRESENT, caps->vector);
	else if (strcmp(what, "sfs") == 0)
		found_number(f, true, count_of(left, OC_AVP_SUPPORTED_FEATURES));
	else if (strcmp(what, "sid") == 0)
		found_name(w, f, caps->has & OC_CAPS_HAS_SOURCE, caps->source);
	else if (strcmp(what, "pa") == 0)
		found_number(f, caps->has & OC_CAPS_HAS_PEER_ALGO, caps->peer_algo);
	else if (strcmp(what, "olrs") == 0)
		found_number(f, true, count_of(left, OC_AVP_OLR));
	else if (strcmp(what, "loads") == 0)
		found_number(f, true, count_of(left, OC_AVP_LOAD));
	else if (strcmp(what, "drmp") == 0)
		found_number(f, count_of(left, OC_AVP_DRMP) != 0, msg->drmp);
	else if (strcmp(what, "result") == 0)
		found_number(f, true, msg->result_code);
	else if (strcmp(what, "host") == 0)
		found_name(w, f, true, msg->origin_host);
	else
		return false;
	return true;
}

/* What the message holds, for who reads a failure. */
static void describe(struct scn_world *w, const struct scn_left *left, char *out, size_t size)
{
	const struct oc_msg *msg = &left->msg;
	struct found sf, sid, pa, drmp;
	int at;

	(void)find(w, left, "sf", &sf);
	(void)find(w, left, "sid", &sid);
	(void)find(w, left, "pa", &pa);
	(void)find(w, left, "drmp", &drmp);
	at = snprintf(out, size, "sf %.20s sid %.40s pa %.20s drmp %.5s", sf.text, sid.text, pa.text,
		      drmp.text);
	for (uint32_t i = 0; i < msg->olr_count && at > 0 && (size_t)at < size; i++) {
		const struct oc_olr *o = &msg->olr[i];
		at += snprintf(out + at, size - (size_t)at, " [olr %u seq %" PRIu64 " pct %u rate %u for %u]",
			       o->type, o->sequence, o->reduction_pct, o->rate_rps, o->validity_s);
	}
	for (uint32_t i = 0; i < msg->load_count && at > 0 && (size_t)at < size; i++)
		at += snprintf(out + at, size - (size_t)at, " [load %u %" PRIu64 " of %.40s]",
			       msg->load[i].type, msg->load[i].value,
			       oc_names_text(w->names, msg->load[i].source));
}

static int tell(struct scn_world *w, const struct scn_left *left, const char *what, const char *found,
		char *error, size_t size)
{
	int at = snprintf(error, size, "%.20s: found %.60s; there is: ", what, found);

	if (at > 0 && (size_t)at < size)
		describe(w, left, error + at, size - (size_t)at);
	return -1;
}

int scn_expect_left(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	const struct scn_left *left = strcmp(words->word[1], "request") == 0 ? &w->request : &w->answer;
	const char *what = words->word[2];
	const char *last = words->word[words->count - 1];
	bool has_slack = strncmp(last, "+-", 2) == 0;
	const char *wanted = has_slack ? words->word[words->count - 2] : last;
	uint64_t slack = has_slack ? strtoull(last + 2, NULL, 0) : 0;
	struct found f;

	if (words->count < 4 || left->wire.len == 0)
		return -1;
	if (strcmp(what, "octets") == 0 || strcmp(what, "no-octets") == 0) {
		bool is_there = has_octets(left, wanted);
		return is_there == (what[0] == 'o') ? 0 : tell(w, left, what, "else", error, size);
	}
	if (strcmp(what, "olr") == 0 || strcmp(what, "load") == 0) {
		bool is_olr = what[0] == 'o';
		if (words->count < 5 ||
		    !(is_olr ? find_olr : find_load)(w, left, words->word[3], words->word[4], &f))
			return -1;
	} else if (!find(w, left, what, &f)) {
		return -1;
	}
	return is_found(w, &f, wanted, slack) ? 0 : tell(w, left, what, f.text, error, size);
}
