/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzz target of command lines of the control socket.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/ctl/oev_ctl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void require_command(const struct oev_ctl_command *command)
{
	require(command->kind < OEV_CTL_KIND_COUNT && command->type < OC_REPORT_COUNT);
	require(memchr(command->subject, '\0', sizeof(command->subject)) != NULL);
	require(command->reduction_pct <= 100 && command->validity_s <= 86400);
	require(command->load_value <= OC_LOAD_IDLE);
	for (const char *c = command->subject; *c != '\0'; c++)
		require(*c > ' ' && *c <= '~' && (*c < 'A' || *c > 'Z'));
	if (command->kind == OEV_CTL_REPORT_SET || command->kind == OEV_CTL_REPORT_END)
		require(command->type == OC_REPORT_PEER || command->subject[0] != '\0');
	if (command->kind == OEV_CTL_REPORT_SET)
		require(command->has_reduction || command->has_rate);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oev_ctl_command command;
	char error[OEV_CTL_ERROR_MAX] = "";

	if (oev_ctl_parse((const char *)data, size, &command, error) == OC_OK) {
		require_command(&command);
		return 0;
	}
	require(error[0] != '\0' && strchr(error, '\n') == NULL);
	free(oev_ctl_reply_error(OEV_CTL_INVALID, error));
	return 0;
}
