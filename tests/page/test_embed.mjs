// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// The table of octets is the files, under names that change with them; all of it together is small.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { figure, has, same, test, that } from "./check.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const assets = path.join(here, "../../web/assets");
const dygraphs = "/usr/share/javascript/dygraphs/dygraph.min.js";

function embed(folder, out) {
	execFileSync("cmake", [`-DDIR=${folder}`, `-DDYGRAPHS=${dygraphs}`, `-DOUT=${out}`, "-P", path.join(assets, "embed.cmake")], { stdio: "pipe" });
	return fs.readFileSync(out, "utf8");
}

// [{ path, octets }] out of the C text.
function tableOf(text) {
	const arrays = [...text.matchAll(/asset_(\d+)\[\] = \{\n([^}]*)\};/g)].map((found) => Buffer.from(found[2].replace(/0x|,|\s/g, ""), "hex"));
	return [...text.matchAll(/\{ "([^"]+)", "([^"]+)", "\\"(\w+)\\"", asset_(\d+), (\d+), (true|false) \}/g)].map((found) => ({ path: found[1], mime: found[2], etag: found[3], octets: arrays[Number(found[4])], len: Number(found[5]), isImmutable: found[6] === "true" }));
}

test("the embedded table holds the files octet by octet, compiles, and its names change with them", () => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "page-"));
	try {
		const text = embed(assets, path.join(folder, "oweb_assets.c"));
		execFileSync("cc", ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", `-I${assets}`, "-c", path.join(folder, "oweb_assets.c"), "-o", path.join(folder, "a.o")], { stdio: "pipe" });
		const table = tableOf(text);
		const files = fs.readdirSync(assets).filter((name) => /\.(js|css)$/.test(name));
		same(table.length, files.length + 2, "entries");
		for (const each of table) {
			const name = path.basename(each.path);
			const file = each.path === "/" ? null : fs.readFileSync(name === "dygraph.min.js" ? dygraphs : path.join(assets, name));
			const wanted = file || Buffer.from(fs.readFileSync(path.join(assets, "index.html"), "utf8").replaceAll("@ASSETS@", path.dirname(table[0].path)));
			that(each.octets.equals(wanted), `${each.path} differs from its file`);
			same(each.len, wanted.length, `length of ${each.path}`);
			same(each.isImmutable, each.path !== "/", `immutable ${each.path}`);
		}
		fs.cpSync(assets, path.join(folder, "assets"), { recursive: true });
		fs.appendFileSync(path.join(folder, "assets/doic.css"), "/* */\n");
		const other = tableOf(embed(path.join(folder, "assets"), path.join(folder, "other.c")));
		that(other[0].path !== table[0].path, "the folder's name did not change");
		has(other.find((each) => each.path === "/").octets.toString(), path.dirname(other[0].path), "page");
		const packed = table.reduce((sum, each) => sum + zlib.gzipSync(each.octets, { level: 6 }).length, 0);
		figure("page.size_kb_gzip", Math.round(packed / 100) / 10, "kB", "<= 200", "all assets with dygraphs, each packed by itself");
	} finally {
		fs.rmSync(folder, { recursive: true });
	}
});

test("no asset makes elements out of text, and none has styles or handlers in its markup", () => {
	for (const name of fs.readdirSync(assets).filter((each) => /\.(js|html)$/.test(each))) {
		const text = fs.readFileSync(path.join(assets, name), "utf8");
		that(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/.test(text), `${name} makes elements or code out of text`);
		that(!/<[^>]+ (style|on\w+)=/.test(text) && !/<style|<script>/.test(text), `${name} has styles or handlers inside`);
		that(!/https?:\/\/(?!127)/.test(text.replace(/\/\/ .*$/gm, "")), `${name} names another host`);
	}
});
