/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Laboratory: a network of agents, relays, clients and servers on a virtual clock. Every message is octets, so what one
 * agent writes is what the next one reads.
 *
 * One command per line, words and key=value pairs, # starts a comment. The line "# rows: D-240 L-16" names the rows of the
 * specification that the file checks. Names without a dot are hosts of example.net; the first label is enough to call a node.
 * At first agents trust everybody with everything, without ramp, slow start and cap of unanswered requests.
 *
 *   client NAME [plain|doic|peer] [vector=N] [patience=S] [retry=N]   peer: with peer reports (RFC 8581). An answer
 *                                    later than patience is of no use; TOO_BUSY is tried again that often
 *   server NAME [doic|plain|peer] [vector=N] [capacity=RPS] [queue=N] [refusal_cost=X] [auto=1]
 *                                    auto: it reports what it is asked beyond its capacity
 *   agent NAME                       relay NAME: passes everything on untouched, by turns
 *   link X Y... [score=N]            X may send requests to Y
 *   policy AGENT KEY=VALUE...        ramp_ms memory_ms outstanding_max neutral slow_start_ms capacity_rps change_min
 *                                    validity_s fall_step_pct fall_interval_ms target_idle_ms slack
 *                                    load_send=off|change|always rate=on|off prefer=loss|rate sampler=exact|random
 *                                    standby_takes_all sole_path_to=HOST,.. realms=REALM,..
 *   trust AGENT PEER|default FLAGS   FLAGS: none or doic,send,relay,receive,drmp,drmp-relay,drmp-receive,load,
 *                                    load-relay,load-receive
 *   report SERVER H|R|P [pct=N] [rate=N] [validity=N] [seq=N] [app=N] [origin=CLIENT] [source=NAME]     or: off
 *   load SERVER VALUE|off [peer=VALUE] [source=NAME]    load AGENT VALUE
 *   order AGENT H|R|P [SUBJECT] [pct=N] [rate=N] [validity=N] [refused=1]     withdraw AGENT H|R|P [SUBJECT]
 *   send COUNT client=C,... [dh=H] [realm=R] [app=N] [at=RPS] [drmp=N,...] [more=1]    counts begin again, unless more
 *   time SECONDS, wait SECONDS       sets the clock, lets time pass
 *   mute SERVER, talk SERVER         it keeps what arrives; it answers everything
 *   down NODE, up NODE               dies, and is born again with nothing in its memory
 *   keep NAME WHAT...                remembers a number for a comparison; reset: another network begins
 *   trace on|off                     shows every message
 *   expect WHAT N [+-M]              or >=N, <=N, where N may be a name that was kept. WHAT is of the last send:
 *     asked NODE ...                 requests that arrived there; filters: from= origin= sf= vector= sid= drmp= again=
 *     saw NODE ...                   answers; filters: from= origin= code= sf= vector= sid= algo= olr= type= pct= rate= seq=
 *                                    validity= source= loads= load=HOST|PEER value= of=
 *     sent|throttled|useful|late|lost CLIENT, queued SERVER
 *     forwarded|diverted|refused|decisions|outcomes AGENT
 *   or of now:
 *     ocs AGENT TYPE SUBJECT pct|rate|seq|active|matched|selected|algorithm N [app=N] [origin=NAME]
 *     unanswered AGENT PEER N        ocs-held ocs-active reports-new reports-stale reports-refused clashes own-reports
 *                                    loads-taken loads-ignored warnings drmp-stripped failopen class-N AGENT
 *
 * Prints "ok ROW" or "not ok ROW" and "N passed, N failed", and exits 0 only when every expectation held.
 */
#include <stdio.h>
#include <string.h>

#include "lab_words.h"

#define ROWS_MAX 64

struct telling {
	const char *path;
	char rows[ROWS_MAX][16];
	int row_count;
	int line;
	int checks;
	int failures;
};

static void read_rows(struct telling *t, char *text)
{
	char *save = NULL;

	for (char *word = strtok_r(text, " \t\r\n", &save); word; word = strtok_r(NULL, " \t\r\n", &save))
		if (t->row_count < ROWS_MAX)
			snprintf(t->rows[t->row_count++], sizeof(t->rows[0]), "%.15s", word);
}

static void run_line(struct telling *t, struct lab_story *story, char *text)
{
	struct lab_words words;
	char error[256] = "";
	int rc;

	lab_words_split(&words, text);
	if (words.count == 0)
		return;
	t->checks += strcmp(words.word[0], "expect") == 0;
	rc = lab_build(story, &words, error, sizeof(error));
	if (rc == 0)
		rc = lab_act(story, &words, error, sizeof(error));
	if (rc == 0)
		rc = lab_expect(story, &words, error, sizeof(error));
	if (rc == 0)
		snprintf(error, sizeof(error), "unknown command %.100s", words.word[0]);
	if (rc == 1)
		return;
	t->failures++;
	printf("%s:%d: %s\n", t->path, t->line, error);
}

static int tell_result(const struct telling *t)
{
	bool is_good = t->failures == 0 && t->checks > 0;

	for (int i = 0; i < t->row_count; i++)
		printf("%s %s\n", is_good ? "ok" : "not ok", t->rows[i]);
	if (t->checks == 0)
		printf("%s: nothing was expected\n", t->path);
	printf("%d passed, %d failed\n", t->checks > t->failures ? t->checks - t->failures : 0, t->failures);
	return is_good ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct telling t = { .path = argc == 2 ? argv[1] : "" };
	struct lab_story story = { .world = lab_world_new() };
	char text[1024];

	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!file || !story.world) {
		fprintf(stderr, "usage: lab FILE.lab\n");
		return 2;
	}
	while (story.world && fgets(text, sizeof(text), file)) {
		t.line++;
		if (strncmp(text, "# rows:", 7) == 0)
			read_rows(&t, text + 7);
		else
			run_line(&t, &story, text);
	}
	fclose(file);
	if (!story.world)
		return 2;
	t.failures += (int)(story.lives_failed + lab_world_free(story.world));
	return tell_result(&t);
}
