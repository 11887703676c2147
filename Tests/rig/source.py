"""A media file as lists of access units, demultiplexed once into memory (nothing is transcoded)."""
import array
import os
import sys
import wave

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import nal  # noqa: E402

# PyGObject makes a class when it is first named: two threads of GStreamer at once would get two of one name.
CLASSES = (Gst.Bin, Gst.Buffer, Gst.Caps, Gst.ElementFactory, Gst.Event, Gst.FlowReturn, Gst.Format, Gst.GhostPad, Gst.MapInfo,
           Gst.MessageType, Gst.Sample, Gst.State, Gst.Structure)
SEC = 1_000_000_000
DEMUX = {"mp4": "qtdemux", "m4v": "qtdemux", "mov": "qtdemux", "mkv": "matroskademux", "webm": "matroskademux",
         "ts": "tsdemux", "avi": "avidemux"}
# Caps of a demultiplexer's pad -> (codec, elements that give whole frames).
KINDS = {
    "video/x-h264": ("h264", "h264parse config-interval=-1 ! video/x-h264,stream-format=byte-stream,alignment=au"),
    "video/x-h265": ("h265", "h265parse config-interval=-1 ! video/x-h265,stream-format=byte-stream,alignment=au"),
    "audio/mpeg": ("aac", "aacparse ! audio/mpeg,mpegversion=4,stream-format=raw"),
    "audio/x-opus": ("opus", "opusparse"),
    "audio/x-mulaw": ("pcmu", "identity"),
    "audio/x-alaw": ("pcma", "identity"),
    "audio/x-raw": ("l16", "audioconvert ! audio/x-raw,format=S16BE,layout=interleaved"),
}
# Audio without frames of its own goes out in packets of this length, as cameras do it.
PLAIN_PACKET_NS = 40_000_000
PLAIN_BITS = {"pcmu": 8, "pcma": 8, "l16": 16, "g726": 4}


class Unit:
    """One access unit. Times are nanoseconds from the source's start; `send` is when a camera would send it."""

    __slots__ = ("parts", "pts", "send", "key")

    def __init__(self, parts, pts, key):
        self.parts, self.pts, self.send, self.key = parts, pts, pts, key


