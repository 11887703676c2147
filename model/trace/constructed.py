"""What recorded traces do not show of the check: traces that are made here, by docs/design, and files that are damaged. Each is
demanded to be read, or refused, as it should be."""

import dataclasses
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile

import following
import records
import teeth
from digests import canonical, step_digest, word
from records import Machine, Step

HERE = pathlib.Path(__file__).resolve().parent
DAY = 86_400_000
TIMING = {"answerMs": 30_000, "retryMs": 300_000, "refreshMs": 21_600_000}
STEPS = 20          # of a recorded trace, in the trials of torn ends


class Wrong(Exception):
    """What is not as it should be, in words."""


def demand(condition, words):
    if not condition:
        raise Wrong(words)


def step(kind, name, seq, at, input_, effects, state):
    """A step as a daemon writes it, with its whole state."""
    texts, whole, told = [canonical(effect) for effect in effects], canonical(state), canonical(input_)
    return Step(kind, name, "00000000", seq, at, at, step_digest(at, told, whole, texts), told, [word(text) for text in texts], whole)


def machine(steps):
    """A machine in whose trace the first whole state and the last one stand."""
    steps[1:-1] = [dataclasses.replace(each, state="") for each in steps[1:-1]]
    return Machine(steps[0].kind, steps[0].name, steps[0].run, steps)


def far(_):
    """A subscription whose ends and retention are further off than TLC counts, by docs/design/subscription.md."""
    steps, t = [], 50_000_000

    def add(after, input_, effects, plan, gone, retention, stored, load, loads):
        nonlocal t
        t += after
        plan = {plan[0]: {"until": plan[1]} if len(plan) > 1 else {}}
        gone = {"at": {"_0": gone}} if isinstance(gone, int) else {gone: {}}
        bounds = {"ask": lambda: {"_0": loads, "until": load[1]}, "next": lambda: {"at": load[1]}, "stopped": dict}
        steps.append(step("subscription", "far", len(steps) + 1, t, input_, effects, {
            "failed": False, "kept": {"plan": plan, "gone": gone, "retentionMs": retention}, "load": {load[0]: bounds[load[0]]()},
            "loads": loads, "stored": stored, "timing": TIMING}))

    def loaded(number, name, **body):
        return {"loaded": {"_0": number, "_1": {name: body}}}

    def report(word_):
        return {"report": {"_0": word_}}

    answer, refresh = TIMING["answerMs"], TIMING["refreshMs"]
    # A plan of a year, with 30 days of retention, is kept of an earlier run.
    kept = ("active", t + 365 * DAY), "unknown", 30 * DAY, True
    add(0, {"tick": {}}, [], *kept, ("next", t + 1), 0)
    add(1, {"tick": {}}, [{"load": {"_0": 1}}], *kept, ("ask", t + 1 + answer), 1)
    # An answer to a load that was never given changes nothing.
    add(9, loaded(7, "active", until=t + DAY, retentionMs=0), [{"ignored": {"_0": "unknown"}}], *kept, ("ask", t + answer), 1)
    # Ten years of retention, which a plan that has ended leaves.
    add(0, loaded(1, "active", until=t + 200 * DAY, retentionMs=3650 * DAY), [], ("active", t + 200 * DAY), "unknown", 3650 * DAY, True,
        ("next", t + refresh), 1)
    add(5, {"refresh": {}}, [{"load": {"_0": 2}}], ("active", t + 200 * DAY), "unknown", 3650 * DAY, True, ("ask", t + 5 + answer), 2)
    gone = t - DAY + 40 * DAY
    add(7, loaded(2, "expired", at=t - DAY, retentionMs=40 * DAY), [{"uploads": {"_0": False}}, report("expiredData")],
        ("expired",), gone, 40 * DAY, True, ("next", t + 7 + refresh), 2)
    # Nothing that comes later moves that end, and it is kept behind a drain.
    add(11, {"refresh": {}}, [{"load": {"_0": 3}}], ("expired",), gone, 40 * DAY, True, ("ask", t + 11 + answer), 3)
    add(13, loaded(3, "none"), [report("noService")], ("none",), gone, 40 * DAY, True, ("next", t + 13 + refresh), 3)
    # A plan that goes while something is stored: the retention runs from the answer.
    add(refresh, {"tick": {}}, [{"load": {"_0": 4}}], ("none",), gone, 40 * DAY, True, ("ask", t + refresh + answer), 4)
    until = t + 3_600_000
    add(17, loaded(4, "active", until=until, retentionMs=30 * DAY), [{"uploads": {"_0": True}}, report("validData")], ("active", until),
        "unknown", 30 * DAY, True, ("next", t + 17 + refresh), 4)
    # One that ends by time: from its end.
    add(until - t, {"tick": {}}, [{"uploads": {"_0": False}}, {"load": {"_0": 5}}, report("expiredData")], ("expired",), until + 30 * DAY,
        30 * DAY, True, ("ask", until + answer), 5)
    until = t + 100 * DAY
    add(19, loaded(5, "active", until=until, retentionMs=31 * DAY), [{"uploads": {"_0": True}}, report("validData")], ("active", until),
        "unknown", 31 * DAY, True, ("next", t + 19 + refresh), 5)
    add(23, {"refresh": {}}, [{"load": {"_0": 6}}], ("active", until), "unknown", 31 * DAY, True, ("ask", t + 23 + answer), 6)
    gone = t + 29 + 31 * DAY
    add(29, loaded(6, "none"), [{"uploads": {"_0": False}}, report("noService")], ("none",), gone, 31 * DAY, True, ("next", t + 29 + refresh), 6)
    add(31, {"drain": {}}, [{"stopped": {}}], ("none",), gone, 31 * DAY, True, ("stopped",), 6)
    follows([machine(steps)], [])


