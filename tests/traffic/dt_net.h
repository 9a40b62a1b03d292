/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Small helpers over sockets and clocks, shared by the two roles.
 */
#pragma once

#include <netinet/in.h>
#include <stdint.h>

uint64_t dt_now_ns(void);      /* monotonic */
uint64_t dt_now_wall_us(void); /* wall clock */

/* "127.0.0.1:3868" to an address: OC_OK or OC_EINVAL. */
int dt_addr_parse(const char *text, struct sockaddr_in *addr);
/* A listening TCP socket, or -1 with errno. */
int dt_listen_tcp(const struct sockaddr_in *addr);
/* A listening UNIX socket; a stale file is replaced. -1 with errno. */
int dt_listen_unix(const char *path);
/* Connects within @timeout_ms: socket or -1 with errno. */
int dt_connect_tcp(const struct sockaddr_in *addr, int timeout_ms);
/* Blocks SIGINT, SIGTERM and SIGPIPE and returns a descriptor that reports the first two, or -1. */
int dt_signals_fd(void);
/* A duration with unit "2s", "150ms", "10us", plain number = seconds: OC_OK or OC_EINVAL. */
int dt_duration_parse(const char *text, uint64_t *duration_ns);
