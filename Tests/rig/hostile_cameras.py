#!/usr/bin/python3
"""Cameras that attack with what they play, without end: over the budget of frames, bytes, parameter sets or sound, or against
every rule of RTP. Endpoints that do not come to PLAY are those of faulty.py.

  hostile_cameras.py [--list] [KIND…]
prints one line `camera KIND URL TRANSPORT` for each (all, without names) and then `ready`. It ends with its standard input.
"""
import argparse
import itertools
import os
import random
import socket
import struct
import sys
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "quirks"))
import media  # noqa: E402
import rtp  # noqa: E402
from server import Camera, Login  # noqa: E402

KINDS = {}
FRAME = 1 / media.FRAMES


def kind(name):
    """Registers a camera class under its name."""
    def add(camera):
        KINDS[name] = camera
        return camera
    return add


class Hostile(Camera):
    """Plays a second of video again and again, at its pace; a kind overrides the one thing that it does to its client."""

    sound, step = None, FRAME           # seconds between two pictures; 0: as fast as they are taken

    def complain(self, what):
        """Nobody asks what the client did wrong."""

    def expect(self, kind, parts):
        """Nobody asks what must be recorded."""

    def check(self, talk, request):
        self.asked.clear()

    def play(self, talk):
        tracks = [t for t in talk.tracks.values() if t.channels or t.target]
        begin = time.monotonic()
        for number in itertools.count():
            if talk.ended:
                return
            time.sleep(max(0, begin + number * self.step - time.monotonic()))
            for track in tracks:
                if track.kind == "video":
                    self.picture(talk, track, number)
                else:
                    self.noise(talk, track, number)

    def units_of(self, number):
        """The NAL units of a picture."""
        return media.video(self.codec)[number % media.FRAMES]

    def picture(self, talk, track, number):
        """Sends one picture."""
        self.send_packets(talk, track, track.packets(list(self.units_of(number)), number * media.STEP))

    def send_packets(self, talk, track, packets):
        """Sends packets in one go where there is a connection: for each one a thread would wait anew for the interpreter, and on
        a busy machine no camera of this program would be fast."""
        if track.channels:
            talk.send(b"".join(self.framed(track.channels[0], p) for p in packets))
        else:
            for packet in packets:
                self.send_packet(talk, track, packet)

    def noise(self, talk, track, number):
        """Sends the sound beside one picture."""
        frames = media.aac()
        self.send_packet(talk, track, track.packets([frames[number % len(frames)]], number * 1_920)[0])


