#!/usr/bin/python3
"""Reads decoded frames of 1080p at 15 a second and looks at every byte of them: `decoded_reader.py SOCKET CAMERA socket|shared SECONDS`, run
by decoded.py. Prints one JSON line: frames, the processor time that they took here, in milliseconds, and a sum over them.
"""
import json
import mmap
import os
import resource
import socket
import struct
import sys
import time
import zlib

HEAD = struct.Struct(">4sHHIIIIQqq")
path, camera, way, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])


class Bytes:
    """What comes over a socket, with the descriptors in it."""

    def __init__(self, more):
        self.sock, self.pending, self.memory, self.descriptors = socket.socket(socket.AF_UNIX), bytearray(), None, []
        self.sock.connect(path)
        self.sock.sendall(("GET /v1/cameras/%s/frames?fps=15&width=1920&stream=main HTTP/1.1\r\nHost: vigil\r\n%s\r\n" % (camera, more)).encode())
        while b"\r\n\r\n" not in self.pending:
            self.receive()
        self.pending = self.pending[self.pending.index(b"\r\n\r\n") + 4:]

    def receive(self):
        part, descriptors, _, _ = socket.recv_fds(self.sock, 1 << 18, 1)
        assert part, "the daemon closed the connection"
        self.pending += part
        self.descriptors += descriptors

    def change(self):
        descriptor = self.descriptors.pop(0)
        self.memory = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        os.close(descriptor)

    def take(self, count):
        while len(self.pending) < count:
            self.receive()
        taken = bytes(self.pending[:count])
        del self.pending[:count]
        return taken


class Chunks:
    """The body of an answer that comes in chunks, read straight into one buffer."""

    def __init__(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(path)
        self.sock.sendall(("GET /v1/cameras/%s/frames?fps=15&width=1920&stream=main HTTP/1.1\r\nHost: vigil\r\n\r\n" % camera).encode())
        self.file, self.left, self.buffer = self.sock.makefile("rb", buffering=1 << 18), 0, bytearray(4 << 20)
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def take(self, count):
        view, done = memoryview(self.buffer)[:count], 0
        while done < count:
            if self.left == 0:
                line = self.file.readline()
                self.left = int(line if line.strip() else self.file.readline(), 16)
            got = self.file.readinto(view[done:done + min(self.left, count - done)])
            assert got, "the daemon closed the connection"
            done, self.left = done + got, self.left - got
        return view


def by_socket():
    answer = Chunks()
    while True:
        head = HEAD.unpack(answer.take(HEAD.size))
        body = answer.take(head[5])
        if head[1] == 1:
            yield body


def shared():
    answer, slot_bytes, first = Bytes("Connection: Upgrade\r\nUpgrade: vigil-frames\r\n"), 0, 0
    while True:
        head = HEAD.unpack(answer.take(HEAD.size))
        body = answer.take(head[5])
        if head[1] == 3:
            _, slot_bytes, first = struct.unpack(">III", body)
            answer.change()
        elif head[1] == 4:
            slot, count = struct.unpack(">II", body)
            begin = (slot - first) % 256 * slot_bytes
            yield memoryview(answer.memory)[begin:begin + count]
            answer.sock.sendall(bytes([slot]))


frames, total, end = 0, 0, time.monotonic() + seconds
for frame in (by_socket if way == "socket" else shared)():
    # A detector looks at all of it; a sum does so at the speed of memory.
    total += zlib.adler32(frame)
    frames += 1
    if time.monotonic() > end:
        break
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"frames": frames, "readerMs": (usage.ru_utime + usage.ru_stime) * 1000, "sum": total}))
