/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the histogram, the random gaps, the tally and the worker queue.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "dt_hist.h"
#include "dt_mix.h"
#include "dt_names.h"
#include "dt_rng.h"
#include "dt_work.h"

void test_dt_hist_suite(void);

static void test_dt_hist_quantiles_are_within_two_percent(void)
{
	struct dt_hist *hist = calloc(1, sizeof(*hist));
	CU_ASSERT_EQUAL(dt_hist_quantile(hist, 500000), 0);
	for (uint64_t us = 1; us <= 10000; us++)
		dt_hist_add(hist, us * 1000);
	CU_ASSERT_DOUBLE_EQUAL((double)dt_hist_quantile(hist, 500000), 5e6, 5e6 * 0.02);
	CU_ASSERT_DOUBLE_EQUAL((double)dt_hist_quantile(hist, 990000), 9.9e6, 9.9e6 * 0.02);
	CU_ASSERT_EQUAL(dt_hist_quantile(hist, 1000000), 10000000);
	CU_ASSERT_EQUAL(hist->max_ns, 10000000);
	free(hist);
}

static void test_dt_hist_is_exact_for_one_value_and_safe_for_huge(void)
{
	struct dt_hist *hist = calloc(1, sizeof(*hist));
	dt_hist_add(hist, 63);
	CU_ASSERT_EQUAL(dt_hist_quantile(hist, 500000), 63);
	CU_ASSERT_EQUAL(dt_hist_quantile(hist, 999000), 63);
	dt_hist_add(hist, UINT64_MAX);
	CU_ASSERT_EQUAL(dt_hist_quantile(hist, 999000), UINT64_MAX);
	free(hist);
}

static void test_dt_rng_exponential_has_its_mean_and_spread(void)
{
	struct dt_rng rng = { 42 };
	double sum = 0, squares = 0;
	const int count = 200000;

	for (int i = 0; i < count; i++) {
		double gap = (double)dt_rng_exponential(&rng, 1000000);
		sum += gap;
		squares += gap * gap;
	}
	double mean = sum / count;
	CU_ASSERT_DOUBLE_EQUAL(mean, 1e6, 1e4);
	CU_ASSERT_DOUBLE_EQUAL(sqrt(squares / count - mean * mean), 1e6, 2e4);
}

static void test_dt_mix_follows_its_weights(void)
{
	struct dt_mix mix;
	struct dt_rng rng = { 1 };
	int busy = 0;

	CU_ASSERT_EQUAL(dt_mix_results("2001=90,3004=10", &mix), OC_OK);
	for (int i = 0; i < 100000; i++)
		busy += dt_mix_pick(&mix, &rng) == 3004;
	CU_ASSERT(busy > 9500 && busy < 10500);
	CU_ASSERT(dt_mix_results("5012", &mix) == OC_OK && dt_mix_pick(&mix, &rng) == 5012);
	CU_ASSERT_EQUAL(dt_mix_results("", &mix), OC_EINVAL);
	CU_ASSERT_EQUAL(dt_mix_results("2001=0", &mix), OC_EINVAL);
	CU_ASSERT_EQUAL(dt_mix_results("2001=1,", &mix), OC_EINVAL);
	CU_ASSERT_EQUAL(dt_mix_results("2001x", &mix), OC_EINVAL);
}

static void test_dt_names_keep_names_apart_and_overflow_into_one(void)
{
	struct dt_names *names = calloc(1, sizeof(*names));
	char text[32];

	struct dt_name *first = dt_names_get(names, (const uint8_t *)"a", 1);
	CU_ASSERT_PTR_EQUAL(dt_names_get(names, (const uint8_t *)"a", 1), first);
	CU_ASSERT_PTR_NOT_EQUAL(dt_names_get(names, (const uint8_t *)"b", 1), first);
	for (int i = 0; i < 3000; i++) {
		int len = snprintf(text, sizeof(text), "host%d", i);
		dt_names_get(names, (const uint8_t *)text, (size_t)len)->requests++;
	}
	CU_ASSERT_EQUAL(names->count, DT_NAMES_MAX);
	CU_ASSERT_STRING_EQUAL(names->entry[DT_NAMES_MAX - 1].text, "(other)");
	CU_ASSERT_EQUAL(names->entry[DT_NAMES_MAX - 1].requests, 3000 - (DT_NAMES_MAX - 3));
	free(names);
}

static void test_dt_work_serves_at_its_capacity_and_refuses_beyond_the_queue(void)
{
	const struct dt_work_plan plan = { .workers = 2, .busy_ns = 1000, .delay_ns = 50, .queue_max = 3 };
	struct dt_work *work = dt_work_new(&plan, 1);
	struct dt_job *job;
	uint64_t due[5] = { 1050, 1050, 2050, 2050, 3050 };

	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(dt_work_arrive(work, (const uint8_t *)"x", 1, 0, &job), OC_OK);
		CU_ASSERT_EQUAL(job->due_ns, due[i]);
	}
	CU_ASSERT_EQUAL(dt_work_waiting(work, 0), 3);
	CU_ASSERT_EQUAL(dt_work_arrive(work, (const uint8_t *)"x", 1, 0, &job), OC_EBUSY);
	CU_ASSERT_EQUAL(dt_work_arrive(work, (const uint8_t *)"x", 1, 1000, &job), OC_OK);
	CU_ASSERT_PTR_NULL(dt_work_take(work, 1049));
	CU_ASSERT_PTR_NOT_NULL(dt_work_take(work, 1050));
	CU_ASSERT_PTR_NOT_NULL(dt_work_take(work, 1050));
	CU_ASSERT_PTR_NULL(dt_work_take(work, 1050));
	CU_ASSERT_EQUAL(dt_work_next_ns(work), 2050);
	for (int i = 0; i < 4; i++)
		CU_ASSERT_PTR_NOT_NULL(dt_work_take(work, 10000));
	CU_ASSERT_EQUAL(dt_work_next_ns(work), UINT64_MAX);
	dt_work_free(work);
}

static void test_dt_work_gives_jobs_in_order_of_their_end(void)
{
	const struct dt_work_plan plan = { .delay_ns = 1000000, .exponential = true };
	struct dt_work *work = dt_work_new(&plan, 7);
	struct dt_job *job;
	uint64_t last_ns = 0, count = 0;

	for (uint64_t i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(dt_work_arrive(work, (const uint8_t *)&i, sizeof(i), i, &job), OC_OK);
	while ((job = dt_work_take(work, UINT64_MAX)) != NULL) {
		CU_ASSERT(job->due_ns >= last_ns && job->len == sizeof(uint64_t));
		last_ns = job->due_ns;
		count++;
	}
	CU_ASSERT_EQUAL(count, 1000);
	dt_work_free(work);
}

void test_dt_hist_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_hist", NULL, NULL);
	CU_add_test(suite, "quantiles", test_dt_hist_quantiles_are_within_two_percent);
	CU_add_test(suite, "edges", test_dt_hist_is_exact_for_one_value_and_safe_for_huge);
	CU_add_test(suite, "exponential", test_dt_rng_exponential_has_its_mean_and_spread);
	CU_add_test(suite, "mix", test_dt_mix_follows_its_weights);
	CU_add_test(suite, "names", test_dt_names_keep_names_apart_and_overflow_into_one);
	CU_add_test(suite, "work_capacity", test_dt_work_serves_at_its_capacity_and_refuses_beyond_the_queue);
	CU_add_test(suite, "work_order", test_dt_work_gives_jobs_in_order_of_their_end);
}
