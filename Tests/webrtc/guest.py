"""A viewer of WebRTC in a few lines, which can say anything: any datagram at any moment, and signed packets that no library would sign.

It shares no code with Vigil. Checks, keys and the protection of packets are its own (RFC 8489, RFC 5764, RFC 3711); OpenSSL does the
handshake. For hostile.py.
"""

import datetime
import hashlib
import hmac
import json
import os
import re
import select
import socket
import struct
import time
import zlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from OpenSSL import SSL

# How long an answer may take, in seconds, and one of a check before it is sent again.
PATIENCE, CHECK = 20, 0.25
# How often a request is repeated that the daemon has no time for: a caller may ask ten things in a second.
TRIES = 60
COOKIE = 0x2112A442
USERNAME, INTEGRITY, PRIORITY, USE_CANDIDATE, FINGERPRINT, CONTROLLING = 0x0006, 0x0008, 0x0024, 0x0025, 0x8028, 0x802A
# The source of its sound.
VOICE = 0x5EED
OFFER = """v=0
o=- 1 1 IN IP4 0.0.0.0
s=-
t=0 0
a=group:BUNDLE 0 1
m=video 9 UDP/TLS/RTP/SAVPF 96
c=IN IP4 0.0.0.0
a=mid:0
a=recvonly
a=rtcp-mux
a=ice-ufrag:{ufrag}
a=ice-pwd:{password}
a=setup:actpass
a=fingerprint:sha-256 {sum}
a=rtpmap:96 H264/90000
a=fmtp:96 packetization-mode=1;profile-level-id=42e01f
a=rtcp-fb:96 nack
a=rtcp-fb:96 nack pli
a=rtcp-fb:96 ccm fir
a=rtcp-fb:96 goog-remb
m=audio 9 UDP/TLS/RTP/SAVPF 111 0
c=IN IP4 0.0.0.0
a=mid:1
a=sendrecv
a=rtcp-mux
a=ice-ufrag:{ufrag}
a=ice-pwd:{password}
a=setup:actpass
a=fingerprint:sha-256 {sum}
a=rtpmap:111 opus/48000/2
a=rtpmap:0 PCMU/8000
""".replace("\n", "\r\n")


class Ended(Exception):
    """The daemon has ended the session, or never answered."""


class Asker:
    """Requests to the daemon, each over a connection of its own; what may break off is said here."""

    def __init__(self, place, token=None):
        self.place, self.token, self.slowest, self.waited = place, token, 0, 0

    def ask(self, method, path, body=b"", kind="application/json"):
        """Status, header fields and body of the answer; what is refused because too much was asked is asked again."""
        for _ in range(TRIES):
            begun = time.monotonic()
            status, fields, text = self.once(method, path, body, kind)
            self.slowest = max(self.slowest, time.monotonic() - begun)
            if status != 503:
                break
            self.waited += 1
            time.sleep(1)
        return status, fields, text

    def once(self, method, path, body, kind):
        lines = ["%s %s HTTP/1.1" % (method, path), "Host: vigil", "Connection: close", "Content-Length: %d" % len(body)]
        lines += ["Content-Type: " + kind] if kind else []
        lines += ["Authorization: Bearer " + self.token] if self.token else []
        rest, answer = ("\r\n".join(lines) + "\r\n\r\n").encode() + body, b""
        with socket.socket(socket.AF_UNIX if isinstance(self.place, str) else socket.AF_INET) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(self.place)
            connection.setblocking(False)
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                # An answer may come before all has been sent.
                readable, writable, _ = select.select([connection], [connection] if rest else [], [], 1)
                try:
                    if readable:
                        part = connection.recv(1 << 16)
                        answer += part
                        if not part or whole(answer):
                            break
                    elif writable:
                        rest = rest[connection.send(rest[:1 << 16]):]
                except (BrokenPipeError, ConnectionResetError):
                    if not readable:
                        rest = b""
                        continue
                    break
        head, _, text = answer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        return int(lines[0].split()[1]) if len(lines[0].split()) > 1 else 0, fields, text


def whole(answer):
    """Whether an answer is all there."""
    head, mark, text = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(mark and length and len(text) >= int(length[1]))