MOTION = {"motion": {"zones": {"inside": 1, "outside": False}, "sensitivity": 5,
                     "_2": {"initialMs": 10_000, "augmentationMs": 5_000, "maxMs": 60_000, "blindMs": 3_000}}}


class Transport:
    """The steps of one transport, written by docs/design/transports.md. What is not said of a state stays as it was."""

    def __init__(self, name, **state):
        self.name, self.t, self.steps = name, 50_000_000, []
        self.state = {"trigger": MOTION, "status": "active", "held": False, "phase": {"idle": {}}, "recordings": 0} | state

    def add(self, after, input_, *effects, **state):
        """One step so many milliseconds later; in a state None stands for what is not there."""
        self.t += after
        self.state = {k: v for k, v in (self.state | state).items() if v is not None}
        told = [{name: dict(zip(("_0", "_1"), body))} for name, *body in effects]
        self.steps.append(step("transport", self.name, len(self.steps) + 1, self.t, input_, told, self.state))


def window(end, limit, previous=None, augmentation=5_000, blind=3_000, commanded=False):
    """What is detected: the instants of its end, of its limit, and of the end before it was prolonged."""
    return {"detected": {"_0": {"end": end, "limit": limit, "augmentationMs": augmentation, "blindMs": blind, "commanded": commanded}
                         | ({} if previous is None else {"previousEnd": previous})}}


def motion(level, inside, outside=False):
    return {"motion": {"level": level, "zones": {"inside": inside, "outside": outside}}}


def by_command(initial, longest):
    return {"triggered": {"_0": {"initialMs": initial, "augmentationMs": 0, "maxMs": longest, "blindMs": 0}}}


