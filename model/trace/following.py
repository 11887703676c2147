"""Has TLC compute what the specification does with each record, and compares."""

import json
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import datetime, timezone

import module
from camera import Cameras
from digests import step_digest, word
from module import Unreadable
from session import Sessions
from subscription import Subscriptions
from transport import Transports

MODEL = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(MODEL))
from checker import tlc                 # noqa: E402

JAVA = ["-XX:+UseSerialGC", "-Xmx2g", "-Xss64m"]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|<<|>>|[\[\]]|\w+ \|->|TRUE|FALSE')
JSON_OF = {"<<": "[", ">>": "]", "[": "{", "]": "}", "TRUE": "true", "FALSE": "false"}


@dataclass
class Difference:
    """A step that is none of the specification."""
    machine: object
    step: object
    what: str
    trace: list
    specification: list

    def lines(self):
        yield f"{self.machine.name}, step {self.step.seq} of {moment(self.step.wall)}, run {self.machine.run}: {self.what}"
        yield f"  input at {self.step.at} ms: {self.step.input}"
        yield from (f"  the trace:         {line}" for line in self.trace or ["nothing"])
        yield from (f"  the specification: {line}" for line in self.specification or ["nothing"])


@dataclass
class Outcome:
    """What became of the steps of one machine in one run."""
    kind: object
    machine: object
    checked: int = 0
    skipped: int = 0
    gaps: list = field(default_factory=list)
    differences: list = field(default_factory=list)
    said: dict = field(default_factory=dict)        # by step: the state and the effects of the specification, canonical JSON


def moment(wall):
    """A wall time in words, in UTC."""
    return datetime.fromtimestamp(wall / 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S.") + "%03d" % (wall % 1000)


def value(text):
    """A value that TLC printed."""
    return json.loads(TOKEN.sub(lambda m: JSON_OF.get(m[0]) or (m[0] if m[0][0] == '"' else '"%s":' % m[0][:-4]), text))


def behaviour(kind, pieces, bounds, instead):
    """Runs TLC along the pieces; gives each change that it prints: piece, record, milliseconds before its instant, and what came.
    `instead`: the texts of modules that stand in the place of those of the models."""
    config = (MODEL / f"{kind.module}.cfg").read_text()
    constants = "".join(f"    {name} <- Real{name}\n" for name in bounds)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in ({f"{kind.module}.tla": (MODEL / f"{kind.module}.tla").read_text()} | instead).items():
            (folder / name).write_text(text)
        (folder / f"{kind.module}.cfg").write_text(config.replace("INIT", constants + "INIT"))
        (folder / "Recorded.tla").write_text(module.text(pieces, kind.inputs, lambda: kind.definitions() | {f"Real{name}": bounds[name] for name in bounds}))
        said = tlc(kind.module, f"{kind.module}.cfg", folder, JAVA, ["-deadlock"])
    parts = re.split(r'^<< "CHANGE",', said, flags=re.M)
    if "No error has been found" not in said:
        raise Unreadable("TLC did not follow the trace to its end. It said:\n" + "\n".join(parts[-1].splitlines()[-40:]))
    for part in parts[1:]:
        yield value("<<" + part[:re.search(r"(?:TRUE|FALSE) >>$", part, re.M).end()])


def paths(a, b, at=""):
    """The parts in which two values differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        return [p for key in sorted(a.keys() | b.keys()) for p in paths(a.get(key), b.get(key), f"{at}.{key}" if at else key)]
    return [] if a == b else [(at, a, b)]


def compare(machine, step, state, effects):
    """The difference between a record and the specification's step; None if there is none."""
    words = [word(text) for text in effects]
    if words != step.effects:
        theirs, mine = list(step.effects), list(zip(words, effects))
        while theirs and mine and theirs[0] == mine[0][0]:
            del theirs[0], mine[0]
        while theirs and mine and theirs[-1] == mine[-1][0]:
            del theirs[-1], mine[-1]
        return Difference(machine, step, "its orders and reports are others", theirs, [" ".join(each) for each in mine])
    if step.state and step.state != state:
        found = paths(json.loads(step.state), json.loads(state))
        return Difference(machine, step, "its whole state is another", [f"{p} is {json.dumps(a)}" for p, a, _ in found],
                          [f"{p} is {json.dumps(b)}" for p, _, b in found])
    digest = step_digest(step.at, step.input, state, effects)
    if digest != step.digest:
        return Difference(machine, step, "its instant, input or state is another", ["digest " + step.digest], [f"digest {digest}, state {state}"])
    return None


def follow(kind, piece, changes, outcome):
    """Compares the records of a piece with the changes that the specification has for them."""
    rendering, effects, number = kind.rendering(piece), [], 0
    for _, rest, cause, *spoken in changes:
        step = piece.steps[number]
        last = cause not in ("begin", "due")
        effects += rendering.change(step.at - rest, json.loads(step.input) if last else None, [cause, *spoken])
        if not last:
            continue
        outcome.said[step.seq] = (rendering.state(step.at), effects)
        found = compare(piece.machine, step, *outcome.said[step.seq])
        number += 1
        if found:
            outcome.differences.append(found)
            outcome.skipped += len(piece.steps) - number
            return
        outcome.checked += 1
        effects = []
    if number < len(piece.steps):
        outcome.differences.append(Difference(piece.machine, piece.steps[number], "the specification does not get so far", [], []))
        outcome.skipped += len(piece.steps) - number - 1


def gaps(machine):
    """Steps that are missing, and those that are not in their order, in words."""
    before = machine.steps[0].seq - 1
    for step in machine.steps:
        if step.seq <= before:
            yield f"step {step.seq} stands behind step {before}"
        elif step.seq != before + 1:
            yield f"step {step.seq - 1} missing" if step.seq == before + 2 else f"steps {before + 1} to {step.seq - 1} missing"
        before = step.seq


def check(machines, instead=None):
    """Checks the machines; an outcome for each whose kind is known. `instead`: texts of modules in the place of those of the models."""
    outcomes = []
    for kind in (Cameras(), Sessions(), Subscriptions(), Transports()):
        groups = {}
        for machine in (m for m in machines if m.kind == kind.kind):
            outcome = Outcome(kind, machine, gaps=list(gaps(machine)))
            outcomes.append(outcome)
            if any(step.effects is None for step in machine.steps):
                raise Unreadable(f"{machine.name}: its records have no digests of their effects, a version of before wrote them: "
                                 "`vigil replay` compares what they have")
            pieces = module.pieces(machine, kind.begin)
            outcome.skipped = len(machine.steps) - sum(len(piece.steps) for piece in pieces)
            for piece in pieces:
                groups.setdefault(json.dumps(kind.bounds(piece.start)), []).append((piece, outcome))
        for bounds, group in groups.items():
            changes = [[] for _ in group]
            for number, *change in behaviour(kind, [piece for piece, _ in group], json.loads(bounds), instead or {}):
                changes[number - 1].append(change)
            for (piece, outcome), its in zip(group, changes):
                follow(kind, piece, its, outcome)
    return outcomes
