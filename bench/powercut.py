#!/usr/bin/python3
"""Cuts the power of a recording daemon's disk at random instants, and compares what is found with what was promised.

  powercut.py [--vigil PATH] [--cuts 200] [--cuts-each 20] [--seconds 40] [--fs ext4|xfs|btrfs] [--seed 1] [--keep FOLDER]
              [--lying]
The daemon records three cameras on a real file system, on a loop device whose every write and flush is recorded
(disks/blocklog.py). A cut at an instant is the disk as it was then: what the last flush had before it, and of what came
after it all, nothing, a beginning, or any pages or sectors, some lost before others that are there. Each image is mounted
(which replays the file system's journal), checked by the file system's own fsck, recovered by the daemon, and must hold:
- each clip told closed is there, byte for byte as it was when it was told, unless a rule has deleted it since; each
  deletion told is still made; each clip that recovery has closed is the beginning of what was written, byte for byte;
- a camera in continuous mode lacks at most the sync interval, two groups of pictures and a second;
- `vigil fsck --deep` is clean: no file is unclaimed, none is missing, no row is open; nothing with media was set aside;
- `vigil trace verify` proves the trace, but for records of the last 8 s before a cut, which that cut may have taken;
With --lying the disk keeps nothing for a flush, and the checks must fail: it shows that they can.
The next session of recording begins on one of the images, unrecovered, so recovery is cut too. Needs root.
Prints one JSON line a session and a check. Exit status 1 if one failed; then the image is kept.
Packages: rig util-linux mount e2fsprogs xfsprogs btrfs-progs
"""
import argparse
import contextlib
import ctypes
import datetime
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from disks import blocklog
from kill import streaming
from record import HERE, RIG, Verdict, addresses, rig

SYNC_S, GROUP_S, SLACK_S = 3, 2, 1
BOUND_S = SYNC_S + 2 * GROUP_S + SLACK_S
SYNC_FILE_RANGE_WRITE = 2
FACT = re.compile(r"clip=(\d+) clip (opened|closed|deleted): ")
MAKE = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"], "btrfs": ["mkfs.btrfs", "-q", "-f"]}
CHECK = {"ext4": ["e2fsck", "-fn"], "xfs": ["xfs_repair", "-n"], "btrfs": ["btrfs", "check", "--readonly"]}
SIZE = {"ext4": 256 << 20, "xfs": 384 << 20, "btrfs": 384 << 20}


def now():
    """CLOCK_BOOTTIME in ns, as the log and the clips have it."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def instant(text):
    """A time of RFC 3339, in seconds since 1970."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def configure(folder, root, urls):
    """Writes the site's files: two cameras always, one by event, and little room, so that clips are deleted."""
    os.makedirs(os.path.join(folder, "policies"), exist_ok=True)
    for name, text in (("all", "recording: { mode: continuous, clipLength: 10s, preRoll: 5s }"),
                       ("event", "recording: { mode: event, maxEventLength: 10s, initial: 2s, preRoll: 5s }")):
        with open(os.path.join(folder, "policies", name + ".yaml"), "w") as f:
            f.write("name: %s\n%s\nretention: { maxSize: 6MB }\n" % (name, text))
    with open(os.path.join(folder, "vigil.yaml"), "w") as f:
        f.write("storage: { root: %s, syncInterval: %ds, reserve: 10MB }\nsocket: %s/s\nhttp: { listen: none }\n"
                "policies: [ policies/ ]\ncameras:\n" % (root, SYNC_S, folder))
        for name, url in urls.items():
            f.write("  %s: { main: \"%s\", policy: %s }\n" % (name, url, "event" if name == "c" else "all"))


def copy(source, target):
    """Copies a sparse file."""
    subprocess.run(["cp", "--sparse=always", source, target], check=True)


def query(root, *words):
    """Rows of the catalog."""
    with contextlib.closing(sqlite3.connect("file:%s/catalog.sqlite?mode=ro" % root, uri=True, timeout=10)) as rows:
        return rows.execute(*words).fetchall()


def digests(root, clip):
    """What a clip's files hold, by their paths; None for a file that is not there."""
    found = {}
    for path, size in query(root, "SELECT path, bytes FROM track WHERE clip = ?", (clip,)):
        try:
            with open(os.path.join(root, path), "rb") as file:
                data = file.read()
            found[path] = hashlib.sha256(data).hexdigest() if len(data) == size else "%d of %d bytes" % (len(data), size)
        except FileNotFoundError:
            found[path] = None
    return found


