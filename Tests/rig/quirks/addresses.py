"""Rows 13 to 22: addresses."""
from registry import row
from server import Camera


class Based(Camera):
    """A camera whose Content-Base is `given`; %s is its host and port."""
    given = ""

    def base(self, talk, request):
        return ["Content-Base: " + self.given.replace("%s", self.authority)]


@row(13, "a base without scheme", "leaves the scheme out of Content-Base")
class NoScheme(Based):
    given = "%s/live/"


@row(13, "a base without scheme and port", "leaves the scheme and the port out of Content-Base")
class NoSchemeNoPort(Based):
    given = "127.0.0.1/live/"

    def control(self, track):
        return "rtsp://127.0.0.1/live/" + track.name

    def play_address(self):
        return ("rtsp://127.0.0.1/live/", "rtsp://127.0.0.1/live")


@row(14, "a base with two schemes", "writes the scheme twice in Content-Base")
class TwoSchemes(Based):
    given = "rtsp://rtsp://%s/live/"


@row(14, "a base that is there twice", "writes the whole address twice in Content-Base")
class TwoBases(Based):
    given = "rtsp://%s/live/rtsp://%s/live/"


@row(15, "IPv6 without brackets", "names its IPv6 address without brackets in Content-Base")
class BareSix(Based):
    host = "::1"

    def base(self, talk, request):
        return ["Content-Base: rtsp://::1:%d/live/" % self.port]


@row(16, "a base that is a path", "gives only a path as Content-Base")
class PathOnly(Based):
    given = "/live/"


@row(0, "a base that is empty", "leaves Content-Base empty")
class EmptyBase(Based):
    given = ""


@row(0, "a base that is junk", "gives something as Content-Base that is no address")
class JunkBase(Based):
    given = "rtsp:///"


@row(17, "a base with a login", "writes a user and a password into its addresses")
class LoginInBase(Based):
    given = "rtsp://admin:s3cret@%s/live/"

    def head(self):
        return [*super().head()[:-1], "a=control:rtsp://admin:s3cret@%s/live/" % self.authority]

    def relative(self, track):
        return "rtsp://admin:s3cret@%s/live/%s" % (self.authority, track.name)


@row(18, "a base without slash at its end", "leaves out the slash at the end of Content-Base")
class NoSlash(Based):
    given = "rtsp://%s/live"


@row(18, "a control with a slash at its begin", "begins its controls with a slash")
class SlashedControl(Camera):
    def relative(self, track):
        return "/" + track.name


@row(18, "no base and a control with a slash", "leaves Content-Base out and begins its controls with a slash")
class SlashedControlNoBase(SlashedControl):
    def base(self, talk, request):
        return []


@row(19, "a base with a query", "expects a track's name behind the query of its address")
class QueryBase(Camera):
    path = "/cam/realmonitor?channel=1&subtype=0"

    def base(self, talk, request):
        return ["Content-Base: %s/" % self.address]


@row(19, "a query and no slash", "expects a track's name behind the query, and ends its base without a slash")
class QueryNoSlash(QueryBase):
    def base(self, talk, request):
        return ["Content-Base: " + self.address]


@row(20, "the base in the session's control", "gives the right base only as the control of the session")
class SessionControl(Camera):
    path = "/axis-media/media.amp?resolution=640x480"

    def base(self, talk, request):
        return ["Content-Base: rtsp://%s/axis-media/media.amp/" % self.authority]

    def head(self):
        return [*super().head()[:-1], "a=control:" + self.address]


@row(20, "a base in the session's control only", "has no Content-Base, and another address in its session's control")
class SessionControlOnly(Camera):
    def base(self, talk, request):
        return []

    def head(self):
        return [*super().head()[:-1], "a=control:rtsp://%s/other/" % self.authority]

    def control(self, track):
        return "rtsp://%s/other/%s" % (self.authority, track.name)

    def play_address(self):
        return ("rtsp://%s/other/" % self.authority,)


@row(21, "no session control", "has no control for the session")
class NoSessionControl(Camera):
    def head(self):
        return super().head()[:-1]


@row(21, "neither session control nor base", "has neither a control for the session nor Content-Base")
class NoBaseAtAll(NoSessionControl):
    def base(self, talk, request):
        return []


@row(22, "other addresses in RTP-Info", "names other addresses in RTP-Info than were set up")
class OtherInfo(Camera):
    def rtp_info(self, talk):
        return ["RTP-Info: url=rtsp://10.0.0.9/x/track9;seq=1;rtptime=77,url=rtsp://10.0.0.9/x/track8;seq=2;rtptime=5"]


@row(22, "another address in the RTP-Info of one track", "names another address for its only track")
class OtherInfoOne(Camera):
    sound = None

    def rtp_info(self, talk):
        return ["RTP-Info: url=rtsp://10.0.0.9/x/track9;seq=1;rtptime=%d" % talk.tracks["track1"].base]


@row(0, "controls that are whole", "gives whole addresses as controls, with another host")
class WholeControls(Camera):
    def relative(self, track):
        return self.control(track)

    def control(self, track):
        return "rtsp://192.0.2.7:8554/other/%s" % track.name


@row(0, "one track without control", "has a single track and no control at all")
class NoControl(Camera):
    sound = None

    def medium(self, track):
        return super().medium(track)[:-1]

    def head(self):
        return super().head()[:-1]

    def control(self, track):
        return self.address + "/"
