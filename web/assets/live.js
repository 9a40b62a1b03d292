// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// The stream of events: state, seconds and what changed, and how old all that is.
import { get } from "./api.js";
import { splitId } from "./format.js";
import { NODE_COLUMNS, COLUMNS, Ring } from "./ring.js";
import { Stream } from "./stream.js";

const BEHIND_MS = 3000;
const SILENT_MS = 10000;
const CHANGES_MAX = 200;
const SET_BACK_MS = 2000;

// RFC 7396, into @target. Names come from outside, so what JavaScript keeps for itself is passed over.
export function merge(target, patch) {
	for (const key of Object.keys(patch)) {
		if (key === "__proto__")
			continue;
		const value = patch[key];
		if (value === null)
			delete target[key];
		else if (typeof value === "object" && !Array.isArray(value)) {
			if (typeof target[key] !== "object" || target[key] === null || Array.isArray(target[key]))
				target[key] = {};
			merge(target[key], value);
		} else
			target[key] = value;
	}
}

export class Live extends EventTarget {
	constructor() {
		super();
		this.state = {};
		this.ring = new Ring();
		this.changes = []; // newest first
		this.time = null; // the server's, of the last tick
		this.arrived = 0; // ours, when it came
		this.skew = 0;
		this.hasState = false;
		this.isFailing = false;
		this.parsedMs = 0;
		this.stream = new Stream({
			take: (kind, text) => this.take(kind, text),
			failed: () => this.failed(),
			opened: () => {
				this.isFailing = false;
			},
			state: () => this.whole(),
		});
		this.setBack = null; // { seconds, at, remains } of the last time the server's clock was set back
	}

	start() {
		this.stream.start();
	}

	stop() {
		this.stream.stop();
	}

	get isOn() {
		return this.stream.isOn;
	}

	take(kind, text) {
		const began = performance.now();
		let told;
		try {
			told = JSON.parse(text);
		} catch {
			return;
		}
		this.isFailing = false;
		if (kind === "snapshot")
			this.snapshot(told);
		else if (kind === "tick")
			this.tick(told);
		else if (kind === "event")
			this.change(told);
		else if (kind === "reset")
			this.reset();
		this.parsedMs += performance.now() - began;
		if (kind === "tick" || kind === "snapshot") {
			this.dispatchEvent(new Event("tick"));
			this.parsedMs = 0;
		}
	}

	failed() {
		this.isFailing = true;
		this.dispatchEvent(new Event("failed"));
	}

	// What a tab that comes later begins with; null: nothing is known, or not for certain.
	whole() {
		const state = { ...this.state, second: undefined }; // the last seconds come with the history
		return this.hasState && !this.isFailing ? { time: new Date(this.time).toISOString(), state } : null;
	}

	head(told) {
		const time = Date.parse(told.time);
		if (this.time !== null && time < this.time - SET_BACK_MS)
			this.clockSetBack(this.time - time);
		this.time = time;
		this.arrived = performance.now();
		this.skew = Date.now() - this.time;
		this.hasState = true;
	}

	// The seconds of after would be waited for until the clock is where it was: they are told anew from where it is now.
	clockSetBack(ms) {
		const seconds = Math.round(ms / 1000);
		if (this.ring.last > 0)
			this.setBack = { seconds, at: this.time - ms, remains: this.ring.setBack(this.ring.last - seconds) };
	}

	snapshot(told) {
		this.head(told);
		this.state = told.state || {};
		this.ring.startedAt = Math.floor(Date.parse(this.state.node?.started) / 1000) || 0;
		if (this.state.second) {
			const second = this.ring.push(this.state.second);
			this.ring.pushNodes(second, this.state.nodes || {});
		}
		this.history();
	}

	tick(told) {
		this.head(told);
		merge(this.state, told.changed || {});
		const before = this.ring.last;
		let second = 0;
		for (const each of told.seconds || [])
			second = this.ring.push(each);
		if (second > 0 && this.ring.isKnown(second))
			this.ring.pushNodes(second, this.state.nodes || {});
		if (before > 0 && second > before + 1) // of nodes only the newest second was told
			this.history();
	}

	change(told) {
		if (this.changes.some((each) => each.number === told.number))
			return;
		this.changes.unshift(told);
		this.changes.sort((a, b) => b.number - a.number);
		this.changes.length = Math.min(this.changes.length, CHANGES_MAX);
	}

	// We were too slow, or the server began anew: what follows is a snapshot.
	reset() {
		this.state = {};
	}

	// Fills the ring with what happened before, or while we were away.
	async history() {
		if (this.isLoading)
			return;
		this.isLoading = true;
		await this.loadAll().catch(() => {});
		await this.loadNodes().catch(() => {});
		await this.loadChanges().catch(() => {});
		this.isLoading = false;
		this.dispatchEvent(new Event("tick"));
	}

	async loadAll() {
		const told = await get("/api/v1/series?window=600");
		const last = Date.parse(told.last) / 1000;
		this.ring.load(this.ring.columns, COLUMNS, told.columns || {}, last);
		const since = Date.parse(told.known_since) / 1000;
		if (since < this.ring.startedAt) // an earlier process of the node left its sums
			this.ring.startedAt = since;
		if (this.isFinished) { // what lay before its first second is no hole
			const requests = told.columns?.requests || [];
			this.ring.startedAt = last - requests.length + 1 + requests.findIndex((value) => value !== null);
		}
	}

	// One octet per cell would do for a picture; sentences need the counts.
	async loadNodes() {
		const told = await get("/api/v1/series/nodes?window=600");
		const last = Date.parse(told.last) / 1000;
		for (const each of told.nodes || []) {
			const node = this.ring.node(each.node);
			for (const side of ["client", "server"])
				if (each[side])
					this.ring.load(node[side], NODE_COLUMNS[side], each[side], last);
		}
	}

	async loadChanges() {
		const told = await get("/api/v1/changes?limit=200");
		for (const each of told.changes || [])
			this.change(each);
	}

	// Of the node whose trail this is.
	get identity() {
		return this.state.node?.identity || this.state.identity || "";
	}

	get isFinished() {
		return this.hasState && !this.state.states;
	}

	get folder() {
		return this.state.node?.evidence_folder || this.state.folder || "FOLDER";
	}

	// The life of a row "RUN-N" told at @time: versions of states count anew in each; "" it is the one that runs.
	otherLife(id, time) {
		return !this.isFinished && Date.parse(time) >= Date.parse(this.state.node?.started) ? "" : splitId(id)[0];
	}

	// How current what is shown is.
	age() {
		const ms = this.arrived ? performance.now() - this.arrived : Infinity;
		if (!this.hasState)
			return { kind: this.isFailing ? "silent" : "waiting", seconds: 0 };
		if (ms > SILENT_MS || (this.isFailing && ms > BEHIND_MS))
			return { kind: "silent", seconds: Math.floor(ms / 1000) };
		if (ms > BEHIND_MS)
			return { kind: "behind", seconds: Math.floor(ms / 1000) };
		return { kind: "live", seconds: 0 };
	}
}
