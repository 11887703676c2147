"""Reads MP4 and CMAF track files: every sample with its time, size and bytes. An independent reader, to judge ours by."""
import struct

import nal

VIDEO = {b"avc1": "h264", b"avc3": "h264", b"hvc1": "h265", b"hev1": "h265"}
AUDIO = {b"mp4a": "aac", b"Opus": "opus"}
CONTAINERS = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"moof", b"traf", b"mvex", b"edts")


class Box:
    """A box: where its content lies in the file."""

    def __init__(self, kind, start, content, end):
        self.kind, self.start, self.content, self.end = kind, start, content, end


class Track:
    """One track: `samples` are (offset, size, dts, composition offset, key) in decoding order, times in `timescale`."""

    def __init__(self, number):
        self.number, self.timescale, self.codec, self.nal_size = number, 0, None, 4
        self.samples, self.edits, self.defaults = [], [], (0, 0, 0)


class File:
    """A whole file in memory. Raises ValueError with the place where it is not well formed."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as f:
            self.data = f.read()
        self.tracks, self.movie_timescale, self.fragments = {}, 0, 0
        for box in self.boxes(0, len(self.data)):
            if box.kind == b"moov":
                self.movie(box)
            elif box.kind == b"moof":
                self.fragment(box)

    def u32(self, at, count=1):
        """Big-endian 32-bit numbers."""
        values = struct.unpack_from("!%dI" % count, self.data, at)
        return values[0] if count == 1 else values

    def u64(self, at):
        """A big-endian 64-bit number."""
        return struct.unpack_from("!Q", self.data, at)[0]

    def boxes(self, at, end):
        """The boxes between two offsets."""
        found = []
        while at + 8 <= end:
            size, kind, head = self.u32(at), self.data[at + 4:at + 8], 8
            if size == 1:
                size, head = self.u64(at + 8), 16
            elif size == 0:
                size = end - at
            if size < head or at + size > end:
                raise ValueError("%s: box %r at %d leaves its parent" % (self.path, kind, at))
            found.append(Box(kind, at, at + head, at + size))
            at += size
        if at != end:
            raise ValueError("%s: %d bytes after the last box at %d" % (self.path, end - at, at))
        return found

    def inner(self, box, *path):
        """All boxes under `box` along a path of kinds."""
        found = [box]
        for kind in path:
            found = [c for b in found for c in self.boxes(b.content, b.end) if c.kind == kind]
        return found

    def movie(self, moov):
        """The tracks, with their sample tables if they are not fragmented."""
        header = self.inner(moov, b"mvhd")[0].content
        self.movie_timescale = self.u32(header + (20 if self.data[header] else 12))
        for trak in self.inner(moov, b"trak"):
            at = self.inner(trak, b"tkhd")[0].content
            track = Track(self.u32(at + (20 if self.data[at] else 12)))
            at = self.inner(trak, b"mdia", b"mdhd")[0].content
            track.timescale = self.u32(at + (20 if self.data[at] else 12))
            for elst in self.inner(trak, b"edts", b"elst"):
                self.edits(track, elst.content)
            table = self.inner(trak, b"mdia", b"minf", b"stbl")[0]
            self.entry(track, self.inner(table, b"stsd")[0])
            self.sample_table(track, table)
            self.tracks[track.number] = track
        for trex in self.inner(moov, b"mvex", b"trex"):
            number, _, duration, size, flags = self.u32(trex.content + 4, 5)
            if number in self.tracks:
                self.tracks[number].defaults = (duration, size, flags)

    def edits(self, track, at):
        """The edit list as (segment duration, media time)."""
        wide, count = self.data[at], self.u32(at + 4)
        for i in range(count):
            entry = struct.unpack_from("!Qq" if wide else "!Ii", self.data, at + 8 + i * (20 if wide else 12))
            track.edits.append(entry)

    def entry(self, track, stsd):
        """Codec and NAL length size from the first sample entry."""
        box = self.boxes(stsd.content + 8, stsd.end)[0]
        track.codec = VIDEO.get(box.kind) or AUDIO.get(box.kind) or box.kind.decode("latin1")
        if box.kind in VIDEO:
            for config in self.boxes(box.content + 78, box.end):
                if config.kind in (b"avcC", b"hvcC"):
                    track.nal_size = (self.data[config.content + (4 if config.kind == b"avcC" else 21)] & 3) + 1

    def sample_table(self, track, stbl):
        """Samples of a file that is not fragmented."""
        one = {b.kind: b.content for b in self.boxes(stbl.content, stbl.end)}
        fixed, count = self.u32(one[b"stsz"] + 4, 2) if b"stsz" in one else (0, 0)
        if not count:
            return
        sizes = [fixed] * count if fixed else list(struct.unpack_from("!%dI" % count, self.data, one[b"stsz"] + 12))
        durations = self.runs(one[b"stts"], "!II")
        shifts = self.runs(one[b"ctts"], "!Ii") if b"ctts" in one else [0] * count
        keys = None
        if b"stss" in one:
            n = self.u32(one[b"stss"] + 4)
            keys = set(struct.unpack_from("!%dI" % n, self.data, one[b"stss"] + 8))
        wide = b"co64" in one
        at = one[b"co64" if wide else b"stco"]
        chunks = struct.unpack_from("!%d%s" % (self.u32(at + 4), "Q" if wide else "I"), self.data, at + 8)
        at = one[b"stsc"]
        groups = [self.u32(at + 8 + 12 * i, 3) for i in range(self.u32(at + 4))]
        sample = time = 0
        for number, offset in enumerate(chunks, 1):
            for _ in range([g for g in groups if g[0] <= number][-1][1]):
                key = keys is None or sample + 1 in keys
                track.samples.append((offset, sizes[sample], time, shifts[sample], key))
                offset, time, sample = offset + sizes[sample], time + durations[sample], sample + 1

    def runs(self, at, form):
        """A run-length table (stts, ctts) written out."""
        values = []
        for i in range(self.u32(at + 4)):
            count, value = struct.unpack_from(form, self.data, at + 8 + 8 * i)
            values += [value] * count
        return values

    def fragment(self, moof):
        """Samples of one movie fragment."""
        self.fragments += 1
        for traf in self.inner(moof, b"traf"):
            head = self.inner(traf, b"tfhd")[0].content
            flags, number, at = self.u32(head) & 0xFFFFFF, self.u32(head + 4), head + 8
            track = self.tracks[number]
            base, given = moof.start, list(track.defaults)
            if flags & 1:
                base, at = self.u64(at), at + 8
            at += 4 if flags & 2 else 0
            for bit, i in ((8, 0), (16, 1), (32, 2)):
                if flags & bit:
                    given[i], at = self.u32(at), at + 4
            decode = self.inner(traf, b"tfdt")
            if decode:
                at = decode[0].content
                time = self.u64(at + 4) if self.data[at] else self.u32(at + 4)
            else:
                time = sum(track.samples[-1][2:3])
            for trun in self.inner(traf, b"trun"):
                time = self.run(track, trun.content, base, given, time)

    def run(self, track, at, base, given, time):
        """Samples of one track run; the decoding time after it."""
        version, flags, count = self.data[at], self.u32(at) & 0xFFFFFF, self.u32(at + 4)
        at, offset, first = at + 8, base, None
        if flags & 1:
            offset, at = base + struct.unpack_from("!i", self.data, at)[0], at + 4
        if flags & 4:
            first, at = self.u32(at), at + 4
        for i in range(count):
            duration, size, sample_flags = given
            shift = 0
            if flags & 0x100:
                duration, at = self.u32(at), at + 4
            if flags & 0x200:
                size, at = self.u32(at), at + 4
            if flags & 0x400:
                sample_flags, at = self.u32(at), at + 4
            elif i == 0 and first is not None:
                sample_flags = first
            if flags & 0x800:
                shift, at = struct.unpack_from("!i" if version else "!I", self.data, at)[0], at + 4
            if offset + size > len(self.data):
                raise ValueError("%s: sample at %d of %d bytes is beyond the end" % (self.path, offset, size))
            track.samples.append((offset, size, time, shift, not sample_flags & 0x10000))
            offset, time = offset + size, time + duration
        return time

    def parts(self, track, sample):
        """A sample's NAL units, or its one audio frame."""
        data = self.data[sample[0]:sample[0] + sample[1]]
        return nal.split_lengths(data, track.nal_size) if track.codec in ("h264", "h265") else [data]
