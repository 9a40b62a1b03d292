/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Connections that are open, each with the time by which its client must have done its part: so that one who sends a header or a body
 * drop by drop, or takes a reply so, is let go.
 *
 * The library's own time-out ends connections where nothing moves at all. One lock guards the list and the deadlines; a
 * connection leaves the list before its socket is closed, so a sweep never touches a socket of somebody else.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define OWEB_ADDRESS_TEXT_MAX 64u

struct oweb_links;

struct oweb_link {
	struct oweb_link *next, *previous;
	struct oweb_links *links;
	int fd;
	bool is_local; /* over the UNIX socket */
	bool is_tls;
	uint32_t uid;			     /* then: who, by the system's word */
	char address[OWEB_ADDRESS_TEXT_MAX]; /* of the client, without port; "uid 1000" */
	uint64_t deadline_ns;		     /* 0 none */
};

struct oweb_links *oweb_links_new(void);
/* No link may be left. */
void oweb_links_free(struct oweb_links *links);

/* Takes note of socket @fd, whose client must have asked by @deadline_ns. NULL when out of memory. */
struct oweb_link *oweb_link_open(struct oweb_links *links, int fd, bool is_tls, uint64_t deadline_ns);
void oweb_link_close(struct oweb_link *link);

/* 0: as long as it likes. */
void oweb_link_deadline(struct oweb_link *link, uint64_t deadline_ns);

/* Ends those whose deadline is before @now_ns; returns how many. */
uint32_t oweb_links_sweep(struct oweb_links *links, uint64_t now_ns);

uint32_t oweb_links_count(struct oweb_links *links);

/* The address the client of @link reached, as text without port; "" unknown. */
void oweb_link_reached(const struct oweb_link *link, char out[static OWEB_ADDRESS_TEXT_MAX]);
