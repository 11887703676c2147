"""What a trace would notice: Camera.tla or Transport.tla is broken in one place each time, and some step of the trace must be none of
it."""

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
    ("a missing key frame is a failure", r'SynchronizeAnew([x EXCEPT !.rec = "idle", !.rt = None, !.of = "-", !.why = "-"])',
     'RecFailed([x EXCEPT !.rec = "idle", !.of = "-", !.why = "-"])'),
    ("a clip does not keep the link", r'\/ ("clipLink" \in Fixes /\ x.rec # "idle")', ""),
]

# The same of Transport.tla.
OF_TRANSPORTS = [
    ("motion that is too slight counts", 'm = "slight" -> "sensitivity"', 'm = "slight" -> "-"'),
    ("prolongs again within the same window", r"CanProlong(x) == Prolongs(x) /\ x.next \in {None, 0}", "CanProlong(x) == Prolongs(x)"),
    ("what falls together with the limit ends with limit", 'IF x.end > x.limit THEN "limit"', 'IF x.end >= x.limit THEN "limit"'),
    ("blind time follows a command", r"x.rec /\ x.blind > 0 /\ ~x.cmd THEN", r"x.rec /\ x.blind > 0 THEN"),
    ("blind time follows what was not recorded", r"IF x.rec /\ x.blind > 0 /\ ~x.cmd", r"IF x.blind > 0 /\ ~x.cmd"),
    ("a command does not lift the limit", "!.limit = Max(@, x.limit)", "!.limit = x.limit"),
    ("a command forgets the end before", "!.aug = Max(@, x.aug), !.next = x.next]", "!.aug = Max(@, x.aug)]"),
    ("what is held does not prolong at once", "b == IF counts /\\ CanProlong(a) THEN Prolong(a) ELSE a", "b == a"),
    ("it is set active in privacy", r'e[2] = "active" /\ x.block = "privacy" THEN', r'e[2] = "active" /\ FALSE THEN'),
    ("motion is forgotten where it is set active", "Settle([x EXCEPT !.active = TRUE])", "Settle([Idle(x) EXCEPT !.active = TRUE])"),
    ("a block does not end the recording", "Then(Drop([x EXCEPT !.block = e[2]], e[2]), Settle)", "Settle([x EXCEPT !.block = e[2]])"),
    ("another kind of trigger keeps blind time", "Then(R(Idle(dropped.s), dropped.fx), Settle)", "Then(dropped, Settle)"),
]


def noticed(machines):
    """Breaks the specifications and checks the machines; prints which step noticed each break, and gives how many were noticed."""
    there = {machine.kind for machine in machines}
    return sum(noticed_of(file, breaks, [machine for machine in machines if machine.kind == kind])
               for kind, file, breaks in (("camera", "Camera.tla", BREAKS), ("transport", "Transport.tla", OF_TRANSPORTS)) if kind in there)


def noticed_of(file, breaks, machines):
    """The same of one specification and the machines of its kind."""
    specification = (following.MODEL / file).read_text()
    number = 0
    for name, there, instead in breaks:
        if specification.count(there) != 1:
            raise following.Unreadable(f"{name}: {file} does not have this text once: {there}")
        outcomes = following.check(machines, {file: specification.replace(there, instead)})
        found = [difference for outcome in outcomes for difference in outcome.differences]
        number += bool(found)
        where = f"{found[0].machine.name}, step {found[0].step.seq}: {found[0].step.input[:100]}" if found else "no step of the trace notices it"
        print(f"{'noticed' if found else 'unnoticed'}: {name}\n    {where}", flush=True)
    print(f"{number} of {len(breaks)} breaks of {file} are noticed")
    return number
