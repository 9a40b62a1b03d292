// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// One stream of events for all tabs of a browser: a stream keeps a connection for good, and a browser has six of them for a host. The tab
// that has the lock reads the stream and passes on what it says; when it is closed, the next one does.
const PATH = "/api/v1/events";
const NAME = "doic-events"; // of the lock and of the channel
const KINDS = ["snapshot", "tick", "event", "reset"];
const RETRY_MS = 3000;
const QUIET_MS = 5000; // without a word from the tab that reads: it may be asleep

export class Stream {
	// @take(kind, text): what the server says; @failed(), @opened(): how the connection is; @state(): a snapshot of what was taken so far,
	// for a tab that comes later; null: none yet.
	constructor({ take, failed, opened, state }) {
		Object.assign(this, { take, failed, opened, state });
		this.me = Math.random().toString(36).slice(2);
	}

	start() {
		this.stop();
		if (!navigator.locks || typeof BroadcastChannel === "undefined") {
			this.read(); // not to be had on a page from another host without TLS
			return;
		}
		this.channel = new BroadcastChannel(NAME);
		this.channel.addEventListener("message", (message) => this.heard(message.data));
		this.waiting = new AbortController();
		navigator.locks.request(NAME, { signal: this.waiting.signal }, () => this.lead()).catch(() => {});
		this.follow();
	}

	stop() {
		clearTimeout(this.retry);
		clearTimeout(this.quiet);
		this.waiting?.abort();
		this.release?.();
		this.source?.close();
		this.channel?.close();
		this.waiting = this.release = this.source = this.channel = null;
	}

	get isOn() {
		return Boolean(this.channel || this.source);
	}

	// Another tab reads: what it knows, this one asks for.
	follow() {
		this.source?.close();
		this.source = null;
		this.channel.postMessage({ ask: this.me });
		this.expect();
	}

	// This tab reads, until it ends.
	lead() {
		if (!this.channel)
			return undefined;
		clearTimeout(this.quiet);
		return new Promise((resolve) => {
			this.release = resolve;
			if (!this.source)
				this.read();
		});
	}

	read() {
		clearTimeout(this.retry);
		this.source?.close();
		this.source = new EventSource(PATH);
		for (const kind of KINDS)
			this.source.addEventListener(kind, (event) => {
				this.take(kind, event.data);
				this.tell({ kind, text: event.data });
			});
		this.source.addEventListener("open", () => {
			this.opened();
			this.tell({ kind: "open" });
		});
		this.source.addEventListener("error", () => this.broke());
	}

	// A browser gives up for good on an answer that is no stream (a login that ended, say): then we ask again ourselves.
	broke() {
		this.failed();
		this.tell({ kind: "failed" });
		if (this.source?.readyState === EventSource.CLOSED) {
			clearTimeout(this.retry);
			this.retry = setTimeout(() => this.source && this.read(), RETRY_MS);
		}
	}

	tell(what) {
		if (this.release)
			this.channel.postMessage(what);
	}

	// The tab that reads should be heard now and then; when it is not, this one reads for itself.
	expect() {
		clearTimeout(this.quiet);
		this.quiet = setTimeout(() => this.read(), QUIET_MS);
	}

	heard(what) {
		const known = this.release && what.ask ? this.state() : null;
		if (known)
			this.channel.postMessage({ kind: "snapshot", text: JSON.stringify(known), to: what.ask });
		if (this.release || what.ask || (what.to && what.to !== this.me))
			return;
		if (this.source)
			this.follow(); // it is awake again
		this.expect();
		if (what.kind === "failed")
			this.failed();
		else if (what.kind === "open")
			this.opened();
		else if (what.kind === "tick" && !this.state())
			this.channel.postMessage({ ask: this.me }); // what a tick changes is not known yet
		else
			this.take(what.kind, what.text);
	}
}
