"""What a person sees of the past that only the cloud has: on a machine that was rebuilt from the bucket, and where clips have gone
from the disk."""
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import zoneinfo

from browsers import Chromium
from cloud_of_test import CloudSite, parts
from site_of_test import Daemon, a_day_behind, end_child, zone_of_noon

CONFIGURATION = """\
storage: {{ root: {folder}/root, maxSize: 2GB, reserve: 100MB }}
socket: {folder}/vigil.sock
http: {{ listen: 127.0.0.1:{port} }}
timezone: {zone}
policies: [ policies/ ]
cloud: {{ store: {{ endpoint: "{store}", bucket: clips, prefix: shop, credential: store }} }}
credentials: {{ store: {{ env: STORE_KEY }} }}
cameras:
  front: {{ main: demo, policy: sent, detection: off }}
  gate: {{ main: demo, policy: brief, detection: off }}
  plain: {{ main: demo, policy: kept, detection: off }}
"""
RECORDING = "recording: { mode: event, sensitivity: 1, maxEventLength: 10s, preRoll: 2s }\n"
POLICIES = {
    "sent": f"name: sent\n{RECORDING}retention: {{ events: 30d }}\ncloud: {{ upload: events }}\n",
    # The next clip pushes the one before it off the disk, as soon as that was sent.
    "brief": f"name: brief\n{RECORDING}retention: {{ maxSize: 150KB }}\ncloud: {{ upload: events, keepLocal: untilUploaded }}\n",
    "kept": f"name: kept\n{RECORDING}retention: {{ events: 30d }}\n",
}
EVER = "from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z"
VIDEO = "document.querySelector('.screen video')"
PLAYING = f"{VIDEO}?.readyState >= 2 && !{VIDEO}.paused && {VIDEO}.currentTime"
ROWS = "[...document.querySelectorAll('.day .event-row')]"
MARKED = f"{ROWS}.filter((row) => row.querySelector('.cloud-mark'))"
LINE = "document.querySelector('.cloud-line:not([hidden])')"
SEEN = "[...document.querySelectorAll('{} .event-row img')].filter((image) => image.naturalWidth > 0).length"
YESTERDAY = 4  # events of `front` that are asked for; the demo may notice some of its own


