/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * dict_doic.fdx: enters the rows of doic_table.c into the daemon's dictionary.
 *
 * It never stops the daemon from starting. What another dictionary defined first stays as it is; a difference
 * is said once at NOTICE, and everything else is still defined.
 */
#include "doic_avp.h"
#include "doic_table.h"

#include <freeDiameter/extension.h>

/* The 1.2.1 headers do not export what the daemon looks up by name. */
#define EXPORTED __attribute__((visibility("default")))

/* Entry point and the extension's name are written out here instead of by EXTENSION_ENTRY, which would refuse a
 * second LoadExtension line and with it the start of the daemon. A second run finds everything defined. */
extern const char *fd_ext_depends[] EXPORTED;
const char *fd_ext_depends[] = { "dict_doic", NULL };
int fd_ext_init(int major, int minor, char *conffile) EXPORTED;

static const enum dict_avp_basetype base_types[DOIC_TYPE_COUNT] = {
	[DOIC_TYPE_UNSIGNED32] = AVP_TYPE_UNSIGNED32, [DOIC_TYPE_UNSIGNED64] = AVP_TYPE_UNSIGNED64,
	[DOIC_TYPE_ENUMERATED] = AVP_TYPE_INTEGER32,  [DOIC_TYPE_IDENTITY] = AVP_TYPE_OCTETSTRING,
	[DOIC_TYPE_GROUPED] = AVP_TYPE_GROUPED,
};

static const char *const base_names[] = {
	[AVP_TYPE_GROUPED] = "Grouped",	      [AVP_TYPE_OCTETSTRING] = "OctetString",
	[AVP_TYPE_INTEGER32] = "Integer32",   [AVP_TYPE_INTEGER64] = "Integer64",
	[AVP_TYPE_UNSIGNED32] = "Unsigned32", [AVP_TYPE_UNSIGNED64] = "Unsigned64",
	[AVP_TYPE_FLOAT32] = "Float32",	      [AVP_TYPE_FLOAT64] = "Float64",
};

/* The object found by @what, or NULL. fd_dict_search says "absent" as success with NULL or as ENOENT. */
static struct dict_object *find(enum dict_object_type type, int criteria, const void *what)
{
	struct dict_object *found = NULL;

	if (fd_dict_search(fd_g_config->cnf_dict, type, criteria, what, &found, 0) != 0)
		return NULL;
	return found;
}

/* The AVP with this vendor and code, or NULL. */
static struct dict_object *find_avp(uint32_t vendor, uint32_t code)
{
	struct dict_avp_request request = { .avp_vendor = vendor, .avp_code = code };

	return find(DICT_AVP, AVP_BY_CODE_AND_VENDOR, &request);
}

/* The type object of an Enumerated row with its named values, or NULL when it cannot be had. */
static struct dict_object *enumerated_type(const struct doic_row *row)
{
	char name[64];
	struct dict_type_data data = { .type_base = AVP_TYPE_INTEGER32, .type_name = name };
	struct dict_object *type = NULL;

	snprintf(name, sizeof(name), "Enumerated(%s)", row->name);
	type = find(DICT_TYPE, TYPE_BY_NAME, name);
	if (!type && fd_dict_new(fd_g_config->cnf_dict, DICT_TYPE, &data, NULL, &type) != 0)
		return NULL;
	if (fd_dict_getval(type, &data) != 0 || data.type_base != AVP_TYPE_INTEGER32)
		return NULL;
	for (size_t i = 0; i < row->value_count; i++) {
		struct dict_enumval_data value = { .enum_name = (char *)(uintptr_t)row->values[i].name,
						   .enum_value.i32 = row->values[i].value };

		if (fd_dict_new(fd_g_config->cnf_dict, DICT_ENUMVAL, &value, type, NULL) != 0)
			LOG_N("dict_doic: value=%s of avp=%s is already defined otherwise and stays so",
			      value.enum_name, row->name);
	}
	return type;
}

static struct dict_object *type_of(const struct doic_row *row)
{
	if (row->type == DOIC_TYPE_ENUMERATED)
		return enumerated_type(row);
	if (row->type == DOIC_TYPE_IDENTITY)
		return find(DICT_TYPE, TYPE_BY_NAME, "DiameterIdentity");
	return NULL;
}

