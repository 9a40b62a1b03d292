/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The list of open connections.
 */
#include "oweb_link.h"

#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct oweb_links {
	pthread_mutex_t lock;
	struct oweb_link *first;
	uint32_t count;
};

struct oweb_links *oweb_links_new(void)
{
	struct oweb_links *links = calloc(1, sizeof(*links));

	if (links != NULL)
		pthread_mutex_init(&links->lock, NULL);
	return links;
}

void oweb_links_free(struct oweb_links *links)
{
	if (links == NULL)
		return;
	pthread_mutex_destroy(&links->lock);
	free(links);
}

static void address_text(const struct sockaddr *address, socklen_t len,
			 char out[static OWEB_ADDRESS_TEXT_MAX])
{
	if (getnameinfo(address, len, out, OWEB_ADDRESS_TEXT_MAX, NULL, 0, NI_NUMERICHOST) != 0)
		out[0] = '\0';
}

static void look(struct oweb_link *link)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	struct ucred peer = { .uid = UINT32_MAX };
	socklen_t peer_len = sizeof(peer);

	if (getpeername(link->fd, (struct sockaddr *)&address, &len) != 0)
		return;
	link->is_local = address.ss_family == AF_UNIX;
	if (!link->is_local) {
		address_text((struct sockaddr *)&address, len, link->address);
		return;
	}
	/* Who cannot be told is nobody in particular, not the superuser. */
	(void)getsockopt(link->fd, SOL_SOCKET, SO_PEERCRED, &peer, &peer_len);
	link->uid = peer.uid;
	snprintf(link->address, sizeof(link->address), "uid %lu", (unsigned long)peer.uid);
}

struct oweb_link *oweb_link_open(struct oweb_links *links, int fd, bool is_tls, uint64_t deadline_ns)
{
	struct oweb_link *link = calloc(1, sizeof(*link));

	if (link == NULL)
		return NULL;
	*link = (struct oweb_link){ .links = links, .fd = fd, .is_tls = is_tls, .deadline_ns = deadline_ns };
	look(link);
	pthread_mutex_lock(&links->lock);
	link->next = links->first;
	if (link->next != NULL)
		link->next->previous = link;
	links->first = link;
	links->count++;
	pthread_mutex_unlock(&links->lock);
	return link;
}

void oweb_link_close(struct oweb_link *link)
{
	struct oweb_links *links = link->links;

	pthread_mutex_lock(&links->lock);
	if (link->next != NULL)
		link->next->previous = link->previous;
	if (link->previous != NULL)
		link->previous->next = link->next;
	else
		links->first = link->next;
	links->count--;
	pthread_mutex_unlock(&links->lock);
	free(link);
}

void oweb_link_deadline(struct oweb_link *link, uint64_t deadline_ns)
{
	pthread_mutex_lock(&link->links->lock);
	link->deadline_ns = deadline_ns;
	pthread_mutex_unlock(&link->links->lock);
}

uint32_t oweb_links_sweep(struct oweb_links *links, uint64_t now_ns)
{
	uint32_t ended = 0;

	pthread_mutex_lock(&links->lock);
	for (struct oweb_link *link = links->first; link != NULL; link = link->next) {
		if (link->deadline_ns == 0 || link->deadline_ns >= now_ns)
			continue;
		shutdown(link->fd, SHUT_RDWR); /* its thread sees the end and closes */
		link->deadline_ns = 0;
		ended++;
	}
	pthread_mutex_unlock(&links->lock);
	return ended;
}

uint32_t oweb_links_count(struct oweb_links *links)
{
	pthread_mutex_lock(&links->lock);
	uint32_t count = links->count;
	pthread_mutex_unlock(&links->lock);
	return count;
}

void oweb_link_reached(const struct oweb_link *link, char out[static OWEB_ADDRESS_TEXT_MAX])
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);

	out[0] = '\0';
	if (!link->is_local && getsockname(link->fd, (struct sockaddr *)&address, &len) == 0)
		address_text((struct sockaddr *)&address, len, out);
}
