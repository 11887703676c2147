"""What Tests/cloud/run tries with --plans: the plans of a provider through two months, with the daemon's wall clock moved on by faketime."""
import datetime
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "page"))
sys.path.insert(0, str(ROOT / "Tests" / "s3"))
import parts  # noqa: E402
from cloud_of_test import MANAGE, TOKEN, CloudSite  # noqa: E402
from site_of_test import Daemon  # noqa: E402

CONFIGURATION = """\
storage: {{ root: {folder}/root, maxSize: 2GB, reserve: 100MB }}
socket: {folder}/vigil.sock
http: {{ listen: none }}
timezone: UTC
policies: [ policies/ ]
cloud:
  store: {{ endpoint: "{store}", bucket: clips, prefix: shop, credential: store }}
  subscription: {{ url: "{plans}", credential: plans, retention: 30d }}
credentials:
  store: {{ env: STORE_KEY }}
  plans: {{ env: PLANS_TOKEN }}
cameras:
  front: {{ main: "{camera}", policy: events, detection: off }}
"""
POLICIES = {"events": "name: events\nrecording: { mode: event, sensitivity: 1, maxEventLength: 10s, preRoll: 2s }\n"
                      "retention: { events: 365d }\ncloud: { upload: events }\n"}
HOUR, DAY = 3_600, 86_400
SOON = 30
# What the journal calls the six states.
WORDS = {
    "no cloud plan": "noService", "plan active, no recordings in the cloud yet": "noData", "plan active, recordings in the cloud": "validData",
    "plan ended, recordings still in the cloud": "expiredData", "plan ended, no recordings in the cloud": "expiredNoData",
}


