/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Scenario runner: tells the agent a story on a virtual clock and checks how it ends.
 *
 * One command per line, words and key=value pairs, # starts a comment. The line "# rows: D-040 D-041" names the
 * rows of the specification that the file checks. Names without a dot are hosts of example.net. At first it is time 0,
 * the ramp is 0 ms, there is no cap of unanswered requests, nobody is trusted and no peer is up.
 *
 *   time SECONDS                     sets the clock (absolute, may have a fraction) and lets the agent tick
 *   policy KEY=VALUE...              ramp_ms memory_ms probe_ms outstanding_max code_host code_realm
 *                                    code_outstanding sampler=exact|random mode=enforce|observe
 *   trust PATTERN FLAGS [REALM,...]  FLAGS: none, all, or doic,send,relay,receive; PATTERN "default" sets the rest
 *   peer up|down NAME [score=N]      candidates for sending
 *   answer from=P host=H [realm=R] [app=N] [client=C] [dh=H] [doic=0|1] [sf=1|0|empty|bad|HEX]
 *          [announced=0] [due=0] [elsewhere=1] [result=N] [olr=TYPE,SEQ,PCT,SECONDS[,bad]]...
 *                                    TYPE: H R P or a number; "-" leaves a value out. doic: the client's request
 *   send COUNT [client=C] [app=N] [dh=H] [realm=R] [doic=0|1|HEX] [step_ms=N] [session=N] [same=1] [initial=1]
 *          [keep=1] [mute_probes=1]      keep: leave them unanswered
 *   fail NAME                        the peer's connection breaks: its unanswered requests are routed again
 *   settle                           all unanswered requests are answered
 *   forget-counts                    event counts start again
 *   expect WHAT NUMBER [+-N]         of the last send or fail: refused diverted forwarded unrouted outstanding 3004
 *                                    5012 recovering probe remembered observed; ocs-held ocs-active warnings
 *                                    stale repeated refused-reports; matched selected (of the last change);
 *                                    pending; event:KIND; end:HOW
 *   expect sent|unanswered NAME NUMBER [+-N]
 *   expect ocs TYPE NAME [app=N] seq|pct|share_ppm|expires|active NUMBER [+-N]
 *   expect verdict WORD [REASON]     of the last REPORT event
 *   expect caps keep|add|replace     what was done with the last request's OC-Supported-Features
 *   expect edit caps|olr|all strip|keep  what of the last answer must go (olr: its first report)
 *
 * Prints "ok ROW" or "not ok ROW" and "N passed, N failed", and exits 0 only when every expectation held.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scn_words.h"

#define ROWS_MAX 64

struct story {
	const char *path;
	char rows[ROWS_MAX][16];
	int row_count;
	int line;
	int failures;
	int checks;
};

static void read_rows(struct story *s, const char *text)
{
	char copy[1024];
	char *save = NULL;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, " \t\r\n", &save); word; word = strtok_r(NULL, " \t\r\n", &save))
		if (s->row_count < ROWS_MAX)
			snprintf(s->rows[s->row_count++], sizeof(s->rows[0]), "%.15s", word);
}

static void run_line(struct story *s, struct scn_world *w, char *text)
{
	struct scn_words words;
	char error[256] = "";

	scn_words_split(&words, text);
	if (words.count == 0)
		return;
	s->checks += strcmp(words.word[0], "expect") == 0;
	if (scn_command(w, &words, error, sizeof(error)) == 0)
		return;
	s->failures++;
	printf("%s:%d: %s\n", s->path, s->line, error);
}

static int tell_result(const struct story *s)
{
	int rows = s->row_count;
	bool is_good = s->failures == 0 && s->checks > 0;

	for (int i = 0; i < rows; i++)
		printf("%s %s\n", is_good ? "ok" : "not ok", s->rows[i]);
	if (s->checks == 0)
		printf("%s: nothing was expected\n", s->path);
	printf("%d passed, %d failed\n", s->checks - s->failures > 0 ? s->checks - s->failures : 0,
	       s->failures);
	return is_good ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct story s = { .path = argc == 2 ? argv[1] : "" };
	char text[1024];

	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!file) {
		fprintf(stderr, "usage: scenario FILE.scn\n");
		return 2;
	}
	struct scn_world *w = scn_world_new();
	while (w && fgets(text, sizeof(text), file)) {
		s.line++;
		if (strncmp(text, "# rows:", 7) == 0)
			read_rows(&s, text + 7);
		else
			run_line(&s, w, text);
	}
	fclose(file);
	if (!w)
		return 2;
	scn_world_free(w);
	return tell_result(&s);
}
