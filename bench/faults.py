#!/usr/bin/python3
"""Puts Vigil before cameras and storages that misbehave, and says what it told about each and whether it recovered.

  faults.py [--vigil PATH] [--media FOLDER] [--keep FOLDER] [NAME…]
Names: hostile (endpoints that are no cameras), login, streams (no key frames, changes in the middle, time stamps that
jump, repeat or stall), neighbours (one camera's trouble beside a good one), disk (full, read-only, gone; as root), catalog
(damaged, locked, in use). Prints one JSON line a check. Exit status 1 if one failed.
Packages: rig e2fsprogs mount util-linux systemd
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from record import HERE, RIG, Verdict, addresses, clips, rig

# What each hostile endpoint must be called.
HOSTILE = {"silent": {"timeout", "silence"}, "closer": {"closed"}, "garbage": {"garbage"}, "unauthorized": {"unauthorized"},
           "digest": {"unauthorized"}, "notfound": {"notFound"}, "forbidden": {"unauthorized"}, "error": {"garbage", "closed"},
           "truncated": {"closed", "garbage"}, "cutbody": {"closed", "garbage"}, "headers": {"garbage"},
           "nonsense": {"garbage", "unsupported"}, "empty": {"unsupported"}, "drip": {"timeout", "garbage"}, "mute": {"silence"},
           "hugelength": {"garbage"}, "reset": {"closed"}, "noise": {"garbage", "silence", "closed"},
           "unmatched": {"budget", "garbage"}, "stray": {"garbage"}, "bighead": {"garbage"}, "headdrip": {"garbage"},
           "talker": {"garbage", "budget"}}


class Site:
    """A daemon with its folder."""

    def __init__(self, vigil, folder, cameras, policy="mode: continuous, clipLength: 10s", root=None, storage=""):
        self.vigil, self.folder, self.root = vigil, folder, root or folder + "/data"
        os.makedirs(folder + "/policies", exist_ok=True)
        with open(folder + "/policies/p.yaml", "w") as f:
            f.write("name: p\nrecording: { %s }\n" % policy)
        with open(folder + "/vigil.yaml", "w") as f:
            f.write("storage: { root: %s%s }\nsocket: %s/s\nhttp: { listen: none }\npolicies: [ policies/ ]\ncameras:\n"
                    % (self.root, storage, folder))
            for name, words in cameras.items():
                f.write("  %s: { main: \"%s\"%s, policy: p }\n" % (name, words[0], words[1] if len(words) > 1 else ""))
        self.daemon = None

    def start(self, **env):
        """Starts the daemon."""
        self.out = open(self.folder + "/vigil.log", "a")
        self.begun = time.time()
        self.daemon = subprocess.Popen([self.vigil, "run", "--config", self.folder + "/vigil.yaml"], stdout=self.out,
                                       stderr=self.out, env=dict(os.environ, **env))
        return self

    def states(self):
        """The cameras' states by name."""
        done = subprocess.run([self.vigil, "state", "--json", "--socket", self.folder + "/s"], capture_output=True, text=True)
        return {s["camera"]: s for s in json.loads(done.stdout)} if done.returncode == 0 else {}

    def wait(self, what, seconds):
        """Waits until `what(states)` holds; whether it did."""
        end = time.time() + seconds
        while time.time() < end:
            states = self.states()
            if states and what(states):
                return True
            time.sleep(0.2)
        return False

    def log(self):
        """What it told so far: to journald where that listens, else to its standard error."""
        with open(self.folder + "/vigil.log", errors="replace") as f:
            told = f.read()
        if shutil.which("journalctl"):
            told += subprocess.run(
                ["journalctl", "--no-pager", "-o", "cat", "_PID=%d" % self.daemon.pid, "--since", "@%d" % self.begun],
                capture_output=True, text=True).stdout
        return told

    def stop(self):
        """Stops it; its exit status."""
        if self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGTERM)
        try:
            return self.daemon.wait(60)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
            return -9

    def fsck(self):
        """Whether the root is clean."""
        done = subprocess.run([self.vigil, "fsck", "--root", self.root, "--deep"], capture_output=True, text=True)
        return done.returncode == 0, (done.stdout + done.stderr).strip()[-300:]


