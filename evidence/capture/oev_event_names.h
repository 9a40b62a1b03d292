/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which name numbers an event uses.
 */
#pragma once

#include "../../agent/oc_event.h"

#define OEV_EVENT_NAMES_MAX 8u

/* Fills @names, OC_NAME_NONE and repeats included, and returns how many there are. */
uint32_t oev_event_names(const struct oc_event *event, uint32_t names[OEV_EVENT_NAMES_MAX]);
