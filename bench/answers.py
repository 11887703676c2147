#!/usr/bin/python3
"""Asks the demo what it did where no journald runs, and where the journal was vacuumed.

  answers.py [--vigil PATH] [--seconds 60] [--keep FOLDER]
As root: sockets and journal are its own in a mount namespace, so this machine's journal is neither read nor written. `vigil run --demo`
records for so long without a journald, once more with one, and is asked by `why`, `coverage`, `ladder`, `simulate` and `replay` about the
first time and the second. Every answer is there, from the storage root alone too when the daemon is stopped, and is the same after the
journal was rotated and vacuumed.
In copies of its trace one byte is altered, one record removed and the last one torn: `vigil trace verify` names each.
Prints one JSON line a check. Exit status 1 if one failed.
Packages: systemd
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from record import HERE, Verdict, own_journal, start_journald

POLICY = "name: less\nrecording: { mode: event, sensitivity: 1, maxEventLength: 10s }\n"


class Demo:
    """The demo's daemon, in a folder of its own."""

    def __init__(self, vigil, folder):
        self.vigil, self.folder, self.daemon = vigil, folder, None
        with open(folder + "/less.yaml", "w") as f:
            f.write(POLICY)

    def record(self, seconds):
        """Starts the daemon where it does not run, and lets it record; from when to when."""
        if self.daemon is None:
            with open(self.folder + "/vigil.log", "a") as out:
                self.daemon = subprocess.Popen(
                    [self.vigil, "run", "--demo", "--root", self.folder + "/data", "--socket", self.folder + "/s", "--listen", "none"],
                    stdout=out, stderr=out)
            while not os.path.exists(self.folder + "/s"):
                if self.daemon.poll() is not None:
                    sys.exit("answers: the demo did not start, see %s/vigil.log" % self.folder)
                time.sleep(0.1)
        begin = time.time()
        time.sleep(seconds)
        return begin, time.time()

    def stop(self):
        """Ends it; its exit status."""
        self.daemon.send_signal(signal.SIGTERM)
        status = self.daemon.wait(30)
        self.daemon = None
        return status

    def ask(self, *words):
        """What a command prints, and its exit status."""
        ran = subprocess.run([self.vigil, *words], capture_output=True, text=True, timeout=120, cwd=self.folder)
        return ran.stdout + ran.stderr, ran.returncode


def stamp(seconds):
    """RFC 3339, in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def answers(demo, begin, end, place):
    """All answers about a time, by `--socket` or `--root`; the first of them about a moment within it. What coverage says is the
    daemon's to tell."""
    since, until = stamp(begin), stamp(end)
    site = ["--config", "data/config/vigil.yaml"] if place[0] == "--root" else []
    questions = {
        "why": ["why", "demo", stamp((begin + end) / 2)],
        "ladder": ["ladder", "demo", "--as-events", "--since", since, "--until", until] + site,
        "simulate": ["simulate", "less.yaml", "--since", since, "--until", until] + site,
        "replay": ["replay", "--until", until]}
    if not site:
        questions["coverage"] = ["coverage", "demo", "--from", since, "--to", until]
    return {name: demo.ask(*words, *place) for name, words in questions.items()}


def steady(answer):
    """An answer without the sizes, which are not known until a clip is closed."""
    said, status = answer
    return re.sub(r" +", " ", re.sub(r"\d+(\.\d+)? [kMG]?B|not known", "SIZE", said)), status


def recorded(said):
    """Whether an answer of `why` says that the moment was recorded."""
    return bool(re.match(r"demo at [^:]*:\d\d:\d\d: recorded,", said))


