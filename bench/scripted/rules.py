"""The rules of events (T1 to T9) once more, written from their prose for benches: what must come of facts at exact times.

Times are milliseconds since boot. Beside the facts of a daemon's trace these rules are given what a script alone lets expect, with
every delay that a detector, a dial and a key frame may have; where all of these agree on a moment's label, the script has said it.
"""
import itertools

# For so long after a movement something of it may be noticed: a detector that rests looks at the next key frame, at most 2.2 s later, is certain
# 0.6 s after that (docs/design/detection.md), and a frame comes 0.2 s after the scene was switched.
ECHO_MS = 3000
ALTERATIONS = ("restart", "blindFromEnd", "noBlind", "strictSensitivity", "policyAtOnce")


class Event:
    """An event: `began` and `ended` as a step told it, `due` when it ended by the rules."""

    def __init__(self, began, cause, level, until, policy):
        self.began, self.cause, self.level, self.until, self.policy = began, cause, level, until, policy
        self.ended, self.due, self.why, self.detections, self.prolonged = None, None, None, 0, []


class Rules:
    """One camera's trigger. `policy`: as in script.POLICIES. `altered`: a rule that is broken on purpose, to see checks fail."""

    def __init__(self, policy, altered=None):
        self.policy, self.altered, self.now = policy, altered, 0
        self.enabled, self.private, self.draining = True, False, False
        self.window = None              # the running window
        self.event = None               # the active event; None while the window runs unseen
        self.blind = None               # the blind time that waits for the clips
        self.until = None               # when the blind time that runs ends
        self.clips = set()              # clips that are not durable yet
        self.events, self.suppressed, self.spans = [], [], []   # spans: (from, to) of blind times
        self.told = []                  # what is to be told of this, in order

    def take(self, at, fact, value=None):
        """Lets time pass, then takes a fact of the trace."""
        self.pass_time(at)
        self.now = at
        getattr(self, fact, lambda _: None)(value)
        if self.blind is not None and not self.clips:
            self.start_blind(at)

    # Time

    def due(self):
        """When time alone changes something next."""
        if self.window:
            return min(self.window["end"], self.window["limit"])
        return self.until

    def pass_time(self, at):
        """Applies what is due at or before `at`, each at its own moment."""
        while self.due() is not None and self.due() <= at:
            due = self.due()
            if not self.window:
                self.until = None
                continue
            window = self.window
            self.end(at, due, "limit" if window["end"] > window["limit"] else "quiet")
            if window["blind"] and not window["silent"] and not window["commanded"] and self.altered != "noBlind":
                self.blind = window["blind"]
                if not self.clips or self.altered == "blindFromEnd":
                    self.start_blind(due)

    def start_blind(self, at):
        """The event's last clip is durable: now the blind time runs."""
        since = self.events[-1].due if self.events else at
        self.until, self.blind = at + self.blind, None
        self.spans.append((since, self.until))

    def end(self, at, due, why):
        """The window is over, and with it the event."""
        if self.event:
            self.event.ended, self.event.due, self.event.why = at, due, why
            self.told.append(("eventEnded", len(self.events), why))
        self.window = self.event = None

    # Facts

    def detected(self, value):
        """Motion, of a level."""
        level = value["level"]
        refused = self.forbidden()
        sensitivity = (self.window or self.policy)["sensitivity"]
        if not refused and (level >= sensitivity if self.altered == "strictSensitivity" and level > 1 else level > sensitivity):
            refused = "sensitivity"
        if not refused and not self.window and (self.until is not None or self.blind is not None):
            refused = "blind"
        if not refused:
            if self.window:
                self.prolong()
            else:
                self.begin("detection", level, self.policy)
            if self.window["silent"]:
                refused = "disabled"
            else:
                self.event.detections += 1
        if refused:
            self.suppressed.append((self.now, level, refused, self.noted()))
            self.told.append(("detectionSuppressed", refused, level))

    def commanded(self, value):
        """A command, with its own time control."""
        control = {"initial": value["_0"]["initialMs"] / 1000, "augmentation": value["_0"]["augmentationMs"] / 1000,
                   "maxEventLength": value["_0"]["maxMs"] / 1000, "blind": 0}
        if self.forbidden() or not self.enabled:
            return
        if not self.event:
            self.until = self.blind = None
            return self.begin("command", None, dict(self.policy, **control), commanded=True)
        before = self.due()
        self.window["commanded"] = True
        self.window["end"] = max(self.window["end"], self.now + int(control["initial"] * 1000))
        self.window["limit"] = max(self.window["limit"], self.now + int(control["maxEventLength"] * 1000))
        if self.due() != before:
            self.lengthened()

    def enabled_(self, on):
        """The toggle."""
        self.enabled = on
        if not on and self.event:
            self.end(self.now, self.now, "disabled")
        if on and self.window and not self.event:
            self.activate()

    def private_(self, on):
        """Privacy that covers the recording."""
        self.private = on
        if on:
            self.end(self.now, self.now, "privacy")

    def policy_(self, policy):
        """Another policy in force; a running event keeps what it began with."""
        self.policy = policy
        if self.altered == "policyAtOnce" and self.window:
            self.window.update(augmentation=policy["augmentation"] * 1000, sensitivity=policy["sensitivity"])

    def drain(self, _):
        """The daemon stops."""
        self.draining = True
        self.end(self.now, self.now, "draining")

    def opened(self, value):
        """A clip is open."""
        self.clips.add(value["_0"])

    def closed(self, value):
        """A clip is durable."""
        self.clips.discard(value["_0"])

    # What follows

    def forbidden(self):
        """Why no detection counts at all."""
        return "draining" if self.draining else "privacy" if self.private else None

    def noted(self):
        """The event during which, or in whose blind time, something was suppressed: its place in `events`."""
        busy = self.event or self.until is not None or self.blind is not None
        return len(self.events) - 1 if busy else None

    def begin(self, cause, level, policy, commanded=False):
        """A window begins, and an event unless the toggle is off."""
        self.window = {"end": self.now + int(policy["initial"] * 1000), "limit": self.now + int(policy["maxEventLength"] * 1000),
                       "previous": None, "augmentation": int(policy["augmentation"] * 1000), "blind": int(policy["blind"] * 1000),
                       "sensitivity": self.policy["sensitivity"], "commanded": commanded, "silent": True, "cause": cause, "level": level}
        if self.enabled:
            self.activate()

    def activate(self):
        """The window becomes an event."""
        self.window["silent"] = False
        self.event = Event(self.now, self.window["cause"], self.window["level"], self.due(), self.policy)
        self.events.append(self.event)
        self.told.append(("eventBegan", len(self.events), self.event.cause, self.event.level, self.due() - self.now))

    def prolong(self):
        """T2: the first time, and from then on once the previous window end has passed."""
        window, before = self.window, self.due()
        if self.altered != "restart" and window["previous"] is not None and self.now < window["previous"]:
            return
        window["previous"], window["end"] = window["end"], window["end"] + window["augmentation"]
        if self.event and self.due() != before:
            self.lengthened()

    def lengthened(self):
        """The event's end has moved."""
        self.event.prolonged.append((self.now, self.due()))
        self.told.append(("eventProlonged", len(self.events), self.due() - self.now))


