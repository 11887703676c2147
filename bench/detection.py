#!/usr/bin/python3
"""What looking for motion costs in the whole daemon, and that the recording loses nothing while it costs more than there is.

  detection.py [--vigil PATH] [--cameras 20] [--seconds 60] [--only cost,off,main,sub] [--sub FILE] [--processors 0] [--keep FOLDER]
As root: a journald of its own runs in a mount namespace, so this machine's journal is neither read nor written. The cameras are
RTSP cameras of Tests/rig, every second one by UDP; all are recorded continuously in short clips, by a daemon that is started anew for
each stretch.

cost      main streams of 720p25 and sub-streams of 640×360 at 5 fps (moving for 12 of 30 s): detection off, on, off, on. CPU
          from /proc, of which the detector's threads, and memory (PSS). On, every frame is looked at and none is dropped.
The others: a daemon that has the processors of --processors only, where --rivals endless loops run too, records
off       1080p25 main streams that move all over, and looks at nothing;
main      the same, and looks at them;
sub       modest main streams, and looks at sub-streams that are 1080p25 and move all over.
In `main` and `sub` each camera's detector must drop frames. In all three the recording must not:
- each frame of video and audio that a camera sent between the first and the last recorded one is in the clips once, in order
  (by hashes), from within 2 s of the first one that was sent to within 2 s of the last one;
- each clip but the first is chained to the one before it and begins where that one ends;
- the journal, which has one `clip closed` for each clip, has no warning or error, and tells of no time stamp that was repaired;
- `vigil fsck --deep` finds nothing, and the daemon ends by itself when it is told to.
Then the comparison is tried: without a clip, with one doubled, and with one frame that was not sent so, it must fail.
Told for each stretch: how long it took from the camera's sending of the key frame that ends a fragment until the fragment was in its
file, how long the daemon took to answer over its socket, how long its inputs' threads waited for a processor when they had work, and
of streams that always move, how old the last picture was in which the daemon had seen movement.
Prints one JSON line a check, then a table. Exit status 1 if one failed, 3 if the cameras themselves died, which says nothing of Vigil.
Packages: rig systemd
"""
import argparse
import datetime
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from record import HERE, RIG, Verdict, addresses, clips, own_journal, rig, start_journald

sys.path.insert(0, RIG)
import mp4  # noqa: E402

CLIP_S = 13                     # cut at the next key frame: not after a multiple of a file's length, so that no clip is like the next
ENDS_S = 2.0                    # how much of what was sent may come before the first and after the last recorded frame
WARM_UP_S = 15
STEP_S = 0.05                   # how often the files' sizes are looked at
TICKS = os.sysconf("SC_CLK_TCK")
EVERYWHERE = os.sched_getaffinity(0)
KINDS = dict(reversed(pair) for pair in re.findall(
    r"^\| `(\w+)` \|.*\| `([0-9a-f]{32})` \|$", open(os.path.join(HERE, "../docs/reference/journal.md")).read(), re.M))
# Beside what is a warning or worse: what says that media was changed.
TELLING = {"timestampsRepaired", "streamChanged"}
# Of the picture, not of the recording.
PICTURE = {"pictureImpaired"}


def transport(camera):
    """Every second camera sends by UDP, where what is not fetched in time is lost; by TCP it would wait."""
    return "udp" if int(camera[1:]) % 2 else "tcp"


class Cameras:
    """The cameras of one stretch, each a main stream and perhaps a sub-stream, on processors of their own where there are some."""

    def __init__(self, o, folder, main, sub, processors):
        self.log = folder + "/sent.jsonl"
        self.names = ["c%02d" % i for i in range(o.cameras)]
        words = [w for n in self.names for w in ("--camera", "%s=%s,%s" % (n, main, transport(n)))]
        words += [w for n in self.names if sub for w in ("--camera", "%s-sub=%s,no-audio,%s" % (n, sub, transport(n)))]
        self.child = rig("camera.py", *words, "--log", self.log, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         preexec_fn=lambda: os.sched_setaffinity(0, processors))
        self.urls = addresses(self.child)

    def end(self):
        """Ends them; the status with which they had ended by themselves before, or None."""
        died = self.child.poll()
        self.child.stdin.close()
        try:
            self.child.wait(30)
        except subprocess.TimeoutExpired:
            self.child.kill()
        return died


