// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// What the numbers of this page say: the five receipts of a state, and who sends how much. The sentences are the server's. Claims stop where a
// receipt is missing.
import { asked, count, duration, isKnown, percent, rate } from "./format.js";

const NOW_S = 10; // "now" is the mean of so many seconds
const BEFORE_S = 30; // "before" is the mean of so many seconds before a state was held
const EARLY_S = 3; // so long nothing is said of the effect
const USUAL_S = 300; // "usual" is the median of so many seconds before
const STORM_FACTOR = 2;
const AT_ONCE = 20; // usual rates worked out in one go

export function isActive(entry) {
	return entry.state === "active";
}

// Held states, worst first; a rate cannot be compared with a share, so it comes after every share.
export function activeStates(state) {
	return Object.values(state.states || {}).filter(isActive)
		.sort((a, b) => (b.share_ratio || 0) - (a.share_ratio || 0) || a.version - b.version);
}

// The nodes a state is about: of a realm all whose names lie in it.
function nodesOf(ring, entry) {
	if (entry.type !== "realm")
		return [entry.subject];
	const end = `.${entry.subject}`.toLowerCase();
	return [...ring.nodes.keys()].filter((name) => name.toLowerCase().endsWith(end));
}

// How long it has been asked for: a renewal is a new version of the state, and nothing new.
export function lasting(entry) {
	return entry.condition_seconds ?? entry.held_seconds ?? 0;
}

// Of the requests that matched since this is asked for, through all renewals; NaN while there was none.
export function selectedShare(entry) {
	const matched = entry.same_matched ?? entry.matched;
	return matched > 0 ? (entry.same_selected ?? entry.selected) / matched : NaN;
}

// Means of one column of all these nodes, now and before anything was asked for; NaN when it is known of none.
function beforeAndNow(ring, names, column, seconds) {
	const last = ring.last;
	const began = last - Math.floor(seconds);
	const sum = (from, until) => names.map((name) => ring.nodeMean(name, "server", column, from, until)).filter(isKnown)
		.reduce((all, value) => (isKnown(all) ? all : 0) + value, NaN);
	return { now: sum(Math.max(began + 1, last - NOW_S + 1), last), before: sum(began - BEFORE_S, began - 2) };
}

// The five receipts of one held state.
export function receipts(state, ring, entry) {
	const names = nodesOf(ring, entry);
	const [sent, useful, answers] = ["sent", "useful", "answers"].map((column) => beforeAndNow(ring, names, column, lasting(entry)));
	const hasTraffic = names.some((name) => state.nodes?.[name]?.server !== undefined) || sent.now > 0;
	const isAnswered = hasTraffic && answers.now > 0;
	return { asked: asked(entry), held: entry, sent, useful, answers, hasTraffic, isAnswered, isEarly: lasting(entry) < EARLY_S,
		selected: selectedShare(entry) };
}

// The five steps as short texts, in their order. A step without a receipt ends the ladder.
export function ladder(state, ring, entry) {
	const r = receipts(state, ring, entry);
	const steps = [
		{ step: "asked", value: `${r.asked} ${entry.algorithm === "rate" ? "at most" : "less"}`,
			note: entry.is_own ? `by this node's own order about ${entry.subject}, ${entry.type} report, sequence ${entry.sequence}`
				: `by ${entry.subject}, ${entry.type} report, sequence ${entry.sequence}`, known: true },
		{ step: "held", value: `for ${duration(lasting(entry))}`,
			note: `version #${entry.version}, ${isKnown(entry.left_seconds) ? `${duration(entry.left_seconds)} left` : entry.state}`,
			known: true },
		{ step: "selected", value: isKnown(r.selected) ? percent(r.selected, 2) : "none matched yet",
			note: `${count(entry.same_selected ?? entry.selected)} of ${count(entry.same_matched ?? entry.matched)} matching requests${entry.is_observed ? "; only observed, all were forwarded" : ""}`, known: isKnown(r.selected) },
		arrivedStep(r, entry),
		usefulStep(r, entry),
	];
	for (let i = 1, ended = false; i < steps.length; i++) {
		ended = ended || (!steps[i - 1].known && i > 3);
		if (ended)
			steps[i] = { ...steps[i], known: false, value: "nothing claimed", note: "the step before has no receipt" };
	}
	return steps;
}

