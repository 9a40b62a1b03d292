/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SHA-256 of a file that an audit read.
 */
#include "oev_input_hash.h"

#include <stdio.h>
#include <stdlib.h>

#include "../proof/oev_file.h"
#include "../store/oev_digest.h"

const char *oev_input_hash(const char *path, char text[static OEV_HASH_HEX])
{
	static const size_t block = 1u << 20;
	int fd = oev_file_open(path); /* a pipe that was refused as input must not hang here */
	FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
	unsigned char *buf = malloc(block);
	struct oev_digest *digest = NULL;
	struct oev_hash hash;

	text[0] = '\0';
	oev_gcrypt_ready();
	if (file != NULL && buf != NULL)
		digest = oev_digest_new();
	if (digest != NULL) {
		for (size_t got; (got = fread(buf, 1, block, file)) > 0;)
			oev_digest_add(digest, buf, got);
		oev_digest_end(digest, &hash);
		if (!ferror(file))
			oev_hash_hex(&hash, text);
	}
	if (file != NULL)
		fclose(file);
	free(buf);
	return text;
}
