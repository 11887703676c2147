"""A scripted RTSP camera in plain sockets. `Camera` behaves well; a row overrides the one thing that it does otherwise.

A camera counts what it was asked, notes what a client did wrong (`complain`), and notes what must be recorded (`expect`):
the test compares that with what arrived.
"""
import base64
import hashlib
import os
import re
import socket
import struct
import sys
import threading
import time

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import media
import rtp

REQUEST_MAX = 65_536
USER, PASSWORD = "admin", "s3cret"
PACE = 0.0002           # seconds between datagrams: no faster than a receive buffer takes them


class Gone(Exception):
    """The client has closed, or sent more than a request may hold."""


class Request:
    """One request of the client."""

    def __init__(self, text):
        lines = text.split("\r\n")
        words = lines[0].split(" ")
        self.method, self.uri = words[0], words[1] if len(words) > 1 else ""
        self.lines = lines
        self.fields = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if colon:
                self.fields[name.strip().lower()] = value.strip()
        self.number = self.fields.get("cseq", "0")


class Track:
    """One medium of a camera: its packets' numbers and where they go."""

    def __init__(self, name, kind, codec, payload_type, clock, ssrc):
        self.name, self.kind, self.codec = name, kind, codec
        self.payload_type, self.clock, self.ssrc = payload_type, clock, ssrc
        self.sequence, self.base, self.sent, self.bytes = 65_500, 0xFFFF_0000, 0, 0
        self.channels = None        # (RTP, RTCP) of the connection
        self.target = None          # ((host, port) of RTP, of RTCP)
        self.sockets = ()

    def packets(self, parts, ticks, marker=True):
        """The RTP packets of one access unit; `parts` are NAL units or the one frame, `ticks` since the begin."""
        payloads = rtp.payloads(self.codec, parts)
        return [self.packet(p, marker and i == len(payloads) - 1, ticks) for i, p in enumerate(payloads)]

    def packet(self, payload, marker, ticks):
        """The next RTP packet."""
        packet = rtp.packet(payload, marker, self.payload_type, self.sequence, self.base + ticks, self.ssrc)
        self.sequence = (self.sequence + 1) & 0xFFFF
        self.sent, self.bytes = self.sent + 1, self.bytes + len(payload)
        return packet

    def report(self, ticks, seconds):
        """A sender report: `ticks` is at `seconds` of the camera's clock."""
        return struct.pack("!BBHIQIII", 0x80, 200, 6, self.ssrc, int((3_900_000_000 + seconds) * (1 << 32)),
                           (self.base + ticks) & 0xFFFFFFFF, self.sent, self.bytes)


class Talk:
    """One connection of a client."""

    def __init__(self, camera, connection, peer):
        self.camera, self.connection, self.peer = camera, connection, peer
        self.lock, self.data = threading.Lock(), b""
        self.requests, self.last = [], 0
        self.tracks = {t.name: t for t in camera.tracks()}
        self.described = self.challenged = self.ended = False
        self.reports = 0            # receiver reports, over TCP
        self.alive = time.monotonic()

    def request(self):
        """The client's next request; interleaved packets are counted and passed over."""
        while True:
            if self.data[:1] == b"$":
                if len(self.data) >= 4 and len(self.data) >= 4 + struct.unpack("!H", self.data[2:4])[0]:
                    end = 4 + struct.unpack("!H", self.data[2:4])[0]
                    packet, self.data = self.data[:end], self.data[end:]
                    self.camera.heard(self, packet[1], packet[4:])
                    continue
            elif b"\r\n\r\n" in self.data:
                head, _, self.data = self.data.partition(b"\r\n\r\n")
                request = Request(head.decode("latin1"))
                self.data = self.data[int(request.fields.get("content-length", 0)):]
                if request.method.startswith("RTSP/"):
                    continue            # the answer to what the camera asked
                return request
            if len(self.data) > REQUEST_MAX:
                raise Gone
            more = self.connection.recv(4096)
            if not more:
                raise Gone
            self.data += more

    def send(self, data):
        """Sends bytes; whole answers and packets only, so that two threads never mix theirs."""
        with self.lock:
            self.connection.sendall(data)

    def answer(self, request, status="200 OK", headers=(), body="", number=None, then=b""):
        """Answers a request; `number` is the CSeq where it is not the request's, `then` follows at once."""
        lines = ["RTSP/1.0 " + status, "CSeq: " + (request.number if number is None else number), *headers]
        data = body.encode("latin1")
        if data:
            if not any(h.lower().startswith("content-type") for h in headers):
                lines.append("Content-Type: application/sdp")
            lines.append("Content-Length: %d" % len(data))
        lines = [line for line in lines if not line.lower().startswith("content-type: none")]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin1") + data + then)

    def interleave(self, channel, packet):
        """One packet in the connection."""
        self.send(self.camera.framed(channel, packet))

    def finish(self):
        """Says that nothing more comes; what was sent still arrives."""
        self.ended = True
        try:
            self.connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass                    # the client was faster


