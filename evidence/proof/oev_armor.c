/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Hexadecimal and base64, both ways.
 */
#include "oev_armor.h"

#include <stdbool.h>

#include "../../agent/oc_err.h"

static const char hex_digits[] = "0123456789abcdef";
static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void oev_armor_hex(const void *data, size_t len, char *out)
{
	const uint8_t *octets = data;

	for (size_t i = 0; i < len; i++) {
		*out++ = hex_digits[octets[i] >> 4];
		*out++ = hex_digits[octets[i] & 15];
	}
	*out = '\0';
}

void oev_armor_base64(const void *data, size_t len, char *out)
{
	const uint8_t *octets = data;

	for (size_t i = 0; i < len; i += 3) {
		uint32_t group = (uint32_t)octets[i] << 16;

		if (i + 1 < len)
			group |= (uint32_t)octets[i + 1] << 8;
		if (i + 2 < len)
			group |= octets[i + 2];
		*out++ = base64_digits[group >> 18];
		*out++ = base64_digits[group >> 12 & 63];
		*out++ = i + 1 < len ? base64_digits[group >> 6 & 63] : '=';
		*out++ = i + 2 < len ? base64_digits[group & 63] : '=';
	}
	*out = '\0';
}

/* What a digit stands for, -1 when it is none. */
static int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static int base64_value(char digit)
{
	if (digit >= 'A' && digit <= 'Z')
		return digit - 'A';
	if (digit >= 'a' && digit <= 'z')
		return digit - 'a' + 26;
	if (digit >= '0' && digit <= '9')
		return digit - '0' + 52;
	return digit == '+' ? 62 : digit == '/' ? 63 : -1;
}

int oev_armor_hex_parse(const char *text, size_t len, void *out, size_t want)
{
	uint8_t *octets = out;

	if (len % 2 != 0 || len / 2 != want)
		return OC_EMALFORMED;
	for (size_t i = 0; i < want; i++) {
		int high = hex_value(text[2 * i]), low = hex_value(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return OC_EMALFORMED;
		octets[i] = (uint8_t)(high << 4 | low);
	}
	return OC_OK;
}

/* Four digits to @octets (1..3) octets; the unused bits must be 0 and '=' must fill up. */
static bool take_group(const char *text, uint8_t *out, size_t octets)
{
	uint32_t group = 0;

	for (size_t i = 0; i < 4; i++) {
		int value = i <= octets ? base64_value(text[i]) : text[i] == '=' ? 0 : -1;

		if (value < 0)
			return false;
		group = group << 6 | (uint32_t)value;
	}
	for (size_t i = 0; i < 3; i++) {
		uint8_t octet = (uint8_t)(group >> (16 - 8 * i));

		if (i < octets)
			out[i] = octet;
		else if (octet != 0)
			return false;
	}
	return true;
}

int oev_armor_base64_parse(const char *text, size_t len, void *out, size_t want)
{
	uint8_t *octets = out;

	if (len % 4 != 0 || len / 4 != want / 3 + (want % 3 != 0))
		return OC_EMALFORMED;
	for (size_t i = 0; i < want; i += 3)
		if (!take_group(text + i / 3 * 4, octets + i, want - i < 3 ? want - i : 3))
			return OC_EMALFORMED;
	return OC_OK;
}
