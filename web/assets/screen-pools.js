// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Pools: each node with what is wanted and what is, its traffic, load and reports; taking it out and putting it back.
import { send } from "./api.js";
import { Chart } from "./charts.js";
import { box, el, fill, say } from "./dom.js";
import { asked, count, dateTime, delay, duration, isKnown, percent, rate } from "./format.js";
import { Heeds, senderColumns } from "./heed.js";
import { Resource } from "./resource.js";
import { SECONDS } from "./ring.js";
import { open } from "./session.js";
import { lasting, senders } from "./story.js";
import { Table } from "./table.js";

const NOW_S = 10;

export class Pools {
	constructor(app) {
		this.app = app;
		this.pools = new Resource(app, "/api/v1/pools", 15000, () => this.readPool()).start();
		this.pool = new Resource(app, () => (this.poolName() ? `/api/v1/pools/${encodeURIComponent(this.poolName())}` : null), 2000, () => this.app.draw(true)).start();
		this.heeds = new Heeds(app);
		this.usual = new Map();
		this.senders = new Table({ caption: "Who sends", csv: "senders", key: (row) => row.name, sort: { key: "offered", down: true }, limit: 600, calm: 5, columns: [
			{ key: "name", label: "Sender", text: (row) => row.name, href: (row) => this.link(row.name) }, ...senderColumns()],
		empty: () => (this.app.live.hasState ? "Nobody sends requests now." : "Waiting for the first second.") });
		this.nodes = this.nodeTable();
		this.pool.elements = [this.nodes.element];
		this.result = el("p", { class: "result", role: "status" });
		this.chooser = el("p", { class: "tools" });
		this.others = this.otherTable();
		this.heading = el("h2", { id: "chosennode", tabindex: "-1" });
		this.facts = el("dl", { class: "facts" });
		const perSecond = (value) => `${rate(value)}/s`;
		this.sentChart = new Chart({ title: "Requests to it per second", unit: "1/s", format: perSecond, series: [
			{ key: "sent", label: "sent to it", color: "line1" }, { key: "answers", label: "answers", color: "ink2", dash: "dash" }, { key: "useful", label: "useful", color: "line3", dash: "dashdot" }] });
		this.offeredChart = new Chart({ title: "Requests from it per second", unit: "1/s", format: perSecond, series: [
			{ key: "requests", label: "offered", color: "ink2" }, { key: "refused", label: "refused", color: "line2", dash: "dot" }] });
		this.chosen = el("section", { class: "box", "aria-labelledby": "chosennode", hidden: true }, this.heading, this.facts, el("div", { class: "pairs" }, this.sentChart.element, this.offeredChart.element));
		this.element = el("div", { class: "screen" }, box("Nodes of the pool", {}, this.chooser, this.pool.note, this.result, this.nodes.element,
			el("p", { class: "note", text: "Load is a hint on its own scale: 65535 is idle, 0 is full. It is no percentage." })),
		this.chosen, box("Who sends, and whether it does as it is told", {}, this.senders.element), box("Other nodes seen in traffic", {}, this.others.element));
	}

	begin() {
		if (this.app.parameters.get("node"))
			this.heading.focus({ preventScroll: true });
	}

	changed() {
		if (this.app.parameters.get("node"))
			this.heading.focus();
	}

	destroy() {
		this.pools.stop();
		this.heeds.stop();
		this.pool.stop();
		this.sentChart.end();
		this.offeredChart.end();
	}

	recolor() {
		this.sentChart.recolor();
		this.offeredChart.recolor();
	}

	poolName() {
		const all = this.pools?.data?.pools || [];
		return this.app.parameters.get("pool") || all[0]?.pool || "";
	}

	readPool() {
		if (this.pools.problem)
			this.app.draw(true);
		const all = this.pools.data?.pools || [];
		fill(this.chooser, all.map((each) => el("a", { href: `#/pools?pool=${encodeURIComponent(each.pool)}`, "aria-current": each.pool === this.poolName() ? "true" : null,
			text: `${each.pool} (${count(each.nodes)} nodes)` })));
		if (this.pool.data?.pool !== this.poolName())
			this.pool.read();
		else
			this.app.draw(true);
	}

