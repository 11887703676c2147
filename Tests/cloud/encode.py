"""What Tests/cloud/run tries with --encode: what is made of clips that are there."""
import base64
import contextlib
import hashlib
import hmac
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

import parts
from live import Served

HERE = pathlib.Path(__file__).resolve().parent

POLICY = ("recording: { mode: event, sensitivity: 5, maxEventLength: 10s, preRoll: 2s }\n"
          "cloud: { upload: events, encode: ladder }\n")
CAMERAS = {"front": "h265-aac.mp4", "yard": "h264-opus.mkv"}
SIZES = {"front": ["720p", "360p"], "yard": ["360p"]}  # of pictures of 720 and of 360 lines


class Encode:
    """Clips are encoded by the local worker: whole, through a kill, cancelled, deleted, and of a file that is damaged. Goes before `Trial`."""

    def run(self):
        self.site.start()
        self.whole = {camera: self.one(camera) for camera in ("front", "yard")}
        self.killed()
        self.given_up()
        self.deleted()
        self.damaged()
        self.rebuilt()
        self.hold(self.site.stop() == 0, "the daemon ends well")
        self.site.ends.set()
        self.site.keeper.join()

    # What is in the bucket

    def keys(self, below=""):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="vigil", Prefix="shop/" + below)
        return {entry["Key"]: entry["Size"] for page in pages for entry in page.get("Contents", [])}

    def body(self, key):
        return self.client.get_object(Bucket="vigil", Key=key)["Body"].read()

    def encoded(self, key):
        return sorted(name.split("/encoded/")[1] for name in self.keys(key) if "/encoded/" in name)

    def queue(self):
        return self.site.ask("cloud", "queue", "--all", "--limit", "1000") or []

    def job(self, number):
        return [job for job in self.queue() if job["id"] == number][0]

    @staticmethod
    def key(job):
        return "clips/" + job["url"].split("/clips/", 1)[1].removesuffix("/index.m3u8")

    def record(self, camera):
        """A clip is recorded; gives its job, which is due."""
        before = {job["id"] for job in self.queue()}
        self.site.trigger(camera)
        new = lambda: [job for job in self.queue() if job["id"] not in before and job["queued"]]  # noqa: E731
        self.site.wait(new, 120, f"{camera}: no clip was recorded")
        return new()[0]

    # An encoder has only what others leave of the processors: beside other checks that is little.
    def until(self, job, phase, seconds=1200):
        self.site.wait(lambda: self.job(job["id"])["phase"] == phase, seconds, f"job {job['id']} is not {phase}: {self.job(job['id'])}")

    # What is tried

    def one(self, camera):
        """A clip becomes a ladder."""
        job = self.record(camera)
        self.until(job, "done")
        self.check(camera, self.key(job))
        return job

    def check(self, camera, key):
        sound = ["audio.cmfa", "audio.m3u8"] if camera == "yard" else []
        names = sorted(sound + ["index.m3u8"] + [name + end for name in SIZES[camera] for end in (".cmfv", ".m3u8")])
        self.hold(self.encoded(key) == names, f"{key} has its copies", self.encoded(key))
        copy = self.folder / f"copy-{camera}"
        for name in self.keys(key):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(self.body(name))
        own = copy / "shop" / key
        want = self.packets(own / "video.cmfv")["video"]
        with Served(copy) as address:
            for name in SIZES[camera]:
                seen = self.packets(f"{address}/shop/{key}/encoded/{name}.m3u8")
                self.hold(seen == {"video": want}, f"{key} {name} has every picture", (seen, want))
            seen = self.packets(f"{address}/shop/{key}/encoded/index.m3u8")
            self.hold(seen.get("video") == want and seen.get("audio", 0) > 0, f"{key} plays by encoded/index.m3u8", (seen, want))
            shown = json.loads(subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-of", "json", f"{address}/shop/{key}/encoded/index.m3u8"],
                                              capture_output=True, text=True, timeout=60).stdout or "{}").get("streams", [])
            self.hold(sorted({s["codec_name"] for s in shown}) == ["aac", "h264"], f"{key} is H.264 and AAC", shown)
            complaints = subprocess.run(["ffmpeg", "-v", "warning", "-i", f"{address}/shop/{key}/encoded/index.m3u8", "-f", "null", "-"],
                                        capture_output=True, text=True, timeout=120).stderr
            self.hold(not re.search("error|invalid|corrupt|concealing", complaints, re.I), f"{key} is decoded without a complaint", complaints)
        lists = (own / "index.m3u8").read_text()
        self.hold(all(f"encoded/{name}.m3u8" in lists for name in SIZES[camera]) and lists.rstrip().endswith("\nvideo.m3u8"),
                  f"{key}: the clip's own list names the copies and what was recorded", lists)
        self.hold("EXT-X-PROGRAM-DATE-TIME" in (own / "encoded" / f"{SIZES[camera][0]}.m3u8").read_text(), f"{key}: the copies tell the time of day")

    @contextlib.contextmanager
    def stuck(self):
        """The store takes nothing that was encoded: the worker is in the middle."""
        self.proxy.fault = lambda method, path, _: {"cut_at": 0} if method == "PUT" and "/encoded/" in path else None
        yield
        self.proxy.fault = lambda *_: None

    def killed(self):
        """kill -9 in the middle: the clip is encoded anew."""
        with self.stuck():
            job = self.record("front")
            self.until(job, "encoding")
            self.site.wait(lambda: list((self.site.root / "encoding").rglob("*.cmfv")), 120, "nothing is encoded")
            self.site.kill()
        self.site.start()
        self.until(job, "done")
        self.check("front", self.key(job))
        self.hold(not list((self.site.root / "encoding").rglob("*")), "nothing of the encoder is left on the disk")

    def given_up(self):
        """Somebody cancels it in the middle: the copies go, the clip stays."""
        with self.stuck():
            job = self.record("front")
            self.until(job, "encoding")
            self.site.wait(lambda: list((self.site.root / "encoding").rglob("*.cmfv")), 120, "nothing is encoded")
            done = subprocess.run([self.site.vigil, "cloud", "cancel", str(job["id"]), "--socket", self.site.socket], capture_output=True, text=True)
            self.hold(done.returncode == 0, "encoding can be cancelled", done.stderr)
            self.until(job, "cancelled")
        key = self.key(job)
        self.site.wait(lambda: not list((self.site.root / "encoding").rglob("*")), 120, "the encoder goes on")
        self.hold(not self.encoded(key) and f"shop/{key}/clip.json" in self.keys(key), "the copies go, and the clip stays", list(self.keys(key)))
        self.hold("encoded/" not in self.body(f"shop/{key}/index.m3u8").decode(), "the clip's list names no copies")

    def deleted(self):
        """A person deletes a clip: its copies go with it. One while it is encoded, too."""
        job = self.whole["yard"]
        with self.stuck():
            other = self.record("front")
            self.until(other, "encoding")
            self.site.wait(lambda: list((self.site.root / "encoding").rglob("*.cmfv")), 120, "nothing is encoded")
            for each in (job, other):
                gone = subprocess.run([self.site.vigil, "delete", str(each["clip"]), "--yes", "--socket", self.site.socket], capture_output=True, text=True)
                self.hold(gone.returncode == 0, "a clip with copies can be deleted", gone.stderr)
                self.site.wait(lambda: not self.keys(self.key(each)), 120, f"something is left of a deleted clip: {list(self.keys(self.key(each)))}")

    def damaged(self):
        """A file that cannot be decoded fails four times, and is encoded after all when it is whole and somebody asks."""
        with self.stuck():
            job = self.record("front")
            self.until(job, "encoding")
            path = self.site.root / (self.key(job) + ".cmfv")
            whole = path.read_bytes()
            at = whole.index(b"mdat", whole.index(b"moof"))
            path.write_bytes(whole[:at - 4] + bytes(len(whole) - at + 4))
            self.site.kill()
        begin = time.monotonic()
        self.site.start()
        self.until(job, "encodingFailed", 600)
        failed = self.job(job["id"])
        self.hold(failed["why"] and time.monotonic() - begin > 200, "it fails after four tries, and says why", failed)
        self.hold(re.search(r"upload failed.*job %d\b" % job["id"], self.site.log.read_text()), "the journal tells it")
        path.write_bytes(whole)
        done = subprocess.run([self.site.vigil, "cloud", "retry", str(job["id"]), "--socket", self.site.socket], capture_output=True, text=True)
        self.hold(done.returncode == 0, "encoding can be tried again", done.stderr)
        self.until(job, "done")
        self.check("front", self.key(job))

    def rebuilt(self):
        """An empty machine finds every clip, whatever lies beside it."""
        clips = {key.split("/clip.json")[0] for key in self.keys("clips/") if key.endswith("/clip.json")}
        other = type(self.site)(self.options.vigil, self.folder / "elsewhere", self.urls, self.proxy.endpoint, records=False)
        try:
            other.start()
            found = other.ask("cloud", "rebuild") or {}
            self.hold((found.get("entered"), found.get("leftOut")) == (len(clips), 0), "an empty machine finds every clip", (found, clips))
        finally:
            other.ends.set()
            other.kill()

    # What was found

    def judge(self):
        log = self.site.log.read_text()
        for job in self.whole.values():
            for stage in ("queued", "uploading", "encoding"):
                self.hold(re.search(rf"upload: {stage}, clip \d+, job {job['id']}\b", log), f"job {job['id']}: {stage} was told")
            self.hold(re.search(rf"upload done: clip \d+, job {job['id']}\b", log), f"job {job['id']}: done was told")
        again = subprocess.run([self.options.vigil, "replay", "--root", str(self.site.root)], capture_output=True, text=True)
        self.hold(again.returncode == 0, "every step is replayed without a difference", again.stdout[-300:] + again.stderr)
        done = subprocess.run([self.options.vigil, "fsck", "--deep", "--root", str(self.site.root)], capture_output=True, text=True)
        self.hold(done.returncode == 0, "fsck --deep finds nothing", done.stdout + done.stderr)
        self.receiver.end()
        return len(self.whole)

    def summary(self):
        return "clips encoded whole, through a kill, cancelled, deleted, and of a damaged file"


