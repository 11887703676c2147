"""What happens to four cameras: scenes that move, and what is done to camera and policy meanwhile, drawn from a seed.

A script is a row of acts for each camera. An act knows its deeds, which of them must begin an event, and how many events of which
ends it must have come to; this follows from the camera's policy by docs/design/rules.md alone. Times are in seconds.
"""
import random
import re

MOVING = {"yard": "moving.mp4", "street": "moving.mp4", "gate": "moving.mp4", "porch": "moving.mp4", "porch-sub": "moving-sub.mp4"}
# What each policy says, in seconds: initial, augmentation, max event length, blind time, pre-roll; and its sensitivity.
POLICIES = {
    "yard": dict(sensitivity=10, initial=10, augmentation=8, maxEventLength=60, blind=0, preRoll=5),
    "street": dict(sensitivity=5, initial=4, augmentation=2, maxEventLength=10, blind=0, preRoll=3),
    "gate": dict(sensitivity=1, initial=3, augmentation=2, maxEventLength=30, blind=30, preRoll=4),
    "porch": dict(sensitivity=5, initial=6, augmentation=4, maxEventLength=30, blind=0, preRoll=10),
}
CHANGED = dict(sensitivity=10, initial=4, augmentation=2, maxEventLength=15, blind=0, preRoll=5)
LEAD = 20       # before the first act: links, pre-roll, a background that has been learnt
CUT = 3         # a clip waits for its key frame, and is made durable
RELINK = 4      # a dial, a key frame, a detector that looks again


class Deed:
    """`verb` at `at` seconds of the act. `begins`: an event must begin within so many seconds, beside the detector's delay."""

    def __init__(self, at, verb, begins=None):
        self.at, self.verb, self.begins = at, verb, begins


class Act:
    """Deeds, and what they come to: `ends` is a pattern of the ends of the events that begin meanwhile, `count` bounds them."""

    def __init__(self, name, length, deeds, ends="quiet", count=(1, 1), policy=None):
        self.name, self.length, self.deeds, self.at = name, length, deeds, 0.0
        self.ends, self.count, self.policy = ends, count, policy

    def fits(self, ends):
        """Whether the act came to what it must."""
        return bool(re.fullmatch(self.ends, " ".join(ends))) and self.count[0] <= len(ends) <= self.count[1]


