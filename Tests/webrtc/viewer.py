#!/usr/bin/env python3
"""Viewers of WebRTC that share no code with Vigil: aiortc's. For Tests/webrtc/run, which starts it in a network of its own.

    viewer.py --socket VIGIL.SOCK --camera front [--media video,audio] [--seconds 5] [--viewers 1] [--lose 200] [--ask 2.3] [--raw]
        [--stay] [--talk 5] [--codec PCMU]

Each takes the camera's live picture over WHEP. Prints `seen` with the first picture of each viewer, then what was seen as one line
of JSON. Seconds count from the first picture. `--lose N` loses the Nth packet of the picture on its way in; `--ask S` wants a
key frame after S seconds (PLI), and waits for it; `--raw` does not decode; `--stay` never leaves by itself. `--talk S` says a tone of
440 Hz for so many seconds; `--hear` tells when the camera beeps and flashes, `--digest` what is decoded; `--late` offers H.265; `--codec` in what, `--silent` offers no sound for it; `--junk` spoils packets of it on their way out, `--vanish`
leaves without having ended it. `--carries N` loses what a network of N kbit/s cannot carry, for `--lifts` seconds.
"""

import argparse
import asyncio
import collections
import fractions
import json
import math
import pathlib
import random
import re
import socket
import sys
import struct
import time

import aiohttp
import aioice.ice
import aiortc.rtcrtpreceiver as receiver
import av
import pylibsrtp
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCRtpSender, RTCSessionDescription

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "rig"))
import nal  # noqa: E402
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import late  # noqa: E402
from ear import Ear, settled  # noqa: E402


# How long a fact may take, in seconds.
PATIENCE = 60
# What comes while this process gets no processor: seconds of a picture. SO_RCVBUFFORCE (socket(7)), which Python does not name.
SO_RCVBUFFORCE, BUFFER = 33, 4 << 20
# The payload type that aiortc offers for Opus.
OPUS = 96
# Frames by which the present is seen to follow a key frame.
FOLLOW = 25


def widen():
    """Gives each socket of aiortc a large buffer."""
    gather = aioice.ice.Connection.gather_candidates

    async def gather_wide(connection):
        await gather(connection)
        for protocol in connection._protocols:
            protocol.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
    aioice.ice.Connection.gather_candidates = gather_wide


class Tap:
    """Sees what comes before it is decoded: packets, and whole access units."""

    def __init__(self, options):
        self.units, self.packets, self.lost, self.recovered, self.keep = [], 0, None, None, options.viewers == 1
        # The network of a viewer whose own is narrow: bits that may come now, and since when.
        self.room, self.since = 0, time.monotonic()
        # What comes in Opus, by the session that protects it and the time that its packet tells.
        self.opus = {}
        self.begun = time.monotonic()
        unprotect, decode = pylibsrtp.Session.unprotect, receiver.decoder_worker
        tap = self

        def take(session, packet):
            # Before it is looked at: what has been opened once is not taken again.
            if packet[1] & 0x7F == OPUS:
                opened = unprotect(session, packet)
                tap.opus.setdefault(id(session), {})[int.from_bytes(opened[4:8], "big")] = opened[12:]
                return opened
            if packet[1] & 0x7F >= 64:
                tap.packets += 1
                if options.carries and time.monotonic() - tap.begun < options.lifts and not tap.carries(packet, options.carries):
                    raise pylibsrtp.Error(0)
                sequence = packet[2:4]
                if tap.packets == options.lose and tap.lost is None:
                    tap.lost = (sequence, time.monotonic())
                    raise pylibsrtp.Error(0)
                if tap.lost and tap.recovered is None and sequence == tap.lost[0]:
                    tap.recovered = time.monotonic() - tap.lost[1]
            return unprotect(session, packet)

        class Queue:
            """What goes to the decoder."""

            def __init__(self, queue):
                self.queue = queue

            def get(self):
                while True:
                    task = self.queue.get()
                    if task is None:
                        return None
                    if task[0].name in ("H264", "H265"):
                        tap.unit(task[0].name.lower(), task[1].data)
                    if not options.raw:
                        return task

        pylibsrtp.Session.unprotect = take
        receiver.decoder_worker = lambda loop, queue, *more: decode(loop, Queue(queue), *more)

    def carries(self, packet, kilobits):
        """Whether a network of so many kbit/s carries a packet; it has room for 0.4 s of it."""
        now = time.monotonic()
        self.room = min(400 * kilobits, self.room + (now - self.since) * 1_000 * kilobits)
        self.since = now
        if self.room < 8 * len(packet):
            return False
        self.room -= 8 * len(packet)
        return True

    def unit(self, codec, data):
        now = time.monotonic()
        if not self.keep:
            self.units.append(None)
            return
        parts = nal.split_annex_b(data)
        self.units.append({"at": now, "index": nal.stamp_of(parts), "sha256Slices": nal.digest(nal.slices(codec, parts)), "key": nal.is_key(codec, parts)})

    def given(self, asked):
        """The key frame that came because it was asked for: that of the group under way, once more, or of one that begins right then.
        Only when the present follows it."""
        units = list(self.units)
        known = max((unit["index"] for unit in units if unit["at"] <= asked), default=-1)
        for place, unit in enumerate(units[:-FOLLOW]):
            if unit["at"] > asked and unit["key"] and (unit["index"] <= units[place - 1]["index"] or unit["index"] <= known + 1):
                return unit
        return None


