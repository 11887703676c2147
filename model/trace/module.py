"""Steps as the TLA+ module Recorded, which the specification's trace modules extend."""

import json
from dataclasses import dataclass

PART = 500                  # records in one definition of the module
FOREVER = 2_000_000_000     # no deadline; TLC counts to 2^31


class Unreadable(Exception):
    """What cannot be checked at all: what, why, and what helps, in words."""


def known(machine, step, make):
    """What `make` makes of a record; an input or a state that this version does not know is named."""
    try:
        return make()
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise Unreadable(f"{machine.name}, step {step.seq}, run {machine.run}: its input or state is none that this version knows "
                         f"({type(error).__name__}: {error}): {step.input}: check it with the version that wrote it") from error


@dataclass
class Piece:
    """A stretch of steps without a gap, behind a whole state: `start` is that state, at the instant `at`."""
    machine: object
    start: dict
    at: int
    steps: list
    fresh: bool         # it begins with the machine's first step
    known: dict         # the state in the words of the specification
    numbers: dict       # the last numbers that were given


class Kind:
    """How the steps of one kind of machine are told to TLC, as far as most kinds have it in common."""

    def begin(self, machine, step, state):
        """The piece that begins with a whole state. A machine's first step is a tick, which has one and is in the piece."""
        fresh = step.seq == 1 and step.input == '{"tick":{}}'
        return Piece(machine, state, step.at, [step] if fresh else [], fresh, *self.whole(step.at, state, fresh))

    def inputs(self, piece):
        """What the records of a piece tell."""
        return ({"input": self.event(step)} for step in piece.steps)

    def definitions(self):
        """What else the module defines, by name."""
        return {}


def tla(value):
    """A value as TLA+ writes it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(max(min(value, FOREVER), -FOREVER))
    if isinstance(value, str):
        return '"%s"' % value.replace("\\", "\\\\").replace('"', '\\"')
    if isinstance(value, dict):
        return "[" + ", ".join("%s |-> %s" % (k, tla(v)) for k, v in value.items()) + "]"
    return "<<" + ", ".join(map(tla, value)) + ">>"


def flag(value):
    """A flag as an argument of an event."""
    return "1" if value else "0"


def remaining(at, until):
    """Milliseconds until a moment; -1: there is none, or it has passed."""
    return until - at if until is not None and until > at else -1


def pieces(machine, begin):
    """The pieces of a machine's steps: each whole state ends one, which must lead to it, and begins the next. `begin` makes a piece
    of a step that has a whole state: with that step where it is the machine's first, else without it."""
    found, now, before = [], None, None
    for step in machine.steps:
        if now and step.seq != before + 1:
            now = None
        if now:
            now.steps.append(step)
        if step.state:
            now = known(machine, step, lambda: begin(machine, step, json.loads(step.state)))    # noqa: B023
            found.append(now)
        before = step.seq
    return [piece for piece in found if piece.steps]


def text(all_pieces, inputs, definitions):
    """The text of the module. `inputs` gives the input of each step of a piece, with what else its record tells by name;
    `definitions` are asked for when all inputs are read."""
    records, starts = [], []
    for piece in all_pieces:
        begin, before = len(records) + 1, piece.at
        told = inputs(piece)
        for step in piece.steps:
            records.append(tla({"after": step.at - before} | known(piece.machine, step, lambda: next(told))))    # noqa: B023
            before = step.at
        starts.append(tla({"first": begin, "last": len(records), "state": piece.known, "num": piece.numbers}))
    parts = [records[i:i + PART] for i in range(0, len(records), PART)]
    lines = ["---- MODULE Recorded ----", "EXTENDS Integers", "(* Written by model/trace. after: milliseconds since the record before. *)"]
    lines += ["Part%d == <<\n%s>>" % (i, ",\n".join(part)) for i, part in enumerate(parts)]
    lines.append("Parts == <<%s>>" % ", ".join("Part%d" % i for i in range(len(parts))))
    lines.append(f"Record(i) == Parts[((i - 1) \\div {PART}) + 1][((i - 1) % {PART}) + 1]")
    lines.append("Pieces == <<\n%s>>" % ",\n".join(starts))
    lines += [f"{name} == {tla(value)}" for name, value in definitions().items()]
    return "\n".join(lines + ["====", ""])