class Writer:
    """Writes the acts of one camera."""

    def __init__(self, camera, seed, tolerance):
        self.camera, self.dice, self.tolerance, self.p = camera, random.Random("%s/%s" % (seed, camera)), tolerance, POLICIES[camera]

    def rest(self, policy=None):
        """How long after the last movement everything is quiet, and a blind time is over; with some more."""
        p = policy or self.p
        return self.tolerance + max(p["initial"] + p["augmentation"], 2 * p["augmentation"]) + CUT + p["blind"] \
            + self.dice.uniform(3, 10)

    def moves(self, name, seconds, *deeds, ends="quiet", count=(1, 1), **more):
        """An act in which the scene moves once, for so long, with other deeds meanwhile."""
        row = [Deed(0, "move", 0), *deeds, Deed(seconds, "rest")]
        return Act(name, seconds + self.rest(), sorted(row, key=lambda d: d.at), ends, count, **more)

    def burst(self):
        """A movement within the initial window: one event."""
        return self.moves("burst", self.dice.uniform(1.5, self.p["initial"] - 1))

    def steady(self):
        """A movement that prolongs its event again and again, short of the limit."""
        p = self.p
        return self.moves("steady", self.dice.uniform(p["initial"] + 1, p["maxEventLength"] - 2 * p["augmentation"] - 3))

    def twice(self):
        """A second movement while the event of the first still goes on: one event."""
        window = self.p["initial"] + self.p["augmentation"]
        again = self.dice.uniform(5, window - self.tolerance - 1)
        deeds = [Deed(0, "move", 0), Deed(2.5, "rest"), Deed(again, "move"), Deed(again + 2, "rest")]
        return Act("twice", again + 2 + self.rest(), deeds)

    def beyond(self):
        """A movement somewhat longer than the limit: a chain of two events."""
        return self.moves("beyond", self.p["maxEventLength"] + self.dice.uniform(4, 12), ends="limit quiet", count=(2, 2))

    def reconnect(self):
        """The camera goes away within an event and comes back within it."""
        away, back = 5.0, 5.0 + self.dice.uniform(1.2, 2.0)
        return self.moves("reconnect", 13, Deed(away, "stop"), Deed(back, "start"))

    def chain(self, shortest=60, longest=150):
        """A movement far beyond the limit without blind time: a chain of events, end to begin within a detection."""
        seconds, limit = self.dice.uniform(shortest, longest), self.p["maxEventLength"]
        count = (int((seconds - self.tolerance) / (limit + 2.5)), int((seconds + self.tolerance) / limit) + 1)
        return self.moves("chain", seconds, ends="(limit )+(limit|quiet)", count=count)

    def close(self):
        """A second event soon after the first: its pre-roll would reach into the clip before."""
        window = self.p["initial"] + self.p["augmentation"]
        again = window + self.tolerance + self.dice.uniform(0.5, 2.5)
        deeds = [Deed(0, "move", 0), Deed(2.5, "rest"), Deed(again, "move", 0), Deed(again + 2, "rest")]
        return Act("close", again + 2 + self.rest(), deeds, "quiet quiet", (2, 2))

    def blind(self):
        """A second movement in the blind time after the first: no second event."""
        again = self.p["initial"] + self.p["augmentation"] + self.tolerance + CUT + self.dice.uniform(0, 15)
        return Act("blind", again + 3 + self.rest(), [
            Deed(0, "move", 0), Deed(2, "rest"), Deed(again, "move"), Deed(again + 3, "rest")])

    def repeated(self, shortest=70, longest=150):
        """A movement far beyond the limit with blind time: event, blind time, event …"""
        p, seconds = self.p, self.dice.uniform(shortest, longest)
        cycle = p["maxEventLength"] + p["blind"]
        count = (int((seconds - self.tolerance) / (cycle + CUT + 2.5)) + 1, int((seconds + self.tolerance) / cycle) + 1)
        return self.moves("repeated", seconds, ends="(limit )*(limit|quiet)", count=count)

    def command(self):
        """A command in the blind time begins an event, and no blind time follows it."""
        first = self.p["initial"] + self.p["augmentation"] + self.tolerance + CUT
        deeds = [Deed(0, "move", 0), Deed(2, "rest"), Deed(first + 2, "record", 0), Deed(first + 7 + CUT + 1, "move", 0),
                 Deed(first + 7 + CUT + 3, "rest")]
        return Act("command", first + 7 + CUT + 3 + self.rest(), deeds, "quiet quiet quiet", (3, 3))

    def toggle(self):
        """The toggle goes off within an event, and on again while it still moves."""
        off = self.dice.uniform(4, 8)
        on = off + self.dice.uniform(4, 8)
        return self.moves("toggle", on + self.dice.uniform(8, 11), Deed(off, "disable"), Deed(on, "enable", RELINK),
                          ends="disabled quiet", count=(2, 2))

    def silent(self):
        """What is noticed while the toggle is off runs a window unseen; switched on within it, an event has the rest."""
        on = self.dice.uniform(2, self.p["initial"] - 1)
        return Act("silent", on + self.rest(), [Deed(0, "disable"), Deed(1, "trigger"), Deed(1 + on, "enable", 0)])

    def privacy(self, kind="soft"):
        """Privacy comes within an event and goes while it still moves."""
        on = self.dice.uniform(4, 8)
        off = on + self.dice.uniform(4, 8)
        return self.moves("privacy", off + self.dice.uniform(8, 11), Deed(on, "cover " + kind), Deed(off, "uncover", RELINK),
                          ends="privacy quiet", count=(2, 2))

    def hard(self):
        """The same with the hard switch."""
        return self.privacy("hard")

    def policy(self):
        """The policy is changed within an event, and back within another one; each event keeps what it began with."""
        seconds = self.dice.uniform(8, 12)
        first = self.moves("policy", seconds, Deed(4, "policy changed"))
        again, p = first.length, CHANGED
        long = p["initial"] + p["augmentation"] + self.dice.uniform(1, 3)
        back = [Deed(again, "move", 0), Deed(again + 3, "policy usual"), Deed(again + long, "rest")]
        return Act("policy", again + long + self.rest(), first.deeds + back, "quiet (quiet|limit)", (2, 2))

    def acts(self, length):
        """Acts for so many seconds: each kind once in some order, then at random."""
        kinds = {"yard": [self.burst, self.steady, self.twice, self.beyond, self.reconnect],
                 "street": [self.chain, self.close, self.burst],
                 "gate": [self.blind, self.repeated, self.command],
                 "porch": [self.burst, self.toggle, self.silent, self.privacy, self.policy, self.hard, self.steady]}[self.camera]
        order, at, row = self.dice.sample(kinds, len(kinds)), LEAD, []
        if self.camera == "street" and length >= 1800:
            order.insert(1, lambda: self.chain(240, 300))
        while True:
            act = (order.pop(0) if order else self.dice.choice(kinds))()
            if not order and at + act.length > length and len(row) >= len(kinds):
                return row
            act.at, at = at, at + act.length
            row.append(act)


def script(length, seed, tolerance):
    """The acts of all cameras."""
    return {camera: Writer(camera, seed, tolerance).acts(length) for camera in POLICIES}


def words(policy):
    """A policy's `recording` as its file says it."""
    return "mode: event, " + ", ".join("%s: %d%s" % (k, v, "" if k == "sensitivity" else "s") for k, v in policy.items())
