"""Rows 23 to 45: SETUP, session, keep-alive. Those about foreign packets (36, 46) are with the packets."""
import random
import socket
import time

import media
from registry import row
from server import Camera, Kept, Login, Track

@row(23, "other channels", "answers with other channels than were asked for")
class OtherChannels(Camera):
    def transport_fields(self, talk, track, kind):
        track.channels = (track.channels[0] + 4, track.channels[1] + 4)
        return super().transport_fields(talk, track, kind)


@row(23, "channels exchanged", "exchanges the channels of its tracks")
class ChannelsExchanged(Camera):
    def transport_fields(self, talk, track, kind):
        track.channels = (2, 3) if track.kind == "video" else (0, 1)
        return super().transport_fields(talk, track, kind)


@row(23, "the same channels told twice", "names the same channels for both tracks, and uses those that were asked for")
class SameTold(Camera):
    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1"]


@row(23, "the same channels used twice", "names the same channels for both tracks, and uses them for both")
class SameUsed(Camera):
    def transport_fields(self, talk, track, kind):
        track.channels = (0, 1)
        return super().transport_fields(talk, track, kind)


@row(24, "Transport without channels", "leaves the channels out of its answer")
class NoChannels(Camera):
    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP/TCP;unicast"]


@row(24, "no Transport", "answers SETUP without Transport")
class NoTransport(Camera):
    def transport_fields(self, talk, track, kind):
        return []


@row(25, "RTP/AVP with channels", "calls its transport RTP/AVP, and gives channels")
class PlainWithChannels(Camera):
    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP;unicast;interleaved=%d-%d" % track.channels]


@row(25, "one channel only", "names one channel instead of two")
class OneChannel(Camera):
    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP/TCP;unicast;interleaved=%d" % track.channels[0]]


@row(25, "ssrc first", "names the source before the transport")
class SourceFirst(Camera):
    def transport_fields(self, talk, track, kind):
        return ["Transport: ssrc=%08X;RTP/AVP/TCP;unicast;interleaved=%d-%d" % (track.ssrc, *track.channels)]


@row(26, "ssrc of other forms", "gives its source's number in other forms, or a wrong one")
class StrangeSource(Camera):
    forms = (";ssrc= 1A2B", ";ssrc=287454020;mode=\"PLAY\"")

    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP/TCP;unicast;interleaved=%d-%d%s" % (
            *track.channels, self.forms[track.kind == "audio"])]


class Datagrams(Camera):
    transport = "udp"


@row(27, "no server_port", "leaves its ports out of the answer to SETUP")
class NoServerPort(Datagrams):
    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP;unicast;client_port=%d-%d" % (track.target[0][1], track.target[1][1])]


@row(27, "server_port 0-1", "says that it sends from the ports 0 and 1")
class ZeroServerPort(Datagrams):
    def transport_fields(self, talk, track, kind):
        return ["Transport: RTP/AVP;unicast;client_port=%d-%d;server_port=0-1" % (
            track.target[0][1], track.target[1][1])]


@row(27, "a comma behind server_port", "writes a comma behind its ports")
class CommaServerPort(Datagrams):
    def transport_fields(self, talk, track, kind):
        return [f + "," for f in super().transport_fields(talk, track, kind)]


@row(28, "another port than told", "sends from another port than it says")
class OtherPort(Datagrams):
    def transport_fields(self, talk, track, kind):
        fields = super().transport_fields(talk, track, kind)
        track.others = track.sockets            # kept open, so that nothing else gets the ports
        track.sockets = self.datagram_sockets()
        return fields


@row(28, "another port and another host", "sends from another port, while others send to the same ones")
class Stranger(OtherPort):
    def unit(self, talk, track, ticks, parts):
        stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        stranger.bind(("127.0.0.2", 0))
        for packet in Track("x", "video", "h264", track.payload_type, 90_000, 0x666).packets([b"\x65" * 900], 0):
            stranger.sendto(packet, track.target[0])
        stranger.close()
        super().unit(talk, track, ticks, parts)


@row(29, "461 to TCP", "refuses media in the connection")
class OnlyDatagrams(Camera):
    transports = ("udp",)


@row(29, "461 to UDP", "refuses media in datagrams")
class OnlyInterleaved(Datagrams):
    transports = ("tcp",)


