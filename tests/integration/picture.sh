#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Draws docs/demo.svg from the evidence of a demonstration: requests by fate, the share asked for and taken, the verdict.
#
#   ./run demo && tests/integration/picture.sh build/demo >docs/demo.svg
set -euo pipefail
folder=${1:?usage: picture.sh DEMO_FOLDER >FILE.svg}
doic=${DOIC:-build/release/bin/doic}
db=$(ls "$folder"/evidence/seg-*.db)

# Rows for awk: "fate HALF_SECOND FORWARDED DIVERTED REFUSED", "share SECOND SELECTED_%", "report FROM END BACK TEXT".
rows() {
	sqlite3 -readonly -cmd ".read tests/integration/flat.sql" -separator $'\t' "$db" "
		create temp table t0 as select min(mono_ns) ns, max(mono_ns) last from decision;
		create temp view d as select *, (mono_ns - (select ns from t0)) / 500000000 slot from decision
			where mono_ns < (select last - (last - ns) % 500000000 from t0);
		select 'fate', slot, sum(verdict = 0), sum(verdict = 1), sum(verdict = 2) from d group by slot;
		select 'share', slot / 2 second, 100.0 * sum(selected_by <> 0) / count(*)
			from d where realm_nth is not null or host_nth is not null group by second;
		select 'share', slot / 2 second, 100.0 * sum(why = 5) / count(*)
			from d where client = (select id from name where text = 'c5.visited.example') group by second having sum(why = 5) > 0;
		select 'report', (o.from_ns - ns) / 1e9, (min(o.expires_ns, c.mono_ns) - ns) / 1e9,
			coalesce((select (max(mono_ns) - ns) / 1e9 from ocs_change r where r.version = o.version and how = 'recovered'), 0),
			case o.type when 'realm' then printf('s1 asks for %d %% less to its realm', reduction_pct)
				else printf('s1 asks for %d %% less to itself', reduction_pct) end
			from ocs_version o, t0 join ocs_change c on c.rowid = (select min(rowid) from ocs_change where version = o.version);
		select 'report', (min(mono_ns) - ns) / 1e9, (min(mono_ns) filter (where step in ('changed', 'ended')) - ns) / 1e9,
			(max(mono_ns) filter (where step = 'ended') - ns) / 1e9, printf('dra asks for %d %% less', max(reduction_pct))
			from own_report, t0 having count(*) > 0;"
	"$doic" audit --json "$folder/evidence" | jq -r '
		.claims[] | "claim\t\(.outcome | ascii_upcase) up to \"\(.reached)\"\t\(.node) asked for \(.versions[0].reduction_pct) % less (\(.report_type) report)",
		((.steps[], .recovery) | "step\t\(.step)\t\(.receipt)\t\(.value)\t\(.status)")'
}

