"""A real daemon with demo cameras, a day of which it recorded yesterday (by faketime), as the page's tests find it."""
import datetime
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "rig"))
from ports import free_port  # noqa: E402

CONFIGURATION = """\
storage: {{ root: {folder}/root, maxSize: 2GB, reserve: 100MB }}
socket: {folder}/vigil.sock
http: {{ listen: 127.0.0.1:{port} }}
timezone: Europe/Rome
policies: [ policies/ ]
notify:
  phone: {{ kind: ntfy, url: "http://127.0.0.1:{receiver}/yard", problems: 1m }}
  office: {{ kind: webhook, url: "http://127.0.0.1:9/none", problems: 1m }}
cameras:
  # Above the gate: it sees the street, the places where cars are parked, both doors of the house and the way to the garden behind it.
  front: {{ main: demo, policy: always }}
  garden: {{ main: demo, sub: demo, policy: movement }}
  garage: {{ main: "rtsp://127.0.0.1:9/none", policy: movement }}
  office: {{ main: demo, policy: movement, enabled: false, onvif: "http://127.0.0.1:{device}" }}
  entrance-of-the-old-warehouse-north-side: {{ main: demo, policy: movement }}
"""
POLICIES = {
    "always": "# Around the clock.\nname: always\nrecording: { mode: continuous, sensitivity: 5, maxEventLength: 30s, preRoll: 5s, clipLength: 1m }\nretention: { events: 30d }\n",
    "movement": "name: movement\nrecording:\n  mode: event\n  sensitivity: medium   # 1, 5 or 10\n  preRoll: 5s\nretention: { events: 30d }\n",
}


def zone_of_noon():
    """A time zone in which it is about noon, so that no day ends meanwhile."""
    ahead = 11 - datetime.datetime.now(datetime.timezone.utc).hour
    return f"Etc/GMT{'-' if ahead >= 0 else '+'}{abs(ahead)}"