class Identity:
    """A certificate."""

    def __init__(self):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "guest")])
        now = datetime.datetime.now(datetime.timezone.utc)
        day = datetime.timedelta(days=1)
        made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(
            x509.random_serial_number()).not_valid_before(now - day).not_valid_after(now + day).sign(key, hashes.SHA256())
        self.sum = ":".join("%02X" % byte for byte in hashlib.sha256(made.public_bytes(serialization.Encoding.DER)).digest())
        self.context = SSL.Context(SSL.DTLS_METHOD)
        self.context.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, lambda *_: True)
        self.context.use_certificate(made)
        self.context.use_privatekey(key)
        self.context.set_cipher_list(b"ECDHE-ECDSA-AES128-GCM-SHA256")
        self.context.set_tlsext_use_srtp(b"SRTP_AES128_CM_SHA1_80")

    def connection(self):
        """A handshake that has not begun."""
        made = SSL.Connection(self.context, None)
        made.set_connect_state()
        made.set_ciphertext_mtu(1200)
        return made


def attribute(kind, value, length=None):
    """An attribute of a check; the length that it claims may be another one."""
    return struct.pack("!HH", kind, len(value) if length is None else length) + value + bytes(-len(value) % 4)


def check(attributes, password=None, kind=1, transaction=None, length=None, cookie=COOKIE, shown=True):
    """A check of these attributes, signed where there is a password; the length that it claims may be another one."""
    transaction = transaction or os.urandom(12)

    def message(body, more=0):
        return struct.pack("!HHI", kind, (len(body) + more) & 0xFFFF, cookie) + transaction + body
    if password is not None:
        attributes += attribute(INTEGRITY, hmac.new(password.encode(), message(attributes, 24), "sha1").digest())
    if shown:
        attributes += attribute(FINGERPRINT, struct.pack("!I", zlib.crc32(message(attributes, 8)) ^ 0x5354554E))
    found = message(attributes)
    return found if length is None else found[:2] + struct.pack("!H", length & 0xFFFF) + found[4:]


def records(data):
    """The records of DTLS that follow one another."""
    found = []
    while len(data) >= 13:
        size = 13 + int.from_bytes(data[11:13], "big")
        found.append(data[:size])
        data = data[size:]
    return found


class Sealer:
    """Protects what is sent (AES-128 in counter mode, HMAC-SHA1 of 80 bits), whether it is a packet or not."""

    def __init__(self, key, salt):
        def derive(label, count):
            made = bytearray(salt + b"\0\0")
            made[7] ^= label
            return self.stream(key, bytes(made), bytes(count))
        self.keys = {kind: (derive(base, 16), derive(base + 1, 20), derive(base + 2, 14)) for kind, base in (("rtp", 0), ("rtcp", 3))}
        self.index = 0

    @staticmethod
    def stream(key, counter, data):
        return Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor().update(data)

    def crypt(self, kind, source, index, data):
        key, _, salt = self.keys[kind]
        counter = int.from_bytes(salt, "big") << 16 ^ source << 64 ^ index << 16
        return self.stream(key, counter.to_bytes(16, "big"), data)

    def rtp(self, packet, head=12, turns=0):
        """The packet, whose first bytes stay as they are; the counter of sequences has been round so often."""
        source, sequence = int.from_bytes(packet[8:12], "big"), int.from_bytes(packet[2:4], "big")
        sealed = packet[:head] + self.crypt("rtp", source, turns << 16 | sequence, packet[head:])
        return sealed + hmac.new(self.keys["rtp"][1], sealed + struct.pack("!I", turns), "sha1").digest()[:10]

    def rtcp(self, packet, index=None, encrypt=True):
        self.index += 1
        index = self.index if index is None else index
        source = int.from_bytes(packet[4:8], "big")
        sealed = packet[:8] + self.crypt("rtcp", source, index, packet[8:]) if encrypt else packet
        sealed += struct.pack("!I", index | encrypt << 31)
        return sealed + hmac.new(self.keys["rtcp"][1], sealed, "sha1").digest()[:10]


