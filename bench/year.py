#!/usr/bin/python3
"""How fast a year of 64 cameras is found while recording goes on, and how soon the page shows a day of it.

  year.py [--vigil PATH] [--maker PATH] [--cameras 64] [--days 365] [--asked 300] [--seed 1] [--media FOLDER] [--root FOLDER]
The demo is recorded for ten minutes, unless --media names the folder of a clip. bench-year makes the catalog of all cameras and
days of that clip (bench/year/YearSite.swift says what is in it), with files for the last whole day; --root keeps it, or takes it
as it is there. Then the daemon records all these cameras (bench/rtsp_flood sends 1 Mbit/s for each) and is asked over its socket,
one question after another, about cameras, days, hours and filters at random; what has no goal a tenth as often. Some strips of
small pictures are made before. Prints one JSON line a question: median, 99th percentile and most in milliseconds, bytes of an
answer. Exit status 1 where a question with a goal took longer at the 99th percentile, an answer was no answer, or a recording has
a hole. With chromium and playwright (make page installs it) the page opens days, from the click to the picture and the timeline.
Packages: ffmpeg gcc libc6-dev chromium
"""
import argparse
import contextlib
import datetime
import glob
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from play import DAY, Client, processor, run, stamp
from record import HERE, Verdict

TOP = os.path.join(HERE, "..")
GOAL_MS = 10
OPENED_MS = 1000
SESSION_PAUSE = 0.11
CONTINUOUS = "name: all\nrecording: { mode: continuous }\n"


def site(folder, cameras, port=None):
    """Writes the files of a site that records these cameras, by their addresses."""
    os.makedirs(folder + "/policies", exist_ok=True)
    with open(folder + "/policies/all.yaml", "w", encoding="utf-8") as file:
        file.write(CONTINUOUS)
    with open(folder + "/vigil.yaml", "w", encoding="utf-8") as file:
        file.write("http: { listen: %s }\npolicies: [ policies/ ]\nstorage: { reserve: 0%% }\ncameras:\n" % ("127.0.0.1:%d" % port if port else "none"))
        for camera, address in cameras.items():
            file.write("  %s: { main: '%s', policy: all, detection: 'off' }\n" % (camera, address))
    return ["--config", folder + "/vigil.yaml"]


def ask(path, question):
    """One answer as JSON."""
    done = subprocess.run(["curl", "-sf", "--max-time", "60", "--unix-socket", path, "http://vigil" + question], capture_output=True, check=True)
    return json.loads(done.stdout)


def recorded(o, folder):
    """A folder with the track files of a clip of ten minutes of the demo."""
    daemon = run(o, folder, folder + "/demo", site(folder + "/demo-site", {"scene": "demo:"}))
    until = time.time() + 700
    clips = []
    while not clips and time.time() < until:
        time.sleep(5)
        clips = [clip for clip in ask(folder + "/s", "/v1/clips?camera=scene") if clip["end"]]
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    media = folder + "/media"
    os.makedirs(media)
    for track in clips[0]["tracks"]:
        shutil.copy(os.path.join(folder, "demo", track["path"]), media)
    return media


def spread(times):
    """Median, 99th percentile and most, in milliseconds."""
    times = sorted(times)
    at = lambda share: round(times[min(len(times) - 1, int(len(times) * share))] * 1000, 2)  # noqa: E731
    return {"medianMs": at(0.5), "p99Ms": at(0.99), "mostMs": at(1)}


