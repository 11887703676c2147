"""The machine of a camera, written a second time, from docs/design/rules.md alone.

Whoever wrote this had not seen docs/design/camera.md, model/Camera.tla and Sources/Machines. `compare` walks this machine and
the explored one in lockstep; where their effects differ, somebody has misread the rules or the rules do not say it. Events and
effects are the texts of model/README.md; time is in ticks, as there.
"""

import re
from typing import NamedTuple, Optional

NEVER = 99  # a constant of this size is a bound that never comes

# Where rules.md leaves something open: what this reading takes, decided before the comparison.
CHOICES = [
    "The first label is recorderDown: before the first step Vigil was not running.",
    "Order of ties: link (hang-up, dial, silence, key frame, steady, wait), next change of the schedule, source, event, blind "
    "time, then recorder (opening, retry, grace, closings).",
    "All deadlines of an instant are applied before anything is settled.",
    "Order of effects: what the event itself says, then trigger, ring, recorder, link, label, stopped; an order before its "
    "report.",
    "A switch, policy, storage or number of viewers that is told again unchanged is ignored as `repeated`; so are drain while "
    "draining, cleared while the source is off, and what a link or clip has answered already.",
    "Reasons of `ignored`: late (a number that is over), unknown (one never given), repeated, unexpected (the right number in the "
    "wrong state).",
    "After `stopped` everything is ignored, as `stopped`; a tick does nothing.",
    "The tries of a link that nobody wants (10 s, then each 5 min) are left to whoever counts viewers: no constant names them.",
    "Names of failures: timeout (dial), silence, noKeyFrame.",
    "New settings hang up a link that is dialled or connected and dial anew; what worked last is remembered over them.",
    "An endpoint has worked when its link was steady; then it is the first of `auto`.",
    "A failure, and a link lost before it was steady, turn to the other endpoint; one lost when it was steady does not. Both "
    "count as a failure for the wait.",
    "A hang-up that was ordered changes neither the count of failures nor whose turn it is.",
    "The next dial waits until no hang-up is owed; meanwhile the link is off.",
    "What the link that is being hung up still says is ignored as late, a loss too.",
    "A key frame counts as a packet.",
    "A missing key frame is told of a link that synchronizes; on one that streams only a cut asks for key frames.",
    "A clip is cut at the end of the last grace with the reason it was due for; then the link is hung up by order (link off, no "
    "wait).",
    "The ring is kept exactly while events are allowed, whatever link and storage do.",
    "Suppressed for the first of: sensitivity, zone, then what forbids events in the order of T7, where toggle alone comes last; "
    "blind comes before it.",
    "A detection in a silent window is suppressed as `disabled`, also where it prolongs the window.",
    "A silent window follows T1 to T3 and T9, is followed by no blind time, and is dropped by privacy, mode off and draining.",
    "A prolonging counts and is reported also where A is 0 or the limit comes first.",
    "A source that is on prolongs the event that it begins in the same step (T2: the first time).",
    "A source's counting is noted as a detection when it comes within an event, begins or prolongs one.",
    "A command that lifts the window end is reported as prolonging; one that lifts nothing does nothing.",
    "A command's own event begins in the step in which the first ends; more commands: the latest end counts.",
    "An event that ends because of mode off ends as `policy`.",
    "`toggle on` within a silent window begins the event; its detections are not noted again.",
    "An open that takes too long has failed, and is ordered closed (now, storage).",
    "What is being opened when recording ceases to be wanted or the link is lost is ordered closed; no end is reported of a clip "
    "whose beginning was not.",
    "An event that ends while its clip is being opened lets it open, and then the cut is due.",
    "A cut that is due within the step in which the clip is opened is ordered in it.",
    "The reason of a cut is the one for which it became due first; a lost link, a change of the stream and what forbids recording "
    "replace it.",
    "Where a cut waits and media is wanted no longer, it is forced at the end of the grace that runs.",
    "The first clip of an event is the first that was opened: an open that failed asks for pre-roll again.",
    "While two clips are being closed none is opened.",
    "A write that fails ends the clip (now, storage) and is followed by the wait; that is told as clipEnded,storage alone.",
    "A change of the stream is answered by an order to close (now, streamChanged).",
    "A storage that is back ends the wait of the recorder.",
    "A closing is answered by `closed` alone; what else comes for it is late.",
]