class Bits:
    """A writer of bits, for parameter sets (H.264, 7.2 and 9.1)."""

    def __init__(self):
        self.text = ""

    def u(self, value, width):
        self.text += format(value, "0%db" % width)
        return self

    def ue(self, *values):
        for value in values:
            code = format(value + 1, "b")
            self.text += "0" * (len(code) - 1) + code
        return self

    def unit(self, head):
        """The NAL unit, with its stop bit and emulation prevention."""
        text = self.text + "1"
        text += "0" * (-len(text) % 8)
        out, zeros = bytearray([head]), 0
        for byte in int(text, 2).to_bytes(len(text) // 8, "big"):
            if zeros == 2 and byte <= 3:
                out.append(3)
                zeros = 0
            zeros = zeros + 1 if byte == 0 else 0
            out.append(byte)
        return bytes(out)


def sps(width, height, number=0):
    """A sequence parameter set of the baseline profile; `width` and `height` in macroblocks."""
    bits = Bits().u(66, 8).u(0, 8).u(62, 8).ue(number, 0, 2, 16).u(0, 1).ue(width - 1, height - 1)
    return bits.u(0b1100, 4).unit(0x67)


def pps(number=0):
    """A picture parameter set."""
    return Bits().ue(number, 0).u(0, 2).ue(0, 0, 0).u(0, 3).ue(0, 0, 0).u(0, 3).unit(0x68)


@kind("tinysound")
class TinySound(Hostile):
    """56,000 frames of one byte in a packet (`sizelength=1`)."""
    sound = "aac"

    def fmtp(self, track):
        return [line.replace("sizelength=13;indexlength=3;indexdeltalength=3", "sizelength=1;indexlength=0;indexdeltalength=0")
                for line in super().fmtp(track)]

    def noise(self, talk, track, number):
        payload = struct.pack("!H", 56_000) + b"\xff" * 7_000 + b"\x21" * 56_000
        self.send_packet(talk, track, track.packet(payload, True, number * 1_920))


@kind("smallsound")
class SmallSound(Hostile):
    """4,000 frames of sound of one byte each in a packet, as fast as they are taken."""
    sound, step = "aac", 0
    payload = struct.pack("!H", 16 * 4_000) + struct.pack("!H", 8) * 4_000 + b"\x21" * 4_000

    def noise(self, talk, track, number):
        self.send_packets(talk, track, [track.packet(self.payload, True, (number * 10 + n) * 1_920) for n in range(10)])


@kind("object42")
class Object42(Hostile):
    """Sound of an audio object type that no file stores."""
    sound = "aac"

    def fmtp(self, track):
        return [line.replace("config=" + media.AAC_CONFIG, "config=F94A4000") for line in super().fmtp(track)]


@kind("channels0")
class Channels0(Hostile):
    """Sound whose channels are described elsewhere, in what is not sent."""
    sound = "aac"

    def fmtp(self, track):
        return [line.replace("config=" + media.AAC_CONFIG, "config=1180") for line in super().fmtp(track)]


@kind("latm")
class Latm(Hostile):
    """Sound of random bytes that is said to be LATM."""
    sound = "aac"

    def rtpmap(self, track):
        return [line.replace("MPEG4-GENERIC", "MP4A-LATM") for line in super().rtpmap(track)]

    def fmtp(self, track):
        return ["a=fmtp:97 cpresent=1"] if track.kind == "audio" else super().fmtp(track)

    def noise(self, talk, track, number):
        self.send_packet(talk, track, track.packet(random.randbytes(1_200), True, number * 1_920))


@kind("changing")
class Changing(Hostile):
    """Another picture size with each frame, and each a key frame."""

    def units_of(self, number):
        return media.video(size=("320x240", "352x288", "160x128")[number % 3])[0]


@kind("hugepicture")
class HugePicture(Hostile):
    """A sequence parameter set of 16,128 by 16,128 pixels before each key frame."""
    sprop = False

    def units_of(self, number):
        slices = [u for u in super().units_of(number) if u[0] & 0x1F not in (7, 8)]
        return [sps(1_008, 1_008), pps(), *slices]


@kind("badsets")
class BadSets(Hostile):
    """Parameter sets with numbers that none may have, a thousand of them with each frame."""

    def units_of(self, number):
        return [sps(20, 15, 77), pps(300), *(pps(n % 256) for n in range(1_000)), *super().units_of(number)]


@kind("hugesets")
class HugeSets(Hostile):
    """Parameter sets of 60 kB."""

    def units_of(self, number):
        return [sps(20, 15) + random.randbytes(60_000), *super().units_of(number)]


@kind("endlessunit")
class EndlessUnit(Hostile):
    """A NAL unit in fragments that never ends."""
    step = 0

    def picture(self, talk, track, number):
        head = b"\x7c\x85" if number == 0 else b"\x7c\x05"
        self.send_packet(talk, track, track.packet(head + b"\x55" * 1_300, False, 0))


@kind("bigframes")
class BigFrames(Hostile):
    """Key frames of 4 MB, as fast as they are taken."""
    step = 0

    def picture(self, talk, track, number):
        payloads = self.payloads()
        last = len(payloads) - 1
        self.send_packets(talk, track, [track.packet(p, i == last, number * media.STEP) for i, p in enumerate(payloads)])

    @staticmethod
    @media.once
    def payloads():
        units = list(media.video()[0])
        return rtp.payloads("h264", units[:-1] + [units[-1] + b"\x55" * 4_000_000])


@kind("tinyframes")
class TinyFrames(Hostile):
    """Pictures of a few bytes, a key frame before each thousand, as fast as they are taken."""
    step = 0

    def picture(self, talk, track, number):
        begin = number * 1_000
        super().picture(talk, track, begin)
        self.send_packets(talk, track, [
            track.packet(b"\x41\x9a\x24\x6c\x41\x4f", True, (begin + n) * media.STEP) for n in range(1, 1_001)])


@kind("crumbs")
class Crumbs(Hostile):
    """Fragments without contents, as fast as they are taken, and a picture before each half million of them."""
    step = 0

    def picture(self, talk, track, number):
        if number % 10 == 0:
            super().picture(talk, track, number)
        if number == 0:
            # All numbers of packets there are, so that the same bytes follow themselves.
            track.crumbs = b"".join(self.framed(track.channels[0], track.packet(b"\x7c\x05", False, media.STEP)) for _ in range(1 << 16))
        talk.send(track.crumbs)


@kind("keyless")
class Keyless(Hostile):
    """Never a key frame."""

    def units_of(self, number):
        return super().units_of(number % 11 + 1)


@kind("flap")
class Flap(Hostile):
    """Goes away behind its first second, again and again."""

    def picture(self, talk, track, number):
        super().picture(talk, track, number)
        if number == 25:
            talk.finish()


@kind("mutevideo")
class MuteVideo(Hostile):
    """Its sound goes on when its video ends behind the first second."""
    sound = "aac"

    def picture(self, talk, track, number):
        if number < media.FRAMES:
            super().picture(talk, track, number)


@kind("times")
class Times(Hostile):
    """A time drawn anew for each picture."""

    def picture(self, talk, track, number):
        for packet in track.packets(list(self.units_of(number)), random.getrandbits(32)):
            self.send_packet(talk, track, packet)


@kind("numbers")
class Numbers(Hostile):
    """A sequence number drawn anew for each packet."""

    def picture(self, talk, track, number):
        for packet in track.packets(list(self.units_of(number)), number * media.STEP):
            self.send_packet(talk, track, packet[:2] + random.randbytes(2) + packet[4:])


@kind("sources")
class Sources(Hostile):
    """Each packet twice, the second time of another source drawn anew."""

    def picture(self, talk, track, number):
        for packet in track.packets(list(self.units_of(number)), number * media.STEP):
            self.send_packet(talk, track, packet)
            self.send_packet(talk, track, packet[:8] + random.randbytes(4) + packet[12:])


@kind("byes")
class Byes(Hostile):
    """The end of a thousand foreign sources, and reports of impossible times, with each picture."""

    def picture(self, talk, track, number):
        super().picture(talk, track, number)
        for _ in range(1_000):
            self.send_packet(talk, track, b"\x81\xcb\x00\x01" + random.randbytes(4), is_control=True)
        self.send_packet(talk, track, b"\x80\xc8\x00\x06" + random.randbytes(24), is_control=True)


@kind("randompayload")
class RandomPayload(Hostile):
    """Packets whose heads are right and whose payload is random."""

    def picture(self, talk, track, number):
        for _ in range(20):
            self.send_packet(talk, track, track.packet(random.randbytes(random.randrange(1_400)), True, number * media.STEP))


@kind("bitflips")
class BitFlips(Hostile):
    """Pictures with a changed bit in each thousand: what a decoder meets."""

    def units_of(self, number):
        units = [bytearray(u) for u in super().units_of(number)]
        for unit in units[-1:]:
            for _ in range(len(unit) // 125 + 1):
                unit[random.randrange(5, len(unit))] ^= 1 << random.randrange(8)
        return [bytes(u) for u in units]


@kind("redirect")
class Redirect(Hostile):
    """Sends each client on to itself."""

    def on_describe(self, talk, request):
        talk.answer(request, "302 Moved Temporarily", ["Location: %s/%d" % (self.address, random.getrandbits(30))])


@kind("manymedia")
class ManyMedia(Hostile):
    """Offers 900 media."""

    def sdp(self, talk):
        one = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:t%d\r\n"
        return "\r\n".join(self.head()) + "\r\n" + "".join(one % n for n in range(900))


@kind("longchallenge")
class LongChallenge(Hostile):
    """Asks for a login in 60 kB, a new one each time, and tells the one it got."""
    login = Login('Digest realm="REALM", nonce="NONCE"')

    def refuse_login(self, talk, request):
        echo = request.fields.get("authorization", "")
        talk.answer(request, "401 Unauthorized", ['WWW-Authenticate: Digest realm="%s", nonce="%08x", opaque="%s"' % (
            "r" * 30_000, random.getrandbits(32), "\x1b[31m" * 4_000), "X-Echo: " + echo])

    def allows(self, talk, request):
        self.refuse_login(talk, request)
        return False


@kind("nokeepalive")
class NoKeepAlive(Hostile):
    """Refuses every sign of life, and lets a session live for one second."""
    timeout = ";timeout=1"

    def on_get_parameter(self, talk, request):
        talk.answer(request, "500 Internal Server Error")

    on_set_parameter = on_get_parameter

    def on_options(self, talk, request):
        if talk.described:
            talk.answer(request, "500 Internal Server Error")
        else:
            super().on_options(talk, request)


@kind("datagrams")
class Datagrams(Hostile):
    """Datagrams as fast as they can be sent, of sources and ports of others too."""
    transport, step = "udp", 0

    def picture(self, talk, track, number):
        if number % 50 == 0:
            super().picture(talk, track, number // 50)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            for _ in range(200):
                other.sendto(random.randbytes(1_200), track.target[0])
        time.sleep(0.01)        # the pace of the sender: 20,000 a second are as many as a thread can make


def main():
    """Serves until its standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the kinds with what they do, and end")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    o = parser.parse_args()
    if o.list:
        print("\n".join("%-14s %s" % (name, camera.__doc__) for name, camera in KINDS.items()))
        return
    unknown = set(o.kinds) - set(KINDS)
    if unknown:
        parser.error("unknown: %s; known: %s" % (" ".join(sorted(unknown)), " ".join(KINDS)))
    for size in ("320x240", "352x288", "160x128"):
        media.video(size=size)
    media.video(), media.aac()          # made before the first client asks
    cameras = {name: KINDS[name]() for name in o.kinds or KINDS}
    for name, camera in cameras.items():
        print("camera", name, camera.address, camera.transport)
    print("ready", flush=True)
    sys.stdin.read()
    os._exit(0)                         # the connections' threads have nothing to finish


if __name__ == "__main__":
    main()