def transports(_):
    """Transports of each kind of trigger, with each refusal, one whose limit is further off than TLC counts, and what is over at a start;
    and each alteration of their steps is found."""
    tick, idle, over = {"tick": {}}, {"idle": {}}, {"over": {}}
    one = Transport("one", status="inactive")
    one.add(0, tick)
    one.add(100, {"status": {"_0": "active"}}, status="active")
    one.add(5, {"status": {"_0": "active"}}, ("ignored", "duplicate"))
    one.add(5, motion(10, 1), ("ignored", "sensitivity"))
    one.add(5, motion(1, 2, True), ("ignored", "zone"))
    t = one.t + 5
    one.add(5, motion(5, 3), ("begin", 1, "motion"), phase=window(t + 10_000, t + 60_000), recordings=1, recording=1)
    one.add(1000, motion(1, 1), phase=window(t + 15_000, t + 60_000, t + 10_000))
    one.add(10, motion(1, 1), ("ignored", "early"))
    one.add(t + 15_000 - one.t, tick, ("end", 1, "quiet"), phase={"blind": {"until": t + 18_000}}, recording=None)
    one.add(10, motion(1, 1), ("ignored", "blind"))
    # A command whose limit is 40 days off, and one within it.
    t = one.t + 10
    far = t + 40 * DAY
    one.add(10, by_command(4_000, 40 * DAY), ("begin", 2, "command"), phase=window(t + 4_000, far, None, 0, 0, True), recordings=2, recording=2)
    one.add(10, {"held": {"_0": True}}, held=True)
    t = one.t + 10
    one.add(10, {"triggered": {}}, phase=window(t + 15_000, far, t + 10_000, commanded=True))
    one.add(10, {"held": {"_0": False}}, held=False)
    one.add(t + 15_000 - one.t, tick, ("end", 2, "quiet"), phase=idle, recording=None)
    one.add(10, {"blocked": {"_0": "privacy"}}, block="privacy")
    one.add(10, motion(10, 2), ("ignored", "blocked"))
    one.add(10, {"triggered": {}}, ("refused", "blocked"))
    one.add(10, {"status": {"_0": "inactive"}}, status="inactive")
    one.add(10, {"status": {"_0": "active"}}, ("refused", "blocked"))
    one.add(10, {"blocked": {}}, block=None)
    one.add(10, {"triggered": {}}, ("refused", "inactive"))
    end = one.t + 100 * DAY
    one.add(10, {"modified": {"_0": {"command": {}}, "expiry": end}}, trigger={"command": {}}, expiry=end)
    one.add(10, {"status": {"_0": "active"}}, status="active")
    one.add(10, motion(1, 1), ("ignored", "trigger"))
    one.add(10, {"triggered": {}}, ("refused", "noTimeControl"))
    t = one.t + 10
    one.add(10, by_command(2_000, 5_000), ("begin", 3, "command"), phase=window(t + 2_000, t + 5_000, None, 0, 0, True), recordings=3, recording=3)
    one.add(10, {"modified": {"_0": {"continuous": {}}, "expiry": end}}, ("end", 3, "modified"), ("begin", 4, "continuous"),
            trigger={"continuous": {}}, phase=idle, recordings=4, recording=4)
    one.add(10, {"modified": {"_0": {"continuous": {}}, "expiry": end}}, ("ignored", "duplicate"))
    one.add(10, by_command(2_000, 5_000), ("refused", "continuous"))
    one.add(10, {"deallocated": {}}, ("end", 4, "deallocated"), ("removed", "deallocated"),
            phase=over, status="inactive", expiry=None, recording=None)
    one.add(10, {"status": {"_0": "active"}}, ("ignored", "over"))
    # Its time was over when it was taken from the catalog.
    late = Transport("late")
    late.add(0, tick, ("begin", 1, "continuous"), ("end", 1, "expired"), ("removed", "expired"),
             trigger={"continuous": {}}, phase=over, status="inactive", recordings=1)
    # A source is on from the beginning.
    held = Transport("held", held=True)
    t = held.t
    held.add(0, tick, ("begin", 1, "motion"), phase=window(t + 15_000, t + 60_000, t + 10_000), recordings=1, recording=1)
    held.add(10_000, tick, phase=window(t + 20_000, t + 60_000, t + 15_000))
    stopped = Transport("stopped")
    stopped.add(0, tick)
    stopped.add(30 * DAY, {"drain": {}}, ("stopped",), phase=over, status="inactive")
    outcomes = following.check([machine(each.steps) for each in (one, late, held, stopped)])
    for outcome in outcomes:
        told = [line for difference in outcome.differences for line in difference.lines()]
        demand(not told and not outcome.gaps and outcome.checked == len(outcome.machine.steps), "\n".join(told))
    found, lost = teeth.bite(outcomes)
    missed = {name for name, *_ in teeth.OF_TRANSPORTS} - found
    demand(not lost and not missed, f"not found: {lost | missed}")
    return found


def follows(machines, wrong):
    """Checks machines: those whose names are in `wrong` must differ, each once, and no other."""
    for outcome in following.check(machines):
        told = [line for difference in outcome.differences for line in difference.lines()]
        demand(len(outcome.differences) == (outcome.machine.name in wrong) and (outcome.checked or told) and not outcome.gaps,
               "\n".join([f"{outcome.machine.name}: {outcome.checked} steps are of the specification", *told]))


def waits(_):
    """Waits by the bounds that the trace names: 5 s and up to half as much more."""
    recorded = Machine("camera", "refused", "", [each for each in records.steps(HERE / "recorded" / "faults.trace.xz")[0] if each.name == "refused"])
    before, failed = recorded.steps[:2]
    state = json.loads(before.state)
    state["timing"] |= {"redialMs": [5000], "jitterPercent": 50}
    made = []
    for wait in (5000, 7000, 7501):
        name = f"waits {wait} ms"
        then = json.loads(canonical(state))
        then["link"] = {"dials": 1, "failures": 1, "state": {"waiting": {"until": failed.at + wait}}}
        report = {"report": {"_0": {"link": {"failure": "refused", "from": "dialing", "retryMs": wait, "to": "waiting"}}}}
        made.append(machine([step("camera", name, 2, before.at, {"tick": {}}, [], state),
                             step("camera", name, 3, failed.at, json.loads(failed.input), [report], then)]))
    follows(made, ["waits 7501 ms"])


