"""NAL units of H.264 and H.265: splitting, kinds, canonical hashes, and a stamp that makes each frame unique.

The canonical form of a video frame is the concatenation of its NAL units in order, without start codes or length
prefixes. It is the same for a frame on the wire, in an Annex B file and in an MP4 sample, so its hash can be compared
across all three. Zero bytes at a unit's end are left out: no unit may end in one (H.264 7.4.1, H.265 7.4.2), and
readers of byte streams leave the first byte of the next start code there. A second hash covers the coded slices only, for readers that move parameter sets elsewhere.
"""
import hashlib
import re

# Printable and free of zero bytes, so the stamp needs no emulation prevention.
STAMP_UUID = b"vigil-rig-stamp:"
_START = re.compile(b"\x00\x00\x01")
_STAMP = re.compile(re.escape(STAMP_UUID) + rb"(\d+)/")


def split_annex_b(data):
    """The NAL units of a byte stream, without start codes and without the zero bytes that may precede the next one."""
    starts = [m.end() for m in _START.finditer(data)]
    ends = [m.start() for m in _START.finditer(data)][1:] + [len(data)]
    return [n for n in (data[s:e].rstrip(b"\x00") for s, e in zip(starts, ends)) if n]


def split_lengths(data, size):
    """The NAL units of an MP4 sample whose length prefixes have `size` bytes. Raises ValueError where they do not fit."""
    nals, at = [], 0
    while at < len(data):
        length = int.from_bytes(data[at:at + size], "big")
        at += size
        if length == 0 or at + length > len(data):
            raise ValueError("NAL length %d at byte %d leaves the sample of %d bytes" % (length, at - size, len(data)))
        nals.append(data[at:at + length].rstrip(b"\x00"))
        at += length
    return nals


def kind(codec, nal):
    """The nal_unit_type."""
    return nal[0] & 0x1F if codec == "h264" else (nal[0] >> 1) & 0x3F


def is_slice(codec, nal):
    """Whether the unit holds coded picture data."""
    k = kind(codec, nal)
    return 1 <= k <= 5 if codec == "h264" else k <= 31


def is_key(codec, nals):
    """Whether decoding can begin here: IDR in H.264, any IRAP picture in H.265."""
    kinds = [kind(codec, n) for n in nals]
    return 5 in kinds if codec == "h264" else any(16 <= k <= 23 for k in kinds)


def is_parameter_set(codec, nal):
    """Whether the unit is an SPS, PPS or VPS."""
    return kind(codec, nal) in ((7, 8) if codec == "h264" else (32, 33, 34))


def digest(parts):
    """SHA-256 of the concatenation, in hex."""
    h = hashlib.sha256()
    for p in parts:
        h.update(p)
    return h.hexdigest()


def slices(codec, nals):
    """The coded slices only."""
    return [n for n in nals if is_slice(codec, n)]


def stamped(codec, nals, index):
    """The frame with an unregistered-user-data SEI before its first slice that carries `index`."""
    text = STAMP_UUID + b"%d/" % index
    sei = (b"\x06" if codec == "h264" else b"\x4e\x01") + bytes([5, len(text)]) + text + b"\x80"
    at = next((i for i, n in enumerate(nals) if is_slice(codec, n)), len(nals))
    return nals[:at] + [sei] + nals[at:]


def stamp_of(nals):
    """The index of a stamped frame, or None."""
    for n in nals:
        m = _STAMP.search(n[:64])
        if m:
            return int(m.group(1))
    return None
