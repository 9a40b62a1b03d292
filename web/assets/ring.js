// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Ten minutes by the second: of all traffic, and of each node. What is not known is NaN, which is never drawn as 0.

export const SECONDS = 600;
export const STARTING_S = 2; // until the first second is recorded
const STEP_MAX = 10;
const OF_DRAWN = { share_10s: "share_ratio", selected_10s: "selected_ratio" };

export const COLUMNS = ["requests", "refused", "diverted", "sent", "answers", "useful", "lost", "matched", "survivors",
	"matched_peer", "observed", "drawn", "selected", "share_ratio", "selected_ratio", "asked_ratio",
	"took_p50_seconds", "took_p90_seconds", "took_p99_seconds"];

// Of a node: what it sent us (client) and what went to it (server).
export const NODE_COLUMNS = { client: ["requests", "refused"], server: ["sent", "answers", "useful"] };

function unknown() {
	return new Float64Array(SECONDS).fill(NaN);
}

export class Ring {
	constructor() {
		this.startedAt = 0; // second the node started; 0 not known
		this.last = 0; // second since 1970, of the newest one told
		this.columns = Object.fromEntries(COLUMNS.map((name) => [name, unknown()]));
		this.gap = new Uint8Array(SECONDS);
		this.nodes = new Map();
		this.sorted = new Float64Array(SECONDS); // room for nodeMedian
		this.version = 0; // raised when older seconds were filled in
	}

	// Moves the end on to @second; what lies between is not known.
	reach(second) {
		if (second <= this.last)
			return;
		const from = Math.max(this.last + 1, second - SECONDS + 1);
		for (let s = from; s <= second; s++)
			this.clear(s % SECONDS);
		this.last = second;
	}

	clear(place) {
		for (const name of COLUMNS)
			this.columns[name][place] = NaN;
		this.gap[place] = 0;
		for (const node of this.nodes.values())
			for (const side of ["client", "server"])
				for (const column of Object.values(node[side]))
					column[place] = NaN;
	}

	// The clock was set back to @second: what lies behind it has not happened yet. Whether anything that was known remains.
	setBack(second) {
		for (let s = Math.max(second + 1, this.last - SECONDS + 1); s <= this.last; s++)
			this.clear(((s % SECONDS) + SECONDS) % SECONDS);
		const remains = second > this.last - SECONDS;
		this.last = second;
		this.startedAt = Math.min(this.startedAt, second);
		this.version++;
		return remains;
	}

	holds(second) {
		return second <= this.last && second > this.last - SECONDS;
	}

	// One element of a tick's "seconds".
	push(told) {
		const second = Math.floor(Date.parse(told.second) / 1000);
		if (!Number.isFinite(second))
			return 0;
		this.reach(second);
		if (!this.holds(second) || told.known === false)
			return second;
		const place = second % SECONDS;
		for (const name of COLUMNS) {
			const value = told[name];
			this.columns[name][place] = typeof value === "number" ? value : NaN;
		}
		this.gap[place] = told.gap ? 1 : 0;
		return second;
	}

	node(name) {
		let node = this.nodes.get(name);
		if (!node) {
			node = { name, client: {}, server: {} };
			for (const side of ["client", "server"])
				for (const column of NODE_COLUMNS[side])
					node[side][column] = unknown();
			this.nodes.set(name, node);
		}
		return node;
	}

	// The nodes of the state, which speak of @second. A side without counts had none.
	pushNodes(second, nodes) {
		const place = second % SECONDS;
		for (const name in nodes) {
			const node = this.node(name);
			for (const column of NODE_COLUMNS.client)
				node.client[column][place] = nodes[name].client?.[column] ?? 0;
			for (const column of NODE_COLUMNS.server)
				node.server[column][place] = nodes[name].server?.[column] ?? 0;
		}
	}

	// History as columns, the last of which is @lastSecond; fills what is not known yet.
	load(target, names, columns, lastSecond) {
		if (!Number.isFinite(lastSecond))
			return;
		if (this.last < lastSecond)
			this.reach(lastSecond);
		for (const name of names) {
			const values = columns[name];
			if (!Array.isArray(values) || !target[name])
				continue;
			for (let i = 0; i < values.length; i++) {
				const second = lastSecond - values.length + 1 + i;
				if (this.holds(second) && Number.isNaN(target[name][second % SECONDS]) && values[i] !== null)
					target[name][second % SECONDS] = values[i];
			}
		}
		this.version++;
	}

