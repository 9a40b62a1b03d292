/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Vectors, hashes out of nothing, folders, keys.
 */
#include "help_proof.h"

#include <CUnit/CUnit.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_armor.h"

void help_leaf(uint64_t index, struct oev_hash *out)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "leaf %llu", (unsigned long long)index);

	oev_merkle_leaf(text, (size_t)len, out);
}

json_t *help_vectors(const char *name)
{
	char path[HELP_PATH_MAX * 4];
	json_error_t why;

	snprintf(path, sizeof(path), "%s/tests/unit/proof/%s", DOIC_SOURCE_DIR, name);
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	return root;
}

size_t help_hex(const json_t *text, uint8_t *out, size_t size)
{
	size_t len = json_string_length(text) / 2;

	CU_ASSERT_FATAL(json_is_string(text) && len <= size);
	CU_ASSERT_EQUAL_FATAL(oev_armor_hex_parse(json_string_value(text), 2 * len, out, len), OC_OK);
	return len;
}

void help_path(const json_t *list, struct oev_path *out)
{
	CU_ASSERT_FATAL(json_array_size(list) <= OEV_PATH_MAX);
	out->count = (unsigned)json_array_size(list);
	for (unsigned i = 0; i < out->count; i++)
		CU_ASSERT_EQUAL(help_hex(json_array_get(list, i), out->hashes[i].octets, OEV_HASH_OCTETS),
				OEV_HASH_OCTETS);
}

void help_folder_make(char folder[static HELP_PATH_MAX])
{
	snprintf(folder, HELP_PATH_MAX, "/tmp/doic-proof.XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
	(void)info;
	(void)kind;
	(void)where;
	return remove(path);
}

void help_folder_remove(const char *folder)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

struct oev_key *help_key(const char *folder, const char *name, const char *node, struct oev_public *out)
{
	char path[HELP_PATH_MAX * 2];
	struct oev_key *key = NULL;
	bool made;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	CU_ASSERT_EQUAL_FATAL(oev_key_open(path, &key, &made, NULL), OC_OK);
	*out = (struct oev_public){ 0 };
	snprintf(out->node, sizeof(out->node), "%s", node);
	memcpy(out->key, oev_key_public(key), sizeof(out->key));
	return key;
}

char *help_file(const char *path, size_t *len)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;

	*len = 0;
	if (file == NULL)
		return NULL;
	fseek(file, 0, SEEK_END);
	long size = ftell(file);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	*len = fread(text, 1, (size_t)size, file);
	fclose(file);
	return text;
}
