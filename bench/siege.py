#!/usr/bin/python3
"""One daemon with four good cameras under attack by cameras, clients and files at once, and what it costs the good ones.

  siege.py [--seconds 600] [--before 60] [--vigil PATH] [--media FOLDER] [--keep FOLDER]
As root: in a mount namespace of its own, where no journal takes what the daemon tells from its output, and where the group vigil
has the user nobody in it. In turn:
- a daemon is killed amid six clips; in the place of their files come pipe, link, folder, device, hard link and a torn file;
- the daemon starts on that with good cameras, and is watched for --before seconds; three are recorded always, and one while
  something moves in it, which is all the time, so its clips have no hole while detection keeps up;
- the hostile ones come for --seconds: every camera of Tests/rig/faulty.py and hostile_cameras.py and files that are none, put
  into the configuration of the running daemon; clients of hostile_clients.py, as nobody, on the control socket and on
  http.listen; strange files that come and go among clips and policies;
- they go, and the daemon is watched until its memory and threads are back, at most for --before seconds;
- they come again, and SIGTERM comes amid them.
Each second CPU, memory (PSS), threads and descriptors are read from /proc into samples.jsonl; a process of its own asks for health
four times a second, as root over the socket, and from another address than the attackers' over the port: each question must be
answered. Flat: over the last third of the siege the median is at most a tenth (CPU: a quarter) above that of the third
before, beyond a small constant. At the end of the siege each hostile camera must stand as CAUSES has it for its kind. The attackers
run at a lower priority: they are other machines. Prints one JSON line a check.
Exit status 1 if one failed, 3 if the good cameras themselves died.
Packages: rig util-linux
"""
import argparse
import collections
import contextlib
import http.client
import json
import multiprocessing
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from record import HERE, RIG, Verdict, addresses, clips, rig

sys.path.insert(1, RIG)
import faulty  # noqa: E402
import hostile_cameras  # noqa: E402
from hostile_cameras import media  # noqa: E402

GOOD = {"good-h264": "h264-aac.mp4", "good-h265": "h265-aac.mp4", "good-longgop": "h264-longgop.mp4"}
MOVING = "good-moving"      # recorded in event mode; something moves in it all the time
MOVING_FILE, HOLE_BOUND = "h264-aac.mp4", 3.0       # seconds between two of its clips
CLIENTS = ["silent=32", "half=32", "slow-head=32", "endless-body=16", "chunked-body=16", "forced-body=16", "unread=8", "export=8",
           "flood=2", "turn=1", "gone=1"]
TORN = ("pipe", "link", "folder", "device", "hardlink", "torn")
GROUP, GROUP_ID, ATTACKER = "vigil", 64123, "nobody"        # who may speak to the socket, and is no asker of health
ASKER = "127.0.0.2"         # where health is asked from over the port
HEALTH_BOUND, STOP_BOUND, MEMORY_SHARE = 5.0, 10.0, 0.20
# As what each hostile camera may stand at the end of the siege: the failure of its link, or `none` where it is recorded or waited for.
# More than one where it takes as much as it gets of the machine, and on a busy one is too slow to pass its bound.
CAUSES = {
    **{"end-" + kind: words.split() for words, kinds in {
        "garbage": "bighead cutbody drip garbage headdrip headers hugelength stray truncated",
        "garbage budget": "talker unmatched", "closed": "closer error reset", "unauthorized": "digest forbidden unauthorized",
        "notFound": "notfound", "unsupported": "empty nonsense", "timeout": "silent", "silence": "mute", "silence budget": "flood",
        "silence noKeyFrame none": "noise"}.items() for kind in kinds.split()},
    **{"file-" + kind: words.split() for words, kinds in {
        "unsupported": "device folder link pipe", "garbage": "cut empty", "budget": "endless",
        "garbage unsupported": "boasting", "garbage unsupported ended": "flipped random"}.items()
       for kind in kinds.split()},
    **{"play-" + kind: words.split() for words, kinds in {
        "none": "bitflips byes channels0 hugepicture latm nokeepalive numbers object42 sources times tinysound",
        "none budget": "badsets bigframes hugesets tinyframes", "budget": "changing smallsound", "none closed": "flap",
        "none noKeyFrame": "keyless", "none silence": "mutevideo", "none silence budget": "crumbs datagrams endlessunit",
        "none silence noKeyFrame budget": "randompayload", "unauthorized": "longchallenge", "notFound": "manymedia redirect"}.items()
       for kind in kinds.split()}}
