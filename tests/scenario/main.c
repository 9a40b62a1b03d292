/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Scenario runner: tells the agent a story on a virtual clock and checks how it ends.
 *
 * One command per line, words and key=value pairs, # starts a comment. The line "# rows: D-040 D-041" names the
 * rows of the specification that the file checks. Names without a dot are hosts of example.net; the agent is
 * agent.example.net. At first it is time 0, the ramp is 0 ms, there is no cap of unanswered requests, nobody is trusted
 * and no peer is up. All messages are octets, scanned on arrival and edited as the agent says when they leave.
 *
 *   time SECONDS | time +SECONDS     lets the clock run to there (may have a fraction), the agent ticking ten times a second
 *   policy KEY=VALUE...              ramp_ms memory_ms probe_ms outstanding_max code_host code_realm code_peer
 *                                    code_outstanding standby=on|off sampler=exact|random mode=enforce|observe;
 *                                    rate=on|off antiresonant=on|off tau0=N thresholds=N,... (thousandths of T, class 0
 *                                    first); drmp=on|off application=on|off slack default_drmp reservation_min
 *                                    classes=N,... (of DRMP 0 to 15) apns=NAME,...; balance=on|off
 *                                    load_send=off|change|always load_age_ms neutral slow_start_ms capacity change_min;
 *                                    validity fall_step fall_ms idle_ms explicit=on|off prefers=loss|rate sole=HOST,... shadow=PATTERN,...
 *                                    realms=REALM,...
 *   trust PATTERN FLAGS [REALM,...] [map=N,...]
 *                                    FLAGS: doic send relay receive (these four: all), drmp drmp-relay drmp-receive load
 *                                    load-relay load-receive (these six: hints), border, none; PATTERN "default" sets the
 *                                    rest; map: what DRMP 0, 1, ... become
 *   peer up|down NAME [score=N]      candidates for sending
 *   send COUNT|Ns REQUEST... [step_ms=N | poisson=N] [mix=KIND*N,...] [turns] [same=1] [keep=1] [mute_probes=1]
 *                                    REQUEST: client= origin= orealm= dh= realm= app= command= doic=CAPS drmp=N cc=N
 *                                    initial=1 session=N apn= urn= reservation=N rxtype= uarflags= ulrflags= assignment=
 *                                    subsession= groups=N,... and the words emergency mps release retransmit olr;
 *                                    CAPS: FV[,sid=NAME][,pa=N][,extra][,twice], FV a number, 0 (none), empty, bad or zero, in a mix with
 *                                    semicolons;
 *                                    KIND: KEY:VALUE+KEY+..., plain, or pause: so many of each by lot, or in turns; Ns: for N
 *                                    seconds; poisson: arrivals per second; keep: leave them unanswered
 *   answer from=P REQUEST... [host=H] [realm=R] [sf=CAPS] [result=N] [experimental=N] [drmp=N] [rdrmp=N]
 *          [olr=OLR]... [load=TYPE,NAME,VALUE]... [announced=0] [due=0] [elsewhere=1]
 *                                    OLR: TYPE,SEQ,PCT,SECONDS[,rate=N][,sid=NAME][,spec=rg:1+2;type:1;pct:80]...[,bad]
 *                                    [,extra][,mbit][,backward]; TYPE: H R P or a number; "-" leaves a value out
 *   reply [from=P] ...               what the plain answers to "send" say, of one peer or of all others
 *   own-answer REQUEST... [result=N] [unrouted]
 *                                    a request comes and is answered on this node (unrouted: before the agent is asked)
 *   order TYPE NAME|all [pct=N] [rate=N] [validity=N] [app=N|any] [for=SECONDS] [by-policy]
 *   withdraw TYPE NAME|all [app=N|any] [by-policy]
 *   own-load N|measured
 *   restart first=N|next             a new life of the agent; its own reports begin with that number
 *   fail NAME                        the peer's connection breaks: its unanswered requests are routed again
 *   settle                           all unanswered requests are answered
 *   forget-counts                    event counts start again
 *
 *   expect WHAT NUMBER [+-N], or <N or >N (N itself is good)
 *                                    of the last send or fail: refused diverted forwarded unrouted outstanding own-refused
 *                                    3004 5012 recovering probe remembered observed reacting peer-client inherited
 *                                    drmp-stripped; announcements (requests that left with one OC-Supported-Features, ours);
 *                                    answers answers-sf answers-H -R -P answers-host-load answers-peer-load (that left for
 *                                    the client); of all: pending ocs-held ocs-active warnings stale repeated
 *                                    refused-reports clashes own-reports loads-taken loads-ignored drmp-odd
 *                                    seen-class-0..4 next-sequence clock_ms; matched selected (of the last change);
 *                                    own (reports of ours in the last answer); event:KIND; end:HOW
 *   expect class|kind N [refused|diverted|forwarded|passed] NUMBER [+-N]
 *   expect sent|unanswered NAME NUMBER [+-N]
 *   expect ocs TYPE NAME [app=N|any] [origin=NAME] seq|pct|rate|share_ppm|expires|active|algorithm|matched|selected NUMBER
 *   expect order TYPE NAME|all held|pct|seq|rate_each|targets|sent|ended|withdrawn NUMBER
 *   expect verdict WORD [REASON]     of the last REPORT event
 *   expect caps keep|add|replace     what was done with the last request's OC-Supported-Features
 *   expect drmp keep|strip|rewrite   and with its DRMP
 *   expect why|selected-by|own-step|order-result WORD
 *   expect edit caps|olr|all|load|loads|drmp strip|keep  what of the last answer must go (olr, load: its first)
 *   expect request|answer sf|sfs|sid|pa|drmp|olrs|loads|result|host VALUE
 *   expect answer olr TYPE seq|pct|rate|validity|sid VALUE | none | same
 *   expect answer load H|P value|sid VALUE | none
 *   expect request|answer octets|no-octets HEX
 *                                    in the octets that left; VALUE may be none or NUMBER [+-N], sf also empty; same: as in the answer before
 *
 * Prints "ok ROW" or "not ok ROW" and "N passed, N failed", and exits 0 only when every expectation held.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scn_command.h"

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
	char error[512] = "";

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
	s.failures += !scn_end_life(w) + (int)w->lives_failed;
	scn_world_free(w);
	return tell_result(&s);
}
