"""What Tests/cloud/run tries with --app: an app made of the examples of the library's page, at a daemon with a store that others wrote."""
import datetime
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "page"))
from cloud_of_test import MANAGE, CloudSite, day, occupied  # noqa: E402
from site_of_test import zone_of_noon  # noqa: E402

CACHE = 1 << 20
CONFIGURATION = """\
storage: {{ root: {folder}/root, maxSize: 2GB, reserve: 100MB }}
socket: {folder}/vigil.sock
http: {{ listen: 127.0.0.1:{port} }}
timezone: {zone}
policies: [ policies/ ]
cloud:
  store: {{ endpoint: "{store}", bucket: clips, prefix: shop, credential: store }}
  subscription: {{ url: "{plans}", credential: plans, retention: 7d }}
  cache: 1MiB
credentials:
  store: {{ env: STORE_KEY }}
  plans: {{ env: PLANS_TOKEN }}
cameras:
  front: {{ main: "{front}", policy: brief, detection: off }}
  garden: {{ main: "{yard}", policy: contacts, detection: off }}
  gate: {{ main: "rtsp://127.0.0.1:9/none", policy: brief }}
"""
RECORDING = "recording: { mode: event, sensitivity: 1, maxEventLength: 30s, preRoll: 2s }\n"
POLICIES = {
    # The next clip pushes the one before it off the disk, as soon as that was sent.
    "brief": f"name: brief\n{RECORDING}retention: {{ maxSize: 2MB }}\ncloud: {{ upload: events, keepLocal: untilUploaded }}\n",
    "contacts": f"name: contacts\n{RECORDING}retention: {{ events: 30d }}\ncloud: {{ upload: events, causes: [ source ] }}\n",
}
CLIPS = 4
HOLE_MS = 3_000


def ms(text):
    """Milliseconds since 1970 of an RFC 3339 time in UTC."""
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