class Policy(NamedTuple):
    mode: str
    sensitivity: int
    initial: int
    augmentation: int
    longest: int
    blind: int
    connection: str
    next: Optional[int]  # ticks until the schedule changes it
    label: str = "offByPolicy"  # of mode off


POLICIES = {
    "off": Policy("off", 5, 1, 0, 1, 0, "always", None),
    "offS": Policy("off", 5, 1, 0, 1, 0, "always", 1, "offBySchedule"),
    "ev": Policy("event", 5, 2, 2, 5, 2, "always", None),
    "evLow": Policy("event", 1, 1, 1, 3, 0, "always", None),
    "evA0": Policy("event", 5, 2, 0, 5, 1, "always", None),
    "evShort": Policy("event", 5, 1, 1, 2, 1, "always", None),
    "evNoB": Policy("event", 5, 1, 1, 2, 0, "always", None),
    "onD": Policy("event", 5, 1, 1, 2, 1, "onDemand", None),
    "cont": Policy("continuous", 5, 1, 1, 2, 1, "always", None),
    "contEnd": Policy("continuous", 5, 1, 1, 2, 0, "always", 4),
}


class Window(NamedTuple):
    """An event, or a window that runs silently."""

    end: int  # ticks to the window end
    elapsed: int  # ticks since t0
    longest: int  # the greatest M that took part
    augmentation: int
    blind: int
    sensitivity: int
    previous: Optional[int] = None  # ticks to the previous window end, 0 when it has passed; None: not prolonged yet
    command: bool = False  # a command took part
    more: Optional[int] = None  # ticks to the end of what a command asked for beyond the limit
    told: bool = False  # a clip of the event has been opened

    @property
    def limit(self):
        return self.longest - self.elapsed


class Clip(NamedTuple):
    cause: str  # event or continuous
    phase: str  # opening, writing, cutting, closing
    owner: str  # active (the event that is on), settling (the one whose blind time waits), or nobody
    deadline: Optional[int]  # of the answer, or of the grace
    length: int = 0  # ticks until it is as long as the policy says
    why: Optional[str] = None  # for which the cut is due
    graces: int = 0


class Ignored(Exception):
    pass


def bound(ticks):
    return None if ticks >= NEVER else ticks


def less(deadline):
    return None if deadline is None else max(0, deadline - 1)


