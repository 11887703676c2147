#!/usr/bin/python3
"""Says whether readers of decoded frames cost recording anything: four cameras with and without a reader each.

  decoded.py [--vigil PATH] [--seconds 60] [--fps 5] [--width 640] [--media FOLDER] [--keep FOLDER] [--people FILE] [--shared]
The four cameras of record.py are recorded in continuous mode. For --seconds nobody reads; then each is read at --fps over the
control socket, in yuv420p, and a fifth reader takes nothing of what it asked for. Demanded are: every frame that the cameras sent
once in the clips (record.py's checks), nine of ten frames that are due at each reader, and that the fifth reader was cut off while
the others went on. Prints one JSON line a measurement: processor time and memory of the daemon without and with readers, frames a
second, and how old a frame is when it is read. With --people a camera plays that file, in which somebody walks, and
docs/examples/people.py looks at it (python3-opencv): an event must have the label, be found by it, and be told to whoever follows
the journal (GET /v1/journal) and to the receiver whose rule names the label, and to no other. With --shared nothing of this is done: one camera of 1080p is read at 15 frames a second, in turns by
the answer and in shared memory, and the processor time of daemon and reader for each frame is told. Exit status 1 if something is missing, 3 if the cameras died.
Packages: rig
"""
import argparse
import http.client
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from frames import Connection
from live import cost, say, spread
from record import ALL, HERE, RIG, USUAL, Verdict, addresses, configure, judge, rig

HEAD = struct.Struct(">4sHHIIIIQqq")


def frames(path, camera, fps, width):
    """The answer with frames of a camera."""
    connection = Connection(path)
    connection.request("GET", "/v1/cameras/%s/frames?fps=%d&width=%d" % (camera, fps, width))
    answer = connection.getresponse()
    if answer.status != 200:
        raise OSError("%s: %d %s" % (camera, answer.status, answer.read()[:200]))
    return answer


class Reader(threading.Thread):
    """Reads the frames of one camera until it is told to end."""

    def __init__(self, path, camera, fps, width):
        super().__init__(daemon=True)
        self.path, self.camera, self.fps, self.width = path, camera, fps, width
        self.ages, self.arrivals, self.bytes, self.word, self.is_over = [], [], 0, "", False

    def run(self):
        try:
            answer = frames(self.path, self.camera, self.fps, self.width)
            while not self.is_over:
                mark, content, _, _, _, count, _, _, arrived, _ = HEAD.unpack(answer.read(HEAD.size))
                body = answer.read(count)
                if mark != b"VGF1" or content == 0:
                    self.word = body.decode(errors="replace")
                    return
                self.ages.append(time.time() * 1000 - arrived)
                self.arrivals.append(arrived)
                self.bytes += count
        except (OSError, struct.error, http.client.HTTPException) as error:
            self.word = repr(error)


def stuck(path, camera):
    """Asks for frames and reads none of them; whether the daemon has closed the connection is seen when it is read at last."""
    connection = socket.socket(socket.AF_UNIX)
    # So little waits in the socket that the daemon notices soon.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    connection.connect(path)
    connection.sendall(b"GET /v1/cameras/%s/frames?fps=30&width=640 HTTP/1.1\r\nHost: vigil\r\n\r\n" % camera.encode())
    return connection


def is_cut_off(connection):
    """Reads what is left, for ten seconds at most; whether it ends, by a word or with the connection."""
    end, tail = time.monotonic() + 10, b""
    try:
        while time.monotonic() < end:
            part = connection.recv(1 << 20)
            if not part:
                return True
            tail = (tail + part)[-200:]
            if b'{"ended":"slow"}' in tail:
                return True
    except TimeoutError:
        return False
    except OSError:
        return True
    return False


