"""Speaking through a camera on the page: a daemon with a camera that has a loudspeaker, and chromium with a microphone that beeps."""
import json
import pathlib
import subprocess
import time

from browsers import DEADLINE
from site_of_test import POLICIES, Daemon

NAMES = {"talk"}
CONFIGURATION = """\
storage: {{ root: {folder}/root, maxSize: 2GB, reserve: 100MB }}
socket: {folder}/vigil.sock
http: {{ listen: 127.0.0.1:{port} }}
policies: [ policies/ ]
cameras:
  door: {{ main: "{camera}", policy: always, detection: off }}
"""
TALK = "document.querySelector('.screen .talk')"


class TalkSite(Daemon):
    """A daemon and its camera."""

    def __init__(self, vigil):
        rig = pathlib.Path(__file__).resolve().parent.parent / "rig" / "loudspeaker.py"
        self.camera = subprocess.Popen(["/usr/bin/python3", rig], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        address = self.camera.stdout.readline().split()[1]
        self.camera.stdout.readline()
        super().__init__(vigil, configuration=CONFIGURATION, policies={"always": POLICIES["always"]}, camera=address)

    def heard(self):
        """What the camera heard of each talker."""
        self.camera.stdin.write("told\n")
        self.camera.stdin.flush()
        return json.loads(self.camera.stdout.readline())["talks"]

    def end(self):
        super().end()
        self.camera.stdin.close()
        self.camera.wait(60)


def wait(holds, what):
    """Waits for a fact that is not the page's."""
    end = time.monotonic() + DEADLINE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.2)


def talk(browser, site):
    """A microphone that is refused is said; one that is given is heard at the camera until the button is pressed again, or the view ends."""
    browser.go("/camera/door")
    browser.until(f"{TALK}?.dataset.state === 'off'", "the button stands on the picture")
    # The browser refuses.
    browser.js("void (window.ask = navigator.mediaDevices.getUserMedia, navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError')))")
    browser.js(f"{TALK}.click()")
    browser.until(f"document.querySelector('.note.alarm')?.textContent.includes('microphone') && {TALK}.dataset.state === 'off'", "the refusal is said")
    assert not site.heard(), "nobody talks"
    # It gives the microphone.
    browser.js("void (navigator.mediaDevices.getUserMedia = window.ask.bind(navigator.mediaDevices))")
    browser.js(f"{TALK}.click()")
    browser.until(f"{TALK}.dataset.state === 'on' && {TALK}.getAttribute('aria-pressed') === 'true'", "it is on")
    wait(lambda: site.heard() and site.heard()[0]["seconds"] > 4, "the camera hears for four seconds")
    assert [one["talk"] for one in site.ask("/v1/sessions") if one["phase"] == "previewing"] == [True], "the session talks"
    browser.js(f"{TALK}.click()")
    browser.until(f"{TALK}.dataset.state === 'off'", "it is off")
    heard = site.heard()
    assert len(heard) == 1 and not heard[0]["wrong"] and heard[0]["spoken"] > 0.2 and heard[0]["seconds"] > 4, heard
    # It ends with the view. The end of the first talk may be told so late that it ends the second: then the button is pressed once more.
    browser.until(f"({TALK}.dataset.state === 'off' && {TALK}.click(), {TALK}.dataset.state === 'on')", "it is on again")
    browser.go("/events")
    browser.until("!document.querySelector('.talk')", "the button is gone")
    wait(lambda: not any(one["talk"] for one in site.ask("/v1/sessions")), "nobody talks any more")
    print(f"talk: {heard[0]['spoken']:.2f} s of beeps in {heard[0]['seconds']:.2f} s", flush=True)