class Camera:
    def __init__(self, constants):
        self.constants = constants
        # The intent.
        self.enabled = constants["StartEnabled"]
        self.policy = constants["StartPolicy"]
        self.next = POLICIES[self.policy].next
        self.hard = self.soft = False
        self.viewers = 0
        self.storage = constants["StartStorage"]
        self.draining = False
        self.label = "recorderDown"
        self.settled = False  # by the first step
        self.stopped = False
        self.rest()

    def rest(self):
        self.ring = False
        # The link.
        self.link = "off"
        self.deadline = None  # of the dial, the silence or the wait
        self.key = None  # until a missing key frame is told, then until the link is given up
        self.warned = False
        self.steady = None  # until the failures are forgotten
        self.worked = False  # they were, with this link
        self.fails = 0
        self.other = False  # the next dial goes to the endpoint that is not the first
        self.hung = False  # a hang-up is owed
        self.overdue = None  # until it is overdue
        self.first = {"auto": "lan", "lan": "lan", "internetFirst": "internet"}[self.constants["Connect"]]
        self.endpoint = None
        # The trigger.
        self.window = None
        self.silent = False
        self.settling = None  # the blind time that begins when the clips of the event are durable
        self.blind = None
        self.source = None  # ticks until it expires
        self.on = False
        self.told = False  # it was reported as suppressed
        # The recorder.
        self.clip = None
        self.closings = ()
        self.retry = None
        self.openFails = 0

    def copy(self):
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def key_of_state(self):
        return tuple(value for name, value in self.__dict__.items() if name not in ("constants", "fx"))

    # The intent

    def in_force(self):
        return POLICIES[self.policy]

    def forbidden(self):
        """Why no event may be, in the order of T7."""
        if self.draining:
            return "draining"
        if self.hard or self.soft:
            return "privacy"
        if not self.enabled:
            return "disabled"
        return "policy" if self.in_force().mode == "off" else None

    def recording_wanted(self):
        return self.forbidden() is None and self.storage != "lost"

    def active(self):
        return self.window is not None and not self.silent

    def media_wanted(self):
        return self.recording_wanted() and (self.in_force().mode == "continuous" or self.active())

    def link_wanted(self):
        if self.draining or self.hard:
            return False
        always = self.in_force().connection == "always"
        return self.viewers > 0 or self.recording_wanted() and (always or self.media_wanted() or self.clip is not None)

    # A step

    def step(self, event):
        """Applies one event and gives the effects, in order."""
        self.fx = []
        if not self.settled:
            self.settled = True
            self.settle()
        name, _, rest = event.partition("(")
        arguments = rest.rstrip(")").split(",") if rest else []
        before = self.copy()
        said = list(self.fx)
        try:
            if self.stopped and name != "tick":
                raise Ignored("stopped")
            getattr(self, "on_" + name)(*arguments)
            self.settle()
        except Ignored as why:
            self.__dict__.update(before.__dict__)
            self.fx = said + [f"ignored({why})"]
        return self.fx

    def do(self, *effects):
        self.fx.extend(effects)

    def settle(self):
        if self.stopped:
            return
        self.settle_trigger()
        self.settle_ring()
        self.settle_recorder()
        self.settle_link()
        self.settle_label()
        if self.draining and self.link == "off" and not self.hung and not self.clip and not self.closings:
            self.stopped = True
            self.rest()
            self.do("stopped")

    def settle_ring(self):
        keep = self.forbidden() is None
        if keep != self.ring:
            self.ring = keep
            self.do("keepRing" if keep else "purgeRing")

    def settle_label(self):
        label = self.label_now()
        if label != self.label:
            self.do(f"label({label})", f"report(coverage,{self.label},{label})")
            self.label = label

    def label_now(self):
        if self.clip and self.clip.phase in ("writing", "cutting"):
            return "recorded"
        why = self.forbidden()
        if why == "draining":
            return "recorderDown"
        if not self.enabled:
            return "disabled"
        if why == "privacy":
            return "privacy"
        if why == "policy":
            return self.in_force().label
        if self.storage == "lost":
            return "storage"
        if self.link_wanted() and self.link != "streaming":
            return "linkLost"
        if self.media_wanted():
            return "recorded" if self.clip else "storage"
        return "blind" if self.blind is not None or self.settling is not None else "idle"

    # Intent: events

    def change(self, name, value):
        if getattr(self, name) == value:
            raise Ignored("repeated")
        setattr(self, name, value)

    def on_drain(self):
        self.change("draining", True)

    def on_enabled(self, value):
        self.change("enabled", value == "1")
        self.do(f"report(enabled,{value})")

    def on_hard(self, value):
        self.change("hard", value == "1")
        self.do(f"report(privacy,{int(self.hard)},{int(self.soft)})")

    def on_soft(self, value):
        self.change("soft", value == "1")
        self.do(f"report(privacy,{int(self.hard)},{int(self.soft)})")

    def on_viewers(self, count):
        self.change("viewers", int(count))

    def on_storage(self, value):
        old = self.storage
        self.change("storage", value)
        self.do(f"report(storage,{old},{value})")
        if old == "lost":
            self.retry, self.openFails = None, 0

    def on_policy(self, name):
        if name == self.policy and POLICIES[name].next == self.next:
            raise Ignored("repeated")
        old = self.in_force().mode
        self.policy, self.next = name, POLICIES[name].next
        if self.in_force().mode != old:
            self.do(f"report(mode,{old},{self.in_force().mode})")

    # Time

    def on_tick(self):
        if self.stopped:
            return
        for name in ("deadline", "key", "steady", "overdue", "next", "source", "blind", "retry"):
            setattr(self, name, less(getattr(self, name)))
        if self.window:
            w = self.window
            self.window = w._replace(end=w.end - 1, elapsed=w.elapsed + 1, previous=less(w.previous), more=less(w.more))
        if self.clip:
            self.clip = self.clip._replace(deadline=less(self.clip.deadline), length=max(0, self.clip.length - 1))
        self.closings = tuple(clip._replace(deadline=less(clip.deadline)) for clip in self.closings)
        self.link_deadlines()
        if self.next == 0:
            self.next = None
        self.trigger_deadlines()
        self.recorder_deadlines()

    # The link

    def move(self, to, failure=None):
        if to == self.link:
            return
        self.do(f"report(link,{self.link},{to}" + (f",{failure})" if failure else ")"))
        self.link = to

    def connection_over(self):
        self.deadline = self.key = self.steady = self.endpoint = None
        self.warned = self.worked = False

    def hang_up(self):
        self.do("hangUp")
        self.hung, self.overdue = True, bound(self.constants["HangBound"])

    def failed(self, failure):
        """A dial failed, or a link was lost: wait."""
        most = self.constants["FailMax"]
        self.fails = self.fails + 1 if self.fails < most else most - 1
        self.other = False if self.worked else not self.other
        self.connection_over()
        wait = min(2 ** (self.fails - 1), self.constants["WaitCap"])
        self.deadline = max(wait, self.constants["Unauthorized"]) if failure == "unauthorized" else wait
        self.move("waiting", failure)

    def link_deadlines(self):
        if self.overdue == 0:
            self.hung, self.overdue = False, None
            self.do("report(hangUpOverdue)")
        if self.deadline == 0 and self.link in ("dialing", "synchronizing", "streaming"):
            self.hang_up()
            self.failed("timeout" if self.link == "dialing" else "silence")
        if self.key == 0:
            if self.warned:
                self.hang_up()
                self.failed("noKeyFrame")
            else:
                self.warned = True
                patience = bound(self.constants["KeyLong"])
                self.key = patience and patience * 2 ** min(self.fails, self.constants["KeyShift"])
                self.do("report(noKeyFrameYet)")
        if self.steady == 0:
            self.forget_failures()

    def forget_failures(self):
        self.steady, self.worked = None, True
        self.fails, self.other = 0, False
        if self.constants["Connect"] == "auto":
            self.first = self.endpoint

    def settle_link(self):
        wanted = self.link_wanted()
        if self.link == "waiting":
            if self.deadline == 0 or self.draining:
                self.deadline = None
                if not wanted or self.hung:
                    self.move("off")
                else:
                    self.dial()
        elif self.link == "off":
            if wanted and not self.hung:
                self.dial()
        elif not wanted:
            self.hang_up()
            self.connection_over()
            self.move("off")

    def dial(self):
        others = {"lan": "internet", "internet": "lan"}
        self.endpoint = others[self.first] if self.other else self.first
        self.deadline = bound(self.constants["Dial"])
        self.do(f"dial({self.endpoint})")
        self.move("dialing")

    def check_dial(self, number, *states):
        if number == "unknown":
            raise Ignored("unknown")
        if number != "cur":
            raise Ignored("late")
        if self.link not in states:
            raise Ignored("unexpected")

    def on_connect(self):
        self.fails, self.other = 0, False
        if self.link == "waiting":
            self.deadline = 0
        elif self.link != "off":
            self.hang_up()
            self.connection_over()
            self.move("off")

    def on_dialed(self, number):
        if number == "cur" and self.link in ("synchronizing", "streaming"):
            raise Ignored("repeated")
        self.check_dial(number, "dialing")
        self.deadline = bound(self.constants["Silence"])
        self.key, self.warned = bound(self.constants["KeyWarn"]), False
        self.move("synchronizing")

    def on_dialFailed(self, number, why):
        self.check_dial(number, "dialing")
        self.failed(why)

    def on_lost(self, number):
        self.check_dial(number, "synchronizing", "streaming")
        self.failed("closed")

    def on_hungUp(self, number):
        if number == "unknown":
            raise Ignored("unknown")
        if number == "cur":
            raise Ignored("unexpected")
        if number != "hung":
            raise Ignored("late")
        self.hung, self.overdue = False, None

    def on_packets(self, number, ago):
        self.check_dial(number, "synchronizing", "streaming")
        if self.deadline is not None:
            self.deadline = max(self.deadline, self.constants["Silence"] - int(ago))

    def on_keyframe(self, number):
        if number == "cur" and self.link == "streaming":
            raise Ignored("repeated")
        self.check_dial(number, "synchronizing")
        self.deadline = bound(self.constants["Silence"])
        self.key, self.warned = None, False
        self.steady = self.constants["Steady"]
        self.move("streaming")
        if self.steady == 0:
            self.forget_failures()

    # The trigger

    def trigger_deadlines(self):
        if self.source == 0:
            self.source, self.on, self.told = None, False, False
            self.do("report(sourceExpired)")
        if self.blind == 0:
            self.blind = None
        if self.window and min(self.window.end, self.window.limit) <= 0:
            why = "limit" if self.window.end > self.window.limit else "quiet"
            if self.silent:
                self.window = None
            else:
                self.end(why)

    def end(self, why):
        """Ends the event that is on."""
        window, self.window = self.window, None
        self.do(f"endEvent({why})", f"report(eventEnded,{why})")
        normal = why in ("quiet", "limit")
        settles = normal and window.blind > 0 and not window.command
        owner = "settling" if settles else "nobody"
        if self.clip and self.clip.owner == "active":
            self.clip = self.clip._replace(owner=owner, why=self.clip.why or (why if normal else None))
        self.closings = tuple(clip._replace(owner=owner) if clip.owner == "active" else clip for clip in self.closings)
        if settles:
            self.settling = window.blind
        if why == "limit" and window.more:
            self.begin(self.by_command(window.more))

    def by_command(self, initial):
        return Window(initial, 0, self.constants["CommandM"], 0, 0, self.in_force().sensitivity, command=True)

    def begin(self, window):
        self.window, self.silent = window, False
        self.blind = self.settling = None
        if self.clip and self.clip.owner == "settling":
            self.clip = self.clip._replace(owner="nobody")
        self.closings = tuple(clip._replace(owner="nobody") if clip.owner == "settling" else clip for clip in self.closings)
        self.do("beginEvent", "report(eventBegan)")

    def is_blind(self):
        return self.blind is not None or self.settling is not None

    def only_toggle(self):
        """While this holds a window runs silently."""
        return self.forbidden() == "disabled" and self.in_force().mode != "off"

    def suppression(self):
        """Why a trigger that passes does not count, or none."""
        why = self.forbidden()
        if why and not self.only_toggle():
            return "off" if why == "policy" else why
        return "blind" if self.is_blind() else why

    def suppress(self, why):
        self.do(f"noteSuppressed({why})", f"report(suppressed,{why})")

    def count(self):
        """A trigger that passes: begins or prolongs, openly or silently. Says whether it did."""
        if self.window is None:
            p = self.in_force()
            window = Window(p.initial, 0, p.longest, p.augmentation, p.blind, p.sensitivity)
            if self.enabled:
                self.begin(window)
            else:
                self.window, self.silent = window, True
            return True
        if self.window.previous in (None, 0):
            self.window = self.window._replace(previous=self.window.end, end=self.window.end + self.window.augmentation)
            if not self.silent:
                self.do("report(eventProlonged)")
            return True
        return False

    def on_detected(self, level, where):
        sensitivity = self.window.sensitivity if self.window else self.in_force().sensitivity
        if int(level) > sensitivity:
            return self.suppress("sensitivity")
        if where == "out":
            return self.suppress("zone")
        why = self.suppression()
        if why:
            self.suppress(why)
        else:
            self.do("noteDetection")
        if not why or self.only_toggle() and why != "blind":
            self.count()

    def on_asserted(self):
        came = not self.on
        self.on, self.source = True, bound(self.constants["Stale"])
        if came and self.active() and self.window.previous not in (None, 0) and self.suppression() is None:
            self.do("noteDetection")

    def on_cleared(self):
        if not self.on:
            raise Ignored("repeated")
        self.on, self.source, self.told = False, None, False

    def on_command(self):
        why = self.forbidden()
        if why:
            return self.do(f"refused({'off' if why == 'policy' else why})")
        initial = self.constants["CommandI"]
        if not self.active():
            return self.begin(self.by_command(initial))
        w = self.window
        w = w._replace(end=max(w.end, initial), longest=max(w.longest, self.constants["CommandM"]), command=True)
        if initial > w.limit:
            w = w._replace(more=max(initial, w.more or 0))
        if w.end > self.window.end:
            self.do("report(eventProlonged)")
        self.window = w

    def settle_trigger(self):
        if self.settling is not None and not any(clip.owner == "settling" for clip in self.clips()):
            self.blind, self.settling = self.settling, None
        why = self.forbidden()
        if self.active() and why:
            self.end(why)
        if self.window and self.silent:
            if why is None:
                self.begin(self.window)
            elif not self.only_toggle():
                self.window, self.silent = None, False
        self.settle_source()

    def settle_source(self):
        """A source that is on counts whenever it could begin or prolong."""
        while self.on:
            why = self.suppression()
            if why and not self.told:
                self.told = True
                self.suppress(why)
            if why and (why == "blind" or not self.only_toggle()):
                return
            if self.window and self.window.previous not in (None, 0):
                return
            if self.window and self.window.augmentation == 0 and self.window.previous == 0:
                return
            if not why:
                self.do("noteDetection")
            self.count()

    # The recorder

    def clips(self):
        return ((self.clip,) if self.clip else ()) + self.closings

    def close(self, how, why):
        """Ends the clip that is open: it is being closed from now on."""
        if how:
            self.do(f"closeClip({how},{why})")
        if self.clip.phase != "opening":
            self.do(f"report(clipEnded,{why})")
        deadline = bound(self.constants["CloseBound"])
        self.closings += (self.clip._replace(phase="closing", deadline=deadline, length=0, why=None, graces=0),)
        self.clip = None

    def wait_to_retry(self):
        self.openFails += 1
        self.retry = min(2 ** min(self.openFails - 1, 5), self.constants["RetryCap"])
        self.openFails = min(self.openFails, 6)

    def recorder_deadlines(self):
        if self.clip and self.clip.phase == "opening" and self.clip.deadline == 0:
            self.do("report(clipFailed)")
            self.close("now", "storage")
            self.wait_to_retry()
        elif self.retry == 0:
            self.retry = None
        if self.clip and self.clip.phase == "cutting" and self.clip.deadline == 0:
            self.grace_over()
        late = [clip for clip in self.closings if clip.deadline == 0]
        self.closings = tuple(clip for clip in self.closings if clip.deadline != 0)
        for _ in late:
            self.do("report(closeOverdue)")

    def grace_over(self):
        clip = self.clip
        if not self.media_wanted():
            self.close("now", clip.why)
        elif clip.graces < self.constants["MoreGraces"]:
            if clip.graces == 0:
                self.do("report(noKeyFrameYet)")
            self.clip = clip._replace(graces=clip.graces + 1, deadline=self.constants["Grace"])
        else:
            self.close("now", clip.why)
            self.hang_up()
            self.connection_over()
            self.move("off")

    def due(self):
        """Why the clip that is written is to be cut, or none."""
        clip = self.clip
        if clip.why:
            return clip.why
        if clip.cause == "continuous" and self.in_force().mode == "event":
            return "policy"
        if clip.length > 0:
            return None
        rest = self.constants["Rest"]
        if clip.owner == "active" and min(self.window.end, self.window.limit) < rest:
            return None
        if self.next is not None and self.next < rest + self.constants["Grace"]:
            return None
        return "length"

    def settle_recorder(self):
        if self.clip:
            why = self.forbidden() or ("storage" if self.storage == "lost" else None)
            if why:
                self.close("now", why)
            elif self.link != "streaming":
                self.close("now", "linkLost")
            elif self.clip.phase == "writing":
                why = self.due()
                if why:
                    self.do(f"closeClip(keyframe,{why})")
                    self.clip = self.clip._replace(phase="cutting", why=why, deadline=self.constants["Grace"], graces=0)
        if self.clip or len(self.closings) > 1 or self.retry is not None:
            return
        if self.link != "streaming" or not self.media_wanted():
            return
        event = self.in_force().mode == "event"
        preroll = "preroll" if event and not self.window.told else "-"
        cause, owner = ("event", "active") if event else ("continuous", "nobody")
        self.clip = Clip(cause, "opening", owner, bound(self.constants["OpenBound"]))
        self.do(f"openClip({cause},{preroll})")

    def check_clip(self, number, *phases):
        if number == "unknown":
            raise Ignored("unknown")
        if number != "cur":
            raise Ignored("late")
        if self.clip is None or self.clip.phase not in phases:
            raise Ignored("unexpected")

    def on_opened(self, number, back):
        if number == "cur" and self.clip and self.clip.phase != "opening":
            raise Ignored("repeated")
        self.check_clip(number, "opening")
        self.clip = self.clip._replace(phase="writing", deadline=None, length=max(0, self.constants["ClipLength"] - int(back)))
        if self.clip.owner == "active":
            self.window = self.window._replace(told=True)
        self.do("report(clipOpened)")

    def on_openFailed(self, number):
        self.check_clip(number, "opening")
        self.clip = None
        self.do("report(clipFailed)")
        self.wait_to_retry()

    def on_cut(self, number):
        self.check_clip(number, "cutting")
        self.openFails = 0
        self.close(None, self.clip.why)

    def on_writeFailed(self, number):
        self.check_clip(number, "writing", "cutting")
        self.close("now", "storage")
        self.wait_to_retry()

    def on_streamChanged(self, number):
        self.check_clip(number, "writing", "cutting")
        self.close("now", "streamChanged")

    def on_closed(self, number, how):
        if number == "unknown":
            raise Ignored("unknown")
        if number == "cur":
            raise Ignored("unexpected")
        at = {"c1": 0, "c2": 1}.get(number)
        if at is None or at >= len(self.closings):
            raise Ignored("late")
        self.closings = self.closings[:at] + self.closings[at + 1:]
        self.do(f"report(clipClosed,{how})")


def constants_of(text):
    """The constants of one configuration of TLC, as numbers, flags and texts; sets are left out."""
    found = {}
    for name, value in re.findall(r"^    (\w+) = (\S+)$", text, re.MULTILINE):
        if value.isdigit():
            found[name] = int(value)
        elif value in ("TRUE", "FALSE"):
            found[name] = value == "TRUE"
        elif value.startswith('"'):
            found[name] = value.strip('"')
    return found
