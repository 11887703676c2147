"""Judges clips: each frame by its stamp against what the camera sent, and each event's clips against the event."""
import collections
import os
import subprocess
import sys

from record import RIG

sys.path.insert(0, RIG)
import mp4      # noqa: E402
import nal      # noqa: E402

GOP_MS = 2000           # the cameras' distance of key frames
SLACK_MS = 500          # a frame between camera and daemon, a deed between bench and daemon
CLEAR = ("street",)     # cameras whose policy has no blind time and whose movement goes far beyond the limit
FIRST = 5               # of many faults


def recorded(one, verdict):
    """The frames of the clips against those that the camera sent, and against the events."""
    last_of_run, first_of_run, wrong, total, previous = {}, {}, [], 0, None
    for index, (_, _, run) in one.sent.items():
        first_of_run.setdefault(run, index)
        last_of_run[run] = index
    for clip in one.clips:
        stamps, faults = frames(one, clip)
        total += len(stamps)
        wrong += faults
        clip["first"], clip["last"] = (stamps[0], stamps[-1]) if stamps else (None, None)
        if previous and stamps and stamps[0] <= previous["last"]:
            wrong.append("clip %d begins with frame %d, clip %d ended with %d" % (
                clip["id"], stamps[0], previous["id"], previous["last"]))
        # What a camera sends to a new client begins anew, whatever it sent before.
        follows = bool(previous and stamps and stamps[0] == previous["last"] + 1 and stamps[0] != first_of_run[one.sent[stamps[0]][2]])
        if follows != (previous is not None and clip["chained_to"] == previous["id"]) or (clip["chained_to"] and not follows):
            wrong.append("clip %d: chained to %s, and follows: %s" % (clip["id"], clip["chained_to"], follows))
        previous = clip
    verdict.say("each frame is kept as it was sent, and once", total and not wrong, camera=one.camera, sent=len(one.sent), recorded=total,
                clips=len(one.clips), chained=sum(1 for c in one.clips if c["chained_to"]), wrong=wrong[:FIRST])
    # Nothing of the time in which nothing may be recorded.
    dark = [(a + SLACK_MS, b - SLACK_MS) for a, b in one.disabled + one.covered]
    kept = [i for c in one.clips if c["first"] is not None for i in range(c["first"], c["last"] + 1)
            if i in one.sent and one.within(one.sent[i][0], dark)]
    short, over, short_pre = [], [], collections.Counter()
    for mine, row in zip(one.ruled.events, one.event_rows):
        own = [c for c in one.clips if c["event"] == row["id"] and c["first"] is not None]
        if not own:
            short.append(dict(event=row["id"], why="no clip"))
            continue
        pre = mine.policy["preRoll"] * 1000
        first, last, after = own[0]["first"], own[-1]["last"], [c for c in one.clips if c["id"] > own[-1]["id"]][:1]
        place = one.clips.index(own[0])
        begins_run = first == first_of_run[one.sent[first][2]]
        follows = place > 0 and one.clips[place - 1]["last"] == first - 1 and not begins_run
        if one.sent[first][0] > mine.began - pre:
            short_pre["previousClip" if follows else "linkYoung" if begins_run else "none"] += 1
            if not follows and not begins_run:
                short.append(dict(event=row["id"], why="pre-roll", firstMs=one.sent[first][0] - mine.began))
            if mine.cause == "detection" and own[0]["shortfall"] != ("previousClip" if follows else "linkYoung"):
                short.append(dict(event=row["id"], why="reason of the pre-roll", shortfall=own[0]["shortfall"], follows=follows))
        if one.sent[first][0] < mine.began - pre - GOP_MS - SLACK_MS:
            over.append(dict(event=row["id"], why="begin", firstMs=one.sent[first][0] - mine.began))
        if one.sent[last][0] < mine.due - SLACK_MS and not any(a - SLACK_MS <= mine.due <= b + 9000 for a, b in one.away):
            short.append(dict(event=row["id"], why="end", lastMs=one.sent[last][0] - mine.due))
        late = GOP_MS + SLACK_MS if mine.why in ("quiet", "limit") else SLACK_MS
        if one.sent[last][0] > mine.ended + late:
            over.append(dict(event=row["id"], why="end", lastMs=one.sent[last][0] - mine.due))
        for a, b in zip(own, own[1:]):
            run = one.sent[a["last"]][2]
            torn = last_of_run[run] - a["last"]
            if b["first"] != a["last"] + 1 and (b["first"] != first_of_run[one.sent[b["first"]][2]] or torn * 80 > SLACK_MS):
                short.append(dict(event=row["id"], why="between clips", after=a["last"], before=b["first"], left=torn))
    verdict.say("clips hold each event and its pre-roll", not short, camera=one.camera, events=len(one.event_rows),
                shorterPreRoll=dict(short_pre), wrong=short[:FIRST])
    verdict.say("clips hold no more than that and a key frame's distance", not over and not kept, camera=one.camera, wrong=over[:FIRST],
                keptWhileForbidden=kept[:FIRST])
    if one.camera in CLEAR:
        chained(one, verdict)


