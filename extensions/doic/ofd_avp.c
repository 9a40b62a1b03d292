/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Adding and removing AVPs of messages on their way, without parsing the rest of the message.
 */
#include "ofd.h"

#include <limits.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_avp.h"

/* Containers are octets to us, our encoder fills them; DRMP is a number. */
static int model(struct dictionary *dict, uint32_t code, const char *name, enum dict_avp_basetype type,
		 struct dict_object **out)
{
	struct dict_avp_data data = {
		.avp_code = code,
		.avp_vendor = 0,
		.avp_name = (char *)name,
		.avp_flag_mask = AVP_FLAG_VENDOR,
		.avp_flag_val = 0,
		.avp_basetype = type,
	};
	return fd_dict_new(dict, DICT_AVP, &data, NULL, out);
}

static int make_models(struct ofd_models *models)
{
	struct dictionary *dict = models->private_dict;
	int rc = model(dict, OC_AVP_SUPPORTED_FEATURES, "OC-Supported-Features", AVP_TYPE_OCTETSTRING,
		       &models->caps);

	if (rc == 0)
		rc = model(dict, OC_AVP_OLR, "OC-OLR", AVP_TYPE_OCTETSTRING, &models->olr);
	if (rc == 0)
		rc = model(dict, OC_AVP_LOAD, "Load", AVP_TYPE_OCTETSTRING, &models->load);
	if (rc == 0)
		rc = model(dict, OC_AVP_DRMP, "DRMP", AVP_TYPE_UNSIGNED32, &models->drmp);
	return rc;
}

/* What requests of clients without DOIC announce, without and with rate. */
static int make_usual(struct ofd_models *models, const char *identity)
{
	static const uint64_t vectors[] = { OC_FV_LOSS | OC_FV_PEER_REPORT,
					    OC_FV_LOSS | OC_FV_RATE | OC_FV_PEER_REPORT };

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		if (oc_encode_caps(&models->usual[i], vectors[i], identity, 0) != OC_OK)
			return EINVAL;
	return 0;
}

int ofd_avp_start(struct ofd_models *models, const char *identity)
{
	int rc = fd_dict_init(&models->private_dict);

	if (rc == 0)
		rc = make_usual(models, identity);
	if (rc == 0)
		rc = make_models(models);
	if (rc == 0)
		rc = fd_dict_search(fd_g_config->cnf_dict, DICT_AVP, AVP_BY_NAME, "Session-Id",
				    &models->session_id, ENOENT);
	return rc;
}

void ofd_avp_stop(struct ofd_models *models)
{
	if (models->private_dict)
		(void)fd_dict_fini(&models->private_dict);
	memset(models, 0, sizeof(*models));
}

/* The AVP borrows the octets of @usual: the host frees the octets of such a value only if it has copied them itself. */
static int borrow_value(struct avp *avp, const struct oc_group *usual)
{
	struct avp_hdr *hdr = NULL;
	int rc = fd_msg_avp_hdr(avp, &hdr);

	if (rc != 0)
		return rc;
	hdr->avp_value->os.data = (uint8_t *)usual->data;
	hdr->avp_value->os.len = usual->len;
	return 0;
}

static int copy_value(struct avp *avp, const struct oc_group *group)
{
	union avp_value value = { .os = { .data = (uint8_t *)group->data, .len = group->len } };

	return fd_msg_avp_setvalue(avp, &value);
}

static const struct oc_group *usual_like(const struct ofd_models *models, const struct oc_group *group)
{
	for (size_t i = 0; i < 2; i++) {
		const struct oc_group *usual = &models->usual[i];
		if (group->len == usual->len && memcmp(group->data, usual->data, usual->len) == 0)
			return usual;
	}
	return NULL;
}

/* Adds an AVP of @type at the end; its octets are borrowed from @usual, or copied from @group when that is NULL. */
static int add_octets(struct dict_object *type, struct msg *msg, const struct oc_group *group,
		      const struct oc_group *usual)
{
	struct avp *avp = NULL;
	int rc = fd_msg_avp_new(type, usual ? AVPFL_SET_BLANK_VALUE : 0, &avp);

	if (rc != 0)
		return rc;
	rc = usual ? borrow_value(avp, usual) : copy_value(avp, group);
	if (rc == 0)
		rc = fd_msg_avp_add(msg, MSG_BRW_LAST_CHILD, avp);
	if (rc != 0)
		(void)fd_msg_free(avp);
	return rc;
}