	nodeTable() {
		const states = (row) => Object.values(this.app.live.state.states || {}).filter((each) => each.subject === row.node && each.state === "active");
		const second = (row) => this.app.live.state.nodes?.[row.node]?.server;
		return new Table({ caption: "Nodes", csv: "nodes", key: (row) => row.node, sort: { key: "node", down: false }, columns: [
			{ key: "node", label: "Node", text: (row) => row.node, href: (row) => this.link(row.node) },
			{ key: "wanted", label: "Wanted", status: (row) => (row.wanted === "out" ? { kind: "off", word: "out" } : { kind: "ok", word: "in" }) },
			{ key: "is", label: "Is", hint: (row) => (row.since ? `since ${dateTime(row.since)}` : ""), status: (row) => (row.is === "up" ? { kind: "ok", word: "up" } : { kind: "bad", word: row.state ? `down, ${row.state.replace("STATE_", "").toLowerCase().replaceAll("_", " ")}` : "down" }) },
			{ key: "sent", label: "Sent/s", num: true, value: (row) => second(row)?.sent, text: (row) => rate(second(row)?.sent), hint: (row) => (second(row) ? "" : `nothing was sent to ${row.node} in the last second`) },
			{ key: "useful", label: "Useful/s", num: true, value: (row) => second(row)?.useful, text: (row) => rate(second(row)?.useful), hint: (row) => (second(row) ? "" : "no answers in the last second") },
			{ key: "outstanding", label: "Unanswered", num: true, value: (row) => row.outstanding, text: (row) => count(row.outstanding) },
			{ key: "p99", label: "Answers p99", num: true, value: (row) => row.took_p99_seconds, text: (row) => delay(row.took_p99_seconds), hint: (row) => (isKnown(row.took_p99_seconds) ? "of the last minute" : "no answers in the last minute") },
			{ key: "load", label: "Load (65535 = idle)", num: true, value: (row) => row.host_load ?? row.load, text: (row) => count(row.host_load ?? row.load), hint: (row) => (isKnown(row.host_load ?? row.load) ? "" : `${row.node} sends no Load`) },
			{ key: "reduction", label: "Asks for less", num: true, value: (row) => states(row)[0]?.share_ratio, text: (row) => (states(row)[0] ? `${asked(states(row)[0])}${states(row)[0].is_own ? ", own order" : ""}` : "no"), href: (row) => (states(row)[0] ? `#/reports?version=${states(row)[0].version}` : null) },
			{ key: "act", label: "Action", plain: true, act: (row) => this.action(row) }],
		empty: () => (this.pools.problem ? this.pools : this.pool).why("This server shows a finished folder: no agent runs, so there are no pools.", this.noPeers()) });
	}

	noPeers() {
		const peers = Object.values(this.app.live.state.peers || {});
		const open = peers.filter((each) => each.is === "up").length;
		return open === 0 ? `No Diameter peer is open. ${peers.filter((each) => each.configured).length} are configured. See ConnectPeer in the daemon's configuration and its log.` : "This pool has no nodes.";
	}

	otherTable() {
		return new Table({ caption: "Nodes behind peers, and senders", csv: "other-nodes", key: (row) => row.name, sort: { key: "offered", down: true }, limit: 600, columns: [
			{ key: "name", label: "Node", text: (row) => row.name, href: (row) => this.link(row.name) },
			{ key: "up", label: "Connection", status: (row) => (!row.neighbour ? { kind: "unknown", word: "not a neighbour" } : row.up ? { kind: "ok", word: "up" } : { kind: "bad", word: "down" }) },
			{ key: "offered", label: "Offers/s", num: true, value: (row) => row.client?.requests, text: (row) => rate(row.client?.requests) },
			{ key: "refused", label: "Refused/s", num: true, value: (row) => row.client?.refused, text: (row) => rate(row.client?.refused) },
			{ key: "sent", label: "Sent to it/s", num: true, value: (row) => row.server?.sent, text: (row) => rate(row.server?.sent) },
			{ key: "load", label: "Load (65535 = idle)", num: true, value: (row) => row.load, text: (row) => count(row.load) }],
		empty: () => (this.app.live.hasState ? "No other node was seen in traffic." : "Waiting for the first second.") });
	}

	link(node) {
		const pool = this.app.parameters.get("pool");
		return `#/pools?${pool ? `pool=${encodeURIComponent(pool)}&` : ""}node=${encodeURIComponent(node)}`;
	}

	action(row) {
		const isOut = row.wanted === "out";
		const label = isOut ? "Put in" : "Take out";
		return { label, name: `${label}: ${row.node}`, why: this.app.session.denial, run: () => this.ask(row, isOut) };
	}

	// What will happen, why it is done, then the order.
	ask(row, isOut) {
		const reason = el("input", { id: "reason", required: true, maxlength: "90", autocomplete: "off" });
		const problem = el("p", { class: "problem", role: "alert", hidden: true });
		const dialog = el("dialog", { "aria-labelledby": "asktitle" });
		const verb = isOut ? "Put in" : "Take out";
		const form = el("form", { on: { submit: async (event) => {
			event.preventDefault();
			problem.hidden = true;
			try {
				await send("POST", `/api/v1/pools/${encodeURIComponent(this.pool.data.pool)}/nodes/${encodeURIComponent(row.node)}:${isOut ? "in" : "out"}`, { reason: reason.value });
				say(this.result, `${row.node} is wanted ${isOut ? "in" : "out"} now: "${reason.value}". The order is a row of the evidence.`);
				dialog.close();
				this.pool.read();
			} catch (error) {
				say(problem, error.text || String(error));
				problem.hidden = false;
			}
		} } },
		el("h2", { id: "asktitle", text: `${verb}: ${row.node}` }), el("ul", {}, this.consequences(row, isOut).map((text) => el("li", { text }))),
		el("p", {}, el("label", { for: "reason", text: "Reason (goes into the evidence)" }), " ", reason), problem,
		el("p", { class: "tools" }, el("button", { type: "submit", class: "primary", text: "Apply" }), el("button", { type: "button", text: "Cancel", on: { click: () => dialog.close() } })));
		fill(dialog, form);
		open(dialog);
		reason.focus();
	}