class Track:
    """All units of one elementary stream, in coding order."""

    def __init__(self, codec):
        self.codec = codec
        self.media = "video" if codec in ("h264", "h265") else "audio"
        self.units, self.parameter_sets = [], []
        self.clock_rate, self.channels, self.config, self.end = 90_000, 1, b"", 0

    def finish(self):
        """Derives the sending times: order of coding, never before the picture was taken."""
        ordered = sorted(u.pts for u in self.units)
        delay = max(u.pts - o for u, o in zip(self.units, ordered))
        for unit, o in zip(self.units, ordered):
            unit.send = o + delay
        gaps = sorted(b - a for a, b in zip(ordered, ordered[1:]))
        self.end = ordered[-1] + (gaps[len(gaps) // 2] if gaps else SEC // 25)


class Source:
    """One file's tracks, video first, on one timeline that begins at zero."""

    def __init__(self, path, audio=True, audio_path=None):
        self.path = path
        self.tracks = demultiplex(path, audio and not audio_path)
        if audio_path:
            self.tracks = [t for t in self.tracks if t.media == "video"]
            self.tracks += [t for t in demultiplex(audio_path, True) if t.media == "audio"]
        if not self.tracks:
            sys.exit("%s: no stream that an RTSP camera can send" % path)
        first = min(u.pts for t in self.tracks for u in t.units)
        for t in self.tracks:
            for u in t.units:
                u.pts -= first
            t.finish()
        # The first track rules the loop: its frames follow each other across the loop point at the usual distance.
        self.length = self.tracks[0].end - min(u.pts for u in self.tracks[0].units)

    def track(self, media):
        """The track of that media, or None."""
        return next((t for t in self.tracks if t.media == media), None)


def demultiplex(path, audio):
    """The tracks of a file: at most one video, at most one audio."""
    extension = path.rsplit(".", 1)[-1].lower()
    if not os.path.exists(path):
        sys.exit("%s: no such file" % path)
    if extension == "g726le":
        return [plain_track("g726", open(path, "rb").read(), 8_000, 1)]
    if extension == "wav":
        with wave.open(path) as file:
            samples = array.array("h", file.readframes(file.getnframes()))
            samples.byteswap()      # little endian in the file, big endian on the wire
            return [plain_track("l16", samples.tobytes(), file.getframerate(), file.getnchannels())]
    if extension not in DEMUX:
        sys.exit("%s: cannot tell the container from its name; known: %s" % (path, " ".join(DEMUX)))
    pipeline = Gst.Pipeline.new(None)
    file, demux = Gst.ElementFactory.make("filesrc"), Gst.ElementFactory.make(DEMUX[extension])
    if demux is None:
        sys.exit("%s: GStreamer's %s is missing; `make test-deps` installs it" % (path, DEMUX[extension]))
    file.set_property("location", path)
    pipeline.add(file)
    pipeline.add(demux)
    file.link(demux)
    found = []

    def on_pad(_demux, pad):
        name = (pad.get_current_caps() or pad.query_caps(None)).get_structure(0).get_name()
        codec, chain = KINDS.get(name, (None, None))
        wanted = codec and (audio or name.startswith("video")) and name[:5] not in [n[:5] for n, _, _ in found]
        branch = Gst.parse_bin_from_description(
            "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! " +
            (chain + " ! appsink name=out sync=false emit-signals=true" if wanted else "fakesink sync=false"), True)
        pipeline.add(branch)
        if wanted:
            samples = []
            found.append((name, codec, samples))
            branch.get_by_name("out").connect("new-sample", on_sample, samples)
        branch.sync_state_with_parent()
        pad.link(branch.get_static_pad("sink"))

    def on_sample(sink, samples):
        samples.append(sink.emit("pull-sample"))
        return Gst.FlowReturn.OK

    demux.connect("pad-added", on_pad)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(60 * SEC, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    if message is None or message.type == Gst.MessageType.ERROR:
        sys.exit("%s: cannot be read: %s" % (path, message.parse_error()[0].message if message else "timed out"))
    tracks = [track_of(codec, samples) for _, codec, samples in found if samples]
    pipeline.set_state(Gst.State.NULL)
    return sorted(tracks, key=lambda t: t.media != "video")


def track_of(codec, samples):
    """A track from the demultiplexer's samples."""
    structure = samples[0].get_caps().get_structure(0)
    rate, channels = structure.get_int("rate")[1] or 8_000, structure.get_int("channels")[1] or 1
    if codec in PLAIN_BITS:
        return plain_track(codec, b"".join(bytes_of(s) for s in samples), rate, channels)
    track = Track(codec)
    if track.media == "audio":
        track.clock_rate, track.channels = (48_000 if codec == "opus" else rate), channels
        if codec == "aac":
            buffer = structure.get_value("codec_data")
            track.config = buffer.extract_dup(0, buffer.get_size())
    for sample in samples:
        buffer, data = sample.get_buffer(), bytes_of(sample)
        time = buffer.pts if buffer.pts != Gst.CLOCK_TIME_NONE else buffer.dts
        if time == Gst.CLOCK_TIME_NONE or not data:
            continue
        segment = sample.get_segment()
        # May be below zero (priming, reordering); Source moves the whole file to begin at zero.
        time = int(time) - int(segment.start if segment.format == Gst.Format.TIME else 0)
        parts = nal.split_annex_b(data) if track.media == "video" else [data]
        key = nal.is_key(codec, parts) if track.media == "video" else True
        track.units.append(Unit(parts, time, key))
        if track.media == "video" and key and not track.parameter_sets:
            track.parameter_sets = [n for n in parts if nal.is_parameter_set(codec, n)]
    track.finish()
    return track


def plain_track(codec, data, rate, channels):
    """Audio that is nothing but samples, in packets of PLAIN_PACKET_NS."""
    track = Track(codec)
    track.clock_rate, track.channels = rate, channels
    count = rate * PLAIN_PACKET_NS // SEC
    size = count * channels * PLAIN_BITS[codec] // 8
    for i in range(len(data) // size):
        track.units.append(Unit([data[i * size:(i + 1) * size]], i * PLAIN_PACKET_NS, True))
    track.finish()
    return track


def bytes_of(sample):
    """The bytes of a sample's buffer."""
    buffer = sample.get_buffer()
    return buffer.extract_dup(0, buffer.get_size())
