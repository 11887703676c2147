"""Shows a page that reports by itself to Debian's chromium, and files beside it."""
import http.server
import json
import pathlib
import queue
import re
import sys
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "rig"))
from chromium import Chromium  # noqa: E402

PATIENCE = 120
TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".mpd": "application/dash+xml", ".json": "application/json"}


class Handler(http.server.BaseHTTPRequestHandler):
    """The page, and files by ranges; what the page posts is a result."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """The page, or a file."""
        path = urllib.parse.unquote(self.path.split("?")[0])
        if path == "/":
            return self.answer(200, self.server.page, "text/html")
        file = self.server.find(path.lstrip("/"))
        if file is None:
            return self.answer(404)
        body, kind = file.read_bytes(), TYPES.get(file.suffix, "video/mp4")
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            return self.answer(200, body, kind)
        begin, end = int(asked[1]), min(int(asked[2] or len(body) - 1), len(body) - 1)
        if begin > end:
            return self.answer(416)
        self.answer(206, body[begin:end + 1], kind, f"bytes {begin}-{end}/{len(body)}")

    def do_POST(self):
        """A result."""
        self.server.results.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer(204)

    def answer(self, status, body=b"", kind=None, part=None):
        """Writes an answer."""
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
            self.send_header("Accept-Ranges", "bytes")
        if part:
            self.send_header("Content-Range", part)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


def below(folder):
    """Finds the files of a folder by their paths, and nothing else."""
    folder = pathlib.Path(folder).resolve()

    def find(path):
        file = (folder / path).resolve()
        return file if file.is_relative_to(folder) and file.is_file() else None
    return find


class Server(http.server.ThreadingHTTPServer):
    """A browser that leaves closes connections in the middle of them."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Browser:
    """A page, and the files that `find` knows: a path to each name, or None."""

    def __init__(self, page, find):
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.page, self.server.find, self.server.results = pathlib.Path(page).read_bytes(), find, queue.Queue()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def result(self, **query):
        """What the page reports when it is asked so; None where it reports nothing in time."""
        chromium = Chromium("http://127.0.0.1:%d/?%s" % (self.server.server_address[1], urllib.parse.urlencode(query)))
        try:
            return self.server.results.get(timeout=PATIENCE)
        except queue.Empty:
            return None
        finally:
            chromium.end()

    def end(self):
        """Serves nothing any more."""
        self.server.shutdown()
        self.server.server_close()
