#!/usr/bin/python3
"""Rules of docs/design/rules.md that are rarely met, each on a live camera of its own: six minutes, all cameras at once.

  rules.py [--vigil PATH] [--media FOLDER] [--only NAME,NAME] [--keep FOLDER]
As root: a journald of its own runs in a mount namespace. The cameras send a still picture; what happens is told by commands.
- blind: a source that comes on in blind time is told as suppressed once, and begins an event when that time is over (T6)
- private: a source that comes on and goes off under privacy is forgotten; one that is still on then begins an event (T6)
- commands: repeated commands never make an event longer than the greatest max event length; what goes beyond is another one (T5)
- mixed: continuous becomes event mode within an event: the clip that follows belongs to the event (T4)
- dusk, party: before a change of the schedule no clip is shorter than 10 s, in continuous mode and within an event (S3)
- flapping: a camera that breaks off twice a second is dialled ever more rarely (S16)
- lan, lan-only: one address is dead: the other one is dialled, and never with `connect: lanOnly` (L1)
- off: a camera whose toggle is off is known to be reachable, and not to be when it is gone (link)
Prints one JSON line a check. Exit status 1 if one failed, 3 if the cameras themselves died, which says nothing of Vigil.
Packages: rig systemd
"""
import argparse
import datetime
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from record import HERE, RIG, Verdict, own_journal
from scripted.site import JOURNAL, Site

EVENT = "mode: event, initial: 5s, augmentation: 5s, preRoll: 3s"
FLAPPING_FOR = 180      # seconds
CONNECT = {"lan": "lan", "lan-only": "lanOnly"}


def clock(at):
    """The time of day of a second since 1970, as a schedule has it."""
    return datetime.datetime.fromtimestamp(at, datetime.timezone.utc).strftime("%H:%M")


