"""Cameras of the rig on the page: one that codes with B frames, and a device of ONVIF that is found in the network and added.

Daemon, cameras, device and browser run in a network of their own (`enter_network`), as the search asks every network of the machine.
"""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

from browsers import Chromium
from site_of_test import POLICIES, Daemon

NAMES = {"reordered", "added"}
RIG = pathlib.Path(__file__).resolve().parent.parent / "rig"
CONFIGURATION = """\
storage: {{ root: {folder}/root, maxSize: 2GB, reserve: 100MB }}
socket: {folder}/vigil.sock
http: {{ listen: 127.0.0.1:{port} }}
policies: [ policies/ ]
cameras:
  turned: {{ main: "{turned}", policy: movement, detection: off }}
"""
# Where the device and its camera are, in the network of their own, and the camera with B frames.
PLACE, OTHER = "10.99.0.1", "10.99.0.2"
NETWORK = ("ip link set lo up && ip link add near type veth peer name far && ip address add %s/24 dev near && ip address add %s/24 dev near"
           " && ip link set near up && ip link set far up && exec \"$@\"" % (PLACE, OTHER))
INSIDE = "VIGIL_PAGE_NETWORK"
USER, PASSWORD = "admin", "rig-password-7"
VIDEO = "document.querySelector('.screen video')"
PLAYING = f"{VIDEO}?.readyState >= 2 && !{VIDEO}.paused && {VIDEO}.currentTime"
# For how many seconds fragments must go on: WebRTC that did not come for another reason is tried again after 15 s.
GOING_ON = 20


def enter_network():
    """Runs this program again in a network of its own, as root or as root of a user namespace."""
    if INSIDE in os.environ:
        return
    words = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-rn"]
    os.environ[INSIDE] = PLACE
    os.execvp(words[0], [*words, "sh", "-c", NETWORK, "sh", sys.executable, *sys.argv])