class Login:
    """How a camera asks for a login, and whether it gets a right one (RFC 7616, RFC 7617)."""

    def __init__(self, *challenges, nonce="6d2b8f0a31", realm="cam", password=PASSWORD):
        self.challenges, self.nonce, self.realm, self.password = challenges, nonce, realm, password

    def fields(self):
        """The fields of a 401."""
        return ["WWW-Authenticate: " + c.replace("NONCE", self.nonce).replace("REALM", self.realm)
                for c in self.challenges]

    def fault(self, request, nonce=None):
        """Why the request's login is wrong; nil where it is right."""
        given = request.fields.get("authorization")
        if given is None:
            return "no login"
        if given.startswith("Basic "):
            right = base64.b64encode(("%s:%s" % (USER, self.password)).encode()).decode()
            return None if given[6:] == right else "wrong basic login"
        if not given.startswith("Digest "):
            return "unknown kind of login"
        if re.search(r",(?! )", re.sub(r'"[^"]*"', '""', given)):
            return "no blank behind a comma"
        values = {k.lower(): q if q or not v else v
                  for k, q, v in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,]+))', given[7:])}
        if values.get("uri") != request.uri:
            return "signed %s instead of %s" % (values.get("uri"), request.uri)
        if values.get("nonce") != (nonce or self.nonce) or values.get("realm") != self.realm:
            return "another nonce or realm"
        name = values.get("algorithm", "MD5").lower()
        kind = hashlib.sha256 if name.startswith("sha-256") else hashlib.md5

        def h(text):
            return kind(text.encode("latin1")).hexdigest()
        first = h("%s:%s:%s" % (USER, self.realm, self.password))
        if name.endswith("-sess"):
            first = h("%s:%s:%s" % (first, values["nonce"], values.get("cnonce", "")))
        second = h("%s:%s" % (request.method, request.uri))
        middle = [values["nonce"]]
        if "qop" in values:
            middle += [values.get("nc", ""), values.get("cnonce", ""), values["qop"]]
        right = h(":".join([first, *middle, second]))
        return None if values.get("response") == right else "wrong response"


