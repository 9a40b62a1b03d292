/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The commands of a scenario by name, and the short ones themselves.
 */
#include "scn_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_time(struct scn_world *w, const struct scn_words *words)
{
	if (words->count != 2)
		return -1;
	bool is_relative = words->word[1][0] == '+';
	scn_pass(w, (is_relative ? w->now_ns : SCN_START_NS) + scn_seconds_ns(words->word[1]));
	return 0;
}

static int run_peer(struct scn_world *w, const struct scn_words *words)
{
	if (words->count < 3)
		return -1;
	struct scn_peer *peer = scn_peer_of(w, scn_name(w, words->word[2]));
	if (!peer)
		return -1;
	peer->is_up = strcmp(words->word[1], "up") == 0;
	peer->score = (int32_t)scn_words_number(words, "score", (uint64_t)peer->score);
	oc_agent_on_peer(w->agent, peer->name, peer->is_up, w->now_ns);
	return 0;
}

static int run_answer(struct scn_world *w, const struct scn_words *words)
{
	const char *from = scn_words_get(words, "from", 1);
	struct scn_request request;
	struct scn_answer answer;
	struct scn_reply reply = { .is_announced = scn_words_number(words, "announced", 1) != 0,
				   .is_due = scn_words_number(words, "due", 1) != 0,
				   .is_elsewhere = scn_words_number(words, "elsewhere", 0) != 0 };

	if (!from || !scn_request_read(w, words, &request) || !scn_answer_read(w, words, &answer))
		return -1;
	reply.peer = scn_name(w, from);
	/* drmp and realm are the answer's here. */
	request.drmp = (uint32_t)scn_words_number(words, "rdrmp", SCN_NONE);
	request.dest_realm = "example.net";
	if (!scn_words_get(words, "dh", 1))
		request.dest_host = scn_identity(w, "nobody");
	return scn_answer_one(w, &request, &answer, &reply) ? 0 : -1;
}

/* What plain answers say from now on, of one peer or of all that have none of their own. */
static int run_reply(struct scn_world *w, const struct scn_words *words)
{
	const char *from = scn_words_get(words, "from", 1);
	struct scn_peer *peer = from ? scn_peer_of(w, scn_name(w, from)) : NULL;

	if (from && !peer)
		return -1;
	if (peer)
		peer->has_reply = true;
	return scn_answer_read(w, words, peer ? &peer->reply : &w->reply) ? 0 : -1;
}

static int run_own_answer(struct scn_world *w, const struct scn_words *words)
{
	struct scn_request request;

	if (!scn_request_read(w, words, &request))
		return -1;
	scn_clear_tally(w);
	scn_own_answer(w, &request, (uint32_t)scn_words_number(words, "result", OC_RC_UNABLE_TO_DELIVER),
		       !scn_words_has(words, "unrouted"));
	return 0;
}

static int run_fail(struct scn_world *w, const struct scn_words *words)
{
	if (words->count != 2)
		return -1;
	scn_fail(w, scn_name(w, words->word[1]));
	return 0;
}

static int run_settle(struct scn_world *w, const struct scn_words *words)
{
	(void)words;
	scn_settle(w);
	return 0;
}

static int run_forget(struct scn_world *w, const struct scn_words *words)
{
	(void)words;
	memset(w->events, 0, sizeof(w->events));
	memset(w->ends, 0, sizeof(w->ends));
	return 0;
}

int scn_command(struct scn_world *w, const struct scn_words *words, char *error, size_t size)
{
	static const struct {
		const char *name;
		int (*run)(struct scn_world *w, const struct scn_words *words);
	} commands[] = {
		{ "time", run_time },
		{ "policy", scn_run_policy },
		{ "trust", scn_run_trust },
		{ "peer", run_peer },
		{ "answer", run_answer },
		{ "reply", run_reply },
		{ "send", scn_run_send },
		{ "own-answer", run_own_answer },
		{ "order", scn_run_order },
		{ "withdraw", scn_run_withdraw },
		{ "own-load", scn_run_own_load },
		{ "restart", scn_run_restart },
		{ "fail", run_fail },
		{ "settle", run_settle },
		{ "forget-counts", run_forget },
	};

	if (strcmp(words->word[0], "expect") == 0)
		return scn_expect(w, words, error, size);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(words->word[0], commands[i].name) == 0) {
			snprintf(error, size, "cannot read this %s", commands[i].name);
			return commands[i].run(w, words);
		}
	snprintf(error, size, "unknown command %s", words->word[0]);
	return -1;
}
