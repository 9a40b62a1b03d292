/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * lab_loopback.fdx: binds a daemon to one address, 127.0.0.1 unless told otherwise (README.md says why).
 */
#include "../ofd_visibility.h"

/* Reads @text into @address. Returns its size, 0 when @text is no address. */
static socklen_t parse_address(const char *text, sSS *address)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;

	memset(address, 0, sizeof(*address));
	if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		return sizeof(*v4);
	}
	if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		return sizeof(*v6);
	}
	return 0;
}

static int loopback_init(char *conffile)
{
	const char *text = conffile && *conffile ? conffile : "127.0.0.1";
	sSS address;
	socklen_t size = parse_address(text, &address);

	if (size == 0) {
		LOG_E("lab_loopback: '%s' is neither an IPv4 nor an IPv6 address", text);
		return EINVAL;
	}
	return fd_ep_add_merge(&fd_g_config->cnf_endpoints, (sSA *)&address, size, EP_FL_CONF | EP_ACCEPTALL);
}

/* The endpoint list belongs to the daemon, which frees it. */
void fd_ext_fini(void)
{
}

EXTENSION_ENTRY("lab_loopback", loopback_init);
