#!/usr/bin/python3
"""Gives a daemon with live cameras every kind of order at random, and has the specification check each step that it took.

  steps.py [--vigil PATH] [--minutes 5] [--seed 1] [--media FOLDER] [--keep FOLDER]
Cameras: one with blind time and a zone, one on demand, one whose LAN address refuses, one of continuous mode with short clips, and one
whose key frames are 90 s apart. Drawn from the seed: detections of each level in and outside of the zone, sources that come, go, are
refreshed and expire, commands shorter and longer than an event, the toggle, each kind of privacy, also for a moment before a viewer,
policies that change mode and time control (and by a schedule), settings over the policy, viewers with every verb of a session, transports
of each kind of trigger with every request, a camera that stops, stalls and drops. Then model/trace/run checks the trace
(docs/design/trace-validation.md). Prints one JSON line a check. Exit status 1 if one failed.
Packages: rig openjdk-17-jre-headless
"""
import argparse
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from record import HERE, RIG, Verdict, addresses, rig

CHECK = os.path.join(HERE, "..", "model", "trace", "run")
MEDIA = {"zone": "still.mp4", "demand": "still.mp4", "away": "still.mp4", "chain": "h264-aac.mp4", "far": "h264-minutes.mp4"}


def event(**other):
    """The words of a policy in event mode."""
    keys = dict(mode="event", initial="3s", augmentation="2s", maxEventLength="10s", preRoll="5s") | other
    return ", ".join("%s: %s" % each for each in keys.items())


def on_demand(**other):
    """The same, on demand."""
    return event(preRoll="0s", connection="onDemand", **other)


# What each camera's policy may be; the first one is the one that it begins with.
POLICIES = {
    "zone": [event(blind="3s", zones="[ door ]"), event(blind="6s", sensitivity=10), "mode: continuous, clipLength: 10s, blind: 3s",
             "mode: 'off'", event(augmentation="0s", sensitivity=1, zones="[ null ]")],
    "demand": [on_demand(), on_demand(blind="4s"), "mode: continuous, clipLength: 12s, connection: onDemand, preRoll: 0s"],
    "away": [event(maxEventLength="15s"), event(sensitivity=10), "mode: continuous, clipLength: 15s"],
    "chain": ["mode: continuous, clipLength: 10s", "mode: continuous, clipLength: 20s", event(blind="2s", clipLength="10s")],
    "far": ["mode: continuous, clipLength: 10s", event()],
}
SOURCES = ("door", "bell", "gate", "doorbell")
PRIVACY = (["on"], ["on", "--hard"], ["on", "--live"], ["off"], ["off"], ["off"])


def request(where, method, path, **body):
    """What the daemon answers at its socket `where`; empty where it refuses."""
    wire = http.client.HTTPConnection("vigil", timeout=30)
    wire.sock = socket.socket(socket.AF_UNIX)
    wire.sock.settimeout(30)
    try:
        wire.sock.connect(where)
        wire.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"} if body else {})
        answer = wire.getresponse()
        text = answer.read()
        return json.loads(text) if text and answer.status < 300 else {}
    except (OSError, ValueError, http.client.HTTPException):
        return {}
    finally:
        wire.close()


class Viewer:
    """A session of one camera, over the daemon's socket."""

    def __init__(self, path, camera):
        self.path = path
        self.id = self.post("/v1/cameras/%s/sessions" % camera).get("session")

    def post(self, path, **body):
        """What the daemon answers; empty where it refuses."""
        return request(self.path, "POST", path, **body)

    def ask(self, verb, **body):
        """One verb of the session."""
        return self.post("/v1/sessions/%s/%s" % (self.id, verb), **body)

    def play(self, dice):
        """Starts a clip of today, or one that cannot be played."""
        days = self.ask("days").get("days", [])
        day = days[-1] if days else "2026-01-01"
        clips = [clip["id"] for clip in self.ask("clips", day=day).get("clips", [])]
        over = {"overHoles": True} if dice.random() < 0.4 else {}
        self.ask("startPlayback", day=dice.choice((day, day, day, "2026-01-01")), clip=dice.choice(clips or [1]), **over)

    def verb(self, dice):
        """One of them, drawn; most do not fit."""
        name = dice.choice(("connect", "startPreview", "play", "play", "pause", "resume", "speed", "definition", "mute", "talk", "record",
                            "extend", "stopPreview", "stopPlayback"))
        if name == "play":
            self.play(dice)
        elif name == "speed":
            self.ask(name, speed=dice.choice((0.25, 1, 4, 16, 3)))
        elif name in ("definition", "startPreview"):
            self.ask(name, definition=dice.choice(("hd", "sd")))
        elif name in ("mute", "talk", "record"):
            self.ask(name, on=dice.random() < 0.5)
        else:
            self.ask(name)