class Mount:
    """A file system on a loop device on `file`, mounted at `at`."""

    def __init__(self, file, at, fs):
        self.at = at
        os.makedirs(at, exist_ok=True)
        self.loop = subprocess.run(["losetup", "-f", "--show", file], capture_output=True, text=True, check=True).stdout.strip()
        done = subprocess.run(["mount", "-t", fs, self.loop, at], capture_output=True, text=True)
        self.error = done.stderr.strip()
        if done.returncode != 0:
            subprocess.run(["losetup", "-d", self.loop], check=False)

    def end(self):
        """Unmounts; the device goes too."""
        until = time.time() + 20
        while True:
            done = subprocess.run(["umount", self.at], capture_output=True, text=True)
            if done.returncode == 0:
                break
            if time.time() > until:
                sys.exit("powercut: " + done.stderr.strip())
            time.sleep(0.1)
        subprocess.run(["losetup", "-d", self.loop], check=True)


class Live:
    """A daemon at work on a recorded disk, and what it has told, each with the instant at which it was read."""

    def __init__(self, o, folder, base, facts):
        self.folder, self.root, self.facts, self.hashes = folder, os.path.join(folder, "live", "data"), list(facts), {}
        self.written = {}
        self.front, self.work = os.path.join(folder, "front"), os.path.join(folder, "work.img")
        self.log = os.path.join(folder, "log")
        for path in (self.log, self.front):
            with open(path, "wb"):
                pass
        copy(base, self.work)
        self.server = subprocess.Popen([sys.executable, blocklog.__file__, "serve", self.front, self.work, self.log])
        while os.stat(self.front).st_size == 0:
            time.sleep(0.02)
        self.began = now()
        self.mount = Mount(self.front, os.path.join(folder, "live"), o.fs)
        if self.mount.error:
            sys.exit("powercut: cannot mount: " + self.mount.error)
        self.daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True)
        self.listener = threading.Thread(target=self.listen)
        self.listener.start()
        self.pusher = threading.Thread(target=self.push, args=(random.Random(o.seed),))
        self.pusher.start()

    def listen(self):
        """Notes what is told. A clip's digest is taken when it is told closed."""
        with open(os.path.join(self.folder, "live.log"), "a") as out:
            for line in self.daemon.stdout:
                out.write(line)
                fact = FACT.search(line)
                if fact:
                    clip, what = int(fact.group(1)), fact.group(2)
                    self.facts.append((now(), what, clip))
                    if what == "closed":
                        self.hashes[clip] = digests(self.root, clip)

    def push(self, chance):
        """Has the kernel write out any pages at any time, without a flush, as it may when memory is short."""
        libc = ctypes.CDLL(None)
        while self.daemon.poll() is None:
            time.sleep(chance.uniform(0.05, 0.5))
            newest = []
            for below, count in (("/clips", 6), ("/trace", 1)):
                found = [os.path.join(path, name) for path, _, names in os.walk(self.root + below) for name in names]
                newest += sorted(found, key=os.path.basename)[-count:]
            if not newest:
                continue
            try:
                file = os.open(chance.choice(newest), os.O_RDONLY)
            except FileNotFoundError:
                continue
            pages = os.fstat(file).st_size // 4096 + 1
            first = chance.randrange(pages)
            libc.sync_file_range(file, ctypes.c_int64(first * 4096), ctypes.c_int64(chance.randint(1, pages) * 4096),
                                 SYNC_FILE_RANGE_WRITE)
            os.close(file)

    def end(self):
        """Kills the daemon and takes the disk away."""
        ended = now()
        self.daemon.send_signal(signal.SIGKILL)
        self.daemon.wait()
        self.listener.join()
        self.pusher.join()
        for path, _, names in os.walk(os.path.join(self.root, "clips")):
            for name in names:
                with open(os.path.join(path, name), "rb") as file:
                    self.written[os.path.relpath(os.path.join(path, name), self.root)] = file.read()
        self.mount.end()
        subprocess.run(["umount", self.front], check=True)
        self.server.wait(30)
        return ended


