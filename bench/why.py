#!/usr/bin/python3
"""Does known things to live cameras, then asks what became of each moment, and why.

  why.py [--vigil PATH] [--moments 50] [--seed 1] [--media FOLDER] [--keep FOLDER]
As root: a journald of its own runs in a mount namespace, so this machine's journal is neither read nor written. One camera records
events, one continuously, and one is the built-in scene. A command, the toggle, privacy, a camera that goes away, a policy that is
switched off, and a killed daemon follow each other. Then:
- the coverage of each camera is a partition of the time, to the millisecond;
- `vigil why` tells the label that was played at so many random moments, with a daemon and from the trace alone;
- what it proposes is what was played: the toggle where it was off, privacy where it was on, no policy where Vigil was down;
- `vigil simulate` of the policy in force gains and loses nothing, `vigil ladder` has 18 rungs with one marked.
Prints one JSON line a check. Exit status 1 if one failed, 3 if the cameras themselves died, which says nothing of Vigil.
Packages: rig systemd
"""
import argparse
import json
import os
import random
import signal
import subprocess
import tempfile
import time

from record import HERE, RIG, Verdict, own_journal
from scripted.site import JOURNAL, Site, partition, stamp

MEDIA = {"door": "h264-aac.mp4", "hall": "h265-aac.mp4"}
POLICIES = {"moving": "mode: event, initial: 3s, maxEventLength: 180s, preRoll: 2s", "always": "mode: continuous, clipLength: 20s"}
# How far from a deed a moment must be to be judged, in seconds: a key frame, a dial, a look at a file.
MARGIN = 3.0


class Why(Site):
    """A door that records events, a hall that records always, and the built-in scene."""

    def __init__(self, o, folder):
        super().__init__(o.vigil, folder, {name: "%s/%s" % (o.media, file) for name, file in MEDIA.items()})
        self.played = []
        self.configure(POLICIES, {
            "door": "main: %s, policy: moving, detection: 'off'" % self.urls["door"],
            "hall": "main: %s, policy: always, detection: 'off'" % self.urls["hall"],
            "scene": "main: 'demo:', policy: moving"})

    def start(self):
        """Starts the daemon and waits until it answers."""
        self.run()
        self.wait("door", "idle")
        self.wait("hall", "recorded")

    def play(self, seconds, door, hall, remedy=None):
        """Lets time pass, in which the cameras have these labels, and `why` proposes this for the door."""
        if self.daemon.poll() is None:
            self.wait("door", door)
            self.wait("hall", hall)
        begin = time.time()
        time.sleep(seconds + 2 * MARGIN)
        for camera, label in (("door", door), ("hall", hall)):
            self.played.append((begin + MARGIN, time.time() - MARGIN, camera, label, remedy if camera == "door" else None))


def play(site):
    """What is done, in its order."""
    site.start()
    # What a longer pre-roll of the command would have recorded is not judged here.
    site.play(3, "idle", "recorded")
    time.sleep(3)
    # Until privacy ends it.
    site.tell("record", "door", "--for", "3m")
    site.play(5, "recorded", "recorded")
    site.tell("privacy", "hall", "on")
    site.tell("privacy", "door", "on", "--hard")
    site.play(4, "privacy", "privacy", "privacy")
    site.tell("privacy", "hall", "off")
    site.tell("privacy", "door", "off", "--hard")
    site.wait("door", "idle")
    site.tell("disable", "door")
    site.play(4, "disabled", "recorded", "enabled")
    site.tell("enable", "door")
    site.wait("door", "idle")
    for camera in MEDIA:
        site.rig("stop " + camera)
    site.play(4, "linkLost", "linkLost", "noPolicy")
    for camera in MEDIA:
        site.rig("start " + camera)
    site.wait("door", "idle")
    site.wait("hall", "recorded")
    site.tell("policy", "set", "moving", "recording.mode", "off")
    site.play(4, "offByPolicy", "recorded", "mode")
    site.tell("policy", "set", "moving", "recording.mode", "event")
    site.wait("door", "idle")
    # The heartbeat tells until when it ran, to ten seconds.
    time.sleep(10)
    site.daemon.send_signal(signal.SIGKILL)
    site.daemon.wait(60)
    site.play(4, "recorderDown", "recorderDown", "noPolicy")
    site.start()
    site.play(3, "idle", "recorded", "mode")


