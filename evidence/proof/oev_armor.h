/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Octets as text: lower-case hexadecimal, and base64 (RFC 4648 section 4). One text for the same octets.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Octets a text takes, without its NUL. */
#define OEV_HEX_LEN(octets) ((size_t)(octets)*2)
#define OEV_BASE64_LEN(octets) (((size_t)(octets) + 2) / 3 * 4)

/* Write the text of @len octets and a NUL. */
void oev_armor_hex(const void *data, size_t len, char *out);
void oev_armor_base64(const void *data, size_t len, char *out);

/* Read a text that stands for exactly @want octets: no spaces, no capitals in hexadecimal, padding as it
 * must be, unused bits 0. OC_OK or OC_EMALFORMED (@out may hold part of it). */
int oev_armor_hex_parse(const char *text, size_t len, void *out, size_t want);
int oev_armor_base64_parse(const char *text, size_t len, void *out, size_t want);
