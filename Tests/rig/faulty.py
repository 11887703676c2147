#!/usr/bin/python3
"""Hostile endpoints: what may answer, or not answer, where a camera is expected. Plain sockets, no media.

  faulty.py KIND[=PORT]…
prints `KIND PORT` for each and then `ready PORT…`. The line `counts` on stdin prints one line of JSON with the attempts
(connections, requests, requests with credentials) of each; so does its end. Ends with stdin, or after --for SECONDS.

Kinds:
  silent        accepts and never says a word           closer        closes each connection at once
  garbage       sends random bytes without end          unauthorized  401 to everything, basic
  digest        401 to everything, digest, new nonce each time        notfound      404 to DESCRIBE
  forbidden     403 to everything                       error         500 to everything
  truncated     DESCRIBE works, the answer to SETUP breaks off in the middle of a line
  cutbody       DESCRIBE promises more SDP than it sends, then closes
  headers       answers with headers that never end     nonsense      an SDP that makes no sense
  empty         an SDP without any media                drip          a correct answer, one byte a second
  mute          plays properly, then never sends a packet             hugelength    Content-Length of 8 EiB
  reset         resets each connection after the first request        noise         plays, then interleaves garbage
  unmatched     answers that match no request, without end            stray         bytes that mean nothing, without end
  bighead       a head of 60 kB in one chunk, and nothing more        headdrip      a head that never ends, a byte at a time
  flood         plays, then sends packets that are valid and useless, without end
  talker        sends requests without end and reads no answer
"""
import argparse
import itertools
import json
import os
import random
import socket
import struct
import sys
import threading
import time

SDP = ("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\na=control:*\r\nm=video 0 RTP/AVP 96\r\n"
       "a=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;profile-level-id=42C01E;"
       "sprop-parameter-sets=Z0LAHtkAoD2wFqAgICgAAAMACAAAAwGQeLFywA==,aMuMsg==\r\na=control:track0\r\n")
NONSENSE = ("v=9\r\no=\r\ns=" + "A" * 3000 + "\r\nt=-1 99999999999999999999\r\nm=video 99999 RTP/AVP 300 -1 x\r\n"
            "a=rtpmap:96 H264/0\r\na=fmtp:96 sprop-parameter-sets=====,\xff\xfe;config=zz\r\nm=audio\r\na=rtpmap:\r\n"
            "a=control:rtsp://[::1/../..\r\nm=\r\n\r\na=rtpmap:97 MPEG4-GENERIC/4294967296/-3\r\n")
LIMIT_REQUEST = 65_536


class Gone(Exception):
    """The peer has closed, or sent more than a request may hold."""