class Rules(Site):
    """The site of this bench. Each method below is the story of the camera of its name."""

    def __init__(self, o, folder):
        names = o.only.split(",")
        super().__init__(o.vigil, folder, {name: o.media + "/still.mp4" for name in names})
        # Changes of the schedule come with a minute: far enough away to see them come.
        self.change = (int(time.time()) // 60 + 3) * 60
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            dead = "rtsp://127.0.0.1:%d/x" % held.getsockname()[1]
        off = 'schedule: [ { days: daily, from: "%s", to: "%s", mode: off } ]' % (clock(self.change), clock(self.change + 600))
        self.texts = {
            "blind": EVENT + ", maxEventLength: 30s, blind: 15s", "private": EVENT + ", maxEventLength: 30s, blind: 0s",
            "commands": EVENT + ", maxEventLength: 10s, blind: 0s",
            "mixed": EVENT.replace("event", "continuous", 1) + ", maxEventLength: 30s, blind: 10s",
            "dusk": "mode: continuous, clipLength: 30s", "party": EVENT + ", clipLength: 30s, maxEventLength: 3m, blind: 0s",
            "flapping": "mode: continuous", "lan": "mode: continuous", "lan-only": "mode: continuous", "off": "mode: continuous"}
        self.texts = {name: text for name, text in self.texts.items() if name in names}
        where = {name: "main: %s" % self.urls[name] for name in names}
        for name in CONNECT.keys() & where:
            where[name] = "main: { lan: \"%s\", internet: \"%s\" }, connect: %s" % (dead, self.urls[name], CONNECT[name])
        self.configure(self.texts, {name: "%s, policy: %s" % (where[name], name) for name in names})
        for name in {"dusk", "party"} & where.keys():
            with open("%s/policies/%s.yaml" % (folder, name), "a") as f:
                f.write(off + "\n")
        with open(folder + "/vigil.yaml", "a") as f:
            f.write("timezone: UTC\n")
        self.failures, self.reachable = [], []

    def blind(self):
        """A source in blind time."""
        self.wait("blind", "idle")
        self.tell("trigger", "blind")
        self.wait("blind", "blind")
        for _ in range(3):
            self.tell("trigger", "blind", "--source", "door", "--on")
            time.sleep(1)
        self.wait("blind", "recorded")
        time.sleep(2)
        self.tell("trigger", "blind", "--source", "door", "--off")

    def private(self):
        """A source under privacy: off again, and still on."""
        self.wait("private", "idle")
        for goes in (True, False):
            self.tell("privacy", "private", "on")
            self.tell("trigger", "private", "--source", "door", "--on")
            time.sleep(3)
            if goes:
                self.tell("trigger", "private", "--source", "door", "--off")
            time.sleep(1)
            self.tell("privacy", "private", "off")
            time.sleep(4)
        self.tell("trigger", "private", "--source", "door", "--off")

    def commands(self):
        """Nine commands of 8 s, one each 3 s."""
        self.wait("commands", "idle")
        for _ in range(9):
            self.tell("record", "commands", "--for", "8s")
            time.sleep(3)
        time.sleep(12)

    def mixed(self):
        """Continuous mode that becomes event mode within an event."""
        self.wait("mixed", "recorded")
        time.sleep(5)
        self.tell("record", "mixed", "--for", "12s")
        time.sleep(3)
        self.policy("mixed", self.texts["mixed"].replace("continuous", "event", 1))
        time.sleep(20)

    def dusk(self):
        """A schedule that switches off."""
        time.sleep(max(0, self.change + 8 - time.time()))

    def party(self):
        """The same within an event: it ends with the change."""
        self.wait("party", "idle")
        time.sleep(max(0, self.change - 59 - time.time()))
        self.tell("record", "party", "--for", "%ds" % max(1, self.change - time.time()))
        time.sleep(max(0, self.change + 8 - time.time()))

    def flapping(self):
        """Breaks off twice a second."""
        end = time.time() + FLAPPING_FOR
        while time.time() < end:
            self.rig("drop flapping")
            time.sleep(0.5)

    def lan(self):
        """The address in the LAN is dead."""
        self.wait("lan", "recorded")

    def lan_only(self):
        """The same, and the other one must not be dialled."""
        time.sleep(90)

    def off(self):
        """The toggle is off; later the camera is gone."""
        self.wait("off", "recorded")
        self.tell("disable", "off")
        time.sleep(15)
        self.reachable.append(self.ask("state", "off")[1][0].get("reachable"))
        self.rig("stop off")
        time.sleep(310)
        self.reachable.append(self.ask("state", "off")[1][0].get("reachable"))

    def play(self, name):
        """One story; what goes wrong is told by the main thread."""
        try:
            getattr(self, name.replace("-", "_"))()
        except (Exception, SystemExit) as error:    # `wait` ends with the latter, which a thread would not tell
            self.failures.append("%s: %s: %s" % (name, type(error).__name__, error))


STORIES = ("blind", "private", "commands", "mixed", "dusk", "party", "flapping", "lan", "lan-only", "off")


def journal(camera, *kinds):
    """What was told of a camera, in its order."""
    done = subprocess.run(["journalctl", "--all", "--quiet", "-o", "json", "-D", JOURNAL, "VIGIL_CAMERA=" + camera,
                           *("VIGIL_KIND=" + k for k in kinds)], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows(folder, table, camera):
    """A camera's rows of the catalog."""
    with sqlite3.connect("file:%s/data/catalog.sqlite?mode=ro" % folder, uri=True) as catalog:
        catalog.row_factory = sqlite3.Row
        return [dict(row) for row in catalog.execute("SELECT * FROM %s WHERE camera = ? ORDER BY id" % table, (camera,))]


def lengths_of(rows, begin, end):
    """How long each was, in milliseconds, by its columns."""
    return [row[end] - row[begin] for row in rows]


def judge(site, verdict):
    """What came of each story."""
    folder = site.folder
    events = {name: rows(folder, "event", name) for name in site.texts}
    clips = {name: rows(folder, "clip", name) for name in site.texts}
    if "blind" in site.texts:
        told = [r for r in journal("blind", "detectionSuppressed")]
        verdict.say("T6 a source in blind time is told once, and counts after it", [r["VIGIL_WHY"] for r in told] == ["blind"]
                    and [e["cause"].split(":")[0] for e in events["blind"]] == ["detection", "source"],
                    suppressed=[r["VIGIL_WHY"] for r in told], events=[e["cause"] for e in events["blind"]])
    if "private" in site.texts:
        told = [r["VIGIL_WHY"] for r in journal("private", "detectionSuppressed")]
        verdict.say("T6 a source under privacy is told once each time, and counts after it only if it is still on",
                    told == ["privacy", "privacy"] and len(events["private"]) == 1, suppressed=told, events=len(events["private"]))
    if "commands" in site.texts:
        lengths = lengths_of(events["commands"], "began_monotonic_ms", "ended_monotonic_ms")
        edges = [(e["began_monotonic_ms"], e["ended_monotonic_ms"]) for e in events["commands"]]
        verdict.say("T5 no event is longer than the greatest max event length, and what goes beyond is the next one",
                    len(lengths) > 2 and max(lengths) <= 10_000 and all(b[0] == a[1] for a, b in zip(edges, edges[1:]))
                    and edges[-1][1] - edges[0][0] >= 24_000, lengths=lengths)
    if "mixed" in site.texts:
        owned = [c for c in clips["mixed"] if events["mixed"] and c["event"] == events["mixed"][0]["id"]]
        before = [c for c in clips["mixed"] if c["event"] is None]
        verdict.say("T4 the clip after a change to event mode belongs to the event, and no frame is lost between",
                    len(events["mixed"]) == 1 and len(before) == 1 and owned and owned[0]["chained_to"] == before[0]["id"],
                    before=len(before), of_event=len(owned), ended=[c["ended"] for c in clips["mixed"]])
    for name in ("dusk", "party"):
        if name in site.texts:
            lengths = lengths_of(clips[name], "start_monotonic_ms", "end_monotonic_ms")
            left = [round(site.change - c["end_wall_ms"] / 1000, 1) for c in clips[name] if c["ended"] == "length"]
            verdict.say("S3 no clip is cut for its length less than 70 s before a change of the schedule, and none is shorter than 10 s",
                        lengths and min(lengths) >= 10_000 and all(rest >= 68 for rest in left), camera=name, lengths=lengths,
                        before_the_change=left, ended=[c["ended"] for c in clips[name]])
    if "flapping" in site.texts:
        dials = journal("flapping", "linkDialing")
        verdict.say("S16 a camera that breaks off twice a second is dialled ever more rarely", 5 <= len(dials) <= 14, dials=len(dials),
                    waits=[int(r["VIGIL_RETRY_MS"]) for r in journal("flapping", "linkWaiting")])
    for name in CONNECT:
        if name in site.texts:
            dials = [r["VIGIL_ENDPOINT"] for r in journal(name, "linkDialing")]
            falls_back = dials[:2] == ["lan", "internet"]
            verdict.say("L1 which address is dialled", falls_back if name == "lan" else set(dials) == {"lan"} and len(dials) > 3,
                        camera=name, dials=dials)
    if "off" in site.texts:
        told = [r["VIGIL_KIND"] for r in journal("off", "cameraReachable", "cameraUnreachable")]
        verdict.say("a camera that is switched off is known to be reachable, or not", told[-1:] == ["cameraUnreachable"]
                    and [set(r) - {"since"} for r in site.reachable] == [{"endpoint"}, {"failure"}], told=told, reachable=site.reachable,
                    clips=[c["ended"] for c in clips["off"]])


def main():
    """Plays all stories at once, and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--only", default=",".join(STORIES), help="stories: " + ", ".join(STORIES))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if set(o.only.split(",")) - set(STORIES):
        parser.error("--only: there are the stories " + ", ".join(STORIES))
    own_journal(__file__)
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media, "still.mp4"], check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-rules-")
    os.makedirs(folder, exist_ok=True)
    verdict, site = Verdict(), Rules(o, folder)
    try:
        site.run()
        threads = [threading.Thread(target=site.play, args=(name,), daemon=True) for name in site.texts]
        for thread in threads:
            thread.start()
        while any(t.is_alive() for t in threads):
            time.sleep(1)
            site.living()
            if site.daemon.poll() is not None:
                sys.exit("vigil ended by itself, status %d: see %s/vigil.log" % (site.daemon.returncode, folder))
        site.daemon.send_signal(signal.SIGTERM)
        verdict.say("the daemon ends by itself", site.daemon.wait(60) == 0 and not site.failures, failures=site.failures)
        subprocess.run(["journalctl", "--sync"], stderr=subprocess.DEVNULL)
        judge(site, verdict)
        done = subprocess.run([site.vigil, "replay", "--root", folder + "/data"], capture_output=True, text=True)
        verdict.say("the trace replays without a difference", done.returncode == 0, words=done.stdout.strip()[-300:])
    finally:
        site.end()
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
