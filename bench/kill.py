#!/usr/bin/python3
"""Kills a recording daemon at random instants, and says whether anything but the fragment in flight is lost.

  kill.py [--vigil PATH] [--times 50] [--seed 1] [--media FOLDER] [--keep FOLDER]
Two cameras in continuous mode with clips of 10 s (so that openings, cuts and closings are hit), one more that is toggled
into events. After each kill the daemon starts again on the same root. In the end:
- `vigil fsck --deep` is clean: no file is unclaimed, none is missing, no row is open;
- nothing was set aside in lost+found but files without a whole fragment;
- each clip that was cut short by a kill lacks at most what came after its last whole fragment: no more than one group of
  pictures (2 s) plus the daemon's own time to write it.
Prints one JSON line a check. Exit status 1 if one failed.
Packages: rig
"""
import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time

from record import HERE, RIG, Verdict, addresses, rig

GOP_MS = 2000
SLACK_MS = 700


def configure(folder, urls):
    """Writes the site's files."""
    os.makedirs(os.path.join(folder, "policies"), exist_ok=True)
    with open(os.path.join(folder, "policies", "all.yaml"), "w") as f:
        f.write("name: all\nrecording: { mode: continuous, clipLength: 10s, preRoll: 5s }\n")
    with open(os.path.join(folder, "policies", "event.yaml"), "w") as f:
        f.write("name: event\nrecording: { mode: event, maxEventLength: 10s, initial: 2s, preRoll: 5s }\n")
    with open(os.path.join(folder, "vigil.yaml"), "w") as f:
        f.write("storage: { root: %s/data }\nsocket: %s/s\nhttp: { listen: none }\npolicies: [ policies/ ]\ncameras:\n"
                % (folder, folder))
        for name, url in urls.items():
            f.write("  %s: { main: %s, policy: %s }\n" % (name, url, "event" if name == "c" else "all"))


def streaming(vigil, folder, until):
    """Waits until the daemon answers and its cameras stream."""
    while time.time() < until:
        done = subprocess.run([vigil, "state", "--json", "--socket", folder + "/s"], capture_output=True, text=True)
        if done.returncode == 0 and all(s["link"] == "streaming" for s in json.loads(done.stdout)):
            return True
        time.sleep(0.05)
    return False


def main():
    """Kills and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    o = parser.parse_args()
    chance = random.Random(o.seed)
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media, "h264-aac.mp4", "h264.mp4"],
                   check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-kill-")
    os.makedirs(folder, exist_ok=True)
    words = [w for n, f in (("a", "h264-aac.mp4"), ("b", "h264.mp4"), ("c", "h264.mp4"))
             for w in ("--camera", "%s=%s/%s" % (n, o.media, f))]
    cameras = rig("camera.py", *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    verdict = Verdict()
    kills, slow = [], 0
    out = open(os.path.join(folder, "vigil.log"), "w")
    try:
        configure(folder, addresses(cameras))
        for turn in range(o.times):
            daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
            slow += 0 if streaming(o.vigil, folder, time.time() + 15) else 1
            subprocess.run([o.vigil, "record", "c", "--for", "3s", "--socket", folder + "/s"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 14))
            daemon.send_signal(signal.SIGKILL)
            kills.append(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)
            daemon.wait()
        daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml", "--for", "5s"], stdout=out, stderr=out)
        daemon.wait(60)
    finally:
        cameras.stdin.close()
        cameras.wait(20)
    verdict.say("streaming again after each kill", slow == 0, kills=len(kills), slow=slow)
    catalog = sqlite3.connect("file:%s/data/catalog.sqlite?mode=ro" % folder, uri=True)
    worst, short = 0, 0
    for camera, start, end in catalog.execute(
            "SELECT camera, start_monotonic_ms, end_monotonic_ms FROM clip WHERE ended = 'interrupted'"):
        later = [k for k in kills if k >= start]
        missing = min(later) - end
        worst = max(worst, missing)
        short += missing > GOP_MS + SLACK_MS
    count = catalog.execute("SELECT count(*), sum(ended = 'interrupted') FROM clip").fetchone()
    verdict.say("at most the fragment in flight", short == 0, clips=count[0], interrupted=count[1], worstMs=round(worst))
    done = subprocess.run([o.vigil, "fsck", "--root", folder + "/data", "--deep"], capture_output=True, text=True)
    verdict.say("fsck clean", done.returncode == 0, words=(done.stdout + done.stderr).strip()[-600:])
    aside = [os.path.join(d, f) for d, _, fs in os.walk(folder + "/data/lost+found") for f in fs]
    whole = [p for p in aside if b"moof" in open(p, "rb").read()]
    verdict.say("nothing recorded was set aside", not whole, setAside=len(aside), withMedia=whole[:3])
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
