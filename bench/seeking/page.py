"""The page in browsers: the frame of a time, steps over borders of clips, and holes. The part within a browser runs where
playwright is: `page.py BROWSER` reads a wish from its input and prints what was seen."""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
if __name__ == "__main__":
    sys.path[:0] = [os.path.join(TOP, "bench"), os.path.join(TOP, "Tests", "page")]

from seeking.clock import CLOCK_HEIGHT, CLOCK_WIDTH, FRAME_MS, clock, ms, spread, stamp  # noqa: E402
from seeking.lists import stretches_of  # noqa: E402

PROGRAMS = {"chromium": "chromium", "firefox": "firefox-esr"}
# The dots of the clock in the frame that stands in the video; nothing while it seeks, or plays what is live.
PIXELS = ("(() => { const v = document.querySelector('.screen video');"
          " if (!v || v.readyState < 2 || v.seeking || v.currentTime < 1000) return null;"
          " const c = document.createElement('canvas'); c.width = %d; c.height = %d; const x = c.getContext('2d');"
          " x.drawImage(v, 4, 4, c.width, c.height, 0, 0, c.width, c.height);"
          " const bytes = [...x.getImageData(0, 0, c.width, c.height).data];"
          " return bytes.filter((_, n) => n %% 4 == 1).map((byte) => byte > 128 ? 1 : 0).join(''); })()"
          % (CLOCK_WIDTH, CLOCK_HEIGHT))
TOLD = "document.querySelector('.screen.is-blank .veil:not([hidden])')?.textContent"
PATIENCE = 8       # seconds until a frame must stand


class Eye:
    """Asks the page in one browser, and reads the clocks that it shows. Its videos do not play by themselves."""

    def __init__(self, browser, link):
        self.browser = browser
        browser.go(link[len(browser.address):])
        browser.has(".side nav", "the page after the login")

    def look(self, before=None, seconds=PATIENCE):
        """The clock once it stands still and is another one than before; None where that does not come."""
        until, last = time.monotonic() + seconds, None
        while time.monotonic() < until:
            found = self.browser.js(PIXELS)
            read = found and clock([255 * int(dot) for dot in found])
            if read and read == last and read != before:
                return read
            last = read
            time.sleep(0.03)
        return None

    def go(self, at):
        """The page anew, at a time."""
        self.browser.go("/camera/demo?zoom=300&t=" + urllib.parse.quote(stamp(at)))

    def seek(self, at):
        """The clock at a time, and the seconds until it stood there."""
        begin = time.monotonic()
        self.go(at)
        return self.look(), time.monotonic() - begin

    def step(self, before, way):
        """The clock after one press."""
        self.browser.key("Shift+Arrow" + way)
        return self.look(before)

    def walk(self, at, count):
        """The clocks from a time on, frame by frame, and the way back."""
        self.go(at)
        found = [self.look()]
        for way in ["Right"] * count + ["Left"] * count:
            if found[-1]:
                found.append(self.step(found[-1], way))
        return found

    def hole(self, at):
        """The words instead of a picture."""
        self.go(at)
        try:
            return self.browser.until(TOLD, "it is told", PATIENCE)
        except AssertionError:
            return None


def look(name):
    """Sees what is wished, in the browser of a name."""
    import browsers
    wish = json.load(sys.stdin)
    browser = {"chromium": browsers.Chromium, "firefox": browsers.Firefox}[name](wish["address"], is_still=True)
    try:
        eye = Eye(browser, wish["link"])
        seen = {"seeks": [eye.seek(at) for at in wish["seeks"]],
                "walks": [eye.walk(at, wish["count"]) for at in wish["walks"]],
                "holes": [eye.hole(at) for at in wish["holes"]]}
        print(json.dumps(seen))
    finally:
        browser.close()


class Questions:
    """What every browser is asked, and the judgement of what it shows."""

    def __init__(self, site, clips, asked, times, dice):
        self.site, self.asked, self.times = site, asked, times
        whole = stretches_of(clips)
        gaps = [[a[1] + FRAME_MS + 200, b[0] - 400] for a, b in zip(whole, whole[1:]) if b[0] - a[1] > 1000]
        self.inside = [int(dice.uniform(*gap)) for gap in dice.sample(gaps, min(12, len(gaps)))]
        self.count = 15
        begins = [ms(clip["start"]) - 500 for clip in clips if clip["chainedTo"]]
        begins = [at for at in begins if self.is_whole(asked.frames[asked.shown(at):asked.shown(at) + self.count + 1])]
        self.begins = dice.sample(begins, min(6, len(begins)))

    def is_whole(self, frames):
        """Whether these are all frames of a walk, and no hole is between them."""
        return len(frames) > self.count and all(0.5 * FRAME_MS < b.wall - a.wall < 1.5 * FRAME_MS for a, b in zip(frames, frames[1:]))

    def ask(self, name, verdict):
        """One browser."""
        python = os.path.join(TOP, ".build", "page-venv", "bin", "python")
        if not os.path.exists(python) or not shutil.which(PROGRAMS[name]):
            print(json.dumps({"check": "the page in " + name,
                              "leftOut": "no %s, or no .build/page-venv, which `make page` makes" % PROGRAMS[name]}))
            return
        link = re.search(r"http://\S+/#login=\S+", self.site.do("token", "link"))[0]
        wish = {"address": self.site.address, "link": link, "seeks": self.times, "walks": self.begins, "count": self.count,
                "holes": self.inside}
        done = subprocess.run([python, os.path.abspath(__file__), name], input=json.dumps(wish), capture_output=True, text=True,
                              check=False, timeout=3600)
        if done.returncode != 0:
            verdict.say("the page in " + name, False, said=done.stderr[-500:])
            return
        self.judge(name, json.loads(done.stdout), verdict)

    def judge(self, name, seen, verdict):
        """What it showed."""
        self.asked.judge("a time on the page in " + name, self.times, [read for read, _ in seen["seeks"]], verdict,
                         secondsWithThePage=spread([seconds for _, seconds in seen["seeks"]]))
        wrong = [self.difference(begin, found) for begin, found in zip(self.begins, seen["walks"], strict=True)]
        wrong = [one for one in wrong if one]
        verdict.say("frame by frame over borders of clips on the page in " + name, bool(self.begins) and not wrong,
                    borders=len(self.begins), frames=self.count, wrong=wrong)
        verdict.say("holes are told on the page in " + name, self.inside and all(seen["holes"]), asked=len(self.inside),
                    words=sorted({str(words)[:60] for words in seen["holes"]}))

    def difference(self, begin, found):
        """Where presses do not show each frame from that of the time on, and back; None where they do."""
        first = self.asked.numbers.get(found[0])
        if first not in self.asked.very(begin):
            first = self.asked.shown(begin)
        wanted = [frame.clock for frame in self.asked.frames[first:first + self.count + 1]]
        wanted += wanted[-2::-1]
        if found == wanted:
            return None
        place = next((n for n, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        part = slice(max(0, place - 1), place + 3)
        return {"from": stamp(begin), "step": place, "shown": [one and stamp(one) for one in found[part]],
                "wanted": [stamp(one) for one in wanted[part]]}


if __name__ == "__main__":
    look(sys.argv[1])