def hostile(o, verdict):
    """Endpoints that are no cameras."""
    endpoints = rig("faulty.py", *HOSTILE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ports = {}
    for line in endpoints.stdout:
        words = line.split()
        if words[0] == "ready":
            break
        ports[words[0]] = words[1]
    cameras = {k: ("rtsp://127.0.0.1:%s/x" % p, ", credential: door") for k, p in ports.items()}
    cameras["refused"] = ("rtsp://127.0.0.1:1/x",)
    cameras["unknown"] = ("rtsp://no-such-host.invalid/x",)
    site = Site(o.vigil, o.folder + "/hostile", cameras).start(VIGIL_CREDENTIAL_DOOR="user:s3cret-word")
    wanted = dict(HOSTILE, refused={"refused"}, unknown={"unreachable"})
    site.wait(lambda s: all(s[k].get("lastFailure") in wanted[k] for k in wanted), 45)
    states = site.states()
    for kind, good in sorted(wanted.items()):
        found = states.get(kind, {})
        verdict.say("hostile: " + kind, found.get("lastFailure") in good, told=found.get("lastFailure"), why=found.get("why"))
    time.sleep(20)
    endpoints.stdin.write("counts\n")
    endpoints.stdin.flush()
    counts = {k.split(":")[0]: v for k, v in json.loads(endpoints.stdout.readline()).items()}
    for kind in ("unauthorized", "digest"):
        verdict.say("login is not hammered: " + kind, counts[kind]["connections"] <= 2, **counts[kind])
    verdict.say("the daemon lives", site.daemon.poll() is None)
    log = site.log()
    verdict.say("no secret is told", "s3cret-word" not in log and "s3cret-word" not in
                subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout)
    verdict.say("ends when told", site.stop() == 0)
    endpoints.stdin.close()
    endpoints.wait(20)


def login(o, verdict):
    """The right and the wrong password, basic and digest, and TLS."""
    media(o, "h264-aac.mp4")
    tls = o.folder + "/tls"
    os.makedirs(tls, exist_ok=True)
    subprocess.run([os.path.join(RIG, "make_tls.sh"), tls], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for kind, words in (("basic", []), ("digest", ["--digest"]),
                        ("rtsps", ["--tls-cert", tls + "/cert.pem", "--tls-key", tls + "/key.pem"])):
        cameras = rig("camera.py", "--camera", "cam=%s/h264-aac.mp4" % o.media, "--user", "u", "--password", "p:@/w", *words,
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        url = addresses(cameras)["cam"]
        extra = {"rtsps": ", tls: { ca: %s/ca.pem }" % tls, "basic": ", allowBasic: true"}.get(kind, "")
        site = Site(o.vigil, o.folder + "/login-" + kind,
                    {"right": (url, ", credential: good" + extra), "wrong": (url, ", credential: bad" + extra)})
        site.start(VIGIL_CREDENTIAL_GOOD="u:p:@/w", VIGIL_CREDENTIAL_BAD="u:no")
        good = site.wait(lambda s: s["right"]["coverage"] == "recorded" and s["wrong"].get("lastFailure") == "unauthorized", 20)
        states = site.states()
        verdict.say("login: " + kind, good, right=states.get("right", {}).get("why"), wrong=states.get("wrong", {}).get("why"))
        site.stop()
        cameras.stdin.close()
        cameras.wait(20)


def media(o, *names):
    """Makes what is needed."""
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + list(names), check=True,
                   stdout=subprocess.DEVNULL)


def streams(o, verdict):
    """Streams that break the rules; recorded all the same, and told."""
    media(o, "h264.mp4", "h264-480.mp4", "h265-bframes.mp4", "h264-bframes-aac.mp4", "h264-onekey.mp4", "h264-opus.mkv", "h264-aac.mp4")
    m = o.media
    cameras = rig(
        "camera.py", "--log", o.folder + "/streams.jsonl",
        "--camera", "resolution=%s/h264.mp4,switch=%s/h264-480.mp4@12s" % (m, m),
        "--camera", "codec=%s/h264.mp4,switch=%s/h265-bframes.mp4@12s" % (m, m),
        "--camera", "bframes=%s/h264-bframes-aac.mp4" % m,
        "--camera", "forward=%s/h264-aac.mp4,jump-pts=+3600@10s" % m,
        "--camera", "backward=%s/h264-aac.mp4,jump-pts=-30@10s" % m,
        "--camera", "repeat=%s/h264-aac.mp4,repeat-pts=5" % m,
        "--camera", "noise=%s/h264-aac.mp4,noise-pts=40" % m,
        "--camera", "wrap=%s/h264-opus.mkv,wrap" % m,
        "--camera", "late=%s/h264-aac.mp4,audio-late=8" % m,
        "--camera", "stall=%s/h264-aac.mp4,stall=8:3" % m,
        "--camera", "nokey=%s/h264.mp4,key=none" % m,
        "--camera", "onekey=%s/h264-onekey.mp4" % m,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    urls = addresses(cameras)
    site = Site(o.vigil, o.folder + "/streams", {n: (u,) for n, u in urls.items()}).start()
    time.sleep(45)
    states = site.states()
    verdict.say("no key frame is told", states.get("nokey", {}).get("link") == "synchronizing" and
                "no key frame" in site.log(), why=states.get("nokey", {}).get("why"))
    site.stop()
    cameras.stdin.close()
    cameras.wait(20)
    recorded = clips(site.folder)
    for name in sorted(urls):
        if name == "nokey":
            verdict.say("stream: nokey records nothing", not recorded.get(name))
            continue
        mine = recorded.get(name, [])
        words, lengths = [], 0
        for clip in mine:
            for path in clip[5].values():
                done = subprocess.run(["ffmpeg", "-v", "warning", "-nostdin", "-i", site.root + "/" + path, "-fps_mode",
                                       "passthrough", "-enc_time_base", "-1", "-f", "null", "-"], capture_output=True, text=True)
                words += [done.stderr.strip()[:150]] if done.stderr else []
            lengths += clip[2] - clip[1]
        files = [site.root + "/" + c[5]["video"] for c in mine]
        compared = subprocess.run(["/usr/bin/python3", os.path.join(RIG, "compare.py"), o.folder + "/streams.jsonl", "--camera",
                                   name, "--whole"] + files, capture_output=True, text=True)
        report = json.loads(compared.stdout or "{}")
        ended = sorted({c[4] for c in mine})
        good = compared.returncode == 0 and not words
        if name in ("resolution", "codec"):
            # A camera that changes its codec describes itself anew, so it drops its clients.
            good = good and ("streamChanged" if name == "resolution" else "linkLost") in ended
        verdict.say("stream: " + name, good, clips=len(mine), ms=lengths, ended=ended, recorded=report.get("recorded"),
                    missing=report.get("missingBetween"), problems=(report.get("problems") or [])[:2], words=words[:2])
    log = site.log()
    for name in ("forward", "backward", "repeat"):
        told = [l for l in log.splitlines() if ("camera=%s " % name in l or l.startswith(name + ":")) and "repair" in l]
        verdict.say("repairs are told once a burst: " + name, 0 < len(told) < 20, lines=len(told))
    clean, said = site.fsck()
    verdict.say("fsck clean after streams", clean, words=said)


def neighbours(o, verdict):
    """A good camera beside bad ones loses nothing."""
    media(o, "h264-aac.mp4")
    bad = rig("faulty.py", "silent", "garbage", "drip", "noise", "unmatched", "stray", "flood", "talker", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    urls = {}
    for line in bad.stdout:
        words = line.split()
        if words[0] == "ready":
            break
        urls[words[0]] = ("rtsp://127.0.0.1:%s/x" % words[1],)
    good = rig("camera.py", "--camera", "good=%s/h264-aac.mp4" % o.media, "--log", o.folder + "/good.jsonl",
               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    urls["good"] = (addresses(good)["good"],)
    site = Site(o.vigil, o.folder + "/neighbours", urls).start()
    time.sleep(30)
    site.stop()
    for p in (bad, good):
        p.stdin.close()
        p.wait(20)
    files = [site.root + "/" + c[5]["video"] for c in clips(site.folder).get("good", [])]
    compared = subprocess.run(["/usr/bin/python3", os.path.join(RIG, "compare.py"), o.folder + "/good.jsonl", "--camera",
                               "good", "--whole"] + files, capture_output=True, text=True)
    report = json.loads(compared.stdout or "{}")
    verdict.say("a good camera beside bad ones", compared.returncode == 0 and report.get("recorded", 0) > 600, **report)


def disk(o, verdict):
    """Full, read-only and gone; recording resumes by itself."""
    media(o, "h264-aac.mp4")
    where = o.folder + "/disk"
    os.makedirs(where, exist_ok=True)
    image = o.folder + "/disk.img"
    with open(image, "wb") as f:
        f.truncate(400 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", image], check=True)
    mount = lambda: subprocess.run(["mount", "-o", "loop,errors=remount-ro", image, where], check=True)
    mount()
    cameras = rig("camera.py", "--camera", "cam=%s/h264-aac.mp4" % o.media, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    site = None
    try:
        url = addresses(cameras)["cam"]
        site = Site(o.vigil, o.folder + "/disk-site", {"cam": (url,)}, root=where + "/data", storage=", reserve: 1MB").start()
        recorded = lambda s: s["cam"]["coverage"] == "recorded"
        lost = lambda s: s["cam"]["coverage"] == "storage"
        verdict.say("disk: records", site.wait(recorded, 15))
        with open(where + "/ballast", "wb") as f:
            try:
                while True:
                    f.write(b"\0" * (1 << 20))
            except OSError:
                pass
        full = site.wait(lost, 30)
        verdict.say("disk: full is told and stops", full and "storage lost" in site.log(), why=site.states()["cam"]["why"])
        os.unlink(where + "/ballast")
        verdict.say("disk: room again, recording resumes", site.wait(recorded, 30))
        time.sleep(3)
        subprocess.run(["umount", "-l", where], check=True)
        verdict.say("disk: gone is told and stops", site.wait(lost, 30), why=site.states()["cam"]["why"])
        mount()
        verdict.say("disk: there again, recording resumes", site.wait(recorded, 30))
        time.sleep(3)
        device = subprocess.run(["findmnt", "-no", "SOURCE", where], capture_output=True, text=True).stdout.strip()
        with open("/sys/fs/ext4/%s/trigger_fs_error" % os.path.basename(device), "w") as f:
            f.write("vigil bench")
        verdict.say("disk: read-only is told and stops", site.wait(lost, 60), why=site.states()["cam"]["why"])
        status = site.stop()
        subprocess.run(["umount", where], check=True)
        subprocess.run(["e2fsck", "-fy", image], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        mount()
        again = site.start()
        verdict.say("disk: mended, recording resumes", again.wait(recorded, 30))
        again.stop()
        clean, said = site.fsck()
        verdict.say("disk: ends and is clean", status == 0 and clean, status=status, words=said)
    finally:
        if site and site.daemon and site.daemon.poll() is None:
            site.daemon.kill()
            site.daemon.wait()
        cameras.stdin.close()
        cameras.wait(20)
        subprocess.run(["umount", "-l", where])


def catalog(o, verdict):
    """A catalog that is damaged, locked or in use."""
    site = Site(o.vigil, o.folder + "/catalog", {"cam": ("demo",)}).start()
    site.wait(lambda s: s["cam"]["coverage"] == "recorded", 15)
    second = subprocess.run([o.vigil, "run", "--config", site.folder + "/vigil.yaml", "--socket", site.folder + "/s2"],
                            capture_output=True, text=True, timeout=30)
    verdict.say("catalog: a second daemon is refused", second.returncode == 1 and str(site.daemon.pid) in second.stderr,
                said=second.stderr.strip().splitlines()[-1:])
    time.sleep(12)
    site.stop()
    path = site.root + "/catalog.sqlite"
    with open(path, "r+b") as f:
        f.seek(0)
        f.write(os.urandom(8192))
    done = subprocess.run([o.vigil, "run", "--config", site.folder + "/vigil.yaml", "--for", "5s"], capture_output=True, text=True, timeout=60)
    verdict.say("catalog: damage is told with its remedy", done.returncode == 1 and "fsck --rebuild" in done.stderr,
                said=done.stderr.strip().splitlines()[-1:])
    rebuilt = subprocess.run([o.vigil, "fsck", "--root", site.root, "--rebuild"], capture_output=True, text=True)
    clean, said = site.fsck()
    verdict.say("catalog: rebuilt from the files", rebuilt.returncode == 0 and clean, words=rebuilt.stdout.strip()[-200:], fsck=said)
    again = site.start()
    verdict.say("catalog: records again", again.wait(lambda s: s["cam"]["coverage"] == "recorded", 15))
    site.stop()


def main():
    """Runs the chosen faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    parser.add_argument("names", nargs="*")
    o = parser.parse_args()
    o.folder = o.keep or tempfile.mkdtemp(prefix="vigil-faults-")
    os.makedirs(o.folder, exist_ok=True)
    verdict = Verdict()
    for fault in (hostile, login, streams, neighbours, disk, catalog):
        if not o.names or fault.__name__ in o.names:
            fault(o, verdict)
    verdict.end(o.folder, o.keep)


if __name__ == "__main__":
    main()
