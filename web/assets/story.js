// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// What the numbers say: who asks for less, do we obey, does it help, and who causes it. Claims stop where a receipt is missing.
import { asked, count, duration, isKnown, percent, rate, times } from "./format.js";

const NOW_S = 10; // "now" is the mean of so many seconds
const BEFORE_S = 30; // "before" is the mean of so many seconds before a state was held
const EARLY_S = 3; // so long nothing is said of the effect
const NOTABLE = 0.05; // of a rate: less is no change
const BETTER = 0.02; // of the useful share of answers, likewise
const GOOD = 0.95; // a useful share that nothing has to be done about
const USUAL_S = 300; // "usual" is the median of so many seconds before
const SENTENCES_MAX = 3;
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
			note: `${count(entry.same_selected ?? entry.selected)} of ${count(entry.same_matched ?? entry.matched)} matching requests`, known: isKnown(r.selected) },
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

// How much it rose, as part of what it was.
function gain({ now, before }) {
	return before > 0 ? now / before - 1 : now > 0 ? Infinity : 0;
}

// Only what changed since before is an effect (likewise evidence/cli/cli_story_effect.c). @entry: what is asked.
export function verdict(r, entry) {
	if (!(r.sent.before > 0))
		return "whether it helps is not known, nothing before to compare with";
	const asked = entry.algorithm === "rate" ? 0 : entry.reduction_ratio || 0;
	const share = r.useful.now / r.answers.now;
	const was = r.answers.before > 0 ? r.useful.before / r.answers.before : 0;
	const [sent, useful] = [gain(r.sent), gain(r.useful)];
	const isBetter = share > was + BETTER || (useful > NOTABLE && useful > sent + NOTABLE);
	const hasFallen = sent <= -(asked > 0 ? asked / 2 : NOTABLE);
	if (isBetter || (hasFallen && share >= GOOD))
		return "it helps";
	const isSame = Math.abs(sent) <= NOTABLE && Math.abs(useful) <= NOTABLE && Math.abs(share - was) <= BETTER;
	return isSame ? "no change seen" : "it does not help";
}

function effect(r, entry) {
	if (r.isEarly)
		return "too early to tell whether it helps";
	if (!r.isAnswered)
		return "no answers from it, so nothing is claimed about the effect";
	const found = verdict(r, entry);
	const parts = [];
	if (isKnown(r.sent.before) && r.sent.before > 0) {
		const change = found === "no change seen" ? 0 : gain(r.sent);
		parts.push(`what is sent there ${change < -0.005 ? `fell ${percent(-change)}`
			: change > 0.005 ? `rose ${percent(change)}` : "stayed the same"}`);
	}
	parts.push(`useful answers ${rate(r.useful.now)}/s${isKnown(r.useful.before) ? `, ${rate(r.useful.before)}/s before` : ""}`);
	return `${found}: ${parts.join(", ")}`;
}

function obeys(r, entry, state) {
	if (state.node?.mode === "observe")
		return "we only observe, and forward everything";
	if (!isKnown(r.selected))
		return "no request has matched it yet";
	return `we obey and selected ${percent(r.selected, 2)}`;
}

// One sentence as parts, some of which lead somewhere.
function sentence(state, ring, entry) {
	const r = receipts(state, ring, entry);
	const what = `(${entry.is_own ? "its own order, " : ""}${entry.algorithm}, ${entry.type}, ${entry.application ?? entry.application_id})` +
		`, held for ${duration(lasting(entry))}; ${obeys(r, entry, state)}; ${effect(r, entry)}.`;
	const subject = { text: entry.subject, href: `#/reports?version=${entry.version}` };
	return { kind: "warn", entry, parts: entry.is_own ? [{ text: `This node itself asks for ${wanted(entry)} to ` }, subject, { text: ` ${what}` }]
		: [subject, { text: ` asks for ${wanted(entry)} ${what}` }] };
}

// "30 % less", "at most 250/s".
export function wanted(entry) {
	const isRate = isKnown(entry.rate_per_second) || (isKnown(entry.ordered_rate_per_second) && !isKnown(entry.ordered_reduction_ratio));
	return isRate ? `at most ${asked(entry)}` : `${percent(entry.reduction_ratio)} less`;
}

// Reports of this node's own that are told to others, and that no state held here stands for.
export function ownOrders(state) {
	const isHeld = (row) => activeStates(state).some((entry) => entry.is_own && entry.type === row.type && entry.application_id === row.application_id && entry.subject === row.subject);
	return Object.values(state.reports || {}).filter((row) => row.state === "active" && !isHeld(row));
}

function orderSentence(row) {
	const whom = row.type === "peer" ? row.subject || "its neighbours" : "its clients";
	const about = row.type === "peer" ? "" : ` to ${row.subject}`;
	return { kind: "warn", parts: [{ text: "This node itself", href: "#/reports" },
		{ text: ` asks ${whom} for ${wanted(row)}${about} (its own order, ${row.type}, ${row.application ?? "all applications"}), told in ${count(row.sent)} answers.` }] };
}

// What ended and still holds back, as a sentence; null while there is none, or nothing is refused.
function returning(state) {
	const [worst] = Object.values(state.states || {}).filter((entry) => entry.state === "ending" && entry.share_ratio > 0)
		.sort((a, b) => b.share_ratio - a.share_ratio);
	if (!worst || state.node?.mode === "observe")
		return null;
	return { kind: "busy", parts: [{ text: `Returning to full traffic: ${percent(worst.share_ratio)} still held back (${worst.type}, ` },
		{ text: worst.subject, href: `#/reports?version=${worst.version}` }, { text: `, ${worst.application ?? worst.application_id}); nobody asks for less any more.` }] };
}

