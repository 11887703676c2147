"""What the specification says, in the spelling of the daemon: states and effects as canonical JSON. The specification counts in what
remains and by class; what a machine holds only to pass it on (README.md "Camera") is noted here: whose detection began a window,
which event a clip is of, what each record's input carries for its effects. Written from docs/design, not from the Swift."""

import copy

from digests import canonical, without_none


class Rendering:
    """One piece of a trace, change by change."""

    def __init__(self, piece):
        start = copy.deepcopy(piece.start)
        recorder, trigger = start["recorder"], start["trigger"]
        self.spec, self.num = piece.known, piece.numbers
        self.timing, self.policy = start["timing"], start["intent"]["policy"]
        self.until = start["intent"].get("policyUntil")
        self.window, self.why, self.clip, self.closing = None, {}, None, []
        self.with_clip = self.wanted = None
        if piece.fresh:
            return
        (phase, body), = trigger["state"].items()
        self.window = body["_1"] if phase == "active" else body["_0"] if phase == "silent" else None
        self.why = {q["number"]: q["suppressed"] for q in trigger["sources"] if "suppressed" in q}
        (phase, body), = recorder["state"].items()
        self.clip = body["_0"].get("event") if phase != "idle" else None
        self.closing = [q.get("event") for q in recorder["closing"]]
        self.with_clip, self.wanted = recorder.get("eventWithClip"), recorder.get("wantedSince")

    # What a change brings.

    def change(self, at, input_, spoken):
        """Takes one change that the specification prints: at its instant, by this input (None: by time alone). Gives its effects."""
        kind, fx, after, num, media_wanted = spoken
        name, body = next(iter(input_.items())) if input_ else (None, {})
        if name == "policy" and not self.spec["stopped"]:
            self.policy, self.until = body["_0"], body.get("until")
        run = Change(self, at, name, body, kind, fx, after, num)
        told = [run.effect(i, t) for i, t in enumerate(fx)]
        run.follow(media_wanted)
        self.spec, self.num = after, num
        return [canonical(t) for t in told if t is not None]

    # The whole state.

    def state(self, at):
        """The whole state at an instant, canonical JSON."""
        x = self.spec
        return canonical(without_none({
            "intent": self.intent(), "keepsMedia": x["ring"], "label": x["label"] if x["label"] != "-" else None, "link": self.link(at),
            "recorder": self.recorder(at), "stopped": x["stopped"], "timing": self.timing, "trigger": self.trigger(at)}))

    def intent(self):
        x = self.spec
        return without_none({
            "connect": x["order"], "draining": x["drain"], "enabled": x["en"], "policy": self.policy,
            "policyUntil": None if x["stopped"] else self.until,
            "privacy": {"hard": x["hard"], "softLive": x["live"], "softRecording": x["soft"]}, "storage": x["storage"], "viewers": x["viewers"]})

    def endpoint(self):
        x = self.spec
        return x["other"] if x["other"] != "-" else "internet" if x["order"] in ("internet", "internetFirst") else "lan"

    def link(self, at):
        x, num = self.spec, self.num
        soon = lambda k: at + k if k >= 0 else None                     # noqa: E731
        dial = {"_0": num["dial"], "_1": self.endpoint()}
        body = {"off": {}, "waiting": {"until": soon(x["lt"])}, "dialing": dial | {"deadline": soon(x["lt"])},
                "synchronizing": dial | {"silence": soon(x["lt"]), "patience": soon(x["key"]), "warned": x["warned"]},
                "streaming": dial | {"silence": soon(x["lt"]), "steady": soon(x["steady"])}}[x["link"]]
        return without_none({
            "dials": num["dials"], "failures": x["fails"], "other": x["other"] if x["other"] != "-" else None, "worked": x["worked"] or None,
            "hangingUp": {"deadline": soon(x["hang"]), "number": num["hung"]} if x["hang"] >= 0 else None, "state": {x["link"]: without_none(body)}})

    def windowed(self, at):
        """The window that runs. That of a window which has passed is held as it was."""
        w, kept = self.spec["win"], self.window
        if w["pv"] > 0:
            kept["previousEnd"] = at + w["pv"]
        chained = {"augmentationMs": w["ca"], "end": at + w["ch"], "maxMs": w["cm"]} if w["ch"] >= 0 else None
        return without_none({
            "augmentationMs": w["a"], "began": kept["began"], "blindMs": w["b"], "cause": kept["cause"], "chained": chained,
            "commanded": w["cmd"], "end": at + w["we"], "level": kept.get("level"), "limit": at + w["lim"],
            "previousEnd": kept["previousEnd"] if w["pv"] >= 0 else None, "sensitivity": w["sens"]})

    def trigger(self, at):
        x, events = self.spec, self.num["events"]
        state = {"quiet": lambda: {}, "active": lambda: {"_0": events, "_1": self.windowed(at)}, "silent": lambda: {"_0": self.windowed(at)},
                 "settling": lambda: {"_0": events, "blindMs": x["win"]["b"]}, "blind": lambda: {"until": at + x["blind"]}}[x["trig"]]()
        return {"events": events, "state": {x["trig"]: state}, "sources": [
            without_none({"number": q["n"], "staleAt": at + q["t"], "suppressed": self.why[q["n"]] if q["told"] else None}) for q in x["src"]]}

    def recorder(self, at):
        x, num = self.spec, self.num
        ended = x["why"] if x["why"] in ("quiet", "limit") else None
        clip = without_none({"ended": ended, "event": self.clip, "number": num["open"]})
        body = {"idle": {}, "opening": {"_0": clip, "deadline": at + x["rt"]}, "writing": {"_0": clip, "cutAt": at + x["rt"]},
                "cutting": {"_0": clip, "_1": x["why"], "grace": at + x["rt"]}}[x["rec"]]
        return without_none({
            "clips": num["clips"], "eventWithClip": self.with_clip, "failures": x["rfails"], "graces": x["more"] or None,
            "retryAt": at + x["rt"] if x["rec"] == "idle" and x["rt"] >= 0 else None, "state": {x["rec"]: body}, "wantedSince": self.wanted,
            "closing": [without_none({"deadline": at + q["t"], "event": of, "number": n, "opened": q["was"] == "open"})
                        for q, of, n in zip(x["closing"], self.closing, num["closing"])]})


