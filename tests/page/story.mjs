// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// A storm that is the same each time: from a known second on one sender offers six times its usual, pcrf-2 asks for 30 % less.
const BASE = 3000; // requests per second of all ordinary senders
const STORM_FACTOR = 6.2;
const REDUCTION = 0.3;
const WARNING = 40; // the storm begins so many seconds before the report

// A number in 0..1 that depends on its arguments alone.
function chance(a, b) {
	let x = (a * 374761393 + b * 668265263) | 0;
	x = Math.imul(x ^ (x >>> 13), 1274126177);
	return ((x ^ (x >>> 16)) >>> 0) / 4294967296;
}

function wobble(value, a, b) {
	return Math.max(0, Math.round(value * (0.95 + 0.1 * chance(a, b))));
}

export class Story {
	// @stormAt: second since 1970 at which it begins; Infinity never. @renewS: a report is renewed as often; 0 never. @isOwn: this node asks itself.
	constructor({ peers = 8, stormAt = Infinity, strange = "", isEmpty = false, silent = "", storms = 1, renewS = 0, isOwn = false } = {}) {
		Object.assign(this, { stormAt, isEmpty, silent, storms, renewS, isOwn });
		this.servers = ["pcrf-1.example.net", "pcrf-2.example.net", "pcrf-3.example.net"];
		this.clients = Array.from({ length: peers }, (_, i) => `${i % 2 ? "pgw" : "hgw"}-${String(i + 1).padStart(peers > 99 ? 3 : 2, "0")}.visited.example`);
		if (strange)
			this.clients[1] = strange;
		this.stormer = this.clients[0];
		this.each = BASE / peers;
	}

	hasStorm(second) {
		return second >= this.stormAt;
	}

	// Of what client @i sends, the part that is for pcrf-2.
	share(i) {
		return i < this.storms ? 0.8 : 0.1 + 0.3 * chance(i, 3);
	}

	clientCount(i, second) {
		const usual = this.each * (0.6 + 0.8 * chance(i, 7));
		const isStorm = second >= this.stormAt - WARNING && i < this.storms;
		const requests = wobble(isStorm ? usual * STORM_FACTOR : usual, i, second);
		const refused = this.hasStorm(second) ? Math.round(requests * this.share(i) * REDUCTION) : 0;
		return { requests, refused, diverted: 0, sent: 0, answers: requests - refused, useful: requests - refused, lost: 0 };
	}

	nodes(second) {
		const out = {};
		if (this.isEmpty)
			return out;
		let sent = [0, 0, 0];
		this.clients.forEach((name, i) => {
			const count = this.clientCount(i, second);
			out[name] = { neighbour: true, up: true, client: count };
			const there = count.requests * this.share(i);
			const rest = Math.round((count.requests - there) / 2);
			sent = [sent[0] + rest, sent[1] + Math.round(there) - count.refused, sent[2] + rest];
		});
		this.servers.forEach((name, k) => {
			// Before anybody asks for less, pcrf-2 fails under the storm.
			const isHit = k === 1 && second >= this.stormAt - WARNING && !this.hasStorm(second);
			const answers = Math.round(sent[k] * 0.999);
			out[name] = { neighbour: true, up: true, load: [48112, 9020, 60001][k] };
			if (name !== this.silent)
				out[name].server = { requests: 0, refused: 0, diverted: 0, sent: sent[k], answers, useful: Math.round(answers * (isHit ? 0.61 : 0.99)), lost: sent[k] - answers };
		});
		delete out[this.servers[2]].load;
		return out;
	}

	second(second, nodes = this.nodes(second)) {
		const told = { second: new Date(second * 1000).toISOString(), known: true, gap: false, requests: 0, refused: 0, diverted: 0, sent: 0, answers: 0, useful: 0, lost: 0,
			matched: 0, survivors: 0, matched_peer: 0, observed: 0, drawn: 0, selected: 0, refused_by: {}, refused_why: {} };
		for (const node of Object.values(nodes)) {
			told.requests += node.client?.requests ?? 0;
			told.refused += node.client?.refused ?? 0;
			told.sent += node.server?.sent ?? 0;
			told.answers += node.server?.answers ?? 0;
			told.useful += node.server?.useful ?? 0;
		}
		if (this.hasStorm(second)) {
			told.matched = told.drawn = Math.round(told.refused / REDUCTION);
			told.selected = told.refused;
			told.survivors = told.matched - told.selected;
			told.asked_ratio = REDUCTION;
			told.share_ratio = REDUCTION;
			told.selected_ratio = told.selected / told.drawn;
			told.refused_by = { host: told.refused };
			told.refused_why = { report: told.refused };
		}
		if (told.answers > 0) {
			const slow = this.hasStorm(second) ? 1.5 : second >= this.stormAt - WARNING ? 5 : 1;
			told.took_p50_seconds = 0.004 * slow * (0.9 + 0.2 * chance(second, 1));
			told.took_p90_seconds = 0.02 * slow;
			told.took_p99_seconds = 0.11 * slow * (0.9 + 0.2 * chance(second, 2));
		}
		return told;
	}

	states(second) {
		if (!this.hasStorm(second))
			return {};
		const lasting = second - this.stormAt;
		const held = this.renewS ? lasting % this.renewS : lasting;
		const version = 41 + (this.renewS ? Math.floor(lasting / this.renewS) : 0);
		const matched = Math.max(0, held) * 900;
		return { [version]: { state: "active", version, sequence: 8771 + version, same_matched: lasting * 900, same_selected: Math.round(lasting * 900 * REDUCTION), is_own: this.isOwn, condition_seconds: lasting, type: "host", application_id: 16777238, application: "Gx", subject: "pcrf-2.example.net", origin: "",
			algorithm: "loss", reduction_ratio: REDUCTION, share_ratio: REDUCTION, matched, selected: Math.round(matched * REDUCTION), held_seconds: held, left_seconds: 30 - (held % 30) } };
	}
}
