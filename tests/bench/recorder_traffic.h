/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The traffic of the recorder's benchmark: events as a relay makes them in an overload of 30 %.
 *
 * 20,000 requests a second of sessions with two to four requests each, from 50 origin hosts for subscribers of their own, realm-routed to
 * one of 8 servers; every request was held against one host report of 30 % with a chance of its own, and selected ones are
 * refused. Answers come after 0.3 to 20 ms, one in a hundred after 10 s by the deadline. Decisions of two threads come nearly
 * in order.
 */
#pragma once

#include <stdbool.h>

#include "agent/oc_event.h"

struct traffic;

/* Requests numbered from @first_id on. Ends the program when out of memory. */
struct traffic *traffic_new(uint64_t first_id, uint32_t requests);
void traffic_free(struct traffic *traffic);

/* The next event in the order of a journal; false at the end. */
bool traffic_next(struct traffic *traffic, struct oc_event *out);
