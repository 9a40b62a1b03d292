/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzz target of signed notes, checkpoints and public key files: what is taken is written again octet for octet.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_checkpoint.h"
#include "evidence/proof/oev_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void look_at_checkpoint(const char *text, size_t len)
{
	struct oev_checkpoint checkpoint;
	struct oev_why why = { "" };
	char again[OEV_CHECKPOINT_MAX];

	if (oev_checkpoint_parse(text, len, &checkpoint, &why) != OC_OK) {
		require(why.text[0] != '\0' && strchr(why.text, '\n') == NULL);
		return;
	}
	require(oev_checkpoint_text(&checkpoint, again) == OC_OK);
	require(strlen(again) == len && memcmp(again, text, len) == 0);
}

static void look_at_public_key(const char *text, size_t len)
{
	struct oev_public key;
	char again[OEV_PUBLIC_TEXT_MAX];

	if (oev_public_parse(text, len, &key, NULL) == OC_OK)
		require(oev_public_text(&key, again) == len && memcmp(again, text, len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct oev_public nobody = { .node = "dra.example.net" };
	const char *text = (const char *)data;
	struct oev_note note;
	struct oev_why why = { "" };

	oev_gcrypt_ready();
	look_at_checkpoint(text, size);
	look_at_public_key(text, size);
	if (oev_note_parse(text, size, &note, &why) != OC_OK) {
		require(why.text[0] != '\0');
		return 0;
	}
	require(note.body_len > 0 && note.body_len < note.signed_len && note.signed_len < size);
	require(text[note.body_len - 1] == '\n' && text[note.body_len] == '\n' && text[size - 1] == '\n');
	require(oev_note_check(&note, &nobody, &why) != OC_OK);
	look_at_checkpoint(text, note.body_len);
	return 0;
}
