// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Which senders were told to send less and go on all the same, as the server counts it. What cannot be told is not 0.
import { count, isKnown, rate, times } from "./format.js";
import { Resource } from "./resource.js";

const EVERY_MS = 2000;
const IGNORED = "requests per second beyond what it should offer under the reports it was told of: its usual (its mean in the five minutes before) less what is asked; where chance may explain it, or it was not told, it cannot be told";

export class Heeds {
	constructor(app) {
		const asks = () => Object.values(app.live.state.states || {}).some((entry) => entry.state === "active" && entry.type !== "peer");
		this.resource = new Resource(app, () => (asks() ? "/api/v1/senders?limit=600" : null), EVERY_MS, () => this.take()).start();
		this.asks = asks;
		this.byName = new Map();
	}

	// Asks at once when somebody begins to ask for less.
	look() {
		const { data, problem, isBusy } = this.resource;
		if (data === null && problem === null && !isBusy)
			this.resource.read();
	}

	stop() {
		this.resource.stop();
	}

	// The worst of each sender: those that went on come first, then those that do in part.
	take() {
		this.byName = new Map([...(this.resource.data?.senders || [])].reverse().map((each) => [each.sender, each]));
	}

	of(name) {
		return this.asks() ? this.byName.get(name) : undefined;
	}
}

// What a table says of the senders of story.js.
export function senderColumns() {
	return [
		{ key: "word", label: "It", title: "how it behaves: storm is twice its usual or more, and no less than a moment ago", status: (row) => row,
			hint: (row) => `${rate(row.earlier)}/s 20 to 30 s ago, ${rate(row.offered)}/s now` },
		{ key: "offered", label: "Offers/s", num: true, value: (row) => row.offered, text: (row) => rate(row.offered) },
		{ key: "factor", label: "Of usual", title: "offered now, of the median of the five minutes before the oldest state was held", num: true, value: (row) => row.factor,
			text: (row) => (row.factor === Infinity ? "new" : isKnown(row.factor) ? times(row.factor).replace(" times", "×") : null) },
		{ key: "refused", label: "Refused/s", num: true, value: (row) => row.refused, text: (row) => rate(row.refused) },
		{ key: "ignored", label: "Ignored/s", title: IGNORED, num: true, value: (row) => ignored(row.heed), text: (row) => (ignored(row.heed) === null ? null : rate(ignored(row.heed))),
			hint: (row) => hint(row.heed) }];
}

function ignored(heed) {
	return isKnown(heed?.ignored) && heed.seconds > 0 ? heed.ignored / heed.seconds : null;
}

function hint(heed) {
	if (!heed)
		return "cannot be told: nobody asks it for less, or it is no sender of such requests itself";
	if (!isKnown(heed.ignored))
		return heed.why;
	return `${heed.why}: ${count(heed.offered)} offered to ${heed.subject} since it asks, ${count(heed.expected)} would obey, ${count(heed.usual)} would be usual`;
}
