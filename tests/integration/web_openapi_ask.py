# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Calls every operation of an OpenAPI document with what it asks for, with what it does not, and with what nobody should send; the replies go to
# a file, one JSON object a line, for web_openapi.py.
# usage: web_openapi_ask.py DOCUMENT ADDRESS REPLIES [TOKEN-FILE SESSION-ID POLICY-FILE]
#        ADDRESS is HOST:PORT, or the path of a UNIX socket
import json
import re
import socket
import sys
import time
import urllib.parse

from web_openapi_document import Document

document = Document(sys.argv[1])
resolve = document.resolve
address, replies = sys.argv[2], open(sys.argv[3], "a")
token = open(sys.argv[4]).read().strip() if len(sys.argv) > 4 else None
session_id = sys.argv[5] if len(sys.argv) > 5 else "nobody;1;2"
policy_text = open(sys.argv[6]).read() if len(sys.argv) > 6 else "mode: enforce\n"
JSON = {"Content-Type": "application/json"}
HOSTILE = ["%00", "%ff%fe", "'%20OR%201=1--", "../../../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%", "%zz", "A" * 3000, "%0d%0aX:%20y", "{}",
           "-1", "99999999999999999999999", "%f0%9f%98%80", "*", ";", "null", "%3Cscript%3E", "1e9", "%u0041", "0x10", "$(id)"]
BODIES = [b"", b"{", b"[]", b"null", b'"x"', b"{}", b"\x00", b"\xff\xfe\xfd", b'{"text": 1, "reason": 2, "version": "x", "kind": [], "token": {}}',
          b'{"reason": ""}', json.dumps({"reason": "x" * 4000}).encode(), b'{"reason": "a\\u0000b", "text": "a\\u0000b"}', b"[" * 3000,
          b'{"a":' * 3000, b'{"version": 99999999999999999999, "reason": "x"}', b'{"version": -1, "reason": "x"}', b'{"version": 1e308, "reason": "x"}',
          b'{"kind": "session_id", "text": ""}', b'{"kind": "other", "text": "x"}', b'{"reason": "x", "reason": "y"}',
          b'{"text": "a: &a [*a]", "reason": "x"}', b'{"text": "? ", "reason": "x"}', b'{"since": "never", "until": "-1"}', b"x" * 70000]


def connect():
    if address.startswith("/"):
        link = socket.socket(socket.AF_UNIX)
        link.settimeout(20)
        link.connect(address)
        return link
    host, port = address.rsplit(":", 1)
    return socket.create_connection((host, int(port)), 20)


def octets_of(link, most):
    whole = b""
    try:
        while len(whole) < most and (got := link.recv(65536)):
            whole += got
    except (TimeoutError, ConnectionResetError):
        pass
    return whole


def joined(body):
    out = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        count = int(size.split(b";")[0] or b"0", 16)
        if count == 0:
            break
        out, body = out + body[:count], body[count + 2:]
    return out


def ask(method, target, headers=None, body=None, with_token=True, most=1 << 26):
    """Status, headers, octets; the reply is kept."""
    lines = {"Host": "localhost" if address.startswith("/") else address, "Connection": "close"}
    if token and with_token:
        lines["Authorization"] = f"Bearer {token}"
    if body is not None:
        lines["Content-Length"] = len(body)
    lines.update(headers or {})
    head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in lines.items()) + "\r\n"
    with connect() as link:
        try:
            link.sendall(head.encode("latin-1") + (body or b""))
        except (BrokenPipeError, ConnectionResetError):
            pass
        whole = octets_of(link, most)
    head, _, rest = whole.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1\.1 (\d+)", head)
    if not found:
        keep(method, target, 0, "", b"")
        return 0, {}, b""
    got = {key.strip().lower(): value.strip() for key, _, value in (line.partition(":") for line in head.decode("latin-1").split("\r\n")[1:])}
    rest = joined(rest) if "chunked" in got.get("transfer-encoding", "") and most > 65536 else rest
    keep(method, target, int(found[1]), got.get("content-type", ""), rest)
    return int(found[1]), got, rest


