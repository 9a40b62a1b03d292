/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the tests of the configuration documents share.
 */
#include "help_conf.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"

int help_parse(enum oev_conf_document document, const char *text, size_t len, union help_parsed *out,
	       char error[static OEV_CONF_ERROR_MAX])
{
	char *exact = malloc(len > 0 ? len : 1);
	int err;

	CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
	memcpy(exact, text, len);
	memset(out, 0, sizeof(*out));
	error[0] = '\0';
	err = document == OEV_CONF_PROCESS
		      ? oev_conf_process_parse(exact, len, "t.yaml", &out->process, error)
		      : oev_conf_policy_parse(exact, len, "t.yaml", &out->policy, error);
	free(exact);
	return err;
}

char *help_read(const char *path, size_t *len)
{
	char full[1024];
	char error[OEV_CONF_ERROR_MAX] = "";
	char *text = NULL;

	snprintf(full, sizeof(full), "%s/%s", DOIC_SOURCE_DIR, path);
	if (oev_conf_read_file(full, &text, len, error) != OC_OK) {
		CU_FAIL("cannot read a file of the source tree");
		fprintf(stderr, "%s\n", error);
		return NULL;
	}
	return text;
}
