/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Files of samples, and the meaning of single values.
 */
#include "oev_samples.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_types.h"
#include "../app/oev_app.h"
#include "../oev_time.h"
#include "../proof/oev_file.h"
#include "../proof/oev_hash.h"
#include "oev_audit_parts.h"

#define FILE_MAX ((off_t)1 << 30)
#define COUNT_MAX (1ull << 53) /* exact in JSON and in every spreadsheet */
#define YEAR_2001_S 1000000000ull

static const struct {
	const char *name;
	enum oev_field field;
} fields[] = {
	{ "time", OEV_FIELD_TIME },
	{ "node", OEV_FIELD_NODE },
	{ "realm", OEV_FIELD_REALM },
	{ "application", OEV_FIELD_APP },
	{ "app", OEV_FIELD_APP },
	{ "interval_s", OEV_FIELD_SPAN },
	{ "requests", OEV_FIELD_REQUESTS },
	{ "answers", OEV_FIELD_ANSWERS },
	{ "answers_2xxx", (enum oev_field)(OEV_FIELD_CLASS + OEV_ANSWER_SUCCESS) },
	{ "success", (enum oev_field)(OEV_FIELD_CLASS + OEV_ANSWER_SUCCESS) },
	{ "answers_3xxx", (enum oev_field)(OEV_FIELD_CLASS + OEV_ANSWER_PROTOCOL) },
	{ "busy", (enum oev_field)(OEV_FIELD_CLASS + OEV_ANSWER_BUSY) },
	{ "answers_4xxx", (enum oev_field)(OEV_FIELD_CLASS + OEV_ANSWER_TRANSIENT) },
	{ "answers_5xxx", (enum oev_field)(OEV_FIELD_CLASS + OEV_ANSWER_PERMANENT) },
	{ "other", (enum oev_field)(OEV_FIELD_CLASS + OEV_ANSWER_OTHER) },
	{ "useful", OEV_FIELD_USEFUL },
};
#define FIELD_NAMES (sizeof(fields) / sizeof(fields[0]))

enum oev_field oev_field_of(const char *name)
{
	for (size_t i = 0; i < FIELD_NAMES; i++)
		if (strcasecmp(fields[i].name, name) == 0)
			return fields[i].field;
	return OEV_FIELD_COUNT;
}

const char *oev_field_text(enum oev_field field)
{
	for (size_t i = 0; i < FIELD_NAMES; i++)
		if (fields[i].field == field)
			return fields[i].name;
	return "";
}

const char *oev_time_unit_text(enum oev_time_unit unit)
{
	static const char *const words[] = { "no times", "RFC 3339", "seconds since 1970",
					     "milliseconds since 1970", "microseconds since 1970" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_UNIT_COUNT, "one text per unit");
	return words[unit];
}

struct oev_sample oev_sample_none(void)
{
	struct oev_sample sample = { .start_us = OEV_SAMPLE_UNKNOWN,
				     .app_id = OC_APP_ANY,
				     .requests = OEV_SAMPLE_UNKNOWN,
				     .answers = OEV_SAMPLE_UNKNOWN,
				     .useful = OEV_SAMPLE_UNKNOWN };

	for (int i = 0; i < OEV_ANSWER_COUNT; i++)
		sample.by_class[i] = OEV_SAMPLE_UNKNOWN;
	return sample;
}

/* Number of @text in lower case among the names; 0 when out of memory. */
static uint32_t name_of(struct oev_samples *samples, const char *text)
{
	char lower[OEV_SAMPLE_NODE_MAX];
	size_t length = 0;

	for (; text[length] != '\0' && length + 1 < sizeof(lower); length++)
		lower[length] = (char)tolower((unsigned char)text[length]);
	lower[length] = '\0';
	return oev_samples_name_add(samples, lower);
}

static bool set_name(struct oev_samples *samples, const char *text, uint32_t *out, char *why, size_t size)
{
	size_t length = strlen(text);

	if (length == 0 || length >= OEV_SAMPLE_NODE_MAX || strpbrk(text, " \t\r\n\"") != NULL) {
		snprintf(why, size, "\"%.40s\" is no Diameter identity", text);
		return false;
	}
	*out = name_of(samples, text);
	if (*out == 0)
		snprintf(why, size, "out of memory");
	return *out != 0;
}

static bool set_count(const char *text, uint64_t *out, char *why, size_t size)
{
	char *end;

	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > COUNT_MAX) {
		snprintf(why, size, "\"%.40s\" is no count (a whole number, 0 to 9007199254740992)", text);
		return false;
	}
	*out = value;
	return true;
}

/* "1.5" as millionths; false for anything but digits with one point at most. */
static bool decimal_us(const char *text, uint64_t *out)
{
	uint64_t whole = 0, part = 0, unit = 100000;
	const char *at = text;

	for (; *at >= '0' && *at <= '9'; at++) {
		if (whole > UINT64_MAX / 100000000)
			return false;
		whole = whole * 10 + (uint64_t)(*at - '0');
	}
	if (at == text || (*at != '\0' && *at != '.'))
		return false;
	for (at += *at == '.'; *at >= '0' && *at <= '9'; at++, unit /= 10)
		part += (uint64_t)(*at - '0') * unit;
	*out = whole * 1000000 + part;
	return *at == '\0';
}