@row(29, "UDP answered with TCP", "answers a request for datagrams with channels of the connection")
class AnswersInterleaved(Datagrams):
    def transport_fields(self, talk, track, kind):
        if kind == "tcp":
            return super().transport_fields(talk, track, kind)
        track.target, track.channels = None, (0, 1)
        return ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1"]


@row(29, "TCP answered with UDP", "answers a request for channels with ports")
class AnswersDatagrams(Camera):
    def transport_fields(self, talk, track, kind):
        if kind == "udp":
            return super().transport_fields(talk, track, kind)
        return ["Transport: RTP/AVP/UDP;unicast;client_port=50000-50001;server_port=50002-50003"]


@row(30, "another session in the second answer", "names another session in the answer to the second SETUP")
class OtherSession(Camera):
    def session_of(self, talk, track):
        return self.session if track.kind == "video" else "87654321"


@row(31, "all tracks or nothing", "sends nothing over UDP unless all tracks are set up")
class AllOrNothing(Datagrams):
    def play(self, talk):
        if all(t.target for t in talk.tracks.values()):
            super().play(talk)


@row(32, "a late session", "names the session in the answer to PLAY only")
class LateSession(Kept):
    def prepare(self, talk, request, track, kind, wanted):
        track.channels = (0, 1)
        talk.answer(request, headers=self.transport_fields(talk, track, kind))

    def on_play(self, talk, request):
        talk.alive = time.monotonic()
        talk.answer(request, headers=["Session: " + self.session + self.timeout])
        self.start(talk)

    def on_get_parameter(self, talk, request):
        if request.fields.get("session") != self.session:
            self.complain("keep-alive with session %s" % request.fields.get("session"))
        super().on_get_parameter(talk, request)


@row(33, "other text behind the session", "writes other things between the session's number and its timeout")
class SessionText(Kept):
    timeout = " ; foo=\"bar\" ;Timeout=1;x"


@row(34, "channels that were never set up", "sends on channels that nobody set up")
class ForeignChannels(Camera):
    noise = random.Random(34)

    def unit(self, talk, track, ticks, parts):
        talk.interleave(8, self.noise.randbytes(40))
        talk.interleave(9, b"\x80\xcb\x00\x01\x00\x00\x00\x01")
        super().unit(talk, track, ticks, parts)


@row(35, "packets before the answer to PLAY", "sends packets before it answers PLAY")
class EarlyPackets(Camera):
    may_miss = 3

    def on_play(self, talk, request):
        video = talk.tracks["track1"]
        self.send_packet(talk, video, video.report(0, 0), is_control=True)
        self.early = list(self.units(video))[:3]
        for _, ticks, parts in self.early:
            self.unit(talk, video, ticks, parts)
        super().on_play(talk, request)

    def units(self, track):
        yield from list(super().units(track))[3 if track.kind == "video" and hasattr(self, "early") else 0:]


class Refuses(Kept):
    """A camera that lists a keep-alive method and refuses it."""
    status = "400 Bad Request"

    def on_get_parameter(self, talk, request):
        talk.answer(request, self.status)


@row(37, "GET_PARAMETER refused with 400", "lists GET_PARAMETER and answers it with 400")
class Refuses400(Refuses):
    pass


@row(37, "GET_PARAMETER refused with 404", "lists GET_PARAMETER and answers it with 404")
class Refuses404(Refuses):
    status = "404 Not Found"


@row(37, "GET_PARAMETER refused with 454", "lists GET_PARAMETER and answers it with 454")
class Refuses454(Refuses):
    status = "454 Session Not Found"


@row(37, "GET_PARAMETER refused with 501", "lists GET_PARAMETER and answers it with 501")
class Refuses501(Refuses):
    status = "501 Not Implemented"


@row(37, "SET_PARAMETER refused", "lists SET_PARAMETER and answers it with 400")
class RefusesSet(Refuses):
    public = "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, SET_PARAMETER"

    def on_set_parameter(self, talk, request):
        talk.answer(request, "400 Bad Request")


@row(37, "every keep-alive refused", "refuses all keep-alives, and lives by receiver reports alone")
class RefusesAll(Refuses):
    drops = None

    def on_options(self, talk, request):
        if len(talk.requests) > 2:
            talk.answer(request, "400 Bad Request")
        else:
            super().on_options(talk, request)


