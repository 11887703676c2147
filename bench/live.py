#!/usr/bin/python3
"""Measures live view: how old a picture is when it comes, how soon the first comes, and what a viewer costs.

  live.py [--vigil PATH] [--seconds 20] [--viewers 1,10,50] [--no-browser]
Two sites, one after the other, and a restreamer beside the second:
- the demo, watched by chromium: from the demo's clock to the arrival of a fragment, and to the picture that is presented;
- a camera of the rig (1080p with 4 Mbit/s where make_media.py can make it), watched by plain clients, more and more of them: age
  of the fragments at their arrival, time from the question to the first picture, processor time and memory of the daemon for
  each viewer, connections that the camera sees, and whether every viewer got every picture;
- the same of GStreamer's RTSP server as a restreamer of another camera of the rig with the same media (bench/peers/restream.py),
  in turn with Vigil within the same run, with as many viewers that take RTP over their RTSP connection.
Ages are compared on one machine's clock. Prints one JSON line a measurement. Exit status 1 where 50 viewers cost a second
connection, or a viewer missed a picture.
Packages: rig chromium
"""
import argparse
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from record import HERE, RIG, addresses, rig

sys.path.insert(0, os.path.join(HERE, "..", "Tests", "live"))
MEDIA = "h264-pcmu.mkv"
TICKS = os.sysconf("SC_CLK_TCK")


class Viewer(threading.Thread):
    """One WebSocket of live view, which notes what comes until it is told to stop."""

    def __init__(self, path, camera, query):
        super().__init__(daemon=True)
        self.path, self.question = path, "/v1/cameras/%s/live?%s" % (camera, query)
        self.first_ms, self.ages, self.fragments, self.bytes, self.skipped, self.why = None, [], 0, 0, 0, None
        self.began, self.isOver = threading.Event(), False

    def run(self):
        try:
            with socket.socket(socket.AF_UNIX) as self.socket:
                self.socket.settimeout(30)
                self.socket.connect(self.path)
                asked = time.time()
                self.socket.sendall(("GET %s HTTP/1.1\r\nHost: vigil\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n" % (
                               self.question, base64.b64encode(os.urandom(16)).decode())).encode())
                self.stream = self.socket.makefile("rb")
                if b" 101 " not in self.stream.readline():
                    self.why = "refused"
                    return
                while self.stream.readline() not in (b"\r\n", b""):
                    pass
                while not self.isOver:
                    self.take(asked)
        except (OSError, struct.error) as error:
            self.why = str(error)
        finally:
            self.began.set()

    def take(self, asked):
        first, length = struct.unpack(">BB", self.stream.read(2))
        if length == 126:
            length, = struct.unpack(">H", self.stream.read(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.stream.read(8))
        data = self.stream.read(length)
        self.bytes += length
        if first == 0x81 and b"skipped" in data:
            self.skipped += json.loads(data)["skipped"]
        if first == 0x89:
            # Whoever answers no ping is cut off; the mask of a client's frame may be zero.
            self.socket.sendall(b"\x8a" + bytes([0x80 | length, 0, 0, 0, 0]) + data)
        if first != 0x82 or data[0] != 2 or data[1] != 0:
            return
        now = time.time()
        if self.first_ms is None:
            self.first_ms = (now - asked) * 1000
        age = now * 1000 - struct.unpack(">q", data[2:10])[0]
        self.fragments += 1
        # What came of the cached group is as old as that.
        if now - asked > 3:
            self.ages.append(age)
        self.began.set()


class Taker(Viewer):
    """One RTSP client that takes a stream over its connection; a picture is what ends with a marker."""

    def __init__(self, url):
        super().__init__(None, "", "")
        self.url, self.sequence, self.session = url, 0, ""

    def ask(self, method, url, *fields):
        """One answer: its fields and body."""
        self.sequence += 1
        lines = ["%s %s RTSP/1.0" % (method, url), "CSeq: %d" % self.sequence, *fields]
        self.socket.sendall(("\r\n".join(lines + ([self.session] if self.session else [])) + "\r\n\r\n").encode())
        return self.answer() if method != "GET_PARAMETER" else None

    def answer(self):
        status, found = self.stream.readline(), {}
        if b" 200 " not in status:
            raise OSError("refused: %r" % status)
        for line in iter(self.stream.readline, b"\r\n"):
            name, value = line.decode().split(":", 1)
            found[name.lower()] = value.strip()
        return found, self.stream.read(int(found.get("content-length", 0))).decode()

    def run(self):
        try:
            host, port = self.url.split("/")[2].split(":")
            with socket.create_connection((host, int(port)), timeout=30) as self.socket:
                asked, self.stream = time.time(), self.socket.makefile("rb")
                fields, sdp = self.ask("DESCRIBE", self.url, "Accept: application/sdp")
                control = [line[10:] for line in sdp.split("\r\n") if line.startswith("a=control:")][-1]
                base = fields.get("content-base", self.url + "/")
                setup = self.ask("SETUP", control if "://" in control else base + control, "Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
                self.session = "Session: " + setup[0]["session"].split(";")[0]
                self.ask("PLAY", self.url)
                alive = time.time()
                while not self.isOver:
                    self.take(asked)
                    if time.time() - alive > 20:
                        alive = time.time()
                        self.ask("GET_PARAMETER", self.url)
        except (OSError, ValueError, IndexError, KeyError, struct.error) as error:
            self.why = str(error) or repr(error)
        finally:
            self.began.set()

    def take(self, asked):
        first = self.stream.read(1)
        if first == b"R":
            fields = iter(self.stream.readline, b"\r\n")
            self.stream.read(sum(int(line.split(b":")[1]) for line in fields if line.lower().startswith(b"content-length:")))
            return
        channel, length = struct.unpack(">BH", self.stream.read(3))
        data = self.stream.read(length)
        self.bytes += length
        if channel != 0 or not data[1] & 0x80:
            return
        if self.first_ms is None:
            self.first_ms = (time.time() - asked) * 1000
        self.fragments += 1
        self.began.set()


def percentile(values, share):
    """A percentile, rounded; None of nothing."""
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))], 1) if values else None