class Encoder:
    """A remote encoder (Tests/cloud/encoder), and where it tells of its jobs."""

    def __init__(self, folder):
        self.todo, self.log = folder / "encoder.json", folder / "encoder.log"
        self.secret = "whsec_" + base64.b64encode(os.urandom(32)).decode()
        self.notices = parts.free_port()
        self.answer()
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([sys.executable, str(HERE / "encoder"), str(self.todo), "--secret", self.secret, "--notices",
                                             f"http://127.0.0.1:{self.notices}/v1/encoder/notices"], stdin=subprocess.PIPE, stdout=log)
        deadline = time.monotonic() + 30
        while not self.log.read_text().startswith("ready "):
            if time.monotonic() > deadline:
                raise SystemExit("Tests/cloud/run: the encoder did not start within 30 s")
            time.sleep(0.1)
        self.url = f"http://127.0.0.1:{self.log.read_text().split()[1]}"

    def answer(self, **todo):
        new = self.todo.with_suffix(".new")
        new.write_text(json.dumps(todo))
        new.rename(self.todo)

    def heard(self, method=None):
        lines = [json.loads(line) for line in self.log.read_text().splitlines()[1:]]
        return [line for line in lines if line.get("method") == method]

    def keys(self):
        """The keys of the orders, each once."""
        return list(dict.fromkeys(line["key"] for line in self.heard("POST")))

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(10)


