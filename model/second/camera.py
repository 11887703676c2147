"""The machine of a camera, written a second time, from docs/design/rules.md alone.

Whoever wrote it had not seen docs/design/camera.md, model/Camera.tla and Sources/Machines. `compare` walks it in lockstep with
the explored graphs of the first. Where the two differed it was decided which was right (docs/design/second-reading.md), and this
one was mended where it was not. Events and effects are the texts of model/README.md. Time is in ticks, as there: a deadline is
the number of ticks that remain, 0 when it has passed, None where none runs.
"""

import re
from typing import NamedTuple, Optional

NEVER = 99  # a constant of this size is a bound that never comes
CONNECTED = ("dialing", "synchronizing", "streaming")  # states of the link that a hang-up ends
NOT_STATE = ("constants", "fx")


class Policy(NamedTuple):
    """A policy in force; times in ticks."""

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
    "evEnd": Policy("event", 5, 2, 2, 5, 0, "always", 4),
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
    chained: Optional[int] = None  # ticks to the end of what a command asked for beyond the limit
    has_clip: bool = False  # a clip of the event has been opened

    @property
    def limit(self):
        return self.longest - self.elapsed

    @property
    def due(self):
        """Ticks to the end of the event."""
        return min(self.end, self.limit)


class Clip(NamedTuple):
    """A clip that is open or being closed."""

    cause: str  # event or continuous
    phase: str  # opening, writing, cutting, closing
    owner: str  # active (the event that is on), settling (the one whose blind time waits), or nobody
    deadline: Optional[int]  # of the answer, the clip's length or the grace
    why: Optional[str] = None  # for which the cut is due
    graces: int = 0
    opened: bool = False  # not given up while it was opening


class Ignored(Exception):
    """An event that does not fit, with the reason. It changes nothing (S9)."""


def check_current(number):
    """Only an answer with the number of what is current fits."""
    if number != "cur":
        raise Ignored("unknown" if number == "unknown" else "late")


def bound(ticks):
    """The deadline that comes after a constant."""
    return None if ticks >= NEVER else ticks


def less(deadline):
    """A deadline one tick later."""
    return None if deadline is None else max(0, deadline - 1)


