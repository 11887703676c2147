"""What a strict receiver of CMAF ingest demands of each object that is put, by Matter's layout and DASH-IF Live Media Ingest."""
import re
import struct
import xml.etree.ElementTree as xml

PATH = re.compile(r"session_(?P<session>\d+)/(?:(?P<list>index\.(?:mpd|m3u8))|(?P<track>[A-Za-z0-9_.-]{1,16})/"
                  r"(?:(?P<playlist>index\.m3u8)|(?P<init>[A-Za-z0-9_.-]{1,16})\.init|segment_(?P<number>\d{4,})\.m4s))")
TYPES = {"mpd": "application/dash+xml", "m3u8": "application/x-mpegURL", "init": "video/mp4", "m4s": "video/iso.segment"}
DASH = "{urn:mpeg:dash:schema:mpd:2011}"
INITIALIZATION = "$RepresentationID$/$RepresentationID$.init"
MEDIA = "$RepresentationID$/segment_$Number%04d$.m4s"


class Broken(Exception):
    """A rule is broken; `status` is what a receiver answers."""

    def __init__(self, what, status=400):
        super().__init__(what)
        self.status = status


def need(holds, what, status=400):
    if not holds:
        raise Broken(what, status)


def boxes(data, at=0, end=None):
    """(kind, content, end) of each box."""
    end = len(data) if end is None else end
    while at < end:
        need(at + 8 <= end, "a box is cut off")
        size, kind = struct.unpack_from("!I4s", data, at)
        need(size >= 8 and at + size <= end, "box %r leaves its place" % kind)
        yield kind, at + 8, at + size
        at += size


def child(data, at, end, *kinds):
    """The content of the first box along a path."""
    for kind in kinds:
        found = [(a, e) for k, a, e in boxes(data, at, end) if k == kind]
        need(found, "there is no %s" % kind.decode())
        at, end = found[0]
    return at, end


def brands(data, at, end):
    return [data[at:at + 4]] + [data[i:i + 4] for i in range(at + 8, end, 4)]


class Header:
    """The header of a track."""

    def __init__(self, data):
        kinds = [k for k, _, _ in boxes(data)]
        need(kinds == [b"ftyp", b"moov"], "a header is ftyp and moov, not %s" % kinds)
        (_, a, e), (_, moov, moov_end) = boxes(data)
        need(b"cmfc" in brands(data, a, e), "the header's brands lack cmfc")
        need(sum(k == b"trak" for k, _, _ in boxes(data, moov, moov_end)) == 1, "a header has one track")
        mdia = child(data, moov, moov_end, b"trak", b"mdia")
        at = child(data, *mdia, b"mdhd")[0]
        self.timescale = struct.unpack_from("!I", data, at + (20 if data[at] else 12))[0]
        self.kind = data[child(data, *mdia, b"hdlr")[0] + 8:][:4].decode()
        need(self.kind in ("vide", "soun"), "a track of kind %s" % self.kind)
        need(b"btrt" in data, "the header tells no bit rate")
        trex = child(data, moov, moov_end, b"mvex", b"trex")[0]
        self.defaults = struct.unpack_from("!III", data, trex + 12)