class Remote(Encode):
    """A remote encoder makes the copies: told, polled, forged, killed, cancelled, failing, away. Goes before `Trial`."""

    def run(self):
        self.site.start()
        self.whole = {camera: self.one(camera) for camera in ("front", "yard")}
        told = [line for line in self.encoder.heard() if line["state"] == "finished"]
        self.hold(told and all(line["status"] == 204 for line in told), "what the encoder tells is taken", told)
        self.polled()
        self.forged()
        self.restarted()
        self.stopped()
        self.away_for_a_while()
        self.failing()
        self.rebuilt()
        self.hold(self.site.stop() == 0, "the daemon ends well")
        self.site.ends.set()
        self.site.keeper.join()

    def polled(self):
        """An encoder that tells nothing is asked."""
        self.encoder.answer(quiet=True)
        job = self.record("front")
        self.until(job, "done")
        self.check("front", self.key(job))
        self.encoder.answer()

    def notice(self, body, secret, sent=None):
        """The status with which the daemon answers a notice."""
        body, sent = json.dumps(body).encode(), str(int(sent or time.time()))
        mark = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), b"m1." + sent.encode() + b"." + body, hashlib.sha256).digest()
        request = urllib.request.Request(f"http://127.0.0.1:{self.encoder.notices}/v1/encoder/notices", data=body, method="POST", headers={
            "webhook-id": "m1", "webhook-timestamp": sent, "webhook-signature": "v1," + base64.b64encode(mark).decode()})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def forged(self):
        """Who does not know the secret, or sends what was sent long ago, changes nothing."""
        self.encoder.answer(hold=True)
        job = self.record("front")
        self.until(job, "encoding")
        key = lambda: next((k for k in self.encoder.keys() if k.startswith(self.key(job))), None)  # noqa: E731
        self.site.wait(key, 120, "the encoder has no order")
        says = {"job": "x", "key": key(), "state": "failed", "why": "forged"}
        other = "whsec_" + base64.b64encode(os.urandom(32)).decode()
        self.hold(self.notice(says, other) == 401, "another signature is refused")
        self.hold(self.notice(says, self.encoder.secret, time.time() - 900) == 401, "an old notice is refused")
        self.hold(self.notice(says | {"state": "well"}, self.encoder.secret) == 400, "a notice that is none is refused")
        self.hold(self.notice(says | {"key": "x"}, self.encoder.secret) == 404, "a notice of another job is refused")
        self.hold(self.job(job["id"])["why"] is None, "none of them changes anything", self.job(job["id"]))
        self.encoder.answer()
        self.until(job, "done")

    def restarted(self):
        """kill -9 while the encoder works: it is polled, and nothing is ordered twice."""
        self.encoder.answer(hold=True)
        job = self.record("front")
        self.until(job, "encoding")
        mine = lambda: [k for k in self.encoder.keys() if k.startswith(self.key(job))]  # noqa: E731
        self.site.wait(mine, 120, "the encoder has no order")
        time.sleep(1)
        self.site.kill()
        self.encoder.answer(quiet=True)
        self.site.start()
        self.until(job, "done")
        self.check("front", self.key(job))
        self.hold(len(mine()) == 1, "a job is ordered once", mine())
        self.encoder.answer()

    def stopped(self):
        """Somebody cancels it: the encoder is told."""
        self.encoder.answer(hold=True)
        job = self.record("front")
        self.until(job, "encoding")
        self.site.wait(lambda: any(k.startswith(self.key(job)) for k in self.encoder.keys()), 120, "the encoder has no order")
        done = subprocess.run([self.site.vigil, "cloud", "cancel", str(job["id"]), "--socket", self.site.socket], capture_output=True, text=True)
        self.hold(done.returncode == 0, "encoding can be cancelled", done.stderr)
        self.site.wait(lambda: self.encoder.heard("DELETE"), 120, "the encoder is not told that nobody wants it")
        self.until(job, "cancelled")
        self.encoder.answer()
        self.hold(not self.encoded(self.key(job)) and f"shop/{self.key(job)}/clip.json" in self.keys(self.key(job)), "the clip stays, without copies")

    def away_for_a_while(self):
        """An encoder that asks to wait costs no try."""
        self.encoder.answer(status=503)
        job = self.record("front")
        self.until(job, "encoding")
        self.site.wait(lambda: self.job(job["id"])["why"], 120, "nobody says that the encoder is away")
        self.hold("asks to wait" in self.job(job["id"])["why"], "the job says so", self.job(job["id"]))
        self.encoder.answer()
        self.until(job, "done")
        self.hold(all(k.endswith(".0") for k in self.encoder.keys() if k.startswith(self.key(job))), "it is still the first try", self.encoder.keys())

    def failing(self):
        """Four tries fail in four ways; then it rests until somebody asks."""
        ways = [({"fail": "no room"}, "the encoder failed: no room"), ({"bare": True}, "is not in the store"), ({"body": "no JSON"}, "not JSON"),
                ({"fail": "again"}, "the encoder failed: again")]
        self.encoder.answer(**ways[0][0])
        job = self.record("front")
        for way, words in ways:
            self.encoder.answer(**way)
            self.site.wait(lambda: words in (self.job(job["id"])["why"] or ""), 300, f"{way}: {self.job(job['id'])}")
        self.until(job, "encodingFailed")
        self.encoder.answer()
        keys = [k for k in self.encoder.keys() if k.startswith(self.key(job))]
        self.hold(len(keys) == 4, "each try has a key of its own", keys)
        done = subprocess.run([self.site.vigil, "cloud", "retry", str(job["id"]), "--socket", self.site.socket], capture_output=True, text=True)
        self.hold(done.returncode == 0, "encoding can be tried again", done.stderr)
        self.until(job, "done")
        self.check("front", self.key(job))
        self.hold(self.encoder.secret not in self.site.log.read_text(), "the journal does not show the secret")

    def summary(self):
        return "a remote encoder told, was polled, forged, killed, cancelled, away and failing"
