/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of one decision with everything. Private to the folder.
 */
#pragma once

#include "oev_shelf_inner.h"

/* oev_shelf_look.c: the versions, with their reports. OC_OK, OC_EIO, OC_ENOMEM. */
int oev_shelf_looks(struct oev_shelf_conn *conn, struct oev_shelf_whole *whole, char *error);

/* oev_shelf_party.c: what the request says of itself, whom it could go to, the policy. */
void oev_shelf_parties(struct oev_shelf_conn *conn, struct oev_shelf_whole *whole);
