"""A daemon with the demo camera, and a recording with holes."""
import collections
import http.client
import json
import os
import signal
import socket
import subprocess
import time

CAMERA = "/v1/cameras/demo/"


class Site:
    """`vigil run` with the demo camera in a folder of its own."""

    def __init__(self, vigil, folder):
        self.vigil, self.folder, self.root = vigil, folder, os.path.join(folder, "data")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = "http://127.0.0.1:%d" % self.port
        os.makedirs(os.path.join(folder, "policies"), exist_ok=True)
        with open(os.path.join(folder, "policies", "all.yaml"), "w", encoding="utf-8") as file:
            file.write("name: all\nrecording: { mode: continuous, clipLength: 20s }\n")
        with open(os.path.join(folder, "vigil.yaml"), "w", encoding="utf-8") as file:
            file.write("storage: { root: %s }\nsocket: %s/s\nhttp: { listen: 127.0.0.1:%d }\ntimezone: UTC\n"
                       "policies: [ policies/ ]\ncameras:\n  demo: { main: demo, policy: all }\n"
                       % (self.root, folder, self.port))
        self.daemon = self.token = None
        self.start()

    def start(self):
        """Starts the daemon, until it answers."""
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.daemon = subprocess.Popen([self.vigil, "run", "--config", os.path.join(self.folder, "vigil.yaml")],
                                           stdout=log, stderr=log)
        until = time.monotonic() + 60
        while subprocess.run(self.words("state", "demo"), capture_output=True, check=False).returncode != 0:
            if time.monotonic() > until or self.daemon.poll() is not None:
                raise SystemExit("the daemon does not answer: %s/log" % self.folder)
            time.sleep(0.1)
        if self.token is None:
            self.do("token", "revoke", "seek", check=False)
            self.token = self.do("token", "create", "seek", "--role", "viewer").strip()

    def end(self, how=signal.SIGTERM):
        """Ends the daemon."""
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(how)
            self.daemon.wait(60)

    def words(self, *words):
        """A command to the daemon."""
        return [self.vigil, *words, "--socket", os.path.join(self.folder, "s")]

    def do(self, *words, check=True):
        """Runs one; gives what it printed."""
        return subprocess.run(self.words(*words), capture_output=True, text=True, check=check).stdout

    def ask(self, path):
        """Status, fields and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers={"Authorization": "Bearer " + self.token})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def get(self, path):
        """The body of an answer that must be good."""
        status, _, body = self.ask(path)
        if status != 200:
            raise SystemExit("%s: %d %s" % (path, status, body.decode(errors="replace")))
        return body.decode()


def record(site, minutes, dice):
    """Records with holes; gives how they were made."""
    total, kinds = minutes * 60, ["disable", "privacy", "restart", "kill"]
    number = max(6, int(minutes))
    made = [kinds[n % len(kinds)] for n in range(number)]
    dice.shuffle(made)
    begin = time.monotonic()
    for n, kind in enumerate(made):
        time.sleep(max(0, begin + total * (n + dice.uniform(0.3, 0.9)) / number - time.monotonic()))
        length = dice.choice([0.1, dice.uniform(0.5, 12), dice.uniform(0.5, 12)])
        if kind == "disable":
            site.do("disable", "demo")
            time.sleep(length)
            site.do("enable", "demo")
        elif kind == "privacy":
            site.do("privacy", "demo", "on")
            time.sleep(length)
            site.do("privacy", "demo", "off")
        else:
            site.end(signal.SIGTERM if kind == "restart" else signal.SIGKILL)
            time.sleep(length)
            site.start()
    time.sleep(max(0, begin + total - time.monotonic()))
    return dict(collections.Counter(made))


def clips_of(site):
    """The clips, oldest first, once all have ended."""
    site.do("disable", "demo")
    until = time.monotonic() + 30
    while time.monotonic() < until:
        clips = json.loads(site.get("/v1/clips?camera=demo&limit=-1"))
        if clips and all(clip["ended"] for clip in clips):
            return clips
        time.sleep(0.2)
    raise SystemExit("a clip does not end")
