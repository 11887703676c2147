"""What players make of the whole time, beside the frames of the clips' own files."""
import collections
import http.server
import json
import os
import shutil
import statistics
import subprocess
import threading

from .clock import CLOCK, FRAME_MS, Frame, clocks, ms, spread, stamp
from .site import CAMERA

AS_THEY_ARE = ["-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1:90000"]


def ffmpeg(*words):
    """What ffmpeg says; it must come to an end."""
    done = subprocess.run(["ffmpeg", "-v", "warning", "-nostdin", "-y", *words], capture_output=True, text=True, check=False,
                          timeout=3600)
    return done.stderr.strip() + ("" if done.returncode == 0 else " (status %d)" % done.returncode)


def hashes(path):
    """Time in seconds and MD5 of the frames in a file of ffmpeg's framemd5."""
    found, base = [], 1 / 90000
    if not os.path.exists(path):
        return found
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#tb 0:"):
                above, below = line.split(":")[1].split("/")
                base = int(above) / int(below)
            elif not line.startswith("#"):
                words = line.replace(" ", "").strip().split(",")
                found.append((int(words[2]) * base, words[5]))
    os.remove(path)
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
    backwards = sum((b.clock or 0) <= (a.clock or 0) for a, b in zip(frames, frames[1:]))
    verdict.say("the clips' own frames", frames and not said and not unread and not twice and not backwards, clips=len(clips),
                frames=len(frames), alike=twice, clocksNotRead=unread, backwards=backwards, said=said[:3])
    return frames


def ends(frames):
    """The numbers of the clips' last frames."""
    return [n for n, frame in enumerate(frames) if n + 1 == len(frames) or frames[n + 1].clip != frame.clip]


def in_time(clips, frames, verdict):
    """Whether the recording's times are those of the camera. A clip has the time at which its first frame arrived: where the
    machine has more to do than it can, this is late, and all of the clip with it."""
    less = [frame.clock - frame.wall for frame in frames]
    offset = statistics.median(less)
    far = {frame.clip: round(one - offset) for one, frame in zip(less, frames) if abs(one - offset) > FRAME_MS}
    verdict.say("the demo's clock less the recording's time, ms", abs(offset) < 500 and not far, minMedianMax=spread(less),
                clipsMoreThanAFrameApart=len(far), those=far)
    last = ends(frames)
    chained = {clip["id"] for clip in clips if clip["chainedTo"]}
    jumps = [[stamp(int(b.wall)), round(b.wall - a.wall - FRAME_MS)] for a, b in ((frames[n], frames[n + 1]) for n in last[:-1])
             if b.clip in chained and abs(b.wall - a.wall - FRAME_MS) > FRAME_MS]
    late = [[stamp(ms(clip["end"])), round(ms(clip["end"]) - frames[n].wall - FRAME_MS)] for clip, n in zip(clips, last, strict=True)
            if abs(ms(clip["end"]) - frames[n].wall - FRAME_MS) > FRAME_MS + 1.5]
    verdict.say("clips end with their last frame, and one that goes on begins there", not jumps and not late, chained=len(chained),
                jumps=len(jumps), firstJumpsMs=jumps[:5], otherEnds=len(late), firstOtherEndsMs=late[:5])
    steps_of = [(a, b.clock - a.clock) for a, b in zip(frames, frames[1:]) if b.clip == a.clip or b.clip in chained]
    lost = [[stamp(a.clock), round(step / FRAME_MS) - 1] for a, step in steps_of if step > 1.5 * FRAME_MS]
    verdict.say("no frame of the camera is missing within a stretch", not lost, places=len(lost), frames=sum(n for _, n in lost),
                first=lost[:5])


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


class Told:
    """The address of a manifest that is told otherwise. ffmpeg 5.1 ends behind a segment of a list that has 20 frames or less, its
    own included, unless it knows the rate of frames: it reads all of the segment to learn it, and takes that end for the end."""

    def __init__(self, text):
        class Handler(http.server.BaseHTTPRequestHandler):
            """Says the text."""

            def do_GET(self):
                """To whoever asks."""
                self.send_response(200)
                self.send_header("Content-Type", "application/dash+xml")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                """Nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return "http://127.0.0.1:%d/play.mpd" % self.server.server_port

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def players(site, frames, span, exact, verdict):
    """Reads the whole time in each way; gives the times of the frames in MP4, if they are those of the clips."""
    movie, path = None, os.path.join(site.folder, "player.md5")
    fields = ["-headers", "Authorization: Bearer %s\r\n" % site.token]
    for where, some in ((" to the last clip's end", exact), ("", span)):
        for name, way, is_closed in (("HLS", "play.m3u8?", False), ("DASH", "play.mpd?", False), ("MP4", "play.mp4?", True)):
            said = ffmpeg("-copyts", *fields, "-i", site.address + CAMERA + way + some, *AS_THEY_ARE, "-f", "framemd5", path)
            movie = compare(name + " in ffmpeg" + where, frames, hashes(path), said, verdict, is_closed)
    manifest = site.get(CAMERA + "play.mpd?" + span)
    if " frameRate=" not in manifest:
        with Told(manifest.replace('"../../', '"%s/v1/' % site.address).replace('id="video"', 'id="video" frameRate="15"')) as address:
            said = ffmpeg("-copyts", *fields, "-i", address, *AS_THEY_ARE, "-f", "framemd5", path)
        compare("DASH in ffmpeg, which is told the frame rate", frames, hashes(path), said, verdict)
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
