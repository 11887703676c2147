#!/usr/bin/python3
"""Installs Vigil by the README's own words on a fresh Debian with systemd, and says whether the service does what it should.

  systemd.py [--only package|sources] [--folder FOLDER]
The commands are those of README.md's section "Install it": what begins with `make` runs in this tree, which has Swift; the rest in
a container, from nothing to a recorded clip of the demo camera. Then, in the package's container: STATUS=, exposure at most 1.4,
reload, a frozen daemon is restarted by the watchdog and recording goes on, the journal explains itself, a stop closes everything;
the kernel's limits are told before they are reached.
In both: an upgrade restarts the running service, what is removed leaves nothing but recordings and configuration, and a
purged package leaves the recordings. FOLDER (kept, if named) holds the containers' roots; a fresh one takes a minute to make.
As root. Prints one JSON line a check. Exit status 1 if one failed.
Packages: python3 debootstrap systemd-container procps util-linux lintian
"""
import argparse
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import limits
from record import HERE, Verdict

TREE = os.path.dirname(HERE)
PACKAGES = "systemd,systemd-sysv,dbus,sudo,make"
COPY = "/srv/vigil"                     # this tree in the container


def mirror():
    """Where this Debian gets its packages."""
    for path in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"):
        if os.path.exists(path):
            with open(path) as f:
                found = re.search(r"(?:URIs:|deb)\s+(\S+://\S+)", f.read())
            if found:
                return found.group(1)
    return "http://deb.debian.org/debian"