def facts(steps, policies):
    """The facts of a trace for the rules: (at, fact, value). `policies`: (when its file had it, policy), in order."""
    for at, given in steps:
        (kind, value), = given.items()
        if kind == "enabled":
            yield at, "enabled_", value["_0"]
        elif kind == "privacy":
            yield at, "private_", value["_0"]["hard"] or value["_0"]["softRecording"]
        elif kind == "policy":
            # Each reload tells every camera its policy; what it is comes from the script.
            yield at, "policy_", [policy for since, policy in policies if since <= at][-1]
        else:
            yield at, kind, value


def live(policy, given, cut, altered=None, change=None):
    """Runs the rules over facts whose clips they make themselves: each is durable `cut` ms after its event. `change`: applied to
    every policy."""
    change = change or (lambda p: p)
    rules = Rules(change(policy), altered)

    def settle(until):
        while True:
            if rules.blind is None and rules.window and rules.due() <= until:
                rules.clips = {0}
                rules.take(rules.due(), "tick")
            elif rules.blind is not None and rules.events[-1].due + cut <= until:
                rules.take(rules.events[-1].due + cut, "closed", {"_0": 0})
            else:
                return

    for at, fact, value in given:
        if fact in ("opened", "closed"):
            continue
        settle(at)
        rules.clips = set() if rules.blind is None else rules.clips
        rules.take(at, fact, change(value) if fact == "policy_" else value)
    settle(rules.now + 600_000)
    return rules


