// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// What stands on every screen: which system this is, who reads, how current it is, and bars about what is wrong.
import { el, fill, mark, say } from "./dom.js";
import { clock, dateTime, duration, localTime } from "./format.js";
import { loginDialog, open } from "./session.js";

const SPEAK_MS = 5000; // the least time between two things said without being asked
const SPOKEN_MAX = 3;
const SKEW_MS = 5000;
const SET_BACK_TOLD_MS = 600000;

const shapes = { live: "●", behind: "▲", silent: "■", paused: "‖", waiting: "◇" };

export class Frame {
	constructor(app) {
		this.app = app;
		for (const id of ["identity", "label", "role", "live", "clock", "buttons", "bars", "polite"])
			this[id] = document.getElementById(id);
		this.shape = el("span", { class: "shape", "aria-hidden": "true" });
		this.word = el("span", {});
		fill(this.live, this.shape, " ", this.word);
		this.pause = el("button", { type: "button", "aria-pressed": "false", text: "Pause", on: { click: () => app.setPaused(!app.isPaused) } });
		this.theme = el("button", { type: "button", text: "Theme", on: { click: () => this.nextTheme() } });
		this.log = el("button", { type: "button", text: "Log in", on: { click: () => this.inOrOut() } });
		fill(this.buttons, this.pause, el("button", { type: "button", text: "?", "aria-label": "Help", on: { click: () => help() } }), this.theme, this.log);
		this.told = new Map();
		this.spokenAt = -SPEAK_MS;
		this.setTheme(read("doic-theme") || "auto");
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.themeName));
	}

	setTheme(name) {
		this.themeName = name;
		const isDark = name === "dark" || (name === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
		document.documentElement.dataset.dark = isDark ? "yes" : "no";
		this.theme.setAttribute("aria-label", `Theme: ${name}. Press for the next.`);
		this.theme.title = `Theme: ${name}`;
		this.app.recolor();
	}

	nextTheme() {
		const names = ["auto", "light", "dark"];
		const name = names[(names.indexOf(this.themeName) + 1) % names.length];
		write("doic-theme", name);
		this.setTheme(name);
	}

	inOrOut() {
		if (this.app.session.told.by === "session")
			this.app.session.logout();
		else
			loginDialog(this.app.session);
	}

	who() {
		const { told } = this.app.session;
		say(this.role, `role: ${told.role || "none"}`);
		this.role.title = told.who ? `${told.who}, by ${told.by}` : `by ${told.by}`;
		say(this.log, told.by === "session" ? "Log out" : "Log in");
		this.log.hidden = told.by === "system";
	}

	// Called twice a second, and with each tick.
	update() {
		const { live, isPaused } = this.app;
		const node = live.state.node || {};
		say(this.identity, node.identity || (live.isFinished ? live.folder : location.host));
		this.identity.title = live.identity;
		say(this.label, node.label || "");
		this.label.hidden = !node.label;
		const age = live.age();
		const kind = isPaused && age.kind === "live" ? "paused" : age.kind;
		this.live.className = `live is-${kind}`;
		say(this.shape, kind === "live" && live.isFinished ? "○" : shapes[kind]);
		const word = this.liveWord(kind, age);
		say(this.word, word);
		mark(document.body, "stale", age.kind === "behind" || age.kind === "silent");
		if (live.time) {
			const now = live.time + (performance.now() - live.arrived);
			say(this.clock, clock(now));
			this.clock.title = `${dateTime(now)}, the server's time. ${localTime(now)}`;
		}
		if (age.kind !== "waiting")
			this.state("live", age.kind === "live" ? "Live again." : word, true);
		this.faults();
	}

	liveWord(kind, age) {
		const { live } = this.app;
		if (kind === "paused")
			return `paused by you${this.app.waiting ? `, ${this.app.waiting} waiting` : ""}`;
		if (kind === "behind")
			return `behind ${age.seconds} s`;
		if (kind === "silent")
			return live.time ? `no answer since ${clock(live.time)}, trying again` : "no answer yet, trying again";
		if (kind === "live" && live.isFinished)
			return "finished folder, not live";
		return kind === "live" ? "live 1 s" : "waiting for the first second";
	}

	faults() {
		const { live, session } = this.app;
		const recording = live.state.recording;
		this.bar("record", recording?.error ? "bad" : null, recording?.error
			&& `Evidence is incomplete: ${recording.error}. When full: ${recording.when_full}. What is said below holds up to that moment only.`);
		this.bar("gap", recording && !recording.error && recording.gap_events > 0 ? "bad" : null,
			`Evidence has gaps: ${recording?.gap_events} events were lost since the start.`, { href: "#/evidence", text: "See where" });
		const skew = live.time ? live.skew : 0;
		this.bar("skew", Math.abs(skew) > SKEW_MS ? "warn" : null,
			`Your clock is ${duration(Math.abs(skew) / 1000)} ${skew > 0 ? "ahead" : "behind"}; times shown are the server's.`);
		const { setBack } = live;
		this.bar("setback", setBack && live.time - setBack.at < SET_BACK_TOLD_MS ? "warn" : null, setBack && `The server's clock was set back by ${duration(setBack.seconds)} at ` +
			`${clock(setBack.at)}; ${setBack.remains ? "what it had already told of later seconds is forgotten" : "what is drawn begins anew there"}.`);
		const left = session.ending();
		this.bar("session", left === null ? null : "warn", left === 0 ? "Your session has ended." : `Your session ends in ${duration(left ?? 0)}.`,
			left === 0 ? { text: "Log in", run: () => loginDialog(session) } : { text: "Extend", run: () => session.read() });
	}

	// One line across all screens, under @name; @kind null takes it away.
	bar(name, kind, text, more) {
		let line = this.told.get(`bar ${name}`);
		if (!kind) {
			line?.remove();
			this.told.delete(`bar ${name}`);
			return;
		}
		if (!line) {
			const words = el("span");
			const act = more ? more.href ? el("a", { href: more.href, text: more.text }) : el("button", { type: "button", text: more.text, on: { click: () => more.run() } }) : null;
			line = el("p", { class: `bar ${kind}` }, el("span", { class: "shape", "aria-hidden": "true", text: kind === "bad" ? "■" : "▲" }), " ", words, " ", act);
			line.words = words;
			this.bars.append(line);
			this.told.set(`bar ${name}`, line);
			this.speak(text);
		}
		say(line.words, text);
	}

	// Says @text when the state under @name is another one than before.
	state(name, text, isShort) {
		const key = isShort ? text.replace(/\d+ s|\d\d:\d\d:\d\dZ/g, "") : text;
		const was = this.told.get(name);
		this.told.set(name, key);
		if (was !== undefined && was !== key && text)
			this.speak(text);
	}

	// Once in five seconds at most; what came too soon is said together.
	speak(text) {
		this.next = [...(this.next || []), text].slice(-SPOKEN_MAX);
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			this.spokenAt = performance.now();
			say(this.polite, this.next.join(" "));
			this.next = [];
		}, Math.max(0, this.spokenAt + SPEAK_MS - performance.now()));
	}
}

