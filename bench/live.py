#!/usr/bin/python3
"""Measures live view: how old a picture is when it comes, how soon the first comes, and what a viewer costs.

  live.py [--vigil PATH] [--seconds 20] [--viewers 1,10,50] [--no-browser]
Two sites, one after the other:
- the demo, watched by chromium: from the demo's clock to the arrival of a fragment, and to the picture that is presented;
- a camera of the rig (1080p with 4 Mbit/s where make_media.py can make it), watched by plain clients, more and more of them: age
  of the fragments at their arrival, time from the question to the first picture, processor time and memory of the daemon for
  each viewer, connections that the camera sees, and whether every viewer got every picture.
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
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(30)
                s.connect(self.path)
                asked = time.time()
                s.sendall(("GET %s HTTP/1.1\r\nHost: vigil\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n" % (
                               self.question, base64.b64encode(os.urandom(16)).decode())).encode())
                self.stream = s.makefile("rb")
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


def viewers(vigil, seconds, numbers):
    """A camera of the rig and plain clients; says whether all was well."""
    folder = tempfile.mkdtemp(prefix="vigil-live-")
    media = os.path.join(tempfile.gettempdir(), "vigil-bench-media")
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), media, MEDIA], check=True, stdout=subprocess.DEVNULL)
    log = os.path.join(folder, "sent.jsonl")
    cameras = rig("camera.py", "--log", log, "--camera", "front=" + os.path.join(media, MEDIA),
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    url = addresses(cameras)["front"]
    os.makedirs(os.path.join(folder, "policies"))
    with open(os.path.join(folder, "policies", "none.yaml"), "w") as f:
        f.write("name: none\nrecording: { mode: off }\n")
    with open(os.path.join(folder, "vigil.yaml"), "w") as f:
        f.write("http: { listen: none }\npolicies: [ policies/ ]\nviewers: { limit: 200 }\ncameras:\n  front: { main: \"%s\", policy: none }\n" % url)
    path = os.path.join(folder, "s")
    daemon = subprocess.Popen([vigil, "run", "--config", os.path.join(folder, "vigil.yaml"), "--root", os.path.join(folder, "data"),
                               "--socket", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    good, watching = True, []
    try:
        while subprocess.run([vigil, "state", "front", "--socket", path], capture_output=True).returncode != 0:
            time.sleep(0.2)
        # One viewer keeps the link, so that there is a group under way for those who follow.
        for number in [0] + numbers:
            while len(watching) < max(number, 0):
                viewer = Viewer(path, "front", "sound=none")
                viewer.start()
                viewer.began.wait(60)
                watching.append(viewer)
            time.sleep(5)
            before, since = cost(daemon.pid), time.monotonic()
            counts = [(v.fragments, v.bytes) for v in watching]
            time.sleep(seconds)
            after, took = cost(daemon.pid), time.monotonic() - since
            gains = [v.fragments - count for v, (count, _) in zip(watching, counts)]
            bits = [8 * (v.bytes - count) / took for v, (_, count) in zip(watching, counts)]
            facts = {"cpuPercent": round(100 * (after[0] - before[0]) / took, 2), "privateMiB": round(after[1], 1)}
            if watching:
                most, ever = connections(log, "front")
                ages = [age for v in watching for age in v.ages[-int(seconds * 10):]]
                facts.update(pictures=[min(gains), max(gains)], skipped=sum(v.skipped for v in watching), connections=most,
                             connectionsEver=ever, kbitPerViewer=round(sum(bits) / len(bits) / 1000), ageMs=spread(ages),
                             firstMs=spread([v.first_ms for v in watching[1:] if v.first_ms is not None]) if number > 1 else None)
                good &= most == 1 and ever == 1 and max(gains) - min(gains) <= 2 and not any(v.skipped or v.why for v in watching)
            say("%d viewers" % number, **facts)
    finally:
        for viewer in watching:
            viewer.isOver = True
        daemon.terminate()
        daemon.wait()
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