class Judge:
    """Recovers cuts and compares."""

    def __init__(self, o, folder, verdict):
        self.o, self.folder, self.verdict = o, folder, verdict
        self.worst, self.recovered, self.aside, self.checked, self.compared, self.failed = 0.0, 0, 0, 0, 0, 0
        # Cuts that the disk has behind it, by the wall clock; cuts after which records of the trace were missing.
        self.cuts, self.traces = [], 0
        self.site = os.path.join(folder, "judge")
        self.at = os.path.join(folder, "cut")
        self.root = os.path.join(self.at, "data")
        os.makedirs(self.site, exist_ok=True)
        configure(self.site, self.root, {name: "rtsp://127.0.0.1:9/" + name for name in "abc"})

    def judge(self, image, moment, live, facts, streams_since):
        """Every check of one cut; gives what was wrong."""
        wrong = []
        mount = Mount(image, self.at, self.o.fs)
        if mount.error:
            return ["the file system does not mount: " + mount.error]
        mount.end()
        done = subprocess.run(CHECK[self.o.fs] + [image], capture_output=True, text=True)
        if done.returncode != 0:
            wrong.append("the file system's own check: " + (done.stdout + done.stderr)[-600:])
        mount = Mount(image, self.at, self.o.fs)
        try:
            self.cuts.append(time.time() - (now() - moment) / 1e9)
            wrong += self.recover()
            wrong += self.compare(moment, facts, live.hashes, streams_since)
            wrong += self.beginnings(live.written)
        except sqlite3.Error as error:
            wrong.append("the catalog: %s" % error)
        finally:
            self.cuts.pop()
            mount.end()
        return wrong

    def recover(self):
        """The daemon starts on what is left and stops again; then its own checks."""
        vigil, wrong = self.o.vigil, []
        if not os.path.isdir(self.root):
            return []  # Cut before the daemon's first start had made the folder durable.
        run = subprocess.run([vigil, "run", "--config", self.site + "/vigil.yaml", "--for", "1s"], capture_output=True,
                             text=True, timeout=120)
        words = run.stdout + run.stderr
        if run.returncode != 0 or "Vigil is ready" not in words:
            wrong.append("the daemon does not start: " + words[-1500:])
        self.recovered += words.count("clip recovered")
        done = subprocess.run([vigil, "fsck", "--root", self.root, "--deep"], capture_output=True, text=True)
        if done.returncode != 0:
            wrong.append("vigil fsck: " + (done.stdout + done.stderr)[-800:])
        wrong += self.trace()
        aside = [os.path.join(d, f) for d, _, fs in os.walk(self.root + "/lost+found") for f in fs]
        self.aside += len(aside)
        for path in aside:
            with open(path, "rb") as file:
                if b"moof" in file.read():
                    wrong.append("media was set aside: " + path)
        return wrong

    def trace(self):
        """What the trace lacks, but for records of the last seconds before a cut. A finding without a time is no such record."""
        done = subprocess.run([self.o.vigil, "trace", "verify", "--root", self.root, "--json"], capture_output=True, text=True)
        if done.returncode == 0:
            return []
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            return ["vigil trace: " + (done.stdout + done.stderr)[-800:]]
        times = [found.get("time") for found in answer["findings"]]
        if answer["more"] or not times or not all(time and self.is_cut_off(instant(time)) for time in times):
            return ["vigil trace: " + json.dumps(answer["findings"])[-800:]]
        self.traces += 1
        return []

    def is_cut_off(self, at):
        """Whether a cut may have taken a record of that wall time."""
        return any(cut - BOUND_S <= at <= cut for cut in self.cuts)

    def beginnings(self, written):
        """What recovery has closed, with what was written."""
        wrong = []
        if not os.path.exists(self.root + "/catalog.sqlite"):
            return wrong
        for path, in query(self.root, "SELECT path FROM track JOIN clip ON id = clip WHERE ended = 'interrupted'"):
            if path not in written or not os.path.exists(os.path.join(self.root, path)):
                continue
            with open(os.path.join(self.root, path), "rb") as file:
                data = file.read()
            self.compared += 1
            if not written[path].startswith(data):
                first = next((i for i, (a, b) in enumerate(zip(data, written[path])) if a != b), len(written[path]))
                wrong.append("%s was recovered with %d bytes and differs from what was written from %d on, where it has %s"
                             % (path, len(data), first, data[first:first + 16].hex()))
        return wrong

    def compare(self, moment, facts, hashes, streams_since):
        """What was told before the cut, with what is there."""
        wrong = []
        if not os.path.exists(self.root + "/catalog.sqlite"):
            return ["there is no catalog, and facts were told"] if facts else []
        states = dict(query(self.root, "SELECT id, state FROM clip"))
        ledger = {clip for clip, in query(self.root, "SELECT clip FROM deletion")}
        for _, what, clip in facts:
            if what == "deleted" and (clip in states or clip not in ledger):
                wrong.append("clip %d was told deleted and is there, or not in the ledger" % clip)
            if what != "closed" or clip in ledger:
                continue
            self.checked += 1
            if states.get(clip) != "closed":
                wrong.append("clip %d was told closed and is %s" % (clip, states.get(clip)))
            elif None not in hashes.get(clip, {None: None}).values() and digests(self.root, clip) != hashes[clip]:
                wrong.append("clip %d holds something else than when it was told closed" % clip)
        bound = BOUND_S * 1000
        for camera, since in streams_since.items():
            if moment / 1e6 - since < bound:
                continue
            end = query(self.root, "SELECT max(end_monotonic_ms) FROM clip WHERE camera = ?", (camera,))[0][0] or 0
            lost = moment / 1e6 - end
            self.worst = max(self.worst, lost)
            if lost > bound:
                wrong.append("camera %s lacks the last %d ms before the cut" % (camera, lost))
        return wrong


