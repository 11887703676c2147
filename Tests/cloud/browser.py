"""Plays an HLS address in Debian's chromium, which has a player of its own for it, and says what it showed."""
import http.server
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.parse

PATIENCE = 120
PAGE = b"""<!doctype html><meta charset="utf-8"><title>Play</title><video id="video" muted></video><script>
"use strict";
const video = document.getElementById("video");
const seen = { ended: false, error: "" };
function tell() {
    seen.frames = video.getVideoPlaybackQuality().totalVideoFrames;
    seen.width = video.videoWidth;
    seen.duration = video.duration;
    fetch("/result", { method: "POST", body: JSON.stringify(seen) });
}
video.addEventListener("error", () => { seen.error = video.error.message; tell(); }, { once: true });
video.addEventListener("ended", () => { seen.ended = true; tell(); }, { once: true });
video.src = new URLSearchParams(location.search).get("play");
video.play().catch((why) => { seen.error = String(why); tell(); });
</script>"""
TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".mpd": "application/dash+xml", ".json": "application/json"}


class Handler(http.server.BaseHTTPRequestHandler):
    """The page, and a folder by ranges; what the page posts is a result."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """The page, or a file below the folder."""
        path = urllib.parse.unquote(self.path.split("?")[0])
        if path == "/play":
            return self.answer(200, PAGE, "text/html")
        file = (self.server.folder / path.lstrip("/")).resolve()
        if not file.is_relative_to(self.server.folder) or not file.is_file():
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


class Browser:
    """Chromium in front of a folder."""

    def __init__(self, folder):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.folder, self.server.results = pathlib.Path(folder).resolve(), queue.Queue()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def play(self, path):
        """What became of playing a list below the folder to its end; None where nothing did in time."""
        profile = tempfile.mkdtemp(prefix="vigil-browser-")
        address = "http://127.0.0.1:%d/play?%s" % (self.server.server_address[1], urllib.parse.urlencode({"play": "/" + path}))
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run", "--disable-background-networking",
             "--autoplay-policy=no-user-gesture-required", "--user-data-dir=" + profile, address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return self.server.results.get(timeout=PATIENCE)
        except queue.Empty:
            return None
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
            shutil.rmtree(profile, ignore_errors=True)

    def end(self):
        """Serves nothing any more."""
        self.server.shutdown()
        self.server.server_close()