/* The unit of an epoch time shows in its size: until the year 5138, after 2001. */
static enum oev_time_unit unit_of(uint64_t value)
{
	if (value >= YEAR_2001_S && value < YEAR_2001_S * 100)
		return OEV_UNIT_S;
	if (value >= YEAR_2001_S * 1000 && value < YEAR_2001_S * 100000)
		return OEV_UNIT_MS;
	return value >= YEAR_2001_S * 1000000 && value < YEAR_2001_S * 100000000 ? OEV_UNIT_US
										 : OEV_UNIT_NONE;
}

static bool parse_time(const char *text, uint64_t *out_us, enum oev_time_unit *unit)
{
	uint64_t us;

	*unit = OEV_UNIT_TEXT;
	if (strchr(text, '-') != NULL && text[0] != '-') {
		size_t length = strlen(text);
		bool zoned = length > 10 && (strchr("Zz", text[length - 1]) != NULL ||
					     text[length - 6] == '+' || text[length - 6] == '-');
		return zoned && oev_time_parse(text, 0, out_us) == OC_OK;
	}
	if (!decimal_us(text, &us))
		return false;
	*unit = unit_of(us / 1000000);
	*out_us = *unit == OEV_UNIT_S ? us : *unit == OEV_UNIT_MS ? us / 1000 : us / 1000000;
	return *unit != OEV_UNIT_NONE;
}

static bool set_time(struct oev_samples *samples, struct oev_sample *sample, const char *text, char *why,
		     size_t size)
{
	struct oev_sample_source *source = &samples->sources[samples->source_count - 1];
	enum oev_time_unit unit;

	if (!parse_time(text, &sample->start_us, &unit)) {
		snprintf(why, size,
			 "\"%.40s\" is no time (2026-11-29T14:00:00Z, or seconds, milliseconds or "
			 "microseconds since 1970)",
			 text);
		return false;
	}
	if (source->unit != OEV_UNIT_NONE && source->unit != unit) {
		snprintf(why, size, "\"%.40s\": %s, after %s", text, oev_time_unit_text(unit),
			 oev_time_unit_text(source->unit));
		return false;
	}
	source->unit = unit;
	return true;
}

static bool set_span(struct oev_sample *sample, const char *text, char *why, size_t size)
{
	if (decimal_us(text, &sample->span_us) && sample->span_us >= 1000 &&
	    sample->span_us <= OEV_SAMPLE_SPAN_MAX_US)
		return true;
	snprintf(why, size, "\"%.40s\" is no interval (seconds, 0.001 to 86400)", text);
	return false;
}

bool oev_sample_set(struct oev_samples *samples, struct oev_sample *sample, enum oev_field field,
		    const char *text, char *why, size_t size)
{
	switch (field) {
	case OEV_FIELD_TIME:
		return set_time(samples, sample, text, why, size);
	case OEV_FIELD_NODE:
		return set_name(samples, text, &sample->node, why, size);
	case OEV_FIELD_REALM:
		return set_name(samples, text, &sample->realm, why, size);
	case OEV_FIELD_APP:
		if (oev_app_parse(text, &sample->app_id) == OC_OK && sample->app_id != OC_APP_ANY)
			return true;
		snprintf(why, size, "\"%.40s\" is no application (a number, or gx rx gy s6a cx swx gxx s9)",
			 text);
		return false;
	case OEV_FIELD_SPAN:
		return set_span(sample, text, why, size);
	case OEV_FIELD_REQUESTS:
		return set_count(text, &sample->requests, why, size);
	case OEV_FIELD_ANSWERS:
		return set_count(text, &sample->answers, why, size);
	case OEV_FIELD_USEFUL:
		return set_count(text, &sample->useful, why, size);
	default:
		return set_count(text, &sample->by_class[field - OEV_FIELD_CLASS], why, size);
	}
}

/* Answers in all, when only their classes are given; classes that say more than there are answers are refused. */
static bool settle_answers(struct oev_sample *sample, char *why, size_t size)
{
	uint64_t sum = 0;
	bool any = false;

	for (int i = 0; i < OEV_ANSWER_COUNT; i++) {
		if (sample->by_class[i] == OEV_SAMPLE_UNKNOWN)
			continue;
		sum += sample->by_class[i];
		any = true;
	}
	if (any && sample->answers != OEV_SAMPLE_UNKNOWN && sum > sample->answers) {
		snprintf(why, size, "%" PRIu64 " answers by class, but %" PRIu64 " in all", sum,
			 sample->answers);
		return false;
	}
	if (any && sample->answers == OEV_SAMPLE_UNKNOWN)
		sample->answers = sum;
	return true;
}