class Cameras:
    """Tests/rig/camera.py."""

    def __init__(self, address, *more, **files):
        media = pathlib.Path(tempfile.gettempdir()) / "vigil-rig-media"
        subprocess.run(["/usr/bin/python3", RIG / "make_media.py", media, *files.values()], check=True, stdout=subprocess.DEVNULL)
        words = [word for name, file in files.items() for word in ("--camera", f"{name}={media}/{file}")]
        self.process = subprocess.Popen(["/usr/bin/python3", RIG / "camera.py", *words, "--address", address, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addresses = dict(self.process.stdout.readline().split()[1:] for _ in files)
        self.process.stdout.readline()

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


class RigSite(Daemon):
    """A daemon with the camera that has B frames, and beside it a device that it does not know yet."""

    def __init__(self, vigil):
        self.turned = Cameras(OTHER, turned="h264-bframes-aac.mp4")
        self.yard = Cameras(PLACE, "--user", USER, "--password", PASSWORD, "--digest", main="h264-aac.mp4", sub="h264-480.mp4")
        main, sub = self.yard.addresses["main"], self.yard.addresses["sub"]
        self.found = subprocess.Popen(
            ["/usr/bin/python3", RIG / "onvif.py", "--listen", PLACE, "--discover", PLACE, "--user", f"{USER}:{PASSWORD}",
             "--stream", f"main={main},1280x720,25,1500,H264", "--stream", f"sub={sub},480x270,25,400,H264"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.place = f"{PLACE}:{self.found.stdout.readline().split()[1]}"
        super().__init__(vigil, configuration=CONFIGURATION, policies=POLICIES, turned=self.turned.addresses["turned"])

    def end(self):
        super().end()
        self.found.stdin.close()
        self.found.wait(60)
        self.turned.end()
        self.yard.end()


def reordered(browser):
    """A camera with B frames: WebRTC is refused once, with the reason, and the fragments go on, in the order of the pictures."""
    asked = []
    browser.page.on("response", lambda answer: asked.append(answer) if answer.url.endswith("/v1/cameras/turned/webrtc") else None)
    browser.go("/camera/turned?zoom=hour")
    browser.until(PLAYING, "it plays")
    browser.wait(lambda: browser.js("1") and asked, "WebRTC is asked for")
    refusal = asked[0].json()
    assert asked[0].status == 422 and "B frames" in refusal["why"], refusal
    browser.js(f"""void (window.times = [], {VIDEO}.requestVideoFrameCallback(function shown(_, frame) {{
      window.times.push(frame.mediaTime); {VIDEO}.requestVideoFrameCallback(shown); }}))""")
    before = browser.js(f"{VIDEO}.currentTime")
    browser.until(f"{VIDEO}.currentTime > {before} + {GOING_ON}", "the fragments go on")
    assert browser.js(f"!{VIDEO}.srcObject && {VIDEO}.src.startsWith('blob:') && document.querySelector('.screen .veil').hidden"), "another picture than that of the fragments"
    times = browser.js("window.times")
    assert len(times) > GOING_ON and times == sorted(times), f"pictures out of order: {times}"
    assert len(asked) == 1, f"WebRTC is asked for {len(asked)} times"
    browser.shot(".build/page/camera-reordered.png")


def added(browser, site):
    """A device is found by the search, asked with its login, and added: it is in vigil.yaml and in the list, plays and records."""
    device, row = "document.querySelector('.found-device')", "[...document.querySelectorAll('main li a strong')].map((one) => one.textContent)"
    browser.go("/cameras")
    browser.until(f"{row}.includes('turned')", "the list")
    browser.click(".page-head .add")
    browser.click(".add-camera > button")
    browser.until(f"{device}?.textContent.includes('{site.place}')", "the search finds it")
    # Its streams need a login: it is asked with a wrong one, then with its own.
    browser.click(".found-device > button")
    address = browser.js("document.querySelector('.add-camera .field input').value")
    assert site.place in address, address
    for password, fact in (("wrong", f"{device}?.textContent.includes('login') && !{device}.querySelector('form')"), (PASSWORD, f"Boolean({device}?.querySelector('form'))")):
        browser.fill(".add-camera .field:nth-of-type(2) input", USER)
        browser.fill(".add-camera input[type=password]", password)
        browser.click(".add-camera form button")
        browser.until(f"!document.querySelector('.add-camera .waiting') && {fact}", f"what it says to the login {password}")
    browser.until("document.querySelector('.found-picture img')?.naturalWidth > 0", "its picture")
    text = browser.js(f"{device}.textContent")
    assert "1280 × 720" in text and "480 × 270" in text and "already" not in text, text
    browser.fill(".found-device form input", "yard")
    browser.js(f"void ({device}.querySelector('select').value = 'always')")
    if isinstance(browser, Chromium):
        browser.js(f"{device}.scrollIntoView()")
        browser.shot(".build/page/add-found.png")
        found = browser.violations()
        assert not found, f"axe: {found}"
    browser.click(".found-device form button")
    browser.until("location.pathname === '/camera/yard'", "its view opens")
    browser.until(f"{PLAYING} > 0 && {VIDEO}.videoWidth === 1280", "it plays")
    written(site)
    browser.go("/cameras")
    browser.until(f"{row}.includes('yard') && {row}.includes('turned')", "it is in the list")
    browser.wait(lambda: site.ask("/v1/cameras/yard/state")["coverage"] == "recorded" and site.ask("/v1/clips?camera=yard"), "it is recorded")
    if isinstance(browser, Chromium):
        browser.shot(".build/page/cameras-added.png")
    # Who asks it again is told.
    browser.click(".page-head .add")
    browser.fill(".add-camera .field input", site.place)
    browser.click(".add-camera form button")
    browser.until(f"{device}?.textContent.includes('already as yard')", "it is known by its name")


def written(site):
    """What is in vigil.yaml, without the password, and in the file of the login, for its owner alone."""
    text = site.configuration()
    login = pathlib.Path(site.folder) / "logins" / "yard"
    assert f'main: "{site.yard.addresses["main"]}"' in text and site.place in text and PASSWORD not in text, text
    assert login.read_text().strip() == f"{USER}:{PASSWORD}" and stat.S_IMODE(login.stat().st_mode) == 0o600, login
    site.check()