class Camera:
    """One camera: what is asked of it, its link, its trigger and its recorder."""

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
        """All but the intent and the label: as it is before the first step and after the last."""
        self.ring = False
        # The link.
        self.link = "off"
        self.deadline = None  # of the dial, the silence or the wait
        self.key = None  # until a missing key frame is told, then until the link is given up
        self.warned = False
        self.steady = None  # until the failures are forgotten
        self.worked = False  # it has streamed, and no failure is remembered: it works until it is over
        self.fails = 0
        self.turn = self.first()  # the endpoint of this dial, or of the next one
        self.hung = False  # a hang-up is owed
        self.overdue = None  # until it is overdue
        # The trigger.
        self.window = None
        self.silent = False
        self.settling = None  # the blind time that begins when the clips of the event are durable
        self.blind = None
        self.source = None  # ticks until it expires
        self.on = False
        self.source_told = False  # it was reported as suppressed
        # The recorder.
        self.clip = None
        self.closings = ()
        self.retry = None
        self.clip_failures = 0

    def copy(self):
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def state(self):
        return tuple(value for name, value in self.__dict__.items() if name not in NOT_STATE)

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
        """Orders at once what the changed facts call for."""
        if self.stopped:
            return
        self.settle_trigger()
        allowed = self.forbidden() is None
        if allowed and not self.ring:
            self.ring = True
            self.do("keepRing")
        self.settle_recorder()
        if self.ring and not allowed:
            self.ring = False
            self.do("purgeRing")
        self.settle_link()
        self.settle_label()
        if self.draining and self.link == "off" and not self.hung and not self.clip and not self.closings:
            self.stopped = True
            self.rest()
            self.do("stopped")

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
        return "blind" if self.is_blind() else "idle"

    # Intent: events

    def change(self, name, value):
        if getattr(self, name) == value:
            raise Ignored("duplicate")
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
            self.retry = None

    def on_policy(self, name):
        if name == self.policy and POLICIES[name].next == self.next:
            raise Ignored("duplicate")
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
            self.window = w._replace(end=w.end - 1, elapsed=w.elapsed + 1, previous=less(w.previous), chained=less(w.chained))
        if self.clip:
            self.clip = self.clip._replace(deadline=less(self.clip.deadline))
        self.closings = tuple(clip._replace(deadline=less(clip.deadline)) for clip in self.closings)
        if self.next == 0:
            self.next = None
        for deadline in (self.source_expires, self.window_ends, self.settle_source, self.blind_ends, self.hang_up_overdue,
                         self.link_bound, self.failures_forgotten, self.key_frame_missing, self.recorder_bound,
                         self.closing_overdue, self.closing_overdue):
            deadline()
            self.settle()

    # The link

    def move(self, to, failure=None):
        if to == self.link:
            return
        self.do(f"report(link,{self.link},{to}" + (f",{failure})" if failure else ")"))
        self.link = to

    def connection_over(self):
        self.deadline = self.key = self.steady = None
        self.warned = self.worked = False

    def first(self):
        return "internet" if self.constants["Connect"] == "internetFirst" else "lan"

    def next_turn(self, worked):
        """A link is over: who is dialled next."""
        connect = self.constants["Connect"]
        if connect == "lan":
            return
        if not worked:
            self.turn = "internet" if self.turn == "lan" else "lan"
        elif connect != "auto":
            self.turn = self.first()

    def hang_up(self):
        self.do("hangUp")
        self.hung, self.overdue = True, bound(self.constants["HangBound"])

    def one_more(self, failures):
        """Counts to the most and then up and down there, as nothing is counted without end."""
        most = self.constants["FailMax"]
        return failures + 1 if failures < most else most - 1

    def failed(self, failure):
        """A dial failed, or a link was lost: wait."""
        self.fails = self.one_more(self.fails)
        self.next_turn(worked=self.worked)
        self.connection_over()
        wait = min(2 ** (self.fails - 1), self.constants["WaitCap"])
        self.deadline = max(wait, self.constants["Unauthorized"]) if failure == "unauthorized" else wait
        self.move("waiting", failure)

    def hang_up_overdue(self):
        if self.overdue == 0:
            self.hung, self.overdue = False, None
            self.do("report(hangUpOverdue)")

    def link_bound(self):
        if self.deadline != 0:
            return
        if self.link != "waiting":
            self.hang_up()
            self.failed("timeout" if self.link == "dialing" else "silence")
        elif self.link_wanted() and not self.hung:
            self.dial()
        else:
            self.connection_over()
            self.move("off")

    def failures_forgotten(self):
        if self.steady == 0:
            self.steady, self.fails, self.worked = None, 0, True

    def key_frame_missing(self):
        if self.key != 0:
            return
        if self.warned:
            self.hang_up()
            self.failed("noKeyFrame")
            return
        self.warned = True
        patience = bound(self.constants["KeyLong"])
        self.key = patience and patience * 2 ** min(self.fails, self.constants["KeyShift"])
        self.do("report(noKeyFrameYet)")

    def synchronize(self):
        """Waits for a key frame: after the dial, or again where none has come that a clip could begin with."""
        self.steady = None
        self.key, self.warned = bound(self.constants["KeyWarn"]), False
        self.move("synchronizing")

    def settle_link(self):
        if self.link in CONNECTED and not self.link_wanted():
            if self.worked or self.link == "streaming":
                self.next_turn(worked=True)
            self.hang_up()
            self.connection_over()
            self.move("off")
        elif self.link == "waiting" and self.draining:
            self.connection_over()
            self.move("off")
        elif self.link == "off" and self.link_wanted() and not self.hung:
            self.dial()

    def dial(self):
        self.deadline = bound(self.constants["Dial"])
        self.move("dialing")
        self.do(f"dial({self.turn})")

    def check_dial(self, number, *states):
        check_current(number)
        if self.link not in states:
            raise Ignored("early" if self.link == "dialing" else "duplicate")

    def on_connect(self):
        self.fails, self.turn = 0, self.first()
        if self.link in CONNECTED:
            self.hang_up()
        self.connection_over()
        self.move("off")

    def on_dialed(self, number):
        self.check_dial(number, "dialing")
        self.deadline = bound(self.constants["Silence"])
        self.synchronize()

    def on_dialFailed(self, number, why):
        if number == "hung":
            return self.on_hungUp(number)
        self.check_dial(number, "dialing")
        self.failed(why)

    def on_lost(self, number):
        if number == "hung":
            return self.on_hungUp(number)
        self.check_dial(number, *CONNECTED)
        self.failed("closed")

    def on_hungUp(self, number):
        if number == "unknown":
            raise Ignored("unknown")
        if number == "cur":
            raise Ignored("early")
        if number != "hung":
            raise Ignored("late")
        self.hung, self.overdue = False, None

    def on_packets(self, number, ago):
        self.check_dial(number, "synchronizing", "streaming")
        if self.deadline is not None:
            self.deadline = max(self.deadline, self.constants["Silence"] - int(ago))

    def on_keyframe(self, number):
        self.check_dial(number, "synchronizing", "streaming")
        self.deadline = bound(self.constants["Silence"])
        if self.link == "streaming":
            return
        self.key, self.warned = None, False
        self.move("streaming")
        if self.constants["Steady"] == 0:
            self.fails = 0
        self.worked = self.fails == 0
        if self.fails:
            self.steady = self.constants["Steady"]

    # The trigger

    def source_expires(self):
        if self.source == 0:
            self.source, self.on, self.source_told = None, False, False
            self.do("report(sourceExpired)")

    def window_ends(self):
        if self.window and self.window.due <= 0:
            if self.silent:
                self.window, self.silent = None, False
            else:
                self.end("limit" if self.window.end > self.window.limit else "quiet")

    def blind_ends(self):
        if self.blind == 0:
            self.blind = None

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
        if why == "limit" and window.chained:
            self.begin(self.by_command(window.chained))

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

    def forgotten(self):
        """Why no trigger counts at all, not even silently."""
        if self.draining:
            return "draining"
        if self.hard or self.soft:
            return "privacy"
        return "off" if self.in_force().mode == "off" else None

    def suppression(self):
        """Why a trigger that passes does not count, or none."""
        return self.forgotten() or ("blind" if self.is_blind() else None if self.enabled else "disabled")

    def suppress(self, why):
        self.do(f"noteSuppressed({why})", f"report(suppressed,{why})")

    def count(self):
        """A trigger that passes begins or prolongs, openly or silently."""
        if self.window is None:
            p = self.in_force()
            window = Window(p.initial, 0, p.longest, p.augmentation, p.blind, p.sensitivity)
            if self.enabled:
                self.begin(window)
            else:
                self.window, self.silent = window, True
        elif self.window.previous in (None, 0):
            before = self.window
            self.window = before._replace(previous=before.end, end=before.end + before.augmentation)
            self.told_if_longer(before)

    def told_if_longer(self, before):
        if not self.silent and self.window.due > before.due:
            self.do("report(eventProlonged)")

    def on_detected(self, level, where):
        if self.forgotten():
            return self.suppress(self.forgotten())
        if where == "out":
            return self.suppress("zone")
        if int(level) > (self.window or self.in_force()).sensitivity:
            return self.suppress("sensitivity")
        why = self.suppression()
        if why != "blind":
            self.count()
        if why:
            self.suppress(why)
        else:
            self.do("noteDetection")

    def on_asserted(self):
        self.on, self.source = True, bound(self.constants["Stale"])

    def on_cleared(self):
        if not self.on:
            raise Ignored("duplicate")
        self.on, self.source, self.source_told = False, None, False

    def on_command(self):
        why = self.forgotten() or (None if self.enabled else "disabled")
        if why:
            return self.do(f"refused({why})")
        initial = self.constants["CommandI"]
        if not self.active():
            return self.begin(self.by_command(initial))
        w = self.window
        w = w._replace(end=max(w.end, initial), longest=max(w.longest, self.constants["CommandM"]), command=True)
        if initial > w.limit:
            w = w._replace(chained=max(initial, w.chained or 0))
        before, self.window = self.window, w
        self.told_if_longer(before)

    def settle_trigger(self):
        if self.settling is not None and not any(clip.owner == "settling" for clip in self.clips()):
            self.blind, self.settling = self.settling, None
        why = self.forbidden()
        if self.active() and why:
            self.end(why)
        if self.window and self.silent:
            if why is None:
                self.begin(self.window)
            elif self.forgotten():
                self.window, self.silent = None, False
        self.settle_source()

    def settle_source(self):
        """A source that is on counts whenever it could begin or prolong; one that does not is told once while it is on."""
        if not self.on:
            return
        if not self.forgotten() and not self.is_blind():
            self.count()  # begins
            self.count()  # prolongs
        why = self.suppression()
        if why and not self.source_told:
            self.source_told = True
            self.do(f"report(suppressed,{why})")

    # The recorder

    def clips(self):
        return ((self.clip,) if self.clip else ()) + self.closings

    def close(self, how, why):
        """Ends the clip that is open: it is being closed from now on."""
        if how:
            self.do(f"closeClip({how},{why})")
        self.do(f"report(clipEnded,{why})")
        deadline = bound(self.constants["CloseBound"])
        self.closings += (self.clip._replace(phase="closing", deadline=deadline, why=None, graces=0),)
        self.clip = None

    def wait_to_retry(self):
        self.do("report(clipFailed)")
        self.clip_failures = self.one_more(self.clip_failures)
        self.retry = min(2 ** (self.clip_failures - 1), self.constants["RetryCap"])

    def recorder_bound(self):
        if self.retry == 0:
            self.retry = None
        if self.clip is None or self.clip.deadline != 0:
            return
        if self.clip.phase == "opening":
            self.close("now", "storage")
            self.wait_to_retry()
        elif self.clip.phase == "writing":
            end = self.known_end()
            if end is None:
                self.cut_at_key_frame("length")
            else:
                self.clip = self.clip._replace(deadline=end)
        else:
            self.grace_over()

    def closing_overdue(self):
        if self.closings and self.closings[0].deadline == 0:
            self.closings = self.closings[1:]
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
            self.hang_up()
            self.failed("noKeyFrame")

    def known_end(self):
        """Ticks to an end that comes so soon that a cut for length could leave a short rest before it."""
        rest, grace = self.constants["Rest"], self.constants["Grace"]
        ends = []
        if self.in_force().mode == "event" and self.active() and 0 < self.window.due < rest:
            ends.append(self.window.due)
        if self.next is not None and self.next < rest + grace:
            ends.append(self.next)
        return min(ends, default=None)

    def due(self):
        """Why the clip that is written is to be cut, or none."""
        if self.clip.why:
            return self.clip.why
        unwanted = not self.media_wanted() or self.in_force().mode == "event" and self.clip.cause == "continuous"
        return "policy" if unwanted else None

    def cut_at_key_frame(self, why):
        self.do(f"closeClip(keyframe,{why})")
        self.clip = self.clip._replace(phase="cutting", why=why, deadline=self.constants["Grace"], graces=0)

    def settle_recorder(self):
        if self.clip:
            why = self.forbidden() or ("storage" if self.storage == "lost" else None)
            if why:
                self.close("now", why)
            elif self.link != "streaming":
                self.close("now", "linkLost")
            elif self.clip.phase == "writing" and self.due():
                self.cut_at_key_frame(self.due())
        if self.clip or len(self.closings) > 1 or self.retry is not None:
            return
        if self.link != "streaming" or not self.media_wanted():
            return
        event = self.in_force().mode == "event"
        preroll = "preroll" if event and not self.window.has_clip else "-"
        cause, owner = ("event", "active") if event else ("continuous", "nobody")
        self.clip = Clip(cause, "opening", owner, bound(self.constants["OpenBound"]))
        self.do(f"openClip({cause},{preroll})")

    def check_clip(self, number, *phases):
        check_current(number)
        if self.clip.phase not in phases:
            raise Ignored("duplicate" if "opening" in phases else "early")

    def on_opened(self, number, back):
        self.check_clip(number, "opening")
        self.clip = self.clip._replace(phase="writing", opened=True, deadline=max(0, self.constants["ClipLength"] - int(back)))
        if self.clip.owner == "active":
            self.window = self.window._replace(has_clip=True)
        self.do("report(clipOpened)")

    def not_opened(self, number):
        """An opening is over and left no clip. Says whether it was the current one, or else one that was given up."""
        at = self.closing_at(number)
        if at is not None:
            if self.closings[at].opened:
                raise Ignored("duplicate")
            self.closings = self.closings[:at] + self.closings[at + 1:]
            self.do("report(clipFailed)")
            return False
        self.check_clip(number, "opening")
        self.clip = None
        return True

    def on_openFailed(self, number):
        if self.not_opened(number):
            self.wait_to_retry()

    def on_keyframeMissing(self, number):
        """No failure, and no wait of the recorder. Silence is counted on: this is no packet."""
        if self.not_opened(number):
            self.synchronize()

    def on_cut(self, number):
        self.check_clip(number, "cutting")
        self.close(None, self.clip.why)

    def on_writeFailed(self, number):
        self.check_clip(number, "writing", "cutting")
        self.close("now", "storage")
        self.wait_to_retry()

    def on_streamChanged(self, number):
        self.check_clip(number, "writing", "cutting")
        self.close(None, "streamChanged")

    def closing_at(self, number):
        at = {"c1": 0, "c2": 1}.get(number)
        return at if at is not None and at < len(self.closings) else None

    def on_closed(self, number, how):
        if number == "unknown":
            raise Ignored("unknown")
        if number == "cur":
            raise Ignored("early")
        at = self.closing_at(number)
        if at is None:
            raise Ignored("late")
        if how == "complete":
            self.clip_failures = 0
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
