/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Facts about captures.
 */
#include "oev_capture_origin.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"
#include "../store/oev_digest.h"
#include "../store/oev_place.h"
#include "oev_child.h"

#define PIECE ((size_t)1 << 18)
#define KEY_MAX 48u
#define VALUE_MAX 256u
#define ENTRY_MAX (KEY_MAX + VALUE_MAX)
#define OTHER_FACTS (OEV_MISSED_COUNT + 8u)

static char *entry_of(const struct oev_capture_origin *origin)
{
	return origin->texts + origin->count * ENTRY_MAX;
}

static void add(struct oev_capture_origin *origin, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* One fact; @origin has room for it. Control characters do not get into a database that people look at. */
static void add(struct oev_capture_origin *origin, const char *key, const char *format, ...)
{
	char *entry = entry_of(origin), *value = entry + KEY_MAX;
	va_list args;

	snprintf(entry, KEY_MAX, "%s", key);
	va_start(args, format);
	vsnprintf(value, VALUE_MAX, format, args);
	va_end(args);
	for (char *c = value; *c != '\0'; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	origin->facts[origin->count++] = (struct oev_fact){ .key = entry, .value = value };
}

static void add_of_file(struct oev_capture_origin *origin, size_t number, const char *what, const char *value)
{
	char key[KEY_MAX];

	snprintf(key, sizeof(key), "capture.%zu.%s", number, what);
	add(origin, key, "%s", value);
}

static int hash_pieces(int file, struct oev_digest *digest, uint8_t *piece, uint64_t *octets)
{
	ssize_t got;

	while ((got = read(file, piece, PIECE)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return OC_EIO;
		oev_digest_add(digest, piece, (size_t)got);
		*octets += (uint64_t)got;
	}
	return OC_OK;
}

static int hash_file(const char *path, struct oev_hash *hash, uint64_t *octets)
{
	int file = oev_file_open(path);
	struct oev_digest *digest = oev_digest_new();
	uint8_t *piece = malloc(PIECE);
	int rc = digest != NULL && piece != NULL ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK)
		rc = file >= 0 ? hash_pieces(file, digest, piece, octets) : OC_EIO;
	if (digest != NULL)
		oev_digest_end(digest, hash);
	free(piece);
	if (file >= 0)
		close(file);
	return rc;
}

static int add_file(struct oev_capture_origin *origin, size_t number, const char *path)
{
	struct oev_hash hash;
	uint64_t octets = 0;
	char digits[OEV_HASH_HEX], size[24];
	int rc = hash_file(path, &hash, &octets);

	if (rc != OC_OK)
		return rc;
	oev_hash_hex(&hash, digits);
	snprintf(size, sizeof(size), "%" PRIu64, octets);
	add_of_file(origin, number, "file", oev_place_name(path));
	add_of_file(origin, number, "bytes", size);
	add_of_file(origin, number, "sha256", digits);
	return OC_OK;
}

static void add_tshark(struct oev_capture_origin *origin)
{
	static const char *const argv[] = { "tshark", "--version", NULL };
	const char *line = NULL;
	size_t len = 0;
	struct oev_child child;
	int none = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (none < 0)
		return;
	int rc = oev_child_start(
		&child, &(struct oev_child_conf){ .argv = argv, .in = none, .out = -1, .extra = -1 });
	close(none);
	if (rc != OC_OK)
		return;
	if (oev_child_line(&child, 5000, &line, &len) == OC_OK)
		add(origin, "capture.tshark", "%.*s", (int)(len < 80 ? len : 80), line);
	(void)oev_child_end(&child, true);
}

/* "22517 octets, first frames 61 70", the frames being those of all files together. */
static void add_missed(struct oev_capture_origin *origin, const struct oev_missed *missed)
{
	char key[KEY_MAX], frames[VALUE_MAX / 2] = "";

	for (unsigned kind = 0; kind < OEV_MISSED_COUNT; kind++) {
		const struct oev_missed_sum *sum = &missed->sum[kind];
		size_t len = 0;
		if (sum->amount == 0)
			continue;
		for (uint32_t i = 0; i < sum->listed && len < sizeof(frames); i++)
			len += (size_t)snprintf(frames + len, sizeof(frames) - len, " %" PRIu32,
						sum->frame[i]);
		snprintf(key, sizeof(key), "capture.missed.%s", oev_missed_word((enum oev_missed_kind)kind));
		add(origin, key, "%" PRIu64 " %s%s%s", sum->amount,
		    oev_missed_unit((enum oev_missed_kind)kind), len > 0 ? ", first frames" : "",
		    len > 0 ? frames : "");
	}
}

int oev_capture_origin_make(struct oev_capture_origin *out, const struct oev_capture *capture,
			    const struct oev_capture_options *options)
{
	size_t most = 3 * options->file_count + OTHER_FACTS;
	int rc = OC_OK;

	*out = (struct oev_capture_origin){ .facts = calloc(most, sizeof(struct oev_fact)),
					    .texts = calloc(most, ENTRY_MAX) };
	if (out->facts == NULL || out->texts == NULL)
		return OC_ENOMEM;
	oev_gcrypt_ready();
	add(out, "capture.files", "%zu", options->file_count);
	for (size_t i = 0; rc == OC_OK && i < options->file_count; i++)
		rc = add_file(out, i + 1, options->files[i]);
	add_tshark(out);
	add(out, "capture.sorted_segments", "%d", capture->sorts_segments);
	add_missed(out, &capture->missed);
	return rc;
}

void oev_capture_origin_fini(struct oev_capture_origin *origin)
{
	free(origin->facts);
	free(origin->texts);
	*origin = (struct oev_capture_origin){ 0 };
}
