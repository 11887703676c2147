"""The steps of a camera in the words of Camera.tla: whole states, inputs, policies. Nothing here decides what a step does; where the
specification has classes, CameraTrace.tla takes them from the numbers."""

import json

from camera_json import Rendering
from digests import Waits
from module import Kind, flag, remaining

NO_NUMBERS = {"dials": 0, "dial": 0, "hung": 0, "clips": 0, "open": 0, "events": 0, "closing": []}
NO_WINDOW = {"we": -1, "pv": -1, "lim": -1, "cmd": False, "sens": 0, "a": 0, "b": 0, "m": 0, "ch": -1, "cm": 0, "ca": 0}


class Policies:
    """The policies of a trace. One that holds until another moment is another policy: it is another intent."""

    def __init__(self):
        self.names, self.table = {}, {}

    def name(self, policy, until):
        key = json.dumps([policy, until], sort_keys=True)
        if key not in self.names:
            self.names[key] = "p%d" % (len(self.names) + 1)
            time = policy["timeControl"]
            mode = policy["mode"] if policy["mode"] != "off" else "offBySchedule" if policy["offBySchedule"] else "offByPolicy"
            self.table[self.names[key]] = {
                "mode": mode, "sens": policy["sensitivity"], "i": time["initialMs"], "a": max(time["augmentationMs"], 0),
                "m": time["maxMs"], "b": max(time["blindMs"], 0), "conn": policy["connection"], "next": -1,
                "length": max(policy["clipLengthMs"], 1000)}
        return self.names[key]


def link_state(state, at):
    """The link of a whole state: head and deadlines, and the number of its dial."""
    link = state["link"]
    (phase, body), = link["state"].items()
    bound = {"waiting": "until", "dialing": "deadline", "synchronizing": "silence", "streaming": "silence"}.get(phase)
    known = {
        "link": phase, "lt": body[bound] - at if bound else -1, "key": remaining(at, body.get("patience")),
        "warned": body.get("warned", False), "fails": link["failures"], "steady": remaining(at, body.get("steady")),
        "worked": link.get("worked", False), "other": link.get("other", "-"), "hang": link["hangingUp"]["deadline"] - at if "hangingUp" in link else -1}
    return known, {"dials": link["dials"], "dial": body.get("_0", 0), "hung": link.get("hangingUp", {}).get("number", 0)}


def window(w, at):
    """A window of a whole state."""
    chained = w.get("chained")
    previous = w.get("previousEnd")
    return {"we": w["end"] - at, "pv": -1 if previous is None else max(previous - at, 0), "lim": w["limit"] - at, "cmd": w["commanded"],
            "sens": w["sensitivity"], "a": w["augmentationMs"], "b": w["blindMs"], "m": w["limit"] - w["began"],
            "ch": chained["end"] - at if chained else -1, "cm": chained["maxMs"] if chained else 0,
            "ca": chained["augmentationMs"] if chained else 0}


def trigger_state(state, at):
    """The trigger of a whole state."""
    trigger, recorder = state["trigger"], state["recorder"]
    (phase, body), = trigger["state"].items()
    win = NO_WINDOW
    if phase in ("active", "silent"):
        win = window(body["_1" if phase == "active" else "_0"], at)
    elif phase == "settling":
        win = dict(NO_WINDOW, b=body["blindMs"])
    return {"trig": phase, "win": win, "blind": body["until"] - at if phase == "blind" else -1,
            "src": [{"n": q["number"], "t": q["staleAt"] - at, "told": "suppressed" in q} for q in trigger["sources"]],
            "first": phase == "active" and recorder.get("eventWithClip") != body["_0"]}


def recorder_state(state, at):
    """The recorder of a whole state, and the numbers of its clips."""
    recorder, latest = state["recorder"], state["trigger"]["events"]
    (phase, body), = recorder["state"].items()
    clip = body.get("_0", {})
    bound = {"opening": "deadline", "writing": "cutAt", "cutting": "grace"}.get(phase)
    known = {
        "rec": phase, "rt": body[bound] - at if bound else remaining(at, recorder.get("retryAt")),
        "of": "-" if not clip else "none" if "event" not in clip else "cur" if clip["event"] == latest else "old",
        "why": body["_1"] if phase == "cutting" else clip.get("ended", "-"), "more": recorder.get("graces", 0),
        "rfails": recorder["failures"],
        "closing": [{"t": q["deadline"] - at, "of": "cur" if q.get("event") == latest else "-", "was": "open" if q["opened"] else "opening"}
                    for q in recorder["closing"]]}
    return known, {"clips": recorder["clips"], "open": clip.get("number", 0), "closing": [q["number"] for q in recorder["closing"]]}