int ofd_avp_add_caps(const struct ofd_models *models, struct msg *msg, const struct oc_group *group)
{
	return add_octets(models->caps, msg, group, usual_like(models, group));
}

int ofd_avp_set_drmp(const struct ofd_models *models, struct msg *msg, uint8_t priority)
{
	union avp_value value = { .u32 = priority };
	struct avp *avp = NULL;
	int rc = fd_msg_avp_new(models->drmp, 0, &avp);

	if (rc == 0)
		rc = fd_msg_avp_setvalue(avp, &value);
	ofd_avp_remove_all(msg, OC_AVP_DRMP);
	if (rc == 0)
		rc = fd_msg_avp_add(msg, MSG_BRW_LAST_CHILD, avp);
	if (rc != 0 && avp)
		(void)fd_msg_free(avp);
	return rc;
}

int ofd_avp_dress_answer(const struct ofd *ofd, struct msg *msg, const struct oc_answer_edit *edit)
{
	const struct ofd_models *models = &ofd->models;
	struct oc_group group;
	int rc = edit->add_caps ? add_octets(models->caps, msg, &edit->caps, NULL) : 0;

	for (uint8_t i = 0; rc == 0 && i < edit->own_count; i++)
		rc = oc_agent_encode_own(ofd->agent, &edit->own[i], &group) == OC_OK
			     ? add_octets(models->olr, msg, &group, NULL)
			     : EINVAL;
	if (rc == 0 && edit->add_load)
		rc = oc_agent_encode_load(ofd->agent, edit->load_value, &group) == OC_OK
			     ? add_octets(models->load, msg, &group, NULL)
			     : EINVAL;
	return rc;
}

/* Code of a vendor 0 AVP, else 0. */
static uint32_t code_of(struct avp *avp)
{
	struct avp_hdr *hdr = NULL;

	return fd_msg_avp_hdr(avp, &hdr) == 0 && !(hdr->avp_flags & AVP_FLAG_VENDOR) ? hdr->avp_code : 0;
}

static struct avp *child(struct msg *msg, enum msg_brw_dir which)
{
	struct avp *avp = NULL;

	return fd_msg_browse(msg, which, &avp, NULL) == 0 ? avp : NULL;
}

static struct avp *beside(struct avp *avp, enum msg_brw_dir which)
{
	struct avp *other = NULL;

	return fd_msg_browse(avp, which, &other, NULL) == 0 ? other : NULL;
}

void ofd_avp_remove_all(struct msg *msg, uint32_t code)
{
	struct avp *next;

	for (struct avp *avp = child(msg, MSG_BRW_FIRST_CHILD); avp; avp = next) {
		next = beside(avp, MSG_BRW_NEXT);
		if (code_of(avp) == code)
			(void)fd_msg_free(avp);
	}
}

/* Whether the @i-th AVP of its kind is to go. */
static bool is_marked(bool all, uint8_t bits, unsigned i)
{
	return all || (i < 8 && ((unsigned)bits >> i & 1u));
}

/* From the end, where these AVPs usually stand, until all of them were met. */
void ofd_avp_edit_answer(struct msg *msg, const struct oc_answer_edit *edit,
			 const struct ofd_avp_counts *counts)
{
	bool is_cut = counts->doic == UINT8_MAX || counts->loads == UINT8_MAX;
	unsigned left = is_cut ? UINT_MAX : (unsigned)counts->doic + counts->loads;
	unsigned olr = counts->olrs;
	unsigned load = counts->loads;
	struct avp *before;

	for (struct avp *avp = child(msg, MSG_BRW_LAST_CHILD); avp && left; avp = before) {
		uint32_t code = code_of(avp);
		bool strip = false;

		before = beside(avp, MSG_BRW_PREV);
		if (code == OC_AVP_SUPPORTED_FEATURES)
			strip = edit->strip_caps;
		else if (code == OC_AVP_OLR)
			strip = is_marked(edit->strip_all_olr, edit->strip_olr, olr ? --olr : 8);
		else if (code == OC_AVP_LOAD)
			strip = is_marked(edit->strip_all_load, edit->strip_load, load ? --load : 8);
		else
			continue;
		left--;
		if (strip)
			(void)fd_msg_free(avp);
	}
}

void ofd_avp_remove_stray_route_record(struct msg *msg)
{
	struct avp *last = child(msg, MSG_BRW_LAST_CHILD);

	while (last && code_of(last) != OC_AVP_ROUTE_RECORD)
		last = beside(last, MSG_BRW_PREV);
	if (last)
		(void)fd_msg_free(last);
}