class PastSite:
    """A machine whose disk is empty but for today; what was recorded yesterday lies in the bucket."""

    until = staticmethod(CloudSite.until)

    def __init__(self, vigil):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vigil-page-past-"))
        self.store = parts.Server("rclone", self.folder, pathlib.Path(sys.prefix) / "bin")
        (self.folder / "rclone" / "data" / "clips").mkdir()
        self.proxy, self.daemon = parts.Proxy(self.store.port), None
        self.vigil, self.stalled, self.zone = vigil, threading.Event(), zone_of_noon()
        self.kept = 0  # events of yesterday that were brought back to the disk, the first ones
        try:
            self._begin()
        except BaseException:
            self.end()
            raise

    def _begin(self):
        """Records a yesterday, loses that machine, and rebuilds another."""
        lost = self._daemon()
        try:
            self._yesterday(lost)
            lost.start()
            stored = self.until(lambda: self._stored(lost), "yesterday is in the cloud")
        finally:
            lost.end()
        self.daemon = self._daemon()
        self.address, self.link = self.daemon.address, self.daemon.start()
        # Where the machine knows nothing of the cloud yet, it says so.
        assert "cloudClips" not in self.daemon.ask("/v1/cameras/front/state")
        self.daemon.ask("/v1/cloud/rebuild", method="POST")
        self.until(lambda: not (told := self.daemon.ask("/v1/cloud/rebuild"))["running"] and told["entered"] >= stored, "the rebuild")
        self.until(lambda: self.daemon.ask("/v1/cameras/front/state").get("cloudClips"), "the state tells of it")
        for camera in ("gate", "plain", "front", "gate"):
            self.record(self.daemon, camera)
        self.until(lambda: any(event["event"] for event in self.told("gate")), "a clip of today leaves the disk", 180)
        self.starts = [event["start"] for event in self.told("front")]
        assert len(self.starts) >= YESTERDAY and not any(event["event"] for event in self.told("front")), self.starts

    def _daemon(self):
        return Daemon(self.vigil, CONFIGURATION, POLICIES, {"STORE_KEY": f"{parts.KEYS['id']}:{parts.KEYS['secret']}"}, store=self.proxy.endpoint, zone=self.zone)

    def _yesterday(self, daemon):
        """Records some events with the clock a day behind, while the store takes nothing."""
        self.proxy.fault = lambda *_: {"status": 503}
        command = a_day_behind(daemon._command(), self.folder)
        with open(f"{daemon.folder}/yesterday.log", "wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=daemon.environment)
        try:
            self.until(lambda: self._ready(daemon), "the machine of yesterday")
            for _ in range(YESTERDAY):
                self.record(daemon, "front")
        finally:
            end_child(process)
        self.proxy.fault = lambda *_: None

    @staticmethod
    def _ready(daemon):
        try:
            return all(state["link"] == "streaming" for state in daemon.ask("/v1/states"))
        except subprocess.CalledProcessError:
            return False

    @staticmethod
    def _stored(daemon):
        """How many clips are in the cloud, when all of yesterday's are."""
        jobs = daemon.ask("/v1/uploads?limit=1000")
        return all(job["phase"] == "done" for job in jobs if job["start"] < jobs[-1]["start"][:11] + "24") and sum(job["phase"] == "done" for job in jobs)

    def record(self, daemon, camera):
        """An event of four seconds; its clip is closed when this returns."""
        self.until(lambda: self._ready(daemon), f"the cameras stream, {camera} too")
        before = {clip["id"] for clip in daemon.ask(f"/v1/clips?camera={camera}") if clip["end"]}
        daemon.ask(f"/v1/cameras/{camera}/record", {"forMs": 4000}, "POST")
        self.until(lambda: any(clip["end"] and clip["id"] not in before for clip in daemon.ask(f"/v1/clips?camera={camera}")), f"a clip of {camera}")

    def told(self, camera):
        """The events that only the cloud has; of some the disk has the row."""
        return self.daemon.ask(f"/v1/cameras/{camera}/cloud/events?{EVER}&alone=true")

    def count(self, camera=None):
        """How many events there are, each once."""
        cameras = [camera] if camera else ["front", "gate", "plain"]
        return sum(len(self.daemon.ask(f"/v1/events?camera={one}&limit=1000")) + sum(event["event"] is None for event in self.told(one)) for one in cameras)

    def next_link(self):
        link, self.link = self.link or self.daemon.link(), None
        return link

    def stall(self):
        """The store takes requests and answers none."""
        self.stalled = threading.Event()
        self.proxy.fault = lambda *_: {"stall_at": 0, "event": self.stalled}

    def heal(self):
        self.proxy.fault = lambda *_: None
        self.stalled.set()

    def end(self):
        self.heal()
        if self.daemon:
            self.daemon.end()
        self.store.end()
        subprocess.run(["rm", "-r", "--", str(self.folder)], check=False)


def address(start, zoom="hour", seconds=2, camera="front"):
    at = datetime.datetime.fromisoformat(start[:19]) + datetime.timedelta(seconds=seconds)
    return f"/camera/{camera}?t={urllib.parse.quote(at.isoformat() + 'Z')}&zoom={zoom}"


def stand(browser, number):
    """Holds the picture at the begin of an event that only the cloud has, wherever it has come meanwhile. `number`: from the first, 0, on."""
    row = f"{MARKED}.at(-1 - {number})"
    for _ in range(10):
        if not browser.js(f"{VIDEO}.paused"):
            browser.key("k")
        browser.js(f"{row}.click()")
        browser.until(f"{VIDEO}.readyState >= 2 && !{VIDEO}.seeking", "a click on an event goes there")
        # While what was wanted before is still on its way a click plays.
        if browser.js(f"{VIDEO}.paused && {row}.getAttribute('aria-current') === 'true'"):
            return
    raise AssertionError("the picture is not held at the event")


def timeline(browser, site):
    """A day of which the disk has nothing: its band with its word, its events with mark and picture; it plays; one jumps on to today."""
    browser.go(address(site.starts[0]))
    browser.until(PLAYING, "it plays from the cloud")
    count = len(site.starts)
    browser.until(f"{MARKED}.length === {count} && {ROWS}.length === {count + site.kept}", "each event once, with its mark")
    stand(browser, 0)
    browser.js("document.querySelector('.day li:last-child').scrollIntoView()")
    browser.until(f"{SEEN.format('.day')} === {count + site.kept}", "their pictures come from the store")
    assert browser.js("[...document.querySelectorAll('.cloud-mark')].every((mark) => mark.textContent === 'Only in the cloud')")
    assert browser.js("document.querySelector('.day > .quiet').hidden"), "the list says that nothing moved"
    browser.until("document.querySelector('.cloud-legend:not([hidden])')?.textContent === 'Only in the cloud'", "the legend")
    browser.until("document.querySelector('[role=slider]').getAttribute('aria-valuetext').includes('in the cloud, plays')", "a screen reader hears it")
    current = "document.querySelector('.event-row[aria-current] .event-time')?.textContent"
    for _ in range(count - 1):
        before = browser.until(current, "an event is marked")
        browser.key("]")
        browser.until(f"{current} && {current} !== {json.dumps(before)}", "the next one is marked")
    browser.key("]")
    browser.until(f"document.querySelector('.day h2').textContent === 'Today' && {ROWS}.length && {MARKED}.length === 0 && {current}", "the next one is of today and on the disk")
    assert browser.js("document.querySelector('.cloud-legend').hidden"), "a legend without a band"
    browser.key("[")
    browser.until(f"{MARKED}.length === {count} && {current}", "and back to yesterday")
    # A click on the list plays.
    browser.click(".event-row[aria-current]")
    browser.until(f"{VIDEO}.readyState >= 2", "a click on an event goes there")
    browser.click("#why-tab")
    browser.until("document.querySelector('.why .cloud-note')?.textContent.includes('plays from there')", "why says where it lies")


def month(browser, site):
    """The calendar counts the events of the day, and the wide view has the band by the day."""
    browser.go(address(site.starts[0], "month"))
    browser.until("document.querySelector('.cloud-legend:not([hidden])')", "the legend of a month")
    browser.click(".day-button")
    number = datetime.datetime.fromisoformat(site.starts[0][:19] + "+00:00").astimezone(zoneinfo.ZoneInfo(site.zone)).day
    browser.until(f"[...document.querySelectorAll('.calendar .days button')].some((cell) => cell.ariaLabel.startsWith('{number} ') && cell.ariaLabel.includes('{len(site.starts) + site.kept} events'))", "the day with its events")
    browser.key("Escape")


def keep(browser, site):
    """A clip of the cloud is brought to the disk: progress, giving up, an outage, and then it is a clip of the disk like any other."""
    settings = "[...document.querySelectorAll('.settings button')]"
    press = lambda word: browser.js(f"{settings}.find((button) => button.textContent === '{word}' && !button.hidden).click()")  # noqa: E731
    shown = lambda word: f"{settings}.some((button) => button.textContent === '{word}' && !button.hidden)"  # noqa: E731
    browser.go(address(site.starts[0]))
    browser.until(f"{VIDEO}?.readyState >= 2", "the past is there")
    count, rows = len(site.starts), len(site.starts) + site.kept
    browser.until(f"{MARKED}.length === {count} && {ROWS}.length === {rows}", "its events")
    stand(browser, 0)
    browser.click("#settings-tab")
    browser.until(shown("Clip at this moment"), "the button")
    press("Clip at this moment")
    browser.until(shown("Keep on the disk"), "what can be done")
    site.stall()
    try:
        press("Keep on the disk")
        # Another line tells of the store that does not answer, where something waits to be sent.
        way = "[...document.querySelectorAll('.settings [role=status]:not([hidden])')].some((line) => line.textContent.includes('{}'))"
        browser.until(way.format("brought to the disk: 0 %"), "how far it is")
        press("Give up")
        browser.until(f"{shown('Keep on the disk')} && !{way.format('brought to the disk')}", "it is given up")
    finally:
        site.heal()
    press("Keep on the disk")
    browser.until("[...document.querySelectorAll('.note')].some((note) => note.textContent.includes('on the disk as clip'))", "it is on the disk")
    browser.until(shown("Release"), "it is protected")
    browser.until("document.querySelector('.clip-cloud p')?.textContent === 'This clip is in the cloud.'", "the cloud has it too")
    assert not browser.js(shown("Send to the cloud")), "it is offered to be sent again"
    browser.click("#events-tab")
    browser.until(f"{MARKED}.length < {count} && {ROWS}.length === {rows}", "its event is of the disk now")
    browser.until(f"{VIDEO}?.readyState >= 2", "the picture is there")
    left = [event["start"] for event in site.told("front")]
    site.kept += len(site.starts) - len(left)
    site.starts = left


def clip(browser, site):
    """Of a clip that only the cloud has only what is possible is offered; deleted, it leaves band and list."""
    browser.go(address(site.starts[-1]))
    browser.until(f"{VIDEO}?.readyState >= 2", "the past is there")
    browser.until(f"{MARKED}.length === {len(site.starts)}", "its events")
    stand(browser, len(site.starts) - 1)
    browser.click("#settings-tab")
    open_ = "[...document.querySelectorAll('.settings button')].find((button) => button.textContent === 'Clip at this moment').click()"
    browser.until("[...document.querySelectorAll('.settings button')].some((button) => button.textContent === 'Clip at this moment')", "the button")
    browser.js(open_)
    browser.until("document.querySelector('.settings .cloud-note')?.textContent.includes('Clip in the cloud')", "what it is")
    words = browser.js("[...document.querySelectorAll('.settings button')].map((button) => button.textContent).join('|')")
    assert "Protect" not in words and "Delete from the cloud" in words, words
    browser.js("[...document.querySelectorAll('.settings button')].find((button) => button.textContent === 'Delete from the cloud').click()")
    browser.until("document.querySelector('dialog')?.textContent.includes('only copy')", "what is lost")
    browser.click("dialog .danger")
    site.until(lambda: len(site.told("front")) < len(site.starts), "it is gone")
    site.starts = [event["start"] for event in site.told("front")]
    browser.click("#events-tab")
    browser.until(f"{MARKED}.length === {len(site.starts)}", "the list follows")


def review(browser, site):
    """All events of all cameras, those of the cloud among them, each once and by time; a click plays."""
    browser.go("/events")
    rows = "[...document.querySelectorAll('.review .event-row')]"
    marked = f"{rows}.filter((row) => row.querySelector('.cloud-mark')).map((row) => row.querySelector('.event-camera').textContent)"
    # The demo goes on: the page and the daemon are compared until they agree.
    site.until(lambda: browser.js(f"{rows}.length") == site.count(), "each event once")
    shown = browser.js("[...document.querySelectorAll('.review li[data-event]')].map((row) => row.dataset.event)")
    assert len(set(shown)) == len(shown), shown
    told = browser.js(marked)
    assert told.count("front") == len(site.starts) and "gate" in told and "plain" not in told, told
    browser.js("document.querySelector('.review').lastElementChild.scrollIntoView()")
    browser.until("[...document.querySelectorAll('.review li:nth-last-child(-n+3) img')].every((image) => image.naturalWidth > 0)", "pictures of yesterday")
    # What has gone from the disk can be marked as seen, for its row is there; what was rebuilt cannot.
    assert browser.js(f"{rows}.filter((row) => row.querySelector('.cloud-mark')).every((row) => Boolean(row.nextElementSibling) === !row.parentElement.dataset.event.startsWith('cloud'))")
    browser.js("(() => { const s = document.querySelector('.filters select'); s.value = 'front'; s.dispatchEvent(new Event('change')); })()")
    site.until(lambda: browser.js(f"{rows}.length") == site.count("front"), "those of one camera")
    browser.js(f"{rows}.at(-1).click()")
    browser.until(PLAYING, "it plays")


def away(browser, site):
    """The store takes requests and answers none: the page says so in a line, shows what it has, and goes on by itself."""
    site.stall()
    try:
        browser.go("/events")
        browser.until("document.querySelectorAll('.review .event-row').length >= 4", "the events are there")
        browser.until(f"{LINE}?.textContent.includes('does not answer')", "one line that the cloud does not answer")
        assert browser.js("document.querySelectorAll('.cloud-line').length") == 1
        browser.until(f"{SEEN.format('.review')} >= 2", "the pictures of the disk are there")
        browser.go(address(site.starts[0]))
        browser.until(f"{MARKED}.length >= 2 && {LINE}", "a day has its events, and the line")
        browser.until("document.querySelector('.cloud-legend:not([hidden])')", "and its band")
        # Who waits for the store waits for a minute.
        browser.js("fetch('/v1/states').then(() => { window.isAnswered = true; }), true")
        browser.until("window.isAnswered", "nothing else waits for the store", 20)
    finally:
        site.heal()
    browser.until(f"!{LINE} && {SEEN.format('.day')} >= 2", "the pictures come when the cloud answers")
    # What was not played before is not in the daemon's cache.
    event = next(event for event in site.told("gate") if event["event"] and event["picture"])
    site.stall()
    try:
        browser.go(address(event["start"], seconds=1, camera="gate"))
        browser.until("document.querySelector('.veil:not([hidden])')?.textContent.includes('The cloud does not answer')", "the same in place of a picture")
    finally:
        site.heal()
    browser.click(".veil button")
    browser.until(PLAYING, "it plays when the cloud answers")


def plain(browser, site):
    """A camera without cloud costs no request of it, and loads nothing for it."""
    browser.go("/camera/plain?zoom=day")
    browser.until(f"{ROWS}.length", "its event")
    names = browser.js("performance.getEntriesByType('resource').map((one) => one.name)")
    # The settings were not opened: whatever names the cloud is about this.
    assert names and not [name for name in names if "/cloud" in name.replace("/app/cloud-past.js", "") or "past." in name.replace("/app/cloud-past.js", "")], names
    height = browser.js("document.querySelector('.timeline').clientHeight")
    browser.go(address(site.starts[0]))
    browser.until("document.querySelector('.cloud-legend')", "a camera with cloud")
    assert browser.js("document.querySelector('.timeline').clientHeight") > height == 68, height


def pictures(browser, site, shots, devices, fits):
    """Day, hour, month and review on two devices in two themes; axe finds nothing serious."""
    found = []
    have = len(site.starts)
    day = f"{MARKED}.length === {have} && {SEEN.format('.day')} >= Math.min({have}, 2) && document.querySelector('.cloud-legend:not([hidden])')"
    views = [
        ("past-minutes", address(site.starts[1], "120"), f"{day} && {VIDEO}.readyState >= 2"), ("past-day", address(site.starts[1], "day"), f"{day} && {VIDEO}.readyState >= 2"),
        ("past-month", address(site.starts[1], "month"), "document.querySelector('.cloud-legend:not([hidden])')"),
        ("past-two", address(site.starts[1], "hour", camera="front,gate"), f"{MARKED}.length === {have} && document.querySelector('.cloud-legend:not([hidden])')"),
        ("past-review", "/events", f"{SEEN.format('.review')} >= 3"), ("past-away", address(site.starts[0], "hour"), f"{LINE} && {MARKED}.length === {have}"),
    ]
    for device, (size, touch) in devices.items():
        browser.look(size, "dark", touch)
        for name, path, fact in views:
            if name == "past-away":
                site.proxy.fault = lambda *_: {"status": 503}
            browser.go(path)
            browser.until(f"Boolean({fact}) && !document.querySelector('main .waiting')", f"{name} stands on the {device}")
            for scheme in ("dark", "light"):
                browser.colours(scheme)
                browser.shot(f"{shots}/{name}-{device}-{scheme}.png")
                found += [f"{name} {device} {scheme}: {one}" for one in browser.violations()]
            fits(browser, f"{name} on the {device}")
            site.heal()
    browser.look(*devices["desktop"][:1], "dark")
    assert not found, "axe:\n" + "\n".join(sorted(set(found)))


MINE = [("past-timeline", timeline), ("past-month", month), ("past-review", review), ("past-plain", plain), ("past-away", away)]
NAMES = {name for name, _ in MINE} | {"past-keep", "past-clip", "past-pictures"}


def steps(browser, site, shots, devices, fits):
    """Each step with its name."""
    done = [(name, lambda step=step: step(browser, site)) for name, step in MINE]
    if isinstance(browser, Chromium):
        done += [("past-pictures", lambda: pictures(browser, site, shots, devices, fits))]
    return done + [("past-keep", lambda: keep(browser, site)), ("past-clip", lambda: clip(browser, site))]
