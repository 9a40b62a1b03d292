/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Ed25519 in the words of libgcrypt.
 */
#include "oev_ed25519.h"

#include <gcrypt.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define HALF 32u /* a signature is two numbers of so many octets */

/* Private key with both halves; NULL: no memory. */
static gcry_sexp_t private_of(const uint8_t *seed, const uint8_t *public_key)
{
	gcry_sexp_t key = NULL;

	if (gcry_sexp_build(&key, NULL, "(private-key (ecc (curve Ed25519) (flags eddsa) (q %b) (d %b)))",
			    (int)OEV_ED25519_PUBLIC, public_key, (int)OEV_ED25519_SEED, seed) != 0)
		return NULL;
	return key;
}

static gcry_sexp_t data_of(const void *data, size_t len)
{
	gcry_sexp_t out = NULL;

	if (len > INT32_MAX ||
	    gcry_sexp_build(&out, NULL, "(data (flags eddsa) (hash-algo sha512) (value %b))", (int)len,
			    len > 0 ? data : "") != 0)
		return NULL;
	return out;
}

/* The octets of (@name OCTETS) in @sexp: @len of them, or false. */
static int take(gcry_sexp_t sexp, const char *name, uint8_t *out, size_t len)
{
	gcry_sexp_t part = gcry_sexp_find_token(sexp, name, 0);
	size_t got = 0;
	const char *octets = part != NULL ? gcry_sexp_nth_data(part, 1, &got) : NULL;
	int rc = octets != NULL && got == len ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK)
		memcpy(out, octets, len);
	gcry_sexp_release(part);
	return rc;
}

/* The point that libgcrypt computes for a context with a secret, as RFC 8032 writes points. */
static int take_point(gcry_ctx_t context, uint8_t *out)
{
	gcry_mpi_t point = gcry_mpi_ec_get_mpi("q@eddsa", context, 0);
	unsigned bits = 0;
	const void *octets = point != NULL ? gcry_mpi_get_opaque(point, &bits) : NULL;
	int rc = octets != NULL && bits == OEV_ED25519_PUBLIC * 8 ? OC_OK : OC_ENOMEM;

	if (rc == OC_OK)
		memcpy(out, octets, OEV_ED25519_PUBLIC);
	gcry_mpi_release(point);
	return rc;
}

int oev_ed25519_public(const uint8_t seed[static OEV_ED25519_SEED], uint8_t out[static OEV_ED25519_PUBLIC])
{
	gcry_sexp_t key = NULL;
	gcry_ctx_t context = NULL;
	int rc = OC_ENOMEM;

	if (gcry_sexp_build(&key, NULL, "(private-key (ecc (curve Ed25519) (flags eddsa) (d %b)))",
			    (int)OEV_ED25519_SEED, seed) == 0 &&
	    gcry_mpi_ec_new(&context, key, NULL) == 0)
		rc = take_point(context, out);
	gcry_ctx_release(context);
	gcry_sexp_release(key);
	return rc;
}

int oev_ed25519_sign(const uint8_t seed[static OEV_ED25519_SEED],
		     const uint8_t public_key[static OEV_ED25519_PUBLIC], const void *data, size_t len,
		     uint8_t out[static OEV_ED25519_SIGNATURE])
{
	gcry_sexp_t key = private_of(seed, public_key);
	gcry_sexp_t message = data_of(data, len);
	gcry_sexp_t signature = NULL;
	int rc = OC_ENOMEM;

	if (key != NULL && message != NULL && gcry_pk_sign(&signature, message, key) == 0)
		rc = take(signature, "r", out, HALF);
	if (rc == OC_OK)
		rc = take(signature, "s", out + HALF, HALF);
	gcry_sexp_release(signature);
	gcry_sexp_release(message);
	gcry_sexp_release(key);
	return rc;
}

int oev_ed25519_verify(const uint8_t public_key[static OEV_ED25519_PUBLIC], const void *data, size_t len,
		       const uint8_t signature[static OEV_ED25519_SIGNATURE])
{
	gcry_sexp_t key = NULL, message = data_of(data, len), sexp = NULL;
	int rc = OC_ENOMEM;

	if (message != NULL &&
	    gcry_sexp_build(&key, NULL, "(public-key (ecc (curve Ed25519) (flags eddsa) (q %b)))",
			    (int)OEV_ED25519_PUBLIC, public_key) == 0 &&
	    gcry_sexp_build(&sexp, NULL, "(sig-val (eddsa (r %b) (s %b)))", (int)HALF, signature, (int)HALF,
			    signature + HALF) == 0)
		rc = gcry_pk_verify(sexp, message, key) == 0 ? OC_OK : OC_EREFUSED;
	gcry_sexp_release(sexp);
	gcry_sexp_release(key);
	gcry_sexp_release(message);
	return rc;
}