def keep(method, target, status, media, octets):
    line = {"method": method, "target": target, "status": status, "type": media}
    try:
        line["body"] = json.loads(octets)
    except ValueError:
        line["body"], line["text"] = None, octets[:1 << 24].decode("utf-8", "replace")
    replies.write(json.dumps(line) + "\n")


def json_of(target):
    status, _, octets = ask("GET", target)
    return json.loads(octets) if status == 200 else {}


def first(target, *path):
    at = json_of(target)
    for step in path:
        at = at[step] if isinstance(at, list) and len(at) > step else at.get(step) if isinstance(at, dict) else None
    return str(at) if at is not None else "1"


def known():
    """A value of each parameter of a path that there is."""
    asset = re.search(rb"assets/([0-9a-f]+)/([^\"]+)\"", ask("GET", "/")[2])
    pool = first("/api/v1/pools", "pools", 0, "pool")
    return {"hash": asset[1].decode() if asset else "x", "name": asset[2].decode() if asset else "x", "type": "not-found", "pool": pool,
            "node": first(f"/api/v1/pools/{pool}", "nodes", 0, "node"), "job": "1", "id": first("/api/v1/decisions", "decisions", 0, "id"),
            "session": first("/api/v1/sessions", "sessions", 0, "session"), "list": "checkpoints"}


def version_of(path):
    return first("/api/v1/ocs", "ocs", 0, "version") if "/ocs/" in path else first("/api/v1/policy/versions", "versions", -1, "version")


def good_bodies(path):
    reason = {"reason": "test"}
    return {"/api/v1/session": [{"token": token}], "/api/v1/policy": [{"text": policy_text, **reason}], "/api/v1/policy/check": [{"text": policy_text}],
            "/api/v1/policy/whatif": [{"text": policy_text}, {"text": policy_text, "since": "-10m"}],
            "/api/v1/policy/rollback": [{"version": 1, **reason}], "/api/v1/evidence/verify": [{}], "/api/v1/evidence/audit": [{}, {"since": "-10m"}],
            "/api/v1/sessions/find": [{"kind": "session_id", "text": session_id}, {"kind": "subscriber_text", "text": "001010000000001"}],
            }.get(path, [reason])


def is_open(path):
    return path == "/api/v1/session"


def headers_for(operation):
    names = [resolve(parameter)["name"] for parameter in operation.get("parameters", []) if resolve(parameter)["in"] == "header"]
    return {**JSON, **({"If-Match": ask("GET", "/api/v1/policy")[1].get("etag", "*")} if "If-Match" in names else {})}


def call_with_bodies(method, target, path, operation):
    with_token = not is_open(path)
    for body in good_bodies(path):
        status, got, _ = ask(method, target, headers_for(operation), json.dumps(body).encode(), with_token)
        if status == 202:
            wait_for(got.get("location"))
    for body in BODIES:
        ask(method, target, headers_for(operation), body, with_token)
    ask(method, target, {**headers_for(operation), "Content-Type": "text/plain"}, b"{}")
    ask(method, target, {**JSON, "If-Match": '"0-none"'}, json.dumps(good_bodies(path)[0]).encode())
    ask(method, target, JSON, json.dumps(good_bodies(path)[0]).encode())


def rows_of(node, requests):
    return f"time,node,application,requests\n1796000000,{node},gx,{requests}\n1796000001,{node},gx,1\n".encode()


TABLES = [b"", b"\x00", b"\xff\xfe", b"[]", b"{", b"[[[", b'{"samples": []}', b'{"schema": 1}', b'[{"time": 1}]', b"[7, null]", b"time\n", b"time,node,app,requests\n" +
          b"x,,,\n" * 100, b"time,node,app,requests\n1796000000,\xff,gx,1\n", rows_of("hostile", "9" * 400), b"a," * 300, b'"', b'time,"\n', b"x" * 5000000]


