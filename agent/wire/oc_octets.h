/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Big-endian integers at any address, as Diameter has them.
 */
#pragma once

#include <stdint.h>

static inline uint32_t oc_octets_u32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint64_t oc_octets_u64(const uint8_t *at)
{
	return (uint64_t)at[0] << 56 | (uint64_t)at[1] << 48 | (uint64_t)at[2] << 40 | (uint64_t)at[3] << 32 |
	       (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 | (uint64_t)at[6] << 8 | at[7];
}

static inline void oc_octets_put_u32(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 24);
	at[1] = (uint8_t)(value >> 16);
	at[2] = (uint8_t)(value >> 8);
	at[3] = (uint8_t)value;
}

static inline void oc_octets_put_u64(uint8_t *at, uint64_t value)
{
	oc_octets_put_u32(at, (uint32_t)(value >> 32));
	oc_octets_put_u32(at + 4, (uint32_t)value);
}
