#!/usr/bin/python3
"""An hour of four live cameras in event mode whose scenes move on a script, judged by the script and by docs/design/rules.md.

  hour.py [--minutes 60] [--moments 50] [--seed 1] [--tolerance 2] [--vigil PATH] [--media FOLDER] [--keep FOLDER]
As root: a journald of its own runs in a mount namespace, so this machine's journal is neither read nor written. The cameras have
policies of their own; one is watched by its sub-stream. Movements within the initial window, prolonging, beyond the limit, in blind
time, in the pre-roll of the clip before; a camera that goes away and comes back within its event, the toggle, privacy, a command,
a policy file that is edited within an event and back: drawn from the seed (scripted/script.py). Then (scripted/judge.py, media.py):
- what must begin an event did, within the tolerance in seconds for the detector; nothing began without movement;
- from the detections in the trace, rules written anew from the prose (scripted/rules.py) make the same events, ends, prolongings,
  blind times and reasons, to the machine's step;
- clips hold each event with its pre-roll, each frame as it was sent and once; continuous movement is a chain without a hole;
- coverage is a partition, and its labels and `vigil why` at random moments are what the script says.
Prints one JSON line a check. Exit status 1 if one failed, 3 if the cameras themselves died, which says nothing of Vigil.
  hour.py --judge FOLDER [--alter RULE]    judges a kept folder again, with a rule broken on purpose to see which checks fail
Packages: rig systemd
"""
import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from record import HERE, RIG, Verdict, own_journal
from scripted.judge import judge
from scripted.rules import ALTERATIONS, agreed, expectations
from scripted.script import CHANGED, LEAD, MOVING, POLICIES, script, words
from scripted.site import JOURNAL, Site, partition, stamp

MARGIN_MS = 1500        # how far a moment must be from what could change its label
SAMPLES = 300           # moments of each camera at which the label of coverage is compared


def boot():
    """Milliseconds since boot."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1e6


class Hour(Site):
    """The site of this bench, and what was done to it."""

    def __init__(self, o, folder):
        self.media = {name: (moving.replace("moving", "still"), moving) for name, moving in MOVING.items()}
        super().__init__(o.vigil, folder, {name: "%s/%s,stamp" % (o.media, still) for name, (still, _) in self.media.items()},
                         "--log", folder + "/sent.jsonl")
        self.store, self.deeds, self.failures = o.media, {name: [] for name in POLICIES}, []
        self.configure({name: words(policy) for name, policy in POLICIES.items()}, {
            name: "main: %s, policy: %s" % (self.urls[name], name)
            + (", sub: %s" % self.urls[name + "-sub"] if name + "-sub" in self.urls else "") for name in POLICIES})

    def do(self, camera, deed):
        """Does a deed; when it was done."""
        verb, _, rest = deed.verb.partition(" ")
        value = None
        if verb in ("move", "rest"):
            for name in (camera, camera + "-sub"):
                if name in self.media:
                    self.rig("switch %s %s/%s" % (name, self.store, self.media[name][verb == "move"]))
        elif verb in ("stop", "start"):
            self.rig("%s %s" % (verb, camera))
        elif verb in ("enable", "disable"):
            self.tell(verb, camera)
        elif verb == "trigger":
            self.tell("trigger", camera)
        elif verb == "cover":
            self.tell("privacy", camera, "on", *(["--hard"] if rest == "hard" else []))
        elif verb == "uncover":
            self.tell("privacy", camera, "off")
        elif verb == "record":
            value = 5000
            self.tell("record", camera, "--for", "5s")
        else:
            value = CHANGED if rest == "changed" else POLICIES[camera]
            self.policy(camera, words(value))
        return verb, value

    def perform(self, camera, acts, begin):
        """Plays one camera's acts; `begin` in seconds since boot."""
        try:
            for act in acts:
                for deed in act.deeds:
                    time.sleep(max(0.0, begin + act.at + deed.at - boot() / 1000))
                    before = boot()
                    verb, value = self.do(camera, deed)
                    self.deeds[camera].append(dict(before=before, at=boot(), verb=verb, value=value, begins=deed.begins))
                time.sleep(max(0.0, begin + act.at + act.length - boot() / 1000))
        except Exception as error:      # told by the main thread, which ends the bench
            self.failures.append("%s: %s: %s" % (camera, type(error).__name__, error))

    def play(self, acts):
        """Plays all acts; from when to when, in milliseconds since boot."""
        self.run()
        for camera in POLICIES:
            self.wait(camera, "idle")
        begin = boot()
        threads = [threading.Thread(target=self.perform, args=(c, a, begin / 1000), daemon=True) for c, a in acts.items()]
        for thread in threads:
            thread.start()
        while any(t.is_alive() for t in threads):
            time.sleep(1)
            self.living()
            if self.daemon.poll() is not None:
                sys.exit("vigil ended by itself, status %d" % self.daemon.returncode)
            if self.failures:
                sys.exit("; ".join(self.failures))
        return begin, boot()


