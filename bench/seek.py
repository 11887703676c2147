#!/usr/bin/python3
"""Shows that players give the frames of the clips, holes where coverage has them, and at any time the frame of that time.

  seek.py [--vigil PATH] [--minutes 6] [--seeks 200] [--seed 1] [--keep FOLDER] [--no-browser]
A daemon records the demo camera in clips of 20 s, with holes at random moments: recording is disabled, privacy is on, the
daemon is restarted or killed. Then recording is off, and these are compared with the frames of the clips' own files, which
ffmpeg decodes one by one:
- HLS, DASH and MP4 of the whole time by ffmpeg, MP4 by mpv: the same frames by MD5, in order, none missing or twice, at their
  times; also where the time ends with the last clip;
- the holes of the playlists and of the manifest with the clips and with coverage;
- at random times within what was recorded, at the borders of clips and in holes: the picture of the moment, seeks of ffmpeg in
  MP4, and the place in HLS that its EXT-X-START names (ffmpeg 5.1 cannot seek in HLS of fragmented MP4, its own included): the
  demo's clock, read from the picture, is that of the time asked for, within one frame;
- the same times on the page in chromium, which plays HLS by Media Source Extensions; steps on it (Shift and arrow) show each
  frame over borders of clips; it tells holes.
The clock differs from the recording's times by an offset that is measured over all frames; its spread is allowed beside the one
frame. Prints one JSON line a part. Exit status 1 if one failed. `--minutes 0` with `--keep` judges what that folder holds.
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
GLYPHS = {(14, 17, 19, 21, 25, 17, 14): "0", (4, 12, 4, 4, 4, 4, 14): "1", (14, 17, 1, 2, 4, 8, 31): "2",
          (31, 2, 4, 2, 1, 17, 14): "3", (2, 6, 10, 18, 31, 2, 2): "4", (31, 16, 30, 1, 1, 17, 14): "5",
          (6, 8, 16, 30, 17, 17, 14): "6", (31, 1, 2, 4, 8, 8, 8): "7", (14, 17, 17, 14, 17, 17, 14): "8",
          (14, 17, 17, 15, 1, 2, 12): "9", (0, 0, 0, 31, 0, 0, 0): "-", (0,) * 7: " ", (0, 4, 4, 0, 4, 4, 0): ":",
          (0, 0, 0, 0, 0, 12, 12): "."}
Frame = collections.namedtuple("Frame", "wall md5 clock clip")


def clock(pixels):
    """The time in a picture, in milliseconds since 1970; None where it cannot be read."""
    text = ""
    for place in range(23):
        first = CLOCK_WIDTH + 12 * place
        rows = [[pixels[first + 2 * y * CLOCK_WIDTH + 2 * x] > 128 for x in range(5)] for y in range(7)]
        text += GLYPHS.get(tuple(sum(dot << (4 - x) for x, dot in enumerate(row)) for row in rows), "?")
    return ms(text.replace(" ", "T") + "Z") if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}", text) else None


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
    whole = datetime.datetime.fromtimestamp(moment // 1000, datetime.timezone.utc)
    return whole.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment % 1000)


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
            file.write("storage: { root: %s }\nsocket: %s/s\nhttp: { listen: 127.0.0.1:%d }\ntimezone: UTC\n"
                       "policies: [ policies/ ]\ncameras:\n  demo: { main: demo, policy: all }\n"
                       % (self.root, folder, self.port))
        self.daemon = self.token = None
        self.start()

    def start(self):
        """Starts the daemon, until it answers."""
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.daemon = subprocess.Popen([self.vigil, "run", "--config", os.path.join(self.folder, "vigil.yaml")],
                                           stdout=log, stderr=log)
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
    done = subprocess.run(["ffmpeg", "-v", "warning", "-nostdin", "-y", *words], capture_output=True, text=True, check=False,
                          timeout=3600)
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
    """The demo's clock less the recording's time in milliseconds, and how far a frame is from that at most."""
    less = [frame.clock - frame.wall for frame in frames]
    offset = statistics.median(less)
    far = max(abs(one - offset) for one in less)
    good = abs(offset) < 500 and far <= FRAME_MS
    verdict.say("the demo's clock less the recording's time, ms", good, minMedianMax=spread(less))
    return offset, far


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


def players(site, frames, span, exact, verdict):
    """Reads the whole time in each way; gives the times of the frames in MP4, if they are those of the clips."""
    movie, path = None, os.path.join(site.folder, "player.md5")
    fields = ["-headers", "Authorization: Bearer %s\r\n" % site.token]
    for where, some in ((" to the last clip's end", exact), ("", span)):
        for name, way, is_closed in (("HLS", "play.m3u8?", False), ("DASH", "play.mpd?", False), ("MP4", "play.mp4?", True)):
            said = ffmpeg("-copyts", *fields, "-i", site.address + CAMERA + way + some, *AS_THEY_ARE, "-f", "framemd5", path)
            movie = compare(name + " in ffmpeg" + where, frames, hashes(path), said, verdict, is_closed)
    if shutil.which("mpv"):
        done = subprocess.run(
            ["mpv", "--no-config", "--no-audio", "--http-header-fields=Authorization: Bearer " + site.token, "--o=" + path,
             "--of=framemd5", "--ovc=rawvideo", "--msg-level=all=warn", site.address + CAMERA + "play.mp4?" + span],
            capture_output=True, text=True, check=False, timeout=3600)
        said = "" if done.returncode == 0 else (done.stdout + done.stderr).strip()
        compare("MP4 in mpv", frames, hashes(path), said, verdict, True)
    else:
        print(json.dumps({"check": "MP4 in mpv", "leftOut": "mpv is not installed"}))
    return movie


def stretches_of(clips):
    """What was recorded without a hole, as begin and end in milliseconds."""
    found = []
    for clip in clips:
        begin, end = ms(clip["start"]), ms(clip["end"])
        if found and begin - found[-1][1] <= 1:
            found[-1][1] = end
        else:
            found.append([begin, end])
    return found


def listed(text):
    """The stretches of an HLS playlist: begin and end in milliseconds; and how many discontinuities it has."""
    found = []
    for line in text.splitlines():
        if line.startswith("#EXT-X-PROGRAM-DATE-TIME:"):
            begin = ms(line.split(":", 1)[1])
            found.append([begin, begin])
        elif line.startswith("#EXTINF:"):
            found[-1][1] += float(line[8:].split(",")[0]) * 1000
    return found, text.count("#EXT-X-DISCONTINUITY\n")


def apart(name, wanted, got, verdict, **facts):
    """Whether stretches begin to the millisecond, and end within a frame, as those of the clips do."""
    begins = [b[0] - a[0] for a, b in zip(wanted, got)]
    late = [[stamp(a[0]), round(b[0] - a[0], 1)] for a, b in zip(wanted, got) if abs(b[0] - a[0]) > 1.5]
    ends = [b[1] - a[1] for a, b in zip(wanted, got)]
    good = len(wanted) == len(got) and not late and max(abs(end) for end in ends) <= FRAME_MS + 1.5
    verdict.say(name, good, wanted=len(wanted), found=len(got), beginLessClipsMs=spread(begins), endLessClipsMs=spread(ends),
                otherBegins=len(late), firstOtherBegins=late[:5], **facts)


def holes(site, clips, span, verdict):
    """Coverage, the playlists and the manifest against the clips."""
    told = json.loads(site.get(CAMERA + "coverage?" + span))["stretches"]
    covered = []
    for one in told:
        if one["label"] == "recorded" and covered and covered[-1][1] == ms(one["from"]):
            covered[-1][1] = ms(one["to"])
        elif one["label"] == "recorded":
            covered.append([ms(one["from"]), ms(one["to"])])
    whole = stretches_of(clips)
    labels = sorted({str(one["label"]) for one in told})
    differ = [[stamp(a[0]), stamp(a[1]), stamp(b[0]), stamp(b[1])] for a, b in zip(whole, covered) if a != b]
    verdict.say("coverage has the holes of the clips", len(whole) == len(covered) and not differ, holes=len(whole) - 1,
                labels=labels, differ=differ[:5])
    single = [[ms(clip["start"]), ms(clip["end"])] for clip in clips]
    for kind in ("video", "audio"):
        found, breaks = listed(site.get(CAMERA + "play/%s.m3u8?%s" % (kind, span)))
        if kind == "video":
            apart("holes of HLS", single, found, verdict, discontinuities=breaks)
        else:
            verdict.say("holes of HLS, sound", breaks == len(single) - 1, stretches=len(found), discontinuities=breaks)
    # The manifest's time line is that of the first clip; holes of less than half a second are closed on it.
    manifest = site.get(CAMERA + "play.mpd?" + span).split('contentType="audio"')[0]
    line = []
    for text in re.findall(r"<S [^>]*>", manifest):
        at, length, more = (int((re.search(r'\b%s="(\d+)"' % name, text) or [0, 0])[1]) for name in "tdr")
        begin, end = at / 90 + whole[0][0], (at + length * (more + 1)) / 90 + whole[0][0]
        if line and begin - line[-1][1] <= 1:
            line[-1][1] = end
        else:
            line.append([begin, end])
    wide = []
    for clip in clips:
        begin, length = ms(clip["start"]), next(track["durationMs"] for track in clip["tracks"] if track["kind"] == "video")
        if wide and begin - wide[-1][1] < 500:
            wide[-1][1] += length
        else:
            wide.append([begin, begin + length])
    apart("holes of DASH", wide, line, verdict, periods=manifest.count("<Period "))


class Asked:
    """What was shown at the moments that were asked for."""

    def __init__(self, frames, offset, far):
        self.frames, self.offset, self.allowed = frames, offset, FRAME_MS + 1 + far
        self.walls = [frame.wall for frame in frames]
        self.numbers = {frame.clock: n for n, frame in enumerate(frames)}

    def shown(self, at):
        """The number of the frame that is shown at a moment."""
        return max(0, bisect.bisect_right(self.walls, at + 0.5) - 1)

    def judge(self, name, times, clocks_read, verdict, after=0, **facts):
        """Deviations of the clocks from the times; `after`: the frame may be the one that comes next instead."""
        late, outside, other, unread = [], [], 0, 0
        for at, read in zip(times, clocks_read, strict=True):
            if read is None:
                unread += 1
                continue
            late.append(read - self.offset - at)
            if abs(late[-1]) > self.allowed:
                outside.append([stamp(at), round(late[-1], 1)])
            very = {self.shown(at + shift) + more for shift in (-1.5, 0, 1.5) for more in (0, after)}
            other += self.numbers.get(read) not in very
        verdict.say(name, times and not unread and not outside and not other, asked=len(times), notRead=unread,
                    outsideOneFrame=len(outside), notTheVeryFrame=other, clockLessTimeMs=spread(late), firstOutside=outside[:5],
                    **facts)


def moments(frames, number, dice):
    """Random times within what was recorded; behind each frame comes another one without a hole."""
    last = {n for n, (a, b) in enumerate(zip(frames, frames[1:])) if b.wall - a.wall > 1.5 * FRAME_MS}
    usable = [n for n in range(len(frames) - 1) if n not in last]
    return sorted(int(frames[n].wall + dice.random() * FRAME_MS) for n in dice.choices(usable, k=number))


def pictures(site, times):
    """Status, time of the frame and clock of the pictures of those moments."""
    folder, answers = os.path.join(site.folder, "pictures"), []
    os.makedirs(folder, exist_ok=True)
    for at in times:
        status, fields, body = site.ask(CAMERA + "picture?width=640&at=" + stamp(at))
        answers.append([status, ms(fields["Vigil-At"]) if status == 200 else None, None])
        if status == 200:
            with open(os.path.join(folder, "%05d.jpg" % sum(one[0] == 200 for one in answers)), "wb") as file:
                file.write(body)
    if any(one[0] == 200 for one in answers):
        ffmpeg("-i", os.path.join(folder, "%05d.jpg"), "-fps_mode", "passthrough", "-vf", CLOCK, "-f", "rawvideo",
               folder + ".gray")
        for one, shown in zip([one for one in answers if one[0] == 200], clocks(folder + ".gray"), strict=True):
            one[2] = shown
        os.remove(folder + ".gray")
    shutil.rmtree(folder)
    return answers


def ask_pictures(site, clips, asked, times, dice, verdict):
    """The route of pictures: at random times, at the borders of clips, in holes."""
    chained = {clip["id"] for clip in clips if clip["chainedTo"]}
    edges = sorted(ms(clip["start"]) + more for clip in clips for more in (0, 1, 40))
    edges += [ms(clip["start"]) - 1 for clip in clips if clip["id"] in chained]
    edges += [ms(clip["end"]) - 1 for clip in clips]
    for name, some in (("the picture of a random time", times), ("the picture at the borders of clips", edges)):
        answers = pictures(site, some)
        own = [at - asked.frames[asked.numbers[read]].wall for _, at, read in answers if read in asked.numbers]
        asked.judge(name, some, [one[2] for one in answers], verdict, vigilAtLessFramesTimeMs=spread(own),
                    status=dict(collections.Counter(str(one[0]) for one in answers)),
                    inChainedClips=sum(asked.frames[asked.shown(at)].clip in chained for at in some))
    whole = stretches_of(clips)
    gaps = [(a[1] + FRAME_MS + 2, b[0] - 1) for a, b in zip(whole, whole[1:]) if b[0] - a[1] > FRAME_MS + 10]
    inside = [int(dice.uniform(*gap)) for gap in gaps for _ in range(3)] + [int(gap[1]) for gap in gaps]
    statuses = collections.Counter(str(one[0]) for one in pictures(site, inside))
    verdict.say("no picture in a hole", set(statuses) == {"404"}, asked=len(inside), status=dict(statuses))


def first_clock(site, way, before, after):
    """The clock of the first frame that ffmpeg gives, with words before and after its input."""
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-headers", "Authorization: Bearer %s\r\n" % site.token, *before,
         "-i", site.address + CAMERA + way, *after, "-map", "0:v:0", "-frames:v", "1", "-vf", CLOCK, "-f", "rawvideo", "-"],
        capture_output=True, check=False, timeout=120)
    return clock(done.stdout) if len(done.stdout) == CLOCK_WIDTH * CLOCK_HEIGHT else None


def seeks(site, asked, times, span, movie, verdict):
    """Seeks of ffmpeg in the movie of the whole time; and where HLS says that players begin."""
    if movie:
        found = []
        for at in times:
            n = asked.shown(at)
            found.append(first_clock(site, "play.mp4?" + span, ["-ss", "%.6f" % ((movie[n] + at - asked.walls[n]) / 1000)], []))
        asked.judge("a seek of ffmpeg in MP4", times, found, verdict, after=1)
    else:
        verdict.say("a seek of ffmpeg in MP4", False, why="the movie has other frames")
    found = []
    for at in times:
        way = "play/video.m3u8?from=%s&to=%s" % (stamp(at), stamp(at + 1000))
        wish = re.search(r"#EXT-X-START:TIME-OFFSET=([0-9.]+)", site.get(CAMERA + way))
        found.append(first_clock(site, way, [], ["-ss", wish[1] if wish else "0"]))
    asked.judge("the begin of HLS in ffmpeg", times, found, verdict, after=1)


VIDEO = "document.querySelector('.screen video')"
PIXELS = ("(() => { const v = %s; if (!v || v.readyState < 2 || v.seeking || v.currentTime < 1000) return null;"
          " const c = document.createElement('canvas'); c.width = %d; c.height = %d; const x = c.getContext('2d');"
          " x.drawImage(v, 4, 4, c.width, c.height, 0, 0, c.width, c.height);"
          " const bytes = [...x.getImageData(0, 0, c.width, c.height).data];"
          " return bytes.filter((_, n) => n %% 4 == 1).map((byte) => byte > 128 ? 1 : 0).join(''); })()"
          % (VIDEO, CLOCK_WIDTH, CLOCK_HEIGHT))


def in_browser():
    """Runs where playwright is, and tells the clocks that the page shows, while its video is kept from playing by itself."""
    sys.path.insert(0, os.path.join(HERE, "..", "Tests", "page"))
    from browsers import Chromium
    wish = json.load(sys.stdin)
    browser = Chromium(wish["address"])

    def look(before=None, seconds=8):
        """The clock once it stands still and is another one than before; None where that does not come."""
        until, last = time.monotonic() + seconds, None
        while time.monotonic() < until:
            found = browser.js(PIXELS)
            read = found and clock([255 * int(dot) for dot in found])
            if read and read == last and read != before:
                return read
            last = read
            time.sleep(0.03)
        return None

    def go(at):
        browser.go("/camera/demo?zoom=300&t=" + urllib.parse.quote(stamp(at)))

    browser.go(wish["link"][len(wish["address"]):])
    browser.has(".side nav", "the page after the login")
    browser.context.add_init_script("HTMLMediaElement.prototype.play = () => Promise.resolve()")
    result = {"seeks": [], "steps": [], "holes": [], "presses": 0}
    for at in wish["seeks"]:
        go(at)
        result["seeks"].append(look())
    for at in wish["steps"]:
        go(at)
        found = [look()]
        for _ in range(wish["count"]):
            read = None
            for _ in range(8):
                browser.key("Shift+ArrowRight")
                result["presses"] += 1
                read = look(found[-1], 0.7)
                if read:
                    break
            found.append(read)
        result["steps"].append(found)
    for at in wish["holes"]:
        go(at)
        try:
            result["holes"].append(browser.until("document.querySelector('.veil:not([hidden])')?.textContent", "it is told", 8))
        except AssertionError:
            result["holes"].append(None)
    browser.close()
    print(json.dumps(result))


def page(site, clips, asked, times, dice, verdict):
    """The page in chromium."""
    python = os.path.join(HERE, "..", ".build", "page-venv", "bin", "python")
    if not os.path.exists(python) or not shutil.which("chromium"):
        print(json.dumps({"check": "the page", "leftOut": "no chromium, or no .build/page-venv, which `make page` makes"}))
        return
    link = re.search(r"http://\S+/#login=\S+", site.do("token", "link"))[0]
    whole = stretches_of(clips)
    gaps = [[a[1] + FRAME_MS + 200, b[0] - 200] for a, b in zip(whole, whole[1:]) if b[0] - a[1] > 1000]
    inside = [int(dice.uniform(*gap)) for gap in gaps[:5]]
    borders = [clip["start"] for clip in clips if clip["chainedTo"]]
    begins = [ms(start) - 500 for start in dice.sample(borders, min(3, len(borders)))]
    wish = {"address": site.address, "link": link, "seeks": times, "steps": begins, "count": 15, "holes": inside}
    done = subprocess.run([python, os.path.abspath(__file__), "--in-browser"], input=json.dumps(wish), capture_output=True,
                          text=True, check=False, timeout=3600)
    if done.returncode != 0:
        verdict.say("the page", False, said=done.stderr[-500:])
        return
    seen = json.loads(done.stdout)
    asked.judge("a time on the page", times, seen["seeks"], verdict)
    wrong = []
    for begin, found in zip(begins, seen["steps"]):
        first = asked.numbers.get(found[0])
        wanted = [] if first is None else [frame.clock for frame in asked.frames[first:first + len(found)]]
        if found != wanted:
            place = next((n for n, (a, b) in enumerate(zip(found, wanted)) if a != b), 0)
            part = slice(max(0, place - 1), place + 3)
            wrong.append({"from": stamp(begin), "step": place, "shown": [one and stamp(one) for one in found[part]],
                          "wanted": [stamp(one) for one in wanted[part]]})
    verdict.say("frame by frame over borders of clips on the page", bool(begins) and not wrong, borders=len(begins),
                frames=wish["count"], presses=seen["presses"], wrong=wrong)
    verdict.say("holes are told on the page", inside and all(seen["holes"]), asked=len(inside),
                words=sorted({str(words)[:60] for words in seen["holes"]}))


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
    exact = "from=%s&to=%s" % (clips[0]["start"], clips[-1]["end"])
    span = "from=%s&to=%s" % (clips[0]["start"], stamp(ms(clips[-1]["end"]) + 2000))
    time.sleep(3)
    frames = reference(site, clips, verdict)
    offset, far = offset_of(frames, verdict)
    holes(site, clips, span, verdict)
    movie = players(site, frames, span, exact, verdict)
    asked, times = Asked(frames, offset, far), moments(frames, o.seeks, dice)
    ask_pictures(site, clips, asked, times, dice, verdict)
    seeks(site, asked, times, span, movie, verdict)
    if not o.no_browser:
        page(site, clips, asked, times, dice, verdict)


if __name__ == "__main__":
    if sys.argv[1:] == ["--in-browser"]:
        in_browser()
    else:
        main()
