"""The steps of a cloud subscription in the words of Subscription.tla, and what the specification says as canonical JSON."""

import json

from digests import canonical
from module import FOREVER, Kind, flag


def left(at, until):
    """Milliseconds until a moment, as far as TLC counts; 0: it has passed."""
    return min(max(until - at, 0), FOREVER)


def plan(told, at):
    """A plan that a load tells, with its end, or that of its retention where it is over, and its retention. One whose end has passed
    is over, and its retention runs from that end."""
    (name, body), = told.items()
    if name == "none":
        return ["none"]
    keep = max(body["retentionMs"], 0)
    if name == "active" and body["until"] > at:
        return [name, body["until"], keep]
    return ["expired", min(body["until"] if name == "active" else body["at"], at) + keep, keep]


def event(step):
    """The input of a step in the words of the specification, but with numbers where it has classes."""
    (name, body), = json.loads(step.input).items()
    if name == "loaded":
        told, *rest = plan(body["_1"], step.at)
        return [name, body["_0"], told, *([left(step.at, rest[0]), rest[1]] if rest else [])]
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
            taken = name == "loaded" and not any(t[0] == "ignored" for t in fx)
            self.kept = self.keep(at, after, plan(body["_1"], at) if taken else [None])
        self.spec, self.num = after, num
        return told

    def keep(self, at, x, told):
        """What is kept of the plan, by a load that was taken (None: by none). The specification says how the plan and its retention
        stand; their instants may be further away than TLC counts, and are as they were told."""
        name, *rest = told
        keep = rest[1] if rest else self.kept["retentionMs"]
        until = rest[0] if name == "active" else self.kept["plan"].get("active", {}).get("until")
        end = rest[0] if name == "expired" else self.kept["gone"].get("at", {}).get("_0", at + keep)
        return {"plan": {"active": {"until": until}} if x["plan"] == "active" else {x["plan"]: {}}, "retentionMs": keep,
                "gone": {"unknown": {}} if x["gone"] < 0 else {"over": {}} if x["gone"] == 0 else {"at": {"_0": end}}}

    def state(self, at):
        """The whole state at an instant, canonical JSON."""
        x = self.spec
        load = {"stopped": {}} if x["stopped"] else {"ask": {"_0": self.num["loads"], "until": at + x["ask"]}} if x["ask"] >= 0 else {
            "next": {"at": at + x["next"]}}
        return canonical({"failed": x["failed"], "kept": self.kept, "load": load, "loads": self.num["loads"], "stored": x["stored"],
                          "timing": self.timing})


class Subscriptions(Kind):
    """How the steps of subscriptions are told to TLC."""
    kind, module, specification = "subscription", "SubscriptionTrace", "Subscription.tla"
    rendering, event = Rendering, staticmethod(event)

    @staticmethod
    def whole(at, state, _):
        """A whole state, and its numbers. A subscription's first step changes nothing."""
        kept, (load, body) = state["kept"], next(iter(state["load"].items()))
        (name, inner), = kept["plan"].items()
        (gone, end), = kept["gone"].items()
        stopped = load == "stopped"
        known = {
            "plan": name, "until": left(at, inner["until"]) if name == "active" and not stopped else -1,
            "gone": -1 if gone == "unknown" or stopped else 0 if gone == "over" else left(at, end["_0"]), "keep": kept["retentionMs"],
            "stored": state["stored"], "failed": state["failed"], "ask": body["until"] - at if load == "ask" else -1,
            "next": body["at"] - at if load == "next" else -1, "stopped": stopped}
        return known, {"loads": state["loads"]}

    @staticmethod
    def bounds(state):
        """The constants of the specification that a whole state names."""
        timing = state["timing"]
        return {"Answer": timing["answerMs"], "Retry": timing["retryMs"], "Refresh": timing["refreshMs"]}
