/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The life of an agent as help_life.h wants it, kept in segments and read back from them: every story goes through journal,
 * recorder, SQLite and the reader of doic replay before it is lived again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/replay/oev_replay_folder.h"
#include "evidence/replay/oev_replay_pump.h"
#include "tests/unit/agent/help_life.h"
#include "tests/unit/replay/help_record.h"

struct change {
	struct change *next;
	uint64_t at_ns;
	struct oc_policy policy;
};

struct help_life {
	struct help_record record;
	char folder[HELP_FOLDER_MAX];
	struct oc_policy policy;
	struct oc_names *names;
	struct change *changes;
	bool is_over;
};

struct help_life *help_life_begin(const struct oc_agent_conf *conf, const struct oc_policy *policy)
{
	struct help_life *life = calloc(1, sizeof(*life));

	if (!life)
		return NULL;
	life->policy = *policy;
	life->names = conf->names;
	help_record_folder(life->folder);
	help_record_begin(&life->record, life->folder, conf, "");
	return life;
}

static void end(struct help_life *life)
{
	if (!life->is_over)
		help_record_end(&life->record);
	life->is_over = true;
}

void help_life_free(struct help_life *life)
{
	if (!life)
		return;
	end(life);
	for (struct change *next; life->changes; life->changes = next) {
		next = life->changes->next;
		free(life->changes);
	}
	help_record_remove(life->folder);
	free(life);
}

void help_life_event(struct help_life *life, const struct oc_event *event)
{
	if (event->kind != OC_EVENT_DECISION && event->kind != OC_EVENT_OUTCOME)
		help_record_clock(event->mono_ns);
	help_record_event(&life->record, event);
}

void help_life_policy(struct help_life *life, const struct oc_policy *policy, uint64_t at_ns)
{
	struct change *change = malloc(sizeof(*change));

	if (!change)
		abort();
	*change = (struct change){ .next = life->changes, .at_ns = at_ns, .policy = *policy };
	life->changes = change;
}

static void on_decided(void *ctx, const struct oc_decision *recorded, const struct oc_decision *replayed)
{
	const char *what = oc_replay_difference(recorded, replayed);
	char *text = ctx;

	if (what && !text[0])
		snprintf(text, HELP_LIFE_TEXT_MAX, "decision %llu differs in %s",
			 (unsigned long long)recorded->id, what);
}

static struct oc_replay_counts again(const struct help_life *life, struct oev_replay_life *read, char *text)
{
	struct oc_replay_conf conf = { .agent = read->conf, .decided = on_decided, .ctx = text };
	char error[OEV_REPLAY_ERROR_MAX] = "";
	struct oev_pump_counts counts;

	/* Stories have policies without a text, and names that no event told of. */
	conf.agent.names = life->names;
	struct oc_replay *replay = oc_replay_new(&conf, &life->policy);
	struct oev_pump_conf pump = { .life = read,
				      .group = { { replay }, 1 },
				      .ahead = OEV_PUMP_NEAR,
				      .other_policy = true,
				      .error = error };
	for (const struct change *c = life->changes; replay && c; c = c->next)
		(void)oc_replay_policy(replay, &c->policy, c->at_ns);
	if (!replay || oev_pump_run(&pump, &counts) != OC_OK || counts.missing != 0) {
		fprintf(stderr, "%s: %s\n", life->folder, error);
		abort();
	}
	struct oc_replay_counts result = oc_replay_counts(replay);
	oc_replay_free(replay);
	return result;
}

struct oc_replay_counts help_life_again(const struct help_life *life, char text[static HELP_LIFE_TEXT_MAX])
{
	static const struct oev_replay_window always = { 0, UINT64_MAX };
	struct oev_replay_life *read = calloc(1, sizeof(*read));
	struct oev_replay_folder folder = { 0 };
	char error[OEV_REPLAY_ERROR_MAX] = "";

	end((struct help_life *)life);
	text[0] = '\0';
	int rc = read ? oev_replay_folder_add(&folder, life->folder, error) : OC_ENOMEM;
	oev_replay_folder_order(&folder, NULL);
	if (rc == OC_OK)
		rc = oev_replay_life_load(read, folder.segments, (uint32_t)folder.count, &always, error);
	if (rc != OC_OK || read->lack != OEV_LACKS_NOTHING) {
		fprintf(stderr, "%s: %s\n", error, oev_life_lack_text(rc == OC_OK ? read->lack : 0));
		abort();
	}
	struct oc_replay_counts counts = again(life, read, text);
	oev_replay_life_fini(read);
	oev_replay_folder_fini(&folder);
	free(read);
	return counts;
}
