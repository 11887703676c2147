"""Judges what a daemon made of a played script: by the script, and by the rules over the facts of its trace. All times are
milliseconds since boot."""
import collections
import json
import os
import time

from . import rules
from .media import FIRST, GOP_MS, SLACK_MS, reconnected, recorded
from .script import POLICIES, Act
from .site import moment

FRAME_MS = 100          # a little more than the cameras' distance of frames


class Facts:
    """What was collected of a camera."""

    def __init__(self, all_facts, camera, folder, sent, altered):
        self.camera, self.folder, self.altered, self.tolerance = camera, folder, altered, all_facts["tolerance"]
        self.begin, self.end, self.offset = all_facts["begin"], all_facts["end"], all_facts["offset"]
        self.acts, self.deeds = all_facts["acts"][camera], all_facts["deeds"][camera]
        self.trace, self.told = all_facts["trace"][camera], all_facts["told"][camera]
        self.events, self.suppressed = all_facts["events"][camera], all_facts["suppressed"][camera]
        self.coverage = all_facts["coverage"][camera]
        self.sent = sent.get(camera, {})
        tables = all_facts["rows"]
        self.event_rows = [r for r in tables["event"] if r["camera"] == camera]
        self.detail = {r["event"]: r for r in tables["event_detail"]}
        self.suppressed_rows = [r for r in tables["suppressed"] if r["camera"] == camera]
        self.clips = [r for r in tables["clip"] if r["camera"] == camera]
        self.paths = {r["clip"]: r["path"] for r in tables["track"] if r["kind"] == "video"}
        policies = [(0, POLICIES[camera])] + [(d["before"], d["value"]) for d in self.deeds if d["verb"] == "policy"]
        self.given = list(rules.facts([(at, given) for _, at, given in self.trace], policies))
        self.ruled = rules.Rules(POLICIES[camera], altered)
        for at, fact, value in self.given:
            self.ruled.take(at, fact, value)
        self.moving = spans(self.deeds, "move", "rest", self.end)
        self.away = spans(self.deeds, "stop", "start", self.end)
        self.disabled = spans(self.deeds, "disable", "enable", self.end)
        self.covered = spans(self.deeds, "cover", "uncover", self.end)
        self.detections = [at for at, fact, _ in self.given if fact == "detected"]
        for deed in self.deeds:
            if deed["verb"] == "trigger":
                told = [at for at in self.detections if deed["before"] - 5 <= at <= deed["at"] + 5]
                self.detections = [at for at in self.detections if at not in told]

    def within(self, at, *kinds):
        """Whether a moment lies in one of the spans."""
        return any(a <= at < b for kind in kinds for a, b in kind)


def spans(deeds, first, last, end):
    """From each deed to the one that undoes it."""
    found = []
    for deed in deeds:
        if deed["verb"] == first:
            found.append((deed["before"], end))
        elif deed["verb"] == last:
            found[-1] = (found[-1][0], deed["at"])
    return found


def load_sent(path):
    """What the cameras sent: by camera, the frames by their stamp as (when, hash of the slices, run)."""
    asleep = (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()) / 1e6
    sent = {}
    with open(path) as log:
        for line in log:
            entry = json.loads(line)
            if entry.get("track") == "video":
                sent.setdefault(entry["camera"], {})[entry["index"]] = (
                    entry["sent"] * 1000 + asleep, entry["sha256Slices"], entry["run"])
    return sent


def judge(folder, verdict, altered=None):
    """All checks."""
    with open(os.path.join(folder, "facts.json")) as f:
        everything = json.load(f)
    sent = load_sent(os.path.join(folder, "sent.jsonl"))
    cameras = [Facts(everything, camera, folder, sent, altered) for camera in POLICIES]
    verdict.say("no record of the journal was lost", not everything["lost"], times=everything["lost"])
    for one in cameras:
        seen(one, verdict)
        came_to(one, verdict)
        ruled(one, verdict)
        listed(one, verdict)
        recorded(one, verdict)
        partitioned(one, verdict)
    reconnected(cameras, verdict)
    changed(cameras, verdict)
    labels(everything, cameras, verdict)
    why(everything, {c.camera: c for c in cameras}, verdict)


