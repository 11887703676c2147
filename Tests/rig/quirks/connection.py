"""Rows 1 to 12: connection, login, messages."""
import time

from registry import row
from server import Camera, Kept, Login

MD5 = 'Digest realm="REALM", nonce="NONCE"'
SHA256 = 'Digest realm="REALM", nonce="NONCE", algorithm=SHA-256, qop="auth"'
BASIC = 'Basic realm="REALM"'


@row(1, "login on a new connection", "takes no login on the connection that carried its 401, and drops that")
class LoginElsewhere(Camera):
    login = Login(MD5)

    def allows(self, talk, request):
        if talk.challenged:
            talk.finish()
            return False
        return super().allows(talk, request)

    def judge(self):
        if self.connections > 2:
            self.complain("%d connections" % self.connections)


@row(1, "closes after its 401", "closes the connection behind each 401")
class ClosesAfterChallenge(Camera):
    login = Login(MD5)

    def refuse_login(self, talk, request):
        super().refuse_login(talk, request)
        talk.finish()

    def judge(self):
        if self.connections > 2:
            self.complain("%d connections" % self.connections)


@row(1, "closes after its 401 to DESCRIBE", "asks for a login at DESCRIBE only, and closes the connection then")
class ClosesAfterDescribe(ClosesAfterChallenge):
    def allows(self, talk, request):
        return request.method == "OPTIONS" or super().allows(talk, request)


@row(1, "closes after its 401 to a wrong login", "closes the connection behind each 401, and has another password")
class ClosesAtWrongLogin(ClosesAfterChallenge):
    login = Login(MD5, password="other")
    end, says = "unauthorized", "login"


@row(1, "a wrong login", "has another password")
class WrongLogin(Camera):
    login = Login(MD5, password="other")
    end, says = "unauthorized", "login"


class Named(Camera):
    """A login whose kind is checked."""
    kind = ""

    def allows(self, talk, request):
        given = request.fields.get("authorization", "")
        if given and self.kind not in given:
            self.complain("the login is %s" % given.split(",")[0].split(" ")[0])
        return super().allows(talk, request)


@row(2, "digest with SHA-256 only", "asks for a digest of SHA-256 and for nothing else")
class OnlySHA256(Named):
    login, kind = Login(SHA256), "algorithm=SHA-256"


@row(2, "challenges in fields of their own", "asks for a digest of SHA-256, one of MD5 or a basic login, a field each")
class ManyFields(Named):
    login, kind = Login(BASIC, MD5, SHA256), "algorithm=SHA-256"


@row(2, "an unknown digest beside a known one", "asks for a digest of SHA-512-256 or one of MD5")
class UnknownDigest(Named):
    login, kind = Login(MD5 + ", algorithm=SHA-512-256", MD5 + ', algorithm="MD5"'), "Digest"


@row(0, "MD5-sess", "asks for a digest of MD5-sess")
class MD5Session(Named):
    login, kind = Login(MD5 + ', algorithm=MD5-sess, qop="auth"'), "algorithm=MD5-sess"


@row(0, "MD5-sess without qop", "asks for a digest of MD5-sess without a quality of protection")
class MD5SessionPlain(Named):
    login, kind = Login(MD5 + ", algorithm=MD5-sess"), "algorithm=MD5-sess"


@row(0, "SHA-256-sess", "asks for a digest of SHA-256-sess")
class SHA256Session(Named):
    login, kind = Login(MD5 + ', algorithm=SHA-256-sess, qop="auth"'), "algorithm=SHA-256-sess"


@row(0, "basic and digest in one field", "asks for a basic login or a digest in one field")
class OneField(Named):
    login, kind = Login(BASIC + ", " + MD5), "Digest"


@row(0, "digest and basic in one field", "asks for a digest or a basic login in one field")
class OneFieldTurned(Named):
    login, kind = Login(MD5 + ", " + BASIC), "Digest"


@row(0, "a realm that is no UTF-8", "names a realm in Latin-1 or GBK")
class ForeignRealm(Named):
    login, kind = Login(MD5, realm="Cam\xe9ra \xc9\xce\x85"), "Digest"


@row(0, "a realm with quotation marks", "names a realm with escaped quotation marks")
class QuotedRealm(Camera):
    login = Login('Digest realm="a, b=c; d", nonce="NONCE"', realm="a, b=c; d")


@row(0, "basic only", "asks for a basic login")
class OnlyBasic(Named):
    login, kind = Login(BASIC), "Basic"


