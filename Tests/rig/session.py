"""What a camera sends while it has clients: which unit when, under which RTP timestamp, with which faults; and its log."""
import json
import random
import sys
import zlib

from gi.repository import Gst

import nal
import rtp

SEC = 1_000_000_000


class Faults:
    """How a camera misbehaves. Times are seconds since its clients began to play, unless said otherwise."""

    def __init__(self):
        self.jumps = []             # (at, seconds): from `at` on, RTP timestamps are off by that much
        self.repeat_every = 0       # each Nth video frame repeats the timestamp before it
        self.noise_ms = 0           # timestamps are wrong by up to this much, either way
        self.freeze = None          # (at, seconds): timestamps stand still
        self.drift = 1.0            # the camera's clock runs this much too fast
        self.key = "normal"         # normal, first (never again after the first), none
        self.audio_late = 0.0       # audio begins so much later
        self.wrap = False           # timestamps wrap 5 s after the start, sequence numbers at once
        self.stall = None           # (every, seconds)
        self.stall_mode = "pause"   # pause: goes on where it stopped; lose: frames are lost; burst: sent late
        self.stamp = False          # each video frame carries an SEI with its index, so no two are alike
        self.in_band = True         # parameter sets are repeated before key frames


class Cursor:
    """Walks one track for ever: over the loop point, and over to the next source when the camera is switched."""

    def __init__(self, session, media, start):
        self.session, self.media = session, media
        self.source, self.base, self.index = session.source, 0, 0
        units = self.source.track(media).units
        if media == "video":
            # A camera sends a key frame when somebody begins to watch.
            self.index = max((i for i, u in enumerate(units) if u.key and u.send <= start), default=0)
        else:
            self.index = next((i for i, u in enumerate(units) if u.pts >= start), 0)
            if units[self.index].pts < start:
                self.base = self.source.length

    def current(self):
        """(send, pts, unit) in media time, or None when the source has no such track any more."""
        track = self.source.track(self.media)
        if track is None:
            return None
        unit = track.units[self.index]
        return self.base + unit.send, self.base + unit.pts, unit

    def advance(self):
        """Goes to the next unit, round the loop."""
        units = self.source.track(self.media).units
        self.index += 1
        if self.index == len(units) or units[self.index].pts >= self.source.length + units[0].send:
            self.index, self.base = 0, self.base + self.source.length

    def switch(self, source, base):
        """Continues with the first unit of another source, at media time `base`."""
        self.source, self.base, self.index = source, base, 0


class Stream:
    """One track of one session: sequence numbers, timestamps, and the pad it goes out by."""

    def __init__(self, session, track, pay, payload_type, ssrc):
        faults = session.camera.faults
        self.session, self.track, self.pay, self.payload_type, self.ssrc = session, track, pay, payload_type, ssrc
        self.random = random.Random("%s/%s" % (session.camera.name, track.media))
        self.sequence = 65_500 if faults.wrap else self.random.randrange(65_536)
        self.base = (1 << 32) - 5 * track.clock_rate if faults.wrap else self.random.randrange(1 << 32)
        self.sent, self.keys, self.last = 0, 0, None
        self.cursor = None
        pay.set_property("pt", payload_type)
        pay.set_property("seqnum", self.sequence)
        pay.set_property("timestamp", self.base)

    def timestamp(self, elapsed):
        """The RTP timestamp of a unit taken `elapsed` ns after the start, with the camera's lies."""
        f = self.session.camera.faults
        seconds = elapsed / SEC
        lie = sum(delta for at, delta in f.jumps if seconds >= at)
        if f.freeze and f.freeze[0] <= seconds < f.freeze[0] + f.freeze[1]:
            seconds = f.freeze[0]
        if f.noise_ms:
            lie += self.random.uniform(-f.noise_ms, f.noise_ms) / 1000
        if f.repeat_every and self.last is not None and self.track.media == "video" \
                and self.sent % f.repeat_every == 0:
            return self.last
        self.last = (self.base + round((seconds * f.drift + lie) * self.track.clock_rate)) & 0xFFFFFFFF
        return self.last

    def parts(self, unit, index):
        """The unit's NAL units or frame as this camera sends them, or None where it withholds the unit."""
        f, track = self.session.camera.faults, self.track
        if track.media == "audio":
            return unit.parts
        if unit.key and (f.key == "none" or (f.key == "first" and self.keys)):
            return None
        parts = unit.parts
        if not f.in_band:
            parts = [n for n in parts if not nal.is_parameter_set(track.codec, n)]
        return nal.stamped(track.codec, parts, index) if f.stamp else parts

    def send(self, unit, media_pts, now):
        """Sends one unit and logs it; `media_pts` is its media time, `now` the monotonic time, both in ns."""
        camera = self.session.camera
        pts = self.session.zero + media_pts - self.session.start
        if self.track.media == "audio" and pts < camera.faults.audio_late * SEC:
            return
        index = camera.counts.get(self.track.media, 0)
        parts = self.parts(unit, index)
        if parts is None:
            return
        timestamp, first = self.timestamp(pts), self.sequence
        payloads = rtp.payloads(self.track.codec, parts)
        # A marker on plain audio means "after silence" (RFC 3551): on the first packet only.
        plain = self.track.codec in ("pcmu", "pcma", "l16", "g726", "opus")
        for i, payload in enumerate(payloads):
            marker = self.sent == 0 if plain else i == len(payloads) - 1
            buffer = Gst.Buffer.new_wrapped(
                rtp.packet(payload, marker, self.payload_type, self.sequence, timestamp, self.ssrc))
            buffer.pts = self.session.running_start + max(0, pts)
            # One by one: GStreamer 1.22's RTSP server now and then dies on lists of buffers.
            self.pay.source.emit("push-buffer", buffer)
            self.sequence = (self.sequence + 1) & 0xFFFF
        self.sent += 1
        self.keys += unit.key
        camera.counts[self.track.media] = index + 1
        if camera.log:
            camera.log.unit(self, unit, parts, index, media_pts, pts, now, timestamp, first)


