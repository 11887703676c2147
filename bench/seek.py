#!/usr/bin/python3
"""Shows that players give the frames of the clips, holes where coverage has them, and at any time asked for the frame of that time.

  seek.py [--vigil PATH] [--minutes 6] [--seeks 200] [--seed 1] [--keep FOLDER] [--no-browser]
A daemon records the demo camera in clips of 20 s, with holes at random moments: recording is disabled, privacy is on, the daemon is
restarted or killed. Then recording is off, and these are compared with the frames of the clips' own files, decoded by ffmpeg:
- HLS, DASH and MP4 of the whole time by ffmpeg, MP4 by mpv: the same frames by MD5, in order, none missing or twice, and their times;
- the holes of the playlists and of the manifest with the clips and with coverage;
- at random times within what was recorded, at the borders of clips and in holes: the picture of the moment, and seeks of ffmpeg in
  MP4 and HLS: the demo's clock, read from the picture, is that of the time asked for, within one frame;
- the same times on the page in chromium, and its step from frame to frame over a hole and over a border of two clips.
The clock differs from the recording's times by an offset that is measured over all frames. Prints one JSON line a part. Exit status
1 if one failed. `--minutes 0` with `--keep` judges what that folder holds already.
Packages: ffmpeg mpv chromium
"""
import argparse
import bisect
import collections
import datetime
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from record import HERE, Verdict

FRAME_MS = 1000 / 15
CAMERA = "/v1/cameras/demo/"
# The clock: 23 characters of 5 by 7 dots, each dot 2 by 2 pixels, one character each 12 pixels, from (4, 4) on.
CLOCK_WIDTH, CLOCK_HEIGHT = 276, 14
CLOCK = "crop=%d:%d:4:4:exact=1,format=gray" % (CLOCK_WIDTH, CLOCK_HEIGHT)
DOTS = {"0": (14, 17, 19, 21, 25, 17, 14), "1": (4, 12, 4, 4, 4, 4, 14), "2": (14, 17, 1, 2, 4, 8, 31), "3": (31, 2, 4, 2, 1, 17, 14),
        "4": (2, 6, 10, 18, 31, 2, 2), "5": (31, 16, 30, 1, 1, 17, 14), "6": (6, 8, 16, 30, 17, 17, 14), "7": (31, 1, 2, 4, 8, 8, 8),
        "8": (14, 17, 17, 14, 17, 17, 14), "9": (14, 17, 17, 15, 1, 2, 12), "-": (0, 0, 0, 31, 0, 0, 0), " ": (0,) * 7,
        ":": (0, 4, 4, 0, 4, 4, 0), ".": (0, 0, 0, 0, 0, 12, 12)}
GLYPHS = {dots: character for character, dots in DOTS.items()}
Frame = collections.namedtuple("Frame", "wall md5 clock clip")


def clock(pixels):
    """The time in a picture, in milliseconds since 1970; None where it cannot be read."""
    text = ""
    for place in range(23):
        dots = tuple(sum((pixels[(2 * y + 1) * CLOCK_WIDTH + 12 * place + 2 * x] > 128) << (4 - x) for x in range(5)) for y in range(7))
        text += GLYPHS.get(dots, "?")
    return None if "?" in text else ms(text.replace(" ", "T") + "Z")


def clocks(path):
    """The times in a file of pictures."""
    size = CLOCK_WIDTH * CLOCK_HEIGHT
    with open(path, "rb") as file:
        return [clock(pixels) for pixels in iter(lambda: file.read(size), b"")]