class Daemon:
    """Vigil, recording the cameras of a stretch, with what is measured of it."""

    def __init__(self, o, folder, cameras, detection, processors):
        self.o, self.folder, self.grown, self.answers, self.ages, self.done = o, folder, {}, [], [], threading.Event()
        os.makedirs(folder + "/policies")
        with open(folder + "/policies/all.yaml", "w") as f:
            f.write("name: all\nrecording: { mode: continuous, clipLength: %ds, preRoll: 5s }\n" % CLIP_S)
        with open(folder + "/vigil.yaml", "w") as f:
            f.write("storage: { root: %s/data }\nsocket: %s/s\nhttp: { listen: none }\npolicies: [ policies/ ]\ncameras:\n"
                    % (folder, folder))
            for name in cameras.names:
                sub = cameras.urls.get(name + "-sub")
                f.write("  %s: { main: %s, %spolicy: all, detection: '%s', transport: %s }\n" % (
                    name, cameras.urls[name], "sub: %s, " % sub if sub else "", detection, transport(name)))
        with open(folder + "/vigil.log", "w") as out:
            self.child = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out,
                                          preexec_fn=lambda: os.sched_setaffinity(0, processors))
        self.threads = [threading.Thread(target=t, daemon=True) for t in (self.watch_files, self.watch_answers)]
        for thread in self.threads:
            thread.start()

    def watch_files(self):
        """Notes when each file was seen to have grown."""
        while not self.done.wait(STEP_S):
            now = time.monotonic()
            for place, _, names in os.walk(self.folder + "/data"):
                for path in (place + "/" + n for n in names if n.endswith((".cmfv", ".cmfa"))):
                    try:
                        size = os.stat(path).st_size
                    except OSError:
                        continue
                    seen = self.grown.setdefault(path, [])
                    if not seen or seen[-1][1] != size:
                        seen.append((now, size))

    def watch_answers(self):
        """Asks once a second what `vigil state` asks."""
        while not self.done.wait(1):
            begin = time.monotonic()
            states = self.ask("/v1/states")
            if states is not None:
                self.answers.append(time.monotonic() - begin)
                seen = [s["detection"].get("lastMotion") for s in states if s.get("detection")]
                self.ages += [time.time() - datetime.datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() for at in seen if at]

    def ask(self, path):
        """What the daemon answers over its socket; None if nothing."""
        connection = http.client.HTTPConnection("localhost", timeout=30)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(30)
        try:
            connection.sock.connect(self.folder + "/s")
            connection.request("GET", path)
            return json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()

    def cpu(self):
        """CPU seconds so far."""
        with open("/proc/%d/stat" % self.child.pid) as f:
            return sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13])) / TICKS

    def threads_of(self, kind):
        """The threads whose name begins so."""
        found, folder = [], "/proc/%d/task/" % self.child.pid
        for thread in os.listdir(folder):
            try:
                with open(folder + thread + "/comm") as f:
                    found += [int(thread)] if f.read().startswith(kind) else []
            except OSError:
                continue
        return found

    def spent(self, kind):
        """Of the threads whose name begins so: seconds that they ran, seconds that they were ready and waited, how often."""
        sums = [0, 0, 0]
        for thread in self.threads_of(kind):
            with open("/proc/%d/task/%d/schedstat" % (self.child.pid, thread)) as f:
                sums = [a + int(b) for a, b in zip(sums, f.read().split())]
        return sums[0] / 1e9, sums[1] / 1e9, sums[2]

    def be_nice(self, value):
        """Gives the detectors' threads another nice value."""
        for thread in self.threads_of("motion"):
            os.setpriority(os.PRIO_PROCESS, thread, value)

    def pss(self):
        """Proportional memory in MiB."""
        with open("/proc/%d/smaps_rollup" % self.child.pid) as f:
            return next(int(line.split()[1]) for line in f if line.startswith("Pss:")) / 1024

    def end(self):
        """Ends it; the seconds that took, None if it had to be killed or was gone already."""
        self.done.set()
        for thread in self.threads:
            thread.join(60)
        begin = time.monotonic()
        if self.child.poll() is not None:
            return None
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(60)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return None
        return time.monotonic() - begin if self.child.returncode == 0 else None


