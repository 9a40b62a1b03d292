// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Who reads this page, what that allows, and until when.
import { Problem, get, lastAnswer, send, useCsrf } from "./api.js";
import { el, fill } from "./dom.js";

const WARN_S = 120;

export class Session extends EventTarget {
	constructor() {
		super();
		this.told = { role: "none", by: "nothing", who: "" };
	}

	get role() {
		return this.told.role || "none";
	}

	get isAdministrator() {
		return this.role === "administrator";
	}

	// Why a button that only looks (verify, audit, check, try) does nothing; "" it works: whoever may read may have it worked out.
	get readDenial() {
		return this.role === "none" ? "needs role observer" : "";
	}

	// Why a button that changes something does nothing; "" it works.
	get denial() {
		return this.isAdministrator ? "" : "needs role administrator";
	}

	take(told) {
		this.told = told;
		this.lasts = typeof told.left_seconds === "number" ? told.left_seconds * 1000 : null; // from each use on
		useCsrf(told.csrf);
		this.dispatchEvent(new Event("change"));
	}

	async read() {
		try {
			this.take(await get("/api/v1/session"));
		} catch (problem) {
			if (problem.status === 401)
				this.take({ role: "none", by: "nothing", who: "" });
			else
				throw problem;
		}
	}

	async login(token) {
		this.take((await send("POST", "/api/v1/session", { token })).body);
	}

	async logout() {
		await send("DELETE", "/api/v1/session").catch(() => {});
		await this.read().catch(() => {});
	}

	// Seconds left when it is time to say so; null else.
	ending() {
		if (this.lasts === null || this.lasts === undefined)
			return null;
		const left = Math.floor((lastAnswer() + this.lasts - performance.now()) / 1000);
		return left <= WARN_S ? Math.max(0, left) : null;
	}
}

// A dialog that asks for a token. The token goes to the server once and is kept nowhere here.
export function loginDialog(session) {
	const input = el("input", { type: "password", autocomplete: "current-password", id: "token", required: true });
	const problem = el("p", { class: "problem", role: "alert", hidden: true });
	const dialog = el("dialog", { "aria-labelledby": "logintitle" });
	const form = el("form", { on: { submit: async (event) => {
		event.preventDefault();
		problem.hidden = true;
		try {
			await session.login(input.value);
			dialog.close();
		} catch (error) {
			problem.textContent = error instanceof Problem ? error.text : String(error);
			problem.hidden = false;
			input.select();
		}
	} } },
	el("h2", { id: "logintitle", text: "Log in" }),
	el("p", { text: "There is no default password. Whoever runs the daemon makes a token for you." }),
	el("p", {}, el("label", { for: "token", text: "Token" }), " ", input), problem,
	el("p", { class: "tools" }, el("button", { type: "submit", class: "primary", text: "Log in" }),
		el("button", { type: "button", text: "Cancel", on: { click: () => dialog.close() } })));
	fill(dialog, form);
	open(dialog);
}

// Shows a dialog that leaves the page when it is closed.
export function open(dialog) {
	dialog.addEventListener("close", () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
}
