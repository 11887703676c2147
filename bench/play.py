#!/usr/bin/python3
"""How fast what was recorded is found and served, at a large catalog.

  play.py [--vigil PATH] [--cameras 8] [--days 60] [--seconds 60] [--asked 200] [--seed 1] [--keep FOLDER]
The demo records `--seconds`; its files stand in, by hard links, for clips of the same length that follow each other through one
day, and one in each ten minutes of all other days, of each camera. `vigil fsck --rebuild` makes the catalog of them. Then the
daemon records the demo again while it is asked, one question after another, for a day of the calendar, the playlist of an hour
and of the full day, a picture and the strip of an hour that is kept. Last, one reader takes track files by range as fast as it
can. Prints one JSON line each: the median and the 99th percentile in milliseconds, and the bytes a second and a second of
processor time of the daemon. Exit status 1 where an answer was no answer.
"""
import argparse
import contextlib
import datetime
import json
import os
import random
import signal
import socket
import subprocess
import tempfile
import time

from record import HERE, Verdict

DAY = 86_400


class Client:
    """One connection to the daemon's socket."""

    def __init__(self, path):
        self.path, self.socket, self.buffer = path, None, b""

    def get(self, path, fields=""):
        """The status and how many bytes the body has."""
        for fresh in (False, True):
            try:
                if self.socket is None or fresh:
                    self.socket, self.buffer = socket.socket(socket.AF_UNIX), b""
                    self.socket.settimeout(60)
                    self.socket.connect(self.path)
                self.socket.sendall(("GET %s HTTP/1.1\r\nHost: vigil\r\n%s\r\n" % (path, fields)).encode())
                return self.answer()
            except (BrokenPipeError, ConnectionResetError):
                continue
        return 0, 0

    def more(self):
        """Reads what there is."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionResetError
        return data

    def answer(self):
        """One answer with a length."""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        length = next((int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:")), 0)
        left = length - len(self.buffer)
        self.buffer = self.buffer[length:] if left < 0 else b""
        while left > 0:
            left -= len(self.more())
        return int(lines[0].split()[1]), length


def stamp(seconds):
    """A time as requests have it."""
    whole = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return whole.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (whole.microsecond // 1000)


def run(o, folder, root, config=()):
    """A daemon that answers."""
    daemon = subprocess.Popen([o.vigil, "run", "--root", root, "--socket", folder + "/s", *config],
                              stdout=subprocess.DEVNULL, stderr=open(folder + "/log", "a", encoding="utf-8"))
    until = time.time() + 60
    while time.time() < until:
        if subprocess.run([o.vigil, "state", "--socket", folder + "/s"], capture_output=True, check=False).returncode == 0:
            return daemon
        time.sleep(0.1)
    raise SystemExit("the daemon does not answer: " + folder + "/log")


@contextlib.contextmanager
def demo(o):
    """A folder, and in it a daemon that records the demo, at the socket `s`; both are gone at the end."""
    with tempfile.TemporaryDirectory(prefix="vigil-demo-") as folder:
        daemon = run(o, folder, folder + "/data", ["--demo", "--listen", "none"])
        try:
            while b"recorded" not in subprocess.run([o.vigil, "state", "demo", "--socket", folder + "/s"], capture_output=True, check=True).stdout:
                time.sleep(0.2)
            yield folder
        finally:
            daemon.terminate()
            daemon.wait()


def recorded(o, folder):
    """The track files of one clip of the demo, and its length in seconds."""
    daemon = run(o, folder, folder + "/demo", ["--demo"])
    clips = []
    until = time.time() + o.seconds + 60
    while time.time() < until:
        told = subprocess.run([o.vigil, "clips", "--json", "--socket", folder + "/s"], capture_output=True, text=True, check=False)
        clips = json.loads(told.stdout or "[]")
        if clips and min(track["durationMs"] for track in clips[0]["tracks"]) >= o.seconds * 1000:
            break
        time.sleep(0.5)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    tracks = [os.path.join(folder, "demo", track["path"]) for track in clips[0]["tracks"]]
    return tracks, o.seconds + 1


def place(o, root, tracks, length, now):
    """Links the tracks to where clips of all those times would lie; gives the begin of the full day."""
    full = int(now // DAY - 2) * DAY
    for number in range(o.cameras):
        for day in range(o.days):
            begin = full - day * DAY
            step = length if day == 0 else 600
            for start in range(begin, begin + DAY - length, step):
                when = datetime.datetime.fromtimestamp(start, datetime.timezone.utc)
                place = os.path.join(root, "clips", "cam%02d" % number, when.strftime("%Y/%m/%d"))
                os.makedirs(place, exist_ok=True)
                for track in tracks:
                    name = when.strftime("%Y%m%dT%H%M%S.000Z-a") + os.path.splitext(track)[1]
                    os.link(track, os.path.join(place, name))
    return full


def percentiles(times):
    """Median and 99th percentile, in milliseconds."""
    times = sorted(times)
    return {"medianMs": round(times[len(times) // 2] * 1000, 2), "p99Ms": round(times[len(times) * 99 // 100] * 1000, 2)}


def processor(pid):
    """Seconds of processor time."""
    fields = open("/proc/%d/stat" % pid, encoding="ascii").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    """Makes the catalog, asks, and reads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--cameras", type=int, default=8)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--asked", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    o = parser.parse_args()
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-play-")
    os.makedirs(folder, exist_ok=True)
    verdict = Verdict()
    tracks, length = recorded(o, folder)
    root = folder + "/data"
    os.makedirs(root, exist_ok=True)
    full = place(o, root, tracks, length, time.time())
    begin = time.time()
    made = subprocess.run([o.vigil, "fsck", "--root", root, "--rebuild"], capture_output=True, text=True, check=False)
    verdict.say("catalog", made.returncode == 0, seconds=round(time.time() - begin, 1), words=made.stdout[-200:])
    with open(folder + "/vigil.yaml", "w", encoding="utf-8") as file:
        file.write("http: { listen: none }\npolicies: [ %s/policies/ ]\ncameras:\n  scene: { main: 'demo:', policy: all }\n" % folder)
    os.makedirs(folder + "/policies", exist_ok=True)
    with open(folder + "/policies/all.yaml", "w", encoding="utf-8") as file:
        file.write("name: all\nrecording: { mode: continuous }\n")
    daemon = run(o, folder, root, ["--config", folder + "/vigil.yaml"])
    ask(o, Client(folder + "/s"), full, daemon.pid, verdict)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    verdict.end(folder, o.keep)


