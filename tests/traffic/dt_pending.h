/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The requests a client waits for: places in a fixed array, found by hop-by-hop identifier, listed in sending order.
 */
#pragma once

#include "dt_client.h"

/* OC_OK or OC_ENOMEM. */
int dt_pending_init(struct dt_client *client, uint32_t size);
/* A place with its new hop-by-hop identifier set, listed as the newest; NULL when all are taken. */
struct dt_pending *dt_pending_take(struct dt_client *client);
/* The place of an answer, or NULL. */
struct dt_pending *dt_pending_find(struct dt_client *client, uint32_t hop, uint32_t end_to_end);
void dt_pending_release(struct dt_client *client, struct dt_pending *pending);