class PlanSite(CloudSite):
    """A daemon whose clock `at` moves, a store that checks no times, and the provider."""

    def __init__(self, vigil, camera):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vigil-cloud-plans-"))
        self.clock, self.base, self.now = self.folder / "clock", int(time.time()), 0
        self.at(0)
        self.store = parts.Server("moto", self.folder)
        self.client = self.store.client()
        self.client.create_bucket(Bucket="clips")
        self.answers({"plan": "none"})
        self.provider = subprocess.Popen([sys.executable, ROOT / "Tests" / "cloud" / "provider", self.folder / "plans.json", "--token", TOKEN],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = self.provider.stdout.readline().split()[1]
        environment = {"STORE_KEY": f"{parts.KEYS['id']}:{parts.KEYS['secret']}", "PLANS_TOKEN": f"vigil:{TOKEN}"}
        self.daemon = Daemon(vigil, CONFIGURATION, POLICIES, environment, store=self.store.endpoint, plans=f"http://127.0.0.1:{port}",
                             camera=camera)
        self.log = pathlib.Path(self.daemon.folder) / "run.log"

    def start(self):
        # The file holds how far ahead the clock is; it is read at each look at the clock.
        command = ["faketime", "--exclude-monotonic", "-f", "+0", "env", "-u", "FAKETIME", f"FAKETIME_TIMESTAMP_FILE={self.clock}",
                   "FAKETIME_NO_CACHE=1", *self.daemon._command()]
        with open(self.log, "ab") as log:
            self.daemon.process = subprocess.Popen(command, stdout=log, stderr=log, env=self.daemon.environment)
        self.until(lambda: self._is_up(), "the camera streams", 30)

    def stop(self):
        """Ends the daemon in order. faketime has it as its child, and waits for it."""
        process = self.daemon.process
        if process and process.poll() is None:
            subprocess.run(["pkill", "-TERM", "-P", str(process.pid)], check=False)
            process.wait(60)

    def _is_up(self):
        try:
            return self.daemon.ask("/v1/states")[0]["link"] == "streaming"
        except subprocess.CalledProcessError:
            return False

    def at(self, seconds):
        """The daemon's clock is this many seconds after the begin of the trial, at least; it goes on from there."""
        self.now = seconds
        ahead = max(0, self.base + seconds - int(time.time()))
        new = self.clock.with_suffix(".new")
        new.write_text(f"+{ahead}\n")
        new.rename(self.clock)

    def day(self, seconds):
        """The wall time so many seconds after the begin of the trial."""
        return datetime.datetime.fromtimestamp(self.base + seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def answers(self, account=None, test=None):
        """What the provider answers from now on."""
        new = self.folder / "plans.json.new"
        new.write_text(json.dumps(({"account": account} if account else {}) | ({"test": test} if test else {})))
        new.rename(self.folder / "plans.json")

    def keys(self):
        """The folders of the bucket in which a clip is whole."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="clips")
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
        return {key.rsplit("/", 1)[0] for key in keys if key.endswith("/clip.json")}, keys

    def lines(self, word):
        """What the journal has said with this word in it."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if word in line]

    def end(self, stays=False):
        self.stop()
        self.provider.kill()
        self.provider.wait()
        self.store.end()
        if stays:
            print(f"left behind: {self.daemon.folder}")
        else:
            self.daemon.end()
            shutil.rmtree(self.folder, ignore_errors=True)


class Plans:
    """The site, and what was found."""

    def __init__(self, options, camera):
        self.options, self.checked, self.failed = options, 0, 0
        self.site = PlanSite(options.vigil, camera)

    def hold(self, is_true, what, seen=""):
        self.checked += 1
        if not is_true:
            self.failed += 1
            print(f"    FAILED plans: {what}: {str(seen)[:900]}", flush=True)

    def cli(self, *words):
        return subprocess.run([self.options.vigil, "cloud", *words, "--socket", f"{self.site.daemon.folder}/vigil.sock"], capture_output=True, text=True)

    def status(self):
        return self.site.daemon.ask("/v1/cloud")["cameras"][0]

    def reaches(self, state, what, seconds=SOON):
        """API, CLI and journal all come to a state; gives what the API says."""
        try:
            self.site.until(lambda: self.status()["state"] == state, what, seconds)
        except AssertionError:
            self.hold(False, what, self.status())
        told = self.status()
        self.hold(told["state"] == state, what, told)
        shown = self.cli("status").stdout
        self.hold(told["words"] in shown, f"{what}: vigil cloud status has the words", (told["words"], shown))
        return told

    def refresh(self):
        done = self.cli("refresh")
        self.hold(done.returncode == 0, "vigil cloud refresh", done.stderr)

    def told(self, state, what, *words):
        """The newest line of the journal about the plan names the state and what belongs to it."""
        self.site.until(lambda: self.site.lines("cloud plan:"), "the journal tells of plans")
        line = self.site.lines("cloud plan:")[-1]
        self.hold(self.state(line) == state and all(word[:16] in line for word in words), f"{what}: the journal says so", line)

    @staticmethod
    def state(line):
        """The state that a line of the journal tells."""
        return WORDS.get(re.search(r"cloud plan: (.+?), before: ", line)[1])

    def record(self, what, goes=True):
        """A clip; gives its job, which ends in the bucket where it goes."""
        clip = self.site.record("front", 1500)
        if goes:
            try:
                self.site.until(lambda: (self.site.job(clip) or {}).get("phase") == "done", what, 60)
            except AssertionError:
                pass
            self.hold((self.site.job(clip) or {}).get("phase") == "done", what, self.site.job(clip))
        return clip

    def try_all(self):
        site = self.site
        site.start()
        self.reaches("noService", "without a plan there is no service")
        first = self.activated(10 * DAY)
        # The provider is down, and the plan that is known holds to its end.
        site.answers(test={"status": 500})
        site.at(9 * DAY)
        self.refresh()
        told = self.reaches("loadFailed", "a provider that fails is told")
        self.hold("500" in (told["why"] or ""), "and why", told)
        second = self.record("a clip goes while the provider is down and the plan lasts")
        # Its end comes; nobody has heard anything else.
        site.at(10 * DAY + HOUR)
        waiting = self.record("", goes=False)
        time.sleep(5)
        self.hold(site.job(waiting)["phase"] == "queued", "after the end nothing is sent", site.job(waiting))
        self.hold(len(site.keys()[0]) == 2, "what is there stays for now", site.keys()[0])
        site.answers({"plan": "expired", "expiredAt": site.day(10 * DAY), "retentionDays": 7})
        self.refresh()
        told = self.reaches("expiredData", "the plan is over, and clips are there")
        self.hold((told["deletedAt"] or "")[:16] == site.day(17 * DAY)[:16], "the day on which they go: seven days later", told)
        self.told("expiredData", "the end", site.day(10 * DAY), site.day(17 * DAY))
        # Renewed before the seven days are over: nothing has gone, and what waited goes.
        site.at(14 * DAY)
        site.answers({"plan": "active", "activeUntil": site.day(20 * DAY), "retentionDays": 7})
        self.refresh()
        self.reaches("validData", "renewed in time")
        try:
            site.until(lambda: site.job(waiting)["phase"] == "done", "what waited goes", 60)
        except AssertionError:
            pass
        self.hold(site.job(waiting)["phase"] == "done" and len(site.keys()[0]) == 3, "what waited goes, and nothing is lost", site.job(waiting))
        # Renewed before its end: the old end passes without a word.
        site.answers({"plan": "active", "activeUntil": site.day(25 * DAY), "retentionDays": 7})
        self.refresh()
        site.until(lambda: self.status()["planEnd"][:16] == site.day(25 * DAY)[:16], "the new end")
        site.at(21 * DAY)
        time.sleep(3)
        self.reaches("validData", "the old end passes")
        # It ends; seven days later all goes, and the disk keeps what it has.
        site.answers({"plan": "expired", "expiredAt": site.day(25 * DAY), "retentionDays": 7})
        site.at(25 * DAY + HOUR)
        self.refresh()
        self.reaches("expiredData", "it ends")
        site.at(32 * DAY - HOUR)
        time.sleep(3)
        self.hold(len(site.keys()[0]) == 3, "an hour before the seven days are over all is there", site.keys()[0])
        local = {clip["id"] for clip in site.daemon.ask("/v1/clips?camera=front")}
        gone = site.keys()[0]
        site.at(32 * DAY + HOUR)
        self.reaches("expiredNoData", "after seven days nothing is left")
        try:
            site.until(lambda: not [key for key in site.keys()[1] if "/front/" in key], "the bucket has nothing of it", 60)
        except AssertionError:
            pass
        self.hold(not [key for key in site.keys()[1] if "/front/" in key], "the bucket has nothing of it", site.keys()[1])
        purged = site.lines("recordings go from the cloud")
        self.hold(len(purged) == 1 and "3 clips" in purged[0] and site.day(25 * DAY)[:16] in purged[0], "the journal tells once what went, and why", purged)
        self.hold({clip["id"] for clip in site.daemon.ask("/v1/clips?camera=front")} == local, "the disk keeps its clips")
        # Renewed afterwards: nothing is sent again unless asked.
        site.at(40 * DAY)
        site.answers({"plan": "active", "activeUntil": site.day(100 * DAY), "retentionDays": 7})
        self.refresh()
        self.reaches("noData", "renewed too late")
        time.sleep(10)
        phases = [site.job(clip)["phase"] for clip in (first, second, waiting)]
        self.hold(not site.keys()[0] & gone and phases == ["purged"] * 3, "nothing is sent again by itself", (site.keys()[0], phases))
        done = self.cli("push", str(second))
        try:
            site.until(lambda: len(site.keys()[0]) == 1, "what is asked for is sent again", 60)
        except AssertionError:
            pass
        self.hold(len(site.keys()[0]) == 1, "what is asked for is sent again", (done.stdout, done.stderr, site.job(second)))
        # A provider that is down for a month.
        site.answers(test={"garbage": True})
        for days in (41, 48, 55, 62, 71):
            site.at(days * DAY)
            self.record(f"a clip goes on day {days - 40} of a provider that is down")
        self.hold(len(site.lines("cloud plans cannot be checked")) == 2, "each outage of the provider is told once", site.lines("cloud plans cannot"))
        site.answers({"plan": "active", "activeUntil": site.day(100 * DAY), "retentionDays": 7})
        self.refresh()
        self.reaches("validData", "it answers again")
        self.hold(len(site.lines("cloud plans can be checked again")) == 2, "and each end", site.lines("cloud plans can be"))
        self.steps()

    def activated(self, end):
        site = self.site
        site.answers({"plan": "active", "name": "Seven days", "activeUntil": site.day(end), "retentionDays": 7, "manageUrl": MANAGE})
        self.refresh()
        told = self.reaches("noData", "a plan, and nothing stored")
        self.hold((told["planEnd"] or "")[:16] == site.day(end)[:16] and told["manageUrl"] == MANAGE, "its end, and where it is managed", told)
        self.told("noData", "the plan", site.day(end))
        clip = self.record("a clip goes to the cloud")
        told = self.reaches("validData", "a plan, and clips")
        self.hold(told["clips"] == 1, "how many", told)
        return clip

    def steps(self):
        """The states came in the order of the plans, and every step is replayed without a difference."""
        states = [self.state(line) for line in self.site.lines("cloud plan:")]
        self.hold(set(states) == {"noData", "validData", "expiredData", "expiredNoData"}, "each state was told", states)
        self.site.stop()
        again = subprocess.run([self.options.vigil, "replay", "--root", f"{self.site.daemon.folder}/root"], capture_output=True, text=True)
        self.hold(again.returncode == 0 and re.search(r"cloud subscriptions? and \d+ uploads", again.stdout),
                  "every step of cameras, plans and uploads is replayed without a difference", (again.returncode, again.stdout[-300:], again.stderr))
        print("    " + " → ".join(states), flush=True)


def main(options, cameras):
    begin = time.monotonic()
    plans = Plans(options, cameras["front"])
    try:
        plans.try_all()
    finally:
        plans.site.end(stays=options.keep or plans.failed or sys.exc_info()[0])
    print(f"plans: {plans.checked} facts, {plans.failed} failed; {plans.site.now // DAY} days in {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if plans.failed else 0