def a_day_behind(command, folder):
    """A command with its wall clock a day behind, and its timers in time (timers.c)."""
    library = f"{folder}/timers.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, pathlib.Path(__file__).with_name("timers.c")], check=True)
    return ["faketime", "--exclude-monotonic", "-f", "-1d", "sh", "-c", 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"', library, *command]


def end_child(process):
    """Ends, in order, what faketime runs as its child, and waits for both."""
    subprocess.run(["pkill", "-TERM", "-P", str(process.pid)], check=False)
    process.wait(60)


class Turned:
    """A device of ONVIF that turns (Tests/rig/onvif.py), without a login. Its streams are nobody's: the demo is what is seen."""

    def __init__(self, *streams):
        rig = pathlib.Path(__file__).resolve().parent.parent / "rig" / "onvif.py"
        words = [word for one in streams or ["main=rtsp://127.0.0.1:9/none,1280x720,25,2048,H264"] for word in ("--stream", one)]
        self.process = subprocess.Popen(
            ["/usr/bin/python3", rig, *words, "--login", "none"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])

    def asked(self):
        """What it has been asked how often, where it looks and whether it moves."""
        self.process.stdin.write("asked\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


class Receiver:
    """Takes whatever it is told over HTTP, and keeps it."""

    def __init__(self):
        self.told = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(handler):
                self.told.append(handler.rfile.read(int(handler.headers.get("Content-Length", 0))).decode(errors="replace"))
                handler.send_response(200)
                handler.send_header("Content-Length", "0")
                handler.end_headers()

            do_PUT = do_POST

            def log_message(handler, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class Daemon:
    """`vigil run` in a folder of its own. `values` are put into the configuration, `environment` is what it finds besides."""

    # Those that run, or have ended without being told to.
    running = []

    def __init__(self, vigil, configuration=CONFIGURATION, policies=POLICIES, environment=None, **values):
        self.vigil, self.folder = vigil, tempfile.mkdtemp(prefix="vigil-page-")
        self.environment = {key: value for key, value in os.environ.items() if key != "JOURNAL_STREAM"} | (environment or {})
        os.makedirs(f"{self.folder}/policies")
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.device = Turned() if "{device}" in configuration else None
        if self.device:
            values["device"] = self.device.port
        self.receiver = Receiver() if "{receiver}" in configuration else None
        if self.receiver:
            values["receiver"] = self.receiver.port
        for name, text in policies.items():
            with open(f"{self.folder}/policies/{name}.yaml", "w", encoding="utf-8") as file:
                file.write(text)
        with open(f"{self.folder}/vigil.yaml", "w", encoding="utf-8") as file:
            file.write(configuration.format(folder=self.folder, port=self.port, **values))
        self.process = None

    def _command(self, *more):
        return [self.vigil, "run", "--config", f"{self.folder}/vigil.yaml", *more]

    def record_yesterday(self, seconds=50):
        """Records for some seconds with the clock a day behind."""
        command = a_day_behind(self._command("--for", f"{seconds}s"), self.folder)
        with open(f"{self.folder}/yesterday.log", "wb") as log:
            subprocess.run(command, stdout=log, stderr=log, check=True, timeout=seconds + 120)

    def start(self):
        """Starts it and gives the first-run link that it prints."""
        log = f"{self.folder}/run.log"
        with open(log, "wb") as out:
            self.process = subprocess.Popen(self._command(), stdout=out, stderr=out, env=self.environment)
        Daemon.running.append(self)
        end = time.monotonic() + 120
        while time.monotonic() < end and self.process.poll() is None:
            with open(log, encoding="utf-8", errors="replace") as file:
                found = re.search(r"http://\S+/#login=\S+", file.read())
            if found:
                return found[0]
            time.sleep(0.1)
        with open(log, encoding="utf-8", errors="replace") as file:
            raise AssertionError("vigil run printed no first-run link:\n" + file.read()[-2000:])

    def ask(self, path, body=None, method="GET"):
        """What the control socket answers."""
        order = ["-X", method] + ([] if body is None else ["-H", "Content-Type: application/json", "-d", json.dumps(body)])
        done = subprocess.run(["curl", "-sf", "--max-time", "120", "--unix-socket", f"{self.folder}/vigil.sock", *order, f"http://vigil{path}"],
                              capture_output=True, check=True)
        return json.loads(done.stdout)

    def configuration(self):
        """The text of vigil.yaml."""
        with open(f"{self.folder}/vigil.yaml", encoding="utf-8") as file:
            return file.read()

    def check(self):
        """`vigil check` must find nothing that is refused."""
        done = subprocess.run([self.vigil, "check", f"{self.folder}/vigil.yaml"], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def link(self):
        """Another link for a login, as `vigil token link` makes it."""
        done = subprocess.run([self.vigil, "token", "link", "--socket", f"{self.folder}/vigil.sock"], capture_output=True, text=True, check=True)
        return re.search(r"http://\S+/#login=\S+", done.stdout + done.stderr)[0]

    def token(self, name, role, *more):
        """A new token of a role."""
        command = [self.vigil, "token", "create", name, "--role", role, *more, "--socket", f"{self.folder}/vigil.sock"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def revoke(self, name):
        subprocess.run([self.vigil, "token", "revoke", name, "--socket", f"{self.folder}/vigil.sock"], capture_output=True, check=True)

    def last_words(self):
        """What it said last, where it has ended and nobody told it to; else nothing."""
        if self.process is None or self.process.poll() is None:
            return ""
        with open(f"{self.folder}/run.log", encoding="utf-8", errors="replace") as file:
            return f"the daemon has ended with status {self.process.returncode}:\n{file.read()[-3000:]}"

    def end_process(self):
        """Ends the daemon in order; its folder stays."""
        if self in Daemon.running:
            Daemon.running.remove(self)
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)

    def end(self):
        self.end_process()
        if self.device:
            self.device.end()
        if self.receiver:
            self.receiver.end()
        shutil.rmtree(self.folder, ignore_errors=True)