function help() {
	const dialog = el("dialog", { "aria-labelledby": "helptitle" });
	const row = (keys, does) => [el("dt", { text: keys }), el("dd", { text: does })];
	fill(dialog, el("h2", { id: "helptitle", text: "How to read this page" }),
		el("p", { text: "A reduction percentage is an instruction, not a measurement. Five steps are kept apart, always in this order:" }),
		el("dl", {}, row("asked", "what a report asks for"), row("held", "the overload control state this node believes, by version"),
			row("selected", "the share of matching requests that was refused or diverted for it"), row("arrived", "what was sent to the node and answered by it"),
			row("useful", "answers of it that are no errors")),
		el("p", { text: "An en dash means: not known. Hatched means: not recorded. Neither means 0. Grey values are old; their age stands in the top line." }),
		el("h3", { text: "Keys" }),
		el("dl", {}, row("Left, Right, Home, End", "move through a chart or the heat map; with Shift ten seconds at a time"),
			row("Up, Down", "next peer of the heat map, next row of a table"), row("Enter", "decisions of that second; details of that peer"), row("Esc", "leave, close")),
		el("p", { class: "tools" }, el("button", { type: "button", class: "primary", text: "Close", on: { click: () => dialog.close() } })));
	open(dialog);
}

function read(key) {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

function write(key, value) {
	try {
		localStorage.setItem(key, value);
	} catch {
		// it is only not remembered
	}
}