int oev_sample_add(struct oev_samples *samples, const struct oev_sample *sample, char *why, size_t size)
{
	struct oev_sample whole = *sample;
	const char *missing = whole.start_us == OEV_SAMPLE_UNKNOWN   ? "time"
			      : whole.node == 0			     ? "node"
			      : whole.app_id == OC_APP_ANY	     ? "application"
			      : whole.requests == OEV_SAMPLE_UNKNOWN ? "requests"
								     : NULL;

	if (missing != NULL) {
		snprintf(why, size, "has no %s", missing);
		return OC_EMALFORMED;
	}
	if (!settle_answers(&whole, why, size))
		return OC_EMALFORMED;
	if (samples->count >= OEV_SAMPLES_MAX) {
		snprintf(why, size, "more than %u rows: import them in parts", OEV_SAMPLES_MAX);
		return OC_ENOSPC;
	}
	struct oev_sample *item = oev_audit_grow(&samples->items, &samples->count, sizeof(*item));
	if (item == NULL)
		return OC_ENOMEM;
	whole.source = (uint32_t)(samples->source_count - 1);
	*item = whole;
	samples->sources[whole.source].rows++;
	return OC_OK;
}

/* @size octets of @fd into @text, which counts up @length; NULL, or what went wrong. */
static const char *read_whole(int fd, char *text, size_t size, size_t *length)
{
	while (*length < size) {
		ssize_t got = read(fd, text + *length, size - *length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return strerror(errno);
		if (got == 0)
			return "it became shorter while it was read";
		*length += (size_t)got;
	}
	return NULL;
}

/* All of @path, NUL-terminated; a pipe or device is refused, since it might never end. */
static int read_all(struct oev_samples *samples, const char *path, char **text, size_t *length)
{
	int fd = oev_file_open(path);
	struct stat info = { 0 };
	const char *wrong = NULL;

	*length = 0;
	if (fd < 0 || fstat(fd, &info) != 0)
		wrong = oev_file_problem(errno);
	else if (info.st_size > FILE_MAX)
		wrong = "larger than 1 GiB: import it in parts";
	*text = wrong == NULL ? malloc((size_t)info.st_size + 1) : NULL;
	if (*text != NULL)
		wrong = read_whole(fd, *text, (size_t)info.st_size, length);
	if (fd >= 0)
		close(fd);
	if (wrong != NULL)
		snprintf(samples->error, sizeof(samples->error), "%s: %s", path, wrong);
	if (*text != NULL)
		(*text)[*length] = '\0';
	return wrong != NULL ? OC_EIO : *text != NULL ? OC_OK : OC_ENOMEM;
}

static int out_of_memory(struct oev_samples *samples, const char *path)
{
	snprintf(samples->error, sizeof(samples->error), "%s: out of memory", path);
	return OC_ENOMEM;
}

static int read_source(struct oev_samples *samples, struct oev_sample_source *source, const char *text,
		       size_t length)
{
	const char *name = source->path;
	size_t start = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a mark some editors write */
	size_t first = start + strspn(text + start, " \t\r\n");
	struct oev_hash hash;

	oev_gcrypt_ready();
	oev_hash_of(text, length, &hash);
	oev_hash_hex(&hash, source->sha256);
	source->octets = length;
	source->is_json = text[first] == '[' || text[first] == '{';
	if (strlen(text) != length) {
		snprintf(samples->error, sizeof(samples->error), "%s: not a text (it holds a NUL octet)",
			 name);
		return OC_EMALFORMED;
	}
	return source->is_json ? oev_samples_json(samples, name, text + start, length - start)
			       : oev_samples_csv(samples, name, text + start, length - start);
}

int oev_samples_read_text(struct oev_samples *samples, const char *name, const char *text, size_t length)
{
	struct oev_sample_source *source =
		oev_audit_grow(&samples->sources, &samples->source_count, sizeof(*source));

	if (source == NULL)
		return out_of_memory(samples, name);
	source->path = strdup(name);
	int rc = source->path != NULL ? read_source(samples, source, text, length) : OC_ENOMEM;
	return rc == OC_ENOMEM ? out_of_memory(samples, name) : oev_samples_outcome(samples, rc);
}

int oev_samples_read(struct oev_samples *samples, const char *path)
{
	char *text = NULL;
	size_t length;
	int rc = read_all(samples, path, &text, &length);

	if (rc == OC_OK)
		rc = oev_samples_read_text(samples, path, text, length);
	else if (rc == OC_ENOMEM)
		(void)out_of_memory(samples, path);
	free(text);
	return rc;
}

void oev_samples_fini(struct oev_samples *samples)
{
	for (size_t i = 0; i < samples->source_count; i++)
		free(samples->sources[i].path);
	for (size_t i = 0; i < samples->name_count; i++)
		free(samples->names[i]);
	free(samples->items);
	free(samples->sources);
	free(samples->names);
	free(samples->name_slots);
	*samples = (struct oev_samples){ 0 };
}