def people(o, verdict):
    """Whether the shipped example labels somebody in a file, and where the label is then."""
    folder = tempfile.mkdtemp(prefix="vigil-people-")
    path = os.path.join(folder, "s")
    cameras = rig("camera.py", "--camera", "yard=" + o.people, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    receiver = rig("receiver.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    daemon, told, messages = None, [], []

    def receive():
        for line in receiver.stdout:
            messages.append(json.loads(line))

    def follow():
        connection = Connection(path)
        connection.request("GET", "/v1/journal")
        for line in connection.getresponse():
            if b"eventLabelled" in line:
                told.append(line.decode())

    try:
        configure(folder, addresses(cameras), "20s")
        port = int(receiver.stdout.readline().split()[1])
        threading.Thread(target=receive, daemon=True).start()
        with open(os.path.join(folder, "vigil.yaml"), "a") as f:
            f.write("notify:\n  hub: { kind: webhook, url: 'http://127.0.0.1:%d/hook' }\n"
                    "  other: { kind: ntfy, url: 'http://127.0.0.1:%d/other' }\n" % (port, port))
        with open(os.path.join(folder, "policies", "all.yaml"), "a") as f:
            f.write("notify: [ { to: [ hub ], labels: [ person ] }, { to: [ other ], labels: [ car ] } ]\n")
        with open(os.path.join(folder, "vigil.log"), "w") as out:
            daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
        time.sleep(10)
        follower = threading.Thread(target=follow, daemon=True)
        follower.start()
        example = subprocess.run(
            ["/usr/bin/python3", os.path.join(HERE, "..", "docs", "examples", "people.py"), "yard", "--socket", path, "--for", str(o.seconds)],
            capture_output=True, text=True)
        seen = example.stdout.splitlines()
        verdict.say("the example sees somebody", example.returncode == 0 and seen, times=len(seen), words=example.stderr[-200:])

        def events(*words):
            return json.loads(subprocess.run([o.vigil, "events", "--json", "--socket", path, *words], capture_output=True).stdout)

        found = events("--label", "person")
        verdict.say("events are found by label", found and all(
            label["name"] == "person" and label["box"] for event in found for label in event["labels"]), events=len(found))
        verdict.say("no other label is found", not events("--label", "car"), all=len(events()))
        verdict.say("the journal tells its followers", len(told) >= len(found), told=len(told))

        def heard():
            return [one["body"]["data"]["event"] for one in messages if one["kind"] == "webhook" and one["answered"] == 200]

        # Each message is sent when the one before it was taken.
        deadline = time.monotonic() + 60
        while len(heard()) < len(found) and time.monotonic() < deadline:
            time.sleep(0.5)
        verdict.say("the receiver whose rule names the label is told of each such event, with the label",
                    sorted(int(event["id"]) for event in heard()) == sorted(event["id"] for event in found)
                    and all("person" in event["labels"].split(",") for event in heard()), told=len(heard()))
        verdict.say("the receiver whose rule names another is not told", all(one["kind"] == "webhook" for one in messages),
                    messages=len(messages))
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(60)
    finally:
        if daemon and daemon.poll() is None:
            daemon.kill()
        for process in (cameras, receiver):
            process.stdin.close()
            process.wait(20)
    if not verdict.failed:
        shutil.rmtree(folder)


def compare(o):
    """What a frame of 1080p costs daemon and reader, over the socket and in shared memory, three times in turns."""
    folder = tempfile.mkdtemp(prefix="vigil-shared-")
    path, film = os.path.join(folder, "s"), os.path.join(folder, "film.mp4")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=15:d=20", "-c:v", "libx264", "-preset", "veryfast",
                    "-g", "30", "-bf", "0", "-pix_fmt", "yuv420p", film], check=True)
    cameras = rig("camera.py", "--camera", "large=" + film, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    configure(folder, addresses(cameras), "20s")
    with open(os.path.join(folder, "vigil.log"), "w") as out:
        daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
    try:
        time.sleep(10)
        rounds = {"none": [], "socket": [], "shared": []}
        for _ in range(3):
            for way in rounds:
                rounds[way].append(read(daemon, path, way, o.seconds))
        idle = sum(one["daemonMs"] for one in rounds["none"]) / 3
        for way in ("socket", "shared"):
            for one in rounds[way]:
                say("frames of 1080p", way=way, per_second=round(one["frames"] / o.seconds, 2),
                    daemon_ms_a_frame=round((one["daemonMs"] - idle) / one["frames"], 2),
                    reader_ms_a_frame=round(one["readerMs"] / one["frames"], 2), sum_of_the_picture=one["sum"] > 0)
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(60)
        cameras.stdin.close()
        cameras.wait(20)
    shutil.rmtree(folder)


def read(daemon, path, way, seconds):
    """Reads frames for so long in a process of its own, and looks at each whole; what that took."""
    before = cost(daemon.pid)[0]
    if way == "none":
        time.sleep(seconds)
        return {"daemonMs": (cost(daemon.pid)[0] - before) * 1000}
    done = subprocess.run(["/usr/bin/python3", os.path.join(HERE, "decoded_reader.py"), path, "large", way, str(seconds)],
                          capture_output=True, text=True, check=True)
    return {"daemonMs": (cost(daemon.pid)[0] - before) * 1000, **json.loads(done.stdout)}


def measure(daemon, seconds, **facts):
    """What the daemon takes in so many seconds."""
    before, began = cost(daemon.pid), time.monotonic()
    time.sleep(seconds)
    after, took = cost(daemon.pid), time.monotonic() - began
    say("cost of the daemon", percent_of_a_core=round((after[0] - before[0]) / took * 100, 1), mib=round(after[1], 1), **facts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(HERE, "..", ".build", "release", "vigil"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--fps", type=int, default=5)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--media", default=os.path.join(tempfile.gettempdir(), "vigil-rig-media"))
    parser.add_argument("--people", help="a file in which somebody walks")
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--keep", help="a folder for everything, kept afterwards")
    o = parser.parse_args()
    if o.shared:
        return compare(o)
    chosen = [camera for camera in ALL if camera[0] in USUAL.split(",")]
    subprocess.run(["/usr/bin/python3", os.path.join(RIG, "make_media.py"), o.media] + sorted({c[1] for c in chosen}), check=True,
                   stdout=subprocess.DEVNULL)
    folder = o.keep or tempfile.mkdtemp(prefix="vigil-decoded-")
    os.makedirs(folder, exist_ok=True)
    log, path = os.path.join(folder, "sent.jsonl"), os.path.join(folder, "s")
    words = [w for name, file, _ in chosen for w in ("--camera", "%s=%s/%s" % (name, o.media, file))]
    cameras = rig("camera.py", *words, "--log", log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    daemon, verdict = None, Verdict()
    try:
        configure(folder, addresses(cameras), "20s")
        with open(os.path.join(folder, "vigil.log"), "w") as out:
            daemon = subprocess.Popen([o.vigil, "run", "--config", folder + "/vigil.yaml"], stdout=out, stderr=out)
        time.sleep(10)
        measure(daemon, o.seconds, readers=0)
        readers = [Reader(path, name, o.fps, o.width) for name, _, _ in chosen]
        silent = stuck(path, chosen[0][0])
        for reader in readers:
            reader.start()
        time.sleep(2)
        begun = [len(reader.arrivals) for reader in readers]
        measure(daemon, o.seconds, readers=len(readers), fps=o.fps, width=o.width)
        for reader, before in zip(readers, begun):
            got = len(reader.arrivals) - before
            say("a reader", camera=reader.camera, per_second=round(got / o.seconds, 2), age_ms=spread(reader.ages[before:]),
                mib_per_second=round(reader.bytes / (1 << 20) / (o.seconds + 2), 2), word=reader.word)
            verdict.say("nine of ten frames", got >= 0.9 * o.seconds * o.fps and not reader.word, camera=reader.camera, frames=got)
            reader.is_over = True
        verdict.say("who takes nothing is cut off", is_cut_off(silent))
        died = cameras.poll()
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(60)
    finally:
        if daemon and daemon.poll() is None:
            daemon.kill()
        cameras.stdin.close()
        cameras.wait(20)
    if died is not None:
        print("the cameras ended by themselves, status %d: nothing is judged" % died)
        sys.exit(3)
    verdict.say("ended by itself", daemon.returncode == 0, status=daemon.returncode)
    judge(folder, chosen, log, o.vigil, verdict)
    if o.people:
        people(o, verdict)
    verdict.end(folder, o.keep)


if __name__ == "__main__":
    main()
