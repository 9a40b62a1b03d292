/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One decision against the OCS versions it was compared with, and against those it should have been.
 */
#include <inttypes.h>
#include <stdio.h>

#include "oev_audit_sampler.h"
#include "oev_audit_scan.h"

static void except(struct oev_scan *scan, const struct oev_row *row, enum oev_exception_kind kind,
		   const struct oev_version *version, const char *detail)
{
	struct oev_exception found = { .kind = kind,
				       .claim = version != NULL && version->claim != UINT32_MAX
							? (int32_t)version->claim
							: -1,
				       .segment = scan->segment,
				       .id = row->id,
				       .wall_us = row->wall_us };

	if (!row->in_window || (version != NULL && version->claim == UINT32_MAX))
		return;
	if (version != NULL)
		snprintf(found.detail, sizeof(found.detail), "version %" PRIu32 ": %s", version->number,
			 detail);
	else
		snprintf(found.detail, sizeof(found.detail), "%s", detail);
	oev_audit_except(scan->audit, &found);
}

static struct oev_version *version_of(const struct oev_scan *scan, uint32_t number)
{
	uint64_t at = oev_index_get(&scan->version_at, number);

	return at != 0 ? &scan->audit->versions[at - 1] : NULL;
}

/* RFC 7683 section 5.2.2: a host report speaks of requests that name the host, or that would go there; a
 * realm report of requests to the realm that name no host; a peer report (RFC 8581) of the next hop. */
static bool in_scope(const struct oev_row *row, enum oc_scope scope, uint32_t subject)
{
	switch (scope) {
	case OC_SCOPE_HOST:
		return row->dest_host != 0 ? row->dest_host == subject : row->first_choice == subject;
	case OC_SCOPE_REALM:
		return row->dest_realm == subject && row->dest_host == 0;
	case OC_SCOPE_PEER:
		return row->first_choice == subject || row->next_hop == subject;
	default:
		return false;
	}
}

/* When the request was held against a report of @scope: on arrival, unless only the choice of a peer told whom it concerns. */
static uint64_t look_ns(const struct oev_row *row, enum oc_scope scope)
{
	bool late = scope == OC_SCOPE_PEER || (scope == OC_SCOPE_HOST && row->dest_host == 0);

	return late ? row->out_ns : row->mono_ns;
}

static void check_selected(struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
			   const struct oev_version *version)
{
	const struct oev_claim *claim =
		version->claim != UINT32_MAX ? &scan->audit->claims[version->claim] : NULL;

	if (claim == NULL)
		return;
	if (!oev_audit_covers(claim, row->app_id))
		except(scan, row, OEV_X_OUTSIDE_SCOPE, version, "selected in another application");
	else if (claim->type + 0u != (scope == OC_SCOPE_REALM  ? (uint32_t)OC_REPORT_REALM
				      : scope == OC_SCOPE_HOST ? (uint32_t)OC_REPORT_HOST
							       : (uint32_t)OC_REPORT_PEER))
		except(scan, row, OEV_X_OUTSIDE_SCOPE, version, "selected by a report of another type");
	else if (!in_scope(row, scope, version->subject))
		except(scan, row, OEV_X_OUTSIDE_SCOPE, version, "selected, but not of its subject");
	else if (version->origin != 0 && scope == OC_SCOPE_HOST && version->origin != row->origin_host)
		except(scan, row, OEV_X_OUTSIDE_SCOPE, version, "selected by a rate of another client");
	/* a verdict remembered for a retry may outlive the version it was drawn under */
	else if ((row->flags & OC_DEC_REMEMBERED) == 0 &&
		 look_ns(row, scope) + OEV_EDGE_NS < version->from_ns)
		except(scan, row, OEV_X_NOT_IN_FORCE, version, "selected before it was held");
}

static void add(struct oev_tally *tally, uint32_t share_ppm, bool selected)
{
	tally->matched++;
	tally->selected += selected;
	tally->expected_ppm += share_ppm;
}

