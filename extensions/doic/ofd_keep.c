/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Room for what is kept beside messages: a stock made at the start, the allocator when that is used up.
 *
 * A message is allocated in one thread and freed in another, which is where the allocator is slow; a block of this size would
 * cost it more than all the agent's thinking about a message.
 */
#include "ofd.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_slots.h"

#define STOCK 4096u /* messages: four busy peers with every request they may leave unanswered */
#define EDITS 256u  /* answers between their arrival and their leaving */

struct ofd_keep {
	struct oc_slots *slots;
	struct oc_slots *edit_slots;
	struct oc_answer_edit edits[EDITS];
	struct fd_hook_permsgdata stock[STOCK];
};

/* Never freed: messages outlive the extension's work, and each holds its context. Only what was used costs memory. */
struct ofd_keep *ofd_keep_start(void)
{
	struct ofd_keep *keep = calloc(1, sizeof(*keep));

	if (!keep)
		return NULL;
	keep->slots = oc_slots_new(STOCK);
	keep->edit_slots = oc_slots_new(EDITS);
	if (!keep->slots || !keep->edit_slots) {
		oc_slots_free(keep->slots);
		oc_slots_free(keep->edit_slots);
		free(keep);
		return NULL;
	}
	return keep;
}

struct fd_hook_permsgdata *ofd_keep_new(struct ofd_keep *keep)
{
	uint32_t slot = oc_slots_take(keep->slots);
	struct fd_hook_permsgdata *ctx = slot != OC_SLOTS_NONE ? &keep->stock[slot] : malloc(sizeof(*ctx));

	if (!ctx)
		return NULL;
	memset(ctx, 0, offsetof(struct fd_hook_permsgdata, msg.olr));
	ctx->keep = keep;
	return ctx;
}

static bool is_stock(const struct fd_hook_permsgdata *ctx)
{
	uintptr_t at = (uintptr_t)ctx - (uintptr_t)ctx->keep->stock;

	return at < sizeof(ctx->keep->stock);
}

void ofd_keep_free(struct fd_hook_permsgdata *ctx)
{
	ofd_keep_edit_free(ctx->keep, ctx->edit);
	if (is_stock(ctx))
		oc_slots_give(ctx->keep->slots, (uint32_t)(ctx - ctx->keep->stock));
	else
		free(ctx);
}

struct oc_answer_edit *ofd_keep_edit_new(struct ofd_keep *keep)
{
	uint32_t slot = oc_slots_take(keep->edit_slots);
	struct oc_answer_edit *edit = slot != OC_SLOTS_NONE ? &keep->edits[slot] : malloc(sizeof(*edit));

	if (edit)
		memset(edit, 0, offsetof(struct oc_answer_edit, own));
	return edit;
}

void ofd_keep_edit_free(struct ofd_keep *keep, struct oc_answer_edit *edit)
{
	uintptr_t at = (uintptr_t)edit - (uintptr_t)keep->edits;

	if (at < sizeof(keep->edits))
		oc_slots_give(keep->edit_slots, (uint32_t)(edit - keep->edits));
	else
		free(edit);
}
