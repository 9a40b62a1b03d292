/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The journal under kill -9: a child with two producers and a consumer dies in the middle of its work, again and again.
 *
 * The consumer of the child "commits" into memory that it shares with the test: ids by position, then the position reached,
 * then it pops. What was committed and what the file still holds must be, together, every event whose append
 * returned, once, each producer's in its order.
 */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "help_journal.h"

void test_oev_journal_kill_suite(void);

#define PRODUCERS 2u
#define PER_PRODUCER 400000u /* more than a child ever gets to */
#define ROUNDS 50u
#define BATCH 100u
#define LIFE_MAX_US 4000u

/* What the child tells by memory, which its death leaves whole. */
struct told {
	_Atomic uint64_t returned[PRODUCERS]; /* appends that came back */
	_Atomic uint64_t committed;	      /* position */
	uint64_t ids[PRODUCERS * PER_PRODUCER];
};

struct producer {
	struct oev_journal *journal;
	struct told *told;
	uint64_t number;
};

static struct told *told;

static int set_up(void)
{
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return told == MAP_FAILED;
}

static int tear_down(void)
{
	return munmap(told, sizeof(*told));
}

static void *produce(void *ctx)
{
	struct producer *p = ctx;
	struct oc_event event = { .kind = OC_EVENT_DECISION };

	for (uint64_t i = 0; i < PER_PRODUCER; i++) {
		event.u.decision.id = p->number << 32 | i;
		if (oev_journal_append(p->journal, &event) != OC_OK)
			abort();
		atomic_store_explicit(&p->told->returned[p->number], i + 1, memory_order_relaxed);
	}
	return NULL;
}

/* Commits and pops until somebody kills it, or, after @batches, only lives on. */
static void consume(struct oev_journal *journal, uint32_t batches)
{
	const struct oc_event *event;
	uint32_t n;

	for (; batches > 0; batches--) {
		uint64_t head = oev_journal_head(journal);
		for (n = 0; n < BATCH && (event = oev_journal_peek_at(journal, n)) != NULL; n++)
			told->ids[head + n] = event->u.decision.id;
		atomic_store_explicit(&told->committed, oev_journal_reach(journal, n), memory_order_release);
		oev_journal_pop_n(journal, n);
	}
	for (;;)
		pause();
}

/* The life of a child: never returns. */
static void live(struct help_journal *h, uint32_t records, uint32_t batches)
{
	struct oev_journal_conf conf = {
		.path = h->path, .records = records, .when_full = OEV_FULL_BLOCK, .block_max_ms = 60000
	};
	struct producer producers[PRODUCERS];
	pthread_t thread;

	if (oev_journal_open(&h->journal, &conf, h->error, sizeof(h->error)) != OC_OK)
		_exit(2);
	help_journal_begin(h);
	for (uint64_t i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){ .journal = h->journal, .told = told, .number = i };
		if (pthread_create(&thread, NULL, produce, &producers[i]) != 0)
			_exit(3);
	}
	consume(h->journal, batches);
}

/* Whether the child is at work. Of one whose consumer soon stops, one producer may find a ring that the other has filled. */
static bool is_at_work(unsigned round, bool soon_stops)
{
	unsigned one = round % PRODUCERS, other = (round + 1) % PRODUCERS;

	return atomic_load(&told->returned[one]) != 0 ||
	       (soon_stops && atomic_load(&told->returned[other]) != 0);
}

/* Starts a child, lets it work for a while, kills it. */
static void kill_one(struct help_journal *h, unsigned round)
{
	static const uint32_t records[] = { 64, 1024, 16384 };
	uint32_t batches = round % 5 == 4 ? 3 : UINT32_MAX;
	uint64_t patience_ns = oev_clock_mono_ns() + 20000000000u;
	int status = 0;

	for (unsigned i = 0; i < PRODUCERS; i++)
		atomic_store(&told->returned[i], 0);
	atomic_store(&told->committed, 0);
	pid_t child = fork();
	CU_ASSERT_FATAL(child >= 0);
	if (child == 0)
		live(h, records[round % 3], batches);
	while (!is_at_work(round, batches != UINT32_MAX) && oev_clock_mono_ns() < patience_ns)
		oev_clock_sleep_us(50);
	oev_clock_sleep_us(round * 7919u % LIFE_MAX_US);
	kill(child, SIGKILL);
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Whether @id is the next of its producer. */
static bool is_next(uint64_t next[PRODUCERS], uint64_t id)
{
	return id >> 32 < PRODUCERS && (id & 0xffffffffu) == next[id >> 32]++;
}

/* Counts into @next what was committed and what is left; false at the first that is not in order. */
static bool collect(struct help_journal *h, uint64_t next[PRODUCERS])
{
	const struct oc_event *event;
	uint64_t committed = atomic_load(&told->committed);

	for (uint64_t at = 0; at < committed; at++)
		if (!is_next(next, told->ids[at]))
			return false;
	if (oev_journal_skip_to(h->journal, committed) != OC_OK)
		return false;
	for (; (event = oev_journal_peek(h->journal)) != NULL; oev_journal_pop(h->journal))
		if (event->kind != OC_EVENT_DECISION || !is_next(next, event->u.decision.id))
			return false;
	return oev_journal_fill(h->journal) == 0;
}

static void test_oev_journal_kill_loses_nothing_that_was_appended(void)
{
	struct help_journal h;

	help_journal_set_up(&h);
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint64_t next[PRODUCERS] = { 0 };
		kill_one(&h, round);
		CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
		CU_ASSERT(h.left.found);
		CU_ASSERT_EQUAL(h.left.damaged, 0);
		CU_ASSERT(h.left.torn <= PRODUCERS);
		CU_ASSERT_EQUAL(h.left.gap, 0);
		CU_ASSERT(collect(&h, next));
		for (unsigned i = 0; i < PRODUCERS; i++) {
			uint64_t returned = atomic_load(&told->returned[i]);
			CU_ASSERT(next[i] == returned || next[i] == returned + 1);
		}
		help_journal_begin(&h);
		help_journal_close(&h);
	}
	help_journal_tear_down(&h);
}

void test_oev_journal_kill_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_journal_kill", set_up, tear_down);

	CU_add_test(suite, "loses_nothing", test_oev_journal_kill_loses_nothing_that_was_appended);
}
