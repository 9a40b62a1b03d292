// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Hours and days in longer steps, as the server keeps them; what the second-by-second ring is too short for.
import { clock, dateTime } from "./format.js";
import { COLUMNS, SECONDS } from "./ring.js";
import { Resource } from "./resource.js";

const EVERY_MS = 10000;
const DAY_S = 86400;
const POINTS_MAX = 1500;
const KEPT = { 10: 6 * 3600, 60: DAY_S, 600: 30 * DAY_S };
// Steps are means already: what the ring works out of ten seconds is there as it is.
const AS_IS = { share_10s: "share_ratio", selected_10s: "selected_ratio" };

// Shortest step that @seconds are kept in, with no more points than can be seen.
export function stepFor(seconds) {
	return Number(Object.keys(KEPT).find((step) => seconds <= KEPT[step] && seconds / step <= POINTS_MAX)) || 600;
}

export class History {
	constructor(app, changed) {
		this.app = app;
		this.resource = new Resource(app, () => (this.asked = this.path()), EVERY_MS, () => {
			this.version++;
			if (this.path() !== this.asked) // only now it is known how long "all" is
				this.again();
			changed();
		});
		this.version = 0;
		this.resource.start();
	}

	stop() {
		this.resource.stop();
	}

	get isOn() {
		return this.app.window > SECONDS;
	}

	// "all": what is known since is not known before the first answer.
	get span() {
		const { window, live } = this.app;
		if (window !== Infinity)
			return window;
		const since = Date.parse(this.resource.data?.known_since || live.state.node?.started);
		return Number.isFinite(since) && live.time ? Math.max(SECONDS, live.ring.last - since / 1000) : DAY_S;
	}

	path() {
		if (!this.isOn)
			return null;
		const step = stepFor(this.span);
		return `/api/v1/series?step=${step}&names=${COLUMNS.join(",")}${this.app.window === Infinity ? "" : `&window=${this.app.window}`}`;
	}

	// The window was changed: what is there is of another one.
	again() {
		if (this.path() !== this.asked)
			this.resource.data = this.app.window === Infinity ? this.resource.data : null;
		if (this.isOn)
			this.resource.read();
	}

	get step() {
		return this.resource.data?.step_seconds || 1;
	}

	// [[ms, value, ...], ...]; null where nothing is known.
	rows(names, scale = 1) {
		const told = this.resource.data;
		const first = Date.parse(told?.first);
		if (!Number.isFinite(first))
			return [];
		const columns = names.map((name) => told.columns[AS_IS[name] || name] || []);
		return Array.from({ length: told.columns.requests.length }, (_, i) => [first + i * this.step * 1000, ...columns.map((column) => (column[i] === null || column[i] === undefined ? null : column[i] * scale))]);
	}

	// Spans of seconds [from, until] of the steps that @test holds for.
	spans(test) {
		const told = this.resource.data;
		const first = Date.parse(told?.first) / 1000;
		const out = [];
		for (let i = 0; Number.isFinite(first) && i < told.columns.requests.length; i++) {
			const from = first + i * this.step;
			if (!test(told.columns, i, from))
				continue;
			if (out.length && out[out.length - 1][1] === from - 1)
				out[out.length - 1][1] = from + this.step - 1;
			else
				out.push([from, from + this.step - 1]);
		}
		return out;
	}

	marks() {
		const since = Date.parse(this.resource.data?.known_since) / 1000;
		return { holes: this.spans((columns, i, from) => columns.requests[i] === null && from > since), gaps: [], held: this.spans((columns, i) => columns.asked_ratio[i] > 0),
			flags: [], step: this.step, key: `history ${this.version}` };
	}

	// What stands beside the picture, which is not second by second.
	note() {
		if (!this.isOn)
			return "";
		const told = this.resource.data;
		if (!told)
			return this.resource.why("This server keeps ten minutes only.", "");
		const since = told.known_since ? ` Known here since ${dateTime(told.known_since)}.` : "";
		return `Charts: from what was recorded, not live; means of ${told.step_seconds < 60 ? `${told.step_seconds} s` : `${told.step_seconds / 60} m`}, until ${clock(told.last)}.${since} Peers and numbers: the last ten minutes.`;
	}
}
