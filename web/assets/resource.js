// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Something that is asked for again and again while it is looked at. When the answer fails the old one stays, marked old.
import { call } from "./api.js";
import { el, mark, say } from "./dom.js";
import { clock } from "./format.js";

export class Resource {
	// @path: a text, or a function that gives one (null: ask nothing now). @changed is called after every answer.
	constructor(app, path, everyMs, changed) {
		Object.assign(this, { app, path, everyMs, changed });
		this.data = null;
		this.etag = "";
		this.problem = null;
		this.at = null;
		this.note = el("p", { class: "note problem", hidden: true });
	}

	start() {
		this.read();
		if (this.everyMs)
			this.timer = setInterval(() => !document.hidden && !this.app.isPaused && this.read(), this.everyMs);
		return this;
	}

	stop() {
		clearInterval(this.timer);
		this.isStopped = true;
		this.abort?.abort();
	}

	async read() {
		const path = typeof this.path === "function" ? this.path() : this.path;
		if (!path)
			return;
		this.abort?.abort();
		const abort = this.abort = new AbortController();
		try {
			const response = await call("GET", path, { signal: abort.signal });
			this.data = await response.json();
			this.etag = response.headers.get("ETag") || "";
			this.problem = null;
			this.at = Date.now();
		} catch (error) {
			if (error.name === "AbortError")
				return;
			this.problem = error;
		}
		if (this.isStopped)
			return;
		this.explain();
		this.changed?.();
	}

	// What to say in place of rows; @absent: of a server that has no such resource.
	why(absent, empty) {
		if (this.problem)
			return this.problem.isAbsent ? absent : this.problem.text || String(this.problem);
		return this.data === null ? "Asking the server." : empty;
	}

	explain() {
		const isOld = this.problem !== null && this.data !== null;
		say(this.note, isOld ? `${this.problem.text || this.problem} What is shown is from ${clock(this.at)}.` : "");
		this.note.hidden = !isOld;
		for (const element of this.elements || [])
			mark(element, "old", isOld);
	}
}