def session(o, number, folder, base, known, judge, chance):
    """Records, cuts and judges; gives the image on which the next session begins, and what was told by then."""
    facts, hashes = known
    live = Live(o, folder, base, facts)
    try:
        is_streaming = streaming(o.vigil, folder, time.time() + 30)
        since = {name: now() / 1e6 for name in "ab"}
        until = time.time() + o.seconds
        while is_streaming and time.time() < until:
            subprocess.run([o.vigil, "record", "c", "--for", "3s", "--socket", folder + "/s"], capture_output=True)
            time.sleep(min(max(0, until - time.time()), chance.uniform(1, 6)))
    finally:
        ended = live.end()
    if not is_streaming:
        judge.verdict.say("streaming", False, session=number)
        return base, known
    live.hashes.update({clip: of for clip, of in hashes.items() if clip not in live.hashes})
    cut, keep = blocklog.Cut(base, live.log, o.lying), os.path.join(folder, "next.img")
    # Half of them at any instant, half while something is being written.
    moments = sorted(chance.choice([chance.randint(live.began, ended), chance.choice(cut.records)[0]])
                     for _ in range(o.cuts_each))
    chosen, image, after = chance.randrange(len(moments)), os.path.join(folder, "cut.img"), None
    hows, failures, began = {}, 0, time.time()
    for turn, moment in enumerate(moments):
        how = cut.at(moment, image, copy, chance)
        hows[how["how"]] = hows.get(how["how"], 0) + 1
        hows["lost"] = hows.get("lost", 0) + how["lost"]
        told = [f for f in live.facts if f[0] < moment]
        copy(image, os.path.join(folder, "asked.img"))
        if turn == chosen:
            copy(image, keep)
            after = (told, live.hashes)
        wrong = judge.judge(image, moment, live, told, since)
        if wrong:
            failures += 1
            kept = os.path.join(folder, "failed-%d-%d.img" % (number, turn))
            copy(os.path.join(folder, "asked.img"), kept)
            judge.verdict.say("cut", False, session=number, turn=turn, atMs=moment // 1_000_000, how=how, image=kept, wrong=wrong)
    judge.failed += failures
    written = [r for r in cut.records if not r[1]]
    judge.verdict.say("session", failures == 0, session=number, cuts=len(moments), writes=len(written),
                      flushes=len(cut.records) - len(written), told=len(live.facts), cut=hows,
                      judgedSeconds=round(time.time() - began))
    os.replace(keep, base)
    judge.cuts.append(time.time() - (now() - moments[chosen]) / 1e9)
    return base, after


def apart():
    """Runs the script again where mounts are its own, and where no journal takes what the daemon tells from its output."""
    if "--inside" in sys.argv[1:]:
        sys.argv.remove("--inside")
        return
    mounts = "mkdir -p /run/systemd/journal && mount -t tmpfs tmpfs /run/systemd/journal && exec \"$@\""
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounts, "sh", sys.executable,
                          os.path.abspath(__file__), "--inside"] + sys.argv[1:])


def main():
    """All sessions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--cuts-each", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=40)
    parser.add_argument("--fs", choices=sorted(MAKE), default="ext4")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--lying", action="store_true", help="a flush keeps nothing")
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    if os.geteuid() != 0:
        sys.exit("powercut: needs root: it mounts file systems")
    apart()
    o = parser.parse_args()
    chance, verdict = random.Random(o.seed), Verdict()
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media, "h264-aac.mp4", "h264.mp4"],
                   check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-powercut-", dir="/dev/shm")
    os.makedirs(folder, exist_ok=True)
    cameras = rig("camera.py", *[w for n, f in (("a", "h264-aac.mp4"), ("b", "h264.mp4"), ("c", "h264.mp4"))
                                 for w in ("--camera", "%s=%s/%s" % (n, o.media, f))],
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    judge = Judge(o, folder, verdict)
    base, known, made, number = os.path.join(folder, "base.img"), ([], {}), 0, 0
    try:
        configure(folder, os.path.join(folder, "live", "data"), addresses(cameras))
        with open(base, "wb") as file:
            file.truncate(SIZE[o.fs])
        subprocess.run(MAKE[o.fs] + [base], check=True)
        while made < o.cuts:
            base, known = session(o, number, folder, base, known, judge, chance)
            made, number = made + o.cuts_each, number + 1
    finally:
        cameras.stdin.close()
        cameras.wait(20)
    verdict.say("power cuts", judge.failed == 0, fs=o.fs, cuts=made, failed=judge.failed, clipsChecked=judge.checked,
                clipsRecovered=judge.recovered, filesCompared=judge.compared, setAsideWithoutMedia=judge.aside, worstLossMs=round(judge.worst),
                boundMs=BOUND_S * 1000, tracesWithMissingRecords=judge.traces)
    if verdict.failed:
        print("kept: " + folder)
        sys.exit(1)
    if not o.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
