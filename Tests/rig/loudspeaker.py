#!/usr/bin/python3
"""A camera with a loudspeaker: video without end, and ONVIF's back channel, of which it says what it heard.

  loudspeaker.py [--format pcmu|pcma|aac|both|opus|none|unknown] [--login] [--leaves SECONDS] [--address ADDRESS]
prints `camera URL`, then `ready`. The line `told` on stdin prints one line of JSON: what it was asked and what was wrong with
that, and of what was said: packets, what was wrong with them, how long sound came, how long it was no silence, its frequency.
`none`: it knows ONVIF's back channel and has none; `unknown`: it does not know it; `both`: AAC before A-law. With --leaves
it ends the connection of who talks after so long. The line `leave` ends the connections of those who talk now; `deaf`: what they
send is not read any more, until `hear`. Ends with its standard input.
"""
import argparse
import array
import itertools
import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
import warnings

warnings.filterwarnings("ignore", category=DeprecationWarning)
import audioop  # noqa: E402

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "quirks"))
import media  # noqa: E402
from server import Camera, Login  # noqa: E402

REQUIREMENT = "www.onvif.org/ver20/backchannel"
QUIET = 400                 # samples below this are silence
FORMS = {
    "pcmu": ("RTP/AVP 0", ["a=rtpmap:0 PCMU/8000"]),
    "pcma": ("RTP/AVP 8", ["a=rtpmap:8 PCMA/8000"]),
    "aac": ("RTP/AVP 97", ["a=rtpmap:97 MPEG4-GENERIC/16000/1",
                           "a=fmtp:97 streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1408"]),
    "both": ("RTP/AVP 97 8", ["a=rtpmap:97 MPEG4-GENERIC/16000/1", "a=rtpmap:8 PCMA/8000"]),
    "opus": ("RTP/AVP 98", ["a=rtpmap:98 OPUS/48000/2"]),
}
RATES = {0: 8_000, 8: 8_000, 97: 16_000}
STEPS = {0: 160, 8: 160, 97: 1_024}


def tone(sound, rate):
    """The frequency in Hz of a tone in samples of 16 bits, by its periods; 0 where a fifth of them differs by more than a tenth. What a
    talker leaves out, because it comes too late on a busy machine, leaves odd periods at the seams, which are no part of the tone."""
    samples = array.array("h", sound)
    rises = [at for at in range(1, len(samples)) if samples[at - 1] < 0 <= samples[at]]
    periods = [after - before for before, after in zip(rises, rises[1:])]
    if not periods:
        return 0
    usual = statistics.median(periods)
    own = [period for period in periods if abs(period - usual) <= usual / 10]
    return rate * len(own) / sum(own) if len(own) * 5 >= len(periods) * 4 else 0


class Heard:
    """What one talker has sent."""

    def __init__(self):
        self.wrong, self.last, self.begun, self.at, self.kind, self.payloads = [], None, None, None, None, []
        self.widest = 0.0

    def complain(self, what):
        if what not in self.wrong and len(self.wrong) < 20:
            self.wrong.append(what)

    def take(self, packet):
        """One packet of RTP."""
        now = time.monotonic()
        first, kind, sequence, stamp, source = struct.unpack("!BBHII", packet[:12])
        payload, kind, marked = packet[12:], kind & 0x7F, kind >> 7
        if first != 0x80:
            self.complain("a head of %02x" % first)
        if self.kind is None:
            self.kind, self.begun = kind, now
            if not marked:
                self.complain("the first packet is not marked")
        elif kind != self.kind:
            self.complain("another payload type: %d" % kind)
        if self.last:
            if source != self.last[2]:
                self.complain("another source")
            if sequence != (self.last[0] + 1) & 0xFFFF:
                self.complain("a number is missing")
            if stamp != (self.last[1] + STEPS.get(kind, 0)) & 0xFFFFFFFF:
                self.complain("stamps step by %d" % ((stamp - self.last[1]) & 0xFFFFFFFF))
            self.widest = max(self.widest, now - self.at)
        if kind != 97 and len(payload) != STEPS.get(kind):
            self.complain("a packet of %d bytes" % len(payload))
        self.last, self.at = (sequence, stamp, source), now
        self.payloads.append(payload)

    def samples(self):
        """What was heard, in samples of 16 bits."""
        data = b"".join(self.payloads)
        if self.kind == 0:
            return audioop.ulaw2lin(data, 2)
        if self.kind == 8:
            return audioop.alaw2lin(data, 2)
        units = []
        for payload in self.payloads:
            bits, head = struct.unpack("!HH", payload[:4])
            if bits != 16 or head >> 3 != len(payload) - 4:
                self.complain("a table of sizes that does not fit")
            size = len(payload) + 3
            # Behind a head of ADTS: AAC LC, 16 kHz, one channel.
            units.append(bytes([0xFF, 0xF1, 0x60, 0x40 | size >> 11, size >> 3 & 0xFF, (size & 7) << 5 | 0x1F, 0xFC]) + payload[4:])
        return subprocess.run(["ffmpeg", "-v", "error", "-f", "aac", "-i", "-", "-f", "s16le", "-"], input=b"".join(units),
                              capture_output=True, check=True).stdout

    def told(self):
        """What came, in numbers."""
        if self.kind is None:
            return None
        samples, rate = self.samples(), RATES[self.kind]
        block = rate // 100 * 2
        blocks = [samples[at:at + block] for at in range(0, len(samples) - block + 1, block)]
        loud = [audioop.max(one, 2) > QUIET for one in blocks]
        spoken = b"".join(one for one, is_loud in zip(blocks, loud) if is_loud)
        first = loud.index(True) if True in loud else len(loud)
        last = len(loud) - 1 - loud[::-1].index(True) if True in loud else first
        seconds = len(spoken) / 2 / rate
        return {"payloadType": self.kind, "packets": len(self.payloads), "wrong": self.wrong,
                "seconds": self.at - self.begun, "spoken": seconds, "holes": loud[first:last].count(False) / 100,
                "tone": tone(spoken, rate), "widest": self.widest}


