"""What Tests/cloud/run tries with --encrypt: clips that are encrypted with a key that stays at home."""
import base64
import hashlib
import json
import pathlib
import re
import subprocess
import time

from encode import Encode
from live import Served

POLICY = ("recording: { mode: event, sensitivity: 5, maxEventLength: 10s, preRoll: 2s }\n"
          "cloud: { upload: events }\n")
LIVE = ("name: live\nrecording: { mode: event, sensitivity: 5, maxEventLength: 180s, preRoll: 2s }\n"
        "cloud: { upload: events, live: true }\n")
PIECES = 3  # of video, before the kill
SLICE = 320  # two periods of the pattern: of one block of ten 16 bytes are encrypted
SOUND_SLICE = 48


def encrypt(site, **files):
    """Has a site encrypt with the key of a file, or with another one than before."""
    path = site.folder / "vigil.yaml"
    text = re.sub(r"  encryption: .*\n", "", path.read_text())
    names = ", ".join(f"{key}: {value}" for key, value in files.items())
    path.write_text(text.replace("cloud:\n", f"cloud:\n  encryption: {{ {names} }}\n", 1))


class Encrypt:
    """A key is made, backed up and used; what lies in the bucket shows nothing, and comes back whole. Goes before `Trial`."""

    keys, body, queue, job, record, until = Encode.keys, Encode.body, Encode.queue, Encode.job, Encode.record, Encode.until
    key = staticmethod(Encode.key)

    def vigil(self, *words, input=None):
        return subprocess.run([self.options.vigil, *words], input=input, capture_output=True, text=True, timeout=120)

    def run(self):
        (self.site.folder / "policies" / "live.yaml").write_text(LIVE)
        path = self.site.folder / "vigil.yaml"
        path.write_text(re.sub(r"(front: .*)policy: events", r"\1policy: live", path.read_text()))
        encrypt(self.site, keyFile="site.key")
        self.file = self.site.folder / "site.key"
        self.site.start()
        self.begun()
        self.one = [self.whole(), self.whole()]
        self.live = self.killed()
        self.site.wait(lambda: self.site.ask("cloud", "queue") == [], 120, "the queue is not empty")
        self.jobs = [job for job in self.queue() if job["phase"] == "done"]
        self.site.wait(lambda: self.listed_clips() == self.stored_clips(), 120, "the lists of days are not as the catalog")
        self.told()
        self.exported = {self.key(job): self.export(self.site, job) for job in self.jobs}
        self.pictures = self.shown(self.site)
        self.hidden()
        self.played()
        self.elsewhere()
        self.changed()
        self.hold(self.site.stop() == 0, "the daemon ends well")
        self.site.ends.set()
        self.site.keeper.join()

    # The key

    def begun(self):
        """Nothing is sent before there is a key, and before somebody has confirmed its backup."""
        checked = self.vigil("check", str(self.site.folder / "vigil.yaml"))
        self.hold(checked.returncode == 0 and "vigil cloud key create" in checked.stdout, "check says that there is no key", checked.stdout)
        first = self.record("yard")
        why = lambda: (self.site.ask("cloud", "status") or {}).get("why") or ""  # noqa: E731
        self.hold("the key file" in why(), "the status says that there is no key", why())
        made = self.vigil("cloud", "key", "create", str(self.file))
        self.code = "\n".join(line for line in made.stdout.splitlines() if line.startswith("    "))
        self.hold(made.returncode == 0 and len(self.code.split()) == 14, "a key is made, and its recovery code told", made.stdout)
        self.hold(oct(self.file.stat().st_mode)[-3:] == "600", "nobody else may read it", oct(self.file.stat().st_mode))
        self.hold(self.vigil("cloud", "key", "create", str(self.file)).returncode == 1, "it is not made twice")
        self.site.wait(lambda: "vigil cloud key confirm" in why(), 120, "the status does not ask for the backup")
        checked = self.vigil("check", str(self.site.folder / "vigil.yaml"))
        self.hold("vigil cloud key confirm" in checked.stdout, "check asks for the backup", checked.stdout)
        second = self.record("yard")
        time.sleep(4)
        self.hold(self.keys() == {} and self.job(first["id"])["phase"] == self.job(second["id"])["phase"] == "queued",
                  "nothing is sent", list(self.keys()))
        text = self.file.read_text()
        self.secret = bytes.fromhex(re.search(r"^key ([0-9a-f]{64})$", text, re.M)[1])
        self.id = hashlib.sha256(self.secret).hexdigest()[:16]
        wrong = self.vigil("cloud", "key", "confirm", str(self.file), input=self.code.replace("A", "C").replace("B", "A"))
        self.hold(wrong.returncode == 1 and "paper" in wrong.stderr, "a slip of the pen is told", wrong.stderr)
        itself = self.vigil("cloud", "key", "confirm", str(self.file), "--from", str(self.file))
        self.hold(itself.returncode == 1 and "no backup" in itself.stderr, "the file is no backup of itself", itself.stderr)
        done = self.vigil("cloud", "key", "confirm", str(self.file), input=self.code.lower() + "\n")
        self.hold(done.returncode == 0, "the backup is confirmed", done.stderr)
        self.site.wait(lambda: not why(), 120, "the queue is still shut")
        for job in (first, second):
            self.until(job, "done")
        status = self.site.ask("cloud", "status")["encryption"]
        self.hold(status["keyId"] == self.id and re.fullmatch(r"\d{4}-\d\d-\d\d", status["backup"] or ""), "the status tells of the key", status)
        log = self.site.log.read_text()
        told = re.findall(r"nothing is sent to the cloud: .*", log)
        self.hold(len(told) == 2 and "confirm" in told[1] and log.count("clips are sent to the cloud again") == 1, "the journal says each once", told)
        # Read by others it is refused, and nothing is sent.
        self.file.chmod(0o644)
        self.site.wait(lambda: "chmod 600" in why(), 120, "a key that others may read is used")
        self.file.chmod(0o600)
        self.site.wait(lambda: not why(), 120, "the key is not used again")

    # Sending

    def whole(self):
        """A clip that is sent when it is closed."""
        job = self.record("yard")
        self.until(job, "done")
        return job

    def killed(self):
        """A clip that is sent while it is recorded, through a kill -9."""
        self.site.source("front", "--on")
        pieces = lambda: sorted(key for key in self.keys("clips/front") if re.search(r"video\.\d{6}\.cmfv$", key))  # noqa: E731
        self.site.wait(lambda: len(pieces()) >= PIECES, 120, "no pieces came while the clip was recorded")
        self.site.kill()
        before = {key: self.body(key) for key in pieces()}
        folder = pieces()[0].rsplit("/", 1)[0] + "/"
        live = json.loads(self.body(folder + "live.json"))
        self.hold(live["format"] == 2 and live["encryption"]["keyId"] == self.id and "ended" not in live, "live.json says how it is encrypted",
                  live.get("encryption"))
        self.hold("METHOD=SAMPLE-AES" in self.body(folder + "video.m3u8").decode(), "so does the list that grows")
        self.site.start()
        self.site.wait(lambda: folder + "clip.json" in self.keys(), 120, "the clip that was cut short did not arrive")
        self.hold(all(self.body(key) == body for key, body in before.items()), "pieces of before the kill are as they were")
        return folder

    # What the bucket shows

    def local(self, key):
        return {path.suffix: path for path in (self.site.root / key).parent.glob(key.rsplit("/", 1)[1] + ".cmf?")}

    def media(self, key):
        """What is in the bucket of each track, in one piece."""
        description = json.loads(self.body(f"shop/{key}/clip.json"))
        found = {}
        for track in description["tracks"]:
            whole = b""
            for one in track["objects"]:
                body = self.body(f"shop/{key}/{one['name']}")
                self.hold(len(body) == one["bytes"] and hashlib.sha256(body).hexdigest() == one["sha256"], f"{key} {one['name']} is as described")
                whole += body
            plain = self.local(key)[".cmfv" if track["kind"] == "video" else ".cmfa"].read_bytes()
            self.hold(track["bytes"] == len(plain) and track["sha256"] == hashlib.sha256(plain).hexdigest(), f"{key} {track['kind']}: the description has the plain digest")
            found[track["kind"]] = whole
        self.hold(description["format"] == 2 and description["encryption"]["scheme"] == "cbcs", f"{key} says that it is encrypted", description["encryption"])
        self.hold(all(e["picture"].endswith(".jpg.aes") for e in description["events"] if e.get("picture")), f"{key} has sealed pictures", description["events"])
        return found

    @staticmethod
    def slices(path, kind):
        """The ends of frames: of pictures what is not their headers."""
        length = SLICE if kind == "v" else SOUND_SLICE
        out = subprocess.run(["ffprobe", "-v", "error", "-select_streams", kind, "-show_entries", "packet=pos,size", "-of", "csv=p=0", str(path)],
                             capture_output=True, text=True, timeout=60).stdout
        content, found = path.read_bytes(), []
        for line in out.splitlines():
            size, pos = (int(word) for word in line.split(",")[:2])
            if size > 2 * length + 128:
                found.append(content[pos + size - length - 16:pos + size - 16])
        return found

    def hidden(self):
        """No frame, no picture and no key is in the bucket, and no key anywhere but in its file."""
        bodies = {key: self.body(key) for key in self.keys()}
        for key, body in bodies.items():
            if key.endswith(".aes"):
                self.hold(body[:4] == b"VGP1", f"{key} is sealed", body[:8])
            self.hold(not key.endswith(".jpg") and b"JFIF" not in body and body[:3] != b"\xff\xd8\xff", f"{key} is no picture")
        self.hold(any(key.endswith(".aes") for key in bodies), "there are pictures")
        everything, looked = b"\0".join(bodies.values()), 0
        for job in self.jobs:
            for suffix, path in self.local(self.key(job)).items():
                for one in self.slices(path, suffix[-1]):
                    looked += 1
                    if one in everything:
                        self.hold(False, f"no frame of {path.name} is in the bucket")
        self.hold(looked > 200, "frames were looked for", looked)
        self.looked = looked
        places = {str(p): p.read_bytes() for p in self.site.root.rglob("*") if p.is_file()} | {"the journal": self.site.log.read_bytes(), "the bucket": everything}
        forms = [self.secret, self.secret.hex().encode(), base64.b64encode(self.secret), self.secret[:8].hex().encode()]
        self.hold(not [name for name, content in places.items() if any(form in content for form in forms)], "the key is in its file alone")
        days = [key for key in bodies if key.startswith("shop/days/")]
        self.hold(days and all(b"METHOD=SAMPLE-AES" in bodies[key] for key in days), "the lists of days say that their clips are encrypted", days)
        self.hold(all(b"ContentProtection" in body for key, body in bodies.items() if key.endswith(".mpd")), "the manifests, too")

    # Playing

    @staticmethod
    def frames(source, *options, decoded=False, kind="v"):
        """The digest of each frame as ffmpeg reads it. Before 6.1 it confuses the fragments of a file in which it seeks about."""
        how = [] if decoded else ["-c", "copy"]
        out = subprocess.run(["ffmpeg", "-v", "error", "-fflags", "+ignidx", *options, "-i", str(source), "-map", f"0:{kind}", *how, "-f", "framemd5", "-"],
                             capture_output=True, text=True, timeout=120).stdout
        return [line.split(",")[5].strip() for line in out.splitlines() if line.count(",") >= 5 and not line.startswith("#")]

    def number(self, job):
        return job["clip"]

    def played(self):
        """ffmpeg with the clip's key, and by the lists that hold it, shows the frames of the local file."""
        for job in self.jobs:
            key, local = self.key(job), self.local(self.key(job))
            told = self.site.ask("cloud", "key", "clip", str(job["clip"])) or {}
            description = json.loads(self.body(f"shop/{key}/clip.json"))
            self.hold(told.get("kid") == description["encryption"]["kid"] and len(told.get("key", "")) == 32, f"{key} has a key of its own", told.get("kid"))
            for kind, content in self.media(key).items():
                plain = local[".cmfv" if kind == "video" else ".cmfa"]
                stored = self.folder / f"stored{plain.suffix}"
                stored.write_bytes(content)
                self.hold(content != plain.read_bytes(), f"{key} {kind} is encrypted")
                for decoded in (False, True):
                    want = self.frames(plain, decoded=decoded, kind=kind[0])
                    seen = self.frames(stored, "-decryption_key", told["key"], decoded=decoded, kind=kind[0])
                    self.hold(want and seen == want, f"{key} {kind} plays with its key, {'decoded' if decoded else 'copied'}", (len(seen), len(want)))
                blind = self.frames(stored, kind=kind[0])
                self.hold(not set(blind) & set(self.frames(plain, kind=kind[0])), f"{key} {kind} does not play without it")
            lists = self.site.folder / "lists"
            done = self.vigil("cloud", "url", "-o", str(lists), "--for", "5m", "--socket", self.site.socket, "--", str(job["clip"]))
            self.hold(done.returncode == 0 and "hold the clip's key" in done.stderr, "it is told that lists hold a key", done.stderr)
            seen = self.frames(lists / "index.m3u8", "-protocol_whitelist", "file,crypto,data,http,tcp")
            self.hold(seen == self.frames(local[".cmfv"]), f"{key} plays by the signed list", len(seen))
        keys = {(self.site.ask("cloud", "key", "clip", str(job["clip"])) or {}).get("key") for job in self.jobs}
        self.hold(len(keys) == len(self.jobs), "no two clips have the same key", len(keys))

    def export(self, site, job):
        """The movie of a clip, by the machine that has it, or by one that finds it in the cloud."""
        camera = job["camera"]
        slices = site.ask("cloud", "slices", camera, "--from", "2020-01-01", "--to", "2099-01-01")
        slice_ = next(s for s in slices if s["start"] == job["start"])
        movie = site.folder / "export.mp4"
        done = self.vigil("export", camera, "--from", slice_["start"], "--to", slice_["end"], "-o", str(movie), "--force", "--socket", site.socket)
        self.hold(done.returncode == 0, f"{slice_} can be exported", done.stderr)
        return movie.read_bytes() if done.returncode == 0 else b""

    def shown(self, site):
        """The pictures of the events that are in the cloud, by camera and time."""
        found = {}
        for camera in ("front", "yard"):
            for event in site.ask("cloud", "events", camera, "--from", "2020-01-01", "--to", "2099-01-01"):
                if event["picture"]:
                    found[camera, event["start"]] = site.get(f"/v1/cameras/{camera}/cloud/events/{event['id']}/picture")
        self.hold(found and all(jpeg[:3] == b"\xff\xd8\xff" for jpeg in found.values()), "events show their pictures", len(found))
        return found

    # Another machine

    @staticmethod
    def refused(site, path):
        """What a route says that refuses."""
        return subprocess.run(["curl", "-s", "--max-time", "60", "--unix-socket", site.socket, f"http://vigil{path}"], capture_output=True).stdout.decode(errors="replace")

    def elsewhere(self):
        """An empty machine: without the key it says what is missing, with the recovery code it has everything."""
        other = type(self.site)(self.options.vigil, self.folder / "elsewhere", self.urls, self.proxy.endpoint, records=False)
        try:
            other.start()
            found = other.ask("cloud", "rebuild") or {}
            self.hold((found.get("entered"), found.get("leftOut")) == (len(self.jobs), 0), "an empty machine finds every clip", found)
            self.hold(found.get("locked") == [{"keyId": self.id, "clips": len(self.jobs)}], "it says how many need which key", found)
            alone = {job["id"]: next(s["clip"] for s in other.ask("cloud", "slices", job["camera"], "--from", "2020-01-01", "--to", "2099-01-01")
                                     if s["start"] == job["start"]) for job in self.jobs}
            number = alone[self.one[0]["id"]]
            said = self.refused(other, f"/v1/clips/{number}/tracks/video")
            self.hold(self.id in said and "none is configured" in said, "without a key it says which is missing", said)
            event = next(e for e in other.ask("cloud", "events", "yard", "--from", "2020-01-01", "--to", "2099-01-01") if e["picture"])
            said = self.refused(other, f"/v1/cameras/yard/cloud/events/{event['id']}/picture")
            self.hold(self.id in said, "so of a picture", said)
            done = self.vigil("cloud", "fetch", "--socket", other.socket, "--", str(number))
            self.hold(done.returncode == 3 and self.id in done.stderr, "so of a clip that is fetched", done.stderr)
            self.otherKey(other, number)
            self.restored(other, alone)
            self.hold(other.stop() == 0, "the daemon of the rebuild ends well")
        finally:
            other.ends.set()
            if other.process and other.process.poll() is None:
                other.kill()

    def otherKey(self, other, number):
        made = self.vigil("cloud", "key", "create", str(other.folder / "other.key"))
        (other.folder / "copy.key").write_text((other.folder / "other.key").read_text())
        (other.folder / "copy.key").chmod(0o600)
        done = self.vigil("cloud", "key", "confirm", str(other.folder / "other.key"), "--from", str(other.folder / "copy.key"))
        self.hold(made.returncode == done.returncode == 0, "another key is made, and confirmed with a copy", made.stderr + done.stderr)
        encrypt(other, keyFile="other.key")
        mine = json.loads(self.vigil("cloud", "key", "show", str(other.folder / "other.key"), "--json").stdout)["id"]
        other.wait(lambda: (other.ask("cloud", "status")["encryption"] or {}).get("keyId") == mine, 120, "the other key is not used")
        said = self.refused(other, f"/v1/clips/{number}/tracks/video")
        self.hold(self.id in said and mine in said, "with another key it names both", said)

    def restored(self, other, alone):
        path = other.folder / "site.key"
        done = self.vigil("cloud", "key", "restore", str(path), input=self.code)
        self.hold(done.returncode == 0 and self.secret.hex() in path.read_text() and oct(path.stat().st_mode)[-3:] == "600",
                  "the key file comes back from the recovery code", done.stderr)
        encrypt(other, keyFile="other.key", oldKeyFiles="[ site.key ]")
        other.wait(lambda: other.get(f"/v1/clips/{alone[self.one[0]['id']]}/tracks/video"), 120, "the old key is not used")
        for job in self.jobs:
            for suffix, plain in self.local(self.key(job)).items():
                kind = "video" if suffix == ".cmfv" else "audio"
                self.hold(other.get(f"/v1/clips/{alone[job['id']]}/tracks/{kind}") == plain.read_bytes(), f"{kind} of {self.key(job)} plays byte for byte")
                part = other.get(f"/v1/clips/{alone[job['id']]}/tracks/{kind}", "-r", "5000-70000")
                self.hold(part == plain.read_bytes()[5000:70001], f"a range of {kind} of {self.key(job)} is as it was", len(part))
            self.hold(self.export(other, job) == self.exported[self.key(job)], f"{self.key(job)} is exported as from the disk")
        self.hold(self.shown(other) == self.pictures, "the pictures are the same")
        cached = b"".join(p.read_bytes() for p in (other.root / "cloud").rglob("*") if p.is_file())
        frames = [one for job in self.jobs for suffix, path in self.local(self.key(job)).items() for one in self.slices(path, suffix[-1])]
        self.hold(cached and not [one for one in frames if one in cached], "what is kept at hand is encrypted", len(cached))
        job = self.one[0]
        done = self.vigil("cloud", "fetch", "--socket", other.socket, "--", str(alone[job["id"]]))
        same = [(other.root / path.relative_to(self.site.root)).read_bytes() == path.read_bytes() for path in self.local(self.key(job)).values()]
        self.hold(done.returncode == 0 and len(same) == 2 and all(same), "a clip is fetched byte for byte", (done.stderr, same))

    def changed(self):
        """With another key from now on, old clips still play; without encryption new ones lie there as they are."""
        second = self.vigil("cloud", "key", "create", str(self.site.folder / "new.key"))
        code = "\n".join(line for line in second.stdout.splitlines() if line.startswith("    "))
        self.vigil("cloud", "key", "confirm", str(self.site.folder / "new.key"), input=code)
        encrypt(self.site, keyFile="new.key", oldKeyFiles="[ site.key ]")
        status = lambda: self.site.ask("cloud", "status")["encryption"] or {}  # noqa: E731
        self.site.wait(lambda: status().get("keyId") not in (None, self.id), 120, "the new key is not used")
        job = self.whole()
        described = json.loads(self.body(f"shop/{self.key(job)}/clip.json"))
        self.hold(described["encryption"]["keyId"] == status()["keyId"], "a new clip has the new key", described["encryption"])
        self.hold(self.site.ask("cloud", "key", "clip", str(self.one[0]["clip"])) is not None, "the key of an old clip is known")
        path = self.site.folder / "vigil.yaml"
        path.write_text(re.sub(r"  encryption: .*\n", "", path.read_text()))
        self.site.wait(lambda: not status(), 120, "clips are still encrypted")
        job = self.whole()
        described = json.loads(self.body(f"shop/{self.key(job)}/clip.json"))
        plain = self.local(self.key(job))[".cmfv"].read_bytes()
        self.hold(described["format"] == 1 and self.body(f"shop/{self.key(job)}/video.cmfv") == plain, "without a key a clip lies there as it is")
        self.jobs = [job for job in self.queue() if job["phase"] == "done"]

    # What was found

    def judge(self):
        again = subprocess.run([self.options.vigil, "replay", "--root", str(self.site.root)], capture_output=True, text=True)
        self.hold(again.returncode == 0, "every step is replayed without a difference", again.stdout[-300:] + again.stderr)
        done = subprocess.run([self.options.vigil, "fsck", "--deep", "--root", str(self.site.root)], capture_output=True, text=True)
        self.hold(done.returncode == 0, "fsck --deep finds nothing", done.stdout + done.stderr)
        self.receiver.end()
        return len(self.jobs)

    def told(self):
        """Each job was told to be done."""
        log = self.site.log.read_text()
        for job in self.jobs:
            self.hold(re.search(rf"upload done: clip \d+, job {job['id']}\b", log), f"job {job['id']}: done was told")

    def summary(self):
        return f"{len(self.jobs)} clips encrypted, one of them live and through a kill; none of {self.looked} frames was found in the bucket"