class Transports:
    """The transports of one camera, over the daemon's socket. Vigil's own recording, 0, is left alone."""
    MOST = 3

    def __init__(self, path, camera):
        self.path, self.camera = path, camera

    def ask(self, method, rest="", **body):
        return request(self.path, method, "/v1/cameras/%s/transports%s" % (self.camera, rest), **body)

    def times(self, dice):
        """A time control, in seconds; some have blind time, and some a limit that is further off than the check counts."""
        initial = dice.choice((1, 2, 4))
        return {"initialDuration": initial, "augmentationDuration": dice.choice((0, 1, 3)), "blindDuration": dice.choice((0, 2, 4)),
                "maxDuration": dice.choice((initial, initial + 1, 8, 8, 4_000_000))}

    def trigger(self, dice):
        """What makes one record."""
        kind = dice.choice(("motion", "motion", "motion", "command", "continuous"))
        found = {"triggerType": kind}
        if kind != "continuous":
            found["maxPreRollLen"] = 0
        if kind == "motion":
            found |= {"motionTimeControl": self.times(dice), "motionSensitivity": dice.choice((1, 5, 10, 10))}
            if self.camera == "zone":
                found["motionZones"] = dice.choice(([], [{"zone": "door"}], [{"zone": None}], [{"zone": "door"}, {"zone": None}]))
        return found

    def allocate(self, dice):
        """One more; it is mostly set active at once, and sometimes over by itself."""
        key_frames = self.ask("GET", "/capabilities").get("keyFrameInterval") or 1000
        segment = -(-500 // key_frames) * key_frames
        life = {"expiryTime": dice.choice((3, 15, 40, 5_000_000))} if dice.random() < 0.4 else {}
        made = self.ask("POST", streamUsage="recording", videoStreams=[{"name": "video", "id": 0}], ingestMethod="cmafIngest",
                        triggerOptions=self.trigger(dice), containerOptions={"containerType": "cmaf", "cmafContainerOptions": {
                            "cmafInterface": "interface1", "segmentDuration": segment, "chunkDuration": 0}}, **life)
        if made and dice.random() < 0.8:
            self.ask("PUT", "/status", connectionID=made["connectionID"], transportStatus="active")

    def play(self, dice):
        """One request, drawn; some are refused."""
        numbers = [one["connectionID"] for one in self.ask("GET") or [] if one["connectionID"]]
        name = dice.choices(("allocate", "trigger", "set", "modify", "renew", "deallocate"), (3, 8, 4, 3, 1, 1))[0]
        if not numbers or name == "allocate":
            return self.allocate(dice) if len(numbers) < self.MOST else None
        number = dice.choice(numbers)
        if name == "trigger":
            own = {"timeControl": self.times(dice)} if dice.random() < 0.7 else {}
            return self.ask("POST", "/%d/trigger" % number, activationReason=dice.choice(("userInitiated", "automation", "emergency")), **own)
        if name == "set":
            return self.ask("PUT", "/status", connectionID=number, transportStatus=dice.choice(("active", "active", "inactive")))
        if name == "modify":
            return self.ask("PATCH", "/%d" % number, triggerOptions=self.trigger(dice))
        if name == "renew":
            return self.ask("PATCH", "/%d" % number, expiryTime=dice.choice((5, 30, 5_000_000)))
        return self.ask("DELETE", "/%d" % number)


class Steps:
    """A daemon, its cameras, and what is done to them."""

    def __init__(self, o, folder):
        self.o, self.folder, self.end, self.failed = o, folder, None, []
        words = [w for name, media in MEDIA.items() for w in ("--camera", "%s=%s/%s" % (name, o.media, media))]
        self.cameras = rig("camera.py", "--separate", *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        urls = addresses(self.cameras)
        os.makedirs(folder + "/policies", exist_ok=True)
        for name, texts in POLICIES.items():
            self.policy(name, texts[0])
        with open(folder + "/vigil.yaml", "w") as f:
            f.write("storage: { root: %s/data }\nsocket: %s/s\nhttp: { listen: none }\ntimezone: UTC\nviewers: { limit: 1, duration: 10s }\npolicies: [ policies/ ]\ncameras:\n"
                    % (folder, folder))
            for name, url in urls.items():
                main = "{ lan: 'rtsp://127.0.0.1:9/none', internet: '%s' }, connect: auto" % url if name == "away" else url
                zones = ", zones: { door: [ [0, 0], [0.5, 0], [0.5, 1], [0, 1] ] }" if name == "zone" else ""
                f.write("  %s: { main: %s, policy: %s%s }\n" % (name, main, name, zones))
        self.out = open(folder + "/vigil.log", "a")
        self.daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=self.out, stderr=self.out)

    def policy(self, name, text, schedule=""):
        """Writes a policy's file as an editor would, whole or not at all."""
        path = "%s/policies/%s.yaml" % (self.folder, name)
        with open(path + ".new", "w") as f:
            f.write("name: %s\nrecording: { %s }\n%s" % (name, text, schedule))
        os.rename(path + ".new", path)

    def tell(self, *words):
        """Gives a command; what is refused is a step too."""
        subprocess.run([self.o.vigil, *words, "--socket", self.folder + "/s"], stdout=subprocess.DEVNULL, stderr=self.out, timeout=60)

    def look(self, camera, dice):
        """Somebody looks for some seconds; who is hidden or lost sooner leaves sooner."""
        child = self.looking(camera)
        time.sleep(dice.uniform(1, 4))
        child.terminate()
        child.wait(30)

    def hide(self, camera, dice):
        """Nothing may be recorded for a moment while somebody looks: the link stays, and the clip behind lacks a key frame to begin with."""
        child = self.looking(camera)
        time.sleep(1)
        self.tell("privacy", camera, "on")
        time.sleep(dice.uniform(0, 1))
        self.tell("privacy", camera, "off")
        time.sleep(dice.uniform(0, 3))
        child.terminate()
        child.wait(30)

    def looking(self, camera):
        """The command of somebody who looks."""
        return subprocess.Popen([self.o.vigil, "watch", camera, "--output", "-", "--socket", self.folder + "/s"],
                                stdout=subprocess.DEVNULL, stderr=self.out)

    def view(self, camera, dice):
        """Somebody asks for this and that in one session, and leaves it open as often as not."""
        viewer = Viewer(self.folder + "/s", camera)
        viewer.ask("connect")
        for _ in range(dice.randint(3, 15)):
            viewer.verb(dice)
            time.sleep(dice.choice((0, 0, 0.3, 2)))

    def rig(self, line):
        """Tells the cameras something."""
        self.cameras.stdin.write(line + "\n")
        self.cameras.stdin.flush()

    def schedule(self, dice):
        """From the next minute on another mode holds, for a minute; so the change is known."""
        at = time.gmtime(time.time() + 60)
        to = time.gmtime(time.time() + 120)
        return "schedule: [ { days: daily, from: '%02d:%02d', to: '%02d:%02d', mode: '%s' } ]\n" % (
            at.tm_hour, at.tm_min, to.tm_hour, to.tm_min, dice.choice(("off", "event", "continuous")))

    def deed(self, camera, dice):
        """One thing, drawn."""
        kind = dice.choices(("detect", "source", "record", "toggle", "privacy", "policy", "set", "look", "hide", "view", "transport", "camera"),
                            (40, 20, 8, 5, 5, 6, 4, 4, 4, 5, 25, 5))[0]
        if kind == "detect":
            zone = dice.choice(([], ["--zone", "door"], ["--zone", ""])) if camera == "zone" else []
            self.tell("trigger", camera, "--level", str(dice.choice((1, 1, 5, 10))), *zone)
        elif kind == "source":
            on = dice.choice((["--on", "--stale", "%ds" % dice.randint(1, 8)], ["--on", "--stale", "20s"], ["--off"], ["--off"]))
            self.tell("trigger", camera, "--source", dice.choice(SOURCES), *on)
        elif kind == "record":
            self.tell("record", camera, "--for", "%ds" % dice.choice((1, 3, 8, 25)))
        elif kind == "toggle":
            self.tell("disable", camera)
            time.sleep(dice.uniform(0, 3))
            self.tell("enable", camera)
        elif kind == "privacy":
            self.tell("privacy", camera, *dice.choice(PRIVACY))
        elif kind == "policy":
            self.policy(camera, dice.choice(POLICIES[camera]), dice.choice(("", self.schedule(dice))))
        elif kind == "set":
            self.tell("camera", "set", camera, dice.choice(("mode=off", "mode=event", "mode=continuous", "mode=default", "sensitivity=1",
                                                            "sensitivity=10", "maxEventLength=30s", "maxEventLength=default", "mode=default")))
        elif kind == "look":
            self.look(camera, dice)
        elif kind == "hide":
            self.hide(camera, dice)
        elif kind == "view":
            self.view(camera, dice)
        elif kind == "transport":
            Transports(self.folder + "/s", camera).play(dice)
        else:
            self.rig(dice.choice(("stop %s", "start %s", "start %s", "stall %s", "resume %s", "drop %s")) % camera)

    def play(self, camera):
        """What happens to one camera until the end; it is left as it should be."""
        dice = random.Random("%s/%s" % (self.o.seed, camera))
        try:
            while time.monotonic() < self.end:
                self.deed(camera, dice)
                time.sleep(dice.choice((0, 0.2, dice.uniform(0, 2), dice.uniform(0, 5))))
            for words in (["privacy", camera, "off"], ["enable", camera]):
                self.tell(*words)
        except Exception as error:      # told by the main thread
            self.failed.append("%s: %s: %s" % (camera, type(error).__name__, error))

    def run(self):
        """Plays everything and stops the daemon; its status."""
        limit = time.monotonic() + 60
        while not os.path.exists(self.folder + "/s"):
            if self.daemon.poll() is not None or time.monotonic() > limit:
                self.cameras.stdin.close()
                sys.exit("vigil did not start: see " + self.out.name)
            time.sleep(0.1)
        self.end = time.monotonic() + self.o.minutes * 60
        players = [threading.Thread(target=self.play, args=(camera,), daemon=True) for camera in MEDIA]
        for player in players:
            player.start()
        for player in players:
            player.join(self.o.minutes * 60 + 120)
        self.daemon.send_signal(signal.SIGTERM)
        status = self.daemon.wait(90)
        self.cameras.stdin.close()
        self.cameras.wait(30)
        return status


def main():
    """Plays, then checks the trace."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    o = parser.parse_args()
    verdict = Verdict()
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + sorted(set(MEDIA.values())), check=True,
                   stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-steps-")
    os.makedirs(folder, exist_ok=True)
    site = Steps(o, folder)
    status = site.run()
    verdict.say("everything was done", not site.failed and status == 0, failed=site.failed, status=status)
    done = subprocess.run([o.vigil, "replay", "--root", folder + "/data"], capture_output=True, text=True)
    verdict.say("the trace replays without a difference", done.returncode == 0, words=done.stdout.strip()[-300:])
    begun = time.monotonic()
    done = subprocess.run([CHECK, folder + "/data/trace"], capture_output=True, text=True)
    verdict.say("each step is one of the specification", done.returncode == 0, seconds=round(time.monotonic() - begun),
                words=(done.stdout + done.stderr).strip()[-3000:])
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    sys.exit(main())