def spread(values):
    """Median and 95th percentile."""
    return {"median": percentile(values, 0.5), "p95": percentile(values, 0.95), "most": percentile(values, 1), "count": len(values)}


def cost(pid):
    """Processor seconds so far, and MiB of memory that is the process's own."""
    with open("/proc/%d/stat" % pid) as f:
        words = f.read().rsplit(")", 1)[1].split()
    with open("/proc/%d/smaps_rollup" % pid) as f:
        private = sum(int(line.split()[1]) for line in f if line.startswith(("Private_Dirty", "Private_Clean")))
    return (int(words[11]) + int(words[12])) / TICKS, private / 1024


def connections(log, camera):
    """The most connections that a camera had at a time, and how many in all."""
    counts = []
    with open(log) as f:
        for line in f:
            if '"connect"' in line and '"%s"' % camera in line:
                counts.append(json.loads(line)["connections"])
    return max(counts, default=0), len(counts)


def say(measured, **facts):
    """One measurement."""
    print(json.dumps(dict(measured=measured, **facts)), flush=True)


def browser(vigil, seconds):
    """The demo in chromium."""
    from importlib.machinery import SourceFileLoader
    run = SourceFileLoader("live_run", os.path.join(HERE, "..", "Tests", "live", "run")).load_module()
    folder = tempfile.mkdtemp(prefix="vigil-live-")
    site = run.Site(vigil, folder)
    try:
        seen = site.result("camera=demo&pictures=%d&seconds=%d" % (15 * seconds, 2 * seconds + 20))
    finally:
        site.end()
        shutil.rmtree(folder, ignore_errors=True)
    say("demo to a fragment in the browser, ms", **spread(seen["transport"]))
    say("demo to a presented picture, ms", startMs=seen["startMs"], presented=seen["presented"], errors=seen["errors"],
        **spread(seen["latency"]))