/* Without priorities every share on the ramp is at most the one before; with them only the sums fall. */
static void take_fall(const struct oev_scan *scan, uint64_t at_ns, struct oev_version *version,
		      uint32_t share_ppm, bool selected)
{
	uint64_t ramp_ns = scan->audit->lives[scan->life].ramp_ms * 1000000u;
	uint64_t since_ns = at_ns > version->end_ns ? at_ns - version->end_ns : 0;
	uint64_t part =
		ramp_ns > 0 && since_ns < ramp_ns ? since_ns * OEV_RAMP_PARTS / ramp_ns : OEV_RAMP_PARTS - 1;

	add(&version->ramp_part[part], share_ppm, selected);
	if (version->is_rate || version->is_specific || scan->audit->lives[scan->life].slack > 0)
		return;
	if (version->ramp_least_ppm != UINT32_MAX && share_ppm > version->ramp_least_ppm &&
	    share_ppm - version->ramp_least_ppm > version->ramp_rise_ppm)
		version->ramp_rise_ppm = share_ppm - version->ramp_least_ppm;
	if (share_ppm < version->ramp_least_ppm)
		version->ramp_least_ppm = share_ppm;
}

/* After the end: the share may only fall (spec rows D-250 to D-256). */
static void take_ramp(struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
		      struct oev_version *version, uint32_t share_ppm, bool selected)
{
	uint64_t at_ns = look_ns(row, scope);

	take_fall(scan, at_ns, version, share_ppm, selected);
	if (share_ppm > 0 && at_ns > version->ramp_last_ns)
		version->ramp_last_ns = at_ns;
	if (row->in_window)
		add(&version->ramp, share_ppm, selected);
	if (version->effect_ns != UINT64_MAX && at_ns > version->effect_ns + OEV_EDGE_NS)
		except(scan, row, OEV_X_AFTER_RECOVERY, version, "still compared after its effect was over");
}

/* Requests that reports of the scopes before @scope took away so far. */
static uint64_t removed_before(const struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope)
{
	uint32_t at = 0;

	while (at < scan->removed_count && at + 1 < OEV_SCAN_APPS && scan->removed[at].app_id != row->app_id)
		at++;
	if (at >= scan->removed_count || scope == OC_SCOPE_REALM)
		return 0;
	return scan->removed[at].by_realm + (scope == OC_SCOPE_PEER ? scan->removed[at].by_host : 0);
}

static void take_removed(const struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
			 struct oev_version *version)
{
	version->removed_last = removed_before(scan, row, scope);
	if (version->all.matched == 0)
		version->removed_first = version->removed_last;
}

/* Whether a draw of a report in force may have had @share_ppm. Under a rate a request is admitted or not. Priorities
 * move shares either way, and what other reports took away makes them smaller. */
static bool share_fits(const struct oev_scan *scan, const struct oev_version *version, uint32_t share_ppm)
{
	uint32_t asked_ppm = version->reduction_pct * 10000u;

	if (version->is_rate)
		return share_ppm == 0 || share_ppm == OC_PPM;
	if (!version->has_reduction || version->is_specific || share_ppm == asked_ppm)
		return true;
	if (scan->audit->lives[scan->life].slack > 0)
		return share_ppm <= OC_PPM;
	return share_ppm < asked_ppm && version->removed_last > version->removed_first;
}

static void take_active(struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
			struct oev_version *version, uint32_t share_ppm, bool selected)
{
	if (row->in_window)
		add(&version->active, share_ppm, selected);
	if (look_ns(row, scope) > version->end_ns + OEV_EDGE_NS)
		except(scan, row, OEV_X_NOT_IN_FORCE, version, "applied in full after it expired or ended");
	else if (!share_fits(scan, version, share_ppm))
		except(scan, row, OEV_X_SHARE, version, "another share than asked while active");
	if (row->wall_us >= version->inner_from_us && row->wall_us < version->inner_until_us)
		version->inner_candidates++;
}

/* The flag says that some look of the request was at an ended version; this says whether it was this one. A share other
 * than asked tells them apart near the end, and without priorities anywhere. */
