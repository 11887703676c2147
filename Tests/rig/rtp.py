"""RTP: how a frame becomes packets (RFC 3550, 6184, 7798, 3640, 7587, 3551), and the caps that describe a track in SDP."""
import base64
import struct

import nal

PAYLOAD_MAX = 1400


def fragments_h264(unit):
    """FU-A fragments (RFC 6184, 5.8) of one NAL unit, or the unit itself where it fits."""
    if len(unit) <= PAYLOAD_MAX:
        return [unit]
    indicator, header, body = (unit[0] & 0xE0) | 28, unit[0] & 0x1F, unit[1:]
    step = PAYLOAD_MAX - 2
    chunks = [body[i:i + step] for i in range(0, len(body), step)]
    last = len(chunks) - 1
    return [bytes([indicator, header | (0x80 if i == 0 else 0) | (0x40 if i == last else 0)]) + c
            for i, c in enumerate(chunks)]


def fragments_h265(unit):
    """Fragmentation units (RFC 7798, 4.4.3) of one NAL unit, or the unit itself where it fits."""
    if len(unit) <= PAYLOAD_MAX:
        return [unit]
    head = bytes([(unit[0] & 0x81) | (49 << 1), unit[1]])
    kind, body = (unit[0] >> 1) & 0x3F, unit[2:]
    step = PAYLOAD_MAX - 3
    chunks = [body[i:i + step] for i in range(0, len(body), step)]
    last = len(chunks) - 1
    return [head + bytes([kind | (0x80 if i == 0 else 0) | (0x40 if i == last else 0)]) + c
            for i, c in enumerate(chunks)]


def payloads(codec, parts):
    """The RTP payloads of one access unit; `parts` are its NAL units, or the one audio frame."""
    if codec == "h264":
        return [p for n in parts for p in fragments_h264(n)]
    if codec == "h265":
        return [p for n in parts for p in fragments_h265(n)]
    frame = parts[0]
    if codec == "aac":
        head = struct.pack("!HH", 16, len(frame) << 3)
        return [head + frame[i:i + PAYLOAD_MAX] for i in range(0, len(frame), PAYLOAD_MAX)]
    return [frame]


def packet(payload, marker, payload_type, sequence, timestamp, ssrc):
    """One RTP packet; sequence and timestamp wrap."""
    return struct.pack("!BBHII", 0x80, payload_type | (0x80 if marker else 0), sequence & 0xFFFF,
                       timestamp & 0xFFFFFFFF, ssrc) + payload


STATIC_TYPES = {"pcmu": 0, "pcma": 8}


def caps(track, payload_type, ssrc):
    """The caps string from which the server writes the track's SDP."""
    fields = ["media=" + track.media, "payload=%d" % payload_type, "clock-rate=%d" % track.clock_rate,
              "ssrc=(uint)%d" % ssrc]
    text = {}
    sets = {nal.kind(track.codec, n): base64.b64encode(n).decode() for n in track.parameter_sets}
    if track.codec == "h264":
        sps = next((n for n in track.parameter_sets if nal.kind("h264", n) == 7), b"")
        text = {"encoding-name": "H264", "packetization-mode": "1", "profile-level-id": sps[1:4].hex(),
                "sprop-parameter-sets": ",".join(sets[k] for k in (7, 8) if k in sets)}
    elif track.codec == "h265":
        text = {"encoding-name": "H265"}
        for k, name in ((32, "sprop-vps"), (33, "sprop-sps"), (34, "sprop-pps")):
            if k in sets:
                text[name] = sets[k]
    elif track.codec == "aac":
        text = {"encoding-name": "MPEG4-GENERIC", "encoding-params": str(track.channels), "streamtype": "5",
                "profile-level-id": "1", "mode": "AAC-hbr", "sizelength": "13", "indexlength": "3",
                "indexdeltalength": "3", "config": track.config.hex()}
    elif track.codec == "opus":
        text = {"encoding-name": "OPUS", "encoding-params": "2", "sprop-stereo": "1" if track.channels == 2 else "0"}
    else:
        text = {"encoding-name": {"pcmu": "PCMU", "pcma": "PCMA", "l16": "L16", "g726": "G726-32"}[track.codec]}
        if track.channels > 1:
            text["encoding-params"] = str(track.channels)
    fields += ['%s=(string)"%s"' % (k, v) for k, v in text.items() if v]
    return "application/x-rtp, " + ", ".join(fields)
