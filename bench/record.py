#!/usr/bin/python3
"""Records four live cameras in continuous mode with short clips, and says whether every coded frame is kept exactly once.

  record.py [--vigil PATH] [--seconds 300] [--clip 20s] [--only NAME,NAME] [--media FOLDER] [--keep FOLDER]
Cameras: H.264+AAC, H.265+AAC, H.264+G.711 and H.264 with a key frame each 10 s, served by Tests/rig/camera.py; with --only
minutes one whose key frames are 90 s apart, further than a cut waits for one. Then:
- each frame that a camera sent between the first and the last recorded one is in the clips once, in order (by hashes);
- ffmpeg decodes every track file without a word;
- each clip but the first is chained to the one before it and begins where that one ends;
- each camera was labelled recorded from its first clip to the stop;
- `vigil fsck --deep` finds nothing.
Prints one JSON line a check. Exit status 1 if one failed, 3 if the cameras themselves died, which says nothing of Vigil.
Packages: rig util-linux systemd
"""
import argparse
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RIG = os.path.join(HERE, "..", "Tests", "rig")
JOURNALD = "/lib/systemd/systemd-journald"
ALL = [("h264", "h264-aac.mp4", ("video", "audio")), ("h265", "h265-aac.mp4", ("video", "audio")),
           ("pcmu", "h264-pcmu.mkv", ("video",)), ("longgop", "h264-longgop.mp4", ("video", "audio")),
       ("minutes", "h264-minutes.mp4", ("video", "audio"))]
USUAL = "h264,h265,pcmu,longgop"


def rig(*words, **options):
    """Starts a script of the rig."""
    return subprocess.Popen(["/usr/bin/python3", os.path.join(RIG, words[0])] + list(words[1:]), text=True, **options)


def addresses(cameras):
    """The addresses that the cameras print before they are ready."""
    found = {}
    for line in cameras.stdout:
        words = line.split()
        if words[0] == "camera":
            found[words[1]] = words[2]
        elif words[0] == "ready":
            return found
    sys.exit("the cameras did not start")


def configure(folder, urls, clip):
    """Writes the site's files."""
    os.makedirs(os.path.join(folder, "policies"))
    with open(os.path.join(folder, "policies", "all.yaml"), "w") as f:
        f.write("name: all\nrecording: { mode: continuous, clipLength: %s, preRoll: 5s }\n" % clip)
    with open(os.path.join(folder, "vigil.yaml"), "w") as f:
        f.write("storage: { root: %s/data }\nsocket: %s/s\nhttp: { listen: none }\npolicies: [ policies/ ]\ncameras:\n"
                % (folder, folder))
        for name, url in urls.items():
            f.write("  %s: { main: %s, policy: all }\n" % (name, url))


def clips(folder):
    """The clips in the catalog, by camera, oldest first."""
    catalog = sqlite3.connect("file:%s/data/catalog.sqlite?mode=ro" % folder, uri=True)
    found = {}
    for row in catalog.execute("SELECT id, camera, start_monotonic_ms, end_monotonic_ms, chained_to, ended FROM clip ORDER BY id"):
        tracks = {kind: path for kind, path in
                  catalog.execute("SELECT kind, path FROM track WHERE clip = ?", (row[0],))}
        found.setdefault(row[1], []).append(row[:1] + row[2:] + (tracks,))
    return found


def own_journal(script):
    """Runs a script again, as root, where journal and sockets are its own, unless it runs there; the mounts go with it."""
    if "--inside" in sys.argv[1:]:
        return
    if os.geteuid() != 0 or not os.path.exists(JOURNALD):
        sys.exit("%s: needs root and %s: it runs a journald of its own" % (os.path.basename(script), JOURNALD))
    mounts = "".join("mkdir -p %s && mount -t tmpfs tmpfs %s && " % (p, p)
                     for p in ("/run/systemd/journal", "/run/log/journal", "/run/systemd/journald.conf.d"))
    # As the unit asks for: no step may fall to journald's limit of rate.
    mounts += "printf '[Journal]\\nRateLimitIntervalSec=0\\nStorage=volatile\\n' >/run/systemd/journald.conf.d/rate.conf && "
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounts + 'exec "$@"', "sh",
                          "/usr/bin/python3", os.path.abspath(script), "--inside"] + sys.argv[1:])