class Guest:
    """A viewer: the offer, the path, the handshake and the keys, one after the other."""

    made = 0

    def __init__(self, asker, identity, camera, home):
        Guest.made += 1
        self.asker, self.identity = asker, identity
        self.ufrag, self.password = os.urandom(4).hex(), os.urandom(12).hex()
        offer = OFFER.format(ufrag=self.ufrag, password=self.password, sum=identity.sum)
        status, fields, text = asker.ask("POST", "/v1/cameras/%s/whep" % camera, offer.encode(), "application/sdp")
        if status != 201:
            raise Ended("a good offer is refused with %d: %s" % (status, text[:300]))
        answer = text.decode()
        self.location = fields["location"]
        self.session = self.location.split("/")[-2]
        self.theirs, self.key = (re.search("a=ice-%s:(\\S+)" % name, answer)[1] for name in ("ufrag", "pwd"))
        self.sources = [int(one) for one in dict.fromkeys(re.findall(r"a=ssrc:(\d+)", answer))] or [1]
        places = re.findall(r"a=candidate:\S+ 1 udp \d+ (\d+\.\d+\.\d+\.\d+) (\d+) typ host", answer, re.I)
        place = next((one for one in places if one[0].split(".")[:3] == home.split(".")[:3]), None)
        if place is None:
            raise Ended("no candidate of this network: %s" % places)
        self.place = (place[0], int(place[1]))
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((home, 0))
        self.dtls, self.sealer, self.sequence, self.is_spent = identity.connection(), None, 0, False

    @property
    def user(self):
        return attribute(USERNAME, ("%s:%s" % (self.theirs, self.ufrag)).encode())

    def good_check(self, transaction=None):
        return check(self.user + attribute(PRIORITY, b"\x6e\x00\x01\xff") + attribute(CONTROLLING, bytes(8)) + attribute(USE_CANDIDATE, b""),
                     self.key, transaction=transaction)

    def next(self, step=1):
        """The number of its next packet of sound."""
        self.sequence += step
        return self.sequence & 0xFFFF

    def send(self, data):
        self.socket.sendto(data, self.place)

    def receive(self, wanted, seconds):
        """The next datagram that is wanted; what comes of the handshake goes where it belongs."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(1 << 16)
            except OSError:  # time is up, or nobody listens
                continue
            if data and 20 <= data[0] <= 63:
                self.dtls.bio_write(data)
            if wanted(data):
                return data
        return None

    def lives(self, seconds=1):
        """Whether a check is answered: the session is not over."""
        for _ in range(int(seconds / CHECK)):
            transaction = os.urandom(12)
            self.send(self.good_check(transaction))
            if self.receive(lambda data: data[:2] == b"\x01\x01" and data[8:20] == transaction, CHECK):
                return True
        return False

    def path(self):
        """Shows where it is."""
        if not self.lives(PATIENCE):
            raise Ended("a good check is not answered")
        return self

    def flight(self):
        """The records that the handshake wants to send now."""
        try:
            return records(self.dtls.bio_read(1 << 16))
        except SSL.WantReadError:
            return []

    def handshake(self, spoil=None, seconds=PATIENCE):
        """The handshake; `spoil` makes other datagrams of the records of a flight of this number. Whether it succeeds."""
        deadline, number = time.monotonic() + seconds, 0
        while time.monotonic() < deadline:
            done = False
            try:
                self.dtls.do_handshake()
                done = True
            except SSL.WantReadError:
                pass
            except SSL.Error:
                return False
            flight = self.flight()
            for data in spoil(number, flight) if spoil and flight else flight:
                self.send(data)
            number += bool(flight)
            if done:
                made = self.dtls.export_keying_material(b"EXTRACTOR-dtls_srtp", 60)
                self.sealer = Sealer(made[:16], made[32:46])
                return True
            if self.receive(lambda data: data and 20 <= data[0] <= 63, CHECK) is None:
                self.dtls.DTLSv1_handle_timeout()
        return False

    def connect(self):
        """All of it."""
        if not self.path().handshake():
            raise Ended("a good handshake does not succeed")
        return self

    def talk(self):
        """Its sound is wanted at the camera."""
        return self.asker.ask("POST", "/v1/sessions/%s/talk" % self.session, json.dumps({"on": True}).encode())[0]

    def end(self):
        """Ends it, where it has not ended; says with which answer."""
        self.socket.close()
        return self.asker.ask("DELETE", self.location, kind=None)[0]