def seen(one, verdict):
    """The detector against the script."""
    late, missing = [], []
    for deed in one.deeds:
        if deed["begins"] is None:
            continue
        began = [e.began for e in one.ruled.events if deed["before"] - 5 <= e.began]
        delay = began[0] - deed["at"] if began else None
        if delay is None or delay > one.tolerance + deed["begins"] * 1000:
            missing.append(dict(at=deed["at"], verb=deed["verb"], delayMs=delay))
        elif deed["verb"] == "move":
            late.append(round(delay))
    late.sort()
    verdict.say("what must begin an event does", late and not missing, camera=one.camera, times=len(late) + len(missing),
                delayMs=dict(median=late[len(late) // 2], most=late[-1]) if late else None, missing=missing[:FIRST])
    still = [at for at in one.detections if not one.within(at, [(a, b + rules.ECHO_MS) for a, b in one.moving])]
    verdict.say("nothing is noticed where nothing moves", not still, camera=one.camera, detections=len(one.detections), still=still[:FIRST])
    # A detector that knows enough looks at one key frame at least.
    silent, longest = [], 0
    dark = one.away + one.disabled + one.covered
    for a, b in one.moving:
        edges = [a] + [at for at in one.detections if a <= at <= b] + [b]
        for x, y in zip(edges, edges[1:]):
            if not any(c < y and x < d + 6000 for c, d in dark):
                longest = max(longest, y - x)
                if y - x > GOP_MS + one.tolerance:
                    silent.append((x, round(y - x)))
    verdict.say("what moves is noticed all the time", not silent, camera=one.camera, longestMs=round(longest), silent=silent[:FIRST])
    dark = [(a + SLACK_MS, b) for a, b in one.disabled + one.covered]
    unseen = [at for at in one.detections if one.within(at, dark)]
    verdict.say("nothing is looked at that may not be recorded", not unseen, camera=one.camera, times=len(dark), looked=unseen[:FIRST])


def came_to(one, verdict):
    """Each act against what it must come to."""
    wrong, kinds = [], collections.Counter()
    for act in one.acts:
        ends = [r["why"] for r in one.event_rows if act["at"] - 5 <= r["began_monotonic_ms"] < act["end"]]
        kinds[act["name"]] += 1
        if not Act(act["name"], 0, [], act["ends"], act["count"]).fits(ends):
            wrong.append(dict(act=act["name"], at=act["at"], ends=ends, must=act["ends"], count=act["count"]))
    verdict.say("each act comes to its events", not wrong, camera=one.camera, acts=dict(kinds), wrong=wrong[:FIRST])


def first_difference(a, b):
    """Where two lists part."""
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return dict(place=i, rules=x, vigil=y)
    return None if len(a) == len(b) else dict(place=min(len(a), len(b)), rules=len(a), vigil=len(b))


def ruled(one, verdict):
    """Events, in the catalog and as told, against the rules over the trace."""
    numbers = [seq for seq, _, _ in one.trace]
    verdict.say("the trace is whole", numbers == list(range(1, len(numbers) + 1)), camera=one.camera, steps=len(numbers))
    mine = [[e.began, e.ended, e.cause, e.level, e.why, e.detections] for e in one.ruled.events]
    theirs = [[r["began_monotonic_ms"], r["ended_monotonic_ms"], r["cause"], r["level"], r["why"],
               one.detail.get(r["id"], {}).get("detections")] for r in one.event_rows]
    tick = max([e.ended - e.due for e in one.ruled.events if e.ended is not None] or [0])
    ends = collections.Counter(e.why for e in one.ruled.events)
    verdict.say("events are those of the rules, to the step", mine and mine == theirs, camera=one.camera, events=len(mine),
                ends=dict(ends), tickMs=tick, difference=first_difference(mine, theirs))
    verdict.say("a step comes soon after it is due", tick <= SLACK_MS, camera=one.camera, mostMs=tick)
    theirs, numbers = [], {r["id"]: n for n, r in enumerate(one.event_rows, 1)}
    for r in one.told:
        number = numbers.get(int(r.get("VIGIL_EVENT", 0)))
        kind, level = r["VIGIL_KIND"], r.get("VIGIL_TRIGGER", "").removeprefix("level ")
        level, length = int(level) if level else None, int(r.get("VIGIL_DURATION_MS", -1))
        theirs.append({"eventBegan": lambda: [kind, number, r["VIGIL_CAUSE"], level, length],
                       "eventProlonged": lambda: [kind, number, length],
                       "eventEnded": lambda: [kind, number, r["VIGIL_WHY"]],
                       "detectionSuppressed": lambda: [kind, r["VIGIL_WHY"], level]}[kind]())
    mine = [list(t) for t in one.ruled.told]
    verdict.say("begins, prolongings, ends and suppressions are told as the rules make them", mine and mine == theirs, camera=one.camera,
                told=dict(collections.Counter(t[0] for t in mine)), difference=first_difference(mine, theirs))


def listed(one, verdict):
    """`vigil events` and `vigil events --suppressed`."""
    wrong = []
    for mine, told in zip(one.ruled.events, one.events):
        length = moment(told["end"]) - moment(told["start"])
        if told["startedMonotonicMs"] != mine.began or told["ended"] != mine.why or abs(length - (mine.ended - mine.began)) > 2 \
                or abs(moment(told["start"]) - one.offset - mine.began) > 50:
            wrong.append(dict(event=told["id"], start=told["start"], end=told["end"], ended=told["ended"]))
    verdict.say("events are listed at their times", not wrong and len(one.events) == len(one.ruled.events), camera=one.camera,
                listed=len(one.events), wrong=wrong[:FIRST])
    ids = [r["id"] for r in one.event_rows]
    left = collections.Counter()
    for at, level, reason, event in one.ruled.suppressed:
        left[(reason, level, None if event is None or event >= len(ids) else ids[event])] += 1
    mine, reasons = dict(left), collections.Counter()
    wrong = []
    for run in one.suppressed:
        a, b = (moment(run[k]) - one.offset for k in ("from", "to"))
        key = (run["why"], run["level"], run["event"])
        left[key] -= run["count"]
        reasons[run["why"]] += run["count"]
        inside = sum(1 for at, level, reason, _ in one.ruled.suppressed if (reason, level) == key[:2] and a - 50 <= at <= b + 50)
        if inside < run["count"]:
            wrong.append(dict(run, rules=inside))
    unlike = [dict(why=k[0], level=k[1], event=k[2], more=n) for k, n in left.items() if n]
    verdict.say("suppressed detections are listed with their reasons", not wrong and not unlike, camera=one.camera, runs=len(one.suppressed),
                reasons=dict(reasons), byEvent=len(mine), unlike=unlike[:FIRST], wrong=wrong[:FIRST])
    if POLICIES[one.camera]["blind"]:
        hidden = [s for s in one.ruled.suppressed if s[2] == "blind"]
        longest = max([b - a for a, b in one.ruled.spans] or [0])
        verdict.say("movement in blind time is suppressed and listed", hidden and reasons["blind"] == len(hidden), camera=one.camera,
                    detections=len(hidden), listed=reasons["blind"], blindTimes=len(one.ruled.spans), longestMs=longest)


def changed(cameras, verdict):
    """A policy file that is edited: in force soon, without a cut."""
    wrong, delays = [], []
    for one in cameras:
        edits = [d for d in one.deeds if d["verb"] == "policy"]
        steps = [at for at, fact, _ in one.given if fact == "policy_"]
        if edits and len(edits) != len(steps):
            wrong.append(dict(camera=one.camera, edits=len(edits), steps=len(steps)))
        for edit, step in zip(edits, steps):
            delays.append(round(step - edit["before"]))
            during = [(i, e) for i, e in enumerate(one.ruled.events) if e.began < step and (e.ended or 0) > step]
            own = [c for i, _ in during for c in one.clips if c["event"] == one.event_rows[i]["id"]]
            new = [c for c in one.clips if own and c["id"] > own[-1]["id"]][:1]
            if len(own) != 1 or not own[0]["start_monotonic_ms"] < step < own[0]["end_monotonic_ms"] or own[0]["ended"] not in ("quiet", "limit") \
                    or (new and new[0]["policy_revision"] == own[0]["policy_revision"]):
                wrong.append(dict(camera=one.camera, at=step, events=len(during), clips=[(c["id"], c["ended"]) for c in own]))
    verdict.say("an edited policy is in force without a cut", delays and not wrong and max(delays) <= 5000, times=len(delays),
                afterMs=dict(median=sorted(delays)[len(delays) // 2], most=max(delays)) if delays else None, wrong=wrong[:FIRST])


def links(one):
    """From when to when the camera could be recorded: from a key frame to a loss, the toggle, or privacy."""
    found, since = [], None
    for at, fact, value in one.given:
        if fact == "keyframe" and since is None:
            since = at
        elif since is not None and (fact in ("lost", "drain") or (fact == "enabled_" and not value) or (fact == "private_" and value)):
            found.append((since, at))
            since = None
    return found + ([(since, one.end)] if since is not None else [])


def partitioned(one, verdict):
    """Coverage against clips, rules and link, each 50 ms; nothing is judged within a frame of a change."""
    told = [(moment(p["from"]) - one.offset, p["label"]) for p in one.coverage] + [(one.end, None)]
    toggled = {kind: [(at, value) for at, fact, value in one.given if fact == kind] for kind in ("enabled_", "private_")}
    off = [(a, b) for (a, on), (b, _) in zip(toggled["enabled_"], toggled["enabled_"][1:] + [(one.end, None)]) if not on]
    private = [(a, b) for (a, on), (b, _) in zip(toggled["private_"], toggled["private_"][1:] + [(one.end, None)]) if on]
    media = [(c["start_wall_ms"] - one.offset, c["end_wall_ms"] - one.offset) for c in one.clips]
    active = [(e.began, e.ended) for e in one.ruled.events]
    kinds = [("recorded", media), ("disabled", off), ("privacy", private), ("streaming", links(one)), ("recorded", active),
             ("blind", one.ruled.spans)]
    edges = sorted({t for _, found in kinds for span in found for t in span} | {t for t, _ in told})
    wrong, judged, e, places = [], 0, 0, [0] * len(kinds)
    kinds = [(name, sorted(found)) for name, found in kinds]
    at, place, state = one.begin, 0, []
    while at < one.end:
        while e < len(edges) and edges[e] < at - FRAME_MS:
            e += 1
        if e == len(edges) or edges[e] > at + FRAME_MS:
            state = []
            for k, (name, found) in enumerate(kinds):
                while places[k] < len(found) and found[places[k]][1] <= at:
                    places[k] += 1
                state.append(places[k] < len(found) and found[places[k]][0] <= at)
            linked = state[3]
            must = next((name for (name, _), holds in zip(kinds[:3], state) if holds), None) or ("linkLost" if not linked else next(
                (name for (name, _), holds in zip(kinds[4:], state[4:]) if holds), "idle"))
            while told[place + 1][0] <= at:
                place += 1
            near = (edges[e] if e < len(edges) else one.end) - at < SLACK_MS or (e and at - edges[e - 1] < SLACK_MS)
            # An event whose media ended before the machine could know: what follows may begin where the media ended.
            judged += 1
            if told[place][1] != must and not (near and must == "recorded" and not state[0]):
                wrong.append(dict(at=round(at), rules=must, coverage=told[place][1]))
        at += 50
    # However short: no link was lost but where the camera was away, or was not to be recorded before; lost from the last frame on.
    dark = [(a - SLACK_MS, b + FRAME_MS) for a, b in zip([0] + [b for _, b in links(one)], [a for a, _ in links(one)] + [one.end])]
    lost = [dict(at=round(a), ms=round(b - a)) for (a, name), (b, _) in zip(told, told[1:])
            if name == "linkLost" and not any(c <= a and b <= d for c, d in dark)]
    verdict.say("coverage is that of clips, rules and link", judged and not wrong and not lost, camera=one.camera, judged=judged,
                wrong=wrong[:FIRST], lost=lost[:FIRST])
    torn = [dict(clip=b["id"], wallMs=b["start_wall_ms"] - a["end_wall_ms"]) for a, b in zip(one.clips, one.clips[1:])
            if b["chained_to"] == a["id"] and (a["end_wall_ms"], a["end_monotonic_ms"]) != (b["start_wall_ms"], b["start_monotonic_ms"])]
    verdict.say("a chained clip begins when the one before ends", not torn, camera=one.camera, torn=torn[:FIRST], count=len(torn))


def labels(everything, cameras, verdict):
    """The labels of coverage at random moments against what the script says."""
    for one in cameras:
        told, wrong, seen_labels = [(moment(p["from"]), moment(p["to"]), p["label"]) for p in one.coverage], [], collections.Counter()
        asked = [(at, label) for camera, at, label in everything["labels"] if camera == one.camera]
        for at, label in asked:
            if label is None:
                continue
            seen_labels[label] += 1
            found = [name for a, b, name in told if a <= at + one.offset < b]
            if found != [label]:
                wrong.append(dict(at=at, script=label, coverage=found))
        verdict.say("coverage says what the script says", seen_labels and not wrong, camera=one.camera, moments=len(asked),
                    undecided=len(asked) - sum(seen_labels.values()), labels=dict(seen_labels), wrong=wrong[:FIRST])


def why(everything, cameras, verdict):
    """`vigil why` at random moments."""
    for alone in (False, True):
        wrong, tally, proposed = [], collections.Counter(), collections.Counter()
        asked = [a for a in everything["asked"] if a["alone"] == alone]
        for a in asked:
            one, remedy = cameras[a["camera"]], a["remedy"]
            tally[a["label"]] += 1
            told = [[c["change"], c.get("value")] for c in remedy.get("changes", [])] or [[remedy.get("kind"), None]]
            must = {"recorded": [["none", None]], "linkLost": [["noPolicy", None]], "disabled": "enabled", "privacy": "privacy"}.get(
                a["label"]) or smallest(one, a["at"])
            good = a["status"] == 0 and a["told"] == a["label"]
            if must is not None:
                proposed["/".join(filter(None, told[0]))] += 1
                good = good and (told[0][0] == must if isinstance(must, str) else told == must)
            if not good:
                wrong.append(dict(a, remedy=told, must=must))
        verdict.say("why is right", asked and not wrong, moments=len(asked), source="trace alone" if alone else "daemon", labels=dict(tally),
                    proposed=dict(proposed), wrong=wrong[:FIRST])


def smallest(one, at):
    """The smallest single change that records a moment by the rules over the same facts, as [[key, value]]; None where it depends on
    what the rules do not know."""
    answers = []
    for t in (at - 1000, at, at + 1000):
        for cut in (100, GOP_MS + 300):
            answers.append(first_change(one, t, cut))
    return answers[0] if all(a == answers[0] for a in answers) else None


def first_change(one, at, cut):
    """The first candidate of docs/design/explain.md with which the moment is recorded."""
    policy = POLICIES[one.camera]
    for t, fact, value in one.given:
        if fact == "policy_" and t <= at:
            policy = value
    links = [b for a, b in one.away + one.disabled + one.covered]

    def covers(given, change):
        ruled_so = rules.live(POLICIES[one.camera], given, cut, change=change)
        return any(max([e.began - e.policy["preRoll"] * 1000] + [b for b in links if b <= e.began]) <= at < e.due
                   for e in ruled_so.events)

    def least(key, value):
        return lambda p: dict(p, **{key: max(p[key], value)})

    for kind, key, value in (("enabled_", "enabled", "true"), ("private_", "privacy", "off")):
        allowed = [(t, f, (f == "enabled_") if f == kind else v) for t, f, v in one.given]
        if allowed != one.given and covers(allowed, None):
            return [[key, value]]
    for value in (5, 10):
        if value > policy["sensitivity"] and covers(one.given, least("sensitivity", value)):
            return [["sensitivity", str(value)]]
    for value in (10, 15, 30, 60, 120, 180):
        if value > policy["maxEventLength"] and covers(one.given, least("maxEventLength", value)):
            return [["maxEventLength", "%ds" % value]]
    if policy["blind"] and covers(one.given, lambda p: dict(p, blind=0)):
        return [["blind", "0s"]]
    for value in (5, 10, 15, 30, 60):
        if value > policy["preRoll"] and covers(one.given, least("preRoll", value)):
            return [["preRoll", "%ds" % value]]
    return [["mode", "continuous"]]

