// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Tests one after the other, a line for each, figures beside them.
import fs from "node:fs";
import path from "node:path";

const tests = [];
export const figures = [];

// @anywhere: it also holds for a real server (BASE_URL).
export function test(name, run, { anywhere = false } = {}) {
	tests.push({ name, run, anywhere });
}

export function that(condition, what) {
	if (!condition)
		throw new Error(what);
}

export function same(got, wanted, what) {
	that(got === wanted, `${what}: got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}`);
}

export function has(text, part, what = "text") {
	that(text.includes(part), `${what} has no "${part}": ${text.slice(0, 400)}`);
}

// @bound: "<= 50" or "". A bound that is missed fails the test that measured.
export function figure(id, value, unit, bound, how) {
	const [sign, limit] = bound.split(" ");
	const holds = bound === "" ? null : sign === "<=" ? value <= Number(limit) : value >= Number(limit);
	figures.push({ id, value, unit, bound, holds, how });
	that(holds !== false, `${id} is ${value} ${unit}, bound ${bound}`);
}

export async function runAll(context) {
	let passed = 0, failed = 0;
	const wanted = process.env.ONLY;
	for (const { name, run, anywhere } of tests) {
		if ((context.base && !anywhere) || (wanted && !name.includes(wanted)))
			continue;
		const began = Date.now();
		try {
			await run(context);
			passed++;
			console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
		} catch (error) {
			failed++;
			console.log(`FAILED  ${name}: ${error.message.split("\n").slice(0, 6).join(" | ")}`);
		}
	}
	for (const each of figures)
		console.log(`${each.id.padEnd(36)} ${String(each.value).padStart(10)} ${each.unit.padEnd(6)} ${each.bound.padEnd(8)} ${each.holds === null ? "" : each.holds ? "holds" : "MISSED"}`);
	console.log(`${passed} passed, ${failed} failed`);
	return failed;
}

// @isMore: beside those that are in @file already.
export function writeFigures(file, commit, isMore = false) {
	fs.mkdirSync(path.dirname(file), { recursive: true });
	const before = isMore && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")).figures : [];
	const kept = before.filter((each) => !figures.some((other) => other.id === each.id));
	fs.writeFileSync(file, `${JSON.stringify({ bench: "page", commit, figures: [...kept, ...figures] }, null, 1)}\n`);
}
