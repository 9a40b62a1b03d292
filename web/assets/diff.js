// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the doic-agent authors
// What differs between two texts, by lines: the longest common subsequence of what is between their common ends.

const CELLS_MAX = 4000000; // beyond that, the middle is told as replaced whole

// [{ kind: " " | "-" | "+", text, left, right }], line numbers from 1.
export function diff(left, right) {
	const a = left.split("\n"), b = right.split("\n");
	let head = 0, tail = 0;
	while (head < a.length && head < b.length && a[head] === b[head])
		head++;
	while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
		tail++;
	const out = [];
	for (let i = 0; i < head; i++)
		out.push({ kind: " ", text: a[i], left: i + 1, right: i + 1 });
	middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), head, out);
	for (let i = tail; i > 0; i--)
		out.push({ kind: " ", text: a[a.length - i], left: a.length - i + 1, right: b.length - i + 1 });
	return out;
}

function middle(a, b, offset, out) {
	const width = b.length + 1;
	const isHuge = (a.length + 1) * width > CELLS_MAX;
	const length = isHuge ? null : new Uint32Array((a.length + 1) * width);
	for (let i = a.length - 1; i >= 0 && !isHuge; i--)
		for (let j = b.length - 1; j >= 0; j--)
			length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1 : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
	let i = 0, j = 0;
	while (i < a.length || j < b.length) {
		if (!isHuge && i < a.length && j < b.length && a[i] === b[j]) {
			out.push({ kind: " ", text: a[i], left: offset + i + 1, right: offset + j + 1 });
			i++;
			j++;
		} else if (i < a.length && (j >= b.length || isHuge || length[(i + 1) * width + j] >= length[i * width + j + 1])) {
			out.push({ kind: "-", text: a[i], left: offset + i + 1 });
			i++;
		} else {
			out.push({ kind: "+", text: b[j], right: offset + j + 1 });
			j++;
		}
	}
}

// Only what changed, with @around lines about it; null where lines are left out.
export function excerpt(lines, around = 3) {
	const keep = new Set();
	lines.forEach((line, i) => {
		if (line.kind !== " ")
			for (let k = Math.max(0, i - around); k <= Math.min(lines.length - 1, i + around); k++)
				keep.add(k);
	});
	const out = [];
	lines.forEach((line, i) => {
		if (keep.has(i))
			out.push(line);
		else if (out.length === 0 || out[out.length - 1] !== null)
			out.push(null);
	});
	return out;
}