	consequences(row, isOut) {
		const all = this.pool.data?.nodes || [];
		const { ring } = this.app.live;
		const sentTo = (node) => ring.nodeMean(node, "server", "sent", ring.last - NOW_S + 1, ring.last);
		const sent = sentTo(row.node);
		const rest = all.filter((each) => each.node !== row.node && each.wanted === "in" && each.is === "up" && sentTo(each.node) > 0);
		if (isOut)
			return ["New sessions may be sent to it again.", row.is === "up" ? "Its connection is open." : "Its connection is down: it gets nothing until that is open."];
		const out = ["No new session is sent to it. Its connection stays open, and requests that name it are still passed to it.",
			isKnown(sent) ? `It gets ${rate(sent)}/s now; ${rest.length > 0 ? `the other ${rest.length} that get requests now would share what is new of that, about ${rate(sent / rest.length)}/s each` : "no other node that is in and up gets requests now, so look first whether one can take them"}.`
				: "How much it gets now is not known."];
		return out;
	}

	update() {
		const { live, filter } = this.app;
		this.heeds.look();
		this.senders.set(senders(live.state, live.ring, this.usual, this.heeds), filter);
		const name = this.app.parameters.get("node");
		const nodes = this.pool.data?.nodes || [];
		this.nodes.set(nodes.map((row) => Object.assign({ ...row, ...(live.state.peers?.[row.node] || {}) }, { isChosen: row.node === name })), filter);
		const known = new Set(nodes.map((row) => row.node));
		this.others.set(Object.entries(live.state.nodes || {}).filter(([key]) => !known.has(key) && key !== live.state.node?.identity).map(([key, row]) => ({ ...row, name: key, isChosen: key === name })), filter);
		this.chosen.hidden = !name;
		if (name)
			this.tellChosen(name, nodes.find((row) => row.node === name));
	}

	tellChosen(name, row) {
		const { live } = this.app;
		const { ring } = live;
		const seen = live.state.nodes?.[name];
		say(this.heading, name);
		const states = Object.values(live.state.states || {}).filter((each) => each.subject === name);
		const facts = [["Reports about it", states.length ? "" : "none held"], ["Load (65535 = idle, 0 = full)", isKnown(seen?.load) ? count(seen.load) : `– (${name} sends no Load)`],
			["Last seen in traffic", row?.last_seen ? dateTime(row.last_seen) : seen?.client || seen?.server ? "now" : "–"],
			["Since the start, sent to it", row?.total ? `${count(row.total.sent)}, of these ${percent(row.total.useful / row.total.sent, 1)} with a useful answer` : "–"]];
		const key = JSON.stringify([facts, states.map((each) => [each.version, each.state])]);
		if (key !== this.factsKey) {
			this.factsKey = key;
			fill(this.facts, facts.flatMap(([word, text], i) => [el("dt", { text: word }), el("dd", {}, text, i === 0 ? states.map((each) => [el("a", { href: `#/reports?version=${each.version}`, text: `#${each.version} ${each.state}, ${asked(each)}${each.is_own ? ", own order" : ""}, ${duration(lasting(each))}` }), " "]) : null)]),
				el("dt", { text: "Decisions" }), el("dd", {}, el("a", { href: `#/find?client=${encodeURIComponent(name)}`, text: "requests from it" }), ", ",
					el("a", { href: `#/find?next_hop=${encodeURIComponent(name)}`, text: "requests to it" })));
		}
		this.nodeChart(this.sentChart, name, "server", ring);
		this.nodeChart(this.offeredChart, name, "client", ring);
	}

	nodeChart(chart, name, side, ring) {
		const node = ring.nodes.get(name);
		const any = node && Object.values(node[side]).some((column) => column.some((value) => value > 0));
		chart.element.hidden = !any;
		if (!any)
			return;
		const rows = [], window = Math.min(SECONDS, this.app.window);
		for (let s = ring.last - window + 1; s <= ring.last; s++)
			rows.push([s * 1000, ...chart.series.map((series) => {
				const value = ring.holds(s) ? node[side][series.key][((s % SECONDS) + SECONDS) % SECONDS] : NaN;
				return Number.isNaN(value) ? null : value;
			})]);
		const first = chart.series[0].key;
		const holes = ring.spans((s) => s >= ring.startedAt && Number.isNaN(node[side][first][((s % SECONDS) + SECONDS) % SECONDS]), window);
		chart.set(rows, { holes, gaps: ring.spans((s) => ring.isGap(s), window), flags: [], key: `${ring.version} ${name} ${holes.length}` });
	}
}