static bool on_ramp(const struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
		    const struct oev_version *version, uint32_t share_ppm)
{
	uint64_t at_ns = look_ns(row, scope);
	bool asked = version->has_reduction && share_ppm == version->reduction_pct * 10000u;
	bool plain = version->has_reduction && scan->audit->lives[scan->life].slack == 0;

	if ((row->flags & OC_DEC_RECOVERING) == 0)
		return false;
	return at_ns >= version->end_ns || (!asked && (plain || at_ns + OEV_EDGE_NS >= version->end_ns));
}

static void draw(struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
		 struct oev_version *version)
{
	uint32_t share_ppm = row->share_ppm[scope];
	bool ramp = on_ramp(scan, row, scope, version, share_ppm), loss = !ramp && version->has_reduction;
	const struct oev_draw drawn = {
		.nth = row->nth[scope],
		.mono_ns = look_ns(row, scope),
		.share_ppm = share_ppm,
		.asked_ppm = loss ? version->reduction_pct * 10000u : OEV_NOT_ASKED,
		.selected = row->selected_by == scope && (row->flags & OC_DEC_PROBE) == 0,
		.is_admission = !ramp && version->is_rate && share_ppm == 0,
	};

	take_removed(scan, row, scope, version);
	if (drawn.selected && (version->selected_ns == 0 || drawn.mono_ns < version->selected_ns))
		version->selected_ns = drawn.mono_ns;
	add(&version->all, drawn.share_ppm, drawn.selected);
	oev_sampler_take(&version->sampler, &drawn);
	if (loss) {
		version->asked_ppm += drawn.asked_ppm;
		version->asked_selected += drawn.selected;
		version->moved += share_ppm != drawn.asked_ppm;
	}
	version->observed += row->in_window && drawn.selected && (row->flags & OC_DEC_OBSERVED) != 0;
	if (ramp)
		take_ramp(scan, row, scope, version, drawn.share_ppm, drawn.selected);
	else
		take_active(scan, row, scope, version, drawn.share_ppm, drawn.selected);
}

/* Not drawn: the verdict of the same session attempt, or a probe let through while everything else is held back.
 * selected_by says which of the looks it was. */
static void take_undrawn(struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
			 struct oev_version *version)
{
	if ((row->flags & (OC_DEC_REMEMBERED | OC_DEC_PROBE)) == 0) {
		except(scan, row, OEV_X_NOT_COMPARED, version,
		       "names it, but was not drawn, and says not why");
	} else if (row->selected_by == scope && (row->flags & OC_DEC_REMEMBERED) != 0) {
		version->remembered += row->in_window;
	} else if (row->selected_by == scope) {
		version->probes += row->in_window;
		version->probe_last_ns = look_ns(row, scope);
	}
}

static void take_look(struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope)
{
	struct oev_version *version = version_of(scan, row->version[scope]);

	if (version == NULL) {
		except(scan, row, OEV_X_UNKNOWN_VERSION, NULL, "compared with a version nothing tells of");
		return;
	}
	if (row->selected_by == scope)
		check_selected(scan, row, scope, version);
	if (row->nth[scope] != 0)
		draw(scan, row, scope, version);
	else
		take_undrawn(scan, row, scope, version);
}

/* The version of @subject active well inside its limits at @mono_ns; NULL when there was none. */
static const struct oev_version *active_at(struct oev_subject *subject, uint64_t mono_ns)
{
	const struct oev_version *version =
		mono_ns >= OEV_EDGE_NS ? oev_subject_begun(subject, OEV_USE_CHECK, mono_ns - OEV_EDGE_NS)
				       : NULL;

	return version != NULL && mono_ns + OEV_EDGE_NS < version->end_ns ? version : NULL;
}

static void arrive(const struct oev_row *row, struct oev_subject *subject)
{
	for (; subject != NULL; subject = subject->is_last ? NULL : subject + 1) {
		if (subject->type != OC_REPORT_HOST)
			continue;
		struct oev_version *version = oev_subject_begun(subject, OEV_USE_ARRIVAL, row->mono_ns);
		if (version == NULL || row->wall_us < version->inner_from_us ||
		    row->wall_us >= version->inner_until_us)
			continue;
		version->inner_candidates +=
			row->nth[OC_SCOPE_HOST] == 0 || row->version[OC_SCOPE_HOST] != version->number;
	}
}

