#!/usr/bin/python3
"""Serves a folder over HTTP on the loopback, with ranges of bytes as an object store has them.

    range_server.py FOLDER

Prints its port, and ends with its standard input."""

import http.server
import pathlib
import re
import sys
import threading

FOLDER = pathlib.Path(sys.argv[1]).resolve()


class Handler(http.server.BaseHTTPRequestHandler):
    """GET of a file, whole or a range of it."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Answers with what is asked for."""
        path = (FOLDER / self.path.lstrip("/")).resolve()
        if FOLDER not in path.parents or not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), min(int(asked[2] or len(data) - 1), len(data) - 1)) if asked else (0, len(data) - 1)
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", "bytes %d-%d/%d" % (first, last, len(data)))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(data[first:last + 1])

    def log_message(self, *_):
        """Says nothing."""


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
