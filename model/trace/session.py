"""The steps of a session in the words of Session.tla, and what the specification says as canonical JSON."""

import json

from digests import canonical, without_none
from module import Kind, flag, remaining

# An order's name in the trace: what the specification calls the request whose answer is outstanding.
ASKED = {"setDefinition": "definition", "talkOn": "talk", "recordOn": "record"}
NORMAL = 100        # hundredths


def speed(hundredths):
    """A speed in the words of the specification: 1 is the one of each start, and what is none of the seven is outside."""
    return "1" if hundredths == NORMAL else str(hundredths) if hundredths in (25, 50, 200, 400, 800, 1600) else "outside"


def request(name, body):
    """A request in the words of the specification."""
    first = body.get("_0")
    if name == "startPreview":
        return [name, first, body["others"]]
    if name == "startPlayback":
        position = body["_1"]
        inside = position["startMs"] <= position["playTimeMs"] < position["stopMs"]
        return [name, str(first), "outside" if not inside else "over" if body.get("_2") else "in"]
    if name == "speed":
        return [name, speed(body["hundredths"])]
    if name in ("mute", "talk", "record"):
        return [name, "on" if first else "off"]
    return [name] if first is None else [name, str(first)]


def event(step):
    """The input of a step in the words of the specification, but with numbers where it has classes."""
    (name, body), = json.loads(step.input).items()
    if name == "request":
        (asked, inner), = body["_0"].items()
        return request(asked, inner)
    if name == "clipEnded":
        return [name, body["_0"], next(iter(body["_1"]))]
    if name == "privacy":
        return [name, flag(body["_0"])]
    return [name] + [body[key] for key in ("_0", "_1") if key in body]


class Rendering:
    """One piece of a session's steps, change by change."""

    def __init__(self, piece):
        self.spec, self.num, self.bounds = piece.known, piece.numbers, piece.start["bounds"]
        self.order = piece.start["ask"]["order"] if "ask" in piece.start else None

    def change(self, _, input_, spoken):
        """Takes one change that the specification prints, by this input (None: by time alone). Gives its effects."""
        _, fx, after, num, _ = spoken
        self.body, orders = next(iter(input_.values())) if input_ else {}, self.num["orders"]
        self.starts = num["starts"]
        told = []
        for t in fx:
            one = self.effect(t, orders)
            orders += "order" in one
            told.append(canonical(one))
        self.spec, self.num = after, num
        return told

    def effect(self, t, orders):
        """One effect of the specification; `orders` were given before it."""
        asked = self.body.get("_0") if isinstance(self.body.get("_0"), dict) else {}
        inner = next(iter(asked.values()), {})
        match t[0]:
            case "abandon":
                return {"abandon": {"_0": orders}}
            case "recordOff" | "talkOff" | "mute" | "stopPreview" | "stopPlayback" | "disconnect":
                return {t[0]: {}}
            case "setSpeed":
                return {t[0]: {"_0": NORMAL if t[1] == "1" else int(t[1])}}
            case "playOn":
                return {t[0]: {"_0": self.starts}}
            case "refused":
                return {t[0]: {"_0": t[1], "_1": t[2]}}
            case "ignored":
                return {t[0]: {"_0": t[1]}}
            case "report":
                return {"report": {"_0": self.report(t[1:])}}
        body = {"startPreview": lambda: {"_0": t[1]}, "setDefinition": lambda: {"_0": t[1]}, "listClips": lambda: {"_0": int(t[1])},
                "startPlayback": lambda: {"_0": self.starts, "_1": int(t[1]), "_2": inner["_1"]}}.get(t[0], dict)()
        self.order = {t[0]: body}
        return {"order": {"_0": orders + 1, "_1": self.order}}

    def report(self, t):
        """What a report tells."""
        if t[0] in ("sound", "talk", "record"):
            return {t[0] + "On": {}}
        if t[0] == "finished":
            return {t[0]: {"_0": {t[1]: self.body["_1"][t[1]]}}}
        if t[0] == "clips":
            return {t[0]: {"_0": int(t[1])}}
        return {t[0]: {"_%d" % k: v for k, v in enumerate(t[1:])}}

    def state(self, at):
        """The whole state at an instant, canonical JSON."""
        x = self.spec
        ask = {"number": self.num["orders"], "order": self.order, "until": at + x["bound"]} if x["ask"] != "-" else None
        return canonical(without_none({
            "ask": ask, "bounds": self.bounds, "day": int(x["day"]) if x["day"] != "-" else None,
            "definition": x["def"] if x["def"] != "-" else None, "left": at + x["left"] if x["left"] >= 0 else None, "orders": self.num["orders"],
            "phase": {x["phase"]: {"_0": x["why"]} if x["phase"] == "ended" else {}}, "privacy": x["priv"],
            "reach": "overHoles" if x["over"] else None, "record": x["rec"], "sound": x["sound"],
            "speed": None if x["speed"] == "-" else NORMAL if x["speed"] == "1" else int(x["speed"]), "starts": self.num["starts"],
            "talk": x["talk"], "up": x["up"]}))


class Sessions(Kind):
    """How the steps of sessions are told to TLC."""
    kind, module, specification = "session", "SessionTrace", "Session.tla"
    rendering, event = Rendering, staticmethod(event)

    @staticmethod
    def whole(at, state, _):
        """A whole state, and its numbers. A session's first step changes nothing."""
        (phase, body), = state["phase"].items()
        ask = state.get("ask")
        (order, inner), = ask["order"].items() if ask else (("-", {}),)
        known = {
            "phase": phase, "why": body.get("_0", "-"), "up": state["up"], "day": str(state["day"]) if "day" in state else "-",
            "ask": ASKED.get(order, order), "arg": str(inner["_0"]) if order in ("setDefinition", "listClips") else "-",
            "bound": ask["until"] - at if ask else -1, "left": remaining(at, state.get("left")), "def": state.get("definition", "-"),
            "sound": state["sound"], "talk": state["talk"], "rec": state["record"],
            "speed": speed(state["speed"]) if "speed" in state else "-", "over": "reach" in state, "priv": state["privacy"]}
        return known, {"orders": state["orders"], "starts": state["starts"]}

    @staticmethod
    def bounds(state):
        """The constants of the specification that a whole state names."""
        bounds = state["bounds"]
        return {"Answer": bounds["answerMs"], "Duration": bounds["durationMs"], "LiveMax": bounds["liveMax"]}
