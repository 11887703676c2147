"""The holes of coverage, playlists and the manifest beside those of the clips."""
import json
import re

from .clock import FRAME_MS, ms, spread, stamp
from .site import CAMERA


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
    lengths = [next(track["durationMs"] for track in clip["tracks"] if track["kind"] == "video") for clip in clips]
    single = [[ms(clip["start"]), ms(clip["start"]) + length] for clip, length in zip(clips, lengths)]
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
    for clip, length in zip(clips, lengths):
        begin = ms(clip["start"])
        if wide and begin - wide[-1][1] < 500:
            wide[-1][1] += length
        else:
            wide.append([begin, begin + length])
    apart("holes of DASH", wide, line, verdict, periods=manifest.count("<Period "))