@row(3, "a new nonce in mid-session", "refuses the nonce after a while, with a new one")
class NewNonce(Kept):
    login = Login(MD5)

    def allows(self, talk, request):
        if request.method in ("GET_PARAMETER", "OPTIONS") and len(talk.requests) > 5:
            fault = self.login.fault(request, nonce="another1")
            if fault == "another nonce or realm":
                talk.answer(request, "401 Unauthorized", [
                    'WWW-Authenticate: Digest realm="cam", nonce="another1", stale=TRUE'])
                return False
            if fault:
                self.complain(fault)
            return True
        return request.method == "TEARDOWN" or super().allows(talk, request)


@row(4, "the whole address in the digest", "checks that the digest signs the address of the request line")
class WholeAddress(Camera):
    login = Login('Digest realm="REALM", nonce="NONCE", opaque="x,y", qop="auth-int,auth"')


@row(5, "wants a User-Agent", "answers 401 to requests without User-Agent")
class WantsAgent(Camera):
    def allows(self, talk, request):
        if "user-agent" in request.fields:
            return True
        talk.answer(request, "401 Unauthorized")
        return False


@row(6, "wants blanks in the login", "refuses a login without a blank behind each comma")
class WantsBlanks(Camera):
    login = Login('Digest realm="REALM",nonce="NONCE",qop="auth"')


@row(7, "blanks behind values", "writes blanks and tabs around the values of its fields")
class Blanks(Camera):
    def on_options(self, talk, request):
        talk.answer(request, headers=["Public : " + self.public + "  "], number=request.number + "  ")

    def on_describe(self, talk, request):
        talk.described = True
        talk.answer(request, headers=["Content-Base:\t" + self.address + "/ \t"], body=self.sdp(talk),
                    number=" " + request.number + "\t")

    session, timeout = "12345678", " ; timeout = 60 "


@row(8, "CSeq 0 to OPTIONS", "answers OPTIONS with CSeq 0")
class ZeroNumber(Camera):
    def on_options(self, talk, request):
        talk.answer(request, headers=["Public: " + self.public], number="0")


@row(8, "no CSeq", "leaves CSeq out")
class NoNumber(Camera):
    def on_describe(self, talk, request):
        talk.described = True
        body = self.sdp(talk)
        talk.send(("RTSP/1.0 200 OK\r\nContent-Base: %s/\r\nContent-Length: %d\r\n\r\n%s" % (
            self.address, len(body), body)).encode())


@row(9, "the number before in an error", "repeats the number of the request before in an error's answer")
class NumberBefore(Camera):
    login = Login(MD5)

    def refuse_login(self, talk, request):
        talk.challenged = True
        talk.answer(request, "401 Unauthorized", self.login.fields(), number=str(int(request.number) - 1))


@row(9, "the number before in a refused keep-alive", "refuses keep-alives with the number of the request before")
class KeepAliveNumberBefore(Kept):
    def on_get_parameter(self, talk, request):
        talk.answer(request, "400 Bad Request", number=str(int(request.number) - 1))


@row(9, "an answer to nothing", "sends answers that nobody asked for among its packets")
class StrayAnswers(Camera):
    def unit(self, talk, track, ticks, parts):
        talk.send(b"RTSP/1.0 500 Internal Server Error\r\nCSeq: 999\r\n\r\n")
        super().unit(talk, track, ticks, parts)


@row(10, "one DESCRIBE a connection", "refuses a second DESCRIBE on a connection, and UDP")
class OneDescribe(Camera):
    transport, transports = "udp", ("tcp",)

    def on_describe(self, talk, request):
        if talk.described:
            self.complain("a second DESCRIBE on one connection")
            talk.answer(request, "400 Bad Request")
            return
        super().on_describe(talk, request)


@row(11, "line ends between packets", "writes a line end before each packet")
class LineEnds(Camera):
    junk = b"\r\n"

    def framed(self, channel, packet):
        return self.junk + super().framed(channel, packet)


@row(11, "stray bytes between packets", "writes stray bytes before each packet")
class StrayBytes(LineEnds):
    junk = b"\x00\x01\xfe" * 40


@row(11, "stray text between packets", "writes text that is no message before each packet")
class StrayText(LineEnds):
    junk = b"Hello World\x00"


@row(12, "no Content-Type", "leaves out the Content-Type of its description")
class NoType(Camera):
    def on_describe(self, talk, request):
        talk.described = True
        talk.answer(request, headers=[*self.base(talk, request), "Content-Type: none"], body=self.sdp(talk))


@row(0, "answers in pieces", "sends its answers byte by byte")
class Pieces(Camera):
    def on_describe(self, talk, request):
        talk.described = True
        body = self.sdp(talk)
        text = "RTSP/1.0 200 OK\r\nCSeq: %s\r\nContent-Base: %s/\r\nContent-Length: %d\r\n\r\n%s" % (
            request.number, self.address, len(body), body)
        for i in range(0, len(text), 7):
            talk.send(text[i:i + 7].encode())
            time.sleep(0.0005)      # the pace of the sender; without it the pieces would come as one
