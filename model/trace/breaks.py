"""What a trace would notice: Camera.tla is broken in one place each time, and some step of the trace must be none of it."""

import following

# Name, what stands in Camera.tla, and what stands there instead.
BREAKS = [
    ("T1 a detection above the sensitivity counts", 'level > sens THEN supp("sensitivity")', 'level > 10 THEN supp("sensitivity")'),
    ("T2 prolongs again within the same window", r"CanProlong(x) == Windowed(x) /\ x.win.pv \in {None, 0}", "CanProlong(x) == Windowed(x)"),
    ("T3 what falls together with the limit ends with limit", 'IF x.win.we > x.win.lim THEN "limit"', 'IF x.win.we >= x.win.lim THEN "limit"'),
    ("T4 blind time does not wait for the clip", r'x.trig = "settling" /\ ~OwesClipOfEvent(x)', 'x.trig = "settling"'),
    ("T5 blind time follows a command", r"/\ ~x.win.cmd /\ x.win.b > 0", r"/\ x.win.b > 0"),
    ("T5 what a command asks for beyond the limit is forgotten", "chained == IF asked > lim THEN asked ELSE None", "chained == None"),
    ("T6 a source is told again and again", "SelectSeq(x.src, LAMBDA q : ~q.told)", "x.src"),
    ("T6 a source does not prolong", r"SourceProlongs(x) == IF x.src # <<>> /\ CanProlong(x)", "SourceProlongs(x) == IF FALSE"),
    ("T7 a silent window does not wake", r'ELSE IF x.trig = "silent" /\ x.en', r'ELSE IF x.trig = "silent" /\ FALSE'),
    ("S2 each clip of an event has pre-roll", r'IF ev /\ x.first THEN "preroll"', 'IF ev THEN "preroll"'),
    ("S7 hard privacy keeps the link", r"LinkWanted(x) == ~x.drain /\ ~x.hard /\ (", r"LinkWanted(x) == ~x.drain /\ ("),
    ("S13 privacy goes before the toggle", 'ELSE IF ~x.en THEN "disabled"\n    ELSE IF Blocked(x) THEN "privacy"',
     'ELSE IF Blocked(x) THEN "privacy"\n    ELSE IF ~x.en THEN "disabled"'),
    ("S16 failures are forgotten with the key frame", "IF Steady = 0 THEN 0 ELSE @", "0"),
    ("S16 the count of failures stays at its cap", "THEN n + 1 ELSE FailMax - 1", "THEN n + 1 ELSE FailMax"),
    ("L1 auto goes back to the LAN", 'IF x.order = "auto" THEN Endpoint(x) ELSE First(x)', "First(x)"),
    ("L2 packets count from when they are told", "Max(@, Silence - last)", "Max(@, Silence)"),
    ("L3 a cut whose media is wanted is forced", "ELSE IF x.more < MoreGraces", "ELSE IF FALSE"),
    ("L3 the cut before the schedule's change leaves no grace", "change == soon(x.next, Rest + Grace)", "change == soon(x.next, Rest)"),
    ("a clip does not keep the link", r'\/ ("clipLink" \in Fixes /\ x.rec # "idle")', ""),
]


def noticed(machines):
    """Breaks the specification and checks the machines; prints which step noticed each break, and gives how many were noticed."""
    specification = (following.MODEL / "Camera.tla").read_text()
    cameras = [machine for machine in machines if machine.kind == "camera"]
    number = 0
    for name, there, instead in BREAKS:
        if specification.count(there) != 1:
            raise following.Unreadable(f"{name}: Camera.tla does not have this text once: {there}")
        outcomes = following.check(cameras, {"Camera.tla": specification.replace(there, instead)})
        found = [difference for outcome in outcomes for difference in outcome.differences]
        number += bool(found)
        where = f"{found[0].machine.name}, step {found[0].step.seq}: {found[0].step.input[:100]}" if found else "no step of the trace notices it"
        print(f"{'noticed' if found else 'unnoticed'}: {name}\n    {where}", flush=True)
    print(f"{number} of {len(BREAKS)} breaks are noticed")
    return number