class Change:
    """One change: its effects as the daemon spells them, with the numbers and instants that the specification leaves out."""

    def __init__(self, notes, at, name, body, kind, fx, after, num):
        self.notes, self.at, self.name, self.body, self.kind = notes, at, name, body, kind
        self.fx, self.before, self.after, self.num = fx, notes.spec, after, num
        self.events, self.open, self.closing = notes.num["events"], notes.num["open"], list(notes.num["closing"])
        self.expired = [q["n"] for q in self.before["src"] if q["n"] not in [k["n"] for k in after["src"]]]
        # An answer of a clip that is being closed, or was given up: it is owed no longer.
        self.given_up = name in ("closed", "openFailed", "keyframeMissing") and body["_0"] in self.closing and fx[0][0] != "ignored"
        if self.given_up:
            index = self.closing.index(body["_0"])
            self.closing.pop(index)
            self.notes.closing.pop(index)

    def begun(self):
        """The event begins; a silent window that wakes is the one that ran."""
        self.events += 1
        if self.before["trig"] != "silent":
            self.begin_window()

    def begin_window(self):
        chained = self.before["win"]["ch"] >= 0 and self.kind == "due"
        cause = {"detected": "detection", "commanded": "command"}.get(self.name, "command" if chained else "source")
        self.notes.window = {"began": self.at, "cause": cause, "level": self.body["level"] if cause == "detection" else None}

    def due(self, prolonged_behind):
        """When the window ends; `prolonged_behind`: before it is prolonged in this same change."""
        w = self.after["win"]
        return self.at + min(w["pv"] if prolonged_behind else w["we"], w["lim"])

    def effect(self, i, t):
        """One effect of the specification."""
        return self.report(i, t[1:]) if t[0] == "report" else self.order(t)

    def order(self, t):
        notes, one = self.notes, lambda *values: {t[0]: {"_%d" % k: v for k, v in enumerate(values)}}      # noqa: E731
        match t[0]:
            case "keepRing" | "purgeRing":
                return {"keepMedia": {"_0": t[0] == "keepRing"}}
            case "dial":
                return one(self.num["dial"], t[1])
            case "hangUp":
                return one(notes.num["dial"])
            case "openClip":
                return self.open_clip(t)
            case "closeClip":
                return one(self.open, t[1], t[2])
            case "beginEvent":
                self.begun()
                window = notes.window
                return {t[0]: without_none({"_0": self.events, "_1": window["cause"], "level": window["level"]})}
            case "endEvent":
                return one(self.events, t[1])
            case "noteDetection":
                return one(self.events, self.body["zones"])
            case "noteSuppressed":
                during = self.events if self.before["trig"] in ("active", "settling", "blind") else None
                return {t[0]: without_none({"_0": self.body["level"], "_1": t[1], "during": during})}
            case "refused":
                return {"report": {"_0": one(t[1])}}
            case "stopped":
                return {"stopped": {}}
            case _:
                return one(*t[1:])      # label, ignored

    def open_clip(self, t):
        """The first clip of an event asks for its pre-roll; in continuous mode what is wanted has waited since a moment, and where it is
        wanted only now, the clip asks for the pre-roll that transports want."""
        notes, self.open = self.notes, self.num["open"]
        of_event = t[1] == "event"
        notes.clip = self.events if of_event else None
        wanted = notes.policy.get("transportPreRollMs") if not of_event and notes.wanted is None else None
        since = notes.wanted = notes.wanted if notes.wanted is not None else self.at
        return {"openClip": {"_0": without_none({
            "cause": notes.window["cause"] if of_event else "continuous", "event": notes.clip, "number": self.open,
            "trigger": notes.window["began"] if of_event else since,
            "preRollMs": max(notes.policy["preRollMs"], 0) if t[2] == "preroll" else max(wanted or 0, 0)})}}

    def report(self, i, t):
        """A report; t is what it tells."""
        one = lambda *values, **more: {t[0]: without_none({"_%d" % k: v for k, v in enumerate(values)} | more)}      # noqa: E731
        return {"report": {"_0": self.link_report(t, one) or self.trigger_report(i, t, one) or self.recorder_report(t, one) or self.intent_report(t, one)}}

    def link_report(self, t, one):
        match t[0]:
            case "link":
                waits = self.after["lt"] if t[2] == "waiting" else None
                return {"link": without_none({"failure": t[3] if len(t) > 3 else None, "from": t[1], "retryMs": waits, "to": t[2]})}
            case "hangUpOverdue":
                return one(self.notes.num["hung"])
            case "noKeyFrameYet":
                return {"noKeyFrame": {"_0": self.num["dial"]}}
        return None

    def trigger_report(self, i, t, one):
        match t[0]:
            case "eventBegan":
                window = self.notes.window
                prolonged = any(f[:2] == ["report", "eventProlonged"] for f in self.fx[i:])
                return one(self.events, window["cause"], level=window["level"], until=self.due(prolonged))
            case "eventProlonged":
                return one(self.events, until=self.due(False))
            case "eventEnded":
                return one(self.events, t[1])
            case "suppressed":
                noted = i > 0 and self.fx[i - 1][0] == "noteSuppressed"
                if not noted:
                    for q in self.after["src"]:
                        self.notes.why.setdefault(q["n"], t[1])
                return {t[0]: without_none({"_0": self.body["level"] if noted else None, "_1": t[1]})}
            case "sourceExpired":
                return one(self.expired.pop(0))
        return None

    def recorder_report(self, t, one):
        notes = self.notes
        match t[0]:
            case "clipOpened":
                notes.wanted = None
                notes.with_clip = notes.clip if notes.clip is not None else notes.with_clip
                return one(self.open, shortfall=self.body.get("shortfall"), start=self.body["start"])
            case "clipFailed":
                return one(self.body["_0"] if self.given_up else notes.num["open"], retryMs=None if self.given_up else self.after["rt"])
            case "clipEnded":
                notes.wanted = min(self.body["at"], self.at) if self.name in ("cut", "streamChanged") else self.at
                self.closing.append(self.open)
                notes.closing.append(notes.clip)
                return one(self.open, t[1])
            case "clipClosed":
                return one(self.body["_0"], complete=t[1] == "complete")
            case "closeOverdue":
                notes.closing.pop(0)
                return {"clipOverdue": {"_0": self.closing.pop(0)}}
        return None

    def intent_report(self, t, one):
        match t[0]:
            case "enabled":
                return one(t[1] == "1")
            case "privacy":
                hard, soft, live = (value == "1" for value in t[1:])
                return one({"hard": hard, "softLive": live, "softRecording": soft})
        return {t[0]: {"from": t[1], "to": t[2]}}         # mode, storage, coverage

    def follow(self, media_wanted):
        """What is noted when the change has settled."""
        notes, x = self.notes, self.after
        if x["trig"] == "silent" and self.before["trig"] != "silent":
            self.begin_window()
        if x["trig"] not in ("active", "silent"):
            notes.window = None
        if x["rec"] == "idle":
            notes.clip = None
        if not media_wanted or x["link"] != "streaming":
            notes.wanted = None
        elif x["rec"] == "idle" and notes.wanted is None:
            notes.wanted = self.at
        on = [q["n"] for q in x["src"]]
        notes.why = {n: why for n, why in notes.why.items() if n in on}
        if x["stopped"] and not self.before["stopped"]:
            notes.window, notes.why, notes.clip, notes.closing, notes.with_clip, notes.wanted = None, {}, None, [], None, None