def altered(demo, verdict):
    """Alters copies of the trace, and asks whether it holds."""
    trace = demo.folder + "/data/trace"
    if not os.path.isdir(trace):
        trace = next(path for path, _, files in os.walk(demo.folder + "/data") if any(f.endswith(".trace") for f in files))
    file = max((os.path.join(trace, f) for f in os.listdir(trace)), key=os.path.getsize)
    with open(file, "rb") as f:
        whole = f.read()
    lines = whole.splitlines(keepends=True)
    middle = len(lines) // 2
    place = whole.index(lines[middle]) + len(lines[middle]) // 2
    what = {
        "as it is": whole,
        "one byte altered": whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:],
        "one record removed": b"".join(lines[:middle] + lines[middle + 1:]),
        "the last record torn": whole[:-len(lines[-1]) // 2]}
    for name, contents in what.items():
        copy = demo.folder + "/copy"
        shutil.copytree(trace, copy)
        with open(os.path.join(copy, os.path.basename(file)), "wb") as f:
            f.write(contents)
        said, status = demo.ask("trace", "verify", copy)
        verdict.say("trace verify: " + name, (status == 0) == (name == "as it is"), status=status, said=said.strip().splitlines()[:3])
        shutil.rmtree(copy)


def main():
    own_journal(__file__)
    parser = argparse.ArgumentParser()
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--vigil", default=HERE + "/../.build/debug/vigil")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--keep")
    o = parser.parse_args()
    o.vigil = os.path.abspath(o.vigil)
    folder = o.keep or tempfile.mkdtemp(prefix="answers.")
    os.makedirs(folder, exist_ok=True)
    demo, verdict = Demo(o.vigil, os.path.abspath(folder)), Verdict()
    socket, root = ["--socket", folder + "/s"], ["--root", folder + "/data"]

    verdict.say("no journald runs", not os.path.exists("/run/systemd/journal/socket"))
    first = demo.record(o.seconds)
    bare = answers(demo, *first, socket)
    for name, (said, status) in bare.items():
        verdict.say("%s without a journald" % name, status == 0 and len(said) > 40, status=status, said=said.strip().splitlines()[:4])
    verdict.say("they say that it was recorded", recorded(bare["why"][0]) and "recorderDown" not in bare["coverage"][0])
    verdict.say("it stops", demo.stop() == 0)
    alone = answers(demo, *first, root)
    for name, (said, status) in alone.items():
        verdict.say("%s from the root alone" % name, status == 0 and len(said) > 40, status=status, said=said.strip().splitlines()[:4])
    verdict.say("it says the same of that moment, and of all steps", recorded(alone["why"][0]) and alone["replay"] == bare["replay"])

    journald = start_journald()
    second = demo.record(o.seconds)
    before = {number: answers(demo, *times, socket) for number, times in (("first", first), ("second", second))}
    told = subprocess.run(["journalctl", "-o", "cat", "VIGIL_CAMERA=demo"], capture_output=True, text=True).stdout
    verdict.say("the journal tells of the camera", len(told.splitlines()) > 3, lines=len(told.splitlines()))
    subprocess.run(["journalctl", "--rotate"], check=True, capture_output=True)
    time.sleep(2)
    vacuumed = subprocess.run(["journalctl", "--vacuum-time=1s"], check=True, capture_output=True, text=True)
    left = subprocess.run(["journalctl", "-o", "cat", "VIGIL_CAMERA=demo", "--until", "@%d" % int(second[1] - 1)],
                          capture_output=True, text=True).stdout
    verdict.say("it is vacuumed", len(left.splitlines()) < len(told.splitlines()) / 2, lines=len(left.splitlines()),
                said=re.sub(r"\s+", " ", vacuumed.stderr.strip())[:200])
    for number, times in (("first", first), ("second", second)):
        for name, answer in answers(demo, *times, socket).items():
            known = before[number][name]
            same = steady(answer) == steady(known) and answer[1] == 0
            verdict.say("%s of the %s time after it" % (name, number), same, **({} if same else {"said": answer[0][:400], "before": known[0][:400]}))
    verdict.say("coverage of the first time is as it was then", before["first"]["coverage"] == bare["coverage"])
    verdict.say("it stops again", demo.stop() == 0)
    altered(demo, verdict)
    journald.terminate()
    journald.wait(10)
    verdict.end(folder, o.keep)


main()
