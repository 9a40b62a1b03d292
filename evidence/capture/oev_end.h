/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One end of a transport connection, as packets name it: address and port.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum oev_transport { OEV_TRANSPORT_NONE = 0, OEV_TRANSPORT_TCP = 1, OEV_TRANSPORT_SCTP = 2 };

/* Octets beyond those of the family are zero, so that ends can be compared and hashed whole. */
struct oev_end {
	uint8_t address[16];
	uint16_t port;
	uint8_t family; /* 4, 6, or 0: not known */
	uint8_t reserved;
};

/* Below, equal, above 0: an order that lets both directions of a connection meet. */
static inline int oev_end_compare(const struct oev_end *a, const struct oev_end *b)
{
	return memcmp(a, b, sizeof(*a));
}

#define OEV_END_TEXT_MAX 56u

/* "192.0.2.1:3868", "[2001:db8::1]:3868" into @buf; returns it. */
const char *oev_end_text(const struct oev_end *end, char buf[OEV_END_TEXT_MAX]);

/* Fills the address from a dotted or colon text of @len octets; the port is left alone. OC_OK or OC_EMALFORMED. */
int oev_end_set_address(struct oev_end *end, const char *text, size_t len);