class Questions:
    """What is asked, each time of something else."""

    def __init__(self, o, made):
        self.dice, self.made, self.cameras, self.days = random.Random(o.seed), made, made["cameras"], made["days"]
        self.filed = made["dayMs"] / 1000
        self.strips = [(self.dice.randrange(self.cameras) // 4 * 4, self.filed + 3600 * self.dice.randrange(24)) for _ in range(12)]

    def camera(self):
        return "cam%02d" % self.dice.randrange(self.cameras)

    def continuous(self):
        return "cam%02d" % (self.dice.randrange(self.cameras // 4) * 4)

    def day(self, first=None):
        first = self.made["firstMs"] / 1000 if first is None else first
        return first + DAY * self.dice.randrange(int((self.filed - first) / DAY) + 1)

    def indexed(self):
        return self.day(self.made["indexedFromMs"] / 1000)

    @staticmethod
    def span(begin, seconds):
        return "from=%s&to=%s" % (stamp(begin), stamp(begin + seconds))

    def strip(self):
        camera, hour = self.dice.choice(self.strips)
        return "/v1/cameras/cam%02d/thumbnails%%s?hour=%s" % (camera, stamp(hour))

    def goals(self):
        """Those that shall be answered within the goal."""
        day, span = self.day, self.span
        late = lambda: "to=%s&order=newest&limit=50" % stamp(day() + self.dice.random() * DAY)  # noqa: E731
        return {
            "days of a month": lambda: "/v1/cameras/%s/days?month=%s" % (self.camera(), stamp(day())[:7]),
            "clips of a day": lambda: "/v1/clips?camera=%s&limit=1000&%s" % (self.camera(), span(day(), DAY)),
            "events of a camera's day": lambda: "/v1/events?camera=%s&limit=1000&order=newest&%s" % (self.camera(), span(day(), DAY)),
            "events of all cameras, 50": lambda: "/v1/events?" + late(),
            "events of a level, 50": lambda: "/v1/events?level=%d&%s" % (self.dice.choice([1, 5, 10]), late()),
            "events of a cause, 50": lambda: "/v1/events?cause=command&" + late(),
            "events of a zone, 50": lambda: "/v1/events?zone=%s&%s" % (self.dice.choice(["drive", "door", "gate"]), late()),
            "events unseen, 50": lambda: "/v1/events?unseen=true&" + late(),
            "events of a camera, level and zone, 50": lambda: "/v1/events?camera=%s&level=10&zone=door&%s" % (self.camera(), late()),
            "coverage of a day": lambda: "/v1/cameras/%s/coverage?%s" % (self.camera(), span(day(), DAY)),
            "coverage of a month": lambda: "/v1/cameras/%s/coverage?%s" % (self.camera(), span(min(day(), self.filed - 30 * DAY), 30 * DAY)),
            "playlist of an hour": lambda: "/v1/cameras/%s/play/video.m3u8?%s" % (self.continuous(), span(self.indexed() + 3600 * self.dice.randrange(24), 3600)),
            "playlist of a day": lambda: "/v1/cameras/%s/play/video.m3u8?%s" % (self.continuous(), span(self.indexed(), DAY)),
            "variants of an hour": lambda: "/v1/cameras/%s/play.m3u8?%s" % (self.continuous(), span(self.filed + 3600 * self.dice.randrange(24), 3600)),
            "strip of an hour": lambda: self.strip() % "",
            "tiles of a strip": lambda: self.strip() % ".json",
        }

    def others(self):
        """Those without a goal."""
        return {
            "events of a zone that is nowhere": lambda: "/v1/events?zone=nowhere&order=newest&limit=50",
            "key frames of an hour": lambda: "/v1/cameras/%s/play/keys.m3u8?%s" % (self.continuous(), self.span(self.filed + 3600 * self.dice.randrange(24), 3600)),
            "manifest of an hour": lambda: "/v1/cameras/%s/play.mpd?%s" % (self.continuous(), self.span(self.filed + 3600 * self.dice.randrange(24), 3600)),
            "picture of a moment": lambda: "/v1/cameras/%s/picture?width=640&at=%s" % (self.continuous(), stamp(self.filed + self.dice.random() * (DAY - 600))),
        }


def measure(o, client, pid, name, question, verdict, goal=None):
    """One question, again and again."""
    times, sizes, others = [], [], set()
    # What has no goal may take a second each.
    count = o.asked if goal else max(1, o.asked // 10)
    used = processor(pid)
    for _ in range(count):
        path = question()
        if any(word in path for word in ("/play", "/picture", "/thumbnails")):
            # Each is a request of a session, of which a caller has ten in a second; the idle time is no part of the figures.
            time.sleep(SESSION_PAUSE)
        begin = time.perf_counter()
        status, size = client.get(path)
        times.append(time.perf_counter() - begin)
        sizes.append(size)
        if status != 200:
            others.add(status)
    seen = spread(times)
    seen["processorMs"] = round((processor(pid) - used) * 1000 / count, 2)
    seen["bytes"] = sorted(sizes)[len(sizes) // 2]
    verdict.say(name, not others and (goal is None or seen["p99Ms"] < goal), otherAnswers=sorted(others), **seen)


def streamed(folder, stack):
    """A server of cameras of 1 Mbit/s, and its port; it ends with the stack."""
    flood, stream = folder + "/rtsp_flood", folder + "/stream.h264"
    subprocess.run(["cc", "-O2", "-o", flood, os.path.join(HERE, "rtsp_flood.c")], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25", "-t", "20", "-c:v", "libx264", "-preset",
                    "veryfast", "-g", "50", "-bf", "0", "-b:v", "1M", "-minrate", "1M", "-maxrate", "1M", "-bufsize", "500k",
                    "-x264-params", "nal-hrd=cbr", "-f", "h264", stream], check=True)
    server = stack.enter_context(subprocess.Popen([flood, stream, "25"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    return int(server.stdout.readline().split()[1])


def labels(path, camera, since, until):
    """The labels of a camera's time."""
    told = ask(path, "/v1/cameras/%s/coverage?from=%s&to=%s" % (camera, stamp(since), stamp(until)))
    return {one["label"] for one in told["stretches"]}


def started(path, cameras):
    """The time from which on all these cameras are recorded."""
    until = time.time() + 60
    while time.time() < until:
        now = time.time()
        if all(labels(path, camera, now - 1, now) == {"recorded"} for camera in cameras):
            return now
        time.sleep(1)
    raise SystemExit("not every camera is recorded after a minute")


def recording(path, since, cameras, verdict):
    """Whether all cameras were recorded all the time."""
    until = time.time() - 5
    holes = {camera: sorted(found) for camera in cameras if (found := labels(path, camera, since, until)) != {"recorded"}}
    verdict.say("recording of %d cameras" % len(cameras), not holes, holes=holes, seconds=round(until - since))


def page(o, port, path, questions, verdict):
    """Days in chromium."""
    sys.path.extend(glob.glob(TOP + "/.build/page-venv/lib/python3*/site-packages"))
    sys.path.append(TOP + "/Tests/page")
    try:
        import playwright  # noqa: F401
        from browsers import Chromium
    except ImportError:
        print("the page is not measured: playwright is not there (make page)")
        return
    told = subprocess.run([o.vigil, "token", "link", "--socket", path], capture_output=True, text=True, check=True).stdout
    browser = Chromium("http://127.0.0.1:%d" % port)
    try:
        browser.go("/" + next(word for word in told.split() if "#login=" in word).split("/", 3)[3])
        browser.has(".side nav", "the page after the login")
        drawn, shown = [], []
        for number in range(20):
            # Each time another camera and moment of the day with files, by a link within the page, as a person has it.
            camera, at = questions.continuous(), questions.filed + DAY * questions.dice.random() * 0.95
            link = "/camera/%s?t=%s&zoom=day" % (camera, stamp(at)[:19] + "Z")
            browser.go("/messages")
            browser.has("main > *", "another view")
            seen = browser.page.evaluate(OPENING, link)
            drawn.append(seen["drawn"] / 1000)
            shown.append(seen["shown"] / 1000)
        verdict.say("the page opens a day: its timeline", max(drawn) * 1000 < OPENED_MS, **spread(drawn))
        verdict.say("the page opens a day: the picture of its moment", max(shown) * 1000 < OPENED_MS, **spread(shown))
    finally:
        browser.close()


OPENING = """async (link) => {
  const begin = performance.now(), a = document.createElement('a');
  a.href = link;
  document.body.append(a);
  a.click();
  a.remove();
  let drawn, shown;
  while ((drawn === undefined || shown === undefined) && performance.now() - begin < 20000) {
    await new Promise((done) => requestAnimationFrame(done));
    const video = document.querySelector('.screen video'), slider = document.querySelector('[role=slider]');
    if (drawn === undefined && slider?.getAttribute('aria-valuetext')?.includes('recorded')) drawn = performance.now() - begin;
    if (shown === undefined && video?.readyState >= 2 && !video.seeking) shown = performance.now() - begin;
  }
  return { drawn: drawn ?? 20000, shown: shown ?? 20000 };
}"""


def main():
    """Makes the year, asks, opens the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(TOP, ".build", "release", "vigil"))
    parser.add_argument("--maker", default=os.path.join(TOP, ".build", "release", "bench-year"))
    parser.add_argument("--cameras", type=int, default=64)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--asked", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--media")
    parser.add_argument("--root")
    parser.add_argument("--only")
    o = parser.parse_args()
    folder, verdict = tempfile.mkdtemp(prefix="vigil-year-"), Verdict()
    root = o.root or folder + "/root"
    if not os.path.exists(root + "/made.json"):
        media = o.media or recorded(o, folder)
        told = subprocess.run([o.maker, root, media, str(o.cameras), str(o.days)], capture_output=True, text=True, check=True).stdout
        with open(root + "/made.json", "w", encoding="utf-8") as file:
            file.write(told)
    with open(root + "/made.json", encoding="utf-8") as file:
        made = json.load(file)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with contextlib.ExitStack() as stack:
        served = streamed(folder, stack)
        cameras = {"cam%02d" % number: "rtsp://127.0.0.1:%d/%d" % (served, number) for number in range(made["cameras"])}
        watched(o, folder, root, made, port, cameras, verdict)
    verdict.end(folder, None)


def watched(o, folder, root, made, port, cameras, verdict):
    """Asks a daemon that records these cameras."""
    begin = time.time()
    daemon = run(o, folder, root, site(folder + "/site", cameras, port))
    verdict.say("made", True, started=round(time.time() - begin, 1), catalogMB=os.path.getsize(root + "/catalog.sqlite") // 1_000_000, **made)
    try:
        path, questions = folder + "/s", Questions(o, made)
        client = Client(path)
        since = started(path, cameras)
        for camera, hour in questions.strips:
            client.get("/v1/cameras/cam%02d/thumbnails?hour=%s" % (camera, stamp(hour)))
        print(json.dumps({"load": os.getloadavg()[0]}), flush=True)
        for goal, asked in ((GOAL_MS, questions.goals()), (None, questions.others())):
            for name, question in asked.items():
                if not o.only or o.only in name:
                    measure(o, client, daemon.pid, name, question, verdict, goal)
        if not o.only or o.only == "page":
            page(o, port, path, questions, verdict)
        print(json.dumps({"load": os.getloadavg()[0], "at": datetime.datetime.now().isoformat(timespec="minutes")}), flush=True)
        recording(path, since, cameras, verdict)
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait()


if __name__ == "__main__":
    main()
