"""Rows 57 to 73 and those beside them: packets of others, video and audio packets, numbers and times."""
import random
import struct
import time

import media
import nal
import rtp
from registry import row
from server import Camera

OLD = 0x0BADCAFE            # the source number of a session that has ended


class Packets(Camera):
    """A camera without sound whose packets a row makes."""

    sound = None

    def payloads(self, track, parts):
        """The payloads of one access unit."""
        return rtp.payloads(track.codec, parts)

    def mark(self, track, payload, index, count):
        """Whether a packet bears the marker."""
        return index == count - 1

    def stamp(self, ticks, index):
        """The time of a picture on the camera's clock."""
        return ticks

    def send_unit(self, talk, track, packets):
        """Sends the packets of one access unit."""
        for packet in packets:
            self.send_packet(talk, track, packet)

    def play(self, talk):
        super().play(talk)
        # Datagrams have no end of their own.
        for track in talk.tracks.values():
            if track.target:
                time.sleep(0.3)
                self.send_packet(talk, track, struct.pack("!BBHI", 0x81, 203, 1, track.ssrc), is_control=True)

    def unit(self, talk, track, ticks, parts):
        self.expect(track.kind, parts)
        payloads = self.payloads(track, parts)
        stamp = self.stamp(ticks, ticks // media.STEP) if track.kind == "video" else ticks
        self.send_unit(talk, track, [track.packet(p, self.mark(track, p, i, len(payloads)), stamp)
                                     for i, p in enumerate(payloads)])


def numbered(packet, sequence=None, ssrc=None, kind=None, ticks=None):
    """A packet with another number, source, payload type or time."""
    first, second, own, stamp, source = struct.unpack("!BBHII", packet[:12])
    return struct.pack("!BBHII", first, second if kind is None else second & 0x80 | kind,
                       own if sequence is None else sequence & 0xFFFF, stamp if ticks is None else ticks & 0xFFFFFFFF,
                       source if ssrc is None else ssrc) + packet[12:]


# Whose packets they are.

@row(26, "SSRC decimal", "writes the source number in decimal")
class DecimalSource(Packets):
    def told_source(self, track):
        """What the answer to SETUP says."""
        return "%d" % track.ssrc

    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP/TCP;unicast;interleaved=%d-%d;ssrc=%s" % (*track.channels, self.told_source(track))]


@row(26, "SSRC wrong", "writes a source number that no packet has")
class WrongSource(DecimalSource):
    def told_source(self, track):
        return "DEADBEEF"


@row(26, "SSRC short and with a blank", "writes the source number without its zeros, behind a blank")
class ShortSource(DecimalSource):
    def tracks(self):
        made = super().tracks()
        made[0].ssrc = 0x00000A0B
        return made

    def told_source(self, track):
        return " %X" % track.ssrc


@row(34, "channels never set up", "sends on channels that were never set up")
class OtherChannels(Packets):
    def send_unit(self, talk, track, packets):
        for i, packet in enumerate(packets):
            talk.interleave(4 + i % 100, b"whatever this is")
            super().send_unit(talk, track, [packet])


@row(36, "old session", "goes on with an old session in the channel of the new one, and announces the new source")
class OldSession(Packets):
    old = 300

    def old_packet(self, packet):
        """The next packet of the old session, like this one."""
        self.old += 1
        return numbered(packet, self.old, OLD, ticks=0x40000000 + self.old * 100)

    def send_unit(self, talk, track, packets):
        for packet in packets:
            super().send_unit(talk, track, [self.old_packet(packet), packet])


@row(36, "old session, not announced", "the same, and says of no source which one it is; its own packets come first")
class SilentOldSession(OldSession):
    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP/TCP;unicast;interleaved=%d-%d" % track.channels]

    def send_unit(self, talk, track, packets):
        for packet in packets:
            Packets.send_unit(self, talk, track, [packet, self.old_packet(packet)])


@row(36, "new source in mid-stream", "takes another source number, other sequence numbers and another time in mid-stream")
class NewSource(Packets):
    pace = 0.04

    def send_unit(self, talk, track, packets):
        if track.ssrc != OLD and len(self.expected["video"]) > 8:
            track.ssrc, track.sequence, track.base = OLD, 7, 0x12345678
            packets = [numbered(p, 7 + i, OLD, ticks=track.base + 8 * media.STEP) for i, p in enumerate(packets)]
            track.sequence += len(packets)
        super().send_unit(talk, track, packets)


@row(46, "foreign reports", "sends BYE and sender reports of foreign sources, broken RTCP, and SDES without end")
class ForeignReports(Packets):
    def send_unit(self, talk, track, packets):
        for report in (struct.pack("!BBHI", 0x81, 203, 1, OLD), struct.pack("!BBHI", 0x80, 203, 9, track.ssrc),
                       struct.pack("!BBHIBBH", 0x81, 202, 2, track.ssrc, 1, 200, 0x4141), b"", b"\x80",
                       struct.pack("!BBHIQIII", 0x80, 200, 6, OLD, 1 << 63, 5, 1, 1)):
            self.send_packet(talk, track, report, is_control=True)
        super().send_unit(talk, track, packets)


@row(57, "foreign payload type", "puts packets of a payload type that nobody knows (50) into the channel")
class ForeignType(Packets):
    def send_unit(self, talk, track, packets):
        for i, packet in enumerate(packets):
            foreign = numbered(packet, i, kind=50)[:12] + b"\x65\x88" + b"\x01" * 40
            super().send_unit(talk, track, [foreign, packet])


@row(57, "foreign payload type in the same numbers", "the same, and counts them with its own")
class CountedForeignType(Packets):
    def payloads(self, track, parts):
        return [x for p in super().payloads(track, parts) for x in (p, b"\x65\x88foreign")]

    def send_unit(self, talk, track, packets):
        super().send_unit(talk, track, [numbered(p, kind=50) if i % 2 else p for i, p in enumerate(packets)])


@row(57, "wrong payload type", "has another payload type in its packets than in its description")
class WrongType(Packets):
    def send_unit(self, talk, track, packets):
        super().send_unit(talk, track, [numbered(p, kind=35) for p in packets])


@row(0, "numbers stand still", "gives every packet the sequence number 0")
class StandingNumbers(Packets):
    def send_unit(self, talk, track, packets):
        super().send_unit(talk, track, [numbered(p, 0) for p in packets])


@row(0, "numbers stand still over UDP", "the same with datagrams")
class StandingDatagrams(StandingNumbers):
    transport = "udp"


@row(0, "numbers begin anew", "goes back by 90 with its sequence numbers in mid-stream, again and again")
class NumbersAnew(Packets):
    def send_unit(self, talk, track, packets):
        back = len(self.expected["video"]) // 8 * 90
        super().send_unit(talk, track, [numbered(p, struct.unpack("!H", p[2:4])[0] - back) for p in packets])


@row(0, "numbers count down", "counts its sequence numbers down")
class DownwardNumbers(Packets):
    def send_unit(self, talk, track, packets):
        super().send_unit(talk, track, [numbered(p, -struct.unpack("!H", p[2:4])[0]) for p in packets])


@row(0, "every packet twice", "sends each datagram twice")
class Twice(Packets):
    transport = "udp"

    def send_unit(self, talk, track, packets):
        super().send_unit(talk, track, [p for packet in packets for p in (packet, packet)])


@row(0, "stray bytes", "puts a line end before each packet")
class StrayBytes(Packets):
    stray = b"\r\n"

    def framed(self, channel, packet):
        return self.stray + super().framed(channel, packet)


@row(0, "stray dollar", "puts a single $ before each packet")
class StrayDollar(StrayBytes):
    stray = b"$"


@row(0, "stray rest", "puts the rest of some other packet before each packet")
class StrayRest(StrayBytes):
    stray = b"$\x00\x01\x00" + bytes(range(1, 60))


# Video.

@row(58, "marker on parameter sets", "marks parameter sets and SEI, which carry the time of the picture before")
class MarkedSets(Packets):
    def mark(self, track, payload, index, count):
        return True if payload[0] & 0x1F in (6, 7, 8) else super().mark(track, payload, index, count)

    def send_unit(self, talk, track, packets):
        for packet in packets:
            is_set = packet[12] & 0x1F in (6, 7, 8) and len(self.expected["video"]) > 1
            stamp = struct.unpack("!I", packet[4:8])[0]
            super().send_unit(talk, track, [numbered(packet, ticks=stamp - media.STEP) if is_set else packet])


@row(59, "no marker", "never sets the marker")
class NoMarker(Packets):
    def mark(self, track, payload, index, count):
        return False


@row(59, "marker on each packet", "sets the marker on each packet")
class EveryMarker(Packets):
    def mark(self, track, payload, index, count):
        return True


@row(60, "byte stream in one unit", "sends a byte stream with start codes as one NAL unit")
class ByteStream(Packets):
    def payloads(self, track, parts):
        return [b"\x00\x00\x00\x01".join(parts)]


@row(60, "byte stream over fragments", "sends a byte stream with start codes over fragments")
class FragmentedByteStream(Packets):
    def payloads(self, track, parts):
        return fragments(b"\x00\x00\x00\x01".join(parts), 333)


def fragments(unit, size=400):
    """FU-A fragments of a NAL unit, however short it is."""
    head, body = unit[0], unit[1:]
    cuts = [body[i:i + size] for i in range(0, len(body), size)]
    return [bytes([head & 0xE0 | 28, head & 0x1F | (0x80 if i == 0 else 0) | (0x40 if i == len(cuts) - 1 else 0)]) + c
            for i, c in enumerate(cuts)]


class Fragments(Packets):
    """Each unit in fragments that `change` alters."""

    def change(self, pieces):
        """The fragments of one unit as this camera sends them."""
        return pieces

    def payloads(self, track, parts):
        return [p for unit in parts for p in self.change(fragments(unit))]


@row(61, "changing type", "names another type in later fragments, and sets the reserved bit")
class ChangingType(Fragments):
    def change(self, pieces):
        return [bytes([p[0], (p[1] | 0x20) if i == 0 else p[1] & 0xE0 | 0x21]) + p[2:] for i, p in enumerate(pieces)]


@row(62, "empty first fragment", "begins each unit with a fragment without contents")
class EmptyFirst(Fragments):
    def change(self, pieces):
        first = pieces[0]
        return [bytes([first[0], first[1] & 0xBF]), bytes([first[0], first[1] & 0x7F]) + first[2:], *pieces[1:]]


@row(62, "empty fragments", "puts fragments without contents between others, and at the end")
class EmptyFragments(Fragments):
    def change(self, pieces):
        out = []
        for p in pieces:
            out += [bytes([p[0], p[1] & 0xBF]) + p[2:], bytes([p[0], p[1] & 0x1F])]
        last = pieces[-1]
        return out + [bytes([last[0], last[1] & 0x1F | 0x40])]


@row(63, "start and end in one fragment", "sends small units as one fragment with both bits")
class WholeFragments(Fragments):
    def payloads(self, track, parts):
        return [p for unit in parts for p in fragments(unit, 1_300)]


@row(64, "zeros behind an aggregate", "leaves zeros behind the last unit of a STAP-A")
class PaddedAggregate(Packets):
    def payloads(self, track, parts):
        small = [u for u in parts if len(u) < 400]
        big = [u for u in parts if len(u) >= 400]
        if not small or parts[:len(small)] != small:
            return super().payloads(track, parts)
        whole = b"".join(struct.pack("!H", len(u)) + u for u in small)
        return [b"\x78" + whole + b"\x00" * 7] + super().payloads(track, big)


@row(65, "large datagrams", "sends datagrams of 10 000 bytes and more")
class LargeDatagrams(Packets):
    transport = "udp"

    def payloads(self, track, parts):
        return [p for unit in parts for p in ([unit] if len(unit) < 30_000 else fragments(unit, 30_000))]


@row(66, "padding and extensions", "has a padding bit with a count of 0, and header extensions")
class Padding(Packets):
    def send_unit(self, talk, track, packets):
        extended = [bytes([p[0] | 0x10]) + p[1:12] + b"\xbe\xde\x00\x01\x10\xff\x00\x00" + p[12:] for p in packets]
        super().send_unit(talk, track, [
            bytes([p[0] | 0x20]) + p[1:] + (b"" if p[-1] == 0 else b"\x00\x00\x00\x04") for p in extended])


@row(67, "one picture hours away", "stamps every seventh picture five hours ahead")
class Outlier(Packets):
    def stamp(self, ticks, index):
        return ticks + 5 * 3_600 * media.CLOCK if index % 7 == 6 else ticks


@row(68, "time goes back", "goes back by four seconds for some pictures, and repeats a time now and then")
class TimeBack(Packets):
    def stamp(self, ticks, index):
        return ticks - 4 * media.CLOCK if 8 <= index < 14 else ticks - media.STEP if index % 7 == 6 else ticks


@row(0, "clock in milliseconds", "counts milliseconds where it promises ticks of 90 kHz")
class Milliseconds(Packets):
    pace = 0.04

    def stamp(self, ticks, index):
        return index * 1_000 // media.FRAMES


class Packets265(Packets):
    codec = "h265"


@row(0, "H.265 aggregates", "sends H.265 in aggregates with zeros behind them")
class Aggregates265(Packets265):
    def payloads(self, track, parts):
        small, big = [u for u in parts if len(u) < 400], [u for u in parts if len(u) >= 400]
        if len(small) < 2 or list(parts[:len(small)]) != small:
            return super().payloads(track, parts)
        return [b"\x60\x01" + b"".join(struct.pack("!H", len(u)) + u for u in small) + b"\x00\x00\x00"] + \
            super().payloads(track, big)


def fragments265(unit, size=400, between=b""):
    """Fragmentation units of an H.265 NAL unit; `between` follows the first one's header."""
    kind, body = unit[0] >> 1 & 0x3F, unit[2:]
    cuts = [body[i:i + size] for i in range(0, len(body), size)]
    return [bytes([unit[0] & 0x81 | 98, unit[1], kind | (0x80 if i == 0 else 0) | (0x40 if i == len(cuts) - 1 else 0)])
            + (between if i == 0 else b"") + c for i, c in enumerate(cuts)]


@row(62, "H.265 empty first fragment", "begins each H.265 unit with a fragment without contents")
class EmptyFirst265(Packets265):
    def payloads(self, track, parts):
        out = []
        for unit in parts:
            pieces = fragments265(unit)
            first = pieces[0]
            out += [first[:2] + bytes([first[2] & 0xBF]), first[:2] + bytes([first[2] & 0x7F]) + first[3:], *pieces[1:]]
        return out


@row(0, "H.265 with PACI", "wraps each H.265 packet into a PACI packet")
class Paci265(Packets265):
    def payloads(self, track, parts):
        out = []
        for p in super().payloads(track, parts):
            fields = (p[0] >> 7) << 15 | (p[0] >> 1 & 0x3F) << 9 | 3 << 4
            out.append(bytes([p[0] & 1 | 100, p[1]]) + struct.pack("!H", fields) + b"ext" + p[2:])
        return out


@row(0, "H.265 with order numbers", "numbers H.265 units in decoding order (sprop-max-don-diff)")
class Ordered265(Packets265):
    def fmtp(self, track):
        return [line + ";sprop-max-don-diff=2" for line in super().fmtp(track)]

    def payloads(self, track, parts):
        return [p for u in parts for p in (fragments265(u, 900, b"\x00\x07") if len(u) > 900
                                           else [u[:2] + b"\x00\x07" + u[2:]])]


class Losing(Packets):
    """Loses whole pictures, so that what remains can be compared; the picture behind each hole is marked."""

    transport = "udp"
    gone = ()

    def __init__(self):
        self.damage = len({i + 1 for i in self.gone} - set(self.gone))
        super().__init__()

    def unit(self, talk, track, ticks, parts):
        if ticks // media.STEP in self.gone:
            track.sequence = (track.sequence + len(self.payloads(track, parts))) & 0xFFFF
            return
        super().unit(talk, track, ticks, parts)

    def row(self):
        return {**super().row(), "pictures": self.frames - len(self.gone)}


@row(0, "a picture lost over UDP", "loses one picture in 25")
class LosingOne(Losing):
    gone = (9,)


@row(0, "pictures lost over UDP", "loses one picture in five, two of them one after the other")
class LosingMany(Losing):
    gone = (3, 8, 9, 14, 20)


@row(0, "pictures lost over TCP", "the same in the RTSP connection, as cameras do that cannot send in time")
class LosingOverTCP(LosingMany):
    transport = "tcp"


class LosingPackets(Packets):
    """Loses packets wherever they lie, none of its first or last picture. A unit that lacks packets ends where the first of them
    is missing, and is left out where that is its first one; a picture that lacks something is marked, and where no slice of it
    came, the next one that came in its place."""

    transport, frames = "udp", 3 * media.FRAMES
    share, seed = 0, 0
    verdict = "recorded; a unit ends where it lacks a packet, and pictures that lack something are flagged as damaged"

    def __init__(self):
        super().__init__()
        self.pieces = [[fragments(u) if len(u) > 400 else [u] for u in parts]
                       for parts in media.video(self.codec, frames=self.frames)]
        counts = [sum(len(p) for p in unit) for unit in self.pieces]
        first, end = counts[0], sum(counts[:-1])
        self.missing = set(random.Random(self.seed).sample(range(first, end), round(self.share * sum(counts))))
        self.kept, self.damage = self.survivors()

    def survivors(self):
        """The pictures that are recorded, each with its units, and how many of them are marked."""
        kept, marked, carried, owed, at = [], 0, [], False, 0
        cut = False                 # whether the last packet of the picture before is missing
        for parts, pieces in zip(media.video(self.codec, frames=self.frames), self.pieces):
            begin, units = at, []
            for unit, own in zip(parts, pieces):
                came = next((i for i in range(len(own)) if at + i in self.missing), len(own))
                if came:
                    units.append(unit if came == len(own) else unit[:1] + b"".join(p[2:] for p in own[:came]))
                at += len(own)
            gone = self.missing.intersection(range(begin, at))
            carried += units
            if any(nal.is_slice(self.codec, u) for u in units):
                kept.append(carried)
                marked += bool(gone or owed)
                carried, owed = [], False
            elif len(gone) < at - begin or not cut:
                owed = True
            cut = at - 1 in self.missing
        return kept, marked

    def payloads(self, track, parts):
        return [p for u in parts for p in (fragments(u) if len(u) > 400 else [u])]

    def play(self, talk):
        for parts in self.kept:
            self.expect("video", parts)
        talk.place = 0
        super().play(talk)

    def unit(self, talk, track, ticks, parts):
        payloads = self.payloads(track, parts)
        for i, payload in enumerate(payloads):
            packet = track.packet(payload, i == len(payloads) - 1, ticks)
            if talk.place not in self.missing:
                self.send_packet(talk, track, packet)
            talk.place += 1

    def row(self):
        return {**super().row(), "pictures": len(self.kept), "lost": len(self.missing)}


@row(0, "one packet in a hundred lost", "loses 1 % of its datagrams, here and there")
class LosingFew(LosingPackets):
    share, seed = 0.01, 1


@row(0, "five packets in a hundred lost", "loses 5 % of its datagrams, here and there")
class LosingSome(LosingPackets):
    share, seed = 0.05, 5


@row(0, "five packets in a hundred lost over TCP", "the same in the RTSP connection, as cameras do that cannot send in time")
class LosingSomeOverTCP(LosingSome):
    transport = "tcp"


@row(0, "twenty packets in a hundred lost", "loses 20 % of its datagrams, here and there")
class LosingMuch(LosingPackets):
    share, seed = 0.2, 20


# Audio.

class Sound(Packets):
    """A camera with sound."""

    sound = "aac"


def adts(unit, has_checksum=False):
    """A frame behind its ADTS head: AAC LC, 48 kHz, one channel."""
    length = len(unit) + (9 if has_checksum else 7)
    return bytes([0xFF, 0xF0 if has_checksum else 0xF1, 1 << 6 | 3 << 2, 1 << 6 | length >> 11, length >> 3 & 0xFF,
                  (length & 7) << 5 | 0x1F, 0xFC]) + (b"\xab\xcd" if has_checksum else b"") + unit


@row(69, "ADTS in each unit", "leaves the head of ADTS in each AAC unit")
class InnerHead(Sound):
    def payloads(self, track, parts):
        return super().payloads(track, [adts(parts[0])] if track.kind == "audio" else parts)


@row(69, "ADTS in place of the table", "sends ADTS in place of the table of sizes")
class OuterHead(Sound):
    def payloads(self, track, parts):
        return [adts(parts[0], True)] if track.kind == "audio" else super().payloads(track, parts)


@row(70, "no indexlength", "leaves indexlength out, writes names in capitals, and ends with a semicolon")
class NoIndexLength(Sound):
    def fmtp(self, track):
        if track.kind == "video":
            return super().fmtp(track)
        return ["a=fmtp:97 Mode=AAC-hbr;SizeLength=13;Config=%s;" % media.AAC_CONFIG]


# StreamMuxConfig (ISO/IEC 14496-3, 1.7.3): one AAC LC layer, 48 kHz, one channel.
MUX = "0" "1" "000000" "0000" "000" "00010" "0011" "0001" "000" "000" "11111111" "0" "0"


def packed(bits):
    """Bits as bytes, zeros behind them."""
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


class Latm(Sound):
    """AAC in LATM."""

    parameters = "cpresent=0;config=" + packed(MUX).hex()

    def rtpmap(self, track):
        return ["a=rtpmap:97 MP4A-LATM/48000/1"] if track.kind == "audio" else super().rtpmap(track)

    def fmtp(self, track):
        return ["a=fmtp:97 profile-level-id=1;" + self.parameters] if track.kind == "audio" else super().fmtp(track)

    def payloads(self, track, parts):
        if track.kind == "video":
            return super().payloads(track, parts)
        return [self.element(b"\xff" * (len(parts[0]) // 255) + bytes([len(parts[0]) % 255]) + parts[0])]

    def element(self, unit):
        """The AudioMuxElement of a unit behind its length."""
        return unit


@row(71, "LATM", "sends LATM with its configuration in the description")
class PlainLatm(Latm):
    pass


@row(71, "LATM with its configuration in the stream", "sends LATM with cpresent=0 and an empty config")
class StreamLatm(Latm):
    parameters = "cpresent=0;config="
    count = 0

    def element(self, unit):
        self.count += 1
        head = "0" + MUX if self.count % 5 == 1 else "1"
        return packed(head + "".join(format(b, "08b") for b in unit))


@row(71, "LATM without configuration", "sends LATM whose configuration is nowhere")
class BareLatm(Latm):
    parameters = "cpresent=1"
    wants_sound = False

    def expect(self, kind, parts):
        if kind == "video":
            super().expect(kind, parts)

    def element(self, unit):
        return packed("1" + "".join(format(b, "08b") for b in unit))


class BareSound(Sound):
    """A camera whose sound needs no parameters: one packet each 20 ms."""

    name_of_sound, packets, ticks = "", 50, 160

    def rtpmap(self, track):
        return ["a=rtpmap:97 " + self.name_of_sound] if track.kind == "audio" else super().rtpmap(track)

    def fmtp(self, track):
        return [] if track.kind == "audio" else super().fmtp(track)

    def units(self, track):
        if track.kind == "video":
            yield from super().units(track)
            return
        for i in range(self.packets):
            yield i * 0.02, i * self.ticks, [self.packet(i)]

    def packet(self, i):
        """The sound of a packet."""
        raise NotImplementedError

    def sound_count(self):
        return self.packets

    def payloads(self, track, parts):
        return [parts[0]] if track.kind == "audio" else super().payloads(track, parts)


@row(72, "Opus with one channel", "writes OPUS/48000/1")
class OneChannelOpus(BareSound):
    name_of_sound, packets, ticks = "OPUS/48000/1", 40, 960

    def packet(self, i):
        return bytes([0x78, i, 255 - i])


class Converted(BareSound):
    """A camera with sound that no clip holds as it came, of which AAC is made."""

    makes_sound = True
    packet_bytes = 0

    def packet(self, i):
        return random.Random(i).randbytes(self.packet_bytes)

    def expect(self, kind, parts):
        if kind == "video":
            super().expect(kind, parts)


@row(72, "PCM", "calls its linear sound PCM")
class LinearSound(Converted):
    name_of_sound, packet_bytes = "PCM/8000", 320


@row(73, "G726", "sends G.726, whose codes lie in an order that no packet tells")
class Adaptive(Converted):
    name_of_sound, packet_bytes = "G726-32/8000", 80
    verdict = "recorded whole, its sound as AAC, in the order that the name or the key `g726` says"


@row(72, "G723", "offers G.723.1, which is left out")
class G723(Sound):
    wants_sound = False
    says = "not one that is recorded"

    def rtpmap(self, track):
        return ["a=rtpmap:97 G723/8000"] if track.kind == "audio" else super().rtpmap(track)

    def fmtp(self, track):
        return [] if track.kind == "audio" else super().fmtp(track)
