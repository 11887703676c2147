#!/usr/bin/python3
"""Records four live cameras under trouble and toggles, then runs every step of their machines again, from the trace and from the journal.

  replay.py [--vigil PATH] [--seconds 600] [--copies 100] [--media FOLDER] [--keep FOLDER]
As root: a journald of its own runs in a mount namespace, so this machine's journal is neither read nor written. Two cameras
record continuously and two on command; cameras go away and come back, stall and drop, toggles, privacy, commands and policies are
used, and the daemon is restarted once. Then `vigil replay` must show, from the trace, from the journal, from `-o export` and from `-o json`:
- every record replayed, none missing, no difference, exit status 0;
- after one line was removed: that step named, exit status 1; after one was altered (instant, input, digest): the same.
What it costs is measured on as many copies of the trace as named, each under another run, read as a stream.
Prints one JSON line a check. Exit status 1 if one failed, 3 if the cameras themselves died, which says nothing of Vigil.
Packages: rig systemd
"""
import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

from record import CAMERAS, HERE, RIG, Verdict, addresses, own_journal, rig, start_journald

FIELDS = ["MESSAGE_ID"] + ["VIGIL_" + name for name in ("TRACE", "SEQ", "RUN", "BOOT", "AT", "INPUT", "DIGEST", "STATE", "VERSION")]
# What is done to the cameras and the site, one each few seconds, again and again: to the rig, or by a command.
TROUBLE = [
    ("vigil", "record pcmu --for 8s"), ("rig", "stop h264"), ("vigil", "disable h265"), ("rig", "start h264"),
    ("vigil", "enable h265"), ("vigil", "record longgop --for 5s"), ("vigil", "privacy pcmu on"), ("rig", "drop h265"),
    ("vigil", "privacy pcmu off"), ("vigil", "policy set always recording.clipLength 15s"), ("rig", "stall h264"),
    ("vigil", "record pcmu --for 3s"), ("vigil", "record pcmu --for 12s"), ("rig", "resume h264"),
    ("vigil", "privacy longgop on --hard"), ("vigil", "policy set moving recording.mode continuous"),
    ("vigil", "privacy longgop off --hard"), ("rig", "stop pcmu"), ("vigil", "disable pcmu"), ("rig", "start pcmu"),
    ("vigil", "enable pcmu"), ("vigil", "policy set moving recording.mode event"),
    ("vigil", "policy set always recording.mode off"), ("vigil", "policy set always recording.mode continuous"),
    ("vigil", "policy set always recording.clipLength 20s"),
]


