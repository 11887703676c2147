#!/usr/bin/python3
"""Brings a daemon near each limit that the kernel holds it to, and says whether it tells so before anything is refused.

  limits.py [--vigil PATH]
The built-in demo records in control groups of its own, of version 2 or 1, whatever this machine has for memory and tasks. The
limits of memory, tasks and descriptors are put a seventh above what is used: each is told as near, by `vigil status` and once in
what the daemon says; nothing is refused (no out-of-memory kill, no fork that fails), and the next clip comes. Then they are put
back, and that is told, too. As root. Prints one JSON line a check. Exit status 1 if one failed.
Packages: util-linux systemd
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from record import HERE, Verdict

ROOT = "/sys/fs/cgroup"
FILES = 4096
NEAR, OVER = "a limit of the process is near", "the limit is no longer near"
TOLD = "(%s|%s): ([a-z]+)" % (NEAR, OVER)


class Groups:
    """Control groups for one process: their limits, and what the kernel has refused in them."""

    def __init__(self):
        with open(ROOT + "/cgroup.controllers" if os.path.exists(ROOT + "/cgroup.controllers") else os.devnull) as f:
            unified = {"memory", "pids"} <= set(f.read().split())
        self.version = 2 if unified else 1
        name = "vigil-limits-%d" % os.getpid()
        if unified:
            with open(ROOT + "/cgroup.subtree_control", "w") as f:
                f.write("+memory +pids")
        self.folders = {c: ROOT + ("/" if unified else "/%s/" % c) + name for c in ("memory", "pids")}
        for folder in sorted(set(self.folders.values())):
            os.mkdir(folder)

    def read(self, controller, file):
        with open(os.path.join(self.folders[controller], file)) as f:
            return f.read()

    def limit(self, memory, tasks):
        """Sets both limits: bytes, and a number of threads."""
        for controller, file, value in (("memory", "memory.max" if self.version == 2 else "memory.limit_in_bytes", memory),
                                        ("pids", "pids.max", tasks)):
            with open(os.path.join(self.folders[controller], file), "w") as f:
                f.write(str(value))

    def refused(self):
        """How often a process was killed for want of memory, and a thread was refused."""
        memory = self.read("memory", "memory.events" if self.version == 2 else "memory.oom_control")
        found = [int(n) for n in re.findall(r"^oom_kill (\d+)$", memory, re.MULTILINE)]
        return found + [int(n) for n in re.findall(r"^max (\d+)$", self.read("pids", "pids.events"), re.MULTILINE)]

    def enter(self):
        """Moves the calling process in."""
        for folder in set(self.folders.values()):
            with open(folder + "/cgroup.procs", "w") as f:
                f.write(str(os.getpid()))

    def end(self):
        for folder in set(self.folders.values()):
            os.rmdir(folder)


def wait(holds, seconds):
    """After how many seconds something holds; None if it does not."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if holds():
            return round(time.monotonic() - began, 1)
        time.sleep(0.25)
    return None


def in_turn(lines):
    """Whether of each limit it was told that it is near, that it is over, that it is near again, and so on."""
    told = {}
    for what, name in (re.search(TOLD, line).groups() for line in lines):
        told.setdefault(name, []).append(what)
    return set(told) == {"memory", "tasks", "files"} and all(
        whats == [(NEAR, OVER)[i % 2] for i in range(len(whats))] for whats in told.values())


def near(vigil, verdict):
    """The check."""
    groups, folder = Groups(), tempfile.mkdtemp(prefix="vigil-limits-")
    socket, log = folder + "/s", folder + "/log"
    ask = lambda *words: subprocess.run([vigil, *words, "--socket", socket, "--json"], capture_output=True, text=True)  # noqa: E731
    told = lambda: {one["name"]: one for one in json.loads(ask("status").stdout or "{}").get("limits", [])}  # noqa: E731
    clips = lambda: len(ask("clips", "--limit", "1000").stdout.splitlines())  # noqa: E731

    def words():
        """What the daemon has said of its limits, to the journal where there is one, else to its output."""
        journal = subprocess.run(["journalctl", "-q", "-o", "cat", "_PID=%d" % daemon.pid], capture_output=True, text=True).stdout
        with open(log) as f:
            return [line.strip()[-160:] for line in f.readlines() + journal.splitlines() if re.search(TOLD, line)]

    groups.limit(2 << 30, 2048)
    with open(log, "w") as out:
        daemon = subprocess.Popen(
            ["prlimit", "--nofile=%d:" % FILES, vigil, "run", "--demo", "--root", folder + "/data", "--socket", socket],
            stdout=out, stderr=out, preexec_fn=groups.enter)
    try:
        read = wait(lambda: {"memory", "tasks", "files"} <= set(told()), 60)
        verdict.say("limits are read", read is not None, version=groups.version, told=told())
        if read is None:
            return
        first = wait(lambda: clips() > 0, 120)
        before, least = groups.refused(), {}

        def tighten():
            # A seventh above what is used now: within 15 percent, and not reached. What is told may be some seconds old.
            least.update({name: one["used"] * 8 // 7 for name, one in told().items()})
            try:
                groups.limit(least["memory"], least["tasks"])
            except OSError:
                return False
            return True
        wait(tighten, 60)
        subprocess.run(["prlimit", "--pid", str(daemon.pid), "--nofile=%d:" % least["files"]], check=True)
        took = wait(lambda: all(one["isNear"] for one in told().values()), 60)
        count = clips()
        on = wait(lambda: clips() > count, 120)
        after, said = groups.refused(), words()
        groups.limit(2 << 30, 2048)
        subprocess.run(["prlimit", "--pid", str(daemon.pid), "--nofile=%d:" % FILES], check=True)
        clear = wait(lambda: not any(one["isNear"] for one in told().values()), 60)
        verdict.say("near its limits: told before the kernel refuses, recording goes on",
                    None not in (first, took, on, clear) and before == after and in_turn(said) and daemon.poll() is None,
                    limits=least, nearAfterSeconds=took, nextClipAfterSeconds=on, clearAfterSeconds=clear, refusedBefore=before,
                    refusedAfter=after, said=said)
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(30)
        groups.end()


def main():
    """Tries and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    o = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("limits.py: needs root: it makes control groups")
    verdict = Verdict()
    near(os.path.abspath(o.vigil), verdict)
    sys.exit(1 if verdict.failed else 0)


if __name__ == "__main__":
    main()