function quiet(state, time) {
	const back = returning(state);
	if (back)
		return back;
	const started = Date.parse(state.node?.started);
	const up = Number.isFinite(started) && time ? ` since start (${duration((time - started) / 1000)})` : "";
	const totals = state.totals || {};
	const seen = (totals.reports_new || 0) + (totals.reports_updated || 0);
	const text = seen > 0 ? `Nobody asks for less now; ${count(seen)} reports were obeyed${up}.`
		: `Nobody has asked for less${up}. That is normal.`;
	return { kind: "ok", parts: [{ text }] };
}

// That nobody is connected; null when somebody is, or that is not known.
export function noPeer(state) {
	const peers = Object.values(state.peers || {});
	if (!state.peers || peers.some((each) => each.is === "up"))
		return null;
	const configured = peers.filter((each) => each.configured).length;
	return { kind: "bad", parts: [{ text: `No Diameter peer is open; ${configured} ${configured === 1 ? "is" : "are"} configured. ` }, { text: "See Pools", href: "#/pools" }, { text: "." }] };
}

// Sentences of the first screen: at most three, worst first, then how many more; what this node asks for itself; who causes it, and who goes
// on although told (@heeds, of heed.js).
export function sentences(state, ring, time, sending, heeds) {
	const active = activeStates(state);
	if (!state.states)
		return [{ kind: "busy", parts: [{ text: "No agent runs here: what is shown is the end of a finished evidence folder. Reports, pools and policy need a running agent." }] }];
	const closed = noPeer(state);
	const orders = ownOrders(state);
	if (active.length + orders.length === 0)
		return closed ? [closed, quiet(state, time)] : [quiet(state, time)];
	const out = active.slice(0, SENTENCES_MAX).map((entry) => sentence(state, ring, entry));
	if (active.length > SENTENCES_MAX)
		out.push({ kind: "warn", parts: [{ text: `And ${active.length - SENTENCES_MAX} more.`, href: "#/reports" }] });
	out.push(...orders.slice(0, SENTENCES_MAX).map(orderSentence));
	const cause = active.length > 0 ? blame(sending || senders(state, ring)) : null;
	return [...out, cause, heeds?.sentence()].filter(Boolean);
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
		const known = state.nodes?.[name];
		const offered = ring.nodeMean(name, "client", "requests", last - NOW_S + 1, last);
		if (!(offered > 0))
			continue;
		const usual = usualOf(ring, name, Math.max(began - USUAL_S, last - 599), began - 1, kept);
		const refused = ring.nodeMean(name, "client", "refused", last - NOW_S + 1, last);
		const earlier = ring.nodeMean(name, "client", "requests", last - 30, last - 20);
		all += usual > 0 ? usual : 0;
		out.push({ name, node, offered, usual, refused, earlier, heed: heeds?.of(name),
			repeated: known?.client?.repeated, requests: known?.client?.requests });
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
	sender.refusedShare = offered > 0 ? refused / offered : NaN;
	sender.retryShare = isKnown(sender.repeated) && sender.requests > 0 ? sender.repeated / sender.requests : NaN;
	const eases = isKnown(earlier) && offered < earlier * 0.9;
	// Asked to send less (told by DOIC, or refused), and sends no less than 10 s to 30 s ago and more than it used to.
	sender.ignores = isTrouble && refused > 0 && !eases && sender.factor > 1.25;
	sender.isStorm = sender.factor >= STORM_FACTOR;
	const told = { went_on: "ignores it", partly: "obeys partly" }[sender.heed?.heeding];
	sender.word = sender.isStorm && !eases ? "storm" : eases ? "slows down" : told || (sender.ignores ? "keeps on" : "steady");
	sender.kind = { storm: "bad", "ignores it": "bad", "obeys partly": "warn", "keeps on": "warn", "slows down": "busy", steady: "ok" }[sender.word];
	return sender;
}

// Who causes it, as a sentence; null while nobody sends more than usual.
export function blame(all) {
	const excess = all.reduce((sum, sender) => sum + sender.excess, 0);
	const offered = all.reduce((sum, sender) => sum + sender.offered, 0);
	if (all.length === 0 || !(excess > offered * 0.05))
		return null;
	const top = all[0];
	if (top.excess < excess * 0.2) {
		const storms = all.filter((sender) => sender.isStorm).length;
		return { kind: "warn", parts: [{ text: `The excess comes from many: ${storms} of ${all.length} senders offer twice their usual or ` +
			`more; none of them makes up a fifth of it.` }] };
	}
	const manner = top.word === "slows down" ? "it slows down" : `it does not slow down although ${rate(top.refused)}/s are refused`;
	const retries = isKnown(top.retryShare) ? `; ${percent(top.retryShare)} of it repeats what was refused` : "";
	return { kind: top.kind, parts: [
		{ text: `${percent(top.excess / excess)} of the excess comes from ` },
		{ text: top.name, href: `#/pools?node=${encodeURIComponent(top.name)}` },
		{ text: `: ${rate(top.offered)}/s offered, ${top.factor === Infinity ? "which sent nothing before" : `${times(top.factor)} its usual`}${retries}; ${manner}.` },
	] };
}

export function plain(sentence) {
	return sentence.parts.map((part) => part.text).join("");
}
