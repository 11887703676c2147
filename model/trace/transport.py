"""The steps of a transport in the words of Transport.tla, and what the specification says as canonical JSON."""

import json

from digests import canonical, without_none
from module import FOREVER, Kind, flag, remaining

SHORTEST = 1_000        # milliseconds of a window, and of its limit: what is less counts as this


def kind_of(trigger):
    """The kind of a trigger, and what it says."""
    (name, body), = trigger.items()
    return name, body


def control(times):
    """A time control in the words of the specification; what is below its range is moved into it."""
    return {"i": max(times["initialMs"], SHORTEST), "a": max(times["augmentationMs"], 0), "m": max(times["maxMs"], SHORTEST),
            "b": max(times["blindMs"], 0)}


def own(trigger):
    """The time control of a trigger; one that has none begins no window by it."""
    name, body = kind_of(trigger)
    return control(body["_2"]) if name == "motion" else {"i": 0, "a": 0, "m": 0, "b": 0}


def motion(trigger, body):
    """Whether motion is in the zones of a trigger and strong enough for it."""
    name, its = kind_of(trigger)
    seen, wanted = body["zones"], its.get("zones")
    if name != "motion":
        return "fits"
    if wanted and not seen["inside"] & wanted["inside"] and not (seen["outside"] and wanted["outside"]):
        return "elsewhere"
    return "slight" if body["level"] > its["sensitivity"] else "fits"


def left(at, until):
    """Milliseconds until a moment, as far as TLC counts; -1: there is none."""
    return -1 if until is None else min(max(until - at, 0), FOREVER)


def input_of(step, trigger, expiry):
    """The input of a step in the words of the specification, where this trigger and this end hold before it."""
    (name, body), = json.loads(step.input).items()
    match name:
        case "motion":
            return [name, motion(trigger, body)]
        case "held":
            return [name, flag(body["_0"])]
        case "triggered":
            return [name, "control" if "_0" in body else "-"]
        case "status":
            return [name, body["_0"]]
        case "blocked":
            return [name, body.get("_0", "-")]
        case "modified":
            return [name, kind_of(body["_0"])[0], left(step.at, body.get("expiry")),
                    flag(body["_0"] != trigger or body.get("expiry") != expiry)]
    return [name]


class Rendering:
    """One piece of a transport's steps, change by change. What the specification passes over is noted: the trigger as it was told, and the
    instants of an end that is further away than TLC counts, or of one that has passed."""

    def __init__(self, piece):
        self.spec, self.num, self.trigger, self.expiry = piece.known, piece.numbers, piece.start["trigger"], piece.start.get("expiry")
        window = piece.start["phase"].get("detected", {}).get("_0", {})
        self.limit, self.previous = window.get("limit"), window.get("previousEnd")
        self.due = min(window["end"], window["limit"]) if window else None

    def change(self, at, input_, spoken):
        """Takes one change that the specification prints: at its instant, by this input (None: by time alone). Gives its effects."""
        _, fx, after, num, _ = spoken
        name, body = next(iter(input_.items())) if input_ else (None, {})
        taken, before = not any(t[0] in ("ignored", "refused") for t in fx), self.spec
        if name == "modified" and taken:
            self.trigger, self.expiry = body["_0"], body.get("expiry")
        if after["ph"] == "detected":
            self.window(at, name, control(body["_0"]) if name == "triggered" and "_0" in body else own(self.trigger), taken,
                        before["ph"] != "detected" or before["kind"] != after["kind"] or self.due <= at or before["active"] > after["active"])
            self.due = min(at + after["end"], self.ends(at, after))
            self.previous = at + after["next"] if after["next"] > 0 else self.previous
        recording, told = self.num["recordings"], []
        for t in fx:
            recording += t[0] == "begin"
            told.append(canonical({t[0]: {
                "begin": {"_0": recording, "_1": t[-1]}, "end": {"_0": recording, "_1": t[-1]}, "stopped": {}}.get(t[0], {"_0": t[-1]})}))
        self.spec, self.num = after, num
        return told

    def window(self, at, name, times, taken, is_new):
        """Notes the limit of a window that begins, or that a command lifts."""
        limit = at + times["m"]
        if is_new:
            self.limit = limit
        elif name == "triggered" and taken:
            self.limit = max(self.limit, limit)

    def ends(self, at, x):
        """The instant of a window's limit."""
        return at + x["limit"] if x["limit"] < FOREVER else self.limit

    def phase(self, at):
        x = self.spec
        match x["ph"]:
            case "detected":
                previous = None if x["next"] < 0 else at + x["next"] if x["next"] > 0 else self.previous
                return {"_0": without_none({
                    "augmentationMs": x["aug"], "blindMs": x["blind"], "commanded": x["cmd"], "end": at + x["end"], "limit": self.ends(at, x),
                    "previousEnd": previous})}
            case "blind":
                return {"until": at + x["until"]}
        return {}

    def state(self, at):
        """The whole state at an instant, canonical JSON."""
        x = self.spec
        return canonical(without_none({
            "block": x["block"] if x["block"] != "-" else None, "expiry": self.expiry if x["exp"] >= 0 else None, "held": x["held"],
            "phase": {x["ph"]: self.phase(at)}, "recording": self.num["recordings"] if x["rec"] else None,
            "recordings": self.num["recordings"], "status": "active" if x["active"] else "inactive", "trigger": self.trigger}))


