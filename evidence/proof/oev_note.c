/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Signed notes: making, taking apart, believing.
 */
#include "oev_note.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_armor.h"
#include "oev_lines.h"

_Static_assert(OEV_BASE64_LEN(OEV_ED25519_SIGNATURE) == OEV_BASE64_SIGNATURE_LEN,
	       "the length of a signature");

/* Lines of printable ASCII, none empty, the last one ended too. */
static bool is_body(const char *text, size_t len)
{
	if (len == 0 || len > OEV_NOTE_BODY_MAX || text[len - 1] != '\n')
		return false;
	for (size_t i = 0; i < len; i++) {
		bool is_end = text[i] == '\n';

		if (is_end ? i == 0 || text[i - 1] == '\n' : text[i] < ' ' || text[i] > '~')
			return false;
	}
	return true;
}

int oev_note_sign(const struct oev_key *key, const char *node, const char *body, char *out, size_t size,
		  struct oev_why *why)
{
	uint8_t signature[OEV_ED25519_SIGNATURE];
	char fingerprint[OEV_FINGERPRINT_LEN + 1];

	if (!oev_lines_is_word(node, OEV_NODE_MAX))
		return oev_why(why, OC_EINVAL, "the node's name cannot stand in a note");
	if (!is_body(body, strnlen(body, OEV_NOTE_BODY_MAX + 1)))
		return oev_why(why, OC_EINVAL,
			       "the text cannot stand in a note: 1..%u octets, lines of printable ASCII",
			       OEV_NOTE_BODY_MAX);
	oev_public_fingerprint(oev_key_public(key), fingerprint);
	int len = snprintf(out, size, "%s\n- %s %s ", body, node, fingerprint);
	if ((size_t)len + OEV_BASE64_SIGNATURE_LEN + 2 > size)
		return oev_why(why, OC_ENOSPC, "the note does not fit into %zu octets", size);
	int rc = oev_key_sign(key, out, (size_t)len, signature);
	if (rc != OC_OK)
		return oev_why(why, rc, "out of memory");
	oev_armor_base64(signature, sizeof(signature), out + len);
	memcpy(out + len + OEV_BASE64_SIGNATURE_LEN, "\n", 2);
	return OC_OK;
}

/* Copies the word that *@at begins with and goes behind the space after it. */
static bool take_word(const char **at, const char *end, char *out, size_t most)
{
	const char *space = memchr(*at, ' ', (size_t)(end - *at));
	size_t len = space != NULL ? (size_t)(space - *at) : 0;

	if (len == 0 || len > most)
		return false;
	memcpy(out, *at, len);
	out[len] = '\0';
	*at = space + 1;
	return oev_lines_is_word(out, most);
}

/* "- NODE FINGERPRINT BASE64" and its newline, from @at to @end. */
static bool take_signature(const char *at, const char *end, struct oev_note *out)
{
	if (end - at < 2 || at[0] != '-' || at[1] != ' ')
		return false;
	at += 2;
	if (!take_word(&at, end, out->node, OEV_NODE_MAX) ||
	    !take_word(&at, end, out->fingerprint, OEV_FINGERPRINT_LEN))
		return false;
	out->signed_len = (size_t)(at - out->text);
	return end - at == OEV_BASE64_SIGNATURE_LEN + 1 && end[-1] == '\n' &&
	       oev_armor_base64_parse(at, OEV_BASE64_SIGNATURE_LEN, out->signature, sizeof(out->signature)) ==
		       OC_OK;
}

/* Length of the lines before the first empty one; 0 when there is none. */
static size_t body_length(const char *text, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if (text[i] == '\n' && text[i - 1] == '\n')
			return i;
	return 0;
}

int oev_note_parse(const char *text, size_t len, struct oev_note *out, struct oev_why *why)
{
	struct oev_note note = { .text = text, .body_len = body_length(text, len) };

	if (note.body_len == 0)
		return oev_why(why, OC_EMALFORMED,
			       "no signed note: there is no empty line before a signature");
	if (!is_body(text, note.body_len))
		return oev_why(why, OC_EMALFORMED,
			       "no signed note: the text is not lines of printable ASCII");
	if (!take_signature(text + note.body_len + 1, text + len, &note))
		return oev_why(why, OC_EMALFORMED,
			       "no signed note: the last line is not \"- NODE FINGERPRINT SIGNATURE\"");
	*out = note;
	return OC_OK;
}

int oev_note_check(const struct oev_note *note, const struct oev_public *signer, struct oev_why *why)
{
	char fingerprint[OEV_FINGERPRINT_LEN + 1];

	oev_public_fingerprint(signer->key, fingerprint);
	if (strcmp(note->fingerprint, fingerprint) != 0)
		return oev_why(why, OC_EREFUSED, "signed by the foreign key %s, not by %s of node %.64s",
			       note->fingerprint, fingerprint, signer->node);
	if (strcmp(note->node, signer->node) != 0)
		return oev_why(why, OC_EREFUSED, "signed in the name of %.64s, not of %.64s", note->node,
			       signer->node);
	int rc = oev_ed25519_verify(signer->key, note->text, note->signed_len, note->signature);
	if (rc == OC_EREFUSED)
		return oev_why(why, rc, "the signature does not fit the text: one of them was altered");
	return rc == OC_OK ? OC_OK : oev_why(why, rc, "out of memory");
}
