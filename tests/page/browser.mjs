// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// A browser, and pages of it that tell what they complained about.
import { chromium } from "playwright-core";

export const WIDTH = 1280;
export const HEIGHT = 720;
export const SCREENS = ["now", "reports", "pools", "find", "evidence", "policy"];

export function launch() {
	return chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
}

// A page in a context of its own; page.complaints holds console errors, refusals of the content policy and requests to other hosts.
export async function visit(browser, url, { theme = "light", width = WIDTH, height = HEIGHT, hash = "", ...more } = {}) {
	const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce", ...more });
	const page = await context.newPage();
	page.complaints = [];
	page.on("console", (message) => {
		const text = message.text();
		// A refused request is told by the browser whatever the page does about it.
		if (message.type() === "error" && !/Failed to load resource/.test(text))
			page.complaints.push(text);
	});
	page.on("pageerror", (error) => page.complaints.push(String(error)));
	page.on("request", (request) => {
		if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
			page.complaints.push(`request to ${request.url()}`);
	});
	await page.goto(`${url}/${hash}`);
	return page;
}
