"""The steps of a cloud subscription in the words of Subscription.tla, and what the specification says as canonical JSON."""

import json

from digests import canonical
from module import FOREVER, Piece, flag


def left(at, until):
    """Milliseconds until a moment, as far as TLC counts; 0: it has passed."""
    return min(max(until - at, 0), FOREVER)


def plan(told, at):
    """A plan that a load tells: one whose end has passed is over, and its retention runs from that end."""
    (name, body), = told.items()
    if name == "none":
        return ["none"]
    keep = max(body["retentionMs"], 0)
    if name == "active" and body["until"] > at:
        return [name, left(at, body["until"]), keep]
    end = min(body["until"] if name == "active" else body["at"], at)
    return ["expired", left(at, end + keep), keep]


def event(step):
    """The input of a step in the words of the specification, but with numbers where it has classes."""
    (name, body), = json.loads(step.input).items()
    if name == "loaded":
        told = plan(body["_1"], step.at)
        return [name, body["_0"], *(told if len(told) > 1 else ["none"])]
    if name == "loadFailed":
        return [name, body["_0"]]
    return [name, flag(body["_0"])] if name == "stored" else [name]


class Rendering:
    """One piece of a subscription's steps, change by change. A moment that is further away than TLC counts is noted as it was told."""

    def __init__(self, piece):
        self.spec, self.num, self.kept, self.timing = piece.known, piece.numbers, piece.start["kept"], piece.start["timing"]

    def change(self, at, input_, spoken):
        """Takes one change that the specification prints: at its instant, by this input (None: by time alone). Gives its effects."""
        _, fx, after, num, _ = spoken
        name, body = next(iter(input_.items())) if input_ else (None, {})
        loads, told = self.num["loads"], []
        for t in fx:
            loads += t[0] == "load"
            told.append(canonical({t[0]: {
                "load": {"_0": loads}, "abandon": {"_0": loads}, "uploads": {"_0": t[-1] == "on"}, "stopped": {}}.get(t[0], {"_0": t[-1]})}))
        if not after["stopped"]:
            self.kept = self.keep(at, after, body["_1"] if name == "loaded" and fx[:1] != [["ignored", "late"]] else {})
        self.spec, self.num = after, num
        return told

    def keep(self, at, x, told):
        """What is kept of the plan."""
        active = told.get("active", self.kept["plan"].get("active"))
        gone = {"unknown": {}} if x["gone"] < 0 else {"over": {}} if x["gone"] == 0 else {"at": {"_0": at + x["gone"]}}
        return {"plan": {"active": {"until": active["until"]}} if x["plan"] == "active" else {x["plan"]: {}}, "gone": gone, "retentionMs": x["keep"]}

    def state(self, at):
        """The whole state at an instant, canonical JSON."""
        x = self.spec
        load = {"stopped": {}} if x["stopped"] else {"ask": {"_0": self.num["loads"], "until": at + x["ask"]}} if x["ask"] >= 0 else {
            "next": {"at": at + x["next"]}}
        return canonical({"failed": x["failed"], "kept": self.kept, "load": load, "loads": self.num["loads"], "stored": x["stored"],
                          "timing": self.timing})


class Subscriptions:
    """How the steps of subscriptions are told to TLC."""
    kind, module, specification = "subscription", "SubscriptionTrace", "Subscription.tla"
    rendering = Rendering

    @staticmethod
    def begin(machine, step, state):
        """The piece that begins with a whole state. A subscription's first step is a tick that changes nothing."""
        kept, (load, body) = state["kept"], next(iter(state["load"].items()))
        (name, inner), = kept["plan"].items()
        (gone, end), = kept["gone"].items()
        stopped = load == "stopped"
        known = {
            "plan": name, "until": left(step.at, inner["until"]) if name == "active" and not stopped else -1,
            "gone": -1 if gone == "unknown" or stopped else 0 if gone == "over" else left(step.at, end["_0"]), "keep": kept["retentionMs"],
            "stored": state["stored"], "failed": state["failed"], "ask": body["until"] - step.at if load == "ask" else -1,
            "next": body["at"] - step.at if load == "next" else -1, "stopped": stopped}
        fresh = step.seq == 1 and step.input == '{"tick":{}}'
        return Piece(machine, state, step.at, [step] if fresh else [], fresh, known, {"loads": state["loads"]})

    @staticmethod
    def inputs(piece):
        """What the records of a piece tell."""
        return ({"input": event(step)} for step in piece.steps)

    @staticmethod
    def definitions():
        return {}

    @staticmethod
    def bounds(state):
        """The constants of the specification that a whole state names."""
        timing = state["timing"]
        return {"Answer": timing["answerMs"], "Retry": timing["retryMs"], "Refresh": timing["refreshMs"]}
