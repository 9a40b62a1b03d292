// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// Orders of an administrator: out and in, check, try, apply and roll back, verify and audit, find with the key.
import { has, same, test, that } from "./check.mjs";
import { visit } from "./browser.mjs";
import { Mock } from "./mock.mjs";
import { change } from "./mock_api.mjs";

async function on(context, hash, run, options = {}) {
	const mock = await new Mock(options).start();
	const page = await visit(context.browser, mock.url, { hash });
	try {
		await page.waitForTimeout(1500);
		await run(page, mock);
		same(page.complaints.join("; "), "", "complaints");
	} finally {
		await page.context().close();
		await mock.stop();
	}
}

test("a node is taken out with a reason, and wanted differs from is", async (context) => {
	await on(context, "#/pools", async (page, mock) => {
		await page.getByRole("button", { name: "Take out: pcrf-3.example.net" }).click();
		await page.getByRole("button", { name: "Apply" }).click();
		same(mock.acts.length, 0, "orders without a reason");
		await page.getByLabel("Reason").fill("CHG-4400");
		await page.getByRole("button", { name: "Apply" }).click();
		await page.waitForFunction(() => document.querySelector(".result").textContent.includes("wanted out now"));
		same(JSON.stringify(mock.acts.map((each) => [each.path, each.body])), '[["/api/v1/pools/neighbours/nodes/pcrf-3.example.net:out",{"reason":"CHG-4400"}]]', "order");
		await page.waitForFunction(() => [...document.querySelectorAll("tr")].some((row) => row.textContent.includes("pcrf-3") && row.textContent.includes("out") && row.textContent.includes("up") && row.textContent.includes("Put in")));
	});
});

test("a wrong policy shows every error with line and column, and nothing can be applied", async (context) => {
	await on(context, "#/policy", async (page, mock) => {
		await page.getByLabel("Candidate document").fill(`modee: enforce\npools:\n  a:\n    weight: 300\n`);
		await page.getByRole("button", { name: "Check", exact: true }).click();
		await page.waitForSelector(".errors li");
		const errors = await page.locator(".errors li").allInnerTexts();
		same(errors.length, 2, "errors");
		has(errors[0], "1:1", "first error");
		has(errors[1], "4:13", "second error");
		has(errors[1], "allowed 1 to 100", "second error");
		same(await page.getByRole("button", { name: "Apply", exact: true }).getAttribute("aria-disabled"), "true", "Apply");
		await page.getByRole("button", { name: /Go to line 4/ }).click();
		same(await page.evaluate(() => document.activeElement.id), "candidate", "focus");
		same(mock.policy.version, 17, "version in force");
	});
});

test("where nothing can be checked without applying, Apply is the check, and its errors have line and column", async (context) => {
	await on(context, "#/policy", async (page, mock) => {
		mock.problems.set("/api/v1/policy/check", 501);
		await page.getByLabel("Candidate document").fill("modee: enforce\n");
		await page.getByRole("button", { name: "Check", exact: true }).click();
		await page.waitForFunction(() => document.querySelector(".policy .result").textContent.includes("cannot check without applying"));
		await page.getByRole("button", { name: "Apply", exact: true }).click();
		await page.getByLabel("Reason").fill("x");
		await page.getByRole("button", { name: "Put in force" }).click();
		await page.waitForSelector("dialog .problem:visible");
		await page.keyboard.press("Escape");
		has(await page.locator(".errors").innerText(), "1:1", "errors");
		same(mock.policy.version, 17, "version in force");
	});
});

test("a policy is checked, tried, compared, applied, and rolled back", async (context) => {
	await on(context, "#/policy", async (page, mock) => {
		const text = mock.policy.text.replace("ramp_ms: 30000", "ramp_ms: 20000");
		await page.getByLabel("Candidate document").fill(text);
		has(await page.locator(".diff").innerText(), "ramp_ms: 20000", "diff");
		same(await page.locator(".diff .gone").count(), 1, "lines that go");
		await page.getByRole("button", { name: "Try on the last hour" }).click();
		await page.waitForFunction(() => document.querySelector(".whatif").textContent.includes("would be others"), null, { timeout: 8000 });
		has(await page.locator(".whatif").innerText(), "188,400", "refused after");
		has(await page.locator(".whatif").innerText(), "Not modelled: clients' reaction", "what is not modelled");
		await page.getByRole("button", { name: "Check", exact: true }).click();
		await page.waitForFunction(() => document.querySelector(".result").textContent.includes("No errors"));
		await page.getByRole("button", { name: "Apply", exact: true }).click();
		await page.getByLabel("Reason").fill("faster ramp");
		await page.getByRole("button", { name: "Put in force" }).click();
		await page.waitForFunction(() => document.querySelector("#screen").textContent.includes("v18 is in force"));
		same(mock.policy.text, text, "text in force");
		await page.getByRole("button", { name: "Roll back to version 16" }).click();
		await page.getByLabel("Reason").fill("back");
		await page.getByRole("button", { name: "Put in force" }).click();
		await page.waitForFunction(() => document.querySelector("#screen").textContent.includes("v19 is in force"));
		has(mock.policy.text, "ramp_ms: 10000", "text in force");
		await page.locator("tr", { hasText: "v19" }).filter({ hasText: "back" }).waitFor({ timeout: 5000 }); // although the button, which has the focus again, stands in the table
	});
});

