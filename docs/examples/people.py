#!/usr/bin/python3
"""Looks for people in what a camera sends, and tells Vigil where one is.

  people.py CAMERA [--socket PATH] [--fps 2] [--width 640] [--score 1.0] [--pause 1] [--for SECONDS]
Takes decoded frames from the daemon in shared memory, asked for over its socket, looks at each with the people detector that OpenCV brings (histograms of
oriented gradients, trained on upright people of a hundred pixels and more), and triggers the camera with the label `person` and the
box of the best one, at most once in --pause seconds. So an event begins or goes on, and keeps the label: `vigil events --label person`.
The camera's own detector goes on beside it; with `detection: off` in vigil.yaml only people begin events. Who may speak to the
daemon's socket may run it: root, the daemon's user, or a member of the group vigil. It ends with a signal, or with the reason on
standard error when the frames end. Debian: apt-get install python3-opencv
"""
import argparse
import http.client
import json
import mmap
import os
import socket
import struct
import sys
import time
from urllib.parse import quote

import cv2
import numpy

HEAD = struct.Struct(">4sHHIIIIQqq")    # docs/reference/http.md, GET /v1/cameras/{camera}/frames
MEMORY, SLOT = 3, 4


class Connection(http.client.HTTPConnection):
    """HTTP over the daemon's socket."""

    def __init__(self, path, timeout):
        super().__init__("vigil", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, method, path, body=None):
        """The answer to a request."""
        self.request(method, path, json.dumps(body) if body is not None else None)
        return self.getresponse()


def reason(answer):
    """What the daemon says where it refuses."""
    return json.loads(answer.read()).get("detail", answer.status)


class SharedFrames:
    """Frames in memory that the daemon shares, as docs/reference/http.md has it: heads come over the connection, frames stay where they are."""

    def __init__(self, path, address):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(path)
        self.pending, self.memory, self.descriptors = b"", None, []
        self.sock.sendall(("GET %s HTTP/1.1\r\nHost: vigil\r\nConnection: Upgrade\r\nUpgrade: vigil-frames\r\n\r\n" % address).encode())
        while b"\r\n\r\n" not in self.pending:
            self.receive()
        head, _, self.pending = self.pending.partition(b"\r\n\r\n")
        if head.split()[1] != b"101":
            while not self.pending.rstrip().endswith(b"}"):
                self.receive()
            sys.exit("people: no frames: %s" % json.loads(self.pending).get("detail"))

    def receive(self):
        """Takes what has come, and descriptors that come with it: each belongs to a head that may lie behind others."""
        part, descriptors, _, _ = socket.recv_fds(self.sock, 65536, 1)
        if not part:
            sys.exit("people: the daemon closed the connection")
        self.pending += part
        self.descriptors += descriptors

    def change(self):
        """The memory of the next head `memory`."""
        descriptor = self.descriptors.pop(0)
        self.memory = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        os.close(descriptor)

    def take(self, count):
        while len(self.pending) < count:
            self.receive()
        taken, self.pending = self.pending[:count], self.pending[count:]
        return taken

    def __iter__(self):
        """Heads with their frames, which are there until the next one is asked for."""
        slot_bytes, first = 0, 0
        while True:
            head = HEAD.unpack(self.take(HEAD.size))
            content, body = head[1], self.take(head[5])
            if content == MEMORY:
                _, slot_bytes, first = struct.unpack(">III", body)
                self.change()
            elif content == SLOT:
                slot, count = struct.unpack(">II", body)
                begin = (slot - first) % 256 * slot_bytes
                yield head, memoryview(self.memory)[begin:begin + count]
                self.sock.sendall(bytes([slot]))
            elif "ended" in (word := json.loads(body)):
                sys.exit("people: the frames have ended: %s" % word.get("why", word["ended"]))


def frames(path, camera, fps, width):
    """Each frame as a picture in BGR, with when it arrived in seconds since 1970; ends the program when they end."""
    # Whole frames, because boxes are of the whole picture. While the camera is away no frame comes, however long.
    address = "/v1/cameras/%s/frames?format=yuv420p&whole=true&fps=%d&width=%d" % (quote(camera), fps, width)
    for (mark, _, length, across, down, _, _, _, arrived, _), frame in SharedFrames(path, address):
        if mark != b"VGF1" or length != HEAD.size:
            sys.exit("people: what the daemon sends is not understood; is it of another version?")
        planes = numpy.frombuffer(frame, numpy.uint8).reshape(down * 3 // 2, across)
        yield cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), arrived / 1000


def trigger(path, camera, box):
    """Tells the camera that a person was seen; ends the program where that is refused for good."""
    # A connection of its own: one that is idle for a minute is closed. Meanwhile no slot is given back, and who gives none back for 10 s is ended.
    connection = Connection(path, timeout=4)
    try:
        answer = connection.ask("POST", "/v1/cameras/%s/trigger" % quote(camera), {"label": "person", "box": box})
        if answer.status == 409:
            # The event has as many labels as it may; the next one has room again.
            print("people: not kept: %s" % reason(answer), file=sys.stderr)
        elif answer.status != 200:
            sys.exit("people: the trigger was refused: %s" % reason(answer))
    except socket.timeout:
        print("people: the trigger was not answered in time", file=sys.stderr)
    finally:
        connection.close()


def tell(seen):
    """Writes a line for who reads them; false where nobody does any more."""
    try:
        print(json.dumps(seen), flush=True)
    except BrokenPipeError:
        # What is left in the buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def best_person(detector, picture):
    """Score and box (x, y, width and height, in parts of the picture) of the clearest person; None where nobody is."""
    boxes, scores = detector.detectMultiScale(picture, winStride=(8, 8), padding=(8, 8), scale=1.05)
    if len(boxes) == 0:
        return None
    score, (x, y, width, height) = max(zip((float(s) for s in scores), boxes), key=lambda found: found[0])
    down, across = picture.shape[:2]
    # The detector's boxes may reach over the edges.
    left, top = max(0, int(x)), max(0, int(y))
    right, bottom = min(across, int(x + width)), min(down, int(y + height))
    return score, {"x": left / across, "y": top / down, "width": (right - left) / across, "height": (bottom - top) / down}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("camera")
    parser.add_argument("--socket", default=os.environ.get("VIGIL_SOCKET", "/run/vigil/vigil.sock"))
    parser.add_argument("--fps", type=int, default=2)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--score", type=float, default=1.0, help="how clear a person must be; the detector's own scale")
    parser.add_argument("--pause", type=float, default=1, help="seconds between two triggers")
    parser.add_argument("--for", dest="seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    detector = cv2.HOGDescriptor()
    detector.setSVMDetector(cv2.HOGDescriptor_getDefaultPeopleDetector())
    end, quiet_until = time.monotonic() + options.seconds, 0
    for picture, arrived in frames(options.socket, options.camera, options.fps, options.width):
        if time.monotonic() > end:
            return
        found = best_person(detector, picture)
        if found is None or found[0] < options.score or time.monotonic() < quiet_until:
            continue
        quiet_until = time.monotonic() + options.pause
        trigger(options.socket, options.camera, found[1])
        if not tell({"at": arrived, "score": round(found[0], 2), "box": found[1]}):
            return


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
    except (OSError, http.client.HTTPException) as error:
        sys.exit("people: cannot speak to the daemon: %s" % error)
