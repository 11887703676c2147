#!/usr/bin/python3
"""How old live frames are when an app has them: VigilKit beside low-latency HLS, in turn within one run.

  frames.py [--vigil PATH] [--program PATH] [--seconds 20] [--rounds 3]
The demo is watched by bench-frames, which takes the frames of the library from a session over the control socket, and beside it
by a client of low-latency HLS as RFC 8216bis has it: it waits for each part as soon as it has the one before, as the library did
until it took the growing movie. The age of a picture is the time between its arrival from the camera and the moment at which it
is read; of a part every picture counts. Prints one JSON line a measurement: the ages in milliseconds, how long the first picture
took, and how many came at a time. Exit status 1 where frames do not come one by one.
"""
import argparse
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from datetime import datetime

from live import say, spread
from play import demo
from record import HERE

TOP = os.path.join(HERE, "..")
FRAME_MS = 1000 / 15


class Connection(http.client.HTTPConnection):
    """HTTP over the control socket."""

    def __init__(self, path):
        super().__init__("vigil", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, path):
        self.request("GET", path)
        answer = self.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise OSError("%s: %d %s" % (path, answer.status, body[:200]))
        return body


class Player(threading.Thread):
    """A player of low-latency HLS that takes the parts of the pictures."""

    def __init__(self, path, seconds):
        super().__init__(daemon=True)
        self.path, self.seconds = path, seconds
        self.first_ms, self.ages, self.at_a_time = 0, [], []

    def run(self):
        folder, connection, asked = "/v1/cameras/demo/live/", Connection(self.path), time.time()
        main = connection.ask(folder + "main.m3u8?sound=none").decode()
        address = [line for line in main.splitlines() if line and not line.startswith("#")][-1]
        number, part = None, 0
        while time.time() - asked < self.seconds:
            query = "" if number is None else "&_HLS_msn=%d&_HLS_part=%d" % (number, part)
            text = connection.ask(folder + address + query).decode()
            for uri, at, segment, index in self.parts(text):
                if number is not None and (segment, index) < (number, part):
                    continue
                media, came = connection.ask(folder + uri), time.time()
                if not self.first_ms:
                    self.first_ms = (came - asked) * 1000
                count = media.count(b"moof")
                if came - asked > 5:
                    # Its first picture came from the camera at the time of the list; the others each a frame later.
                    self.ages += [came * 1000 - at - frame * FRAME_MS for frame in range(count)]
                    self.at_a_time.append(count)
                number, part = segment, index + 1

    @staticmethod
    def parts(text):
        """The parts of a list: address, wall time of the first picture in ms, segment, number."""
        found, at, segment, index = [], 0, 0, 0
        for line in text.splitlines():
            if line.startswith("#EXT-X-MEDIA-SEQUENCE:"):
                segment = int(line.split(":")[1])
            elif line.startswith("#EXT-X-PROGRAM-DATE-TIME:"):
                at, index = datetime.fromisoformat(line.split(":", 1)[1].replace("Z", "+00:00")).timestamp() * 1000, 0
            elif line.startswith("#EXT-X-PART:"):
                duration, uri = re.search(r"DURATION=([\d.]+)", line), re.search(r'URI="([^"]+)"', line)
                found.append((uri.group(1), at, segment, index))
                at, index = at + float(duration.group(1)) * 1000, index + 1
            elif line and not line.startswith("#"):
                segment, index = segment + 1, 0
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vigil", default=os.path.join(TOP, ".build", "release", "vigil"))
    parser.add_argument("--program", help="bench-frames; it is built where none is named")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not options.program:
        subprocess.run(["swift", "build", "-c", "release", "--product", "bench-frames"], cwd=TOP, check=True, stdout=sys.stderr)
        options.program = os.path.join(TOP, ".build", "release", "bench-frames")
    good = True
    with demo(options) as folder:
        path = os.path.join(folder, "s")
        for number in range(1, options.rounds + 1):
            told = subprocess.run([options.program, path, "demo", str(options.seconds)], capture_output=True, check=True).stdout
            seen = json.loads(told)
            say("live frames in VigilKit, round %d" % number, ageMs=spread(seen["ages"]), firstMs=round(seen["firstMs"]),
                atATime=spread(seen["atATime"]))
            good &= spread(seen["atATime"])["median"] == 1
            player = Player(path, options.seconds)
            player.start()
            player.join()
            say("the same over low-latency HLS, round %d" % number, ageMs=spread(player.ages), firstMs=round(player.first_ms),
                atATime=spread(player.at_a_time))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
