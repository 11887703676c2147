"""Debian's firefox-esr without a window, for pages that play and report by themselves."""
import json
import os
import shutil
import signal
import subprocess
import tempfile

PREFERENCES = {
    "media.autoplay.default": 0, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False, "browser.startup.homepage_override.mstone": "ignore", "app.update.enabled": False,
    # By itself it offers H.264 only with a plug-in that it downloads. It believes that the machine has a coder when its list of what may not
    # be used says that all is well (1), and then decodes by libavcodec.
    "media.webrtc.hw.h264.enabled": True, "gfx.blacklist.webrtc.hw.acceleration.h264": 1,
    # Without such a right it only looks for a way from the address of the page.
    "permissions.default.microphone": 1,
}


class Firefox:
    """The browser at one address, until it is ended; `within` are the words before its command, such as those of a namespace."""

    def __init__(self, address, within=(), preferences=()):
        self.profile = tempfile.mkdtemp(prefix="vigil-firefox-")
        with open(self.profile + "/user.js", "w", encoding="utf-8") as file:
            file.writelines("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)) for name, value in {**PREFERENCES, **dict(preferences)}.items())
        self.process = subprocess.Popen(
            [*within, "firefox-esr", "--headless", "--no-remote", "--profile", self.profile, address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, env={**os.environ, "HOME": self.profile, "MOZ_HEADLESS": "1"})

    def end(self):
        """Ends it with what it has started, and forgets what it has kept."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
