"""H.265 for aiortc, which knows none: an offer, what takes NAL units out of packets (RFC 7798, 4.4), and libavcodec's decoder."""

import hashlib

import aiortc.codecs
import aiortc.rtcrtpreceiver as receiver
import av
from aiortc.rtcrtpparameters import RTCRtcpFeedback, RTCRtpCodecParameters
from aiortc.mediastreams import VIDEO_TIME_BASE

START = b"\0\0\0\1"
AGGREGATION, FRAGMENT = 48, 49


def units(payload):
    """The bytes in Annex B of what a packet holds."""
    kind = payload[0] >> 1 & 0x3F
    if kind == AGGREGATION:
        out, rest = b"", payload[2:]
        while rest:
            size = int.from_bytes(rest[:2], "big")
            if len(rest) < 2 + size or size < 2:
                raise ValueError("an aggregation packet is cut")
            out, rest = out + START + rest[2:2 + size], rest[2 + size:]
        return out
    if kind == FRAGMENT:
        head = payload[2]
        if not head & 0x80:
            return payload[3:]
        return START + bytes([payload[0] & 0x81 | (head & 0x3F) << 1, payload[1]]) + payload[3:]
    return START + payload


class Decoder:
    def __init__(self):
        self.codec = av.CodecContext.create("hevc", "r")

    def decode(self, frame):
        packet = av.Packet(frame.data)
        packet.pts, packet.time_base = frame.timestamp, VIDEO_TIME_BASE
        return self.codec.decode(packet)


def offer():
    """Lets aiortc offer H.265 as chromium does where its machine decodes it, before everything else."""
    feedback = [RTCRtcpFeedback(type="nack"), RTCRtcpFeedback(type="nack", parameter="pli")]
    aiortc.codecs.CODECS["video"].insert(0, RTCRtpCodecParameters(
        mimeType="video/H265", clockRate=90000, payloadType=120, rtcpFeedback=feedback,
        parameters={"level-id": "180", "profile-id": "1", "tier-flag": "0", "tx-mode": "SRST"}))
    depayload, get_decoder = receiver.depayload, receiver.get_decoder
    receiver.depayload = lambda codec, payload: units(payload) if codec.name == "H265" else depayload(codec, payload)
    receiver.get_decoder = lambda codec: Decoder() if codec.name == "H265" else get_decoder(codec)


def digest(picture):
    """Of a picture as it is decoded."""
    found = hashlib.sha256()
    for plane in picture.planes:
        rows = memoryview(plane)
        for row in range(plane.height):
            found.update(rows[row * plane.line_size:row * plane.line_size + plane.width])
    return found.hexdigest()