	at(name, second) {
		return this.holds(second) ? this.columns[name][second % SECONDS] : NaN;
	}

	isKnown(second) {
		return !Number.isNaN(this.at("requests", second));
	}

	// Not recorded although it could have been: what lay before the start is no hole.
	isHole(second) {
		return !this.isKnown(second) && second > this.startedAt + STARTING_S;
	}

	isGap(second) {
		return this.holds(second) && this.gap[second % SECONDS] === 1;
	}

	// Seconds without a hole before the newest one; how much there is to look at.
	known() {
		let seen = 0;
		for (let s = this.last; this.holds(s) && s > 0; s--)
			seen += this.isKnown(s) ? 1 : 0;
		return seen;
	}

	sum(name, from, until) {
		return total(this.columns[name], this, from, until).sum;
	}

	mean(name, from, until) {
		return total(this.columns[name], this, from, until).mean;
	}

	nodeMean(name, side, column, from, until) {
		const node = this.nodes.get(name);
		return node ? total(node[side][column], this, from, until).mean : NaN;
	}

	// The middle one of the known values, which a short storm does not move; NaN when none is known.
	nodeMedian(name, side, column, from, until) {
		const values = this.nodes.get(name)?.[side][column];
		let seen = 0;
		for (let s = Math.max(1, from, this.last - SECONDS + 1); values && s <= Math.min(until, this.last); s++) {
			const value = values[s % SECONDS];
			if (value >= 0)
				this.sorted[seen++] = value;
		}
		return seen ? this.sorted.subarray(0, seen).sort()[seen >> 1] : NaN;
	}

	// Spans [from, until] of seconds of the last @window that @test holds for.
	spans(test, window) {
		const out = [];
		let from = null;
		for (let s = this.last - window + 1; s <= this.last + 1; s++) {
			const is = s <= this.last && test(s);
			if (is && from === null)
				from = s;
			if (!is && from !== null) {
				out.push([from, s - 1]);
				from = null;
			}
		}
		return out;
	}

	// [[ms, value, ...], ...] of the last @window seconds; null where nothing is known.
	rows(names, window, scale = 1) {
		const out = [];
		for (let s = this.last - window + 1; s <= this.last; s++)
			out.push(this.row(names, s, scale));
		return out;
	}

	row(names, second, scale) {
		const row = [second * 1000];
		const place = ((second % SECONDS) + SECONDS) % SECONDS;
		for (const name of names) {
			const value = !this.holds(second) ? NaN : OF_DRAWN[name] ? this.ofDrawn(OF_DRAWN[name], second) : this.columns[name][place];
			row.push(Number.isNaN(value) ? null : value * scale);
		}
		return row;
	}

	// What was drawn in ten seconds, weighted: a few draws of one second say little. NaN: nothing was drawn in @second.
	ofDrawn(name, second) {
		const { drawn } = this.columns, values = this.columns[name];
		let all = 0, some = 0;
		if (!(drawn[second % SECONDS] > 0))
			return NaN;
		for (let s = Math.max(second - 9, this.last - SECONDS + 1, 0); s <= second; s++) {
			const count = drawn[s % SECONDS], value = values[s % SECONDS];
			if (count > 0 && !Number.isNaN(value)) {
				all += count;
				some += count * value;
			}
		}
		return all > 0 ? some / all : NaN;
	}

	// rows() of a moment ago, moved on; all anew when @kept is of another window or older seconds were filled in.
	advance(kept, names, window, scale = 1) {
		const step = kept ? this.last - kept.last : -1;
		if (step < 0 || step > STEP_MAX || kept.version !== this.version || kept.window !== window)
			return { rows: this.rows(names, window, scale), version: this.version, window, last: this.last };
		kept.rows.splice(0, step);
		for (let s = kept.last + 1; s <= this.last; s++)
			kept.rows.push(this.row(names, s, scale));
		kept.last = this.last;
		return kept;
	}
}

function total(column, ring, from, until) {
	let sum = 0, seen = 0;
	const last = Math.min(until, ring.last);
	for (let s = Math.max(from, ring.last - SECONDS + 1, 0); s <= last; s++) {
		const value = column[s % SECONDS];
		if (!Number.isNaN(value)) {
			sum += value;
			seen++;
		}
	}
	return { sum: seen ? sum : NaN, mean: seen ? sum / seen : NaN, seen };
}
