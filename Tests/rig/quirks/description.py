"""Rows 47 to 56: the description."""
import base64

import media
from registry import row
from server import Camera, Track


@row(47, "a blank behind rtpmap", "writes blanks around its rtpmap")
class BlankRtpmap(Camera):
    def rtpmap(self, track):
        return [line.replace(":", ": ", 1) + "  " for line in super().rtpmap(track)]


@row(47, "a tab in rtpmap", "writes tabs in its rtpmap and fmtp")
class TabRtpmap(Camera):
    def rtpmap(self, track):
        return [line.replace(" ", "\t", 1) for line in super().rtpmap(track)]

    def fmtp(self, track):
        return [line.replace(" ", "\t", 1).replace(";", ";\t") for line in super().fmtp(track)]


@row(47, "a blank before the slash of rtpmap", "writes blanks around the slash of its rtpmap")
class BlankSlash(Camera):
    def rtpmap(self, track):
        return [line.replace("/", " / ") for line in super().rtpmap(track)]


@row(48, "unknown media", "offers media whose names nobody knows")
class UnknownMedia(Camera):
    def head(self):
        return [*super().head(), "m=application/TP-LINK 0 RTP/AVP smart/1/90000", "a=rtpmap:95 TP-LINK/90000",
                "a=control:trackX", "m=vendor.video 0 RTP/AVP 112", "a=control:trackY",
                "m=application 0 RTP/AVP 107", "a=rtpmap:107 vnd.onvif.metadata/90000", "a=control:trackZ"]


@row(49, "broken lines", "leaves lines of its description out and breaks others")
class BrokenLines(Camera):
    def head(self):
        return ["s=x", "s=y", "c=IN IP4", "c=SM x", "t=0-", "b=AS:", "z=", "=", "a=", "k", "a=control:*"]

    def medium(self, track):
        lines = super().medium(track)
        return [lines[0].replace(" 0 ", " -1 "), "c=IN IP4 0.0.0.0", "b=AS:-3", *lines[1:], "i=", "a=range"]


@row(49, "line feeds alone", "ends the lines of its description with a line feed alone")
class LineFeeds(Camera):
    def sdp(self, talk):
        return super().sdp(talk).replace("\r\n", "\n")


@row(50, "an empty fmtp", "has an fmtp with nothing behind the number")
class EmptyFmtp(Camera):
    def fmtp(self, track):
        return ["a=fmtp:96", "a=fmtp:96 "] if track.kind == "video" else super().fmtp(track)


@row(51, "fmtp of another number", "gives another payload type in fmtp than in rtpmap")
class OtherFmtp(Camera):
    def fmtp(self, track):
        return [line.replace("fmtp:97", "fmtp:104") for line in super().fmtp(track)]


@row(51, "fmtp below another medium", "writes a medium's fmtp below another medium")
class StrayFmtp(Camera):
    def medium(self, track):
        lines = super().medium(track)
        mine = super().fmtp(track)
        lines = [line for line in lines if line not in mine]
        if track.kind == "video":
            audio = Track("track2", "audio", "aac", 97, media.AAC_RATE, 0)
            return lines + super().fmtp(track) + super().fmtp(audio)
        return lines


@row(0, "rtpmap of another number", "gives another payload type in rtpmap than it sends")
class OtherRtpmap(Camera):
    def rtpmap(self, track):
        return [line.replace("rtpmap:97", "rtpmap:104") for line in super().rtpmap(track)]


@row(52, "real tracks called sendonly", "calls the tracks that it sends sendonly")
class SendOnly(Camera):
    def medium(self, track):
        return [*super().medium(track), "a=sendonly"]


class BackChannel(Camera):
    """A camera with a loudspeaker."""
    speaker_first = True

    def speaker(self):
        return ["m=audio 0 RTP/AVP 0 8 97", "a=rtpmap:0 PCMU/8000", "a=rtpmap:8 PCMA/8000",
                "a=rtpmap:97 MPEG4-GENERIC/8000/1", "a=control:trackBack", "a=sendonly"]

    def medium(self, track):
        lines = [*super().medium(track), "a=recvonly"]
        if track.kind == "audio":
            return [*self.speaker(), *lines] if self.speaker_first else [*lines, *self.speaker()]
        return lines

    def on_setup(self, talk, request):
        if request.uri.endswith("trackBack"):
            self.complain("SETUP of the back channel")
        super().on_setup(talk, request)