def readme(title):
    """The commands below a heading of the README, without their comments."""
    with open(os.path.join(TREE, "README.md")) as f:
        found = re.search(r"^###? %s\n.*?^```sh\n(.*?)^```" % re.escape(title), f.read(), re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit("README.md has no commands below the heading %r" % title)
    lines = (line.split(" #")[0].strip() for line in found.group(1).splitlines())
    return [line for line in lines if line]


class Box:
    """A container."""

    def __init__(self, base, folder):
        """A copy of a fresh system."""
        self.root, self.leader = folder, None
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", base, folder], check=True)
        self.console = folder + ".console"

    def boot(self):
        """Boots; returns when systemd answers."""
        with open(self.console, "w") as console:
            self.outer = subprocess.Popen(
                ["systemd-nspawn", "-D", self.root, "--register=no", "--keep-unit", "--console=pipe", "-b"],
                stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT, start_new_session=True)
        state = "systemd did not begin"
        for _ in range(120):
            time.sleep(0.5)
            if self.outer.poll() is not None:
                state = "systemd-nspawn ended with status %d" % self.outer.returncode
                break
            found = subprocess.run(["pgrep", "-P", str(self.outer.pid), "-x", "systemd"], capture_output=True, text=True)
            self.leader = found.stdout.split()[0] if found.stdout.split() else None
            if self.leader:
                state = self.run("systemctl is-system-running").strip()
                if state in ("running", "degraded"):
                    return
        if self.leader:
            state += "\n" + self.run("systemctl --no-pager list-jobs; systemctl --no-pager --failed")
        self.shut_down()
        with open(self.console, errors="replace") as f:
            last = "".join(f.readlines()[-25:])
        sys.exit("the container did not boot: %s\nThe last it said (%s):\n%s" % (state, self.console, last))

    def run(self, command):
        """Runs a command inside, in the copy of the tree; what it printed."""
        return self.ran(command)[1]

    def ran(self, command):
        """The same with its exit status; questions are answered with yes, as a user does."""
        folder = COPY if os.path.exists(self.root + COPY) else "/"
        done = subprocess.run(["nsenter", "-t", self.leader, "-a", "--wdns=" + folder, "/bin/sh", "-c", command],
                              input="y\n" * 9, capture_output=True, text=True,
                              env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"})
        return done.returncode, done.stdout + done.stderr

    def follow(self, title, verdict, **variables):
        """Does what the README says below a heading, the part with Swift outside; whether all of it worked, and the words."""
        words = ""
        for command in readme(title):
            if command.startswith("make "):
                done = subprocess.run(["/bin/sh", "-c", command], cwd=TREE, capture_output=True, text=True,
                                      env=dict(os.environ, **variables))
                status, said = done.returncode, done.stdout + done.stderr
                self.carry()
            else:
                status, said = self.ran(command)
            words += said
            if status != 0:
                verdict.say(title, False, command=command, status=status, said=said.strip()[-1500:])
                return False, words
        verdict.say(title, True, commands=readme(title), said=words.strip().splitlines()[-1:])
        return True, words

    def carry(self):
        """Copies into the container what git keeps of this tree, and what was built."""
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=TREE, capture_output=True, check=True)
        files = {name: name for name in listed.stdout.decode().split("\0") if name}
        files[".build/release/vigil"] = os.environ.get("SCRATCH", ".build") + "/release/vigil"
        files.update((os.path.basename(made), made) for made in glob.glob(TREE + "/vigil_*.deb"))
        for name, source in files.items():
            source, target = os.path.join(TREE, source), os.path.join(self.root + COPY, name)
            if os.path.isfile(source):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(source, target)

    def shut_down(self):
        """Powers it off."""
        if self.leader:
            self.run("systemctl --no-block poweroff")
        try:
            self.outer.wait(30)
        except subprocess.TimeoutExpired:
            if self.leader:
                os.kill(int(self.leader), signal.SIGKILL)       # and with it all in its namespace
            os.killpg(self.outer.pid, signal.SIGKILL)

    def property(self, name):
        """Of the service, as systemd tells it."""
        return self.run("systemctl show vigil -p %s --value" % name).strip()

    def traces(self):
        """What has Vigil's name, and is neither the copy of the tree, nor dpkg's or systemd's own notes."""
        found = self.run(r"find / -xdev \( -path /proc -o -path /sys -o -path %s -o -path /var/lib/dpkg -o -path /var/cache -o "
                         r"-path /var/lib/apt -o -path /tmp \) -prune -o -path '*vigil*' -print" % COPY).split("\n")
        return sorted(path for path in found if path and not path.startswith(("/etc/vigil", "/var/lib/vigil")))


def wait(what, seconds):
    """Waits for a fact; how long it took, or None."""
    begin = time.time()
    while time.time() < begin + seconds:
        if what():
            return round(time.time() - begin, 1)
        time.sleep(0.5)
    return None


def clips(box):
    """The closed clips of the demo camera."""
    try:
        return [c for c in json.loads(box.run("vigil clips --camera demo --json")) if c.get("end")]
    except (json.JSONDecodeError, AttributeError):
        return []


def recorded(box, verdict, way):
    """From the installed service to a clip, by the README's words."""
    box.follow("Its first clip", verdict)
    took = wait(lambda: clips(box), 180)
    verdict.say(way + ": a clip of the demo camera", took is not None, afterSeconds=took,
                status=box.property("StatusText"), last=box.run("journalctl -u vigil -n 5 --no-pager -o cat").splitlines() if took is None else None)


def serves(box, verdict):
    """What the service promises to systemd and to its users."""
    exposure = re.search(r"level for \S+: ([0-9.]+)", box.run("systemd-analyze security vigil --no-pager"))
    verdict.say("exposure at most 1.4", exposure and float(exposure.group(1)) <= 1.4, exposure=exposure and exposure.group(1))
    socket = box.run("stat -c '%U:%G %a' /run/vigil/vigil.sock").strip()
    verdict.say("the socket is its group's", socket == "vigil:vigil 660", socket=socket)
    said = box.run("systemctl reload vigil")
    verdict.say("reload", "rror" not in said and box.property("ActiveState") == "active")
    before = len(clips(box))
    box.run("systemctl kill -s STOP vigil")
    took = wait(lambda: box.property("NRestarts") != "0", 120)
    back = wait(lambda: len(clips(box)) > before, 120)
    verdict.say("frozen: restarted by the watchdog, recording goes on", took is not None and back is not None,
                restartedAfterSeconds=took, nextClipAfterSeconds=back, status=box.property("StatusText"))
    explained = box.run("journalctl -x -n 400 --no-pager VIGIL_CAMERA=demo")
    verdict.say("the journal explains itself", "Nothing to do" in explained)
    said = box.run("man --version >/dev/null 2>&1; gzip -dc /usr/share/man/man8/vigil.8.gz | head -3; ls /usr/share/vigil")
    verdict.say("man page, schemas and policies", "VIGIL 8" in said and "vigil.schema.json" in said and "policies" in said, said=said)
    box.run("systemctl stop vigil")
    said = box.run("vigil fsck --root /var/lib/vigil --deep")
    verdict.say("stopped and clean", ": clean" in said, words=said.strip()[-200:])
    box.run("systemctl start vigil")


def limited(box, verdict):
    """The service comes near each of its limits by the kernel's word: it says so, nothing is refused, and it records on."""
    groups = {line.split(":")[1]: line.strip().split(":")[2] for line in box.run("cat /proc/%s/cgroup" % box.property("MainPID")).splitlines()}
    hybrid = "memory" in groups
    place = lambda controller: ("/sys/fs/cgroup/%s%s/" % (controller, groups[controller]) if hybrid else "/sys/fs/cgroup%s/" % groups[""])  # noqa: E731
    cgroup = lambda controller, name: box.run("cat %s%s" % (place(controller), name))  # noqa: E731
    refused = lambda: [cgroup("memory", "memory.failcnt" if hybrid else "memory.events"), cgroup("pids", "pids.events")]  # noqa: E731
    told = lambda: {limit["name"]: limit for limit in json.loads(box.run("vigil status --json")).get("limits", [])}  # noqa: E731
    if not wait(lambda: {"memory", "tasks", "files"} <= set(told()), 30):
        if groups.get("memory") != "/":
            verdict.say("limits are read", False, told=told(), groups=groups)
            return
        # The machine gives its containers no group of their own, so no limit of the unit holds here: in groups of the machine.
        limits.near(os.path.join(TREE, ".build", "release", "vigil"), verdict)
        return
    before, uses, pid = refused(), told(), box.property("MainPID")
    # A twelfth above what is used now: within 15 percent, and not reached.
    least = {name: uses[name]["used"] * 12 // 11 for name in uses}
    box.run("systemctl set-property --runtime vigil MemoryMax=%d TasksMax=%d" % (least["memory"], least["tasks"]))
    box.run("prlimit --pid %s --nofile=%d:" % (pid, least["files"]))
    near = wait(lambda: all(told()[name]["isNear"] for name in uses), 30)
    count = len(clips(box))
    goes_on = wait(lambda: len(clips(box)) > count, 120)
    after, status = refused(), box.property("StatusText")
    said = box.run("journalctl -u vigil -n 400 --no-pager -o cat | grep 'limit of the process is near'").splitlines()
    box.run("systemctl set-property --runtime vigil MemoryMax=75% TasksMax=2048")
    box.run("prlimit --pid %s --nofile=16384:" % pid)
    clear = wait(lambda: not any(limit["isNear"] for limit in told().values()), 30)
    verdict.say("near its limits: told before the kernel refuses, recording goes on",
                near is not None and goes_on is not None and clear is not None and before == after and box.property("MainPID") == pid,
                limits=least, nearAfterSeconds=near, clearAfterSeconds=clear, refusedBefore=before, refusedAfter=after, status=status, said=said,
                groups="version 1" if hybrid else "version 2")


def gone(box, verdict, way, expected):
    """Only what is the administrator's stays."""
    left = box.traces()
    kept = box.run("ls /var/lib/vigil/clips /etc/vigil/vigil.yaml 2>&1")
    verdict.say(way + ": nothing stays but recordings and configuration",
                not [path for path in left if not path.startswith(expected)] and "demo" in kept and "cannot access" not in kept
                and box.property("ActiveState") != "active", left=left)


def package(box, verdict):
    """The Debian package: made, installed, upgraded, removed, purged."""
    for old in glob.glob(TREE + "/vigil_*.deb"):
        os.remove(old)
    if not box.follow("From a Debian package", verdict)[0]:
        return
    found = glob.glob(TREE + "/vigil_*.deb")[0]
    said = subprocess.run(["lintian", "--fail-on", "error", found], capture_output=True, text=True)
    verdict.say("lintian has no error", said.returncode == 0, said=(said.stdout + said.stderr).strip().splitlines())
    verdict.say("package: enabled and started", box.property("UnitFileState") == "enabled" and box.property("ActiveState") == "active",
                bytes=os.path.getsize(found), installedKiB=int(box.run("dpkg-query -W -f '${Installed-Size}' vigil")))
    recorded(box, verdict, "package")
    serves(box, verdict)
    limited(box, verdict)
    before, pid, edited = len(clips(box)), box.property("MainPID"), box.run("cat /etc/vigil/vigil.yaml")
    os.remove(found)
    version = re.search(r"_(.*)_", os.path.basename(found)).group(1) + "+next"
    os.remove(box.root + COPY + "/" + os.path.basename(found))
    if box.follow("From a Debian package", verdict, VERSION=version)[0]:
        verdict.say("package: upgraded while it runs",
                    box.run("dpkg-query -W -f '${Version}' vigil") == version and box.property("MainPID") not in (pid, "0")
                    and box.run("cat /etc/vigil/vigil.yaml") == edited and len(clips(box)) >= before, version=version)
    for made in glob.glob(TREE + "/vigil_*.deb"):
        os.remove(made)
    box.run("apt-get remove -y vigil")
    gone(box, verdict, "package removed", ("/var/lib/systemd", "/etc/systemd/system/multi-user.target.wants"))
    said = box.run("apt-get purge -y vigil")
    left = box.run("ls -d /etc/vigil 2>/dev/null; find /etc/systemd /var/lib/systemd -name '*vigil*'; ls /var/lib/vigil/clips")
    verdict.say("package purged: recordings stay, all else goes", left.split() == ["demo"], left=left.split(),
                said=[line for line in said.splitlines() if line.startswith("vigil:")])


def sources(box, verdict):
    """From the sources: installed, upgraded, uninstalled."""
    if not box.follow("From the sources", verdict)[0]:
        return
    verdict.say("sources: not started before it has a camera", box.property("ActiveState") == "inactive")
    recorded(box, verdict, "sources")
    pid = box.property("MainPID")
    words = box.follow("From the sources", verdict)[1]
    verdict.say("sources: upgraded while it runs", "was restarted" in words and box.property("MainPID") not in (pid, "0")
                and wait(lambda: box.property("StatusText").startswith("1 camera"), 30) is not None)
    status, said = box.ran("sudo make uninstall")
    verdict.say("make uninstall", status == 0, said=said.strip().splitlines()[-1:])
    gone(box, verdict, "sources uninstalled", ())


def main():
    """Boots and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["package", "sources"])
    parser.add_argument("--folder", help="the containers' roots, kept afterwards")
    o = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("systemd.py: only root may boot a container")
    folder = o.folder or tempfile.mkdtemp(prefix="vigil-box-")
    base = os.path.join(folder, "base")
    if not os.path.exists(base + "/etc/debian_version"):
        done = subprocess.run(["debootstrap", "--variant=minbase", "--include=" + PACKAGES, "bookworm", base, mirror()],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("debootstrap could not make a Debian from %s:\n%s" % (mirror(), (done.stdout + done.stderr)[-1500:]))
    verdict = Verdict()
    for way in (package, sources):
        if o.only in (None, way.__name__):
            box = Box(base, os.path.join(folder, way.__name__))
            box.carry()
            box.boot()
            try:
                box.run("apt-get update -q")
                way(box, verdict)
            finally:
                box.shut_down()
    if not o.folder:
        shutil.rmtree(folder)
    sys.exit(1 if verdict.failed else 0)


if __name__ == "__main__":
    main()
