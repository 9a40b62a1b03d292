/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Accounts of what every direction of a Diameter connection carried, octet for octet (TCP) or chunk for chunk (SCTP), against
 * the messages that came of it.
 */
#pragma once

#include "oev_connections.h"
#include "oev_missed.h"

struct oev_tracks;

/* @ports: of Diameter, @count of them; copied. NULL when out of memory. */
struct oev_tracks *oev_tracks_new(const uint16_t *ports, size_t count);
void oev_tracks_free(struct oev_tracks *tracks);

/* Takes in one frame, in the order of the capture. @sender: whose it is; NULL when it is of no connection. What cannot be decoded for
 * a reason of its own is told to *@missed at once. OC_OK or OC_ENOMEM. */
int oev_tracks_frame(struct oev_tracks *tracks, const struct oev_frame *frame,
		     const struct oev_sender *sender, struct oev_missed *missed);

/* Tells *@missed what is left when the capture is over. Call once. */
void oev_tracks_end(const struct oev_tracks *tracks, struct oev_missed *missed);