class Camera:
    """A camera that does all as it should: H.264 and AAC, each once, one second long, as fast as the client takes it."""

    number, name, quirk = 0, "", ""
    login = None                # how it asks for a login
    transport = "tcp"           # what the client is configured to ask for
    transports = ("tcp", "udp")  # what the camera can
    host = "127.0.0.1"
    path = "/live"
    codec, sound = "h264", "aac"
    pace = 0.0                  # seconds between two pictures
    frames = media.FRAMES
    session, timeout = "12345678", ";timeout=60"
    public = "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER"
    drops = None                # seconds without an accepted sign of life after which it ends the session
    dropping_is_right = False   # whether it must come to that
    dials = 1                   # how often it is dialled, one time behind the other; the last counts
    closes = True               # whether it closes the connection, or says BYE, behind its last packet
    sprop = True
    # What must come of it. `end`: the failure with which the dial ends where that is right; `says`: what the reason, or the
    # reason why a track is left out, must contain; `may_miss`: pictures at the begin that may be left out.
    end, says, may_miss = None, (), 0
    secure = False
    damage = 0                  # frames that must be flagged as damaged
    silence = None              # the client's limit of silence in milliseconds
    wants_sound = wants_video = True
    makes_sound = False         # whether its sound is recorded as AAC that is made of it
    verdict = None              # what becomes of it, where the table is not to say it in its own words

    def __init__(self):
        self.lock = threading.Lock()
        self.asked, self.complaints, self.connections = [], [], 0
        self.expected = {"video": [], "audio": []}
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        self.listener = socket.create_server((self.host, 0), family=family, backlog=16)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    # What the test reads.

    @property
    def authority(self):
        """Host and port as they stand in an address."""
        return ("[%s]:%d" if ":" in self.host else "%s:%d") % (self.host, self.port)

    @property
    def address(self):
        """The address that the client is given."""
        return "rtsp://%s%s" % (self.authority, self.path)

    def complain(self, what):
        """Notes what the client did wrong."""
        with self.lock:
            if what not in self.complaints:
                self.complaints.append(what)

    def expect(self, kind, parts):
        """Notes an access unit that must be recorded: as the client stores it, each NAL unit behind its length."""
        data = parts[0] if kind == "audio" else b"".join(struct.pack("!I", len(p)) + p for p in parts)
        with self.lock:
            self.expected[kind].append(hashlib.sha256(data).hexdigest())

    def judge(self):
        """Complains at the end about what should have been asked and was not."""

    def told(self):
        """What happened, for the test."""
        self.judge()
        with self.lock:
            return {"connections": self.connections, "asked": list(self.asked), "complaints": list(self.complaints),
                    "video": list(self.expected["video"]), "audio": list(self.expected["audio"])}

    # The conversation.

    def accept(self):
        """Serves each connection on a thread of its own."""
        while True:
            connection, peer = self.listener.accept()
            with self.lock:
                self.connections += 1
            threading.Thread(target=self.serve, args=(connection, peer), daemon=True).start()

    def serve(self, connection, peer):
        """Answers requests until the client goes."""
        with connection:
            talk = Talk(self, connection, peer)
            try:
                while True:
                    request = talk.request()
                    with self.lock:
                        self.asked.append(request.method)
                    self.check(talk, request)
                    talk.requests.append(request)
                    if self.allows(talk, request):
                        self.dispatch(talk, request)
            except (OSError, Gone):
                talk.ended = True   # a client that goes is nothing special

    def heard(self, talk, channel, packet):
        """Takes an interleaved packet of the client: a receiver report."""
        talk.reports += 1

    def dispatch(self, talk, request):
        """Answers one request that is allowed."""
        getattr(self, "on_" + request.method.lower(), self.on_other)(talk, request)

    def check(self, talk, request):
        """What each request must have, whatever the quirk."""
        number = int(request.number) if request.number.isdigit() else -1
        if number <= talk.last:
            self.complain("CSeq %s after %d" % (request.number, talk.last))
        talk.last = number
        if "user-agent" not in request.fields:
            self.complain("%s without User-Agent" % request.method)
        if "@" in request.uri:
            self.complain("%s with a login in the address" % request.method)

    def allows(self, talk, request):
        """Whether the request's login is right; refuses it otherwise."""
        if self.login is None:
            return True
        fault = self.login.fault(request)
        if fault is None:
            return True
        if "authorization" in request.fields and self.end != "unauthorized":
            self.complain("%s: %s" % (request.method, fault))
        self.refuse_login(talk, request)
        return False

    def refuse_login(self, talk, request):
        """Answers 401."""
        talk.challenged = True
        talk.answer(request, "401 Unauthorized", self.login.fields())

    def on_options(self, talk, request):
        talk.alive = time.monotonic()
        talk.answer(request, headers=["Public: " + self.public])

    def on_describe(self, talk, request):
        talk.described = True
        talk.answer(request, headers=self.base(talk, request), body=self.sdp(talk))

    def base(self, talk, request):
        """The fields that say where the tracks are."""
        return ["Content-Base: %s/" % self.address]

    def control(self, track):
        """The address by which a track must be set up."""
        return "%s/%s" % (self.address, track.name)

    def on_setup(self, talk, request):
        track = next((t for t in talk.tracks.values() if request.uri == self.control(t)), None)
        if not talk.described:
            self.complain("SETUP without DESCRIBE")
        if track is None:
            self.complain("SETUP of %s" % request.uri)
            talk.answer(request, "404 Not Found")
            return
        wanted = request.fields.get("transport", "")
        kind = "tcp" if "TCP" in wanted.upper() or "interleaved" in wanted else "udp"
        if kind not in self.transports:
            self.refuse_transport(talk, request, track)
            return
        self.prepare(talk, request, track, kind, wanted)

    def refuse_transport(self, talk, request, track):
        """Answers 461."""
        talk.answer(request, "461 Unsupported Transport")

    def prepare(self, talk, request, track, kind, wanted):
        """Sets a track up and answers."""
        numbers = re.search(r"(?:interleaved|client_port)=(\d+)-(\d+)", wanted)
        if not numbers:
            self.complain("SETUP without channels or ports: %s" % wanted)
            talk.answer(request, "400 Bad Request")
            return
        first, second = int(numbers.group(1)), int(numbers.group(2))
        if kind == "tcp":
            track.channels = (first, second)
        else:
            host = talk.peer[0]
            track.target = ((host, first), (host, second))
            track.sockets = self.datagram_sockets()
        talk.answer(request, headers=["Session: " + self.session_of(talk, track) + self.timeout,
                                      *self.transport_fields(talk, track, kind)])

    def datagram_sockets(self):
        """The sockets that RTP and RTCP leave by."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        pair = []
        for _ in range(2):
            s = socket.socket(family, socket.SOCK_DGRAM)
            s.bind((self.host, 0))
            pair.append(s)
        return tuple(pair)

    def session_of(self, talk, track):
        """The session's number in the answer to SETUP."""
        return self.session

    def transport_fields(self, talk, track, kind):
        """The Transport field of the answer to SETUP."""
        if kind == "tcp":
            return ["Transport: RTP/AVP/TCP;unicast;interleaved=%d-%d;ssrc=%08X" % (*track.channels, track.ssrc)]
        return ["Transport: RTP/AVP;unicast;client_port=%d-%d;server_port=%d-%d;ssrc=%08X" % (
            track.target[0][1], track.target[1][1], track.sockets[0].getsockname()[1],
            track.sockets[1].getsockname()[1], track.ssrc)]

    def play_address(self):
        """The address by which PLAY must be asked."""
        return (self.address + "/", self.address)

    def on_play(self, talk, request):
        if request.fields.get("session") != self.session:
            self.complain("PLAY with session %s" % request.fields.get("session"))
        if request.uri not in self.play_address():
            self.complain("PLAY of %s" % request.uri)
        talk.alive = time.monotonic()
        talk.answer(request, headers=["Session: " + self.session, *self.rtp_info(talk)])
        self.start(talk)

    def start(self, talk):
        """Begins to send."""
        threading.Thread(target=self.run, args=(talk,), daemon=True).start()

    def rtp_info(self, talk):
        """The RTP-Info field of the answer to PLAY."""
        parts = ["url=%s;seq=%d;rtptime=%d" % (self.control(t), t.sequence, t.base)
                 for t in talk.tracks.values() if t.channels or t.target]
        return ["RTP-Info: " + ",".join(parts)]

    def on_get_parameter(self, talk, request):
        talk.alive = time.monotonic()
        talk.answer(request, headers=["Session: " + self.session])

    on_set_parameter = on_get_parameter

    def on_teardown(self, talk, request):
        talk.answer(request)
        talk.finish()

    def on_other(self, talk, request):
        talk.answer(request, "501 Not Implemented")

    # What it sends.

    def tracks(self):
        """The camera's tracks, new for each connection."""
        made = [Track("track1", "video", self.codec, 96, media.CLOCK, 0x11223344)]
        if self.sound:
            clock = {"aac": media.AAC_RATE}.get(self.sound, 8_000)
            made.append(Track("track2", "audio", self.sound, {"pcma": 8}.get(self.sound, 97), clock, 0x55667788))
        return made

    def sdp(self, talk):
        """The description."""
        lines = self.head()
        for track in talk.tracks.values():
            lines += self.medium(track)
        return "\r\n".join(lines) + "\r\n"

    def head(self):
        """The description's lines before the first medium."""
        return ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=x", "t=0 0", "a=control:*"]

    def medium(self, track):
        """The lines of one medium."""
        return ["m=%s 0 %s %d" % (track.kind, self.profile(), track.payload_type), *self.rtpmap(track),
                *self.fmtp(track), "a=control:" + self.relative(track)]

    def profile(self):
        """The profile of the m= lines."""
        return "RTP/AVP"

    def relative(self, track):
        """The track's control as the description says it."""
        return track.name

    def rtpmap(self, track):
        """The rtpmap line of a track."""
        text = {"h264": "H264/90000", "h265": "H265/90000", "aac": "MPEG4-GENERIC/48000", "pcma": "PCMA/8000"}
        return ["a=rtpmap:%d %s" % (track.payload_type, text[track.codec])]

    def fmtp(self, track):
        """The fmtp line of a track."""
        head = "a=fmtp:%d " % track.payload_type
        if track.codec == "aac":
            return [head + "streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;"
                    "config=" + media.AAC_CONFIG]
        if track.codec == "pcma":
            return []
        texts = [base64.b64encode(s).decode() for s in media.sets(track.codec)] if self.sprop else []
        if track.codec == "h265":
            return [head + ";".join("sprop-%s=%s" % x for x in zip(("vps", "sps", "pps"), texts))] if texts else []
        extra = ";sprop-parameter-sets=" + ",".join(texts) if texts else ""
        return [head + "packetization-mode=1;profile-level-id=%s%s" % (media.sets()[0][1:4].hex(), extra)]

    def units(self, track):
        """The access units of a track: (seconds, ticks, parts)."""
        if track.kind == "video":
            for i, parts in enumerate(media.video(self.codec, frames=max(self.frames, media.FRAMES))[:self.frames]):
                yield i / media.FRAMES, i * media.STEP, list(parts)
            return
        samples = media.AAC_SAMPLES if self.sound == "aac" else 160
        frames = media.aac() if self.sound == "aac" else media.alaw()
        for i, frame in enumerate(frames):
            yield i * samples / track.clock, i * samples, [frame]

    def framed(self, channel, packet):
        """A packet as it lies in the connection."""
        return struct.pack("!BBH", 0x24, channel, len(packet)) + packet

    def send_packet(self, talk, track, packet, is_control=False):
        """Sends one RTP or RTCP packet of a track."""
        if track.channels:
            talk.interleave(track.channels[is_control], packet)
        else:
            track.sockets[is_control].sendto(packet, track.target[is_control])
            time.sleep(PACE)

    def run(self, talk):
        """Plays all tracks that were set up, and ends."""
        try:
            self.play(talk)
            if not self.closes:
                return
            if any(t.channels for t in talk.tracks.values()):
                talk.finish()
                return
            time.sleep(0.05)        # what was sent before arrives before: datagrams on two ports have no order
            for t in talk.tracks.values():
                if t.target:
                    self.send_packet(talk, t, struct.pack("!BBHI", 0x81, 203, 1, t.ssrc), is_control=True)
        except OSError:
            talk.ended = True       # the client was faster

    def play(self, talk):
        """Sends each access unit, in the order of their times."""
        ready = [t for t in talk.tracks.values() if t.channels or t.target]
        due = sorted(((seconds, i, ticks, parts) for i, t in enumerate(ready)
                      for seconds, ticks, parts in self.units(t)), key=lambda x: x[:2])
        begin = time.monotonic()
        for t in ready:
            self.send_packet(talk, t, t.report(0, 0), is_control=True)
        for seconds, i, ticks, parts in due:
            if self.pace:
                time.sleep(max(0, begin + seconds * self.pace * media.FRAMES - time.monotonic()))
                if self.drops and time.monotonic() - talk.alive > self.drops:
                    if not self.dropping_is_right:
                        self.complain("no accepted sign of life within %.1f s" % self.drops)
                    talk.finish()
                    return
            if talk.ended:
                return
            self.unit(talk, ready[i], ticks, parts)

    def unit(self, talk, track, ticks, parts):
        """Sends one access unit, and expects it to be recorded."""
        self.expect(track.kind, parts)
        for packet in track.packets(parts, ticks):
            self.send_packet(talk, track, packet)

    def row(self):
        """What the test must know to dial, and to judge."""
        return {"number": self.number, "name": self.name, "quirk": self.quirk, "address": self.address,
                "transport": self.transport, "credential": self.login is not None, "end": self.end,
                "says": [self.says] if isinstance(self.says, str) else list(self.says), "mayMiss": self.may_miss,
                "silenceMs": self.silence, "isSlow": self.pace > 0 or self.silence is not None, "damaged": self.damage, "dials": self.dials,
                "pictures": self.frames if self.wants_video and not self.end else 0,
                "sounds": self.sound_count() if self.sound and self.wants_sound and not self.makes_sound and not self.end else 0,
                "makesSound": self.makes_sound}

    def sound_count(self):
        """How many frames of sound it plays."""
        return len(media.aac() if self.sound == "aac" else media.alaw())


class Kept(Camera):
    """A camera that is watched for three seconds. It says that it ends a session after one second without an accepted sign of
    life, and does so after two: what is late by the load of the machine is not too late."""

    timeout, pace, frames, sound, drops = ";timeout=1", 1 / media.FRAMES, 3 * media.FRAMES, None, 2.0
