#!/usr/bin/python3
"""Kills a recording daemon at random instants while exports are under way, and says whether any of them left a trace.

  export.py [--vigil PATH] [--times 50] [--seed 1] [--media FOLDER] [--keep FOLDER]
Two cameras in continuous mode fill a root; then they are switched off, so that nothing but the exports could change it. Each
turn starts the daemon, begins more exports than may run at once (readers that hurry, readers that dawdle, readers that stop),
and kills it -9 within the next half second. In the end:
- the files below the root are those of before, each with its bytes, but for the database's own, and for the trace, which has what
  it had and behind it the steps of each start;
- `vigil fsck --deep` is clean, and nothing was set aside;
- an export that ended whole has the bytes of all others, and decodes without a word; one that was cut is known as such;
- those above the limit were refused with 503.
Prints one JSON line a check. Exit status 1 if one failed. Takes about two minutes.
"""
import argparse
import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

from kill import configure, streaming
from record import HERE, RIG, Verdict, addresses, rig

READERS = 6                         # two more than may run at once
RECORD_S = 25                       # seconds of media


class Reader(threading.Thread):
    """Reads one export over the socket; `pace` in bytes a second, 0: stops after the first bytes, None: as fast as it can."""

    def __init__(self, path, camera, begin, end, pace):
        super().__init__(daemon=True)
        self.path, self.pace, self.status, self.length, self.body = path, pace, None, None, bytearray()
        self.words = "GET /v1/cameras/%s/export?%s HTTP/1.1\r\nHost: vigil\r\nConnection: close\r\n\r\n" % (
            camera, urllib.parse.urlencode({"from": begin, "to": end}))
        self.first = threading.Event()

    def run(self):
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(20)
                s.connect(self.path)
                s.sendall(self.words.encode())
                self.read(s)
        except OSError:
            pass
        self.first.set()

    def read(self, s):
        """Until the end, whatever it is."""
        data = bytearray()
        while True:
            part = s.recv(4096 if self.pace else 1 << 18)
            if not part:
                return
            data += part
            if self.length is None and b"\r\n\r\n" in data:
                head, _, data = data.partition(b"\r\n\r\n")
                lines = head.decode().lower().split("\r\n")
                self.status = int(lines[0].split()[1])
                self.length = next((int(x.split(":")[1]) for x in lines if x.startswith("content-length:")), None)
                self.first.set()
            self.body = data
            if self.pace == 0:
                time.sleep(20)
                return
            if self.pace:
                time.sleep(len(part) / self.pace)

    @property
    def whole(self):
        """Whether all of it came."""
        return self.status == 200 and self.length is not None and len(self.body) == self.length


def listing(root):
    """Each file below the root with what it holds, but for the database and the folder's lock, and the bytes of each of the trace."""
    found, trace = {}, {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if not name.startswith("catalog.sqlite") and name != "lock":
                with open(path, "rb") as f:
                    held = f.read()
                if name.endswith(".trace"):
                    trace[os.path.relpath(path, root)] = held
                else:
                    found[os.path.relpath(path, root)] = hashlib.sha256(held).hexdigest()
    return found, trace


def ask(vigil, folder, *words):
    """Runs a command against the daemon."""
    return subprocess.run([vigil, *words, "--socket", folder + "/s"], capture_output=True, text=True, timeout=60)


def record(vigil, folder, out):
    """Fills the root and switches the cameras off; gives what each recorded: first begin and last end."""
    daemon = subprocess.Popen([vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
    streaming(vigil, folder, time.time() + 15)
    time.sleep(RECORD_S)
    for camera in "abc":
        ask(vigil, folder, "disable", camera)
    spans, until = {}, time.time() + 15
    while time.time() < until:
        clips = json.loads(ask(vigil, folder, "clips", "--json").stdout)
        if clips and all(c["end"] for c in clips):
            for camera in "ab":
                own = [c for c in clips if c["camera"] == camera]
                spans[camera] = (own[0]["start"], own[-1]["end"])
            break
        time.sleep(0.1)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait(60)
    return spans


def turn(vigil, folder, spans, chance, out):
    """One life of the daemon; gives its readers."""
    daemon = subprocess.Popen([vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
    until = time.time() + 30
    while time.time() < until and ask(vigil, folder, "state").returncode:
        time.sleep(0.02)
    paces = [None, None, 200_000, 20_000, 0, 0]
    chance.shuffle(paces)
    readers = [Reader(folder + "/s", c, *spans[c], p) for c, p in zip("ababab", paces)]
    for r in readers:
        r.start()
    readers[0].first.wait(20)
    time.sleep(chance.uniform(0, 0.5))
    daemon.send_signal(signal.SIGKILL)
    daemon.wait()
    for r in readers:
        r.join(0.5)
    return readers


def main():
    """Records, kills and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    o = parser.parse_args()
    chance = random.Random(o.seed)
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media, "h264-aac.mp4", "h264.mp4"],
                   check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-export-")
    os.makedirs(folder, exist_ok=True)
    words = [w for n, f in (("a", "h264-aac.mp4"), ("b", "h264.mp4"), ("c", "h264.mp4"))
             for w in ("--camera", "%s=%s/%s" % (n, o.media, f))]
    cameras = rig("camera.py", *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    verdict, out = Verdict(), open(os.path.join(folder, "vigil.log"), "w")
    try:
        configure(folder, addresses(cameras))
        spans = record(o.vigil, folder, out)
    finally:
        cameras.stdin.close()
        cameras.wait(20)
    root = folder + "/data"
    before, trace = listing(root)
    verdict.say("something to export", set(spans) == {"a", "b"} and len(before) > 4, files=len(before))
    readers = [r for _ in range(o.times) for r in turn(o.vigil, folder, spans, chance, out)]
    after, longer = listing(root)
    changed = sorted(p for p in set(before) | set(after) if before.get(p) != after.get(p))
    verdict.say("the root as before", not changed, kills=o.times, changed=changed[:5])
    verdict.say("the trace goes on", bool(trace) and all(longer.get(p, b"").startswith(held) for p, held in trace.items()), files=sorted(longer))
    done = subprocess.run([o.vigil, "fsck", "--root", root, "--deep"], capture_output=True, text=True)
    verdict.say("fsck clean", done.returncode == 0 and not os.path.exists(root + "/lost+found"),
                words=(done.stdout + done.stderr).strip()[-600:])
    whole = [r for r in readers if r.whole]
    kinds = {(r.words.split("/")[3], hashlib.sha256(r.body).hexdigest()) for r in whole}
    torn = [r for r in readers if r.status == 200 and not r.whole]
    verdict.say("exports of one time are one and the same", len(kinds) <= 2, whole=len(whole), torn=len(torn),
                kinds=len(kinds))
    verdict.say("kills in the midst of exports", len(torn) >= o.times / 2, torn=len(torn))
    complaints = ""
    for camera in "ab":
        movie = next((r.body for r in whole if "/%s/" % camera in r.words), None)
        if movie is not None:
            with open(os.path.join(folder, camera + ".mp4"), "wb") as f:
                f.write(movie)
            complaints += subprocess.run(["ffmpeg", "-v", "warning", "-nostdin", "-i", f.name, "-f", "null", "-"],
                                         capture_output=True, text=True).stderr
    verdict.say("whole exports decode without a word", bool(whole) and not complaints, words=complaints[-300:])
    others = [r.status for r in readers if r.status not in (200, 503, None)]
    verdict.say("above the limit 503, nothing else", not others, refused=sum(r.status == 503 for r in readers),
                others=others[:5])
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
