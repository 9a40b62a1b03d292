/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Error codes of the core and of everything built on it: 0 or negative, one enum, one text table.
 */
#pragma once

enum oc_err {
	OC_OK = 0,
	OC_EINVAL = -1,	       /* an argument or a combination of arguments is wrong */
	OC_ENOENT = -2,	       /* absent: never reported as success with NULL */
	OC_ENOSPC = -3,	       /* a fixed table or buffer is full; nothing was changed */
	OC_ESTALE = -4,	       /* the sequence number is not newer than the one held */
	OC_ENOMEM = -5,	       /* out of memory (only _new functions allocate) */
	OC_EMALFORMED = -6,    /* bytes do not follow their format */
	OC_ERANGE = -7,	       /* well-formed, but outside the allowed range */
	OC_EIO = -8,	       /* a file, a database or a socket failed */
	OC_EBUSY = -9,	       /* somebody else holds it */
	OC_EREFUSED = -10,     /* policy or trust says no */
	OC_EVERSION = -11,     /* a format newer than this program */
	OC_EINTERRUPTED = -12, /* a signal ended the work early */
	OC_ERR_LAST = -12
};

/* Returns a constant English text for @err ("no such entry"); never NULL. Any thread. */
const char *oc_err_text(int err);