test("a policy that somebody else changed is told, and the text being edited stays", async (context) => {
	await on(context, "#/policy", async (page, mock) => {
		const mine = mock.policy.text.replace("ramp_ms: 30000", "ramp_ms: 1000");
		await page.getByLabel("Candidate document").fill(mine);
		await page.getByRole("button", { name: "Check", exact: true }).click();
		await page.waitForFunction(() => document.querySelector(".result").textContent.includes("No errors"));
		change(mock, mock.policy.text.replace("ramp_ms: 30000", "ramp_ms: 5000"), "ops2", "mine first");
		await page.getByRole("button", { name: "Apply", exact: true }).click();
		await page.getByLabel("Reason").fill("x");
		await page.getByRole("button", { name: "Put in force" }).click();
		await page.waitForSelector("dialog .problem:visible");
		has(await page.locator("dialog .problem").innerText(), "changed by somebody else", "412");
		await page.keyboard.press("Escape");
		await page.waitForSelector(".bar.warn:visible", { timeout: 7000 });
		has(await page.locator(".policy .bar.warn").innerText(), "changed to v18, by ops2", "bar");
		same(await page.getByLabel("Candidate document").inputValue(), mine, "text");
	});
});

test("verify and audit run as jobs that show progress, verdict, exit code and the same command", async (context) => {
	await on(context, "#/evidence", async (page, mock) => {
		has(await page.locator(".timeline").getAttribute("aria-label"), "412 events lost", "timeline");
		has(await page.locator(".timeline").getAttribute("aria-label"), "part 2 of this life is not here", "a missing part");
		const sizes = await page.locator(".timeline .piece.gap").evaluateAll((all) => all.map((each) => Math.round(parseFloat(each.style.getPropertyValue("--size")) * 10) / 10));
		same(sizes.join(), "10,0.4", "a gap is drawn from since to time, one of no known length as a mark");
		await page.getByLabel("Audit from (UTC)").fill("2026-11-29T13:59:15Z");
		has(await page.locator(".commands").innerText(), "doic audit --since 2026-11-29T13:59:15Z /var/lib/doic/evidence", "command");
		await page.getByRole("button", { name: "Verify", exact: true }).click();
		await page.getByRole("button", { name: "Audit the window" }).click();
		await page.waitForSelector("progress");
		await page.waitForFunction(() => document.querySelector("#screen").textContent.includes("intact: 31,002,114 rows"), null, { timeout: 8000 });
		same(mock.acts.map((each) => each.path.split("/").pop()).join(), "verify,audit", "orders");
		same(mock.acts[1].body.since, "2026-11-29T13:59:15Z", "since");
	});
});

test("a session is found by its text through the key, as a ladder, with why and proof", async (context) => {
	await on(context, "#/find", async (page, mock) => {
		await page.getByLabel("Text").fill("pgw;1;2;3");
		await page.getByRole("button", { name: "Find" }).click();
		await page.waitForSelector(".ladder li");
		that(!page.url().includes("pgw;1"), "the text is in the address");
		has(page.url(), "session=90071992", "address");
		same(mock.acts[0].body.kind, "session_id", "kind");
		has(await page.locator(".ladder").innerText(), "ends here", "ladder");
		await page.locator(".ladder li a").first().click();
		await page.waitForSelector("#decisiontitle:focus");
		await page.getByText("Leaf 88,120").waitFor();
		const text = await page.locator("#screen").innerText();
		for (const part of ["host: state #41 of pcrf-2.example.net, which asks for 30 % less, share 30.0 %", "pcrf-1.example.net, pcrf-2.example.net", "report 8812 from pcrf-2.example.net", "Leaf 88,120 of 90,000", "doic check-proof", "doic prove", "--decision 88120 --run 9f3c"])
			has(text, part, "decision");
	});
});

test("a table is sorted by its head and saved as CSV with plain numbers", async (context) => {
	await on(context, "#/pools", async (page) => {
		await page.getByRole("button", { name: "Sent/s" }).first().click();
		const first = page.locator("table.rows tbody tr").first();
		has(await first.innerText(), "pcrf-", "most sent");
		const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save Nodes as CSV" }).click()]);
		const text = await (await import("node:fs/promises")).readFile(await download.path(), "utf8");
		has(text.split("\r\n")[0], "Node,Wanted,Is,Sent/s", "head");
		that(/pcrf-1\.example\.net,in,up,\d+,\d+,12,0\.21,48112/.test(text), `no plain row in ${text}`);
	});
});

test("a segment is called intact only by a verification that began after it was sealed, and has the root of its last checkpoint", async (context) => {
	await on(context, "#/evidence", async (page) => {
		await page.waitForFunction(() => document.querySelector("#screen").innerText.includes("9f3c0b77aa"), null, { timeout: 5000 });
		const cells = (name) => page.locator("tr", { hasText: name }).first().innerText();
		has(await cells("20261128T14.db"), "not here", "before");
		has(await cells("20261128T14.db"), "180,000", "rows");
		await page.getByRole("button", { name: "Verify", exact: true }).click();
		await page.waitForFunction(() => /intact \d\d:/.test(document.querySelector("#screen").innerText), null, { timeout: 10000 });
		has(await cells("20261128T14.db"), "intact", "after");
		has(await cells("20261129T14.db"), "not here", "the open tail");
	});
});