@row(38, "wants GET_PARAMETER unlisted", "does not list GET_PARAMETER, and takes nothing else for a sign of life")
class WantsUnlisted(Kept):
    public = "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"
    dials, verdict = 2, "lost at its first timeout, and recorded whole from then on"
    dropping_is_right = True

    def on_options(self, talk, request):
        talk.answer(request, headers=["Public: " + self.public])

    def on_play(self, talk, request):
        # What must be recorded whole is what the last dial gets.
        self.dropping_is_right = self.connections < self.dials
        with self.lock:
            self.expected = {"video": [], "audio": []}
        super().on_play(talk, request)


@row(39, "GET_PARAMETER unanswered", "lists GET_PARAMETER, never answers it, and takes OPTIONS for a sign of life")
class SilentGet(Kept):
    def on_get_parameter(self, talk, request):
        pass


@row(40, "closes at an unknown method", "closes the connection at a method that it does not list")
class ClosesAtUnknown(Kept):
    public = "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"

    def check(self, talk, request):
        super().check(talk, request)
        if not talk.requests and request.method != "OPTIONS":
            self.complain("begins with " + request.method)
        if request.method not in self.public:
            self.complain(request.method + " is not listed")
            talk.finish()


@row(41, "keep-alives unanswered", "never answers keep-alives, and wants them all the same")
class SilentAll(Kept):
    def on_get_parameter(self, talk, request):
        talk.alive = time.monotonic()

    def on_options(self, talk, request):
        talk.alive = time.monotonic()
        if len(talk.requests) <= 2:
            super().on_options(talk, request)


@row(42, "a short timeout", "ends the session one second after the last sign of life")
class ShortTimeout(Kept):
    pass


@row(42, "wants receiver reports", "ends the session without a receiver report within six seconds")
class WantsReports(Camera):
    pace, frames, sound = 6.5 / media.FRAMES, media.FRAMES, None

    def judge(self):
        if not self.reported:
            self.complain("no receiver report within six seconds")

    def serve(self, connection, peer):
        self.reported = False
        super().serve(connection, peer)

    def play(self, talk):
        super().play(talk)
        self.reported = talk.reports > 0


@row(43, "two sessions at most", "has no session left")
class Full(Camera):
    end, says = "busy", "453"

    def on_setup(self, talk, request):
        talk.answer(request, "453 Not Enough Bandwidth")


@row(43, "503 to SETUP", "has no session left, and says 503")
class Unavailable(Full):
    says = "503"

    def on_setup(self, talk, request):
        talk.answer(request, "503 Service Unavailable")


class Sessions(Camera):
    """A camera that has one session, from the first SETUP of a connection to its TEARDOWN, whatever becomes of the connection."""

    def __init__(self):
        self.holder = None
        super().__init__()

    def on_setup(self, talk, request):
        with self.lock:
            self.holder = self.holder or talk
            is_full = self.holder is not talk
        if is_full:
            talk.answer(request, "453 Not Enough Bandwidth")
        else:
            super().on_setup(talk, request)

    def on_teardown(self, talk, request):
        self.forget(talk)
        super().on_teardown(talk, request)

    def forget(self, talk):
        """The session of a connection is over."""
        with self.lock:
            if self.holder is talk:
                self.holder = None


@row(43, "one session until TEARDOWN", "has one session, keeps it until TEARDOWN, and answers a request for channels with ports")
class OneSession(Sessions):
    def transport_fields(self, talk, track, kind):
        if kind == "udp":
            return super().transport_fields(talk, track, kind)
        return ["Transport: RTP/AVP/UDP;unicast;client_port=50000-50001;server_port=50002-50003"]


@row(43, "an old session counts", "has one session, and counts one whose connection was cut until that has timed out")
class OldSession(Sessions):
    dials, verdict = 3, "lost with the reason, and recorded whole when the old session has timed out"

    def on_setup(self, talk, request):
        if self.connections == 3:           # by now its timeout has passed
            self.forget(self.holder)
        super().on_setup(talk, request)

    def on_play(self, talk, request):
        with self.lock:
            self.expected = {"video": [], "audio": []}
        super().on_play(talk, request)
        if self.connections == 1:
            talk.finish()

    def on_teardown(self, talk, request):
        if self.connections == 3:           # the first one's came too late: nobody took it
            super().on_teardown(talk, request)

    def judge(self):
        if self.connections != 3:
            self.complain("%d connections for 3 dials" % self.connections)


