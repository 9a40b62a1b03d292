// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// What live.sh has set up, and the words the parts of its story share.
import AxeBuilder from "@axe-core/playwright";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { SCREENS, visit } from "./browser.mjs";

const Axe = AxeBuilder.default || AxeBuilder;
const NARROW = 390;
const VIEWS = [["light", 1280], ["dark", 1280], ["light", NARROW], ["dark", NARROW]];
export const TWO_VIEWS = [["light", 1280], ["dark", NARROW]];
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export const lab = { url: process.env.LIVE_URL, doic: process.env.LIVE_DOIC, folder: process.env.LIVE_FOLDER, http: process.env.LIVE_HTTP, admin: process.env.LIVE_ADMIN,
	eyes: process.env.LIVE_EYES, dump: process.env.LIVE_DUMP, record: process.env.LIVE_RECORD, shots: process.env.LIVE_SHOTS, policy: process.env.LIVE_POLICY, pid: Number(process.env.LIVE_PID) };

export function tell(line) {
	fs.writeFileSync(process.env.LIVE_CONTROL, `${line}\n`);
}

// Over the UNIX socket, as its owner.
export function api(where) {
	return JSON.parse(execFileSync("curl", ["-sS", "--max-time", "10", "--unix-socket", lab.http, `http://localhost${where}`], { encoding: "utf8" }));
}

// The status and body of a POST there.
export function post(where, body) {
	const text = execFileSync("curl", ["-sS", "--max-time", "10", "--unix-socket", lab.http, "-H", "Content-Type: application/json", "-d", JSON.stringify(body), "-w", "\n%{http_code}", `http://localhost${where}`], { encoding: "utf8" });
	return { status: Number(text.slice(text.lastIndexOf("\n") + 1)), text: text.slice(0, text.lastIndexOf("\n")) };
}

export function metric(line) {
	const text = execFileSync("curl", ["-sS", "--max-time", "10", "--unix-socket", lab.http, "http://localhost/metrics"], { encoding: "utf8" });
	return Number(text.split("\n").find((each) => each.startsWith(line))?.split(" ").pop() ?? NaN);
}

export function doic(...words) {
	const { status, stdout, stderr } = spawnSync(lab.doic, words, { encoding: "utf8", timeout: 60000 });
	return { status, text: stdout + stderr };
}

export async function login(page, token) {
	await page.locator("#buttons").getByRole("button", { name: /Log (in|out)/ }).waitFor();
	if (await page.locator("#buttons").getByRole("button", { name: "Log out" }).count())
		await page.locator("#buttons").getByRole("button", { name: "Log out" }).click();
	await page.locator("#buttons").getByRole("button", { name: "Log in" }).click();
	await page.getByLabel("Token").fill(token);
	await page.getByRole("dialog").getByRole("button", { name: "Log in" }).click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
}

export function says(page, text, timeout = 10000) {
	return page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text, { timeout, polling: 50 });
}

export async function axe(page, where, found) {
	const { violations } = await new Axe({ page }).withTags(TAGS).analyze();
	found.push(...violations.map((each) => `${where}: ${each.id}: ${each.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(" ; ")}`));
}

// All screens in both themes, wide and narrow: pictures as @name-SCREEN-THEME-WIDTH.png, and what axe finds in the wide ones. @look is told
// each page that stands. Returns [found, complaints].
export async function tour(browser, name, { hashes = {}, token, views = VIEWS, look = async () => {} } = {}) {
	const found = [], complaints = [];
	fs.mkdirSync(lab.shots, { recursive: true });
	for (const [theme, width] of views) {
		const page = await visit(browser, lab.url, { theme, width, height: width > NARROW ? 720 : 844 });
		if (token)
			await login(page, token);
		for (const screen of SCREENS) {
			await page.goto(`${lab.url}/${hashes[screen] || `#/${screen}`}`);
			await page.waitForTimeout(1600);
			await page.screenshot({ path: path.join(lab.shots, `${name}-${screen}-${theme}-${width}.png`), fullPage: screen !== "now" || width <= NARROW });
			if (width > NARROW)
				await axe(page, `${screen} ${theme}`, found);
			await look(page, screen, width);
		}
		complaints.push(...page.complaints);
		await page.context().close();
	}
	return [found, complaints];
}