def reasons(site, verdict, dice, count):
    """`why` at random moments of what was played."""
    wrong = {True: [], False: []}
    asked = 0
    for _ in range(count):
        begin, end, camera, label, remedy = dice.choice(site.played)
        at = dice.uniform(begin, end)
        for alone in (False, True):
            words = ["--root", site.folder + "/data"] if alone else []
            status, answer = site.ask("why", camera, stamp(at), *words, alone=alone)
            found = answer.get("remedy", {})
            proposed = [c["change"] for c in found.get("changes", [])][:1] or [found.get("kind")]
            asked += 1
            if status != 0 or answer.get("label") != label or (remedy and proposed != [remedy]) \
                    or (label == "recorded" and found.get("kind") != "none"):
                wrong[alone].append(dict(at=stamp(at), camera=camera, played=label, told=answer.get("label"), remedy=found.get("words")))
    for alone, faults in wrong.items():
        verdict.say("why is right", not faults, moments=count, source="trace alone" if alone else "daemon", wrong=faults[:5])


def forecasts(site, verdict, begin):
    """`simulate` and `ladder`."""
    status, answer = site.ask("simulate", "moving", "--camera", "scene", "--since", stamp(begin))
    one = answer[0] if isinstance(answer, list) else {}
    # The mode was off in between, which the policy of today does not say; everything else is the same.
    verdict.say("simulate answers", status == 0 and not one["lost"] and one["inForce"]["bytes"], status=status,
                gained=len(one.get("gained", [])), inForce=one.get("inForce"), notKnown=[u["kind"] for u in one.get("notKnown", [])])
    status, answer = site.ask("simulate", "always", "--camera", "hall", "--since", stamp(begin))
    one = answer[0] if isinstance(answer, list) else {}
    verdict.say("the policy in force gains and loses nothing", status == 0 and one["gainedMs"] == one["lostMs"] == 0, status=status,
                gainedMs=one.get("gainedMs"), lostMs=one.get("lostMs"), inForce=one.get("inForce"))
    status, answer = site.ask("ladder", "scene", "--since", stamp(begin))
    rungs = answer.get("rungs", [])
    verdict.say("ladder", status == 0 and len(rungs) == 18 and [r["isToday"] for r in rungs].count(True) == 1, status=status,
                hours=[round(r["simulated"]["recordedMs"] / 3.6e6, 3) for r in rungs])


def main():
    """Plays, asks and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="chooses the moments")
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    own_journal(__file__)
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + sorted(MEDIA.values()), check=True,
                   stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-why-")
    os.makedirs(folder, exist_ok=True)
    verdict = Verdict()
    site = Why(o, folder)
    try:
        begin = time.time()
        play(site)
        end = time.time()
        subprocess.run(["journalctl", "--sync"], stderr=subprocess.DEVNULL)
        partition(site, verdict, ("door", "hall", "scene"), begin, end)
        reasons(site, verdict, random.Random(o.seed), o.moments)
        forecasts(site, verdict, begin)
        if o.keep:
            with open(os.path.join(folder, "played.json"), "w") as f:
                json.dump([dict(zip(("from", "to", "camera", "label", "remedy"), (stamp(p[0]), stamp(p[1])) + p[2:]))
                           for p in site.played], f, indent=1)
            with open(os.path.join(folder, "trace.export"), "wb") as f:
                subprocess.run(["journalctl", "--all", "-o", "export", "-D", JOURNAL], stdout=f)
    finally:
        site.end()
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