class Transports(Kind):
    """How the steps of transports are told to TLC."""
    kind, module, specification = "transport", "TransportTrace", "Transport.tla"
    rendering = Rendering

    def begin(self, machine, step, state):
        """The piece that begins with a whole state. What a transport was before its first step is noted in it."""
        fresh = step.seq == 1 and step.input == '{"tick":{}}'
        return super().begin(machine, step, self.beginning(step.at, state) if fresh else state)

    @staticmethod
    def beginning(at, state):
        """What a transport was before its first step, which begins what is owed and ends what is over by then."""
        if "over" in state["phase"]:
            recorded = state["recordings"] > 0
            state = state | {"expiry": at, "status": "active" if recorded else "inactive",
                             "held": recorded and "continuous" not in state["trigger"]}
        return {k: v for k, v in state.items() if k != "recording"} | {"phase": {"idle": {}}, "recordings": 0}

    def inputs(self, piece):
        """What the records of a piece tell, each under the trigger that holds then."""
        trigger, expiry = piece.start["trigger"], piece.start.get("expiry")
        for step in piece.steps:
            (name, body), = json.loads(step.input).items()
            told = {"input": input_of(step, trigger, expiry)}
            if name == "modified":
                trigger, expiry = body["_0"], body.get("expiry")
                told["own"] = own(trigger)
            if name == "triggered" and "_0" in body:
                told["brought"] = control(body["_0"])
            yield told

    @staticmethod
    def whole(at, state, fresh):
        """A whole state, and its numbers."""
        (name, body), = state["phase"].items()
        window = body.get("_0", {})
        known = {
            "ph": name, "end": remaining(at, window.get("end")), "limit": left(at, window.get("limit")),
            "next": left(at, window.get("previousEnd")), "aug": window.get("augmentationMs", 0), "blind": window.get("blindMs", 0),
            "cmd": window.get("commanded", False), "until": remaining(at, body.get("until")), "kind": kind_of(state["trigger"])[0],
            "active": state["status"] == "active", "block": state.get("block", "-"), "held": state["held"], "exp": left(at, state.get("expiry")),
            "rec": "recording" in state, "own": own(state["trigger"])}
        return known, {"recordings": state["recordings"], "begun": not fresh}

    @staticmethod
    def bounds(_):
        """The specification has no constant that a whole state names: each record names its own times."""
        return {}
