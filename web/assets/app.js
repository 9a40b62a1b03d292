// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// The page: one address per screen, one stream, one drawing per tick.
import { el, fill } from "./dom.js";
import { Frame } from "./frame.js";
import { Live } from "./live.js";
import { SECONDS } from "./ring.js";
import { Session, loginDialog } from "./session.js";
import { Evidence } from "./screen-evidence.js";
import { Find } from "./screen-find.js";
import { Now } from "./screen-now.js";
import { Policy } from "./screen-policy.js";
import { Pools } from "./screen-pools.js";
import { Reports } from "./screen-reports.js";

const SCREENS = { now: ["Now", Now], reports: ["Reports", Reports], pools: ["Pools", Pools], find: ["Find", Find],
	evidence: ["Evidence", Evidence], policy: ["Policy", Policy] };
const WINDOWS = { 120: "2 min", 300: "5 min", 600: "10 min", 3600: "1 h", 21600: "6 h", 86400: "24 h", all: "all" };
const MEASURES_MAX = 700;
const SPAN_LEAST_S = 10;

class App {
	constructor() {
		this.session = new Session();
		this.live = new Live();
		this.isPaused = false;
		this.waiting = 0;
		this.parameters = new URLSearchParams();
		this.name = "now";
		this.frame = new Frame(this);
		this.screenBox = document.getElementById("screen");
		this.filterInput = document.getElementById("filter");
		this.navigation();
		this.listen();
	}

	navigation() {
		this.links = Object.fromEntries(Object.entries(SCREENS).map(([name, [title]]) => [name, el("a", { href: `#/${name}`, text: title })]));
		fill(document.getElementById("nav"), Object.values(this.links));
		const windows = document.getElementById("window");
		fill(windows, Object.entries(WINDOWS).map(([key, text]) => el("option", { value: key, text })));
		windows.addEventListener("change", () => {
			this.setParameter("window", windows.value === "600" ? "" : windows.value);
			this.screen?.changedWindow?.();
		});
		this.filterInput.addEventListener("input", () => this.setParameter("f", this.filterInput.value));
		document.getElementById("filterclear").addEventListener("click", () => {
			this.setParameter("f", "");
			this.filterInput.focus();
		});
		document.getElementById("filterform").addEventListener("submit", (event) => event.preventDefault());
		document.getElementById("skip").addEventListener("click", (event) => {
			event.preventDefault();
			document.getElementById("main").focus();
		});
	}

	listen() {
		addEventListener("hashchange", () => this.route(true));
		this.live.addEventListener("tick", () => this.tick());
		this.live.addEventListener("failed", () => {
			this.frame.update();
			this.session.read().catch(() => {});
		});
		this.session.addEventListener("change", () => {
			this.frame.who();
			this.serve();
		});
		document.addEventListener("visibilitychange", () => {
			if (!document.hidden)
				this.draw();
		});
		setInterval(() => this.frame.update(), 500);
	}

	async start() {
		for (;;) {
			try {
				await this.session.read();
				break;
			} catch {
				this.live.isFailing = true;
				this.frame.update();
				await new Promise((done) => setTimeout(done, 2000));
			}
		}
	}

	// Streams and shows what this reader may see.
	serve() {
		const role = this.session.role;
		if (role === this.served)
			return;
		this.served = role;
		if (role === "none") {
			this.live.stop();
			this.screen?.destroy?.();
			this.screen = null;
			fill(this.screenBox, el("section", { class: "box" }, el("h2", { text: "Nothing says who asks" }),
				el("p", { text: "This server shows its state to those who log in with a token. Whoever runs the daemon makes one." }),
				el("p", {}, el("button", { type: "button", class: "primary", text: "Log in", on: { click: () => loginDialog(this.session) } }))));
			return;
		}
		if (!this.live.isOn)
			this.live.start();
		this.mounted = "";
		this.route(false);
	}

