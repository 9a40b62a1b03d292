/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the two files about neighbours out of selection share.
 */
#pragma once

#include "ofd.h"

/* Held while the file is written. */
pthread_mutex_t *ofd_want_lock(struct ofd *ofd);

/* Numbers of names below this may be out. */
uint32_t ofd_want_size(const struct ofd *ofd);
