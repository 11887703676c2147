#!/usr/bin/python3
"""Boots a Debian with systemd in a container, installs Vigil there, and says whether the service does what it should.

  systemd.py [--vigil PATH] [--folder FOLDER]
As root, with debootstrap and systemd-container from Debian. FOLDER (kept, if named) holds the container's root, which takes a
minute to make. Checks: active, STATUS=, exposure at most 2.0, a frozen daemon is restarted by the watchdog and recording goes
on, a stop closes everything. Prints one JSON line a check. Exit status 1 if one failed.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from record import HERE, Verdict

PACKAGES = "systemd,systemd-sysv,dbus,libavformat59,libavcodec59,libsqlite3-0,libsystemd0"
SITE = 'storage: { root: /var/lib/vigil }\npolicies: [ policies/ ]\ncameras:\n  front: { main: "demo:", policy: p }\n'


def mirror():
    """Where this Debian gets its packages."""
    for path in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"):
        if os.path.exists(path):
            with open(path) as f:
                found = re.search(r"(?:URIs:|deb)\s+(\S+://\S+)", f.read())
            if found:
                return found.group(1)
    return "http://deb.debian.org/debian"


class Box:
    """The container."""

    def __init__(self, folder):
        self.root, self.leader = folder, None
        if not os.path.exists(folder + "/etc/debian_version"):
            subprocess.run(["debootstrap", "--variant=minbase", "--include=" + PACKAGES, "bookworm", folder, mirror()],
                           check=True, stdout=subprocess.DEVNULL)

    def put(self, source, target, **words):
        """A file of the project, with words replaced."""
        with open(os.path.join(HERE, "..", source)) as f:
            text = f.read()
        for name, value in words.items():
            text = text.replace("@%s@" % name, value)
        self.write(target, text)

    def write(self, target, text):
        """A file."""
        path = self.root + target
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)

    def boot(self):
        """Boots; returns when systemd answers."""
        self.outer = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", self.root, "--register=no", "--keep-unit", "--console=pipe", "-b"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(120):
            time.sleep(0.5)
            found = subprocess.run(["pgrep", "-P", str(self.outer.pid), "-x", "systemd"], capture_output=True, text=True)
            self.leader = found.stdout.split()[0] if found.stdout.split() else None
            if self.leader and self.run("systemctl", "is-system-running").strip() in ("running", "degraded"):
                return
        sys.exit("the container did not boot")

    def run(self, *words):
        """Runs a command inside; what it printed."""
        done = subprocess.run(["nsenter", "-t", self.leader, "-a", "--wd=/"] + list(words), capture_output=True, text=True)
        return done.stdout + done.stderr

    def shut_down(self):
        """Powers it off."""
        if self.leader:
            self.run("systemctl", "--no-block", "poweroff")
        try:
            self.outer.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.outer.pid, signal.SIGKILL)


def wait(what, seconds):
    """Waits for a fact; how long it took, or None."""
    begin = time.time()
    while time.time() < begin + seconds:
        if what():
            return round(time.time() - begin, 1)
        time.sleep(0.5)
    return None


def main():
    """Boots and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--folder", help="the container's root, kept afterwards")
    o = parser.parse_args()
    folder = o.folder or tempfile.mkdtemp(prefix="vigil-box-")
    box = Box(folder)
    subprocess.run(["strip", "-o", folder + "/usr/bin/vigil", o.vigil], check=True)
    box.put("systemd/vigil.service", "/usr/lib/systemd/system/vigil.service", PREFIX="/usr")
    box.put("systemd/vigil.sysusers", "/usr/lib/sysusers.d/vigil.conf")
    box.put("systemd/vigil.tmpfiles", "/usr/lib/tmpfiles.d/vigil.conf")
    box.put("systemd/vigil.catalog", "/usr/lib/systemd/catalog/vigil.catalog")
    box.write("/etc/vigil/vigil.yaml", SITE)
    box.write("/etc/vigil/policies/p.yaml", "name: p\nrecording: { mode: continuous, clipLength: 20s }\n")
    shutil.rmtree(folder + "/var/lib/vigil", ignore_errors=True)
    verdict = Verdict()
    box.boot()
    try:
        box.run("systemd-sysusers")
        box.run("journalctl", "--update-catalog")
        said = box.run("systemctl", "start", "vigil")
        verdict.say("active", box.run("systemctl", "is-active", "vigil").strip() == "active", said=said.strip())
        status = lambda: box.run("systemctl", "show", "vigil", "-p", "StatusText", "--value").strip()
        verdict.say("status", wait(lambda: "1 recorded" in status(), 15) is not None, status=status())
        exposure = re.search(r"level for \S+: ([0-9.]+)", box.run("systemd-analyze", "security", "vigil", "--no-pager"))
        verdict.say("exposure at most 2.0", exposure and float(exposure.group(1)) <= 2.0, exposure=exposure and exposure.group(1))
        socket = box.run("stat", "-c", "%U:%G %a", "/run/vigil/vigil.sock").strip()
        verdict.say("the socket is its group's", socket == "vigil:vigil 660", socket=socket)
        said = box.run("systemctl", "reload", "vigil")
        verdict.say("reload", "rror" not in said and box.run("systemctl", "is-active", "vigil").strip() == "active")
        box.run("systemctl", "kill", "-s", "STOP", "vigil")
        restarts = lambda: box.run("systemctl", "show", "vigil", "-p", "NRestarts", "--value").strip() != "0"
        took = wait(restarts, 120)
        back = wait(lambda: "1 recorded" in status(), 30)
        verdict.say("frozen: restarted by the watchdog, recording goes on", took is not None and back is not None,
                    restartedAfterSeconds=took, recordingAfterSeconds=back)
        explained = box.run("journalctl", "-x", "-n", "200", "--no-pager", "VIGIL_CAMERA=front")
        verdict.say("the journal explains itself", "Nothing to do" in explained)
        box.run("systemctl", "stop", "vigil")
        said = box.run("/usr/bin/vigil", "fsck", "--root", "/var/lib/vigil", "--deep")
        verdict.say("stopped and clean", ": clean" in said, words=said.strip()[-200:])
    finally:
        box.shut_down()
    if not o.folder:
        shutil.rmtree(folder)
    sys.exit(1 if verdict.failed else 0)


if __name__ == "__main__":
    main()