def journal(*matches):
    """Records of the journal."""
    done = subprocess.run(["journalctl", "--all", "--quiet", "-o", "json", "-D", JOURNAL, *matches], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows(folder, table, order):
    """A table of the catalog."""
    with sqlite3.connect("file:%s/data/catalog.sqlite?mode=ro" % folder, uri=True) as catalog:
        catalog.row_factory = sqlite3.Row
        return [dict(row) for row in catalog.execute("SELECT * FROM %s ORDER BY %s" % (table, order))]


def moments(dice, count, expected, begin, end):
    """Random moments whose label the script says: half of them among all, half with each label as often."""
    pool = {}
    for _ in range(100 * count):
        camera, at = dice.choice(sorted(expected)), dice.uniform(begin + LEAD * 1000, end - MARGIN_MS)
        label = agreed(expected[camera], at, MARGIN_MS)
        if label:
            pool.setdefault(label, []).append((camera, at, label))
    every = [m for found in pool.values() for m in found]
    return [dice.choice(every) if i % 2 else dice.choice(pool[dice.choice(sorted(pool))]) for i in range(count)]


def collect(site, o, verdict, acts, begin, end):
    """Everything that is judged, as it is asked of the daemon and read from journal, catalog and cameras."""
    dice = random.Random(o.seed)
    offset = time.time() * 1000 - boot()
    wall = lambda ms: (ms + offset) / 1000      # noqa: E731
    expected = {camera: expectations(POLICIES[camera], [(d["at"], d["verb"], d["value"]) for d in site.deeds[camera]], end,
                                     o.tolerance * 1000) for camera in POLICIES}
    subprocess.run(["journalctl", "--sync"], stderr=subprocess.DEVNULL)
    facts = dict(begin=begin, end=end, offset=offset, tolerance=o.tolerance * 1000, deeds=site.deeds, margin=MARGIN_MS, asked=[], labels=[])
    facts["acts"] = {c: [dict(name=a.name, at=begin + a.at * 1000, end=begin + (a.at + a.length) * 1000, ends=a.ends, count=a.count)
                         for a in row] for c, row in acts.items()}
    facts["coverage"] = partition(site, verdict, POLICIES, wall(begin), wall(end))
    for camera in POLICIES:
        for at in (dice.uniform(begin + LEAD * 1000, end - MARGIN_MS) for _ in range(SAMPLES)):
            facts["labels"].append((camera, at, agreed(expected[camera], at, MARGIN_MS)))
    for camera, at, label in moments(dice, o.moments, expected, begin, end):
        for alone in (False, True):
            status, answer = site.ask("why", camera, stamp(wall(at)), *(["--root", site.folder + "/data"] if alone else []), alone=alone)
            facts["asked"].append(dict(camera=camera, at=at, label=label, alone=alone, status=status,
                                       told=answer.get("label"), remedy=answer.get("remedy", {}), errors=answer.get("errors")))
    for key, options in (("events", []), ("suppressed", ["--suppressed"])):
        facts[key] = {c: site.ask("events", "--camera", c, "--from", stamp(wall(begin - 60_000)), *options)[1] for c in POLICIES}
    site.daemon.send_signal(signal.SIGTERM)
    status = site.daemon.wait(60)
    verdict.say("the daemon ends by itself", status == 0, status=status)
    subprocess.run(["journalctl", "--sync"], stderr=subprocess.DEVNULL)
    facts["trace"] = {c: [(int(r["VIGIL_SEQ"]), int(r["VIGIL_AT"]), json.loads(r["VIGIL_INPUT"])) for r in journal("VIGIL_TRACE=" + c)]
                      for c in POLICIES}
    kinds = ["VIGIL_KIND=" + k for k in ("eventBegan", "eventProlonged", "eventEnded", "detectionSuppressed")]
    facts["told"] = {c: [{k: v for k, v in r.items() if k.startswith("VIGIL_")} for r in journal("VIGIL_CAMERA=" + c, *kinds)]
                     for c in POLICIES}
    facts["lost"] = len(journal("VIGIL_KIND=journalLost"))
    for source in (["--root", site.folder + "/data"], ["--journal", JOURNAL]):
        done = subprocess.run([site.vigil, "replay", *source], capture_output=True, text=True)
        verdict.say("the trace replays without a difference", done.returncode == 0, source=source, status=done.returncode,
                    words=done.stdout.strip()[-300:])
    done = subprocess.run([site.vigil, "trace", "verify", "--root", site.folder + "/data"], capture_output=True, text=True)
    verdict.say("the trace is whole", done.returncode == 0, words=done.stdout.strip()[-300:])
    done = subprocess.run([site.vigil, "fsck", "--root", site.folder + "/data", "--deep"], capture_output=True, text=True)
    verdict.say("fsck clean", done.returncode == 0, words=(done.stdout + done.stderr).strip()[-300:])
    facts["rows"] = {table: rows(site.folder, table, order) for table, order in
                     (("event", "id"), ("clip", "id"), ("track", "clip"), ("event_detail", "event"), ("suppressed", "id"))}
    with open(os.path.join(site.folder, "trace.export"), "wb") as f:
        subprocess.run(["journalctl", "--all", "--quiet", "-o", "export", "-D", JOURNAL], stdout=f)
    with open(os.path.join(site.folder, "facts.json"), "w") as f:
        json.dump(facts, f)


def main():
    """Plays, asks and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--minutes", type=float, default=60, help="each kind of act is played once at least: about 6")
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="draws the script and the moments")
    parser.add_argument("--tolerance", type=float, default=2, help="the longest delay of the detector, in seconds")
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--judge", metavar="FOLDER")
    parser.add_argument("--alter", choices=ALTERATIONS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    verdict = Verdict()
    if o.judge:
        judge(o.judge, verdict, o.alter)
        sys.exit(1 if verdict.failed else 0)
    own_journal(__file__)
    names = sorted({name for moving in MOVING.values() for name in (moving, moving.replace("moving", "still"))})
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + names, check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-hour-")
    os.makedirs(folder, exist_ok=True)
    site = Hour(o, folder)
    try:
        acts = script(o.minutes * 60, o.seed, o.tolerance)
        begin, end = site.play(acts)
        collect(site, o, verdict, acts, begin, end)
    finally:
        site.end()
    judge(folder, verdict, o.alter)
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