/* Sent to the subject of a host claim without a draw for it: by a client that reacts itself, or diverted from another
 * server. It arrives like the others, so the reduction measured there has to know of it. */
static void take_arrival(const struct oev_scan *scan, const struct oev_row *row)
{
	arrive(row, oev_subjects_of(scan, row->next_hop, row->app_id));
	if (scan->has_any_app)
		arrive(row, oev_subjects_of(scan, row->next_hop, OC_APP_ANY));
}

/* In scope of a state that the life before held, and that was valid still. */
static void note_lapse(const struct oev_row *row, const struct oev_subject *subject)
{
	struct oev_lapse *lapse = subject->lapse;

	if (lapse != NULL && row->wall_us >= lapse->from_us && row->wall_us < lapse->until_us &&
	    (subject->origin == 0 || subject->origin == row->origin_host))
		lapse->requests++;
}

static void miss(struct oev_scan *scan, const struct oev_row *row, enum oc_scope scope,
		 struct oev_subject *subject)
{
	uint32_t type = scope == OC_SCOPE_REALM	 ? OC_REPORT_REALM
			: scope == OC_SCOPE_HOST ? OC_REPORT_HOST
						 : OC_REPORT_PEER;

	for (; subject != NULL; subject = subject->is_last ? NULL : subject + 1) {
		if (subject->type != type)
			continue;
		note_lapse(row, subject);
		if (scope == OC_SCOPE_PEER)
			continue; /* whom peer reports are about is known by their draws alone */
		const struct oev_version *version = active_at(subject, look_ns(row, scope));
		/* a rate may be another client's, or of a realm no row tells */
		if (version != NULL &&
		    (version->origin == 0 || (type == OC_REPORT_HOST && version->origin == row->origin_host)))
			except(scan, row, OEV_X_NOT_COMPARED, version, "in scope, but not compared with it");
	}
}

/* A request in scope of a version in force that was not held against it. */
static void check_missed(struct oev_scan *scan, const struct oev_row *row, uint32_t name, enum oc_scope scope)
{
	if (row->version[scope] != 0)
		return;
	miss(scan, row, scope, oev_subjects_of(scan, name, row->app_id));
	if (scan->has_any_app)
		miss(scan, row, scope, oev_subjects_of(scan, name, OC_APP_ANY));
}

void oev_scan_decision(struct oev_scan *scan, const struct oev_row *row)
{
	for (enum oc_scope scope = OC_SCOPE_REALM; scope <= OC_SCOPE_PEER; scope++)
		if (row->version[scope] != 0)
			take_look(scan, row, scope);
	take_arrival(scan, row);
	if (row->why == OC_WHY_REPORT && row->verdict != OC_FORWARD &&
	    row->version[row->selected_by & 3u] == 0)
		except(scan, row, OEV_X_OUTSIDE_SCOPE, NULL, "refused for a report, but no version is named");
	/* fail open, no route and a full peer end the way of a request before a draw; so does a remembered verdict */
	if (row->why > OC_WHY_REPORT || (row->flags & OC_DEC_REMEMBERED) != 0 || !row->in_window)
		return;
	/* a client that reacts by itself is left alone, except that only this node knows where a request goes that
	 * names no host (spec row D-125) */
	bool reacting = (row->flags & OC_DEC_REACTING_FOR) != 0;
	if (reacting && row->dest_host == 0)
		check_missed(scan, row, row->dest_realm, OC_SCOPE_REALM);
	if (row->selected_by != OC_SCOPE_REALM && (reacting || row->dest_host == 0))
		check_missed(scan, row, row->dest_host != 0 ? row->dest_host : row->first_choice,
			     OC_SCOPE_HOST);
	if (scan->has_peers && row->selected_by != OC_SCOPE_REALM && row->selected_by != OC_SCOPE_HOST)
		check_missed(scan, row, row->first_choice != 0 ? row->first_choice : row->next_hop,
			     OC_SCOPE_PEER);
}