/* Says how @found, defined before us under the code of @row, differs from it. */
static void say_difference(const struct doic_row *row, const struct dict_avp_data *found)
{
	if (strcmp(found->avp_name, row->name) != 0)
		LOG_N("dict_doic: avp=%s code=%u is already defined as '%s'; that definition stays",
		      row->name, row->code, found->avp_name);
	if (found->avp_basetype != base_types[row->type])
		LOG_N("dict_doic: avp=%s code=%u is already defined with type %s instead of %s; that "
		      "definition "
		      "stays",
		      row->name, row->code, base_names[found->avp_basetype],
		      base_names[base_types[row->type]]);
	if ((found->avp_flag_mask & AVP_FLAG_MANDATORY) != 0)
		LOG_N("dict_doic: avp=%s code=%u is already defined with a fixed M flag, which RFC 7683 "
		      "section "
		      "7.8 leaves free; that definition stays",
		      row->name, row->code);
}

/* The AVP of @row: the existing one with its (vendor, code), or a new one; NULL when its name is taken. */
static struct dict_object *define_avp(const struct doic_row *row)
{
	struct dict_avp_data data = { .avp_code = row->code,
				      .avp_vendor = row->vendor,
				      .avp_name = (char *)(uintptr_t)row->name,
				      .avp_flag_mask = AVP_FLAG_VENDOR,
				      .avp_flag_val = row->vendor != 0 ? AVP_FLAG_VENDOR : 0,
				      .avp_basetype = base_types[row->type] };
	struct dict_avp_request by_name = { .avp_vendor = row->vendor, .avp_name = data.avp_name };
	struct dict_object *avp = find_avp(row->vendor, row->code);

	if (avp) {
		if (fd_dict_getval(avp, &data) == 0)
			say_difference(row, &data);
		return avp;
	}
	avp = find(DICT_AVP, AVP_BY_NAME_AND_VENDOR, &by_name);
	if (avp) {
		if (fd_dict_getval(avp, &data) == 0)
			LOG_N("dict_doic: the name %s is already used for code=%u; code=%u stays undefined",
			      row->name, data.avp_code, row->code);
		return NULL;
	}
	if (fd_dict_new(fd_g_config->cnf_dict, DICT_AVP, &data, type_of(row), &avp) != 0) {
		LOG_E("dict_doic: avp=%s code=%u could not be defined", row->name, row->code);
		return NULL;
	}
	return avp;
}

/* Gives the group @avp the rules it does not have yet. */
static void define_rules(const struct doic_row *row, struct dict_object *avp)
{
	struct dict_avp_data group;

	if (fd_dict_getval(avp, &group) != 0 || group.avp_basetype != AVP_TYPE_GROUPED)
		return;
	for (size_t i = 0; i < row->rule_count; i++) {
		struct dict_object *child = find_avp(row->rules[i].vendor, row->rules[i].code);
		struct dict_rule_request request = { .rule_parent = avp, .rule_avp = child };
		struct dict_rule_data rule = { .rule_avp = child,
					       .rule_position =
						       row->rules[i].required ? RULE_REQUIRED : RULE_OPTIONAL,
					       .rule_min = -1,
					       .rule_max = row->rules[i].repeats ? -1 : 1 };

		if (!child || find(DICT_RULE, RULE_BY_AVP_AND_PARENT, &request))
			continue;
		if (fd_dict_new(fd_g_config->cnf_dict, DICT_RULE, &rule, avp, NULL) != 0)
			LOG_E("dict_doic: the rule for code=%u in avp=%s could not be defined",
			      row->rules[i].code, row->name);
	}
}

/* AVPs of a vendor can be defined only when it is known. The name is the one the 3GPP dictionaries give it too, so that their
 * definition is the same. */
static void define_vendor(void)
{
	struct dict_vendor_data vendor = { .vendor_id = DOIC_VENDOR_3GPP, .vendor_name = "3GPP" };

	if (!find(DICT_VENDOR, VENDOR_BY_ID, &vendor.vendor_id) &&
	    fd_dict_new(fd_g_config->cnf_dict, DICT_VENDOR, &vendor, NULL, NULL) != 0)
		LOG_E("dict_doic: vendor=%u could not be defined", vendor.vendor_id);
}

int fd_ext_init(int major, int minor, char *conffile)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);

	(void)conffile;
	if (major != FD_PROJECT_VERSION_MAJOR || minor != FD_PROJECT_VERSION_MINOR) {
		LOG_E("dict_doic: built for freeDiameter %d.%d, loaded by %d.%d", FD_PROJECT_VERSION_MAJOR,
		      FD_PROJECT_VERSION_MINOR, major, minor);
		return EINVAL;
	}
	define_vendor();
	for (size_t i = 0; i < count; i++) {
		struct dict_object *avp = define_avp(&rows[i]);

		if (avp)
			define_rules(&rows[i], avp);
	}
	return 0;
}