def ask(o, client, full, pid, verdict):
    """The questions, then the bytes."""
    dice = random.Random(o.seed)
    month = stamp(full)[:7]

    def camera():
        return "/v1/cameras/cam%02d" % dice.randrange(o.cameras)

    def hour():
        return full + dice.randrange(23) * 3600

    def span(begin, seconds):
        return "from=%s&to=%s" % (stamp(begin), stamp(begin + seconds))

    questions = {
        "days of a month": lambda: camera() + "/days?month=" + month,
        "playlist of an hour": lambda: camera() + "/play/video.m3u8?" + span(hour(), 3600),
        "playlist of a sparse day": lambda: camera() + "/play/video.m3u8?" + span(full - DAY, DAY),
        "playlist of a full day": lambda: camera() + "/play/video.m3u8?" + span(full, DAY),
        "variants of an hour": lambda: camera() + "/play.m3u8?" + span(hour(), 3600),
        "manifest of an hour": lambda: camera() + "/play.mpd?" + span(hour(), 3600),
        "picture of a moment": lambda: camera() + "/picture?width=640&at=" + stamp(full + dice.random() * (DAY - 600)),
    }
    for name, question in questions.items():
        times, good = [], True
        for _ in range(o.asked if "full" not in name else max(20, o.asked // 10)):
            path = question()
            begin = time.perf_counter()
            status, _ = client.get(path)
            times.append(time.perf_counter() - begin)
            good = good and status == 200
        verdict.say(name, good, **percentiles(times))
    strip = "/v1/cameras/cam00/thumbnails?hour=" + stamp(full + 3600)
    begin = time.perf_counter()
    status, count = client.get(strip)
    first = time.perf_counter() - begin
    times = []
    for _ in range(o.asked):
        begin = time.perf_counter()
        client.get(strip)
        times.append(time.perf_counter() - begin)
    verdict.say("strip of an hour", status == 200, bytes=count, madeMs=round(first * 1000), **percentiles(times))
    read(client, pid, verdict)


def read(client, pid, verdict):
    """One reader, ten seconds."""
    status, size = client.get("/v1/clips/1/tracks/video")
    used, begin, taken = processor(pid), time.perf_counter(), 0
    while time.perf_counter() - begin < 10:
        status, count = client.get("/v1/clips/1/tracks/video", "Range: bytes=0-%d\r\n" % (size - 1))
        taken += count
    seconds, used = time.perf_counter() - begin, processor(pid) - used
    verdict.say("bytes by range", status == 206, bytesPerSecond=int(taken / seconds),
                bytesPerProcessorSecond=int(taken / max(used, 0.01)))


if __name__ == "__main__":
    main()