class Loudspeaker(Camera):
    """A second of video again and again, and a back channel for who asks for it by ONVIF's word."""

    sound, path = None, "/live"

    def __init__(self, options):
        self.options, self.host = options, options.address
        if options.login:
            self.login = Login('Digest realm="REALM", nonce="NONCE", qop="auth"')
        super().__init__()
        # Little waits in the kernel of what is not read.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        self.talks, self.talking = [], []
        self.hears = threading.Event()
        self.hears.set()

    def expect(self, kind, parts):
        """Nobody asks what must be recorded."""

    def wants(self, request):
        return request.fields.get("require") == REQUIREMENT

    def on_describe(self, talk, request):
        talk.speaks = self.wants(request)
        if talk.speaks and self.options.format == "unknown":
            talk.answer(request, "551 Option not supported", ["Unsupported: " + REQUIREMENT])
            return
        super().on_describe(talk, request)

    def sdp(self, talk):
        text = super().sdp(talk)
        form = FORMS.get(self.options.format)
        if not talk.speaks or not form:
            return text
        return text.replace("a=control:track1", "a=control:track1\r\na=recvonly") + "\r\n".join(
            ["m=audio 0 " + form[0], *form[1], "a=control:trackBack", "a=sendonly"]) + "\r\n"

    def on_setup(self, talk, request):
        if not request.uri.endswith("/trackBack"):
            if getattr(talk, "speaks", False):
                self.complain("SETUP of what is not the back channel")
            super().on_setup(talk, request)
            return
        if not self.wants(request):
            self.complain("SETUP of the back channel without ONVIF's word")
        # Not the channels that were asked for.
        talk.heard, talk.channel = Heard(), 4
        with self.lock:
            self.talks.append(talk.heard)
            self.talking.append(talk)
        talk.answer(request, headers=["Session: " + self.session + ";timeout=4",
                                      "Transport: RTP/AVP/TCP;unicast;interleaved=4-5"])

    def on_play(self, talk, request):
        if not getattr(talk, "heard", None):
            super().on_play(talk, request)
            return
        if not self.wants(request):
            self.complain("PLAY of the back channel without ONVIF's word")
        talk.answer(request, headers=["Session: " + self.session])
        talk.alive = time.monotonic()
        if self.options.leaves:
            threading.Timer(self.options.leaves, talk.finish).start()

    def heard(self, talk, channel, packet):
        if not getattr(talk, "heard", None):
            super().heard(talk, channel, packet)
            return
        self.hears.wait()
        if channel != talk.channel:
            self.complain("sound in channel %d" % channel)
        if time.monotonic() - talk.alive > 8:
            self.complain("no sign of life for 8 s")
        with self.lock:
            talk.heard.take(packet)

    def play(self, talk):
        tracks = [t for t in talk.tracks.values() if t.channels or t.target]
        begin = time.monotonic()
        for number in itertools.count():
            if talk.ended:
                return
            time.sleep(max(0, begin + number / media.FRAMES - time.monotonic()))
            for track in tracks:
                units = list(media.video(self.codec)[number % media.FRAMES])
                for packet in track.packets(units, number * media.STEP):
                    self.send_packet(talk, track, packet)

    def leave(self):
        """Ends the connections of those who talk."""
        with self.lock:
            talking, self.talking = self.talking, []
        for talk in talking:
            talk.finish()

    def told(self):
        told = super().told()
        with self.lock:
            talks = [talk.told() for talk in self.talks]
            open_ = sum(not talk.ended for talk in self.talking)
        return {"open": open_, "connections": told["connections"], "asked": told["asked"], "complaints": told["complaints"],
                "talks": [talk for talk in talks if talk]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", default="pcmu", choices=[*FORMS, "none", "unknown"])
    parser.add_argument("--login", action="store_true")
    parser.add_argument("--leaves", type=float, default=0)
    parser.add_argument("--address", default="127.0.0.1", help="where it listens")
    camera = Loudspeaker(parser.parse_args())
    print("camera " + camera.address)
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "told":
            print(json.dumps(camera.told()), flush=True)
        elif line.strip() == "leave":
            camera.leave()
        elif line.strip() == "deaf":
            camera.hears.clear()
        elif line.strip() == "hear":
            camera.hears.set()


if __name__ == "__main__":
    main()
