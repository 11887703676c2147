"""The daemon of a trial in this folder, with one camera, `front`, and whatever else the trial starts."""
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOGIN = "front:very-secret"
# Within how many seconds what is waited for has to be, and a daemon that is told to end has to have ended.
PATIENCE, END = 120, 60


def credentials(folder):
    """Writes the login of a camera that pushes; gives the line of the configuration that names it."""
    (folder / "login").write_text(LOGIN + "\n")
    (folder / "login").chmod(0o600)
    return f"credentials: {{ front: {{ file: {folder}/login }} }}\n"


class Failed(SystemExit):
    """A command failed that should not have: ends the trial, and is no more than a reason to go on where something is waited for."""


class Site:
    """A daemon and its files in a folder, for `with`: whichever way that is left, what was started within has ended then."""

    def __init__(self, vigil, folder, camera, recording, more=""):
        """Writes the configuration: what it says of the camera, what its only policy says of recording, and more lines. Starts nothing."""
        self.vigil, self.folder, self.socket, self.log = vigil, folder, str(folder / "s"), folder / "log"
        self.started, self.daemon = [], None
        (folder / "policies").mkdir()
        (folder / "policies/home.yaml").write_text(f"name: home\nrecording: {recording}\n")
        (folder / "vigil.yaml").write_text(
            f"storage: {{ root: {folder}/data, reserve: 100MB }}\nsocket: {self.socket}\npolicies: [ policies/ ]\ntimezone: UTC\n"
            f"{more}cameras:\n  front: {{ {camera}, policy: home }}\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()

    def start(self, command, **options):
        """Starts a process that ends at the latest when the trial does."""
        self.started.append(subprocess.Popen([str(word) for word in command], **options))
        return self.started[-1]

    def run_daemon(self):
        """Starts the daemon; returns once it answers."""
        with open(self.log, "w") as log:
            self.daemon = self.start([self.vigil, "run", "--config", self.folder / "vigil.yaml"], stdout=log, stderr=log)
        self.wait("answer", lambda: self.run("status"))

    def end_daemon(self):
        """Tells the daemon to end; what is wrong with how it does."""
        self.daemon.terminate()
        try:
            status = self.daemon.wait(END)
        except subprocess.TimeoutExpired:
            return [f"the daemon does not end within {END} s"]
        return [f"the daemon ended with status {status}"] if status else []

    def run(self, *words):
        """What a command writes; None where it fails."""
        done = subprocess.run([self.vigil, *words, "--socket", self.socket], capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout if done.returncode == 0 else None

    def read(self, *words):
        """What a command writes, which is JSON; raises `Failed`."""
        text = self.run(*words)
        if text is None:
            raise Failed(f"{sys.argv[0]}: vigil {' '.join(words)} fails\nthe daemon's output:\n{self.log.read_text()[-4000:]}")
        return json.loads(text)

    def json(self, *words):
        """What a command tells by `--json`; raises `Failed`."""
        return self.read(*words, "--json")

    def clips(self):
        """The camera's clips in their order."""
        return sorted(self.json("clips", "--camera", "front", "--limit", "1000"), key=lambda clip: clip["id"])

    def wait(self, what, holds, seconds=PATIENCE):
        """Waits until something holds; gives it. What a command that fails would tell does not hold. Ends the trial where it does not hold in
        time, or where a process that was started has ended."""
        def held():
            try:
                return holds()
            except Failed:
                return None

        end = time.monotonic() + seconds
        while not (found := held()):
            ended = [process for process in self.started if process.poll() is not None]
            if ended or time.monotonic() > end:
                why = "; ".join(f"{' '.join(one.args)} ended with {one.returncode}" for one in ended) or f"not within {seconds} s"
                raise SystemExit(f"{sys.argv[0]}: no {what}: {why}{self.told()}\nthe daemon's output:\n{self.log.read_text()[-4000:]}")
            time.sleep(0.2)
        return found

    def told(self):
        """What else is told of a wait that fails."""
        return ""