def ms(text):
    """Milliseconds since 1970 of a time in RFC 3339."""
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def stamp(moment):
    """A time in RFC 3339 of milliseconds since 1970."""
    return datetime.datetime.fromtimestamp(moment // 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment % 1000)


def spread(values):
    """Least, median and most, rounded."""
    found = [value for value in values if value is not None]
    return [round(v, 2) for v in (min(found), statistics.median(found), max(found))] if found else None


class Site:
    """`vigil run` with the demo camera in a folder of its own."""

    def __init__(self, vigil, folder):
        self.vigil, self.folder, self.root = vigil, folder, os.path.join(folder, "data")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = "http://127.0.0.1:%d" % self.port
        os.makedirs(os.path.join(folder, "policies"), exist_ok=True)
        with open(os.path.join(folder, "policies", "all.yaml"), "w", encoding="utf-8") as file:
            file.write("name: all\nrecording: { mode: continuous, clipLength: 20s }\n")
        with open(os.path.join(folder, "vigil.yaml"), "w", encoding="utf-8") as file:
            file.write("storage: { root: %s }\nsocket: %s/s\nhttp: { listen: 127.0.0.1:%d }\ntimezone: UTC\npolicies: [ policies/ ]\n"
                       "cameras:\n  demo: { main: demo, policy: all }\n" % (self.root, folder, self.port))
        self.daemon = self.token = None
        self.start()

    def start(self):
        """Starts the daemon, until it answers."""
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.daemon = subprocess.Popen([self.vigil, "run", "--config", os.path.join(self.folder, "vigil.yaml")], stdout=log, stderr=log)
        until = time.monotonic() + 60
        while subprocess.run(self.words("state", "demo"), capture_output=True, check=False).returncode != 0:
            if time.monotonic() > until or self.daemon.poll() is not None:
                raise SystemExit("the daemon does not answer: %s/log" % self.folder)
            time.sleep(0.1)
        if self.token is None:
            self.do("token", "revoke", "seek", check=False)
            self.token = self.do("token", "create", "seek", "--role", "viewer").strip()

    def end(self, how=signal.SIGTERM):
        """Ends the daemon."""
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(how)
            self.daemon.wait(60)

    def words(self, *words):
        """A command to the daemon."""
        return [self.vigil, *words, "--socket", os.path.join(self.folder, "s")]

    def do(self, *words, check=True):
        """Runs one; gives what it printed."""
        return subprocess.run(self.words(*words), capture_output=True, text=True, check=check).stdout

    def ask(self, path):
        """Status, fields and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers={"Authorization": "Bearer " + self.token})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def get(self, path):
        """The body of an answer that must be good."""
        status, _, body = self.ask(path)
        if status != 200:
            raise SystemExit("%s: %d %s" % (path, status, body.decode(errors="replace")))
        return body.decode()


def record(site, minutes, dice):
    """Records with holes; gives how they were made."""
    total, kinds = minutes * 60, ["disable", "privacy", "restart", "kill"]
    number = max(6, int(minutes))
    made = [kinds[n % len(kinds)] for n in range(number)]
    dice.shuffle(made)
    begin = time.monotonic()
    for n, kind in enumerate(made):
        time.sleep(max(0, begin + total * (n + dice.uniform(0.3, 0.9)) / number - time.monotonic()))
        length = dice.choice([0.1, dice.uniform(0.5, 12), dice.uniform(0.5, 12)])
        if kind == "disable":
            site.do("disable", "demo")
            time.sleep(length)
            site.do("enable", "demo")
        elif kind == "privacy":
            site.do("privacy", "demo", "on")
            time.sleep(length)
            site.do("privacy", "demo", "off")
        else:
            site.end(signal.SIGTERM if kind == "restart" else signal.SIGKILL)
            time.sleep(length)
            site.start()
    time.sleep(max(0, begin + total - time.monotonic()))
    return dict(collections.Counter(made))


def clips_of(site):
    """The clips, oldest first, once all have ended."""
    site.do("disable", "demo")
    until = time.monotonic() + 30
    while time.monotonic() < until:
        clips = json.loads(site.get("/v1/clips?camera=demo&limit=-1"))
        if clips and all(clip["ended"] for clip in clips):
            return clips
        time.sleep(0.2)
    raise SystemExit("a clip does not end")


def ffmpeg(*words):
    """What ffmpeg says; it must come to an end."""
    done = subprocess.run(["ffmpeg", "-v", "warning", "-nostdin", "-y", *words], capture_output=True, text=True, check=False, timeout=3600)
    return done.stderr.strip() + ("" if done.returncode == 0 else " (status %d)" % done.returncode)


AS_THEY_ARE = ["-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1:90000"]


def hashes(path):
    """Time in seconds and MD5 of the frames in a file of ffmpeg's framemd5."""
    found, base = [], 1 / 90000
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#tb 0:"):
                above, below = line.split(":")[1].split("/")
                base = int(above) / int(below)
            elif not line.startswith("#"):
                words = line.replace(" ", "").strip().split(",")
                found.append((int(words[2]) * base, words[5]))
    return found


def reference(site, clips, verdict):
    """The frames of the clips' own files, in order."""
    frames, said, unread = [], [], 0
    sums, pictures = os.path.join(site.folder, "clip.md5"), os.path.join(site.folder, "clip.gray")
    for clip in clips:
        path = next(track["path"] for track in clip["tracks"] if track["kind"] == "video")
        words = ffmpeg("-i", os.path.join(site.root, path), *AS_THEY_ARE, "-f", "framemd5", sums,
                       *AS_THEY_ARE, "-vf", CLOCK, "-f", "rawvideo", pictures)
        said += [words] if words else []
        for (at, md5), shown in zip(hashes(sums), clocks(pictures), strict=True):
            frames.append(Frame(ms(clip["start"]) + at * 1000, md5, shown, clip["id"]))
            unread += shown is None
    os.remove(pictures)
    twice = len(frames) - len({frame.md5 for frame in frames})
    backwards = sum(b.wall <= a.wall or (b.clock or 0) <= (a.clock or 0) for a, b in zip(frames, frames[1:]))
    verdict.say("the clips' own frames", frames and not said and not unread and not twice and not backwards, clips=len(clips),
                frames=len(frames), alike=twice, clocksNotRead=unread, backwards=backwards, said=said[:3])
    return frames


def offset_of(frames, verdict):
    """The demo's clock less the recording's time, in milliseconds."""
    apart = [frame.clock - frame.wall for frame in frames]
    offset = statistics.median(apart)
    firsts = [n for n, frame in enumerate(frames) if n == 0 or frames[n - 1].clip != frame.clip]
    verdict.say("the demo's clock less the recording's time, ms", abs(offset) < 500 and max(abs(a - offset) for a in apart) <= FRAME_MS,
                minMedianMax=spread(apart), firstFramesOfClips=spread([apart[n] for n in firsts]))
    return offset


def steps(frames):
    """The wall times at which a player's time line may be: of each clip, what the docs let it be shifted, in milliseconds."""
    shifts, end, begin = {}, None, frames[0].wall
    for n, frame in enumerate(frames):
        if frame.clip not in shifts:
            gap = None if end is None else frame.wall - begin - end
            shifts[frame.clip] = 0 if gap is None or gap >= 500 else -gap
        if n + 1 == len(frames) or frames[n + 1].clip != frame.clip:
            end = frame.wall - begin + shifts[frame.clip] + FRAME_MS
    return shifts


def compare(name, frames, got, said, verdict, is_closed=False, has_times=True):
    """Whether a player's frames are those of the clips; gives its time of each frame in milliseconds, if they are."""
    wanted, seen = [frame.md5 for frame in frames], [md5 for _, md5 in got]
    counts = collections.Counter(seen)
    missing = [n for n, md5 in enumerate(wanted) if md5 not in counts]
    first = next((n for n, (a, b) in enumerate(zip(wanted, seen)) if a != b), None)
    facts = {"frames": len(seen), "missing": len(missing), "twice": sum(count - 1 for count in counts.values()),
             "foreign": sum(md5 not in set(wanted) for md5 in counts), "inOrder": seen == wanted}
    if missing:
        facts["missingAt"] = [stamp(int(frames[n].wall)) for n in missing[:5]]
    if first is not None:
        facts["firstDifference"] = [first, stamp(int(frames[first].wall))]
    good = seen == wanted
    times = [(at - got[0][0]) * 1000 for at, _ in got] if good else None
    if good and has_times and not is_closed:
        shifts = steps(frames)
        late = [at - (frame.wall - frames[0].wall + shifts[frame.clip]) for at, frame in zip(times, frames)]
        facts["timeLessWallMs"] = spread([at - (frame.wall - frames[0].wall) for at, frame in zip(times, frames)])
        facts["timeLessPromisedMs"] = spread(late)
        good = max(abs(value) for value in late) <= 2
    elif good and has_times:
        facts["stepMs"] = spread([b - a for a, b in zip(times, times[1:])])
        good = facts["stepMs"][0] > 0 and facts["stepMs"][2] < 3 * FRAME_MS
    verdict.say(name, good, **facts, said=said[:300] or None)
    return times


def players(site, frames, span, verdict):
    """Reads the whole time in each way; gives the times of the frames in MP4 and in HLS without holes."""
    found, path = {}, os.path.join(site.folder, "player.md5")
    fields = ["-headers", "Authorization: Bearer %s\r\n" % site.token]
    ways = [("HLS", "play.m3u8?" + span, ["-copyts"], False), ("HLS without holes", "play.m3u8?skipHoles=true&" + span, ["-copyts"], True),
            ("DASH", "play.mpd?" + span, ["-copyts"], False), ("MP4", "play.mp4?" + span, [], True)]
    for name, way, more, is_closed in ways:
        said = ffmpeg(*more, *fields, "-i", site.address + CAMERA + way, *AS_THEY_ARE, "-f", "framemd5", path)
        found[name] = compare(name + " in ffmpeg", frames, hashes(path), said, verdict, is_closed)
    if shutil.which("mpv"):
        done = subprocess.run(
            ["mpv", "--no-config", "--no-audio", "--http-header-fields=Authorization: Bearer " + site.token, "--o=" + path,
             "--of=framemd5", "--ovc=rawvideo", "--msg-level=all=warn", site.address + CAMERA + "play.mp4?" + span],
            capture_output=True, text=True, check=False, timeout=3600)
        said = "" if done.returncode == 0 else (done.stdout + done.stderr).strip()
        compare("MP4 in mpv", frames, hashes(path), said, verdict, True)
    else:
        print(json.dumps({"check": "MP4 in mpv", "leftOut": "mpv is not installed"}))
    return found


def main():
    """Records, reads and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--seeks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--no-browser", action="store_true")
    o = parser.parse_args()
    folder = os.path.abspath(o.keep or tempfile.mkdtemp(prefix="vigil-seek-"))
    os.makedirs(folder, exist_ok=True)
    verdict, dice = Verdict(), random.Random(o.seed)
    site = Site(o.vigil, folder)
    try:
        if o.minutes:
            site.do("enable", "demo")
            verdict.say("recorded", True, minutes=o.minutes, holes=record(site, o.minutes, dice))
        judge(o, site, dice, verdict)
    finally:
        site.end()
    verdict.end(folder, o.keep)


def judge(o, site, dice, verdict):
    """All parts."""
    clips = clips_of(site)
    span = "from=%s&to=%s" % (clips[0]["start"], clips[-1]["end"])
    frames = reference(site, clips, verdict)
    offset = offset_of(frames, verdict)
    players(site, frames, span, verdict)


if __name__ == "__main__":
    main()