class App:
    """The site, the app, and what was found."""

    def __init__(self, options, cameras):
        self.options, self.checked, self.failed = options, 0, 0
        self.program = pathlib.Path(options.vigil).with_name("cloud-example")
        if not os.access(self.program, os.X_OK):
            sys.exit(f"Tests/cloud/run: {self.program} is missing: swift build --product cloud-example")
        self.site = CloudSite(options.vigil, CONFIGURATION, POLICIES, zone=zone_of_noon(), **cameras)
        self.files = self.site.folder / "app"
        self.files.mkdir()

    def hold(self, is_true, what, seen=""):
        self.checked += 1
        if not is_true:
            self.failed += 1
            print(f"    FAILED app: {what}: {str(seen)[:800]}", flush=True)

    def start(self, *words, token=None):
        command = [self.program, self.site.address, self.files, *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"VIGIL_TOKEN": token or self.token})

    def run(self, *words, token=None):
        """The lines that the app prints, and whether it came to its end."""
        process = self.start(*words, token=token)
        try:
            out, err = process.communicate(timeout=240)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.hold(False, f"{words} ends", err)
        self.hold(process.returncode in (0, 1), f"{words} does not crash", (process.returncode, err[-600:]))
        return [json.loads(line) for line in out.splitlines()], process.returncode == 0

    def packets(self, path, kind="video"):
        """The times of what a movie shows, in order."""
        out = subprocess.run(["ffprobe", "-v", "error", "-select_streams", kind[0], "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0", str(path)],
                             capture_output=True, text=True, timeout=60).stdout
        # What is marked as discarded is for the decoder alone.
        return [line.split(",")[0] for line in out.splitlines() if line and "D" not in line]

    def try_all(self):
        self.token = self.site.daemon.token("app", "operator")
        self.states_without()
        self.record()
        self.states_with()
        self.away()
        self.played(self.listed())
        self.downloaded()
        self.queue()
        self.rights()
        self.fetched()

    # The six states

    def plan(self, camera, **told):
        self.site.tell_plans(**told)
        lines, _ = self.run("plan", camera)
        return lines[-1] if lines else {}

    def states_without(self):
        seen = self.plan("gate")
        self.hold(seen.get("state") == "noService" and "no plan" in seen["words"], "a camera without a plan", seen)
        seen = self.plan("gate", gate={"plan": "active", "activeUntil": day(30), "manageUrl": MANAGE})
        self.hold(seen.get("state") == "noData" and seen["link"] == MANAGE and seen["planEnd"], "a plan, and nothing stored", seen)
        seen = self.plan("gate", gate={"plan": "expired", "expiredAt": day(-1)})
        self.hold(seen.get("state") == "expiredNoData" and not seen["deletedAt"], "a plan that is over, and nothing stored", seen)
        self.site.tell_plans()

    def states_with(self):
        seen = self.plan("front")
        self.hold(seen.get("state") == "validData" and f"{CLIPS} clips" in seen["words"], "a plan, and clips", seen)
        ended = day(-2)
        seen = self.plan("front", front={"plan": "expired", "expiredAt": ended, "retentionDays": 7})
        gone = ms(seen.get("deletedAt") or ended) - ms(ended)
        self.hold(seen.get("state") == "expiredData" and gone == 7 * 86_400_000 and seen["deletedAt"] in seen["words"], "the day of the deletion", seen)
        seen = self.plan("front", test={"status": 500})
        self.hold("cannot be loaded" in seen.get("words", "") and "500" in seen["words"] and seen["state"] == "loadFailed", "a load that failed", seen)
        seen = self.plan("front")
        self.hold(seen.get("state") == "validData", "all is as before", seen)

    # What there is

    def record(self):
        """Clips with holes between them, of which all but the last leave the disk."""
        front = lambda: next(s for s in self.site.daemon.ask("/v1/states") if s["camera"] == "front")  # noqa: E731
        self.site.until(lambda: front()["link"] == "streaming", "the camera streams")
        for _ in range(CLIPS):
            clip = self.site.record("front", 4000)
            end = next(c["end"] for c in self.site.daemon.ask("/v1/clips?camera=front") if c["id"] == clip)
            # The pre-roll reaches back by two seconds of what has come, and by a key frame.
            self.site.until(lambda: self.newest("front") > ms(end) + HOLE_MS + 4_000, "a hole")
        self.site.until(lambda: len(self.slices()) == CLIPS and sum(s["clip"] < 0 for s in self.slices()) == CLIPS - 1, "clips leave the disk", 180)

    def newest(self, camera):
        """When the newest key frame of a camera was taken, in milliseconds since 1970."""
        head = subprocess.run(["curl", "-sf", "-o", "/dev/null", "-D", "-", "--max-time", "20", "--unix-socket", f"{self.site.daemon.folder}/vigil.sock",
                               f"http://vigil/v1/cameras/{camera}/live.jpg"], capture_output=True, text=True).stdout
        times = [line.split(": ", 1)[1].strip() for line in head.splitlines() if line.lower().startswith("vigil-at:")]
        return ms(times[0]) if times else 0

    def slices(self):
        return self.site.daemon.ask("/v1/cameras/front/cloud/slices?from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z")

    def away(self):
        """The store gives nothing: lists are there, and playing and downloads are refused in words."""
        self.site.proxy.fault = lambda method, *_: {"status": 503} if method == "GET" else None
        lines, well = self.run("day", "front")
        self.hold(well and len(lines[-1]["slices"]) == CLIPS, "days, clips and events are listed without the store", lines)
        lines, well = self.run("play", "front")
        self.hold(not well and lines[-1].get("tryAgain") and "store" in lines[-1]["error"], "playing says why it cannot, and that one may try again", lines[-1:])
        self.hold(not any("at" in line for line in lines), "nothing is shown", lines[:3])
        self.site.proxy.fault = lambda *_: None

    def listed(self):
        lines, _ = self.run("day", "front")
        told, slices = lines[-1], self.slices()
        self.hold(told["slices"] == [s["clip"] for s in slices], "the day's clips", told)
        stored = sum(ms(s["end"]) - ms(s["start"]) for s in slices)
        self.hold(abs(told["storedMs"] - stored) < 100 * CLIPS and told["events"] == CLIPS == len(told["listed"]), "the sum of the day", (told, stored))
        self.hold(ms(told["to"]) - ms(told["from"]) == 86_400_000, "its begin and end", told)
        self.hold(told["listed"] == sorted(told["listed"], reverse=True), "the newest event comes first", told)
        pictures = [self.files / f"event-{number}.jpg" for number in told["listed"]]
        self.hold(all(p.exists() and p.read_bytes()[:3] == b"\xff\xd8\xff" for p in pictures), "each event has its picture", pictures)
        return slices

    # Playing

    def played(self, slices):
        begun = time.monotonic()
        lines, well = self.run("play", "front")
        took = time.monotonic() - begun
        self.hold(well, "it plays to the end", lines[-1:])
        one = {key: value for line in lines if "at" not in line for key, value in line.items()}
        frames = [line for line in lines if "at" in line]
        pictures = [f["at"] for f in frames if f["kind"] == "video"]
        self.hold(len(set(pictures)) == len(pictures), "no picture comes twice", len(pictures) - len(set(pictures)))
        begin = one.get("event", 0)
        for slice_ in slices:
            start, end = ms(slice_["start"]), ms(slice_["end"])
            # An export ends where the slice does, to the millisecond, and may lack the frame at its edge.
            stored = len(self.packets(self.bucket_folder(slice_) / "video.cmfv"))
            seen = sum(start - 50 <= at < end + 50 for at in pictures)
            if start <= begin < end:
                skipped = round((begin - start) / (end - start) * stored)
                self.hold(stored - skipped - 3 <= seen <= stored, "the event's clip is shown from its begin", (seen, stored, skipped))
            else:
                self.hold(abs(seen - stored) <= 1, f"clip {slice_['clip']} is shown whole", (seen, stored))
        self.hold(one.get("holes") == CLIPS - 1, "it goes on over each hole", one)
        # At the end of the day nothing is shown any more, and the session is closed.
        self.hold(one.get("phase") == "ended", "the session is given back", one)
        sound = [number for number, line in enumerate(lines) if line.get("kind") == "audio"]
        on = next((number for number, line in enumerate(lines) if "muted" in line), len(lines))
        self.hold(sound and sound[0] > on, "it is silent until sound is wanted", (sound[:1], on))
        self.hold(one.get("held") == one.get("stillHeld") != 0, "a pause holds", one)
        shot = self.files / "snapshot.jpg"
        self.hold(shot.read_bytes()[:3] == b"\xff\xd8\xff" and one["stillHeld"] - 1_000 < one["snapshot"] <= one["after"], "the frame that is shown as a picture", one)
        # The first clip from the event on at its own speed, the others at four times that; a slow machine takes longer.
        lasts = [ms(s["end"]) - ms(s["start"]) for s in slices]
        speeds = [line["speed"] for line in lines if "speed" in line]
        self.hold(speeds == [4] * (CLIPS - 2), "the speed is kept over holes", speeds)
        self.hold((ms(slices[0]["end"]) - begin + sum(lasts[1:]) / 4) / 1000 - 0.5 <= took, "nothing is shown before its time", (took, lasts))
        kept = self.packets(self.files / "kept.mp4")
        inside = sum(one["keptFrom"] <= at < one["keptTo"] for at in pictures)
        self.hold(abs(len(kept) - inside) <= 1 and inside > 20 and not one["skipped"], "what was shown is kept", (len(kept), inside, one))
        self.hold(abs(one["keptFrom"] - one["keeps"]) == 0 and abs(one["keptTo"] - max(pictures)) <= 200, "from when to when", one)
        sessions = self.site.daemon.ask("/v1/sessions")
        self.hold(all(s["phase"] == "ended" for s in sessions if s["by"].startswith("app")), "no session is left", sessions)
        cache = sum(path.stat().st_size for path in pathlib.Path(self.site.daemon.folder, "root", "cloud").rglob("*") if path.is_file())
        self.hold(0 < cache <= CACHE, "what was read of the store is kept within its bound", cache)

    def bucket_folder(self, slice_):
        """Where the bucket has a clip."""
        job = self.job(slice_)
        return self.site.bucket / job["url"].split("/clips/", 1)[1].rsplit("/", 1)[0]

    def job(self, slice_):
        jobs = self.site.daemon.ask("/v1/uploads?camera=front&limit=1000")
        return next(job for job in jobs if abs(ms(job["start"]) - ms(slice_["start"])) < 10)

    def movie(self, start, end):
        return subprocess.run(["curl", "-sf", "--max-time", "60", "--unix-socket", f"{self.site.daemon.folder}/vigil.sock",
                               f"http://vigil/v1/cameras/front/play.mp4?from={start}&to={end}"], capture_output=True).stdout

    # Downloads

    def downloaded(self):
        lines, well = self.run("download", "front")
        told = {line["of"]: line for line in lines if "of" in line}
        self.hold(well and told["older"]["end"] == "superseded" and told["older"]["bytes"] < told["older"]["size"], "a newer download ends the older one", lines[-3:])
        parts = [line["newer"] for line in lines if "newer" in line]
        self.hold(len(parts) >= 2 and parts == sorted(parts) and parts[-1] == 1 and parts[0] < 1, "its progress", parts)
        self.hold(told["first"]["resumedAt"] == min(2 * told["first"]["pieceBytes"], told["older"]["size"]), "the older one goes on where it was", told)
        for name in ("first", "second"):
            wanted = self.movie(*told[name]["wanted"])
            have = (self.files / f"{name}.mp4").read_bytes()
            self.hold(told[name]["end"] == "done" and have == wanted and len(have) > 65_536, f"the {name} is there byte for byte", (told[name], len(have), len(wanted)))
        self.hold(told["third"]["end"] == "cancelled" and (self.files / "third.mp4").stat().st_size == told["first"]["pieceBytes"], "one is given up", told["third"])

    # The queue

    def queue(self):
        clip = self.site.record("garden", 1000)
        lines, well = self.run("send", "garden", str(clip), "for the insurance")
        job = self.site.job(clip)
        self.hold(well and job and job["note"] == "for the insurance" and lines[0]["url"] == job["url"], "a clip is sent with its note", (lines, job))
        self.hold("again" in lines[-1] and lines[-1]["again"] and lines[-1]["again"] != job["url"], "why it is not sent twice", lines)
        self.site.until(lambda: self.site.job(clip)["phase"] == "done", "it is there")
        # One fails, since its key holds something else; one waits, since the store is away.
        self.site.proxy.fault = occupied
        bad = self.site.record("garden", 1000)
        self.run("send", "garden", str(bad), "one")
        self.site.until(lambda: self.site.job(bad)["phase"] == "uploadFailed", "it fails")
        self.site.proxy.fault = lambda *_: {"status": 503}
        late = self.site.record("garden", 1000)
        self.run("send", "garden", str(late), "two")
        lines, well = self.run("clear", "garden")
        told = sorted(line.split(":")[0] for line in lines[-1]["lines"])
        self.hold(well and told == ["again", "given up"] and "other content" in str(lines), "what failed is tried again, what waits is given up", lines)
        self.site.proxy.fault = lambda *_: None
        self.site.daemon.ask("/v1/uploads/retry", method="POST")
        self.site.until(lambda: self.site.job(bad)["phase"] == "done" and self.site.job(late)["phase"] == "cancelled", "both end so")

    def rights(self):
        viewer = self.site.daemon.token("guest", "viewer", "--camera", "front")
        lines, well = self.run("plan", "front", token=viewer)
        self.hold(not well and not lines[-1]["tryAgain"], "a viewer may not ask the provider, and is told so", lines)
        lines, well = self.run("day", "garden", token=viewer)
        self.hold(not well and not lines[-1]["tryAgain"], "nor see another camera", lines)
        lines, well = self.run("day", "front", token=viewer)
        self.hold(well and len(lines[-1]["slices"]) == CLIPS, "but its own", lines)

    # Back to the disk

    def fetch(self, *words):
        """What `vigil cloud fetch` says, and how it ends."""
        done = self.fetching(*words)
        out, err = done.communicate(timeout=120)
        return done.returncode, out, err

    def fetching(self, *words, stderr=subprocess.PIPE):
        """`vigil cloud fetch` under way."""
        command = [self.options.vigil, "cloud", "fetch", "--socket", f"{self.site.daemon.folder}/vigil.sock", *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)

    def fetched(self):
        """Clips of the cloud come back as they were, and stay; what goes wrong leaves nothing."""
        root = pathlib.Path(self.site.daemon.folder, "root")
        alone = [s for s in self.slices() if s["clip"] < 0]
        first, second, third = (str(s["clip"]) for s in alone[:3])
        sums = lambda slice_: hashlib.sha256(self.movie(slice_["start"], slice_["end"])).hexdigest()  # noqa: E731
        before = sums(alone[0])
        job, stored = self.job(alone[0]), self.bucket_folder(alone[0])
        code, out, err = self.fetch("--", "-999999")
        self.hold(code == 1 and "it is not there" in err, "a clip that is not in the cloud is refused", (code, out, err))
        # Damage in the store, and a store that is away for a while.
        self.site.proxy.fault = lambda method, path, _: {"status": 404} if method == "GET" and "video.cmfv" in path else None
        code, out, err = self.fetch(first)
        self.hold(code == 3 and "no such object" in err, "an object that is gone is told", (code, out, err))
        media = stored / "video.cmfv"
        bytes_ = media.read_bytes()
        media.write_bytes(bytes_[:5000] + b"\0" + bytes_[5001:])
        self.site.proxy.fault = lambda *_: None
        code, out, err = self.fetch("--", first)
        self.hold(code == 3 and "SHA-256" in err, "bytes that are not those that were sent are told", (code, out, err))
        media.write_bytes(bytes_)
        left = [p for p in root.rglob("*") if "fetching" in p.parts and p.is_file()]
        self.hold(not left and self.slices()[0]["clip"] == alone[0]["clip"], "nothing is left of either", left)
        self.site.proxy.fault = lambda method, path, _: {"status": 503} if method == "GET" else None
        told = self.files / "told"
        with open(told, "w") as errors:
            waits = self.fetching("--", first, stderr=errors)
        self.site.until(lambda: told.read_text(), "who fetches is told")
        self.site.proxy.fault = lambda *_: None
        out, _ = waits.communicate(timeout=120)
        code, err = waits.returncode, told.read_text()
        self.hold(code == 0 and "protected" in out and "tried again" in err, "it waits for a store that is away", (code, out, err))
        now = self.slices()[0]
        self.hold(now["clip"] > 0 and sums(alone[0]) == before, "the clip plays the same from the disk", (now, out))
        clip = next(c for c in self.site.daemon.ask("/v1/clips?camera=front") if c["id"] == now["clip"])
        same = [(root / f"{job['url'].split('/shop/', 1)[1].rsplit('/', 1)[0]}.{end}").read_bytes() == (stored / name).read_bytes()
                for end, name in (("cmfv", "video.cmfv"), ("cmfa", "audio.cmfa")) if (stored / name).exists()]
        self.hold(clip["protected"] and same and all(same), "its files are what was sent, byte for byte, and protected", (clip, same))
        code, out, err = self.fetch("--", first)
        self.hold(code == 1 and f"as clip {now['clip']}" in err, "what the disk has is not fetched twice", (code, out, err))
        told = json.loads(self.fetch("--json")[1])
        self.hold([(f["clip"], f["phase"], f["kept"]) for f in told] == [(int(first), "kept", now["clip"])], "what was asked for is listed", told)
        # Given up, and ended with the daemon: nothing is left of either.
        self.site.proxy.fault = lambda method, path, _: {"status": 503} if method == "GET" else None
        waits = self.fetching("--", second, third)
        phases = lambda: [f["phase"] for f in self.site.daemon.ask("/v1/cloud/fetches")]  # noqa: E731
        self.site.until(lambda: phases() == ["kept", "fetching", "waiting"], "one is fetched, one waits")
        code, out, err = self.fetch("--cancel", "--", second)
        self.site.until(lambda: phases() == ["kept", "cancelled", "fetching"], "the next one begins")
        self.hold(code == 0 and "given up" in out, "one is given up", (code, out, err))
        code, out, err = self.fetch("--cancel", "--", third)
        out, err = waits.communicate(timeout=120)
        self.hold(waits.returncode == 3 and err.count("given up") == 2, "who waited is told", (waits.returncode, out, err))
        self.site.proxy.fault = lambda *_: None
        code, out, err = self.fetch("--", second, third)
        self.hold(code == 0 and out.count("on the disk") == 2, "asked again they come, one after the other", (code, out, err))
        viewer = self.site.daemon.token("looker", "viewer")
        refused = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST", "-H", f"Authorization: Bearer {viewer}",
                                  f"{self.site.address}/v1/clips/{first}/fetch"], capture_output=True, text=True).stdout
        self.hold(refused == "403", "a viewer may not", refused)


def main(options, cameras):
    begin = time.monotonic()
    app = App(options, cameras)
    try:
        app.try_all()
    finally:
        app.site.end()
    print(f"app: {app.checked} facts, {app.failed} failed; {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if app.failed else 0