def program(path):
    """The check as it is run: exit status, and what it said."""
    done = subprocess.run([sys.executable, str(HERE / "run"), str(path)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def torn(folder):
    """A file that ends within a record gives what it gives without that record, and says so."""
    text = lzma.open(HERE / "recorded" / "plans.trace.xz").read()
    whole = [line for line in text.split(b"\n") if b"\tsubscription\t" in line][:STEPS]
    last, file = whole.pop().split(b"\t"), folder / "torn.trace"
    before = b"\n".join([*whole, b""])
    file.write_bytes(before)
    expected, nothing = records.steps(file)
    demand(expected and not nothing, f"{nothing} of a trace that is whole")
    for fields in range(3, len(last) + 1):
        end = b"\t".join(last[:fields])
        for cut in (end, end[:-1]):
            file.write_bytes(before + cut)
            found, words = records.steps(file)
            demand(found == expected and words == [f"{file}: its last record is torn, {len(cut)} bytes of it are left out"],
                   f"{fields} fields: {len(found)} of {len(expected)} steps, {words}")
    for fields in (None, 10, 11, 12):
        file.write_bytes(before + b"\t".join(last[:fields or 0]))
        status, said = program(file)
        if fields is None:
            verdict = said
        demand(status == 0 and ("is torn" in said) == bool(fields) and said.endswith(verdict), f"{fields} fields: exit status {status}\n{said}")


def torn_journal(folder):
    """So does what journalctl wrote."""
    entry = {"VIGIL_TRACE": "front", "VIGIL_SEQ": "1", "VIGIL_AT": "5", "__REALTIME_TIMESTAMP": "7000", "VIGIL_DIGEST": "00", "VIGIL_INPUT": "{}"}
    text = "".join(f"{k}={v}\n" for k, v in entry.items()) + "\n"
    for name, whole, end in (("json", json.dumps(entry) + "\n", json.dumps(entry)), ("export", text, text[:-1])):
        file = folder / name
        for cut in range(1, len(end) + 1):
            file.write_text(whole + end[:cut])
            found, words = records.steps(file)
            demand(len(found) == 1 and len(words) == 1, f"{name}, {cut} bytes: {found}, {words}")


def damaged(folder):
    """A file that cannot be read ends the check with status 2 and a line that names it."""
    packed = (HERE / "recorded" / "plans.trace.xz").read_bytes()
    for name, data in (("short.trace.xz", packed[:-1000]), ("none.trace.xz", b""), ("other.trace.xz", b"x" * 100), ("absent.trace", None),
                       ("word.trace", b"1\tstep\t0\tcamera\tfront\tx\t" + b"\t" * 7 + b"\n"), ("half.json", b'{"VIGIL_TRACE":"a"}\n'),
                       ("field.json", b"{\n"), ("empty.trace", b"")):
        file = folder / name
        if data is not None:
            file.write_bytes(data)
        status, said = program(file)
        demand(status == 2 and said.startswith(f"model/trace/run: {file}: ") and said.count("\n") == 1, f"{name}: exit status {status}\n{said}")


def one_step(_):
    """A trace whose first machine has too few steps for a gap has it from another, and one without another has none."""
    def outcome(number):
        its = Machine("session", "front", "", [step("session", "front", seq, seq, {"tick": {}}, [], {}) for seq in range(1, number + 1)])
        return following.Outcome(None, its)

    demand(teeth.gap([outcome(1), outcome(2)]) == (set(), set()), "a gap is demanded of two steps")
    demand(teeth.gap([outcome(1), outcome(4)]) == ({teeth.GAP}, set()), "the gap is not found")


def check():
    """Tries each; whether all is as it should be, and the alterations that were found."""
    fine, found = True, set()
    for trial in (far, transports, waits, torn, torn_journal, damaged, one_step):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found |= trial(pathlib.Path(folder)) or set()
                print(f"as it should be: {trial.__doc__}")
            except (Wrong, following.Unreadable) as wrong:
                print(f"NOT AS IT SHOULD BE: {trial.__doc__}\n{wrong}")
                fine = False
    return fine, found