@row(43, "453 to PLAY", "has no session left, and says so at PLAY")
class FullAtPlay(Sessions):
    end, says = "busy", "453"

    def on_play(self, talk, request):
        talk.answer(request, "453 Not Enough Bandwidth")

    def judge(self):
        deadline = time.monotonic() + 5     # it may still be on its way
        while self.holder is not None:
            if time.monotonic() > deadline:
                self.complain("what was set up was not ended by TEARDOWN")
                return
            time.sleep(0.01)


@row(43, "wants TEARDOWN", "keeps a session until TEARDOWN or its timeout")
class WantsTeardown(Camera):
    closes = False
    silence = 700

    end, verdict = "silence", "recorded whole, and left with TEARDOWN"

    def judge(self):
        deadline = time.monotonic() + 5     # it may still be on its way
        while "TEARDOWN" not in self.asked:
            if time.monotonic() > deadline:
                self.complain("no TEARDOWN")
                return
            time.sleep(0.01)

    def on_teardown(self, talk, request):
        if request.fields.get("session") != self.session:
            self.complain("TEARDOWN with session %s" % request.fields.get("session"))
        super().on_teardown(talk, request)


@row(45, "nonsense in RTP-Info", "writes no numbers into RTP-Info")
class InfoText(Camera):
    def rtp_info(self, talk):
        return ["RTP-Info: url=%s;seq=;rtptime=abc,url=%s;seq=x;rtptime=;" % tuple(
            self.control(t) for t in talk.tracks.values())]


@row(45, "zeros in RTP-Info", "writes zeros into RTP-Info although its packets count elsewhere")
class InfoZeros(Camera):
    def rtp_info(self, talk):
        return ["RTP-Info: " + ",".join("url=%s;seq=0;rtptime=0" % self.control(t) for t in talk.tracks.values())]


@row(45, "a semicolon behind RTP-Info", "ends RTP-Info with a semicolon")
class InfoEnd(Camera):
    def rtp_info(self, talk):
        return [f + ";" for f in super().rtp_info(talk)]


class RefusesSound(Camera):
    """A camera that refuses to set up its sound."""
    wants_sound, status = False, "404 Not Found"

    def on_setup(self, talk, request):
        if request.uri.endswith("track2"):
            talk.answer(request, self.status)
        else:
            super().on_setup(talk, request)


@row(0, "the sound refused with 404", "refuses to set up its sound with 404")
class Sound404(RefusesSound):
    says = "404"


@row(0, "the sound refused with 500", "refuses to set up its sound with 500")
class Sound500(RefusesSound):
    status, says = "500 Internal Server Error", "500"


@row(0, "the sound refused with 461", "refuses to set up its sound with 461")
class Sound461(RefusesSound):
    status, says = "461 Unsupported Transport", "461"


@row(0, "the sound refused with 453", "refuses to set up its sound with 453")
class Sound453(RefusesSound):
    status, says = "453 Not Enough Bandwidth", "453"


@row(0, "the sound unauthorized", "refuses to set up its sound with 401, whatever the login")
class Sound401(RefusesSound):
    login, says = Login('Digest realm="REALM", nonce="NONCE"'), "login"

    def on_setup(self, talk, request):
        if request.uri.endswith("track2"):
            talk.answer(request, "401 Unauthorized", self.login.fields())
        else:
            super().on_setup(talk, request)


@row(0, "closes at the sound", "closes the connection when its sound is set up")
class SoundCloses(RefusesSound):
    says = "closed"

    def on_setup(self, talk, request):
        if request.uri.endswith("track2"):
            talk.finish()
        else:
            super().on_setup(talk, request)


@row(0, "the sound first", "offers its sound before its video, and refuses it")
class SoundFirst(Sound404):
    def tracks(self):
        return super().tracks()[::-1]


@row(0, "sound only", "has no video")
class SoundOnly(Camera):
    wants_video = False

    def tracks(self):
        return super().tracks()[1:]


@row(0, "a request of the camera", "asks the client something while it plays")
class Asks(Camera):
    def unit(self, talk, track, ticks, parts):
        if ticks == media.STEP * 3:
            talk.send(b"OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\n")
        super().unit(talk, track, ticks, parts)
