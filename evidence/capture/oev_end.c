/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Ends of connections as text and back.
 */
#include "oev_end.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "../../agent/oc_err.h"

const char *oev_end_text(const struct oev_end *end, char buf[OEV_END_TEXT_MAX])
{
	char address[INET6_ADDRSTRLEN] = "?";

	if (end->family == 4)
		inet_ntop(AF_INET, end->address, address, sizeof(address));
	else if (end->family == 6)
		inet_ntop(AF_INET6, end->address, address, sizeof(address));
	snprintf(buf, OEV_END_TEXT_MAX, end->family == 6 ? "[%s]:%u" : "%s:%u", address, (unsigned)end->port);
	return buf;
}

int oev_end_set_address(struct oev_end *end, const char *text, size_t len)
{
	char copy[INET6_ADDRSTRLEN];

	if (len == 0 || len >= sizeof(copy))
		return OC_EMALFORMED;
	memcpy(copy, text, len);
	copy[len] = '\0';
	memset(end->address, 0, sizeof(end->address));
	end->family = 0;
	if (inet_pton(AF_INET, copy, end->address) == 1)
		end->family = 4;
	else if (inet_pton(AF_INET6, copy, end->address) == 1)
		end->family = 6;
	return end->family != 0 ? OC_OK : OC_EMALFORMED;
}
