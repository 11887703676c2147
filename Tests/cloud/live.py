"""What Tests/cloud/run tries with --live: clips that go up while they are recorded."""
import http.server
import json
import os
import pathlib
import re
import subprocess
import threading
import time

MEDIA = re.compile(r"\.cmf[va]$")
POLICY = ("recording: { mode: event, sensitivity: 5, maxEventLength: 180s, preRoll: 2s }\n"
          "cloud: { upload: events, live: true }\n")
PIECES = 4  # of video, before the kill
AWAY = 6  # fragments that are recorded while the network is away
SILENCE = 15  # seconds after which a player has shown all there is


def fragments(path):
    """The number of the first frame of each fragment of a track file: each begins with a key frame, and there is one each 2 s."""
    out = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", str(path)],
                         capture_output=True, text=True, timeout=60).stdout
    flags = [line for line in out.splitlines() if line]
    return [number for number, flag in enumerate(flags) if flag.startswith("K")], len(flags)


class Live:
    """Clips are sent while they are recorded: through a kill, an outage and a cancelled job. Goes before `Trial`."""

    def run(self):
        self.puts, self.lists = {}, {}
        self.proxy.fault = self.count
        self.site.start()
        self.seen, self.shown = self.killed()
        folder = self.begin("yard")
        found = self.site.ask("cloud", "rebuild") or {}
        self.hold(found.get("entered") == 0 and found.get("leftOut") == 0, "a rebuild leaves a clip that is recorded to its job", found)
        self.given_up()
        self.broken = self.outage(folder)
        self.site.wait(lambda: self.site.ask("cloud", "queue") == [], 120, "the queue is not empty")
        self.jobs = self.site.ask("cloud", "queue", "--all", "--limit", "1000")
        self.site.wait(lambda: self.site.ask("clips") and all(c["end"] for c in self.site.ask("clips")), 120, "a clip is still written")
        self.hold(self.site.stop() == 0, "the daemon ends well")
        self.site.ends.set()
        self.site.keeper.join()

    def count(self, method, path, number):
        """Counts what is put, and looks at each list that grows: it only grows."""
        key = path.split("?")[0].removeprefix("/vigil/")
        if method == "PUT":
            self.puts[key] = self.puts.get(key, 0) + 1

    # What is in the bucket

    def keys(self, below=""):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="vigil", Prefix="shop/" + below)
        return {entry["Key"]: entry["Size"] for page in pages for entry in page.get("Contents", [])}

    def body(self, key):
        return self.client.get_object(Bucket="vigil", Key=key)["Body"].read()

    def pieces(self, folder):
        return sorted(key for key in self.keys() if key.startswith(folder) and re.search(r"video\.\d{6}\.cmfv$", key))

    def begin(self, camera):
        """An event begins that lasts until it is ended; gives the folder of its clip in the bucket, as soon as there is something in it."""
        before = {key.rsplit("/", 1)[0] for key in self.keys()}
        self.site.source(camera, "--on")
        new = lambda: sorted({key.rsplit("/", 1)[0] + "/" for key in self.keys()  # noqa: E731
                              if key.endswith("/live.json") and f"/{camera}/" in key} - {f + "/" for f in before})
        self.site.wait(new, 120, f"{camera}: nothing of an event was sent while it went on")
        return new()[0]

    def grows(self, folder):
        """Looks at the list of the pictures: what it said before stays."""
        try:
            text = self.body(folder + "video.m3u8").decode()
        except Exception:  # it is not there yet
            return
        before = self.lists.get(folder, "")
        self.hold(text.startswith(before), f"{folder}: the list only grows", (before[-200:], text[-200:]))
        self.hold("EXT-X-ENDLIST" not in text and "PLAYLIST-TYPE:EVENT" in text, f"{folder}: the list has no end yet", text[-200:])
        self.lists[folder] = text

    def keeps_up(self, folder):
        """Whether some pieces are there, and the newest has one fragment: it was sent before the next one came."""
        self.grows(folder)
        names = self.named(self.lists.get(folder, ""))
        return len(set(names)) >= PIECES and names[-1] != names[-2]

    @staticmethod
    def named(text):
        """The piece of each fragment in a list."""
        return [line for line in text.splitlines() if line and not line.startswith("#")]

    def recorded(self, folder):
        """The file of the pictures of a clip, on the disk."""
        return self.site.root / (folder.removeprefix("shop/").rstrip("/") + ".cmfv")

    # What is tried

    def killed(self):
        """kill -9 in the middle of an event: what is in the bucket then plays, to within two fragments."""
        folder = self.begin("front")
        self.site.wait(lambda: self.keeps_up(folder), 120, "too few pieces were sent while the event went on")
        self.site.kill()
        self.hold(len(self.lists[folder]) < 100_000, "the list stays small")
        names = self.keys(folder.removeprefix("shop/"))
        copy = self.folder / "at-the-kill"
        for key in names:
            (copy / key).parent.mkdir(parents=True, exist_ok=True)
            (copy / key).write_bytes(self.body(key))
        self.hold(folder + "live.json" in names and folder + "clip.json" not in names, "the bucket says that the clip is open", list(names))
        there = {}
        for kind in ("video", "audio"):
            pieces = dict.fromkeys(self.named((copy / folder / f"{kind}.m3u8").read_text()))
            (copy / kind).write_bytes(b"".join((copy / folder / name).read_bytes() for name in pieces))
            there |= self.packets(copy / kind)
        with Served(copy) as address:
            shown = self.live_packets(f"{address}/{folder}index.m3u8", there)
        live = json.loads((copy / folder / "live.json").read_text())
        self.hold("ended" not in live and len(live["events"]) == 1, "live.json tells of the event", live["events"])
        for track in live["tracks"]:
            sent = b"".join((copy / folder / o["name"]).read_bytes() for o in track["objects"])
            self.hold(len(sent) == track["bytes"] > 0, f"live.json names the pieces of {track['kind']}", (len(sent), track["bytes"]))
        # The machine is gone, with its disk.
        other = type(self.site)(self.options.vigil, self.folder / "elsewhere", self.urls, self.proxy.endpoint, records=False)
        try:
            other.start()
            found = other.ask("cloud", "rebuild") or {}
            self.hold((found.get("entered"), found.get("leftOut")) == (1, 0), "an empty machine finds what was sent of the clip", found)
        finally:
            other.ends.set()
            other.kill()
        self.site.start()
        self.site.wait(lambda: folder + "clip.json" in self.keys(), 120, "the clip that was cut short did not arrive")
        twice = {key: n for key, n in self.puts.items() if key in names and MEDIA.search(key) and n > 1}
        self.hold(not twice, "no piece that was there is sent again", twice)
        for key in names:
            if MEDIA.search(key):
                self.hold(self.body(key) == (copy / key).read_bytes(), f"{key} is as it was")
        return folder, shown

    def outage(self, folder):
        """The network is away in the middle of an event: fewer pieces, larger ones, and the recording does not notice."""
        self.site.wait(lambda: len(self.pieces(folder)) >= 2, 120, "no pieces before the outage")
        before = len(self.pieces(folder))
        self.proxy.fault = lambda *_: {"cut_at": 0}
        file = self.recorded(folder)
        begun = len(fragments(file)[0])
        self.site.wait(lambda: len(fragments(file)[0]) >= begun + AWAY, 120, "nothing was recorded during the outage")
        self.proxy.fault = self.count
        self.site.source("yard", "--off")
        self.site.wait(lambda: folder + "clip.json" in self.keys(), 120, "the clip did not arrive after the outage")
        sizes = [self.keys()[key] for key in self.pieces(folder)]
        self.pieces_of_outage = (before, len(sizes), round(max(sizes[before:]) / min(sizes[1:before] or sizes), 1))
        return folder

    def given_up(self):
        """Somebody cancels the job in the middle of the event: what was sent goes, and the clip is recorded to its end."""
        folder = self.begin("front")
        self.site.wait(lambda: len(self.pieces(folder)) >= 1, 120, "no pieces before it was cancelled")
        key = folder.removeprefix("shop/").rstrip("/")
        job = [job for job in self.site.ask("cloud", "queue", "--all") if job["url"].endswith(f"{key}/index.m3u8")][0]
        done = subprocess.run([self.site.vigil, "cloud", "cancel", str(job["id"]), "--socket", self.site.socket], capture_output=True, text=True)
        self.hold(done.returncode == 0, "a job whose clip is recorded can be cancelled", done.stderr)
        self.site.wait(lambda: not self.keys(key), 120, "something is left of the cancelled job")
        file = self.recorded(folder)
        size = file.stat().st_size
        self.site.wait(lambda: file.stat().st_size > size, 120, "nothing more is recorded")
        clip = [clip for clip in self.site.ask("clips") if clip["id"] == job["clip"]][0]
        self.hold(clip["end"] is None, "the recording goes on", clip)
        self.site.source("front", "--off")
        self.cancelled = key

    # What was found

    def judge(self):
        local = {}
        for path in self.site.kept.rglob("*.cmf?"):
            key = str(path.relative_to(self.site.kept))
            local.setdefault(key.rsplit(".", 1)[0], {})["video" if key.endswith("v") else "audio"] = path
        self.hold(self.cancelled in local and not self.keys(self.cancelled), "nothing of the cancelled clip is there, and it was recorded")
        objects, copy = self.keys("clips/"), self.folder / "copy-live"
        for key in [*objects, *self.keys("days/")]:
            (copy / key).parent.mkdir(parents=True, exist_ok=True)
            (copy / key).write_bytes(self.body(key))
        sent = {folder.removeprefix("shop/").rstrip("/"): folder for folder in (self.seen, self.broken)}
        self.hold({key.rsplit("/", 1)[0] + "/" for key in objects} == set(sent.values()), "the bucket has the two clips", sorted(objects))
        for key, folder in sent.items():
            self.clip(copy / folder, local[key])
            description = json.loads((copy / folder / "clip.json").read_text())
            known = {o["name"] for track in description["tracks"] for o in track["objects"]}
            self.hold(all(re.search(r"\.\d{6}\.cmf[va]$", name) for name in known), f"{key} is in pieces", known)
            known |= {e["picture"] for e in description["events"] if e.get("picture")}
            known |= {"index.m3u8", "video.m3u8", "audio.m3u8", "manifest.mpd", "clip.json"}
            have = {name.removeprefix(folder) for name in objects if name.startswith(folder)}
            self.hold(have == known, f"nothing else is below {key}", have ^ known)
            text = (copy / folder / "video.m3u8").read_text()
            self.hold(text.rstrip().endswith("#EXT-X-ENDLIST"), f"the list of {key} has its end", text[-100:])
            self.hold(text.split("#EXTINF", 1)[1].startswith(self.lists.get(folder, "#EXTINF").split("#EXTINF", 1)[1]),
                      f"the list of {key} is the one that grew, with its end")
        self.plays(copy, {key: local[key] for key in sent})
        # At the kill.
        key = self.seen.removeprefix("shop/").rstrip("/")
        begins, frames = fragments(local[key]["video"])
        self.lost = frames - self.shown.get("video", 0)
        self.hold(self.shown.get("video", 0) >= begins[-2] and len(begins) >= PIECES,
                  "what the bucket had at the kill ends at most two fragments before the file", (self.shown, begins, frames))
        # At the outage.
        begins, frames = fragments(local[self.broken.removeprefix("shop/").rstrip("/")]["video"])
        before, count, ratio = self.pieces_of_outage
        self.fragments = len(begins)
        self.hold(before <= count < len(begins) and ratio >= 2, "an outage makes fewer, larger pieces", (self.pieces_of_outage, len(begins)))
        self.hold(frames >= 25 * 2 * (len(begins) - 1), "no frame is missing for it", (frames, begins))
        again = subprocess.run([self.options.vigil, "replay", "--root", str(self.site.root)], capture_output=True, text=True)
        self.hold(again.returncode == 0, "every step is replayed without a difference", again.stdout[-300:] + again.stderr)
        done = subprocess.run([self.options.vigil, "fsck", "--deep", "--root", str(self.site.root)], capture_output=True, text=True)
        self.hold(done.returncode == 0, "fsck --deep finds nothing", done.stdout + done.stderr)
        self.hold("upload begins anew" not in self.site.log.read_text(), "the files are those of which pieces were sent")
        phases = {job["phase"] for job in self.jobs}
        self.hold(phases == {"done", "cancelled"}, "the jobs are over", self.jobs)
        return len(sent)

    def summary(self):
        before, count, ratio = self.pieces_of_outage
        return (f"at the kill {self.lost} frames of the recovered file were not in the bucket; {self.fragments} fragments through an outage "
                f"in {count} pieces, the largest of {ratio} times the size")

    @staticmethod
    def live_packets(address, there):
        """What ffmpeg reads by a list that has no end, from its begin: until it has what is there, or nothing has come for a while. It
        waits for more."""
        player = subprocess.Popen(["ffmpeg", "-v", "error", "-live_start_index", "0", "-i", address, "-map", "0", "-c", "copy",
                                   "-flush_packets", "1", "-f", "framecrc", "-"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        os.set_blocking(player.stdout.fileno(), False)
        out, last = b"", time.monotonic() + 120
        while time.monotonic() - last < SILENCE and player.poll() is None and Live.counted(out) != there:
            if more := player.stdout.read():
                out, last = out + more, time.monotonic()
            time.sleep(0.05)
        player.kill()
        out += player.stdout.read() or b""
        player.wait()
        return Live.counted(out)

    @staticmethod
    def counted(text):
        """The packets of each kind in what framecrc wrote."""
        text, found = text.decode(), {}
        kinds = dict(re.findall(r"^#media_type (\d+): (\w+)$", text, re.M))
        for line in text.splitlines():
            if line and line[0] in "0123456789" and line.count(",") >= 5:
                kind = kinds.get(line.split(",")[0].strip(), "?")
                found[kind] = found.get(kind, 0) + 1
        return found


class Served:
    """A folder over HTTP, with ranges."""

    def __init__(self, folder):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                path = pathlib.Path(folder) / self.path.lstrip("/")
                content = path.read_bytes() if path.is_file() else b""
                first, last, status = 0, len(content) - 1, 200 if path.is_file() else 404
                if match := re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")):
                    first, last, status = int(match[1]), min(int(match[2] or last), last), 206
                self.send_response_only(status)
                if status == 206:
                    self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("Content-Length", str(last - first + 1))
                self.end_headers()
                try:
                    self.wfile.write(content[first:last + 1])
                except OSError:
                    pass

        class Listener(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """A player that is killed breaks its connections off."""

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __exit__(self, *_):
        self.server.shutdown()