function arrivedStep(r, entry) {
	if (r.isEarly)
		return { step: "arrived", value: "too early", known: false, note: "Too early to tell what arrived" };
	if (!r.isAnswered)
		return { step: "arrived", value: "missing", known: false,
			note: r.hasTraffic ? `${entry.subject} answers nothing, so nothing says what arrived`
				: `No traffic to ${entry.subject} is seen here, so nothing is claimed about what arrived` };
	return { step: "arrived", value: `${rate(r.sent.now)}/s`, known: true,
		note: isKnown(r.sent.before) ? `sent to it and answered; ${rate(r.sent.before)}/s before` : "sent to it and answered" };
}

function usefulStep(r, entry) {
	if (!r.isAnswered)
		return { step: "useful", value: "missing", known: false,
			note: `No answers from ${entry.subject}, so nothing is claimed about usefulness` };
	return { step: "useful", value: `${rate(r.useful.now)}/s`, known: true,
		note: `${percent(r.useful.now / r.answers.now)} of its answers are no errors` };
}

// "30 % less", "at most 250/s".
export function wanted(entry) {
	const isRate = isKnown(entry.rate_per_second) || (isKnown(entry.ordered_rate_per_second) && !isKnown(entry.ordered_reduction_ratio));
	return isRate ? `at most ${asked(entry)}` : `${percent(entry.reduction_ratio)} less`;
}

// What each sender usually offers. It hardly changes: when @kept keeps it, it is worked out again once in a while, of a few senders at a time.
function usualOf(ring, name, from, until, kept) {
	const known = kept?.get(name);
	const isOld = !known || known.until !== until || known.version !== ring.version;
	if (!isOld || (known && known.version === ring.version && kept.left <= 0))
		return known.usual;
	if (kept)
		kept.left--;
	const usual = ring.nodeMedian(name, "client", "requests", from, until);
	kept?.set(name, { until, version: ring.version, usual });
	return usual;
}

// Every sender: what it offers, how that compares with before the trouble, and whether it slows down when refused.
// @heeds (may be absent): whether it does as it was told.
export function senders(state, ring, kept, heeds) {
	const active = activeStates(state);
	const longest = active.reduce((most, entry) => Math.max(most, lasting(entry)), 0);
	const last = ring.last;
	const began = active.length ? last - longest : Math.floor((last - 60) / 10) * 10;
	const out = [];
	let all = 0;
	if (kept)
		kept.left = Math.max(AT_ONCE, Math.ceil(ring.nodes.size / 8));
	for (const [name, node] of ring.nodes) {
		const offered = ring.nodeMean(name, "client", "requests", last - NOW_S + 1, last);
		if (!(offered > 0))
			continue;
		const usual = usualOf(ring, name, Math.max(began - USUAL_S, last - 599), began - 1, kept);
		const refused = ring.nodeMean(name, "client", "refused", last - NOW_S + 1, last);
		const earlier = ring.nodeMean(name, "client", "requests", last - 30, last - 20);
		all += usual > 0 ? usual : 0;
		out.push({ name, node, offered, usual, refused, earlier, heed: heeds?.of(name) });
	}
	// Where nobody sent anything before, nothing says what is usual.
	for (const sender of out)
		judge(sender, active.length > 0, all > 0);
	return out.sort((a, b) => b.excess - a.excess || b.offered - a.offered);
}

function judge(sender, isTrouble, hasUsual) {
	const { offered, usual, refused, earlier } = sender;
	sender.factor = usual > 0 ? offered / usual : usual === 0 && hasUsual ? Infinity : NaN;
	sender.excess = hasUsual && isKnown(usual) ? Math.max(0, offered - usual) : 0;
	const eases = isKnown(earlier) && offered < earlier * 0.9;
	// Asked to send less (told by DOIC, or refused), and sends no less than 10 s to 30 s ago and more than it used to.
	sender.ignores = isTrouble && refused > 0 && !eases && sender.factor > 1.25;
	sender.isStorm = sender.factor >= STORM_FACTOR;
	const told = { went_on: "ignores it", partly: "obeys partly" }[sender.heed?.heeding];
	sender.word = sender.isStorm && !eases ? "storm" : eases ? "slows down" : told || (sender.ignores ? "keeps on" : "steady");
	sender.kind = { storm: "bad", "ignores it": "bad", "obeys partly": "warn", "keeps on": "warn", "slows down": "busy", steady: "ok" }[sender.word];
	return sender;
}

// Where a part of a sentence leads; null nowhere.
export function wayOf(part) {
	if (part.version !== undefined)
		return `#/reports?version=${part.version}`;
	if (part.node !== undefined)
		return `#/pools?node=${encodeURIComponent(part.node)}`;
	return part.screen ? `#/${part.screen}` : null;
}

export function plain(sentence) {
	return sentence.parts.map((part) => part.text).join("");
}