class Segment:
    """A segment: its chunks, times and marks. `samples` are (offset, size)."""

    def __init__(self, data, header):
        self.sequences, self.chunks, self.samples = [], [], []
        self.slat = self.lmsg = False
        state, first = "styp", True
        for kind, at, end in boxes(data):
            if kind == b"styp":
                need(state in ("styp", "styp or end"), "styp stands where %s should" % state)
                marks = brands(data, at, end)
                need(marks[0] == (b"cmfs" if first else b"cmfl"), "a %s chunk of brand %r" % ("first" if first else "later", marks[0]))
                self.slat, self.lmsg = self.slat or b"slat" in marks, b"lmsg" in marks
                state, first = "prft", False
            elif kind == b"prft":
                need(state == "prft", "prft stands where %s should" % state)
                need(struct.unpack_from("!Q", data, at + 8)[0] > 0, "prft tells no time")
                state = "moof"
            elif kind == b"moof":
                need(state == "moof", "moof stands where %s should" % state)
                self.moof(data, at, end, header)
                state = "mdat"
            else:
                need(kind == b"mdat" and state == "mdat", "box %r stands where %s should" % (kind, state))
                need(sum(s for _, s in self.samples[-self.count:]) == end - at and self.samples[-self.count][0] == at,
                     "the samples are not the mdat")
                state = "styp or end"
        need(state == "styp or end", "the segment ends where %s should stand" % state)
        self.start, self.ticks = self.chunks[0][0], sum(c[1] for c in self.chunks)
        for (start, ticks), (following, _) in zip(self.chunks, self.chunks[1:]):
            need(start + ticks == following, "a chunk does not begin where the one before ends")

    def moof(self, data, at, end, header):
        self.sequences.append(struct.unpack_from("!I", data, child(data, at, end, b"mfhd")[0] + 4)[0])
        traf = child(data, at, end, b"traf")
        head = child(data, *traf, b"tfhd")[0]
        bits, place = struct.unpack_from("!I", data, head)[0] & 0xFFFFFF, head + 8
        need(bits & 0x20000, "offsets do not count from the moof")
        given = list(header.defaults)
        for index, bit in ((0, 8), (1, 16), (2, 32)):
            if bits & bit:
                given[index] = struct.unpack_from("!I", data, place)[0]
                place += 4
        time = struct.unpack_from("!Q", data, child(data, *traf, b"tfdt")[0] + 4)[0]
        run = child(data, *traf, b"trun")[0]
        bits, self.count, offset = struct.unpack_from("!IIi", data, run)
        place, data_at, ticks = run + 12, at - 8 + offset, 0
        flags = given[2]
        if bits & 4:
            flags = struct.unpack_from("!I", data, place)[0]
            place += 4
        for number in range(self.count):
            values = []
            for bit, standard in ((0x100, given[0]), (0x200, given[1]), (0x400, given[2]), (0x800, 0)):
                if bits & bit:
                    values.append(struct.unpack_from("!I", data, place)[0])
                    place += 4
                else:
                    values.append(standard)
            if number == 0 and bits & 0x400:
                flags = values[2]
            self.samples.append((data_at, values[1]))
            data_at, ticks = data_at + values[1], ticks + values[0]
        if not self.chunks:
            need(not flags & 0x10000, "the segment does not begin with a key frame")
        self.chunks.append((time, ticks))


class Track:
    def __init__(self):
        self.header_bytes = self.header = self.first_list = self.last_list = None
        self.segments, self.bytes, self.sequence, self.length = [], {}, 0, 0


class Session:
    """What was put of a session so far, by the state machine of Matter's receiver."""

    def __init__(self, interface):
        self.interface, self.tracks, self.first, self.last = interface, {}, None, None
        self.names, self.unmarked = None, False

    @property
    def complete(self):
        if self.interface == "hls":
            return bool(self.tracks) and all(t.last_list for t in self.tracks.values())
        return self.last is not None


