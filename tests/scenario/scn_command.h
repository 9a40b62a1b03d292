/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The commands of a scenario, one function each: 0, or -1 when the words do not read. main.c says what they mean.
 */
#pragma once

#include "scn_drive.h"

/* Runs one line. 0, or -1 with the reason in @error. */
int scn_command(struct scn_world *w, const struct scn_words *words, char *error, size_t size);

/* --- scn_send.c --- */
int scn_run_send(struct scn_world *w, const struct scn_words *words);

/* --- scn_policy.c --- */
int scn_run_policy(struct scn_world *w, const struct scn_words *words);
int scn_run_trust(struct scn_world *w, const struct scn_words *words);

/* --- scn_own.c --- */
int scn_run_order(struct scn_world *w, const struct scn_words *words);
int scn_run_withdraw(struct scn_world *w, const struct scn_words *words);
int scn_run_own_load(struct scn_world *w, const struct scn_words *words);
int scn_run_restart(struct scn_world *w, const struct scn_words *words);

/* --- scn_expect.c: the command "expect" --- */
int scn_expect(struct scn_world *w, const struct scn_words *words, char *error, size_t size);

/* The number at word @at, with "+-N" behind it or "<" or ">" before it, against @value. */
int scn_compare(const struct scn_words *words, int at, uint64_t value, char *error, size_t size);

/* --- scn_expect_wire.c: "expect answer" and "expect request", what left --- */
int scn_expect_left(struct scn_world *w, const struct scn_words *words, char *error, size_t size);