class Tone(MediaStreamTrack):
    """A tone of 440 Hz in frames of 20 ms, in real time, while it is on; silence otherwise."""

    kind, is_on, number, begun = "audio", False, 0, None

    async def recv(self):
        self.begun = self.begun or time.monotonic()
        await asyncio.sleep(max(0, self.begun + self.number * 0.02 - time.monotonic()))
        first = self.number * 960
        self.number += 1
        samples = [int(8_000 * math.sin(2 * math.pi * 440 * (first + i) / 48_000)) if self.is_on else 0 for i in range(960)]
        frame = av.AudioFrame(format="s16", layout="mono", samples=960)
        frame.planes[0].update(struct.pack("<960h", *samples))
        frame.sample_rate, frame.pts, frame.time_base = 48_000, first, fractions.Fraction(1, 48_000)
        return frame


def spoil():
    """Of each three packets of sound one goes out as it is, one with a payload of noise, one with a head of noise."""
    protect, count = pylibsrtp.Session.protect, 0

    def protect_spoilt(session, packet):
        nonlocal count
        count += 1
        if count % 3 == 1:
            packet = packet[:12] + random.randbytes(random.randrange(1, 1_000))
        elif count % 3 == 2:
            packet = bytes([random.choice((0x90, 0xA0, 0x8F, 0xBF, 0x80))]) + packet[1:4] + random.randbytes(4) + packet[8:12] + random.randbytes(random.randrange(200))
        return protect(session, packet)
    pylibsrtp.Session.protect = protect_spoilt


async def talk(options, session, location, tone, over):
    """Says the tone, until the session is over at the longest; what the daemon answered."""
    told = {}

    async def switch(on):
        async with session.post(options.url + location.replace("/whep", "/talk"), json={"on": on}) as answer:
            return answer.status, json.loads(await answer.text())
    told["status"], told["answer"] = await switch(True)
    if told["status"] == 200:
        tone.is_on = True
        try:
            await asyncio.wait_for(over.wait(), options.talk)
        except asyncio.TimeoutError:
            pass
        tone.is_on = False
        await asyncio.sleep(0.3)
        if not options.vanish:
            told["off"] = (await switch(False))[0]
    return told


