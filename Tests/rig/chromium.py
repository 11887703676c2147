"""Debian's chromium without a window, for pages that play and report by themselves."""
import os
import shutil
import signal
import subprocess
import tempfile


class Chromium:
    """The browser at one address, until it is ended; `within` are the words before its command, such as those of a namespace."""

    def __init__(self, address, within=()):
        self.profile = tempfile.mkdtemp(prefix="vigil-chromium-")
        self.process = subprocess.Popen(
            [*within, "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run",
             "--disable-background-networking", "--autoplay-policy=no-user-gesture-required", "--user-data-dir=" + self.profile, address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def end(self):
        """Ends it with what it has started, and forgets what it has kept."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
