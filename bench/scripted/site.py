"""A daemon with live cameras and a journald of its own, in a mount namespace: this machine's journal is neither read nor written."""
import datetime
import json
import os
import socket
import subprocess
import sys
import threading
import time

from record import addresses, rig, start_journald

JOURNAL = "/run/log/journal"


class Site:
    """The daemon, its cameras and its journald. `cameras`: the descriptions of camera.py by name."""

    def __init__(self, vigil, folder, cameras, *options):
        self.vigil, self.folder, self.daemon, self.cameras, self.lock = vigil, folder, None, None, threading.Lock()
        self.journald = start_journald()
        words = [w for name, text in cameras.items() for w in ("--camera", "%s=%s" % (name, text))]
        self.cameras = rig("camera.py", "--separate", "--control", folder + "/rig", *words, *options,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.urls = addresses(self.cameras)
        self.out = open(folder + "/vigil.log", "a")

    def configure(self, policies, cameras):
        """Writes the site's files: the text of `recording` by policy, and of each camera."""
        os.makedirs(self.folder + "/policies", exist_ok=True)
        for name, text in policies.items():
            self.policy(name, text)
        with open(self.folder + "/vigil.yaml", "w") as f:
            f.write("storage: { root: %s/data }\nsocket: %s/s\nhttp: { listen: none }\njournal: { steps: true }\npolicies: [ policies/ ]\ncameras:\n"
                    % (self.folder, self.folder))
            f.writelines("  %s: { %s }\n" % camera for camera in cameras.items())

    def policy(self, name, text):
        """Writes a policy's file as an editor would, whole or not at all."""
        path = "%s/policies/%s.yaml" % (self.folder, name)
        with open(path + ".new", "w") as f:
            f.write("name: %s\nrecording: { %s }\n" % (name, text))
        os.rename(path + ".new", path)

    def run(self):
        """Starts the daemon."""
        self.daemon = subprocess.Popen([self.vigil, "run", "--config", self.folder + "/vigil.yaml"], stdout=self.out, stderr=self.out)

    def ask(self, *words, alone=False):
        """What a command answers: exit status, JSON. `alone`: without the daemon."""
        end = [] if alone else ["--socket", self.folder + "/s"]
        child = subprocess.run([self.vigil, *words, "--json", *end], capture_output=True, text=True)
        try:
            return child.returncode, json.loads(child.stdout)
        except ValueError:
            return child.returncode, {"errors": child.stderr}

    def tell(self, *words):
        """Does something by a command, which must be obeyed."""
        subprocess.run([self.vigil, *words, "--socket", self.folder + "/s"], check=True, stdout=subprocess.DEVNULL)

    def rig(self, line):
        """Gives the cameras a command, which must be obeyed; the answer."""
        try:
            with self.lock, socket.socket(socket.AF_UNIX) as control:
                control.connect(self.folder + "/rig")
                stream = control.makefile("rw")
                stream.write(line + "\n")
                stream.flush()
                answer = json.loads(stream.readline())
        except (OSError, ValueError):
            self.living()
            raise
        if not answer["ok"]:
            raise RuntimeError("%s: %s" % (line, answer["error"]))
        return answer

    def living(self):
        """Ends the bench where the cameras have ended by themselves."""
        if self.cameras.poll() is not None:
            print("the cameras ended by themselves, status %s: nothing is judged" % self.cameras.returncode, flush=True)
            self.end()
            os._exit(3)

    def wait(self, camera, label):
        """Waits until a camera carries a label."""
        end = time.time() + 120
        while time.time() < end:
            if self.daemon.poll() is not None:
                sys.exit("vigil ended by itself, status %d: see vigil.log" % self.daemon.returncode)
            _, answer = self.ask("state", camera)
            if isinstance(answer, list) and answer and answer[0]["coverage"] == label:
                return
            self.living()
            time.sleep(0.2)
        sys.exit("%s did not become %s" % (camera, label))

    def end(self):
        """Ends everything; the daemon's status."""
        for child in (self.daemon, self.cameras, self.journald):
            if child and child.poll() is None:
                child.terminate()
                child.wait(60)
        return self.daemon and self.daemon.returncode


def stamp(seconds):
    """RFC 3339."""
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(text):
    """Milliseconds since 1970 of an RFC 3339 time."""
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def partition(site, verdict, cameras, begin, end):
    """Whether the coverage of each camera is a partition of the time, to the millisecond; the answers."""
    answers = {}
    for camera in cameras:
        status, answer = site.ask("coverage", camera, "--from", stamp(begin), "--to", stamp(end))
        parts = answers[camera] = answer.get("stretches", [])
        edges = [moment(p["from"]) for p in parts] + [moment(p["to"]) for p in parts[-1:]]
        good = status == 0 and parts and edges[0] == moment(stamp(begin)) and edges[-1] == moment(stamp(end))
        good = good and all(a["to"] == b["from"] and a["label"] != b["label"] for a, b in zip(parts, parts[1:]))
        good = good and all(a < b for a, b in zip(edges, edges[1:]))
        sums = {}
        for part, a, b in zip(parts, edges, edges[1:]):
            sums[part["label"] or "notConfigured"] = sums.get(part["label"] or "notConfigured", 0) + b - a
        good = good and answer["sums"] == sums and sum(sums.values()) == edges[-1] - edges[0]
        verdict.say("coverage is a partition", good, camera=camera, stretches=len(parts), sums=answer.get("sums"))
    return answers
