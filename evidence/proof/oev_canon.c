/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Canonical octets of rows: the writer's buffer, and the strict reader.
 */
#include "oev_canon.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define FIRST_SIZE ((size_t)1024)

void oev_canon_init(struct oev_canon *canon)
{
	*canon = (struct oev_canon){ 0 };
}

void oev_canon_fini(struct oev_canon *canon)
{
	free(canon->buffer);
	oev_canon_init(canon);
}

bool oev_canon_grow(struct oev_canon *canon, size_t more)
{
	size_t size = canon->size > 0 ? canon->size : FIRST_SIZE;
	uint8_t *larger;

	if (canon->rc != OC_OK)
		return false;
	while (size - canon->used < more && size <= SIZE_MAX / 2)
		size *= 2;
	larger = size - canon->used >= more ? realloc(canon->buffer, size) : NULL;
	if (larger == NULL) {
		canon->rc = OC_ENOMEM;
		return false;
	}
	canon->buffer = larger;
	canon->size = size;
	return true;
}

void oev_canon_begin(struct oev_canon *canon, uint8_t table, int64_t rowid)
{
	canon->rc = OC_OK;
	canon->used = 0;
	if (!oev_canon_room(canon, 2))
		return;
	canon->buffer[1] = table;
	canon->used = 2;
	oev_canon_int(canon, rowid);
}

static void put_octets(struct oev_canon *canon, enum oev_type type, const void *data, size_t len)
{
	if (len > SIZE_MAX - OEV_CANON_NUMBER_MAX || !oev_canon_room(canon, len + OEV_CANON_NUMBER_MAX))
		return;
	oev_canon_number(canon, type, len);
	if (len > 0)
		memcpy(canon->buffer + canon->used, data, len);
	canon->used += len;
}

void oev_canon_text(struct oev_canon *canon, const char *text, size_t len)
{
	put_octets(canon, OEV_TEXT, text, len);
}

void oev_canon_blob(struct oev_canon *canon, const void *data, size_t len)
{
	put_octets(canon, OEV_BLOB, data, len);
}

void oev_canon_value(struct oev_canon *canon, const struct oev_value *value)
{
	if (value->type == OEV_NULL)
		oev_canon_null(canon);
	else if (value->type == OEV_INTEGER)
		oev_canon_int(canon, value->integer);
	else
		put_octets(canon, value->type, value->data, value->len);
}

void oev_canon_hash(struct oev_canon *canon, uint8_t tag, struct oev_hash *out)
{
	canon->buffer[0] = tag;
	oev_hash_of(canon->buffer, canon->used, out);
}

/* Takes a number and the type in its first octet. */
static int take_number(struct oev_canon_reader *reader, enum oev_type *type, uint64_t *number)
{
	if (reader->at == reader->end)
		return OC_ENOENT;
	unsigned first = *reader->at++ >> 2;
	*type = (enum oev_type)(reader->at[-1] & 3);
	*number = first;
	if (first < OEV_CANON_SHORT)
		return OC_OK;
	unsigned octets = first - OEV_CANON_SHORT + 1;
	if ((size_t)(reader->end - reader->at) < octets)
		return OC_EMALFORMED;
	*number = 0;
	for (unsigned i = 0; i < octets; i++)
		*number |= (uint64_t)*reader->at++ << (8 * i);
	if (reader->at[-1] == 0 || *number < OEV_CANON_SHORT)
		return OC_EMALFORMED;
	return OC_OK;
}

static int64_t unzigzag(uint64_t number)
{
	uint64_t magnitude = number >> 1;

	return (number & 1) != 0 ? -(int64_t)magnitude - 1 : (int64_t)magnitude;
}

int oev_canon_next(struct oev_canon_reader *reader, struct oev_value *out)
{
	uint64_t number;
	enum oev_type type;
	int rc = take_number(reader, &type, &number);

	if (rc != OC_OK)
		return rc;
	*out = (struct oev_value){ .type = type };
	if (type == OEV_NULL)
		return number == 0 ? OC_OK : OC_EMALFORMED;
	if (type == OEV_INTEGER) {
		out->integer = unzigzag(number);
		return OC_OK;
	}
	if (number > (size_t)(reader->end - reader->at))
		return OC_EMALFORMED;
	out->data = reader->at;
	out->len = (size_t)number;
	reader->at += out->len;
	return OC_OK;
}

int oev_canon_open(struct oev_canon_reader *reader, const uint8_t *octets, size_t len, uint8_t *table,
		   int64_t *rowid)
{
	struct oev_value value;

	if (len == 0)
		return OC_EMALFORMED;
	*reader = (struct oev_canon_reader){ .at = octets + 1, .end = octets + len };
	if (oev_canon_next(reader, &value) != OC_OK || value.type != OEV_INTEGER)
		return OC_EMALFORMED;
	*table = octets[0];
	*rowid = value.integer;
	return OC_OK;
}