def intent_state(state, at, policies):
    """The intent of a whole state."""
    intent = state["intent"]
    privacy = intent["privacy"]
    return {"en": intent["enabled"], "pol": policies.name(intent["policy"], intent.get("policyUntil")),
            "next": remaining(at, intent.get("policyUntil")), "hard": privacy["hard"], "soft": privacy["softRecording"],
            "live": privacy["softLive"], "order": intent["connect"], "viewers": intent["viewers"], "storage": intent["storage"],
            "drain": intent["draining"]}


FRESH = {"stopped": False, "ring": False, "label": "-", "link": "off", "lt": -1, "key": -1, "warned": False, "fails": 0, "steady": -1, "worked": False,
         "other": "-", "hang": -1, "trig": "quiet", "win": NO_WINDOW, "blind": -1, "src": [], "first": False, "rec": "idle", "rt": -1,
         "of": "-", "why": "-", "more": 0, "rfails": 0, "closing": []}


def passes(zones, policy):
    """T8: whether a detection is in the zones that the policy looks at."""
    wanted = policy.get("zones")
    return wanted is None or bool(zones["inside"] & wanted["inside"]) or zones["outside"] and wanted["outside"]


def event(step, policy, policies):
    """The input of a step in the words of the specification, but with numbers where it has classes."""
    (name, body), = json.loads(step.input).items()
    if name in ("tick", "drain"):
        return [name]
    first = body["_0"] if "_0" in body else None
    if name == "detected":
        return [name, body["level"], "in" if passes(body["zones"], policy) else "out"]
    if name == "commanded":
        return ["command", first["initialMs"], first["augmentationMs"], first["maxMs"]]
    if name == "privacy":
        return [name, flag(first["hard"]), flag(first["softRecording"]), flag(first["softLive"])]
    if name == "policy":
        return [name, policies.name(first, body.get("until")), remaining(step.at, body.get("until"))]
    more = {"packets": lambda: [max(step.at - body["last"], 0)], "opened": lambda: [max(step.at - body["start"], 0)],
            "asserted": lambda: [body["staleMs"]], "closed": lambda: ["complete" if body["complete"] else "incomplete"],
            "dialFailed": lambda: [body["_1"]], "lost": lambda: [body["_1"]]}.get(name, lambda: [])()
    return [name, flag(first) if name == "enabled" else first] + more


class Cameras(Kind):
    """How the steps of cameras are told to TLC."""
    kind, module, specification = "camera", "CameraTrace", "Camera.tla"
    rendering = Rendering

    def __init__(self):
        self.policies = Policies()

    def whole(self, at, state, fresh):
        """A whole state, and its numbers. A camera's first step begins with nothing but its intent."""
        known = intent_state(state, at, self.policies)
        if fresh:
            return known | FRESH, dict(NO_NUMBERS)
        link, dials = link_state(state, at)
        recorder, clips = recorder_state(state, at)
        known |= {"stopped": state["stopped"], "ring": state["keepsMedia"], "label": state.get("label", "-")}
        known |= link | trigger_state(state, at) | recorder
        return known, dials | clips | {"events": state["trigger"]["events"]}

    def inputs(self, piece):
        """What the records of a piece tell: inputs, and waits before dialling and opening again."""
        policy, waits = piece.start["intent"]["policy"], Waits(piece.numbers["clips"], piece.start["timing"])
        for step in piece.steps:
            told = event(step, policy, self.policies)
            if told[0] == "policy":
                policy = json.loads(step.input)["policy"]["_0"]
            redial, retry = waits.of(step)
            yield {"input": told, "redial": redial, "retry": retry}

    def definitions(self):
        return {"InForce": self.policies.table}

    @staticmethod
    def bounds(state):
        """The constants of the specification that a whole state names."""
        timing = state["timing"]
        return {"Dial": timing["dialMs"], "Silence": timing["silenceMs"], "HangBound": timing["hangUpMs"], "KeyWarn": timing["keyframeMs"],
                "KeyLong": timing["patienceMs"], "KeyShift": timing["patienceDoublings"], "Steady": timing.get("steadyMs", 0),
                "WaitCap": timing["redialMs"][-1], "FailMax": timing["failureCap"], "Unauthorized": timing["unauthorizedMs"],
                "OpenBound": timing["openMs"], "CloseBound": timing["closeMs"], "Grace": timing["graceMs"],
                "MoreGraces": timing.get("moreGraces", -1), "Rest": timing["restMs"], "RetryCap": timing["retryMs"][-1],
                "Redials": timing["redialMs"], "Retries": timing["retryMs"], "Jitter": timing["jitterPercent"]}