def machine_busy():
    """Seconds that all processors were busy."""
    with open("/proc/stat") as f:
        fields = [int(n) for n in f.readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICKS


def rank(values, share):
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def stretch(o, verdict, name, main, sub, detection, processors=EVERYWHERE, rivals=0):
    """Records for a while. Gives what was measured; files are in its folder."""
    folder = os.path.join(o.folder, name)
    os.makedirs(folder)
    cameras = Cameras(o, folder, main, sub, EVERYWHERE - processors or EVERYWHERE)
    daemon, loops = None, []
    try:
        daemon = Daemon(o, folder, cameras, detection, processors)
        for _ in range(rivals):
            loops.append(subprocess.Popen([sys.executable, "-c", "while True: pass"],
                                          preexec_fn=lambda: os.sched_setaffinity(0, processors)))
        time.sleep(WARM_UP_S)
        if rivals and o.nice:
            daemon.be_nice(o.nice)
        before, motion, inputs = daemon.cpu(), daemon.spent("motion"), daemon.spent("in:")
        busy, begin = machine_busy(), time.monotonic()
        first = daemon.ask("/v1/states")
        time.sleep(o.seconds)
        last, status = daemon.ask("/v1/states"), daemon.ask("/v1/status")
        cpu, seconds = daemon.cpu() - before, time.monotonic() - begin
        motion, inputs = (tuple(b - a for a, b in zip(old, daemon.spent(kind))) for old, kind in ((motion, "motion"), (inputs, "in:")))
        facts = dict(
            stretch=name, seconds=round(seconds, 1), cpu=round(cpu, 2), motion=round(motion[0], 2), inputs=round(inputs[0], 2),
            inputsWaitMs=round(1000 * inputs[1] / max(1, inputs[2]), 3), pssMiB=round(daemon.pss(), 1),
            machineBusy=round((machine_busy() - busy) / seconds, 2))
    finally:
        took = daemon.end() if daemon else None
        for loop in loops:
            loop.kill()
            loop.wait()
        died = cameras.end()
    if died is not None:
        print("the cameras ended by themselves, status %s: nothing is judged" % died)
        sys.exit(3)
    verdict.say("ended by itself", took is not None, stretch=name, seconds=took and round(took, 2), status=daemon.child.returncode)
    states = [(a.get("detection"), b.get("detection")) for a, b in zip(first or [], last or [])]
    if all(a and b for a, b in states):
        for key in ("frames", "decoded", "looked", "dropped", "cpuMs"):
            facts[key] = sum(b[key] - a[key] for a, b in states)
        facts["toldMs"] = [sum(b["cpuMs"] for _, b in states), status["detection"]["cpuMs"]]
        facts["dropping"] = sum(b["dropped"] > a["dropped"] for a, b in states)
        facts["streams"] = sorted({b.get("stream", "none") for _, b in states})
    facts["answerMs"] = [round(1000 * (rank(daemon.answers, share) or 0), 1) for share in (0.5, 0.9, 1)]
    facts["answers"] = len(daemon.answers)
    times = sent_times(cameras.log, cameras.names[0])
    return dict(facts, folder=folder, cameras=cameras, daemon=daemon, length=times[-1][0] - times[0][0])


def compared(log, camera, track, files):
    """What Tests/rig/compare.py says: exit status, report."""
    done = subprocess.run(["/usr/bin/python3", os.path.join(RIG, "compare.py"), log, "--camera", camera, "--track", track, "--whole"]
                          + files, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout or "{}")


def written_after(found, files, sent, first):
    """Seconds from the sending of each key frame that ended a fragment to when the fragment was seen in its file."""
    delays, index = [], first
    for path in files:
        file = mp4.File(path)
        samples = next(iter(file.tracks.values())).samples
        for end in (b.end for b in file.boxes(0, len(file.data)) if b.kind == b"mdat"):
            following = index + sum(1 for s in samples if s[0] < end)
            seen = next((at for at, size in found.grown.get(path, []) if size >= end), None)
            if seen and following < len(sent) and sent[following][1]:
                delays.append(seen - sent[following][0])
        index += len(samples)
    return delays


def sent_times(log, camera):
    """When each video frame was sent, and whether it is a key frame."""
    with open(log) as f:
        return [(e["sent"], e["key"]) for e in map(json.loads, f) if e["camera"] == camera and e.get("track") == "video"]


def told(run):
    """The kinds of what the daemon told the journal, with how often; what should not be among it; the cameras that had events."""
    subprocess.run(["journalctl", "--sync"], stderr=subprocess.DEVNULL)
    done = subprocess.run(["journalctl", "--no-pager", "-o", "json", "-D", "/run/log/journal", "_PID=%d" % run["daemon"].child.pid],
                          capture_output=True, text=True)
    counts, trouble, moved = {}, [], set()
    for entry in map(json.loads, done.stdout.splitlines()):
        kind = KINDS.get(entry.get("MESSAGE_ID"), "?")
        counts[kind] = counts.get(kind, 0) + 1
        if kind not in PICTURE and (int(entry.get("PRIORITY", 6)) <= 4 or kind in TELLING):
            trouble.append("%s %s" % (entry.get("VIGIL_CAMERA", "site"), entry.get("MESSAGE")))
        if kind == "eventBegan":
            moved.add(entry.get("VIGIL_CAMERA"))
    return counts, trouble, moved


def judge_recording(o, verdict, run):
    """All that is said of the recording of one stretch; adds the delays to what was measured."""
    folder, log = run["folder"], run["cameras"].log
    recorded = clips(folder)
    delays, faults, total, breaks = [], [], {"video": 0, "audio": 0}, []
    for camera in run["cameras"].names:
        mine = recorded.get(camera, [])
        breaks += ["%s %d" % (camera, c[0]) for before, c in zip(mine, mine[1:]) if c[3] != before[0] or c[1] != before[2]]
        breaks += [] if len(mine) > 1 else [camera]
        for track in total:
            files = [os.path.join(folder, "data", c[5][track]) for c in mine if track in c[5]]
            code, report = compared(log, camera, track, files) if files else (1, {})
            seconds = run["length"] / max(1, report.get("sent", 0))
            if code or len(files) != len(mine) or report["first"] * seconds > ENDS_S \
                    or (report["sent"] - 1 - report["last"]) * seconds > ENDS_S:
                faults.append(report or camera)
                continue
            total[track] += report["recorded"]
            if track == "video":
                delays += written_after(run["daemon"], files, sent_times(log, camera), report["first"])
    count = sum(map(len, recorded.values()))
    verdict.say("every frame once", not faults, stretch=run["stretch"], cameras=o.cameras, clips=count, video=total["video"],
                audio=total["audio"], faults=faults[:5], count=len(faults))
    verdict.say("chained without hole or overlap", not breaks, stretch=run["stretch"], breaks=breaks[:5])
    counts, trouble, _ = told(run)
    verdict.say("journal tells of no loss", not trouble and counts.get("clipClosed") == count, stretch=run["stretch"],
                clipsClosed=counts.get("clipClosed", 0), repaired=counts.get("timestampsRepaired", 0),
                overrun=counts.get("ringOverrun", 0), trouble=trouble[:5], count=len(trouble))
    done = subprocess.run([o.vigil, "fsck", "--root", folder + "/data", "--deep"], capture_output=True, text=True)
    verdict.say("fsck clean", done.returncode == 0, stretch=run["stretch"], words=(done.stdout + done.stderr).strip()[-200:])
    run["writtenMs"] = [round(1000 * (rank(delays, share) or 0)) for share in (0.5, 0.99, 1)]
    run["fragments"] = len(delays)


def judge_judges(verdict, run):
    """The comparison must notice a clip that is not there, one that is there twice, and a frame that is not the one sent."""
    camera, log = run["cameras"].names[0], run["cameras"].log
    files = [os.path.join(run["folder"], "data", c[5]["video"]) for c in clips(run["folder"])[camera]]
    middle = len(files) // 2
    code, report = compared(log, camera, "video", files[:middle] + files[middle + 1:])
    verdict.say("a missing clip is noticed", code == 1 and report["missingBetween"] > 0, missing=report["missingBetween"])
    code, report = compared(log, camera, "video", files[:middle + 1] + files[middle:])
    verdict.say("a doubled clip is noticed", code == 1 and report["problems"], problems=[p[-60:] for p in report["problems"]][:2])
    with open(log) as f:
        sent = [e for e in map(json.loads, f) if e["camera"] == camera and e.get("track") == "video"]
    sent[len(sent) // 2]["sha256Slices"] = "of another frame"
    with open(log + ".altered", "w") as f:
        f.writelines(json.dumps(e) + "\n" for e in sent)
    code, report = compared(log + ".altered", camera, "video", files)
    verdict.say("another frame is noticed", code == 1 and report["problems"], problems=[p[-60:] for p in report["problems"]][:2])


def shown(run):
    """What was measured, without the parts that hold it."""
    return {k: v for k, v in run.items() if k not in ("folder", "cameras", "daemon", "length")}


def cost(o, verdict):
    """Detection off and on, twice."""
    runs = []
    for number, detection in enumerate(("off", "auto", "off", "auto")):
        run = stretch(o, verdict, "cost-%d-%s" % (number, detection), o.media + "/h264-aac.mp4", o.sub, detection)
        runs.append(run)
        if detection == "auto":
            wanted = 5 * o.cameras * run["seconds"]
            verdict.say("every frame looked at", run.get("streams") == ["sub"] and run["dropped"] == 0
                        and 0.97 * wanted < run["frames"] < 1.03 * wanted, **shown(run))
            _, _, moved = told(run)
            verdict.say("every camera's movement noticed", moved == set(run["cameras"].names), cameras=len(moved))
        else:
            verdict.say("nothing looked at", "frames" not in run and run["motion"] == 0, **shown(run))
        shutil.rmtree(run["folder"])
    off, on = ([r for r in runs if r["stretch"].endswith(w)] for w in ("off", "auto"))
    seconds = sum(r["seconds"] for r in on)
    share = (sum(r["cpu"] for r in on) / seconds) - sum(r["cpu"] for r in off) / sum(r["seconds"] for r in off)
    state, motion = sum(r["cpuMs"] for r in on) / 1000, sum(r["motion"] for r in on)
    same = all(0.98 * b <= a <= b for a, b in (r["toldMs"] for r in on))
    verdict.say("the cost that is told is that of the threads", same and 0.9 * motion < state < 1.02 * motion, state=round(state, 2),
                threads=round(motion, 2), stateAndStatusMs=[r["toldMs"] for r in on])
    print(json.dumps(dict(
        cost="detection", cameras=o.cameras, coreShare=round(share, 4), perCamera=round(share / o.cameras, 5),
        threadsShare=round(motion / seconds, 4), recordingShare=round(sum(r["cpu"] for r in off) / sum(r["seconds"] for r in off), 4),
        pssMiB=round((sum(r["pssMiB"] for r in on) - sum(r["pssMiB"] for r in off)) / len(on), 1))), flush=True)
    return runs


def overload(o, verdict, name):
    """One stretch with less than the detectors want, or with detection off in the same place."""
    busy, modest = o.media + "/busy.mp4", o.media + "/h264-aac.mp4"
    main, sub, detection = {"off": (busy, None, "off"), "main": (busy, None, "main"), "sub": (modest, busy, "auto")}[name]
    run = stretch(o, verdict, name, main, sub, detection, {int(p) for p in o.processors.split(",")}, o.rivals)
    judge_recording(o, verdict, run)
    if run["daemon"].ages:
        run["behindMs"] = [round(1000 * rank(run["daemon"].ages, share)) for share in (0.5, 0.9, 1)]
    if name == "off":
        verdict.say("nothing looked at", "frames" not in run, **shown(run))
    else:
        verdict.say("every camera's detector overloaded", run.get("streams") == [name] and run["dropping"] == o.cameras, **shown(run))
    if name == "main":
        judge_judges(verdict, run)
    if not verdict.failed and not o.keep:
        shutil.rmtree(run["folder"])
    return [run]


def main():
    """Measures and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--cameras", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60, help="of each stretch, after the warm-up")
    parser.add_argument("--only", default="cost,off,main,sub", help="parts, separated by commas")
    parser.add_argument("--sub", help="the sub-stream's file for `cost`, 5 fps; default: a square that moves for 12 of 30 s")
    parser.add_argument("--processors", default="0", help="the daemon's while it is overloaded, separated by commas")
    parser.add_argument("--rivals", type=int, default=2, help="endless loops that want these processors too")
    parser.add_argument("--nice", type=int, default=0, help="of the detectors' threads there, to compare; they have 0 by themselves")
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    o = parser.parse_args()
    own_journal(__file__)
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media, "h264-aac.mp4", "busy.mp4", "quiet-sub.mp4"],
                   check=True, stdout=subprocess.DEVNULL)
    o.sub = o.sub or o.media + "/quiet-sub.mp4"
    o.folder = o.keep or tempfile.mkdtemp(prefix="vigil-detection-")
    verdict, runs, journald = Verdict(), [], start_journald()
    try:
        for part in o.only.split(","):
            runs += cost(o, verdict) if part == "cost" else overload(o, verdict, part)
    finally:
        journald.terminate()
        journald.wait(60)
    keys = ("stretch", "seconds", "cpu", "motion", "inputs", "inputsWaitMs", "pssMiB", "machineBusy", "frames", "decoded", "dropped",
            "answerMs", "writtenMs", "behindMs")
    for row in [dict(zip(keys, keys))] + runs:
        print("  ".join("%-12s" % str(row.get(k, "-")).replace(" ", "") for k in keys))
    verdict.end(o.folder, o.keep)


if __name__ == "__main__":
    main()
