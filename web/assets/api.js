// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// The server's resources: session and its word for writes, problems (RFC 9457) as errors.

export class Problem extends Error {
	constructor(status, body) {
		super(body.detail || body.title || `HTTP ${status}`);
		this.status = status;
		this.title = body.title || `The server answered ${status}`;
		this.detail = body.detail || "";
		this.attempt = body.try || "";
		this.errors = Array.isArray(body.errors) ? body.errors : [];
		this.body = body;
	}

	// What is, and what to do.
	get text() {
		const parts = [this.title];
		if (this.detail && this.detail !== this.title)
			parts.push(`: ${this.detail}`);
		return `${parts.join("")}.${this.attempt ? ` ${this.attempt}` : ""}`.replace("..", ".");
	}

	// The server has no such resource, as opposed to no such thing.
	get isAbsent() {
		return this.status === 404 || this.status === 405 || this.status === 501;
	}
}

let csrf = "";
let answered = 0;

// When the server answered last: a session lasts so long from its last use on.
export function lastAnswer() {
	return answered;
}

export function useCsrf(word) {
	csrf = word || "";
}

async function problemOf(response) {
	let body = {};
	try {
		body = await response.json();
	} catch {
		// not JSON: the status alone speaks
	}
	return new Problem(response.status, body && typeof body === "object" ? body : {});
}

export async function call(method, path, { body, etag, accept, signal } = {}) {
	const headers = { Accept: accept || "application/json" };
	if (body !== undefined)
		headers["Content-Type"] = "application/json";
	if (method !== "GET" && csrf)
		headers["X-CSRF-Token"] = csrf;
	if (etag)
		headers["If-Match"] = etag;
	let response;
	try {
		response = await fetch(path, { method, headers, signal, credentials: "same-origin", cache: "no-store",
			body: body === undefined ? undefined : JSON.stringify(body) });
	} catch (error) {
		if (error.name === "AbortError")
			throw error;
		throw new Problem(0, { title: "No answer from the server", try: "It is asked again by itself." });
	}
	if (!response.ok)
		throw await problemOf(response);
	answered = performance.now();
	return response;
}

export async function get(path, options) {
	const response = await call("GET", path, options);
	return response.json();
}

export async function send(method, path, body, options = {}) {
	const response = await call(method, path, { ...options, body });
	if (response.status === 204)
		return { response, body: {} };
	const type = response.headers.get("Content-Type") || "";
	return { response, body: type.includes("json") ? await response.json() : {} };
}

export function query(parameters) {
	const words = new URLSearchParams();
	for (const [key, value] of Object.entries(parameters))
		if (value !== undefined && value !== null && value !== "")
			words.set(key, value);
	const text = words.toString();
	return text ? `?${text}` : "";
}