	// "#/reports?version=41&f=gx"
	route(isAsked) {
		const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
		const name = SCREENS[path] ? path : "now";
		const parameters = new URLSearchParams(query || "");
		const isSame = name === this.mounted;
		this.parameters = parameters;
		this.name = name;
		this.showControls();
		if (this.served === "none" || this.served === undefined)
			return;
		if (!isSame) {
			this.mount(name);
			if (isAsked)
				document.getElementById("title").focus({ preventScroll: true });
		} else
			this.screen.changed?.();
		this.draw();
	}

	showControls() {
		const filter = this.parameters.get("f") || "";
		if (this.filterInput.value !== filter)
			this.filterInput.value = filter;
		document.getElementById("filterclear").hidden = filter === "";
		const windows = document.getElementById("window");
		windows.value = WINDOWS[this.parameters.get("window")] ? this.parameters.get("window") : "600";
		windows.hidden = document.getElementById("windowlabel").hidden = this.name !== "now" && this.name !== "reports";
		const isPaused = this.parameters.get("paused") === "1";
		if (isPaused !== this.isPaused)
			this.setPaused(isPaused, true);
	}

	mount(name) {
		this.screen?.destroy?.();
		const [title, Screen] = SCREENS[name];
		for (const [key, link] of Object.entries(this.links)) {
			if (key === name)
				link.setAttribute("aria-current", "page");
			else
				link.removeAttribute("aria-current");
		}
		document.getElementById("title").textContent = title;
		document.title = `${title} – doic ${this.live.state.node?.identity || ""}`.trim();
		document.body.dataset.screen = name;
		this.mounted = name;
		this.screen = new Screen(this);
		fill(this.screenBox, this.screen.element);
		this.screen.begin?.();
	}

	get filter() {
		return this.parameters.get("f") || "";
	}

	// In seconds; Infinity: all there is. No wider than a finished folder that is shorter.
	get window() {
		const chosen = this.parameters.get("window") === "all" ? Infinity : Number(this.parameters.get("window")) || SECONDS;
		const { ring, isFinished } = this.live;
		const span = isFinished && ring.startedAt > 0 ? ring.last - ring.startedAt + 1 : SECONDS;
		return span < SECONDS ? Math.min(chosen, Math.max(SPAN_LEAST_S, span)) : chosen;
	}

	setParameter(key, value) {
		if (value)
			this.parameters.set(key, value);
		else
			this.parameters.delete(key);
		const text = this.parameters.toString();
		history.replaceState(null, "", `#/${this.name}${text ? `?${text}` : ""}`);
		this.showControls();
		this.draw(true);
	}

	setPaused(isPaused, isTold) {
		this.isPaused = isPaused;
		this.waiting = 0;
		this.frame.pause.setAttribute("aria-pressed", String(isPaused));
		this.frame.pause.textContent = isPaused ? "Go on" : "Pause";
		if (!isTold)
			this.setParameter("paused", isPaused ? "1" : "");
		this.frame.update();
		if (!isPaused)
			this.draw();
	}

	tick() {
		const parsed = this.live.parsedMs;
		if (this.isPaused)
			this.waiting++;
		this.frame.update();
		if (this.isPaused || document.hidden || this.isAsked)
			return;
		this.isAsked = true;
		requestAnimationFrame(() => {
			this.isAsked = false;
			const began = performance.now();
			this.draw();
			this.measure(parsed + performance.now() - began);
		});
	}

	// How long a tick keeps the page busy: "doic:tick" of the browser's own tools.
	measure(ms) {
		const end = performance.now();
		performance.measure("doic:tick", { start: end - ms, end });
		if (performance.getEntriesByName("doic:tick").length > MEASURES_MAX)
			performance.clearMeasures("doic:tick");
	}

	draw(isForced) {
		if (!this.screen || document.hidden || (this.isPaused && !isForced && this.screen.isDrawn))
			return;
		this.screen.update();
		this.screen.isDrawn = true;
	}

	recolor() {
		this.screen?.recolor?.();
	}
}

const app = new App();
app.route(false);
app.start();
