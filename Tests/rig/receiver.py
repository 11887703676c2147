#!/usr/bin/env python3
"""Receivers of notifications: an ntfy topic, a Gotify server and a webhook, as strict as their documentation.

    receiver.py [--port 0] [--secret whsec_…] [--token TOKEN] [--user USER:PASSWORD] [--no-attachments] [--for SECONDS]

    POST /topic…    ntfy (https://docs.ntfy.sh/publish/): the body is the message, or with a Filename the attachment
    POST /message   Gotify (https://gotify.net/docs/pushmsg): JSON, with the token in X-Gotify-Key
    POST /hook      a webhook (https://www.standardwebhooks.com): JSON, signed with --secret

Commands on standard input, one a line: `status N` answers with N and takes nothing, `ok` takes messages again. Prints `ready PORT`, then
one line of JSON for each request: kind, answered, title, message, and what else was found. A login that is wrong is answered with 401, a
message that is none with 400. Ends with its standard input, or after --for SECONDS.
"""

import argparse
import base64
import email.header
import hashlib
import hmac
import http.server
import json
import os
import sys
import threading
import time

MESSAGE_MAX = 4096


class Refusal(Exception):
    """An answer that takes nothing."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


def say(what):
    """One line of JSON in one write: requests are answered by several threads."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def decoded(text):
    """A header's text, with words of RFC 2047."""
    return str(email.header.make_header(email.header.decode_header(text)))


def picture(data):
    """What is told of a picture."""
    if not (data.startswith(b"\xff\xd8\xff") and data.endswith(b"\xff\xd9")):
        raise Refusal(400, "it is no JPEG")
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kind = {"/message": "gotify", "/hook": "webhook"}.get(self.path, "ntfy")
        line = {"kind": kind, "path": self.path}
        try:
            if self.server.status:
                raise Refusal(self.server.status, "told to")
            line |= getattr(self, kind)(body)
            status = 200
        except Refusal as refusal:
            status = refusal.status
            line["why"] = str(refusal)
        say(line | {"answered": status})
        answer = json.dumps({"id": "1"}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def authorize(self):
        options, given = self.server.options, self.headers.get("Authorization", "")
        wanted = []
        if options.token:
            wanted.append("Bearer " + options.token)
        if options.user:
            wanted.append("Basic " + base64.b64encode(options.user.encode()).decode())
        if wanted and given not in wanted:
            raise Refusal(401, "unauthorized")

    def ntfy(self, body):
        self.authorize()
        topic = self.path.strip("/")
        if not topic or "/" in topic:
            raise Refusal(404, "page not found")
        line = {"title": decoded(self.headers.get("Title", "")), "priority": int(self.headers.get("Priority", 3))}
        if not 1 <= line["priority"] <= 5:
            raise Refusal(400, "invalid priority parameter")
        if name := self.headers.get("Filename"):
            if self.server.options.no_attachments:
                raise Refusal(400, "attachments not allowed")
            line |= {"message": decoded(self.headers["Message"]), "filename": name, "picture": picture(body)}
        else:
            line["message"] = body.decode()
        if len(line["message"].encode()) > MESSAGE_MAX:
            raise Refusal(400, "message is too long")
        return line

    def gotify(self, body):
        if self.server.options.token and self.headers.get("X-Gotify-Key") != self.server.options.token:
            raise Refusal(401, "you need to provide a valid access token")
        if self.headers["Content-Type"] != "application/json":
            raise Refusal(400, "no JSON")
        message = json.loads(body)
        if not isinstance(message.get("message"), str) or not message["message"]:
            raise Refusal(400, "Field 'message' is required")
        if set(message) - {"title", "message", "priority", "extras"} or not isinstance(message.get("priority", 0), int):
            raise Refusal(400, "an unknown field")
        return message

    def webhook(self, body):
        name, sent = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        if abs(time.time() - int(sent)) > 300:
            raise Refusal(400, "too old")
        if self.server.options.secret:
            key = base64.b64decode(self.server.options.secret.removeprefix("whsec_"))
            mark = hmac.new(key, f"{name}.{sent}.".encode() + body, hashlib.sha256).digest()
            expected = "v1," + base64.b64encode(mark).decode()
            if not any(hmac.compare_digest(expected, one) for one in self.headers.get("webhook-signature", "").split(" ")):
                raise Refusal(401, "the signature does not fit")
        content = json.loads(body)
        line = {"id": name, "body": content}
        encoded = (content.get("data") or {}).get("picture") or content.get("image")
        if encoded:
            line["picture"] = picture(base64.b64decode(encoded, validate=True))
        return line

    def log_message(self, *_):
        pass


def commands(server):
    """Does what standard input says; ends with it."""
    for line in sys.stdin:
        words = line.split()
        server.status = int(words[1]) if words[:1] == ["status"] else 0
        say({"status": server.status})
    os._exit(0)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--secret")
    options.add_argument("--token")
    options.add_argument("--user")
    options.add_argument("--no-attachments", action="store_true")
    options.add_argument("--for", dest="seconds", type=float)
    options = options.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.daemon_threads = True
    server.options, server.status = options, 0
    print(f"ready {server.server_address[1]}", flush=True)
    if options.seconds is None:
        threading.Thread(target=commands, args=(server,), daemon=True).start()
    else:
        threading.Timer(options.seconds, lambda: os._exit(0)).start()
    server.serve_forever()


if __name__ == "__main__":
    main()