class Watched:
    """A program with viewers of one camera, and what they cost it."""

    def __init__(self, name, process, camera, make):
        self.name, self.process, self.camera, self.make, self.watching = name, process, camera, make, []

    def grow(self, number):
        """As many viewers, one after another: one keeps the link, so that there is a group under way for those who follow."""
        while len(self.watching) < number:
            viewer = self.make()
            viewer.start()
            viewer.began.wait(60)
            self.watching.append(viewer)

    def measure(self, number, seconds, log):
        """Says what they cost; gives whether all was well."""
        before, since = cost(self.process.pid), time.monotonic()
        counts = [(v.fragments, v.bytes) for v in self.watching]
        time.sleep(seconds)
        after, took = cost(self.process.pid), time.monotonic() - since
        gains = [v.fragments - count for v, (count, _) in zip(self.watching, counts)]
        bits = [8 * (v.bytes - count) / took for v, (_, count) in zip(self.watching, counts)]
        facts = {"cpuPercent": round(100 * (after[0] - before[0]) / took, 2), "privateMiB": round(after[1], 1)}
        good = True
        if self.watching:
            most, ever = connections(log, self.camera)
            ages = [age for v in self.watching for age in v.ages[-int(seconds * 10):]]
            why = sorted({v.why for v in self.watching if v.why})
            facts.update(pictures=[min(gains), max(gains)], skipped=sum(v.skipped for v in self.watching), connections=most,
                         connectionsEver=ever, kbitPerViewer=round(sum(bits) / len(bits) / 1000), ageMs=spread(ages), why=why,
                         firstMs=spread([v.first_ms for v in self.watching[1:] if v.first_ms is not None]) if number > 1 else None)
            good = most == 1 and ever == 1 and max(gains) - min(gains) <= 2 and not why and not facts["skipped"]
        say("%d viewers of %s" % (number, self.name), **facts)
        return good


def daemon_of(vigil, folder, url):
    """Vigil with one camera of which nothing is recorded."""
    os.makedirs(os.path.join(folder, "policies"))
    with open(os.path.join(folder, "policies", "none.yaml"), "w") as f:
        f.write("name: none\nrecording: { mode: off }\n")
    with open(os.path.join(folder, "vigil.yaml"), "w") as f:
        f.write("http: { listen: none }\npolicies: [ policies/ ]\nviewers: { limit: 200 }\ncameras:\n  front: { main: \"%s\", policy: none }\n" % url)
    path = os.path.join(folder, "s")
    daemon = subprocess.Popen([vigil, "run", "--config", os.path.join(folder, "vigil.yaml"), "--root", os.path.join(folder, "data"),
                               "--socket", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while subprocess.run([vigil, "state", "front", "--socket", path], capture_output=True).returncode != 0:
        time.sleep(0.2)
    return Watched("Vigil", daemon, "front", lambda: Viewer(path, "front", "sound=none"))


def restreamer_of(url):
    """GStreamer with the other camera."""
    process = subprocess.Popen(["/usr/bin/python3", os.path.join(HERE, "peers", "restream.py"), url], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    own = process.stdout.readline().split()[1]
    return Watched("GStreamer", process, "back", lambda: Taker(own))


def viewers(vigil, seconds, numbers):
    """Two cameras of the rig, what hands them on, and plain clients; says whether all was well."""
    folder = tempfile.mkdtemp(prefix="vigil-live-")
    media = os.path.join(tempfile.gettempdir(), "vigil-bench-media")
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), media, MEDIA], check=True, stdout=subprocess.DEVNULL)
    log, file = os.path.join(folder, "sent.jsonl"), os.path.join(media, MEDIA)
    cameras = rig("camera.py", "--log", log, "--camera", "front=" + file, "--camera", "back=" + file + ",no-audio",
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    urls = addresses(cameras)
    good, both = True, []
    try:
        both.append(daemon_of(vigil, folder, urls["front"]))
        both.append(restreamer_of(urls["back"]))
        for number in [0] + numbers:
            for watched in both:
                watched.grow(number)
            time.sleep(5)
            # Both have their viewers meanwhile, so each is measured beside the same work.
            for watched in both:
                isGood = watched.measure(number, seconds, log)
                good &= isGood or watched.name != "Vigil"
    finally:
        for watched in both:
            for viewer in watched.watching:
                viewer.isOver = True
            watched.process.terminate()
            watched.process.wait()
        cameras.stdin.close()
        cameras.wait()
        shutil.rmtree(folder, ignore_errors=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "../.build/release/vigil"))
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--viewers", default="1,10,50")
    parser.add_argument("--no-browser", action="store_true")
    options = parser.parse_args()
    if not options.no_browser:
        browser(options.vigil, options.seconds)
    return 0 if viewers(options.vigil, options.seconds, [int(n) for n in options.viewers.split(",")]) else 1


if __name__ == "__main__":
    sys.exit(main())
