"""When a camera of the rig beeps and flashes, by the clocks that the sender's reports tie together (RFC 3550, 6.4.1)."""

import array
import re

from aiortc.rtcrtpreceiver import RTCRtpReceiver, TimestampMapper
from aiortc.rtp import RtcpSrPacket

# A beep lasts 80 ms, its tone is louder than this, and a flash is brighter.
BEEP_S, LOUD, BRIGHT = 0.08, 4_000, 200
# What comes in the first seconds is of the group under way, whose times are pressed together.
SETTLED_S = 3


def settled(notes, rate):
    """What was noted later than that; `rate` is of the stamps with which each begins."""
    return [note for note in notes if (note[0] - notes[0][0]) % (1 << 32) >= SETTLED_S * rate]


class Ear:
    """Notes what one viewer hears and sees; says what that was when it is over."""

    reports = {}

    def __init__(self):
        self.sounds, self.pictures = [], []

    @classmethod
    def listen(cls):
        """Takes the sender's reports of all viewers: the last one by its source."""
        handle = RTCRtpReceiver._handle_rtcp_packet

        async def take(taker, packet):
            if isinstance(packet, RtcpSrPacket):
                cls.reports[packet.ssrc] = (packet.sender_info.ntp_timestamp / (1 << 32), packet.sender_info.rtp_timestamp)
            await handle(taker, packet)
        RTCRtpReceiver._handle_rtcp_packet = take
        # Frames keep the times of their packets, which the reports are about.
        TimestampMapper.map = lambda mapper, timestamp: timestamp

    def hear(self, frame):
        samples = array.array("h", bytes(frame.planes[0]))
        channels = len(frame.layout.channels)
        self.sounds.append((frame.pts, frame.sample_rate, samples[::channels][:frame.samples]))

    def see(self, frame):
        plane = bytes(frame.planes[0])[::997]
        self.pictures.append((frame.pts, sum(plane) / len(plane)))

    def told(self, answer):
        """The beginnings of beeps with their hertz, and of flashes, in seconds of the sender's wall clock; how loud it was."""
        sources = {medium.split()[0]: int(found[1]) for medium in answer.split("\r\nm=")[1:] if (found := re.search(r"a=ssrc:(\d+)", medium))}

        def wall(kind, stamp, rate):
            ntp, rtp = self.reports[sources[kind]]
            return ntp + ((stamp - rtp + (1 << 31)) % (1 << 32) - (1 << 31)) / rate
        beeps, flashes, loudest = [], [], 0
        if "audio" in sources and sources["audio"] in self.reports:
            rate = self.sounds[0][1] if self.sounds else 48_000
            quiet = rate // 5
            for stamp, _, samples in settled(self.sounds, rate):
                loudest = max(loudest, max(map(abs, samples), default=0))
                for place, sample in enumerate(samples):
                    if abs(sample) < LOUD:
                        quiet += 1
                        continue
                    if quiet >= rate // 5:
                        beeps.append([wall("audio", stamp + place, rate), self.hertz(stamp + place, rate)])
                    quiet = 0
        was = 255
        for stamp, bright in settled(self.pictures, 90_000):
            if bright >= BRIGHT > was:
                flashes.append(wall("video", stamp, 90_000))
            was = bright
        return {"beeps": beeps, "flashes": flashes, "loudest": loudest}

    def hertz(self, begin, rate):
        """Of what sounds from this time on, for the middle of a beep."""
        first, last = begin + int(0.01 * rate), begin + int((BEEP_S - 0.01) * rate)
        samples = [sample for stamp, _, some in self.sounds for place, sample in enumerate(some) if first <= stamp + place < last]
        return sum(1 for a, b in zip(samples, samples[1:]) if a < 0 <= b) * rate / max(1, len(samples))