LATE = "timeout"            # of an endpoint that had no time to answer within the 10 s of a dial
SAMPLES = {     # what is sampled: (share by which the last third may be above the one before, constant beyond that)
    "cpuPercent": (0.25, 5), "pssMiB": (0.10, 4), "threads": (0.10, 3), "descriptors": (0.10, 8)}


def own_mounts():
    """Runs the script again where mounts are its own, and no journal listens."""
    if "--inside" in sys.argv[1:]:
        return
    if os.geteuid() != 0:
        sys.exit("siege.py: needs root: it makes devices, and hides the journal from the daemon")
    mounts = "mkdir -p /run/systemd/journal && mount -t tmpfs tmpfs /run/systemd/journal && { grep -v ^%s: /etc/group; " \
        "echo %s:x:%d:%s; } >/run/systemd/journal/group && mount --bind /run/systemd/journal/group /etc/group && exec \"$@\"" % (
            GROUP, GROUP, GROUP_ID, ATTACKER)
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounts, "sh", sys.executable,
                          os.path.abspath(__file__), "--inside", *sys.argv[1:]])


def ask_health(place, out, ended):
    """Asks for health four times a second, on a new connection each time; one JSON line an answer."""
    class Unix(http.client.HTTPConnection):
        def connect(self):
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(self.timeout)
            # A Unix socket whose queue is full refuses who does not wait: who waits is in time or not.
            until = time.monotonic() + self.timeout
            while True:
                try:
                    return self.sock.connect(place)
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)

    with open(out, "a", buffering=1) as file:
        while not ended.is_set():
            is_socket = isinstance(place, str)
            connection = Unix("vigil", timeout=10) if is_socket else http.client.HTTPConnection(
                *place, timeout=10, source_address=(ASKER, 0))
            began = time.monotonic()
            try:
                with contextlib.closing(connection):
                    connection.request("GET", "/v1/health" if is_socket else "/healthz")
                    answer = connection.getresponse()
                    answer.read()
                    status = answer.status
            except (OSError, http.client.HTTPException) as error:
                status = type(error).__name__
            file.write(json.dumps({"place": "socket" if is_socket else "port", "at": began, "status": status,
                                   "seconds": time.monotonic() - began}) + "\n")
            ended.wait(max(0, began + 0.25 - time.monotonic()))


