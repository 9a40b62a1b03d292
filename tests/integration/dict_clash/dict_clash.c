/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * dict_clash.fdx: a foreign dictionary that defines some DOIC AVPs in its own way; never fails.
 */
#include "extensions/ofd_visibility.h"

static void define(struct dict_avp_data data)
{
	int rc = fd_dict_new(fd_g_config->cnf_dict, DICT_AVP, &data, NULL, NULL);

	LOG_N("dict_clash: code=%u name=%s %s", data.avp_code, data.avp_name,
	      rc == 0 ? "accepted" : "refused");
}

static int clash_init(char *conffile)
{
	struct dict_type_data type = { .type_base = AVP_TYPE_INTEGER32,
				       .type_name = "Enumerated(OC-Report-Type)" };
	struct dict_enumval_data value = { .enum_name = "REALM_REPORT", .enum_value.i32 = 5 };
	struct dict_object *report_type = NULL;

	(void)conffile;
	/* The same as ours: no conflict. */
	define((struct dict_avp_data){ 622, 0, "OC-Feature-Vector", AVP_FLAG_VENDOR, 0,
				       AVP_TYPE_UNSIGNED64 });
	/* Another type, another name, a fixed M flag. */
	define((struct dict_avp_data){ 623, 0, "OC-OLR", AVP_FLAG_VENDOR, 0, AVP_TYPE_OCTETSTRING });
	define((struct dict_avp_data){ 627, 0, "Overload-Reduction", AVP_FLAG_VENDOR, 0,
				       AVP_TYPE_UNSIGNED32 });
	define((struct dict_avp_data){ 625, 0, "OC-Validity-Duration", AVP_FLAG_VENDOR | AVP_FLAG_MANDATORY,
				       AVP_FLAG_MANDATORY, AVP_TYPE_UNSIGNED32 });
	/* One of our names for another code. */
	define((struct dict_avp_data){ 65000, 0, "Load", AVP_FLAG_VENDOR, 0, AVP_TYPE_UNSIGNED32 });
	/* One of our value names for another value. */
	if (fd_dict_new(fd_g_config->cnf_dict, DICT_TYPE, &type, NULL, &report_type) == 0)
		(void)!fd_dict_new(fd_g_config->cnf_dict, DICT_ENUMVAL, &value, report_type, NULL);
	return 0;
}

void fd_ext_fini(void)
{
}

EXTENSION_ENTRY("dict_clash", clash_init);