def frames(one, clip):
    """The stamps of a clip's frames, and what is wrong with them."""
    file = mp4.File(os.path.join(one.folder, "data", one.paths[clip["id"]]))
    (track,) = file.tracks.values()
    stamps, faults = [], []
    for sample in track.samples:
        parts = file.parts(track, sample)
        stamp = nal.stamp_of(parts)
        if stamp not in one.sent or one.sent[stamp][1] != nal.digest(nal.slices(track.codec, parts)):
            faults.append("clip %d: frame %s is not as it was sent" % (clip["id"], stamp))
        if stamps and stamp != stamps[-1] + 1:
            faults.append("clip %d: frame %s after %s" % (clip["id"], stamp, stamps[-1]))
        stamps.append(stamp)
    return stamps, faults


def chained(one, verdict):
    """Movement far beyond the limit: every frame from the first event's pre-roll to the last event's end, by compare.py."""
    holes, longest, chains = [], 0, 0
    for act in one.acts:
        if act["name"] != "chain":
            continue
        chains += 1
        ids = [r["id"] for r in one.event_rows if act["at"] - 5 <= r["began_monotonic_ms"] < act["end"]]
        own = [c for c in one.clips if c["event"] in ids]
        longest = max(longest, own[-1]["end_monotonic_ms"] - own[0]["start_monotonic_ms"] if own else 0)
        done = subprocess.run(
            ["/usr/bin/python3", os.path.join(RIG, "compare.py"), os.path.join(one.folder, "sent.jsonl"), "--camera", one.camera, "--stamped",
             "--whole"] + [os.path.join(one.folder, "data", one.paths[c["id"]]) for c in own], capture_output=True, text=True)
        torn = [c["id"] for a, c in zip(own, own[1:]) if c["chained_to"] != a["id"] or c["start_monotonic_ms"] != a["end_monotonic_ms"]]
        if done.returncode or torn or len(own) < 2:
            holes.append(dict(at=act["at"], clips=len(own), torn=torn, words=(done.stdout + done.stderr)[-300:]))
    verdict.say("a chain holds every frame once", chains and not holes, camera=one.camera, chains=chains, longestMs=longest, wrong=holes[:FIRST])


def reconnected(cameras, verdict):
    """A camera that goes away and comes back within an event: one event, a clip before and one after."""
    wrong, times, backs = [], 0, []
    for one in cameras:
        for a, b in one.away:
            times += 1
            during = [(e, r) for e, r in zip(one.ruled.events, one.event_rows) if e.began < a and b < e.due]
            own = [c for _, r in during for c in one.clips if c["event"] == r["id"]]
            if len(own) == 2:
                backs.append(round(own[1]["start_monotonic_ms"] - b))
            if len(during) != 1 or len(own) != 2 or own[0]["ended"] != "linkLost" or own[1]["start_monotonic_ms"] < b - SLACK_MS:
                wrong.append(dict(camera=one.camera, at=a, events=len(during), clips=[(c["id"], c["ended"]) for c in own]))
    verdict.say("an event goes on when the camera is back", times and not wrong, times=times, backMs=sorted(backs), wrong=wrong[:FIRST])