class Rules:
    def __init__(self, interface, names=None, segment_ms=None):
        self.interface, self.names, self.segment_ms = interface, names, segment_ms
        self.sessions, self.problems, self.repeated = {}, [], 0

    def put(self, path, fields, body):
        """Takes an object. Gives the name of its file, or None where it is a repetition; raises `Broken`."""
        found = PATH.fullmatch(path)
        need(found, "no path of CMAF ingest: %s" % path, 403)
        ext = path.rsplit(".", 1)[1]
        need(fields.get("content-type") == TYPES[ext], "%s is of type %s" % (path, fields.get("content-type")), 415)
        need(fields.get("user-agent"), "no User-Agent")
        number = int(found["session"])
        if number not in self.sessions:
            need(not self.sessions or number > max(self.sessions), "session %d after %s" % (number, list(self.sessions)))
            need(found["list"], "session %d begins with %s" % (number, path))
            self.sessions[number] = Session(self.interface)
        session = self.sessions[number]
        if found["list"]:
            return self.manifest(session, path, body)
        name = found["track"]
        need(name in session.names, "there is no track %s" % name)
        track = session.tracks.setdefault(name, Track())
        if found["playlist"]:
            return self.playlist(session, track, path, body)
        if found["init"]:
            return self.init(session, track, name, found["init"], path, body)
        return self.media(session, track, int(found["number"]), path, fields, body)

    def init(self, session, track, name, own, path, body):
        need(own == name, "the header of track %s is called %s" % (name, own))
        if track.header_bytes is not None:
            need(track.header_bytes == body, "another header of track %s" % name, 409)
            self.repeated += 1
            return None
        need(self.interface != "hls" or track.first_list, "the header of %s comes before its list" % name)
        need(not session.complete, "a header after the end of the session")
        track.header, track.header_bytes = Header(body), body
        return path

    def media(self, session, track, number, path, fields, body):
        if number in track.bytes:
            need(track.bytes[number] == body, "%s is put with other bytes" % path, 409)
            self.repeated += 1
            return None
        need(track.header, "media before the header", 412)
        need(not session.complete, "%s after the end of the session" % path)
        need(number == len(track.segments) + 1, "%s follows number %d" % (path, len(track.segments)))
        need(not track.segments or not track.segments[-1].lmsg, "%s follows the last segment" % path)
        segment = Segment(body, track.header)
        expected = list(range(track.sequence + 1, track.sequence + 1 + len(segment.sequences)))
        need(segment.sequences == expected, "%s: chunks %s follow %d" % (path, segment.sequences, track.sequence))
        gap = segment.start - track.length
        # A session is 0 where its first track begins; the other one follows within a second.
        need(0 <= gap < track.header.timescale / (100 if track.segments else 1), "%s: %d ticks are missing before it" % (path, gap))
        length_ms = segment.ticks * 1000 / track.header.timescale
        need(length_ms <= 80_000, "%s is %d ms long" % (path, length_ms))
        if self.segment_ms and not segment.slat and not segment.lmsg and track.header.kind == "vide":
            need(length_ms >= self.segment_ms * 0.9, "%s is %d ms long, and should be %d" % (path, length_ms, self.segment_ms))
        if self.interface == "hls":
            told = fields.get("x-extinf-duration", "")
            need(re.fullmatch(r"\d+\.\d+", told), "%s: X-EXTINF-duration is %r" % (path, told))
            need(abs(float(told) * 1000 - length_ms) < 1, "%s is %d ms long, and says %s s" % (path, length_ms, told))
        track.sequence, track.length = segment.sequences[-1], segment.start + segment.ticks
        track.segments.append(segment)
        track.bytes[number] = body
        return path

    # Lists.

    def manifest(self, session, path, body):
        if path.endswith("m3u8"):
            need(self.interface == "hls", "a playlist of HLS")
            if session.first is not None:
                need(session.first == body, "another list of lists", 409)
                self.repeated += 1
                return None
            text = body.decode()
            need(text.startswith("#EXTM3U\n"), "no playlist")
            names = re.findall(r'^(?!#)(\S+)/index\.m3u8$|URI="([^"/]+)/index\.m3u8"', text, re.M)
            self.named(session, ["".join(n) for n in names])
            need("#EXT-X-STREAM-INF:BANDWIDTH=" in text and "CODECS=" in text, "no variant")
            session.first = body
            return path
        need(self.interface != "hls", "a manifest of DASH")
        if body in (session.first, session.last):
            self.repeated += 1
            return None
        root = xml.fromstring(body)
        need(root.tag == DASH + "MPD", "no manifest")
        need(not list(root.iter(DASH + "BaseURL")), "the manifest has a BaseURL")
        periods = root.findall(DASH + "Period")
        need(len(periods) == 1, "%d periods" % len(periods))
        sets = periods[0].findall(DASH + "AdaptationSet")
        templates = [t for s in sets for t in s.iter(DASH + "SegmentTemplate")]
        need(len(templates) == len(sets), "a set without one template")
        for template in templates:
            need(template.get("initialization") == INITIALIZATION and template.get("media") == MEDIA, "other templates")
            need(template.get("startNumber") == "1", "segments begin with %s" % template.get("startNumber"))
        names = [r.get("id") for s in sets for r in s.findall(DASH + "Representation")]
        if session.first is None:
            need(root.get("type") == "dynamic", "the first manifest is %s" % root.get("type"))
            need(root.get("availabilityStartTime") == "1970-01-01T00:00:00Z", "it does not count from the epoch")
            self.named(session, names)
            session.first = body
            return path
        need(session.last is None, "another manifest after the end of the session", 409)
        need(root.get("type") == "static", "the manifest is %s after the media" % root.get("type"))
        need(names == session.names, "the tracks are %s, and were %s" % (names, session.names))
        for name, template in zip(names, templates):
            told = [(int(s.get("t")), int(s.get("d"))) for s in template.iter(DASH + "S")]
            track = session.tracks.get(name, Track())
            need(told == [(s.start, s.ticks) for s in track.segments], "the manifest lists %d segments of %s, not the %d that came"
                 % (len(told), name, len(track.segments)))
        self.tail(session)
        session.last = body
        return path

    def playlist(self, session, track, path, body):
        need(self.interface == "hls", "a playlist of HLS")
        if body in (track.first_list, track.last_list):
            self.repeated += 1
            return None
        text = body.decode()
        need(text.startswith("#EXTM3U\n") and "#EXT-X-TARGETDURATION:" in text and "#EXT-X-MAP:URI=" in text, "no playlist")
        if track.first_list is None:
            need(not re.search(r"PLAYLIST-TYPE|ENDLIST|EXTINF|\.m4s", text), "the first list of a track says too much")
            track.first_list = body
            return path
        need(track.last_list is None, "another list of the track after its end", 409)
        need("#EXT-X-PLAYLIST-TYPE:VOD" in text and text.endswith("#EXT-X-ENDLIST\n"), "the last list of a track does not say so")
        told = re.findall(r"#EXTINF:([\d.]+),\nsegment_(\d+)\.m4s\n", text)
        need([int(n) for _, n in told] == list(range(1, len(track.segments) + 1)), "the list has %d segments, and %d came"
             % (len(told), len(track.segments)))
        target = int(re.search(r"TARGETDURATION:(\d+)", text)[1])
        for (length, number), segment in zip(told, track.segments):
            need(abs(float(length) - segment.ticks / track.header.timescale) < 0.001, "segment %s is told as %s s" % (number, length))
            need(float(length) < target + 0.5, "segment %s is longer than the target" % number)
        track.last_list = body
        self.tail(session)
        return path

    def named(self, session, names):
        need(names and len(set(names)) == len(names), "tracks %s" % names)
        need(self.names is None or set(names) <= set(self.names), "tracks %s, and should be of %s" % (names, self.names))
        session.names = names

    def tail(self, session):
        """Whether the last segment of each track says so; where the sender had to leave the rest out, it cannot."""
        for name in session.names:
            track = session.tracks.get(name)
            need(track and track.header, "track %s has no header" % name)
            if track.segments and not track.segments[-1].lmsg:
                session.unmarked = True

    def report(self):
        """All of it, for JSON."""
        out = {}
        for number, session in self.sessions.items():
            out[str(number)] = {
                "complete": session.complete, "marked": not session.unmarked,
                "tracks": {name: {
                    "kind": t.header.kind if t.header else None, "segments": len(t.segments),
                    "fillers": sum(s.slat for s in t.segments), "chunks": t.sequence,
                    "bytes": sum(len(b) for b in t.bytes.values()),
                    "ms": round(t.length * 1000 / t.header.timescale) if t.header else 0,
                    "longestMs": round(max((s.ticks for s in t.segments), default=0) * 1000 / t.header.timescale) if t.header else 0,
                } for name, t in session.tracks.items()}}
        return {"sessions": out, "problems": self.problems, "repeated": self.repeated}
