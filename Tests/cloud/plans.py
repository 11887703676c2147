"""What Tests/cloud/run tries with --plans: the plans of a provider through two months, with the daemon's wall clock moved on by faketime."""
import datetime
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "page"))
sys.path.insert(0, str(ROOT / "Tests" / "s3"))
import parts  # noqa: E402
from cloud_of_test import MANAGE, CloudSite  # noqa: E402
from site_of_test import end_child  # noqa: E402

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
SOON = 120  # seconds
# What the journal calls the six states.
WORDS = {
    "plan active, no recordings in the cloud yet": "noData", "plan active, recordings in the cloud": "validData",
    "plan ended, recordings still in the cloud": "expiredData", "plan ended, no recordings in the cloud": "expiredNoData",
}


class PlanSite(CloudSite):
    """A site whose wall clock `at` moves on, with a store that checks no times."""

    def __init__(self, vigil, camera):
        self.begin, self.ahead = int(time.time()), 0
        super().__init__(vigil, CONFIGURATION, POLICIES, camera=camera)

    def make_store(self):
        store = parts.Server("moto", self.folder)
        self.client = store.client()
        self.client.create_bucket(Bucket="clips")
        return store

    def tell_plans(self):
        self.tell({"plan": "none"})

    def start(self):
        self.clock, self.log = self.folder / "clock", pathlib.Path(self.daemon.folder) / "run.log"
        self.clock.write_text("+0\n")
        # The file holds how far ahead the clock is; it is read at each look at the clock.
        command = ["faketime", "--exclude-monotonic", "-f", "+0", "env", "-u", "FAKETIME", f"FAKETIME_TIMESTAMP_FILE={self.clock}",
                   "FAKETIME_NO_CACHE=1", *self.daemon._command()]
        with open(self.log, "ab") as log:
            self.daemon.process = subprocess.Popen(command, stdout=log, stderr=log, env=self.daemon.environment)
        self.until(self._is_up, "the camera streams", SOON)

    def _is_up(self):
        try:
            return self.daemon.ask("/v1/states")[0]["link"] == "streaming"
        except subprocess.CalledProcessError:
            return False

    def at(self, seconds):
        """The daemon's clock goes on from so many seconds after the begin of the trial; returns when the daemon has seen it."""
        seen = len(self.lines("wall clock stepped"))
        self.ahead = seconds
        new = self.clock.with_suffix(".new")
        new.write_text(f"+{self.begin + seconds - int(time.time())}\n")
        new.rename(self.clock)
        self.until(lambda: len(self.lines("wall clock stepped")) > seen, "the clock was moved on", SOON)

    def day(self, seconds):
        """The wall time so many seconds after the begin of the trial."""
        return datetime.datetime.fromtimestamp(self.begin + seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def tell(self, account):
        """The plan of which the provider tells from now on."""
        self.answer({"account": account})

    def keys(self):
        """The keys of the bucket that belong to clips."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="clips")
        return [entry["Key"] for page in pages for entry in page.get("Contents", []) if "/clips/" in entry["Key"]]

    def clips(self):
        """The folders of the bucket in which a clip is whole."""
        return {key.rsplit("/", 1)[0] for key in self.keys() if key.endswith("/clip.json")}

    def lines(self, word):
        """What the journal has said with this word in it."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if word in line]

    def end(self, stays=False):
        if self.daemon.process and self.daemon.process.poll() is None:
            end_child(self.daemon.process)
        if stays:
            print(f"left behind: {self.daemon.folder}")
            self.provider.kill()
            self.store.end()
        else:
            super().end()


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

    def comes(self, holds, what, seen):
        """A fact that comes within some time."""
        end = time.monotonic() + SOON
        while not (is_true := holds()) and time.monotonic() < end:
            time.sleep(0.2)
        self.hold(is_true, what, "" if is_true else seen())

    def reaches(self, state, what):
        """HTTP and CLI come to a state; gives what HTTP says."""
        self.comes(lambda: self.status()["state"] == state, what, self.status)
        told = self.status()
        shown = self.cli("status").stdout
        self.hold(told["words"] in shown, f"{what}: vigil cloud status has the words", (told["words"], shown))
        return told

    def refresh(self):
        done = self.cli("refresh")
        self.hold(done.returncode == 0, "vigil cloud refresh", done.stderr)

    def told(self, state, what, *words):
        """The newest line of the journal about the plan names the state and what belongs to it."""
        line = self.site.lines("cloud plan:")[-1]
        self.hold(self.state(line) == state and all(word[:16] in line for word in words), f"{what}: the journal says so", line)

    @staticmethod
    def state(line):
        """The state that a line of the journal tells."""
        return WORDS.get(re.search(r"cloud plan: (.+?), before: ", line)[1])

    def phase(self, clip):
        return (self.site.job(clip) or {}).get("phase")

    def goes(self, clip, what):
        """A clip comes to the bucket; gives it."""
        self.comes(lambda: self.phase(clip) == "done", what, lambda: self.site.job(clip))
        return clip

    def record(self):
        return self.site.record("front", 1500)

    def try_all(self):
        site = self.site
        self.reaches("noService", "without a plan there is no service")
        first = self.activated(10 * DAY)
        # The provider is down, and the plan that is known holds to its end.
        site.answer({"test": {"status": 500}})
        site.at(9 * DAY)
        self.refresh()
        told = self.reaches("loadFailed", "a provider that fails is told")
        self.hold("500" in (told["why"] or ""), "and why", told)
        second = self.goes(self.record(), "a clip goes while the provider is down and the plan lasts")
        # Its end comes; nobody has heard anything else.
        site.at(10 * DAY + HOUR)
        third = self.record()
        site.tell({"plan": "expired", "expiredAt": site.day(10 * DAY), "retentionDays": 7})
        self.refresh()
        told = self.reaches("expiredData", "the plan is over, and clips are there")
        self.hold((told["deletedAt"] or "")[:16] == site.day(17 * DAY)[:16], "the day on which they go: seven days later", told)
        self.told("expiredData", "the end", site.day(10 * DAY), site.day(17 * DAY))
        self.hold(self.phase(third) == "queued" and len(site.clips()) == 2, "after the end nothing is sent, and what is there stays", site.job(third))
        # Renewed before the seven days are over: nothing has gone, and what waited goes.
        site.at(14 * DAY)
        site.tell({"plan": "active", "activeUntil": site.day(20 * DAY), "retentionDays": 7})
        self.refresh()
        self.reaches("validData", "renewed in time")
        self.goes(third, "what waited goes")
        self.hold(len(site.clips()) == 3, "and nothing is lost", site.clips())
        # Renewed before its end: the old end passes without a word.
        site.tell({"plan": "active", "activeUntil": site.day(25 * DAY), "retentionDays": 7})
        self.refresh()
        self.comes(lambda: self.status()["planEnd"][:16] == site.day(25 * DAY)[:16], "the new end", self.status)
        site.at(21 * DAY)
        self.reaches("validData", "the old end passes")
        self.goes(fourth := self.record(), "and clips go")
        # It ends; seven days later all goes, and the disk keeps what it has.
        site.tell({"plan": "expired", "expiredAt": site.day(25 * DAY), "retentionDays": 7})
        site.at(25 * DAY + HOUR)
        self.refresh()
        self.reaches("expiredData", "it ends")
        site.at(32 * DAY - HOUR)
        self.reaches("expiredData", "an hour before the seven days are over")
        gone = site.clips()
        self.hold(len(gone) == 4, "all is there", gone)
        local = {clip["id"] for clip in site.daemon.ask("/v1/clips?camera=front")}
        site.at(32 * DAY + HOUR)
        self.reaches("expiredNoData", "after seven days nothing is left")
        self.comes(lambda: not site.keys(), "the bucket has nothing of it", site.keys)
        purged = site.lines("recordings go from the cloud")
        self.hold(len(purged) == 1 and "4 clips" in purged[0] and site.day(25 * DAY)[:16] in purged[0], "the journal tells once what went, and why", purged)
        self.hold({clip["id"] for clip in site.daemon.ask("/v1/clips?camera=front")} == local, "the disk keeps its clips")
        # Renewed afterwards: nothing is sent again unless asked.
        site.at(40 * DAY)
        site.tell({"plan": "active", "activeUntil": site.day(100 * DAY), "retentionDays": 7})
        self.refresh()
        self.reaches("noData", "renewed too late")
        done = self.cli("push", str(second))
        self.hold(done.returncode == 0, "vigil cloud push", done.stderr)
        self.goes(second, "what is asked for is sent again")
        # A provider that is down for a month.
        site.answer({"test": {"garbage": True}})
        for days in (41, 48, 55, 62, 71):
            site.at(days * DAY)
            self.goes(self.record(), f"a clip goes on day {days - 40} of a provider that is down")
        self.hold(len(site.lines("cloud plans cannot be checked")) == 2, "each outage of the provider is told once", site.lines("cloud plans cannot"))
        site.tell({"plan": "active", "activeUntil": site.day(100 * DAY), "retentionDays": 7})
        self.refresh()
        self.reaches("validData", "it answers again")
        self.hold(len(site.lines("cloud plans can be checked again")) == 2, "and each end", site.lines("cloud plans can be"))
        # The queue has sent six clips since then, and would have sent these before them.
        phases = [self.phase(clip) for clip in (first, third, fourth)]
        self.hold(len(site.clips() & gone) == 1 and phases == ["purged"] * 3, "nothing was sent again by itself", (site.clips() & gone, phases))
        self.steps()

    def activated(self, end):
        site = self.site
        site.tell({"plan": "active", "name": "Seven days", "activeUntil": site.day(end), "retentionDays": 7, "manageUrl": MANAGE})
        self.refresh()
        told = self.reaches("noData", "a plan, and nothing stored")
        self.hold((told["planEnd"] or "")[:16] == site.day(end)[:16] and told["manageUrl"] == MANAGE, "its end, and where it is managed", told)
        self.told("noData", "the plan", site.day(end))
        clip = self.goes(self.record(), "a clip goes to the cloud")
        told = self.reaches("validData", "a plan, and clips")
        self.hold(told["clips"] == 1, "how many", told)
        return clip

    def steps(self):
        """The states came in the order of the plans, and every step is replayed without a difference."""
        states = [self.state(line) for line in self.site.lines("cloud plan:")]
        self.hold(set(states) == {"noData", "validData", "expiredData", "expiredNoData"}, "each state was told", states)
        end_child(self.site.daemon.process)
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
    print(f"plans: {plans.checked} facts, {plans.failed} failed; {plans.site.ahead // DAY} days in {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if plans.failed else 0
