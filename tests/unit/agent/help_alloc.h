/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counts allocations of the whole program, to show that the message path makes none.
 *
 * The allocator's entry points are replaced by ones that count and pass on to glibc's own. Sanitizers bring their own
 * allocator: there nothing is counted, and help_allocations_are_counted() says so. To be included by exactly one
 * file of a program.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#endif

static _Atomic uint64_t help_allocation_count;

#ifdef IS_SANITIZED

static inline bool help_allocations_are_counted(void)
{
	return false;
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
	atomic_fetch_add_explicit(&help_allocation_count, 1, memory_order_relaxed);
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	atomic_fetch_add_explicit(&help_allocation_count, 1, memory_order_relaxed);
	return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	atomic_fetch_add_explicit(&help_allocation_count, 1, memory_order_relaxed);
	return __libc_realloc(old, size);
}

static inline bool help_allocations_are_counted(void)
{
	return true;
}

#endif

static inline uint64_t help_allocations(void)
{
	return atomic_load_explicit(&help_allocation_count, memory_order_relaxed);
}