async def view(options, session, tap):
    """Takes the picture once; what was seen."""
    seen = {"pictures": 0, "states": []}
    over, shows = asyncio.Event(), asyncio.Event()
    ear = Ear() if options.hear else None
    sounds = []
    begun = time.monotonic()
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    for medium in options.media.split(","):
        peer.addTransceiver(medium, direction="recvonly")

    tone = Tone()
    if options.talk and not options.silent:
        speaker = peer.addTransceiver(tone, direction="sendonly")
        if options.codec:
            codecs = RTCRtpSender.getCapabilities("audio").codecs
            speaker.setCodecPreferences([one for one in codecs if one.mimeType == "audio/" + options.codec])

    async def take(track):
        while True:
            try:
                frame = await track.recv()
            except Exception:
                over.set()
                shows.set()
                return
            if ear:
                (ear.hear if track.kind == "audio" else ear.see)(frame)
            if track.kind == "audio":
                sounds.append((frame.pts, time.monotonic(), frame.samples, frame.sample_rate))
                continue
            seen["pictures"] += 1
            if seen.setdefault("sizes", [[0, 0]])[-1][1] != frame.width:
                seen["sizes"].append([round(time.monotonic() - begun, 1), frame.width])
            if options.digest:
                seen.setdefault("digests", []).append(late.digest(frame))
            if seen["pictures"] == 1:
                seen["first"], seen["size"] = time.monotonic() - begun, [frame.width, frame.height]
                shows.set()
                print("seen", flush=True)

    @peer.on("track")
    def on_track(track):
        asyncio.ensure_future(take(track))

    @peer.on("connectionstatechange")
    async def on_state():
        seen["states"].append([peer.connectionState, round(time.monotonic() - begun, 3)])
        if peer.connectionState == "connected" and options.raw:
            shows.set()
            print("seen", flush=True)

    await peer.setLocalDescription(await peer.createOffer())
    url = "%s/v1/cameras/%s/whep%s" % (options.url, options.camera, "?stream=" + options.stream if options.stream else "")
    async with session.post(url, data=peer.localDescription.sdp, headers={"Content-Type": "application/sdp"}) as answer:
        text = await answer.text()
        seen["status"], seen["location"] = answer.status, answer.headers.get("Location")
        seen["answered"] = time.monotonic() - begun
    if seen["status"] != 201:
        seen["problem"] = json.loads(text)
        await peer.close()
        return seen
    seen["inactive"] = text.count("a=inactive")
    await peer.setRemoteDescription(RTCSessionDescription(text, "answer"))
    try:
        await asyncio.wait_for(shows.wait(), PATIENCE)
    except asyncio.TimeoutError:
        pass  # Whoever started this misses the line.
    if options.talk:
        seen["talk"] = await talk(options, session, seen["location"], tone, over)
    if options.ask:
        await asyncio.sleep(options.ask)
        taker = peer.getTransceivers()[0].receiver
        asked = time.monotonic()
        await taker._send_rtcp_pli(int(re.search(r"a=ssrc:(\d+)", text)[1]))
        while not (unit := tap.given(asked)) and time.monotonic() < asked + PATIENCE:
            await asyncio.sleep(0.1)
        seen["given"] = unit and unit["at"] - asked
    try:
        await asyncio.wait_for(over.wait(), None if options.stay else options.seconds)
        seen["over"] = time.monotonic() - begun
    except asyncio.TimeoutError:
        pass
    # Samples that came behind the first one that was heard once sound had settled, and in how many seconds.
    heard = settled(sounds, sounds[0][3]) if sounds else []
    seen["samples"] = sum(samples for _, _, samples, _ in heard[1:])
    seen["sounding"] = heard[-1][1] - heard[0][1] if heard else 0
    seen["stats"] = {}
    for one in (await peer.getStats()).values():
        if one.type in ("inbound-rtp", "remote-outbound-rtp"):
            seen["stats"][one.kind + " " + one.type] = {
                name: getattr(one, name) for name in ("packetsReceived", "packetsLost", "packetsSent") if hasattr(one, name)}
    if ear:
        seen["ear"] = ear.told(text)
    async with session.delete(options.url + seen["location"]) as answer:
        seen["deleted"] = answer.status
    left = time.monotonic()
    try:
        await asyncio.wait_for(over.wait(), 10)
        seen["toldAfter"] = time.monotonic() - left
    except asyncio.TimeoutError:
        pass
    await peer.close()
    return seen


def alike(viewers):
    """At how many times all viewers have the same packet of sound, and at how many not. Each session's times begin anywhere: how far two
    are apart is told by most of the packets that both have."""
    aligned = viewers[:1]
    for viewer in viewers[1:]:
        times = {packet: time for time, packet in viewers[0].items()}
        apart = collections.Counter((time - times[packet]) % 2**32 for time, packet in viewer.items() if packet in times).most_common(1)
        aligned.append({(time - apart[0][0]) % 2**32: packet for time, packet in viewer.items()} if apart else {})
    common = set.intersection(*map(set, aligned)) if aligned else set()
    same = sum(len({viewer[time] for viewer in aligned}) == 1 for time in common)
    return {"opusOfAll": same, "opusDiffering": len(common) - same}


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--socket", help="the daemon's; without it --url and --token")
    parser.add_argument("--url", default="http://vigil")
    parser.add_argument("--token")
    parser.add_argument("--camera", required=True)
    parser.add_argument("--stream")
    parser.add_argument("--media", default="video")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--viewers", type=int, default=1)
    parser.add_argument("--lose", type=int, default=0)
    parser.add_argument("--carries", type=int, default=0)
    parser.add_argument("--lifts", type=float, default=1e9)
    parser.add_argument("--ask", type=float, default=0)
    parser.add_argument("--talk", type=float, default=0)
    parser.add_argument("--codec")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--hear", action="store_true")
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--digest", action="store_true")
    parser.add_argument("--junk", action="store_true")
    parser.add_argument("--vanish", action="store_true")
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("--stay", action="store_true")
    options = parser.parse_args()
    widen()
    if options.junk:
        spoil()
    tap = Tap(options)
    if options.hear:
        Ear.listen()
    if options.late:
        late.offer()
    connector = aiohttp.UnixConnector(options.socket, limit=0) if options.socket else aiohttp.TCPConnector()
    headers = {"Authorization": "Bearer " + options.token} if options.token else None
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        seen = await asyncio.gather(*(view(options, session, tap) for _ in range(options.viewers)))
    print(json.dumps({"viewers": seen, "units": tap.units if tap.keep else len(tap.units), "packets": tap.packets,
                      "lost": tap.lost is not None, "recovered": tap.recovered,
                      "opus": [len(one) for one in tap.opus.values()], **alike(list(tap.opus.values()))}))


asyncio.run(main())
