#!/usr/bin/python3
"""A disk of one file whose every write and flush is recorded, so that a power cut at any instant can be made of it.

  disks/blocklog.py serve MOUNTPOINT IMAGE LOG
serves the regular file MOUNTPOINT by FUSE, with the bytes of IMAGE, until it is unmounted; a loop device on it passes each
write and each flush of a file system in the order in which the kernel is told that they are done. LOG gets a record for
each: time (CLOCK_BOOTTIME, ns), kind (W or F), offset, length, then the data.

As a module: `records(LOG)` reads them, `Cut` makes the image that a power cut leaves.
"""
import ctypes
import os
import struct
import sys
import time

RECORD = struct.Struct("<QcxxxxxxxQQ")
IN = struct.Struct("<IIQQIIIHH")
GETATTR, OPEN, READ, WRITE, RELEASE, FSYNC, FLUSH, INIT, DESTROY = 3, 14, 15, 16, 18, 20, 25, 26, 38
FORGET, BATCH_FORGET, INTERRUPT = 2, 42, 36
ENOSYS = 38
SECTOR, PAGE = 512, 4096


def attributes(size):
    """The attributes of the one file, as the kernel's struct fuse_attr."""
    return struct.pack("<QQQQQQIIIIIIIIII", 1, size, size // 512, 0, 0, 0, 0, 0, 0, 0o100600, 1, 0, 0, 0, 4096, 0)


def serve(mountpoint, image, log):
    """Answers the kernel, one request after another, until the file is unmounted."""
    libc = ctypes.CDLL(None, use_errno=True)
    fuse = os.open("/dev/fuse", os.O_RDWR)
    options = "fd=%d,rootmode=100000,user_id=0,group_id=0,max_read=1048576" % fuse
    if libc.mount(b"blocklog", mountpoint.encode(), b"fuse.blocklog", 0, options.encode()) != 0:
        sys.exit("blocklog: cannot mount: " + os.strerror(ctypes.get_errno()))
    disk, out = os.open(image, os.O_RDWR), open(log, "ab", buffering=1 << 20)
    size = os.fstat(disk).st_size

    def note(kind, offset=0, data=b""):
        out.write(RECORD.pack(time.clock_gettime_ns(time.CLOCK_BOOTTIME), kind, offset, len(data)))
        out.write(data)

    while True:
        try:
            request = os.read(fuse, (1 << 20) + 4096)
        except OSError:  # Unmounted.
            break
        _, opcode, unique, _, _, _, _, _, _ = IN.unpack_from(request)
        body, error, answer = memoryview(request)[IN.size:], 0, b""
        if opcode == INIT:
            major, minor, readahead, flags = struct.unpack_from("<IIII", body)
            big_writes, max_pages = 1 << 5, 1 << 22
            answer = struct.pack("<IIIIHHIIHHI7I", 7, 31, readahead, flags & (big_writes | max_pages), 16, 12, 1 << 20, 1,
                                 256, 0, 0, *[0] * 7)
        elif opcode == GETATTR:
            answer = struct.pack("<QII", 3600, 0, 0) + attributes(size)
        elif opcode == OPEN:
            answer = struct.pack("<QII", 1, 0, 0)
        elif opcode == READ:
            _, offset, length = struct.unpack_from("<QQI", body)
            answer = os.pread(disk, length, offset)
        elif opcode == WRITE:
            _, offset, length = struct.unpack_from("<QQI", body)
            data = body[40:40 + length]
            os.pwrite(disk, data, offset)
            note(b"W", offset, data)
            answer = struct.pack("<II", length, 0)
        elif opcode == FSYNC:
            note(b"F")
        elif opcode in (FORGET, BATCH_FORGET, INTERRUPT):
            continue
        elif opcode not in (FLUSH, RELEASE, DESTROY):
            error = -ENOSYS
        try:
            os.write(fuse, struct.pack("<IiQ", 16 + len(answer), error, unique) + answer)
        except OSError:
            if opcode != DESTROY:
                raise
        if opcode == DESTROY:
            break
    out.close()


def records(log):
    """The records of a log: time in ns, whether it is a flush, offset, where its data lies in the log, and its length."""
    found = []
    with open(log, "rb") as file:
        while True:
            head = file.read(RECORD.size)
            if len(head) < RECORD.size:
                return found
            at, kind, offset, length = RECORD.unpack(head)
            found.append((at, kind == b"F", offset, file.tell(), length))
            file.seek(length, os.SEEK_CUR)


class Cut:
    """Power cuts of one log, each later than the one before. What a flush that was answered had before it is on the disk; of
    what came after it any sector may be, in any order."""

    def __init__(self, base, log, is_lying=False):
        self.base, self.log, self.is_lying = base, open(log, "rb"), is_lying
        self.records, self.durable = records(log), 0

    def _write(self, file, record, chance=None, share=1.0, unit=PAGE):
        _, _, offset, where, length = record
        data = os.pread(self.log.fileno(), length, where)
        if chance is None:
            os.pwrite(file, data, offset)
            return 0
        lost = 0
        for at in range(0, length, unit):
            if chance.random() < share:
                os.pwrite(file, data[at:at + unit], offset + at)
            else:
                lost += 1
        return lost

    def at(self, moment, image, copy, chance):
        """Makes in `image` what a cut at `moment` (ns) leaves, and says how. `copy(base, image)` copies a file."""
        file = os.open(self.base, os.O_RDWR)
        end = self.durable
        while end < len(self.records) and self.records[end][0] <= moment:
            end += 1
        last = max((i for i in range(self.durable, end) if self.records[i][1] and not self.is_lying), default=self.durable)
        for record in self.records[self.durable:last]:
            if not record[1]:
                self._write(file, record)
        os.close(file)
        self.durable = last
        copy(self.base, image)
        pending = [r for r in self.records[last:end] if not r[1]]
        how = chance.choice(["all", "none", "prefix", "pages", "pages", "sectors"])
        file, lost = os.open(image, os.O_RDWR), 0
        if how == "prefix":
            pending, rest = pending[:chance.randint(0, len(pending))], pending
            lost = len(rest) - len(pending)
        share = {"all": 1.0, "none": 0.0, "prefix": 1.0}.get(how, chance.choice([0.1, 0.5, 0.9]))
        for record in pending:
            lost += self._write(file, record, chance, share, SECTOR if how == "sectors" else PAGE)
        os.close(file)
        return {"how": how, "pending": len(pending), "lost": lost}


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] != "serve":
        sys.exit(__doc__)
    serve(*sys.argv[2:])