class Session:
    """One stretch during which a camera has clients: all of them get the same packets."""

    def __init__(self, camera, run):
        self.camera, self.run, self.source = camera, run, camera.source
        self.streams, self.running_start, self.ended = [], 0, False
        self.zero = self.start = None

    def begin(self, now):
        """The clients play: the camera goes on from where its clock stands (monotonic ns)."""
        if self.zero is not None or self.ended:
            return []
        if self.camera.epoch is None:
            self.camera.epoch = now
        position = (now - self.camera.epoch) % self.source.length
        # `zero` is the monotonic time of media time zero (a pause moves it), `start` that of the first unit's capture.
        self.zero = self.start = now - position
        for s in self.streams:
            s.cursor = Cursor(self, s.track.media, position)
            if s.track.media == "video":
                send, position, _ = s.cursor.current()
                self.zero = now - send
                self.start = self.zero + position
        running = self.streams[0].pay.source.get_current_running_time()
        self.running_start = max(0, running - (now - self.start))
        return [(self.due(s), s) for s in self.streams if s.cursor.current()]

    def due(self, stream):
        """When the stream's next unit is to be sent, in monotonic ns."""
        return self.zero + stream.cursor.current()[0]


class Log:
    """One JSON line for each unit that was sent; docs in CONTRIBUTING.md."""

    def __init__(self, path, tells=False):
        # Line by line: what was sent must be in the log however the process ends.
        self.file = open(path, "w", buffering=1)
        self.tells = tells
        self.hashes = {}

    def unit(self, stream, unit, parts, index, media_pts, pts, now, timestamp, sequence):
        """Logs one unit."""
        camera, track = stream.session.camera, stream.track
        hashes = self.hashes.get(id(parts))
        if hashes is None:
            hashes = (nal.digest(parts), nal.digest(nal.slices(track.codec, parts)) if track.media == "video" else None)
            if parts is unit.parts:
                self.hashes[id(parts)] = hashes     # the unit is kept by its source, so its id stays its own
        line = {"camera": camera.name, "track": track.media, "codec": track.codec, "run": stream.session.run,
                "index": index, "key": bool(unit.key), "mediaTimeNs": media_pts, "elapsedNs": pts, "sent": now / SEC, "rtpTime": timestamp, "rtpSequence": sequence,
                "bytes": sum(map(len, parts)), "sha256": hashes[0]}
        if hashes[1]:
            line["sha256Slices"] = hashes[1]
        self.file.write(json.dumps(line, separators=(",", ":")) + "\n")

    def event(self, camera, what, now, **more):
        """Logs what happened to a camera: connect, disconnect, play, end, stop, start,
        stall, resume, switch, drop."""
        line = json.dumps({"camera": camera.name, "event": what, "sent": now / SEC, **more}) + "\n"
        self.file.write(line)
        self.file.flush()
        if self.tells:
            sys.stdout.write(line)
            sys.stdout.flush()


def ssrc_of(name, media, run):
    """A stable SSRC, so that two runs of the rig are alike."""
    return zlib.crc32(("%s/%s/%d" % (name, media, run)).encode()) or 1
