"""What is shown at a time that is asked for: pictures, and seeks of ffmpeg."""
import bisect
import collections
import os
import re
import shutil
import subprocess

from .clock import CLOCK, CLOCK_HEIGHT, CLOCK_WIDTH, FRAME_MS, clock, clocks, ms, spread, stamp
from .lists import stretches_of
from .players import ends, ffmpeg
from .site import CAMERA


class Asked:
    """What was shown at the moments that were asked for."""

    def __init__(self, frames):
        self.frames, self.allowed = frames, FRAME_MS + 1.5
        self.walls = [frame.wall for frame in frames]
        self.numbers = {frame.clock: n for n, frame in enumerate(frames)}
        self.last = ends(frames)
        self.starts = [frames[n].wall for n in [0] + [n + 1 for n in self.last[:-1]]]

    def shown(self, at):
        """The number of the frame that is shown at a moment: of the clip that began last, for one may end behind its begin."""
        clip = max(0, bisect.bisect_right(self.starts, at + 0.5) - 1)
        first = self.last[clip - 1] + 1 if clip else 0
        return max(first, bisect.bisect_right(self.walls, at + 0.5, first, self.last[clip] + 1) - 1)

    def very(self, at, after=0):
        """The numbers of the frames that may be shown at a moment, which is known to a millisecond or so."""
        return {self.shown(at + shift) + more for shift in (-1.5, 0, 1.5) for more in (0, after)}

    def judge(self, name, times, clocks_read, verdict, after=0, **facts):
        """Deviations of the frames from the times; `after`: the frame may be the one that comes next instead."""
        late, outside, other, unread = [], [], 0, 0
        for at, read in zip(times, clocks_read, strict=True):
            if read not in self.numbers:
                unread += 1
                continue
            late.append(self.walls[self.numbers[read]] - at)
            if abs(late[-1]) > self.allowed:
                outside.append([stamp(at), round(late[-1], 1)])
            other += self.numbers.get(read) not in self.very(at, after)
        verdict.say(name, times and not unread and not outside and not other, asked=len(times), notRead=unread,
                    outsideOneFrame=len(outside), notTheVeryFrame=other, frameLessTimeMs=spread(late), firstOutside=outside[:5],
                    **facts)


def moments(frames, number, dice):
    """Random times within what was recorded; behind each frame comes another one without a hole, and no clip begins before."""
    usable, begin = [], frames[-1].wall
    for n in range(len(frames) - 2, -1, -1):
        if frames[n + 1].clip != frames[n].clip:
            begin = frames[n + 1].wall
        if frames[n + 1].wall - frames[n].wall < 1.5 * FRAME_MS and frames[n].wall + FRAME_MS < begin + 10:
            usable.append(n)
    usable.reverse()
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
    # A clip's last moment; where the next one goes on from it, that before its begin. Where that came late, there is a hole.
    final = [min(asked.walls[n] + FRAME_MS, ms(clip["end"])) for clip, n in zip(clips, asked.last, strict=True)]
    begins = [ms(clip["start"]) if clip["id"] in chained else final[-1] + 1e6 for clip in clips[1:]] + [final[-1] + 1e6]
    edges += [int(min(end, begin)) - 1 for end, begin in zip(final, begins)]
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