class Endpoint:
    """One listener of one kind."""

    def __init__(self, kind, port):
        self.kind, self.counts = kind, {"connections": 0, "requests": 0, "withCredentials": 0}
        self.lock, self.nonces = threading.Lock(), itertools.count(1)
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def count(self, what):
        """Counts one attempt."""
        with self.lock:
            self.counts[what] += 1

    def accept(self):
        """Serves each connection on a thread of its own."""
        while True:
            connection, _ = self.listener.accept()
            self.count("connections")
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        """Behaves as the kind says until the peer has had enough."""
        with connection:
            try:
                getattr(self, self.kind)(connection)
            except (OSError, Gone):
                pass                    # a peer that goes is what these endpoints are for

    def request(self, connection):
        """The next request as (method, CSeq, header lines); Gone when the peer closes."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(4096)
            if not more or len(data) > LIMIT_REQUEST:
                raise Gone
            data += more
        lines = data.decode("latin1").split("\r\n")
        self.count("requests")
        if any(line.lower().startswith("authorization:") for line in lines):
            self.count("withCredentials")
        sequence = next((x.split(":", 1)[1].strip() for x in lines if x.lower().startswith("cseq:")), "0")
        return lines[0].split(" ")[0], sequence, lines

    @staticmethod
    def answer(sequence, status="200 OK", headers=(), body=""):
        """An RTSP answer as bytes."""
        lines = ["RTSP/1.0 " + status, "CSeq: " + sequence, *headers]
        if body:
            lines += ["Content-Type: application/sdp", "Content-Length: %d" % len(body.encode("latin1"))]
        return ("\r\n".join(lines) + "\r\n\r\n" + body).encode("latin1")

    def refuse(self, connection, status, headers=lambda: ()):
        """The same refusal for ever."""
        while True:
            _, sequence, _ = self.request(connection)
            connection.sendall(self.answer(sequence, status, headers()))

    def play(self, connection, sdp, setup=None):
        """Answers as a camera would until PLAY, and returns then; `setup` replaces the answer to SETUP."""
        while True:
            method, sequence, lines = self.request(connection)
            if method == "OPTIONS":
                connection.sendall(self.answer(sequence, headers=["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"]))
            elif method == "DESCRIBE":
                connection.sendall(self.answer(sequence, body=sdp))
            elif method == "SETUP":
                if setup:
                    connection.sendall(setup)
                    return
                wanted = next((x.split(":", 1)[1].strip() for x in lines if x.lower().startswith("transport:")), "")
                connection.sendall(self.answer(sequence, headers=["Session: 1", "Transport: " + wanted]))
            else:
                connection.sendall(self.answer(sequence, headers=["Session: 1"]))
                if method == "PLAY":
                    return

    def drain(self, connection):
        """Reads what the peer sends, and forgets it, until it goes."""
        while connection.recv(4096):
            pass

    def silent(self, c):
        self.drain(c)

    def closer(self, _c):
        return

    def reset(self, c):
        self.request(c)
        c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def garbage(self, c):
        source = random.Random(1)
        while True:
            c.sendall(source.randbytes(4096))
            time.sleep(0.05)        # the pace of the sender, so that it does not take the whole machine; nobody waits for it

    def unauthorized(self, c):
        self.refuse(c, "401 Unauthorized", lambda: ['WWW-Authenticate: Basic realm="rig"'])

    def digest(self, c):
        self.refuse(c, "401 Unauthorized",
                    lambda: ['WWW-Authenticate: Digest realm="rig", nonce="%032x"' % next(self.nonces)])

    def notfound(self, c):
        self.refuse(c, "404 Not Found")

    def forbidden(self, c):
        self.refuse(c, "403 Forbidden")

    def error(self, c):
        self.refuse(c, "500 Internal Server Error")

    def truncated(self, c):
        self.play(c, SDP, b"RTSP/1.0 200 OK\r\nCSeq: 3\r\nTransp")

    def cutbody(self, c):
        while True:
            method, sequence, _ = self.request(c)
            if method == "DESCRIBE":
                c.sendall(self.answer(sequence, body=SDP)[:-60])
                return
            c.sendall(self.answer(sequence))

    def hugelength(self, c):
        while True:
            method, sequence, _ = self.request(c)
            if method == "DESCRIBE":
                c.sendall(self.answer(sequence, headers=["Content-Type: application/sdp",
                                                         "Content-Length: %d" % (1 << 63)]) + SDP.encode())
                self.drain(c)
                return
            c.sendall(self.answer(sequence))

    def headers(self, c):
        _, sequence, _ = self.request(c)
        c.sendall(("RTSP/1.0 200 OK\r\nCSeq: %s\r\n" % sequence).encode())
        for i in itertools.count():
            c.sendall(b"X-More-%d: %s\r\n" % (i, b"y" * 60))
            if i % 1000 == 999:
                time.sleep(0.01)

    def nonsense(self, c):
        self.play(c, NONSENSE)
        self.drain(c)

    def empty(self, c):
        self.play(c, "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\n")
        self.drain(c)

    def drip(self, c):
        while True:
            method, sequence, _ = self.request(c)
            for byte in self.answer(sequence, body=SDP if method == "DESCRIBE" else ""):
                c.sendall(bytes([byte]))
                time.sleep(1)

    def mute(self, c):
        self.play(c, SDP)
        self.drain(c)

    def noise(self, c):
        self.play(c, SDP)
        source = random.Random(2)
        while True:
            body = source.randbytes(source.randrange(1, 1400))
            c.sendall(struct.pack("!BBH", 0x24, source.randrange(4), len(body)) + body)
            time.sleep(0.01)


    def unmatched(self, c):
        self.request(c)
        answers = self.answer("987654321") * 1000
        while True:
            c.sendall(answers)

    def stray(self, c):
        strays = bytes(range(128, 256)) * 500
        while True:
            c.sendall(strays)

    def bighead(self, c):
        self.request(c)
        c.sendall((b"RTSP/1.0 200 OK\r\n" + b"X: y\r\n" * 12_000)[:60_000])
        self.drain(c)

    def headdrip(self, c):
        self.request(c)
        for byte in itertools.cycle(b"RTSP/1.0 200 OK\r\nX-Long: "):
            c.sendall(bytes([byte]))
            time.sleep(0.01)        # the pace of the sender, which makes the kind

    def flood(self, c):
        self.play(c, SDP)
        for first in itertools.count(0, 1000):
            # An SEI message that says nothing, in its order: no picture ever comes.
            c.sendall(b"".join(
                struct.pack("!BBHBBHII", 0x24, 0, 16, 0x80, 96, n & 0xFFFF, n * 3600 & 0xFFFFFFFF, 1) + b"\x06\xff\x00\x80"
                for n in range(first, first + 1000)))

    def talker(self, c):
        self.request(c)
        requests = b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n" * 1000
        while True:
            c.sendall(requests)


KINDS = ("silent closer garbage unauthorized digest notfound forbidden error truncated cutbody headers nonsense empty "
         "drip mute hugelength reset noise unmatched stray bighead headdrip flood talker").split()


def main():
    """Serves until told to end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="+", metavar="KIND[=PORT]")
    parser.add_argument("--for", dest="duration", type=float, help="end after so many seconds, whatever stdin does")
    options = parser.parse_args()
    endpoints = []
    for text in options.kinds:
        kind, _, port = text.partition("=")
        if kind not in KINDS:
            parser.error("%s is unknown; known: %s" % (kind, " ".join(KINDS)))
        endpoints.append(Endpoint(kind, int(port or 0)))
    for e in endpoints:
        print(e.kind, e.port)
    print("ready " + " ".join(str(e.port) for e in endpoints), flush=True)

    def counts():
        print(json.dumps({"%s:%d" % (e.kind, e.port): e.counts for e in endpoints}), flush=True)

    def end():
        counts()
        os._exit(0)     # the connections' threads have nothing to finish

    if options.duration:
        timer = threading.Timer(options.duration, end)
        timer.start()
    for line in sys.stdin:
        if line.strip() == "counts":
            counts()
    if not options.duration:
        end()


if __name__ == "__main__":
    main()
