/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Ed25519 in the words of libgcrypt.
 */
#include "oev_ed25519.h"

#include <gcrypt.h>
#include <stdbool.h>
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

/* Whether a coordinate fills all of libgcrypt's words: with fewer its arithmetic for this curve ends the
 * process (seen in 1.10.1). An honest key has such a coordinate once in 2^62. */
static bool is_wide(gcry_mpi_t coordinate)
{
	return gcry_mpi_get_nbits(coordinate) > 8 * (OEV_ED25519_PUBLIC - sizeof(unsigned long));
}

/* The same of the y that stands in the octets, before libgcrypt sees it. */
static bool has_wide_y(const uint8_t *public_key)
{
	unsigned any = public_key[OEV_ED25519_PUBLIC - 1] & 0x7fu; /* the highest bit is the sign of x */

	for (size_t i = 2; i <= sizeof(unsigned long); i++)
		any |= public_key[OEV_ED25519_PUBLIC - i];
	return any != 0;
}

/* Whether y is below p = 2^255 - 19, as RFC 8032 section 5.1.3 wants it. */
static bool is_reduced(const uint8_t *public_key)
{
	if (public_key[0] < 0xed || (public_key[OEV_ED25519_PUBLIC - 1] & 0x7f) != 0x7f)
		return true;
	for (size_t i = 1; i < OEV_ED25519_PUBLIC - 1; i++)
		if (public_key[i] != 0xff)
			return true;
	return false;
}

static bool is_point(const uint8_t *public_key, gcry_ctx_t context)
{
	gcry_mpi_point_t point = gcry_mpi_point_new(0);
	gcry_mpi_t x = gcry_mpi_new(0), y = gcry_mpi_new(0);
	gcry_mpi_t octets = gcry_mpi_set_opaque_copy(NULL, public_key, OEV_ED25519_PUBLIC * 8);
	bool is = gcry_mpi_ec_decode_point(point, octets, context) == 0;

	if (is) {
		gcry_mpi_point_get(x, y, NULL, point); /* as decoded: the third coordinate is 1 */
		is = is_wide(x) && is_wide(y);
	}
	gcry_mpi_release(octets);
	gcry_mpi_release(y);
	gcry_mpi_release(x);
	gcry_mpi_point_release(point);
	return is;
}

bool oev_ed25519_is_key(const uint8_t public_key[static OEV_ED25519_PUBLIC])
{
	gcry_ctx_t context = NULL;

	if (!has_wide_y(public_key) || !is_reduced(public_key) ||
	    gcry_mpi_ec_new(&context, NULL, "Ed25519") != 0)
		return false;
	bool is = is_point(public_key, context);
	gcry_ctx_release(context);
	return is;
}

int oev_ed25519_verify(const uint8_t public_key[static OEV_ED25519_PUBLIC], const void *data, size_t len,
		       const uint8_t signature[static OEV_ED25519_SIGNATURE])
{
	gcry_sexp_t key = NULL, sexp = NULL, message;
	int rc = OC_ENOMEM;

	if (!oev_ed25519_is_key(public_key))
		return OC_EREFUSED;
	message = data_of(data, len);
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
