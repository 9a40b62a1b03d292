/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the files of oc_report share: an order with its two parts, its targets, and the queue of contents made.
 *
 * An order has one part per algorithm (spec row D-048), each with a life of its own:
 *     none -> active -> ended -> none, and ended -> active when it is ordered again.
 * All that time brings about happens in oc_report_settle(). Every content made goes into the queue that
 * oc_reports_step() reads; while the queue is full nothing is made, so none is ever sent that the trail misses.
 */
#pragma once

#include "oc_report.h"

#define OC_NS_PER_S 1000000000ull
#define OC_NS_PER_MS 1000000ull

#define OC_REPORT_QUEUE 2048u	/* power of two */
#define OC_REPORT_BUCKETS 1024u /* power of two */
#define OC_REPORT_NO_TARGET UINT16_MAX

enum oc_report_phase {
	OC_REPORT_NONE = 0,
	OC_REPORT_ACTIVE = 1, /* in force, or on its way down */
	OC_REPORT_OVER = 2    /* ended; somebody may still hold what was told before */
};

struct oc_report_part {
	struct oc_report_content content; /* made last: for all, under rate for whichever target or the end */
	uint64_t floor; /* contents of lower numbers may be ignored: an end elsewhere took a higher one */
	uint64_t may_fall_ns;	/* not before then comes the next step down */
	uint64_t told_until_ns; /* the last remote state ends then */
	uint64_t sent;
	uint64_t sent_before; /* of it, before it began the last time */
	uint8_t phase;	      /* enum oc_report_phase */
	bool is_silent;	      /* ended without telling (D-106) */
};

struct oc_report_entry {
	struct oc_report_order order;
	struct oc_report_part loss;
	struct oc_report_part rate;
	uint32_t targets;
	bool is_withdrawn;
};

struct oc_report_target {
	struct oc_report_content content; /* its target and key.app_id are the key here */
	uint64_t heard_ns;
	uint16_t entry; /* number of the order */
	uint16_t next;	/* of its bucket, or of the free ones */
	bool is_used;
};

struct oc_reports {
	uint64_t sequence; /* of the next content */
	uint64_t due_ns;   /* nothing happens before */
	uint32_t count;
	uint32_t span;					 /* entries from here on are free */
	struct oc_report_key keys[OC_REPORT_ORDERS_MAX]; /* type OC_REPORT_COUNT: free */
	struct oc_report_entry entries[OC_REPORT_ORDERS_MAX];
	uint32_t queue_head;
	uint32_t queue_len;
	struct oc_report_content queue[OC_REPORT_QUEUE];
	uint16_t free_target;
	uint16_t buckets[OC_REPORT_BUCKETS];
	struct oc_report_target targets[OC_REPORT_TARGETS_MAX];
};

/* Something is to be looked at again at @at_ns. */
static inline void oc_report_due(struct oc_reports *reports, uint64_t at_ns)
{
	if (at_ns < reports->due_ns)
		reports->due_ns = at_ns;
}

static inline bool oc_report_has_room(const struct oc_reports *reports)
{
	return reports->queue_len < OC_REPORT_QUEUE;
}

static inline bool oc_report_is_free(const struct oc_reports *reports, uint32_t i)
{
	return reports->keys[i].type == OC_REPORT_COUNT;
}

/* Whether nobody holds anything of @part any more, or ever did (D-098). */
static inline bool oc_report_is_forgotten(const struct oc_report_part *part, uint64_t now_ns)
{
	return part->sent == 0 || now_ns > part->told_until_ns;
}

/* Moment from which @content is made again, so that nobody's state lapses (D-082). */
static inline uint64_t oc_report_renewal_ns(const struct oc_report_content *content)
{
	return content->made_ns + content->validity_s * OC_NS_PER_S / 2;
}

static inline uint32_t oc_report_validity_s(const struct oc_report_entry *entry,
					    const struct oc_report_policy *policy)
{
	return entry->order.validity_s ? entry->order.validity_s : policy->validity_s;
}

/* Does whatever is due at @now_ns, as far as the queue has room. */
void oc_report_settle(struct oc_reports *reports, const struct oc_report_policy *policy, uint64_t now_ns);

/* Gives @content the next number and @step and puts it into the queue, which has room. */
void oc_report_make(struct oc_reports *reports, struct oc_report_content *content, enum oc_report_step step,
		    uint64_t now_ns);

/* Puts @content into the queue once more, as gone at @now_ns; it takes no number. The queue has room. */
void oc_report_tell_gone(struct oc_reports *reports, const struct oc_report_content *content,
			 uint64_t now_ns);

/* The same for what became of @content without a word to anybody: the trail is told, nothing else follows from it. */
void oc_report_tell_note(struct oc_reports *reports, const struct oc_report_content *content,
			 enum oc_report_step step, uint64_t now_ns);

/* Ends @part of @entry: makes the end, or none when the policy leaves it to expiry. The queue has room. */
void oc_report_end(struct oc_reports *reports, const struct oc_report_policy *policy,
		   struct oc_report_entry *entry, struct oc_report_part *part, uint64_t now_ns);

/* The loss part through what is due (oc_report_fall.c); the queue has room. */
void oc_report_settle_loss(struct oc_reports *reports, const struct oc_report_policy *policy,
			   struct oc_report_entry *entry, uint64_t now_ns);

/* Targets (oc_report_targets.c). */
void oc_report_targets_init(struct oc_reports *reports);

/* Those not heard of for the policy's time leave; their rate goes to the others. */
void oc_report_targets_leave(struct oc_reports *reports, const struct oc_report_policy *policy,
			     uint64_t now_ns);

/* Makes the contents that a new split or their age calls for. */
void oc_report_targets_refresh(struct oc_reports *reports, const struct oc_report_policy *policy,
			       uint64_t now_ns);

/* All targets of order @i leave, untold: its end speaks to them all. */
void oc_report_targets_drop(struct oc_reports *reports, uint32_t i);

/* The reacting node @target in @app_id under order @i, NULL when it was not met. */
struct oc_report_target *oc_report_target_get(struct oc_reports *reports, uint32_t i, uint32_t app_id,
					      uint32_t target);

/* Up-to-date content of order @i for the reacting node @target in @app_id, met now if it is new. NULL: there is no room for it. */
const struct oc_report_content *oc_report_target_content(struct oc_reports *reports,
							 const struct oc_report_policy *policy, uint32_t i,
							 uint32_t app_id, uint32_t target, uint64_t now_ns);
