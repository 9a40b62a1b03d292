/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading and writing points in time, without the C library's time zones.
 */
#include "oev_time.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../agent/oc_err.h"

#define SECOND_US 1000000ull
#define DAY_S 86400

/* Days since 1970-01-01 of a Gregorian date; years are counted from March so that leap days come last. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	year -= month <= 2;
	int64_t era = year / 400, in_era = year - era * 400;
	int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
	days += 719468;
	int64_t era = days / 146097, in_era = days - era * 146097;
	int64_t years = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int64_t in_year = in_era - (365 * years + years / 4 - years / 100);
	int64_t shifted = (5 * in_year + 2) / 153;

	*day = in_year - (153 * shifted + 2) / 5 + 1;
	*month = shifted + (shifted < 10 ? 3 : -9);
	*year = years + era * 400 + (*month <= 2);
}

/* Reads exactly @digits decimal digits at *@at; false leaves *@at where it was. */
static bool take_number(const char **at, unsigned digits, int64_t *value)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < digits; i++) {
		char c = (*at)[i];
		if (c < '0' || c > '9')
			return false;
		sum = sum * 10 + (c - '0');
	}
	*at += digits;
	*value = sum;
	return true;
}

static bool take_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/* "HH:MM[:SS[.fraction]]" as microseconds of the day. */
static int take_clock(const char **at, int64_t *us)
{
	int64_t hour, minute, second = 0, fraction = 0;

	if (!take_number(at, 2, &hour) || !take_char(at, ':') || !take_number(at, 2, &minute))
		return OC_EMALFORMED;
	if (take_char(at, ':') && !take_number(at, 2, &second))
		return OC_EMALFORMED;
	if (take_char(at, '.')) {
		int64_t digit, unit = 100000, count = 0;
		for (; take_number(at, 1, &digit); unit /= 10, count++)
			fraction += digit * unit;
		if (count == 0)
			return OC_EMALFORMED;
	}
	if (hour > 23 || minute > 59 || second > 59)
		return OC_ERANGE;
	*us = ((hour * 60 + minute) * 60 + second) * (int64_t)SECOND_US + fraction;
	return OC_OK;
}

/* "Z", "+HH:MM", "-HH:MM" or nothing: minutes to subtract. */
static int take_zone(const char **at, int64_t *minutes)
{
	int64_t sign, hour, minute;

	*minutes = 0;
	if (take_char(at, 'Z') || take_char(at, 'z') || **at == '\0')
		return OC_OK;
	sign = take_char(at, '+') ? 1 : take_char(at, '-') ? -1 : 0;
	if (sign == 0 || !take_number(at, 2, &hour) || !take_char(at, ':') || !take_number(at, 2, &minute))
		return OC_EMALFORMED;
	if (hour > 23 || minute > 59)
		return OC_ERANGE;
	*minutes = sign * (hour * 60 + minute);
	return OC_OK;
}

static int64_t month_days(int64_t year, int64_t month)
{
	return month == 12 ? 31 : days_of(year, month + 1, 1) - days_of(year, month, 1);
}

static int parse_date(const char *at, int64_t *us)
{
	int64_t year, month, day, clock_us = 0, zone_min = 0;

	if (!take_number(&at, 4, &year) || !take_char(&at, '-') || !take_number(&at, 2, &month) ||
	    !take_char(&at, '-') || !take_number(&at, 2, &day))
		return OC_EMALFORMED;
	if (month < 1 || month > 12 || day < 1 || day > month_days(year, month))
		return OC_ERANGE;
	if (take_char(&at, 'T') || take_char(&at, 't') || take_char(&at, ' ')) {
		int rc = take_clock(&at, &clock_us);
		if (rc == OC_OK)
			rc = take_zone(&at, &zone_min);
		if (rc != OC_OK)
			return rc;
	}
	if (*at != '\0')
		return OC_EMALFORMED;
	*us = (days_of(year, month, day) * DAY_S - zone_min * 60) * (int64_t)SECOND_US + clock_us;
	return *us < 0 ? OC_ERANGE : OC_OK;
}

static int parse_relative(const char *at, uint64_t now_us, int64_t *us)
{
	static const char units[] = "smhd";
	static const uint64_t seconds[] = { 1, 60, 3600, DAY_S };
	uint64_t count = 0;
	int64_t digit;
	const char *start = at;

	while (at - start < 10 && take_number(&at, 1, &digit))
		count = count * 10 + (uint64_t)digit;
	const char *unit = *at != '\0' ? strchr(units, *at) : NULL;
	if (at == start || unit == NULL || at[1] != '\0')
		return OC_EMALFORMED;
	uint64_t back_us = count * seconds[unit - units] * SECOND_US;
	if (back_us > now_us)
		return OC_ERANGE;
	*us = (int64_t)(now_us - back_us);
	return OC_OK;
}

int oev_time_parse(const char *text, uint64_t now_us, uint64_t *out_us)
{
	int64_t us = (int64_t)now_us;
	int rc = OC_OK;

	if (text[0] == '-') {
		rc = parse_relative(text + 1, now_us, &us);
	} else if (strlen(text) >= 5 && text[2] == ':') {
		int64_t clock_us;
		const char *at = text;
		rc = take_clock(&at, &clock_us);
		if (rc == OC_OK && *at != '\0' && strcmp(at, "Z") != 0)
			rc = OC_EMALFORMED;
		if (rc == OC_OK)
			us = (int64_t)(now_us - now_us % (DAY_S * SECOND_US)) + clock_us;
	} else if (strcmp(text, "now") != 0) {
		rc = parse_date(text, &us);
	}
	if (rc == OC_OK)
		*out_us = (uint64_t)us;
	return rc;
}

void oev_time_text(uint64_t wall_us, char buf[OEV_TIME_TEXT_MAX])
{
	uint64_t seconds = wall_us / SECOND_US, fraction = wall_us % SECOND_US, clock = seconds % DAY_S;
	int64_t year, month, day;
	char tail[9] = "";

	date_of((int64_t)(seconds / DAY_S), &year, &month, &day);
	if (fraction % 1000 != 0)
		snprintf(tail, sizeof(tail), ".%06u", (unsigned)fraction);
	else if (fraction != 0)
		snprintf(tail, sizeof(tail), ".%03u", (unsigned)(fraction / 1000));
	snprintf(buf, OEV_TIME_TEXT_MAX, "%04u-%02u-%02uT%02u:%02u:%02u%sZ", (unsigned)(year % 10000),
		 (unsigned)month, (unsigned)day, (unsigned)(clock / 3600), (unsigned)(clock / 60 % 60),
		 (unsigned)(clock % 60), tail);
}
