#!/usr/bin/python3
"""Stops and starts a camera three times, and says whether recording is back within its back-off plus 2 s.

  reconnect.py [--vigil PATH] [--media FOLDER] [--keep FOLDER]
The camera is away for 3, 8 and 1 s. What the daemon tells about it is printed in order: each step with its cause. Where
journald listens (and this runs as root), the same is read back with `journalctl VIGIL_CAMERA=`.
Prints one JSON line a check. Exit status 1 if one failed.
Packages: rig systemd
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from record import HERE, RIG, Verdict, addresses, rig


def state(vigil, folder):
    """The camera's state."""
    done = subprocess.run([vigil, "state", "cam", "--json", "--socket", folder + "/s"], capture_output=True, text=True)
    return json.loads(done.stdout)[0] if done.returncode == 0 else {}


def wait(what, until):
    """Waits for a fact; how long it took, or None."""
    begin = time.time()
    while time.time() < begin + until:
        if what():
            return time.time() - begin
        time.sleep(0.02)
    return None


def main():
    """Stops, starts and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    o = parser.parse_args()
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media, "h264-aac.mp4"],
                   check=True, stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-reconnect-")
    os.makedirs(folder + "/policies", exist_ok=True)
    cameras = rig("camera.py", "--separate", "--camera", "cam=%s/h264-aac.mp4" % o.media,
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    verdict = Verdict()
    daemon = None
    try:
        url = addresses(cameras)["cam"]
        with open(folder + "/policies/all.yaml", "w") as f:
            f.write("name: all\nrecording: { mode: continuous }\n")
        with open(folder + "/vigil.yaml", "w") as f:
            f.write("storage: { root: %s/root }\nsocket: %s/s\nhttp: { listen: none }\npolicies: [ policies/ ]\n"
                    "cameras: { cam: { main: %s, policy: all } }\n" % (folder, folder, url))
        out = open(folder + "/vigil.log", "w")
        begun = time.time()
        daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
        wait(lambda: state(o.vigil, folder).get("coverage") == "recorded", 15)
        for away in (3, 8, 1):
            def tell(word):
                cameras.stdin.write(word + " cam\n")
                cameras.stdin.flush()
            tell("stop")
            lost = wait(lambda: state(o.vigil, folder).get("coverage") == "linkLost", 15)
            time.sleep(away)
            waiting = state(o.vigil, folder)
            tell("start")
            back = wait(lambda: state(o.vigil, folder).get("coverage") == "recorded", 60)
            backoff = (waiting.get("nextRetryMs") or 0) / 1000
            verdict.say("recording is back within its back-off plus 2 s", back is not None and back <= backoff + 2,
                        awaySeconds=away, lostAfter=lost, waited=backoff, backAfter=back)
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(30)
    finally:
        if daemon and daemon.poll() is None:
            daemon.kill()
        cameras.stdin.close()
        cameras.wait(20)
    told = subprocess.run(
        ["journalctl", "-o", "short-precise", "--no-pager", "VIGIL_CAMERA=cam", "--since", "@%d" % begun],
        capture_output=True, text=True).stdout if shutil.which("journalctl") else ""
    lines = [l for l in told.splitlines() if "vigil" in l]
    if not lines:
        with open(folder + "/vigil.log") as f:
            lines = [l.rstrip() for l in f if "camera=cam" in l]
    story = "\n".join(lines)
    print(story)
    order = re.findall(r"dialling|connected|streaming|link lost|dial failed|waiting before|clip opened|clip closed", story)
    words = " ".join(order)
    complete = words.count("link lost") >= 3 and words.count("streaming") >= 4 and words.count("clip opened") == 4
    verdict.say("each step is told in order with its cause", complete and "closed the connection" in story, steps=len(order))
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