class Samples(threading.Thread):
    """What the daemon takes, each second."""

    def __init__(self, pid, path):
        super().__init__(daemon=True)
        self.pid, self.file, self.rows, self.phase, self.over = pid, open(path, "a", buffering=1), [], "start", threading.Event()

    def one(self):
        """Processor seconds so far, and what is taken now."""
        with open("/proc/%d/stat" % self.pid) as f:
            words = f.read().rpartition(")")[2].split()
        with open("/proc/%d/smaps_rollup" % self.pid) as f:
            pss = int(re.search(r"^Pss:\s+(\d+)", f.read(), re.M).group(1))
        return {"at": time.monotonic(), "cpu": (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK"), "pssMiB": pss / 1024,
                "threads": len(os.listdir("/proc/%d/task" % self.pid)), "descriptors": len(os.listdir("/proc/%d/fd" % self.pid))}

    def run(self):
        before = None
        while not self.over.wait(1):
            try:
                now = self.one()
            except (OSError, AttributeError):
                return                      # it has ended
            now["phase"] = self.phase
            if before:
                now["cpuPercent"] = 100 * (now["cpu"] - before["cpu"]) / (now["at"] - before["at"])
                self.rows.append(now)
                self.file.write(json.dumps(now) + "\n")
            before = now

    def by_thread(self):
        """Processor seconds of the threads that live, by their names; those of cameras together."""
        found = collections.Counter()
        for task in os.listdir("/proc/%d/task" % self.pid):
            with contextlib.suppress(OSError), open("/proc/%d/task/%s/stat" % (self.pid, task)) as f:
                name, _, rest = f.read().partition("(")[2].rpartition(")")
                words = rest.split()
                name = re.sub(r"(?<=^in:).*|(?<=-)\d+$", "*", name)
                found[name] += (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        return found

    def of(self, phase):
        """The rows of a phase."""
        return [r for r in self.rows if r["phase"] == phase]


class Siege:
    """The daemon, its good cameras, and its attackers."""

    def __init__(self, o, folder):
        self.o, self.folder, self.attackers, self.laid, self.daemon, self.opened = o, folder, [], set(), None, 0
        os.makedirs(folder + "/policies", exist_ok=True)
        os.chmod(folder, 0o711)         # the socket is in it
        with open(folder + "/policies/all.yaml", "w") as f:
            f.write("name: all\nrecording: { mode: continuous, clipLength: 1m, preRoll: 5s }\n")
        with open(folder + "/policies/moving.yaml", "w") as f:
            f.write("name: moving\nrecording: { mode: event, sensitivity: high, maxEventLength: 1m, preRoll: 5s }\n")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.out = open(folder + "/vigil.log", "a")
        self.cameras = rig("camera.py", "--separate", "--log", folder + "/sent.jsonl", *(
            w for name, file in {**GOOD, MOVING: MOVING_FILE}.items() for w in ("--camera", "%s=%s/%s" % (name, o.media, file))),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.good = {name: (url, "tcp") for name, url in addresses(self.cameras).items()}
        self.hostile = {}

    # The daemon

    def configure(self, cameras):
        """Writes the configuration, whole or not at all."""
        with open(self.folder + "/vigil.yaml.new", "w") as f:
            f.write("storage: { root: %s/data }\nsocket: %s/s\nhttp: { listen: 127.0.0.1:%d }\npolicies: [ policies/ ]\ncameras:\n"
                    % (self.folder, self.folder, self.port))
            for name, (url, transport) in cameras.items():
                f.write("  %s: { main: \"%s\", policy: %s, transport: %s }\n" % (
                    name, url, "moving" if name == MOVING else "all", transport))
        os.rename(self.folder + "/vigil.yaml.new", self.folder + "/vigil.yaml")

    def start(self):
        """Starts the daemon."""
        self.daemon = subprocess.Popen([self.o.vigil, "run", "--config", self.folder + "/vigil.yaml"], stdout=self.out, stderr=self.out)

    def states(self):
        """The cameras' states by name; none while it does not answer."""
        done = subprocess.run([self.o.vigil, "state", "--json", "--socket", self.folder + "/s"], capture_output=True, text=True)
        return {s["camera"]: s for s in json.loads(done.stdout)} if done.returncode == 0 else {}

    def wait(self, fact, until):
        """Waits for a fact; how many seconds it took, or None."""
        begin = time.monotonic()
        while time.monotonic() < begin + until:
            if self.daemon.poll() is not None:
                sys.exit("vigil ended by itself, status %d: see %s/vigil.log" % (self.daemon.returncode, self.folder))
            if fact():
                return time.monotonic() - begin
            time.sleep(0.2)
        return None

    def recorded(self, names):
        """Whether all these cameras are recorded."""
        states = self.states()
        return all(states.get(n, {}).get("coverage") == "recorded" for n in names)

    # The attackers

    def tear(self):
        """Kills a daemon amid clips, and puts strange things in the place of their files."""
        self.configure({"torn-" + kind: ("demo", "tcp") for kind in TORN})
        self.start()
        if self.wait(lambda: self.recorded(["torn-" + k for k in TORN]), 60) is None:
            sys.exit("the demo cameras were not recorded: see %s/vigil.log" % self.folder)
        time.sleep(5)
        self.daemon.kill()
        self.daemon.wait()
        for camera, kind in (("torn-" + kind, kind) for kind in TORN):
            folder = "%s/data/clips/%s" % (self.folder, camera)
            path = next(os.path.join(at, n) for at, _, names in os.walk(folder) for n in names if n.endswith(".cmfv"))
            self.lay(kind, path)

    def lay(self, kind, path):
        """Puts something strange in the place of a file."""
        if kind == "torn":
            with open(path, "r+b") as f:
                f.truncate(max(0, os.path.getsize(path) - 1_000))
                f.seek(0, os.SEEK_END)
                f.write(os.urandom(3_000))
            return
        if kind == "hardlink":
            os.path.exists(path) or open(path, "w").close()
            os.link(path, self.folder + "/second-%d" % time.monotonic_ns())
            return
        if os.path.exists(path):
            os.unlink(path)
        {"pipe": os.mkfifo, "link": lambda p: os.symlink("/dev/zero", p), "folder": os.mkdir,
         "device": lambda p: os.mknod(p, 0o20644, os.makedev(1, 5))}[kind](path)

    def remove(self, path):
        """Takes away what was laid."""
        os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
        self.laid.discard(path)

    def vex(self, ended):
        """Lays strange files among clips, trace and policies, and takes some of them away again, until told."""
        number = 0
        while not ended.wait(1):
            number += 1
            kind = ("pipe", "link", "folder", "device")[number % 4]
            for folder, ending in (("policies", ".yaml"), ("data/clips", ".cmfv"), ("data/clips/good-h264", ".cmfa"), ("data/trace", ".trace")):
                path = "%s/%s/siege-%d%s" % (self.folder, folder, number % 40, ending)
                if os.path.lexists(path):
                    self.remove(path)
                else:
                    self.lay(kind, path)
                    self.laid.add(path)
            if number % 10 == 0:        # a policy that nobody can read: torn, of random bytes, very long
                with open(self.folder + "/policies/torn.yaml", "wb") as f:
                    f.write((b"name: all\nrecording: { mo", os.urandom(5_000), b"a: [" * 200_000)[number // 10 % 3])

    def files(self):
        """Hostile `file://` cameras."""
        place = self.folder + "/sources"
        os.makedirs(place, exist_ok=True)
        os.mkfifo(place + "/pipe")
        os.symlink("/dev/zero", place + "/link")
        os.mkdir(place + "/folder")
        os.mknod(place + "/device", 0o20644, os.makedev(1, 5))
        with open(self.o.media + "/h264-aac.mp4", "rb") as f:
            whole = f.read()
        flipped = bytearray(whole)
        for at in range(0, len(flipped), 700):
            flipped[at] ^= 0x55
        # Its index says that each track has as many samples of one byte as can be told: 4 294 967 295.
        boasting = re.sub(rb"(?s)(stsz.{4}).{8}", lambda found: found[1] + b"\0\0\0\1\xff\xff\xff\xff", whole)
        begun = b"".join(b"\0\0\0\1" + unit for units in media.video() for unit in units)
        for name, data in (("cut", whole[:len(whole) // 2]), ("flipped", flipped), ("random", os.urandom(1 << 20)), ("empty", b""),
                           ("boasting", boasting), ("endless", begun)):
            with open(place + "/" + name, "wb") as f:
                f.write(data)
        os.truncate(place + "/endless", 64 << 30)       # zeros, which take no room
        return {"file-" + n: ("file://%s/%s" % (place, n), "tcp") for n in sorted(os.listdir(place))}

    def begin(self, words, **options):
        """Starts an attacker of the rig at a lower priority."""
        return rig(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=lambda: os.nice(10), **options)

    def prepare(self):
        """Starts the hostile cameras, to which nobody speaks yet."""
        ends = self.begin(["faulty.py", *faulty.KINDS])
        plays = self.begin(["hostile_cameras.py"])
        for line in ends.stdout:
            if line.startswith("ready"):
                break
            name, port = line.split()
            self.hostile["end-" + name] = ("rtsp://127.0.0.1:%s/x" % port, "tcp")
        for line in plays.stdout:
            if line.startswith("ready"):
                break
            _, name, url, transport = line.split()
            self.hostile["play-" + name] = (url, transport)
        self.hostile.update(self.files())
        self.attackers = [ends, plays]

    @contextlib.contextmanager
    def attack(self):
        """All attackers at once, until the block is left."""
        self.configure({**self.good, **self.hostile})
        clients = self.begin(["hostile_clients.py", "--socket", self.folder + "/s", "--port", str(self.port), "--camera", "good-h264",
                              "--user", ATTACKER, "--group", GROUP, *CLIENTS])
        clients.stdout.readline()
        ended = threading.Event()
        vexing = threading.Thread(target=self.vex, args=(ended,), daemon=True)
        vexing.start()
        try:
            yield
        finally:
            clients.stdin.close()
            self.opened += int((clients.stdout.read().split() or ["", "0"])[-1])
            clients.wait(30)
            ended.set()
            vexing.join()
            for name in os.listdir(self.folder + "/policies"):      # a broken policy keeps a change of the cameras out
                if name not in ("all.yaml", "moving.yaml"):
                    self.remove(self.folder + "/policies/" + name)

    def end(self):
        """Ends everything that still runs."""
        if self.daemon and self.daemon.poll() is None:
            self.daemon.kill()
        for process in [self.cameras, *self.attackers]:
            process.stdin.close()
            process.wait(30)


def judge_causes(siege, failures, verdict):
    """Whether each hostile camera stands as its kind does, and none has another reason."""
    others = {}
    for name in siege.hostile:
        cause = failures[name] or "none" if name in failures else "missing"
        may_be = CAUSES.get(name, [])
        if cause not in may_be and not (cause == LATE and name.startswith("end-")):
            others[name] = {"is": cause, "mayBe": may_be}
    verdict.say("each for its own reason", siege.hostile and not others, kinds=len(siege.hostile), others=others,
                untold=sorted(set(siege.hostile) - set(CAUSES)))


def judge_load(samples, verdict, build):
    """Whether what the daemon takes is flat, and back afterwards."""
    siege = samples.of("siege")
    third = len(siege) // 3
    for key, (share, constant) in SAMPLES.items():
        rows = [[r[key] for r in part] for part in (samples.of("before"), siege[:third], siege[third:2 * third], siege[2 * third:])]
        before, first, middle, last = (statistics.median(r) for r in rows)
        verdict.say("%s is flat" % key, last <= middle * (1 + share) + constant, build=build, before=round(before, 1),
                    thirds=[round(v, 1) for v in (first, middle, last)], most=round(max(v for r in rows for v in r), 1))
    for key, what, share, constant in (("pssMiB", "memory is back", MEMORY_SHARE, 0), ("threads", "threads are back", MEMORY_SHARE, 3)):
        before = statistics.median(r[key] for r in samples.of("before")[-20:])
        after = statistics.median(r[key] for r in samples.of("after")[-5:])
        verdict.say(what, after <= before * (1 + share) + constant, before=round(before, 1), after=round(after, 1),
                    afterSeconds=len(samples.of("after")))


def judge_health(folder, verdict):
    """Whether each question of health was answered, within its bound."""
    with open(folder + "/health.jsonl") as f:
        rows = [json.loads(line) for line in f]
    for place in ("socket", "port"):
        took = sorted(r["seconds"] for r in rows if r["place"] == place)
        status = collections.Counter(str(r["status"]) for r in rows if r["place"] == place)
        verdict.say("health answers each time, and in time", took[-1] <= HEALTH_BOUND and set(status) <= {"200"}, place=place, asked=len(took),
                    median=round(statistics.median(took), 3), percentile99=round(took[len(took) * 99 // 100], 3),
                    most=round(took[-1], 3), status=status)


def judge_detection(siege, mine, verdict):
    """Whether the camera in event mode was recorded all the time, since something moves in it all the time."""
    holes = [(c[1] - before[2]) / 1_000 for before, c in zip(mine, mine[1:]) if before[2] is not None]
    files = [os.path.join(siege.folder, "data", c[5]["video"]) for c in mine if "video" in c[5]]
    done = subprocess.run([sys.executable, RIG + "/compare.py", siege.folder + "/sent.jsonl", "--camera", MOVING, *files],
                          capture_output=True, text=True)
    with open(siege.folder + "/states.json") as f:
        detection = json.load(f)[MOVING].get("detection") or {}
    verdict.say("what moves is noticed all the time", mine and max(holes, default=0) <= HOLE_BOUND and done.returncode == 0,
                clips=len(mine), longestHoleSeconds=round(max(holes, default=0), 2), dropped=detection.get("dropped"),
                fed=detection.get("frames"))


def judge_media(siege, verdict):
    """Whether the good cameras lost nothing, and everything that is on the disk is whole."""
    recorded = clips(siege.folder)
    for camera in GOOD:
        mine = recorded.get(camera, [])
        for track in ("video", "audio"):
            files = [os.path.join(siege.folder, "data", c[5][track]) for c in mine if track in c[5]]
            done = subprocess.run([sys.executable, RIG + "/compare.py", siege.folder + "/sent.jsonl", "--camera", camera, "--track",
                                   track, "--whole", *files], capture_output=True, text=True)
            verdict.say("every frame once", done.returncode == 0, clips=len(files), **json.loads(done.stdout or "{}"))
        breaks = [c[0] for before, c in zip(mine, mine[1:]) if c[3] != before[0] or c[1] != before[2]]
        verdict.say("chained without hole or overlap", mine and not breaks, camera=camera, clips=len(mine), breaks=breaks)
    judge_detection(siege, recorded.get(MOVING, []), verdict)
    done = subprocess.run([siege.o.vigil, "fsck", "--root", siege.folder + "/data", "--deep", "--json"], capture_output=True, text=True)
    answer = json.loads(done.stdout or "{}")
    others = [f for f in answer.get("findings", []) if os.path.join(siege.folder, "data", f["subject"]) not in siege.laid]
    verdict.say("fsck finds nothing but what was laid there", "findings" in answer and not others, clips=answer.get("clips"),
                files=answer.get("files"), laid=len(answer.get("findings", [])) - len(others), others=others[:5])
    by_camera = {name: len(rows) for name, rows in sorted(recorded.items()) if name not in siege.good}
    print(json.dumps({"clips of the others": by_camera}))


def play(siege, verdict):
    """The siege, from the kill to SIGTERM; what was sampled."""
    o = siege.o
    siege.tear()
    siege.configure(siege.good)
    siege.start()
    took = siege.wait(lambda: siege.recorded([*GOOD, MOVING]), 60)
    verdict.say("starts among torn, strange and missing files", took is not None, seconds=took)
    siege.prepare()
    samples = Samples(siege.daemon.pid, siege.folder + "/samples.jsonl")
    samples.start()
    over = multiprocessing.Event()
    asking = [multiprocessing.Process(target=ask_health, args=(place, siege.folder + "/health.jsonl", over), daemon=True)
              for place in (siege.folder + "/s", ("127.0.0.1", siege.port))]
    for process in asking:
        process.start()
    samples.phase = "before"
    siege.wait(lambda: False, o.before)
    with siege.attack():
        samples.phase, begin = "siege", samples.by_thread()
        siege.wait(lambda: False, o.seconds)
        took = samples.by_thread() - begin
        print(json.dumps({"processor seconds of threads": {n: round(s, 1) for n, s in took.most_common(8)}}))
        states = siege.states()
        with open(siege.folder + "/states.json", "w") as f:
            json.dump(states, f, indent=1)
        failures = {n: s.get("lastFailure") for n, s in sorted(states.items()) if n not in siege.good}
        verdict.say("only the hostile ones are hung up", states and all(not states[n].get("lastFailure") for n in siege.good),
                    hostile=len(siege.hostile), failures=failures)
        judge_causes(siege, failures, verdict)
    siege.configure(siege.good)
    samples.phase = "after"
    # The hostile ones are no longer configured, so nothing of theirs may be left. As long as it was watched before, and no longer
    # than until it is back.
    limits = {key: statistics.median(r[key] for r in samples.of("before")[-20:]) * (1 + MEMORY_SHARE) for key in ("pssMiB", "threads")}
    siege.wait(lambda: len(samples.of("after")) > 10 and all(r[key] <= limits[key] for r in samples.of("after")[-5:] for key in limits),
               max(o.before, 30))
    samples.phase = "again"
    with siege.attack():
        siege.wait(lambda: False, min(30, o.seconds / 2))
        over.set()      # a listener that stops need not answer
        for process in asking:
            process.join()
        samples.over.set()
        began = time.monotonic()
        siege.daemon.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            siege.daemon.wait(60)
        took = time.monotonic() - began
        verdict.say("SIGTERM ends it amid the siege", siege.daemon.poll() == 0 and took <= STOP_BOUND, seconds=round(took, 2),
                    status=siege.daemon.poll())
    if siege.cameras.poll() is not None:
        print("the good cameras ended by themselves, status %s: nothing is judged" % siege.cameras.returncode)
        sys.exit(3)
    return samples


def main():
    """Besieges and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--seconds", type=float, default=600, help="the length of the siege")
    parser.add_argument("--before", type=float, default=60, help="how long the daemon is watched before it")
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    own_mounts()
    build = os.path.basename(os.path.dirname(os.path.abspath(o.vigil)))
    subprocess.run([sys.executable, RIG + "/make_media.py", o.media, *GOOD.values()], check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-siege-")
    os.makedirs(folder, exist_ok=True)
    verdict, siege = Verdict(), Siege(o, folder)
    try:
        samples = play(siege, verdict)
    finally:
        siege.end()
    print(json.dumps({"connections of hostile clients": siege.opened}))
    judge_load(samples, verdict, build)
    judge_health(folder, verdict)
    judge_media(siege, verdict)
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