def call_with_tables(method, target, operation):
    """Rows as CSV and as JSON: taken in, known already, in contradiction, checked only; wrong; hostile; and each parameter."""
    csv, good = {"Content-Type": "text/csv"}, "?source=test.csv&reason=test"
    for query, rows in (("?source=test.csv&check=true", rows_of("s1", 5)), (good, rows_of("s1", 5)), (good, rows_of("s1", 5)), (good, rows_of("s1", 6))):
        ask(method, target + query, csv, rows)
    for body in TABLES:
        ask(method, target + good, csv, body)
        ask(method, target + good, JSON, body)
    ask(method, target + good, {"Content-Type": "text/plain"}, rows_of("s2", 1))
    ask(method, target + good, csv, rows_of("s2", 1), with_token=False)
    for parameter in map(resolve, operation["parameters"]):
        for value in values_of(resolve(parameter["schema"])) + HOSTILE + [""]:
            ask(method, f"{target}?check=true&source=x&{parameter['name']}={value}", csv, rows_of("s3", 1))
            ask(method, f"{target}?{parameter['name']}={value}", csv, rows_of("s3", 1))


def wait_for(job):
    for _ in range(300):
        state = json_of(job).get("state")
        if state not in ("waits", "runs", "waiting", "running"):
            break
        time.sleep(0.1)
    ask("GET", f"{job}/page")
    ask("GET", f"{job}/policy")


def values_of(schema):
    if "enum" in schema:
        return [str(value) for value in schema["enum"]]
    if schema.get("type") == "integer":
        return [str(schema.get("minimum", 0)), str(schema.get("maximum", 9)), "2"]
    return ["-10m", "x", "1"] if schema.get("type") == "string" else ["true", "1"]


def call_with_queries(method, target, operation):
    for parameter in map(resolve, operation.get("parameters", [])):
        if parameter["in"] != "query":
            continue
        name, schema = parameter["name"], resolve(parameter.get("schema", {}))
        for value in values_of(schema) + HOSTILE + [""]:
            ask(method, f"{target}?{name}={value}")
        ask(method, f"{target}?{name}=1&{name}=2")
    for query in ("?nobody=1", "?", "?=", "?" + "a=1&" * 100, "?%00=1"):
        ask(method, target + query)


def call_with_paths(method, path, operation):
    names = re.findall(r"\{(.*?)\}", path)
    for parameter in map(resolve, operation.get("parameters", [])):
        for value in parameter["schema"].get("enum", []) if parameter["in"] == "path" else []:
            ask(method, path.replace(f"{{{parameter['name']}}}", value))
    for name in names:
        for value in HOSTILE:
            parts = {other: urllib.parse.quote(values.get(other, "1"), safe="") for other in names}
            parts[name] = value
            target = re.sub(r"\{(.*?)\}", lambda at: parts[at[1]], path)
            ask(method, target, JSON if "requestBody" in operation else None, b'{"reason": "test"}' if "requestBody" in operation else None)


def call(path, method, operation):
    values["version"] = version_of(path)
    target = re.sub(r"\{(.*?)\}", lambda at: urllib.parse.quote(values.get(at[1], "1"), safe=""), path)
    method = method.upper()
    if path == "/api/v1/events":
        ask(method, target, most=200)
        return
    if "text/csv" in resolve(operation.get("requestBody", {})).get("content", {}):
        call_with_tables(method, target, operation)
    elif "requestBody" in operation:
        call_with_bodies(method, target, path, operation)
    else:
        ask(method, target)
        ask(method, target, {"Accept": "application/yaml, text/csv, application/x-ndjson"})
        ask(method, target, {"Accept": "nonsense;;q=x", "If-None-Match": '"' + "x" * 2000, "Range": "bytes=5-1"})
        ask(method, target, None, b"a body nobody asked for")
        call_with_queries(method, target, operation)
    call_with_paths(method, path, operation)
    ask(method, target, with_token=False)
    ask("PATCH", target)


def order(item):
    """What ends something comes last."""
    return item[1] == "delete", item[0]


values = known()
for path, method, operation in sorted(((path, method, operation) for path, methods in document["paths"].items() for method, operation in methods.items()),
                                      key=order):
    call(path, method, operation)
