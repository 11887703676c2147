"""The pictures and sounds that the scripted cameras play: made once by ffmpeg, one second each, the same for every row."""
import functools
import os
import subprocess
import sys
import threading

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import nal

FRAMES = 25
CLOCK = 90_000
STEP = CLOCK // FRAMES
AAC_RATE, AAC_SAMPLES = 48_000, 1_024
AAC_CONFIG = "1188"             # AAC LC, 48 kHz, one channel
ENCODERS = {"h264": ["libx264", "-x264-params", "keyint=12:min-keyint=12:scenecut=0:repeat-headers=1"],
            "h265": ["libx265", "-x265-params", "keyint=12:min-keyint=12:scenecut=0:repeat-headers=1:log-level=none"]}


_lock = threading.RLock()


def once(make):
    """Makes each thing once, whoever asks for it at the same time."""
    made = {}

    @functools.wraps(make)
    def get(*arguments, **named):
        key = arguments, tuple(sorted(named.items()))
        with _lock:
            if key not in made:
                made[key] = make(*arguments, **named)
            return made[key]
    return get


def _ffmpeg(*arguments):
    return subprocess.run(["ffmpeg", "-v", "error", *arguments, "-"], stdin=subprocess.DEVNULL, capture_output=True,
                          check=True).stdout


@once
def video(codec="h264", size="320x240", frames=FRAMES, picture="testsrc2"):
    """The access units of a test picture, each a list of NAL units; key frames begin with their parameter sets."""
    data = _ffmpeg("-f", "lavfi", "-i", "%s=s=%s:r=%d" % (picture, size, FRAMES), "-frames:v", str(frames), "-c:v",
                   *ENCODERS[codec], "-preset", "ultrafast", "-bf", "0", "-threads", "1", "-pix_fmt", "yuv420p",
                   "-f", "hevc" if codec == "h265" else "h264")
    units, waiting = [], []
    for unit in nal.split_annex_b(data):
        waiting.append(unit)
        if nal.is_slice(codec, unit):
            units.append(waiting)
            waiting = []
    return tuple(tuple(u) for u in units)


def is_key(codec, units):
    """Whether decoding can begin with the access unit."""
    return nal.is_key(codec, units)


def sets(codec="h264", **more):
    """The parameter sets of `video`, in order."""
    return [n for n in video(codec, **more)[0] if nal.is_parameter_set(codec, n)]


@once
def aac(seconds=1):
    """The raw access units of a tone in AAC LC (48 kHz, one channel)."""
    data = _ffmpeg("-f", "lavfi", "-i", "sine=f=440:r=%d" % AAC_RATE, "-t", str(seconds), "-c:a", "aac", "-b:a", "64k",
                   "-f", "adts")
    units, at = [], 0
    while at + 7 <= len(data):
        head = 7 if data[at + 1] & 1 else 9
        length = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        units.append(data[at + head:at + length])
        at += length
    return tuple(units)


@once
def alaw(seconds=1):
    """The same tone in G.711 A-law, 8 kHz, in frames of 20 ms."""
    data = _ffmpeg("-f", "lavfi", "-i", "sine=f=440:r=8000", "-t", str(seconds), "-c:a", "pcm_alaw", "-f", "alaw")
    return tuple(data[i:i + 160] for i in range(0, len(data), 160))