rows | awk -F '\t' '
	function x(s) { return left + s * wide / seconds }
	function text(px, py, class, words) {
		gsub(/&/, "\\&amp;", words); gsub(/</, "\\&lt;", words)
		printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", px, py, class, words
	}
	function box(class, x1, y1, x2, y2) {
		printf "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", class, x1, y1, x2 - x1, y2 - y1
	}
	function bars(class, low, high,    s) {
		printf "<path class=\"%s\" d=\"", class
		for (s = 0; s < slots; s++)
			if (high[s] > low[s]) printf "M%.1f %.1fV%.1fH%.1fV%.1fz", x(s / 2) + 0.6, y(low[s]), y(high[s]), x(s / 2 + 0.5) - 0.6, y(low[s])
		print "\"/>"
	}
	function y(n) { return base - n * tall / 1500 }
	function key(px, class, words) { box(class, px, 47, px + 11, 58); text(px + 16, 57, "note", words) }
	$1 == "fate" { slots = $2 + 1; zero[$2] = 0; f[$2] = 2 * $3; d[$2] = f[$2] + 2 * $4; r[$2] = d[$2] + 2 * $5 }
	$1 == "share" { taken[$2] = $3 }
	$1 == "report" { n++; from[n] = $2; end[n] = $3; back[n] = $4; words[n] = $5 }
	$1 == "claim" { lines++; kind[lines] = "claim"; a[lines] = $2; b[lines] = $3 }
	$1 == "step" { lines++; kind[lines] = $5; a[lines] = $2; b[lines] = $3; c[lines] = $4 }
	END {
		left = 60; wide = 815; seconds = int((slots + 1) / 2); base = 285; tall = 190
		floor = 385; high = 70; height = floor + 42 + 17 * lines + 16
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 %d\" width=\"900\" height=\"%d\" role=\"img\">\n", height, height
		print "<title>A relay obeys a host report and a realm report, then reports itself; the audit proves it</title>"
		print "<style>text{font:12px sans-serif;fill:#24292f}.title{font-size:16px;font-weight:bold}.note{fill:#57606a}.mid{text-anchor:middle}" \
			".num{text-anchor:end;fill:#57606a}.mono,.ok,.miss,.holds{font:12px monospace;white-space:pre}.ok,.miss{text-anchor:end}.ok{fill:#1a7f37}.miss{fill:#57606a}" \
			".holds{fill:#1a7f37;font-weight:bold}.card{fill:#fff;stroke:#d0d7de}.held{fill:#fff1c2}.back{fill:#eef3f8}" \
			".forwarded{fill:#7ba3cc}.diverted{fill:#e0a100}.refused{fill:#cf222e}.grid{stroke:#d0d7de;fill:none}" \
			".asked{stroke:#24292f;fill:none;stroke-width:1.5}</style>"
		printf "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"899\" height=\"%d\" rx=\"6\"/>\n", height - 1
		text(20, 30, "title", "./run demo: what the relay did with each request, and what the audit says about it")
		key(60, "forwarded", "forwarded"); key(155, "diverted", "diverted to s2"); key(280, "refused", "refused")
		key(365, "held", "report held"); key(470, "back", "returning to full traffic")
		for (i = 1; i <= n; i++) {
			box("held", x(from[i]), 72, x(end[i]), floor)
			if (back[i] > 0) box("back", x(end[i]), 72, x(back[i]), floor)
			text((x(from[i]) + x(end[i])) / 2, 86, "mid", words[i])
		}
		for (v = 0; v <= 1200; v += 400) {
			printf "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", left, y(v), left + wide
			text(left - 6, y(v) + 4, "num", v)
		}
		bars("forwarded", zero, f); bars("diverted", f, d); bars("refused", d, r)
		text(left + 4, 100, "note", "requests a second")
		for (v = 0; v <= 30; v += 15) {
			printf "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", left, floor - v * high / 30, left + wide
			text(left - 6, floor - v * high / 30 + 4, "num", v " %")
		}
		for (s = 0; s <= seconds; s += 5) text(x(s), floor + 17, "mid note", s " s")
		printf "<path class=\"refused\" d=\""
		for (s = 0; s < seconds; s++)
			if (s in taken) printf "M%.1f %.1fV%.1fH%.1fV%.1fz", x(s) + 3, floor, floor - taken[s] * high / 30, x(s + 1) - 3, floor
		print "\" opacity=\"0.55\"/>"
		for (i = 1; i <= n; i++) {
			p = words[i]; sub(/.* for /, "", p); p += 0
			printf "<path class=\"asked\" d=\"M%.1f %dV%.1fH%.1fL%.1f %d\"/>\n", x(from[i]), floor, floor - p * high / 30, x(end[i]), x(back[i] > 0 ? back[i] : end[i]), floor
		}
		text(left + 4, floor - high - 8, "note", "share of the matching requests: asked for (line), taken (bars)")
		py = floor + 46
		for (i = 1; i <= lines; i++) {
			if (kind[i] == "claim") { py += i > 1 ? 4 : 0; text(20, py, "holds", a[i]); text(220, py, "mono", b[i]) }
			else {
				text(36, py, "mono", a[i]); text(110, py, "mono", b[i]); text(572, py, "mono", c[i] == "-" ? "" : c[i])
				text(886, py, kind[i] == "ok" ? "ok" : "miss", kind[i] == "missing" ? "no receipt" : kind[i])
			}
			py += 17
		}
		print "</svg>"
	}'