class Expected:
    """What a script lets expect of a camera, under one choice of delays (ms)."""

    def __init__(self, policy, deeds, end, noticed, tail, cut, dial):
        self.away, self.disabled, self.covered, self.cut = [], [], [], cut
        opens = {"stop": self.away, "disable": self.disabled, "cover": self.covered}
        closes = {"start": self.away, "enable": self.disabled, "uncover": self.covered}
        moving, given, self.blinded = [], [], []
        for at, verb, value in deeds:
            if verb == "move":
                moving.append([at, end])
            elif verb == "rest":
                moving[-1][1] = at
            elif verb in opens:
                opens[verb].append([at, end])
            elif verb in closes:
                closes[verb][-1][1] = at
            if verb in ("disable", "enable"):
                given.append((at, "enabled_", verb == "enable"))
            elif verb in ("cover", "uncover"):
                given.append((at, "private_", verb == "cover"))
            elif verb == "policy":
                given.append((at, "policy_", value))
            elif verb == "trigger":
                given.append((at, "detected", {"level": 1}))
            elif verb == "record":
                given.append((at, "commanded", {"_0": {"initialMs": value, "maxMs": value, "augmentationMs": 5000}}))
        # While nothing may be recorded there is no link; then it is dialled, which takes as long as the back-off says.
        self.unlinked = [(a, b) for a, b in self.disabled + self.covered]
        self.lost = [(a, b + (dial if b - a < 60_000 else 35_000)) for a, b in self.away] + [(b, b + dial) for a, b in self.unlinked]
        blind = sorted(self.unlinked + self.lost)
        for a, b in moving:
            at = a + noticed
            while at < b + tail:
                if not any(c <= at < d + (noticed if c < at else 0) for c, d in blind):
                    given.append((at, "detected", {"level": 1}))
                at += 500
        given.sort(key=lambda g: g[0])
        rules = live(policy, given, cut)
        self.blinded, self.events = rules.spans, rules.events
        back = sorted(b for _, b in blind)
        self.recorded = []
        for i, event in enumerate(rules.events):
            early = event.began - event.policy["preRoll"] * 1000 - (2000 if cut > 1000 else 0)
            begin = max([early] + [b for b in back if b <= event.began])
            late = event.due + (cut if event.why in ("quiet", "limit") else 0)
            self.recorded.append((begin, late))

    def label(self, at):
        """The label of a moment."""
        def within(spans):
            return any(a <= at < b for a, b in spans)
        if within(self.disabled):
            return "disabled"
        if within(self.covered):
            return "privacy"
        if within(self.lost):
            return "linkLost"
        return "recorded" if within(self.recorded) else "blind" if within(self.blinded) else "idle"


def expectations(policy, deeds, end, tolerance):
    """Every choice of delays: detector, after-image, key frame and disk, dial. `tolerance` in ms."""
    return [Expected(policy, deeds, end, *delays) for delays in itertools.product(
        (250, 600, 1200, tolerance), (0, 700, ECHO_MS), (100, 2300), (250, 4000))]


def agreed(expected, at, margin):
    """The label of a moment where everything that may be expected agrees on it, also `margin` ms before and after; else None."""
    labels = {e.label(t) for e in expected for t in (at - margin, at, at + margin)}
    return labels.pop() if len(labels) == 1 else None