def start_journald():
    """Starts journald there; gives its process."""
    journald = subprocess.Popen([JOURNALD], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists("/run/systemd/journal/socket"):
        if journald.poll() is not None:
            sys.exit("journald did not start")
        time.sleep(0.05)
    return journald


class Verdict:
    """Prints checks and remembers whether one failed."""

    failed = False

    def say(self, check, good, **facts):
        """One check."""
        self.failed |= not good
        print(json.dumps(dict(check=check, good=bool(good), **facts)), flush=True)

    def end(self, folder, keep):
        """Ends the bench, with status 1 if a check failed; removes its folder where that is of no use any more."""
        if not keep and not self.failed:
            shutil.rmtree(folder)
        else:
            print("kept: " + folder)
        sys.exit(1 if self.failed else 0)


def labels(folder, camera):
    """The labels of the camera in the catalog, in order."""
    catalog = sqlite3.connect("file:%s/data/catalog.sqlite?mode=ro" % folder, uri=True)
    return [row[0] for row in catalog.execute("SELECT label FROM coverage WHERE camera = ? ORDER BY id", (camera,))]


def judge(folder, cameras, log, vigil, verdict):
    """All checks."""
    recorded = clips(folder)
    for name, _, tracks in cameras:
        mine = recorded.get(name, [])
        for track in tracks:
            files = [os.path.join(folder, "data", c[5][track]) for c in mine if track in c[5]]
            result = subprocess.run(
                ["/usr/bin/python3", os.path.join(RIG, "compare.py"), log, "--camera", name, "--track", track, "--whole"]
                + files, capture_output=True, text=True)
            report = json.loads(result.stdout or "{}")
            verdict.say("every frame once", result.returncode == 0, clips=len(files), **report)
        breaks = [c[0] for before, c in zip(mine, mine[1:]) if c[3] != before[0] or c[1] != before[2]]
        verdict.say("chained without hole or overlap", len(mine) > 1 and not breaks, camera=name, clips=len(mine), breaks=breaks)
        held = labels(folder, name)
        first = held.index("recorded") if "recorded" in held else 0
        verdict.say("recorded to the stop", held[first:] in (["recorded"], ["recorded", "recorderDown"]), camera=name, labels=held)
        words = []
        for clip in mine:
            for path in clip[5].values():
                done = subprocess.run(
                    ["ffmpeg", "-v", "warning", "-nostdin", "-i", os.path.join(folder, "data", path), "-f", "null", "-"],
                    capture_output=True, text=True)
                if done.returncode or done.stderr:
                    words.append("%s: %s" % (path, done.stderr.strip()[:200]))
        verdict.say("decoded without a word", mine and not words, camera=name, words=words[:5], count=len(words))
    done = subprocess.run([vigil, "fsck", "--root", folder + "/data", "--deep"], capture_output=True, text=True)
    verdict.say("fsck clean", done.returncode == 0, words=(done.stdout + done.stderr).strip()[-400:])


def main():
    """Records and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--clip", default="20s")
    parser.add_argument("--only", default=USUAL, help="cameras: %s" % ", ".join(camera[0] for camera in ALL))
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    o = parser.parse_args()
    chosen = [camera for camera in ALL if camera[0] in o.only.split(",")]
    names = sorted({c[1] for c in chosen})
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + names, check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-record-")
    os.makedirs(folder, exist_ok=True)
    log = os.path.join(folder, "sent.jsonl")
    words = [w for name, file, _ in chosen for w in ("--camera", "%s=%s/%s" % (name, o.media, file))]
    cameras = rig("camera.py", *words, "--log", log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    daemon = None
    try:
        configure(folder, addresses(cameras), o.clip)
        with open(os.path.join(folder, "vigil.log"), "w") as out:
            daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
        time.sleep(o.seconds)
        died = cameras.poll()
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(60)
    finally:
        if daemon and daemon.poll() is None:
            daemon.kill()
        cameras.stdin.close()
        cameras.wait(20)
    if died is not None:
        print("the cameras ended by themselves, status %d: nothing is judged" % died)
        sys.exit(3)
    verdict = Verdict()
    verdict.say("ended by itself", daemon.returncode == 0, status=daemon.returncode)
    judge(folder, chosen, log, o.vigil, verdict)
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