@row(53, "the back channel first", "offers its loudspeaker's track before its microphone's")
class BackChannelFirst(BackChannel):
    pass


@row(53, "the back channel last", "offers its loudspeaker's track behind its microphone's")
class BackChannelLast(BackChannel):
    speaker_first = False


@row(53, "a back channel and no microphone", "offers its loudspeaker's track and no microphone's")
class BackChannelOnly(BackChannel):
    sound = None

    def head(self):
        return [*super().head(), *self.speaker()]


@row(54, "a dynamic type below 96", "sends H.264 with payload type 35")
class LowType(Camera):
    def tracks(self):
        made = super().tracks()
        made[0].payload_type = 35
        return made


@row(55, "H.264's fmtp on H.265", "describes an H.265 track with the fmtp of H.264 and empty parameter sets")
class ForeignFmtp(Camera):
    codec = "h265"

    def fmtp(self, track):
        if track.kind == "video":
            return ["a=fmtp:96 profile-level-id=420029; packetization-mode=1; sprop-parameter-sets="]
        return super().fmtp(track)


class Sprop(Camera):
    """A camera with strange parameter sets in its description."""
    def texts(self, sets):
        return sets

    def fmtp(self, track):
        if track.kind != "video":
            return super().fmtp(track)
        texts = [base64.b64encode(s).decode() for s in self.texts(media.sets())]
        return ["a=fmtp:96 packetization-mode=1;sprop-parameter-sets=" + ",".join(texts)]


@row(56, "no parameter sets in the description", "has no parameter sets in its description")
class NoSprop(Camera):
    sprop = False


@row(56, "no fmtp", "has no fmtp at all for its video")
class NoFmtp(Camera):
    def fmtp(self, track):
        return [] if track.kind == "video" else super().fmtp(track)


@row(56, "broken parameter sets in the description", "has parameter sets in its description that are cut")
class CutSprop(Sprop):
    def texts(self, sets):
        return [s[:3] for s in sets]


@row(56, "no base64 in the description", "has parameter sets in its description that are no base64")
class NoBase64(Camera):
    def fmtp(self, track):
        if track.kind != "video":
            return super().fmtp(track)
        return ["a=fmtp:96 packetization-mode=1;sprop-parameter-sets=%%%,\xff\xfe,A,="]


@row(56, "dummy parameter sets in the description", "describes another picture than it sends")
class DummySprop(Sprop):
    def texts(self, sets):
        return media.sets(size="160x128")


@row(56, "start codes in the description", "writes start codes before the parameter sets of its description")
class StartCodes(Sprop):
    def texts(self, sets):
        return [b"\x00\x00\x00\x01" + s for s in sets]


@row(56, "bytes behind the SPS", "writes bytes behind the parameter sets of its description")
class TrailingBytes(Sprop):
    def texts(self, sets):
        return [s + b"\x00\x00\x00" for s in sets]


@row(56, "both sets in one text", "writes both parameter sets in one text, with start codes between")
class JoinedSets(Sprop):
    def texts(self, sets):
        return [b"\x00\x00\x00\x01" + sets[0] + b"\x00\x00\x00\x01" + sets[1]]


@row(44, "SRTP offered", "offers encrypted media only")
class Encrypted(Camera):
    end, says = "unsupported", "SRTP"

    def profile(self):
        return "RTP/SAVP"

    def judge(self):
        if "SETUP" in self.asked:
            self.complain("SETUP of what cannot be read")


@row(44, "SRTP and plain sound", "offers encrypted video and plain sound")
class EncryptedVideo(Camera):
    end, says = "unsupported", "SRTP"

    def medium(self, track):
        lines = super().medium(track)
        return [lines[0].replace("RTP/AVP", "RTP/SAVPF"), *lines[1:]] if track.kind == "video" else lines


@row(44, "a key beside plain media", "offers a key for encryption beside media that are plain")
class KeyOffered(Camera):
    def medium(self, track):
        return [*super().medium(track),
                "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw"]
