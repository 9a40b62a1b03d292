/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * dict_check.fdx: writes what the daemon's dictionary says of the DOIC AVPs, and how they encode and parse, to the
 * file named by the second string of LoadExtension. The last line is "end".
 */
#include "dict_doic/doic_avp.h"
#include "dict_doic/doic_table.h"
#include "extensions/ofd_visibility.h"

#include "dict_check.h"

static struct dict_object *avp_of(uint32_t vendor, uint32_t code)
{
	struct dict_avp_request request = { .avp_vendor = vendor, .avp_code = code };
	struct dict_object *found = NULL;

	if (fd_dict_search(fd_g_config->cnf_dict, DICT_AVP, AVP_BY_CODE_AND_VENDOR, &request, &found, 0) != 0)
		return NULL;
	return found;
}

static const char *flags_text(const struct dict_avp_data *data)
{
	if (data->avp_flag_mask == AVP_FLAG_VENDOR)
		return data->avp_flag_val & AVP_FLAG_VENDOR ? "V-set,M-free" : "V-clear,M-free";
	return data->avp_flag_mask & AVP_FLAG_MANDATORY ? "M-fixed" : "other";
}

static void write_rules(FILE *out, const struct doic_row *row, struct dict_object *avp)
{
	for (size_t i = 0; i < row->rule_count; i++) {
		struct dict_rule_request request = {
			.rule_parent = avp, .rule_avp = avp_of(row->rules[i].vendor, row->rules[i].code)
		};
		struct dict_object *found = NULL;
		struct dict_rule_data rule;

		if (!request.rule_avp ||
		    fd_dict_search(fd_g_config->cnf_dict, DICT_RULE, RULE_BY_AVP_AND_PARENT, &request, &found,
				   ENOENT) != 0)
			continue;
		if (fd_dict_getval(found, &rule) != 0)
			continue;
		fprintf(out, "rule %u %u %s max %d\n", row->code, row->rules[i].code,
			rule.rule_position == RULE_REQUIRED   ? "required"
			: rule.rule_position == RULE_OPTIONAL ? "optional"
							      : "fixed",
			rule.rule_max);
	}
}

static void write_values(FILE *out, const struct doic_row *row, struct dict_object *avp)
{
	struct dict_object *type = NULL;

	if (fd_dict_search(fd_g_config->cnf_dict, DICT_TYPE, TYPE_OF_AVP, avp, &type, ENOENT) != 0)
		return;
	for (size_t i = 0; i < row->value_count; i++) {
		struct dict_enumval_request request = { .type_obj = type };
		struct dict_object *found = NULL;

		request.search.enum_value.i32 = row->values[i].value;
		if (fd_dict_search(fd_g_config->cnf_dict, DICT_ENUMVAL, ENUMVAL_BY_STRUCT, &request, &found,
				   ENOENT))
			continue;
		if (fd_dict_getval(found, &request.search) == 0)
			fprintf(out, "value %u %d %s\n", row->code, request.search.enum_value.i32,
				request.search.enum_name);
	}
}

static void write_avp(FILE *out, const struct doic_row *row)
{
	static const char *const names[] = { "Grouped",	   "OctetString", "Integer32", "Integer64",
					     "Unsigned32", "Unsigned64",  "Float32",   "Float64" };
	struct dict_object *avp = avp_of(row->vendor, row->code);
	struct dict_object *namesake = row->vendor == 0 ? avp_of(10415, row->code) : NULL;
	struct dict_avp_data data;

	if (!avp || fd_dict_getval(avp, &data) != 0)
		fprintf(out, "avp %u missing\n", row->code);
	else
		fprintf(out, "avp %u %s %s %s\n", row->code, data.avp_name, names[data.avp_basetype],
			flags_text(&data));
	if (avp) {
		write_rules(out, row, avp);
		write_values(out, row, avp);
	}
	if (namesake && fd_dict_getval(namesake, &data) == 0)
		fprintf(out, "vendor 10415 avp %u %s\n", row->code, data.avp_name);
}

static int check_init(char *conffile)
{
	size_t count = 0;
	const struct doic_row *rows = doic_table(&count);
	FILE *out = conffile ? fopen(conffile, "w") : NULL;

	if (!out) {
		LOG_E("dict_check: '%s' cannot be written", conffile ? conffile : "(no file)");
		return EINVAL;
	}
	for (size_t i = 0; i < count; i++)
		write_avp(out, &rows[i]);
	dict_check_vectors(out);
	dict_check_rules(out);
	dict_check_specific(out);
	fprintf(out, "end\n");
	return fclose(out) == 0 ? 0 : EIO;
}

void fd_ext_fini(void)
{
}

EXTENSION_ENTRY("dict_check", check_init);