class Site:
    """The daemon, its cameras and its journald."""

    def __init__(self, o, folder):
        self.vigil, self.folder, self.daemon, self.done = o.vigil, folder, None, {}
        self.journald = start_journald()
        words = [w for name, file, _ in CAMERAS for w in ("--camera", "%s=%s/%s" % (name, o.media, file))]
        self.cameras = rig("camera.py", "--separate", *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.configure(addresses(self.cameras))
        self.out = open(os.path.join(folder, "vigil.log"), "a")

    def configure(self, urls):
        """Writes the site's files."""
        os.makedirs(self.folder + "/policies")
        for name, words in (("always", "mode: continuous, clipLength: 20s"),
                            ("moving", "mode: event, initial: 3s, maxEventLength: 30s, blind: 4s, preRoll: 3s")):
            with open("%s/policies/%s.yaml" % (self.folder, name), "w") as f:
                f.write("name: %s\nrecording: { %s }\n" % (name, words))
        with open(self.folder + "/vigil.yaml", "w") as f:
            f.write("storage: { root: %s/data }\nsocket: %s/s\nhttp: { listen: none }\njournal: { steps: true }\npolicies: [ policies/ ]\ncameras:\n"
                    % (self.folder, self.folder))
            for name, url in urls.items():
                f.write("  %s: { main: %s, policy: %s }\n" % (name, url, "always" if name in ("h264", "h265") else "moving"))

    def start(self):
        """Starts the daemon."""
        self.daemon = subprocess.Popen([self.vigil, "run", "--config", self.folder + "/vigil.yaml"], stdout=self.out, stderr=self.out)

    def stop(self):
        """Stops it, and says whether it ended well."""
        self.daemon.send_signal(signal.SIGTERM)
        return self.daemon.wait(60) == 0

    def trouble(self, to, words):
        """Does one thing of the list."""
        if to == "rig":
            self.cameras.stdin.write(words + "\n")
            self.cameras.stdin.flush()
            good = json.loads(self.cameras.stdout.readline()).get("ok")
        else:
            good = subprocess.run([self.vigil] + words.split() + ["--socket", self.folder + "/s"],
                                  capture_output=True).returncode == 0
        key = words.split()[0] + ("" if good else " refused")
        self.done[key] = self.done.get(key, 0) + 1

    def end(self):
        """Ends whatever still runs."""
        if self.daemon and self.daemon.poll() is None:
            self.daemon.kill()
        if self.cameras.poll() is None:
            self.cameras.stdin.close()
            self.cameras.wait(20)
        self.journald.terminate()
        self.journald.wait(20)


def live(site, seconds, verdict):
    """The recording; returns False if the cameras died."""
    begin, steps, restarted = time.time(), 0, False
    pause = min(5.0, seconds / (2 * len(TROUBLE)))
    site.start()
    time.sleep(min(5.0, seconds / 4))
    while time.time() < begin + seconds:
        if not restarted and time.time() > begin + seconds / 2:
            restarted = True
            verdict.say("stopped and started in the middle", site.stop())
            site.start()
            time.sleep(pause)
        site.trouble(*TROUBLE[steps % len(TROUBLE)])
        steps += 1
        time.sleep(pause)
    died = site.cameras.poll() is not None
    verdict.say("ended by itself", site.stop(), seconds=round(time.time() - begin), done=site.done)
    return not died


def journal(form):
    """The trace as journalctl writes it."""
    return subprocess.run(["journalctl", "-o", form, "--all", "--no-pager", "--output-fields=" + ",".join(FIELDS),
                           "VIGIL_KIND=machineStep"], capture_output=True, check=True).stdout


def replay(vigil, *words, **options):
    """What `vigil replay --json` answers: status, answer, seconds."""
    begin = time.time()
    done = subprocess.run([vigil, "replay", "--json"] + list(words), capture_output=True, **options)
    return done.returncode, json.loads(done.stdout or "{}"), round(time.time() - begin, 3)


def forgeries(entries, choose):
    """One line removed, and one altered in each way: words, the lines, and how the step must be named."""
    middle = [i for i, e in enumerate(entries) if int(e["VIGIL_SEQ"]) > 1
              and any(o["VIGIL_RUN"] == e["VIGIL_RUN"] and o["VIGIL_TRACE"] == e["VIGIL_TRACE"] for o in entries[i + 1:])]

    def change(index, **fields):
        return entries[:index] + [dict(entries[index], **fields)] + entries[index + 1:]

    removed, instant, inputs, digest = (choose.choice(middle) for _ in range(4))
    yield "removed", removed, entries[:removed] + entries[removed + 1:]
    yield "instant altered", instant, change(instant, VIGIL_AT=str(int(entries[instant]["VIGIL_AT"]) + 1))
    other = next(e for e in entries if e["VIGIL_INPUT"] != entries[inputs]["VIGIL_INPUT"])
    yield "input altered", inputs, change(inputs, VIGIL_INPUT=other["VIGIL_INPUT"])
    old = entries[digest]["VIGIL_DIGEST"]
    yield "digest altered", digest, change(digest, VIGIL_DIGEST=("1" if old[0] == "0" else "0") + old[1:])


def named(run, how, seq):
    """Whether the answer for a run names the step, and nothing else."""
    if how == "removed":
        return run["missing"] == [{"first": seq, "last": seq}] and run["differing"] == 0
    return [d["step"] for d in run["differences"]] == [seq] and run["missing"] == []


def judge(site, verdict, seed):
    """All checks but the cost."""
    subprocess.run(["journalctl", "--sync"], check=True)
    export, lines = journal("export"), journal("json")
    entries = [json.loads(line) for line in lines.splitlines()]
    for source, words, options in (
            ("trace", ("--root", site.folder + "/data"), {}), ("journal", ("--journal", "system"), {}),
            ("export", ("-",), {"input": export}), ("json", ("-",), {"input": lines})):
        status, answer, seconds = replay(site.vigil, *words, **options)
        good = status == 0 and answer["records"] == answer["replayed"] == len(entries) and not answer["differing"] + answer["missing"]
        verdict.say("every step replayed, no difference", good, input=source, status=status, seconds=seconds,
                    records=answer.get("records"), replayed=answer.get("replayed"), differences=answer.get("differing"),
                    missing=answer.get("missing"),
                    runs=[[r["camera"], r["replayed"], r["remarks"][-1].split(": ")[-1]] for r in answer.get("runs", [])])
    inputs = {}
    for e in entries:
        name = next(iter(json.loads(e["VIGIL_INPUT"])))
        inputs[name] = inputs.get(name, 0) + 1
    verdict.say("the trace holds many kinds of facts", len(inputs) >= 12, **inputs)
    path = site.folder + "/forged.json"
    for how, index, forged in forgeries(entries, random.Random(seed)):
        with open(path, "w") as f:
            f.writelines(json.dumps(e) + "\n" for e in forged)
        status, answer, _ = replay(site.vigil, path)
        entry = entries[index]
        hit = [r for r in answer["runs"] if (r["camera"], r["run"]) == (entry["VIGIL_TRACE"], entry["VIGIL_RUN"])]
        others = [r for r in answer["runs"] if r not in hit and (r["differing"] or r["missing"])]
        verdict.say("found and named: " + how, status == 1 and len(hit) == 1 and not others and named(hit[0], how, int(entry["VIGIL_SEQ"])),
                    camera=entry["VIGIL_TRACE"], step=int(entry["VIGIL_SEQ"]), status=status, notCompared=hit and hit[0]["notCompared"])
    middle = int(entries[len(entries) // 2]["__REALTIME_TIMESTAMP"]) // 1000
    told = subprocess.run(
        [site.vigil, "replay", "--root", site.folder + "/data", "--explain", entries[len(entries) // 2]["VIGIL_TRACE"],
         time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(middle // 1000)) + ".%03dZ" % (middle % 1000)],
        capture_output=True, text=True)
    print(told.stdout, end="")
    verdict.say("a moment explained", told.returncode == 0 and "what led there" in told.stdout)
    return export, lines


def feed(path):
    """Sends the entries of an export to journald: its native protocol is the same but for the fields that journald adds."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journald, open(path, "rb") as f:
        journald.connect("/run/systemd/journal/socket")
        lines = []
        for line in f:
            if line != b"\n":
                lines += [] if line.startswith(b"_") else [line]
            elif lines:
                journald.send(b"".join(lines))
                lines = []
    subprocess.run(["journalctl", "--sync"], check=True)


def cost(site, verdict, copies, forms):
    """Records a second and memory on copies of the trace, streamed from files and from the journal itself."""
    for form, text in forms:
        one = subprocess.run([site.vigil, "replay", "--json", "-"], input=text, capture_output=True)
        count = json.loads(one.stdout)["records"]
        runs = {r["run"] for r in json.loads(one.stdout)["runs"]}
        path = "%s/copies.%s" % (site.folder, form)
        with open(path, "wb") as f:
            for copy in range(copies):
                part = text
                for run in runs:
                    part = part.replace(run.encode(), ("%08x" % copy + run[8:]).encode())
                f.write(part)
        measure(site.vigil, verdict, form, [path], count * copies)
        if form == "export":
            feed(path)
            measure(site.vigil, verdict, "journal", ["--journal", "system"], count * (copies + 1))
        os.unlink(path)


def measure(vigil, verdict, form, words, records):
    """What one replay costs."""
    begin = time.time()
    child = subprocess.Popen([vigil, "replay", "--json"] + words, stdout=subprocess.PIPE)
    answer = json.loads(child.stdout.read())
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    verdict.say("cost", child.returncode == 0 and answer["replayed"] == records, input=form, records=answer["records"],
                seconds=round(time.time() - begin, 2), cpuSeconds=round(cpu, 2), recordsPerCPUSecond=round(records / cpu),
                peakMiB=round(usage.ru_maxrss / 1024, 1))


def main():
    """Records, replays and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="chooses the lines that are removed and altered")
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    own_journal(__file__)
    names = sorted({c[1] for c in CAMERAS})
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + names, check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-replay-")
    os.makedirs(folder, exist_ok=True)
    verdict = Verdict()
    site = Site(o, folder)
    try:
        if not live(site, o.seconds, verdict):
            print("the cameras ended by themselves: nothing is judged")
            sys.exit(3)
        export, lines = judge(site, verdict, o.seed)
        cost(site, verdict, o.copies, (("export", export), ("json", lines)))
        if o.keep:
            for name, text in (("trace.export", export), ("trace.json", lines)):
                with open(os.path.join(folder, name), "wb") as f:
                    f.write(text)
    finally:
        site.end()
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
