/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Adding and removing AVPs of messages on their way, without parsing the rest of the message.
 */
#include "ofd.h"

#include <limits.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_avp.h"

static int model_of_caps(struct dictionary *dict, struct dict_object **out)
{
	struct dict_avp_data data = {
		.avp_code = OC_AVP_SUPPORTED_FEATURES,
		.avp_vendor = 0,
		.avp_name = (char *)"OC-Supported-Features",
		.avp_flag_mask = AVP_FLAG_VENDOR,
		.avp_flag_val = 0,
		.avp_basetype = AVP_TYPE_OCTETSTRING,
	};
	return fd_dict_new(dict, DICT_AVP, &data, NULL, out);
}

int ofd_avp_start(struct ofd_models *models)
{
	int rc = fd_dict_init(&models->private_dict);

	if (rc == 0 && oc_encode_caps(&models->usual, OC_FV_LOSS, NULL, 0) != OC_OK)
		rc = EINVAL;
	if (rc == 0)
		rc = model_of_caps(models->private_dict, &models->caps);
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

int ofd_avp_add_caps(const struct ofd_models *models, struct msg *msg, const struct oc_group *group)
{
	const struct oc_group *usual = &models->usual;
	bool is_usual = group->len == usual->len && memcmp(group->data, usual->data, usual->len) == 0;
	struct avp *avp = NULL;
	int rc = fd_msg_avp_new(models->caps, is_usual ? AVPFL_SET_BLANK_VALUE : 0, &avp);

	if (rc != 0)
		return rc;
	rc = is_usual ? borrow_value(avp, usual) : copy_value(avp, group);
	if (rc == 0)
		rc = fd_msg_avp_add(msg, MSG_BRW_LAST_CHILD, avp);
	if (rc != 0)
		(void)fd_msg_free(avp);
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

/* From the end, where these AVPs usually stand, until all of them were met. */
void ofd_avp_edit_answer(struct msg *msg, const struct oc_answer_edit *edit, uint8_t doic_avps, uint8_t olrs)
{
	unsigned left = doic_avps == UINT8_MAX ? UINT_MAX : doic_avps;
	unsigned olr = olrs;
	struct avp *before;

	for (struct avp *avp = left ? child(msg, MSG_BRW_LAST_CHILD) : NULL; avp; avp = before) {
		uint32_t code = code_of(avp);
		bool is_doic = code == OC_AVP_SUPPORTED_FEATURES || code == OC_AVP_OLR;
		bool strip = false;

		left -= is_doic;
		before = left ? beside(avp, MSG_BRW_PREV) : NULL;
		if (code == OC_AVP_SUPPORTED_FEATURES)
			strip = edit->strip_caps;
		else if (code == OC_AVP_OLR)
			strip = edit->strip_all_olr || (olr && (edit->strip_olr >> --olr) & 1u);
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
