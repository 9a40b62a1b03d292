# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Holds replies (one JSON object a line: method, target, status, type, body) against an OpenAPI 3.1 document.
# usage: web_openapi.py DOCUMENT REPLIES
import collections
import json
import re
import sys

import jsonschema
from web_openapi_document import Document

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_metrics
except ImportError:
    parse_metrics = None
    print("skip OpenMetrics: python3-prometheus-client is not here")

# Any path may be refused so, before its resource is reached.
ALWAYS = {"400", "401", "403", "404", "405", "413", "414", "415", "421", "428", "429", "501"}

document = Document(sys.argv[1])
resolve = document.resolve


def close(node):
    """An object whose members are described has no others: what the document forgets is a mistake here."""
    for at in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
        close(at)
    if isinstance(node, dict) and isinstance(node.get("properties"), dict) and "properties" not in node["properties"]:
        node.setdefault("additionalProperties", False)


close(document.whole["components"])
close(document.whole["paths"])


def patterns():
    """Each path as a regular expression; a part that is a whole segment has no colon in it."""
    for path, methods in sorted(document["paths"].items(), key=lambda item: item[0].count("{")):  # "/sessions/find" is no {session}
        parts = [re.sub(r"\\\{.*?\\\}", "[^/]+" if ":" in part else "[^/:]+", re.escape(part)) for part in path.split("/")]
        yield re.compile("^" + "/".join(parts) + "$"), path, methods


def check(schema, body):
    whole = dict(schema)
    whole["components"] = document["components"]
    jsonschema.Draft202012Validator(whole).validate(body)


def complaint(reply):
    """What is wrong with the reply; None nothing. The second value: which operation it was, if it is described."""
    path = reply["target"].split("?")[0]
    found = [(name, methods) for pattern, name, methods in patterns() if pattern.match(path)]
    method = {"head": "get"}.get(reply["method"].lower(), reply["method"].lower())
    status = str(reply["status"])
    operation = found[0][1].get(method) if found else None
    name = f"{method} {found[0][0]} {status}" if operation else None
    problem = document["components"]["schemas"]["problem"]
    if status == "304" or (method == "options" and status == "204"):
        return None, name
    described = resolve(operation["responses"][status]) if operation and status in operation["responses"] else None
    if status == "0":
        return "no reply", name
    if described is None and status not in ALWAYS:
        return "a status that is not described", name
    content = (described or {}).get("content") or {"application/problem+json": {"schema": problem}}
    media = reply["type"].split(";")[0]
    if described is not None and not described.get("content"):
        return (None if media == "" else "content where none is described"), name
    if media not in content and "*/*" not in content:
        return f"media type {media} is not described", name
    if media == "application/openmetrics-text" and reply["method"] != "HEAD" and parse_metrics:
        try:
            list(parse_metrics(reply["text"]))
        except ValueError as error:
            return f"no OpenMetrics: {error}", name
    if media == "application/x-ndjson" and reply["method"] != "HEAD":
        rows = reply["text"].splitlines() if reply.get("text") else [json.dumps(reply["body"])]
        if not all(row.startswith("{") for row in rows) or not json.loads(rows[-1]).get("end"):
            return "no whole NDJSON", name
    elif media.endswith("json") and reply["method"] != "HEAD":
        try:
            check(content[media]["schema"], reply["body"])
        except jsonschema.ValidationError as error:
            return f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}", name
    return None, name


seen, wrong = collections.Counter(), []
for line in open(sys.argv[2]):
    reply = json.loads(line) if line.strip() else None
    if reply is None:
        continue
    why, operation = complaint(reply)
    seen[operation] += 1
    if why:
        wrong.append(f"{reply['method']} {reply['target'][:80]} {reply['status']}: {why}")
names = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
wrong += [f"operationId {name} stands twice" for name in set(names) if names.count(name) > 1]
for text in sorted(set(wrong))[:20]:
    print("not ok", text)
whole = {f"{m} {p}" for p, methods in document["paths"].items() for m in methods}
met = {" ".join(name.split(" ")[:2]) for name in seen if name and name.split(" ")[2][0] == "2"}
unmet = whole - met
if unmet:
    print("not ok no good reply of", ", ".join(sorted(unmet)))
else:
    print(f"ok every one of {len(whole)} operations gave a good reply")
by_class = collections.Counter()
for name, count in seen.items():
    by_class[name.split(" ")[2][0] + "xx" if name else "of no operation"] += count
if not wrong:
    print(f"ok {sum(seen.values())} replies are as described:", ", ".join(f"{count} {name}" for name, count in sorted(by_class.items())))
print(f"{int(not wrong) + int(not unmet)} passed, {int(bool(wrong)) + int(bool(unmet))} failed")
sys.exit(bool(wrong or unmet))
