"""Datagrams of a viewer, spoilt: checks, records of DTLS, packets of RTP and RTCP. For hostile.py.

Each kind gives datagrams as they go out. What is signed has the keys of a guest whose session stands, so that it gets as far as anything
can get; what is not signed may come from anybody.
"""

import struct

import guest as guests
from guest import CONTROLLING, FINGERPRINT, INTEGRITY, PRIORITY, USE_CANDIDATE, USERNAME, VOICE, attribute, check

CHECKS, RECORDS, SEALED_RECORDS, PACKETS, REPORTS = {}, {}, {}, {}, {}
# What goes into one datagram of IPv4.
DATAGRAM_MAX = 65_507
LENGTHS = (0, 1, 2, 3, 4, 5, 7, 8, 19, 20, 21, 100, 1_000, 65_531, 65_532, 65_534, 65_535)


def of(table):
    """A kind of datagrams of this table."""
    def put(function):
        table[function.__name__] = function
        return function
    return put


def flip(rng, data, count=None):
    """The same with some bits turned."""
    made = bytearray(data)
    for _ in range(count or rng.choice((1, 1, 2, 8))):
        if made:
            made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


# Checks: of a guest whose password is known.

def usual(guest, rng, *more):
    """The attributes of a good check, and others."""
    return guest.user + attribute(PRIORITY, b"\x6e\x00\x01\xff") + attribute(CONTROLLING, rng.randbytes(8)) + b"".join(more)


@of(CHECKS)
def good(rng, guest):
    """Nothing is wrong with it but, at times, where it comes from: who looks on at that address does so still."""
    return [guest.good_check()]


@of(CHECKS)
def truncated(rng, guest):
    data = guest.good_check()
    return [data[:rng.randrange(len(data))]]


@of(CHECKS)
def claims(rng, guest):
    """A length that is not that of what follows."""
    right = len(guest.good_check()) - 20
    return [check(usual(guest, rng), rng.choice((guest.key, None)), length=rng.choice((*LENGTHS, right - 4, right + 4, right - 1, right + 1, right - 24)))]


@of(CHECKS)
def other_cookie(rng, guest):
    return [check(usual(guest, rng), guest.key, cookie=rng.getrandbits(32))]


@of(CHECKS)
def wrong_integrity(rng, guest):
    wrong = rng.choice((rng.randbytes(20), bytes(20), b"", rng.randbytes(19), rng.randbytes(21), rng.randbytes(32)))
    return [check(usual(guest, rng, attribute(INTEGRITY, wrong))), check(usual(guest, rng), rng.choice(("", guest.password, "x" * 22)))]


@of(CHECKS)
def no_integrity(rng, guest):
    return [check(usual(guest, rng, attribute(USE_CANDIDATE, b"")), shown=rng.random() < 0.5)]


@of(CHECKS)
def wrong_fingerprint(rng, guest):
    return [check(usual(guest, rng, attribute(FINGERPRINT, rng.randbytes(rng.choice((4, 0, 3, 8))))), guest.key, shown=rng.random() < 0.5)]


@of(CHECKS)
def overlapping(rng, guest):
    """Attributes whose lengths reach into the next one, or beyond the end."""
    made = b"".join(attribute(rng.choice((USERNAME, PRIORITY, INTEGRITY, 0x8022, 0x0020)), rng.randbytes(rng.choice((0, 4, 8, 20))), rng.choice(LENGTHS)) for _ in range(rng.choice((1, 3, 9))))
    return [check(rng.choice((made, guest.user + made, usual(guest, rng, made))), rng.choice((guest.key, None)))]


@of(CHECKS)
def signed_junk(rng, guest):
    """Signed as it should be, with attributes that nobody knows."""
    made = b"".join(attribute(rng.getrandbits(16), rng.randbytes(rng.choice((0, 1, 3, 4, 40)))) for _ in range(rng.choice((1, 5, 28, 31))))
    return [check(usual(guest, rng, made), guest.key)]


@of(CHECKS)
def signed_crowd(rng, guest):
    """Signed, with more attributes than there is room for."""
    return [check(usual(guest, rng, attribute(0x8022, b"") * rng.choice((28, 32, 33, 100, 300))), guest.key)]


@of(CHECKS)
def behind_integrity(rng, guest):
    """Attributes behind the signature, which does not cover them, and a second signature."""
    signed = check(usual(guest, rng), guest.key, shown=False)
    more = rng.choice((attribute(USE_CANDIDATE, b""), attribute(USERNAME, b"x" * 40), attribute(INTEGRITY, rng.randbytes(20)), attribute(PRIORITY, b""), rng.randbytes(8)))
    body = signed[20:] + more
    return [signed[:2] + struct.pack("!H", len(body)) + signed[4:20] + body]


@of(CHECKS)
def signed_sizes(rng, guest):
    """Signed, with attributes that have the size of no such attribute."""
    odd = rng.choice((attribute(PRIORITY, b""), attribute(PRIORITY, b"\0" * 3), attribute(PRIORITY, b"\0" * 400), attribute(CONTROLLING, b"\0" * 7), attribute(0x8029, b""),
                      attribute(0x8029, b"\xff" * 8), attribute(USE_CANDIDATE, b"\0" * 300), attribute(0x0020, b"\0\1"), attribute(0x0009, b"\0\0\4\1")))
    return [check(guest.user + odd * rng.choice((1, 2)), guest.key)]


@of(CHECKS)
def signed_kinds(rng, guest):
    """Signed, and no request of a check."""
    return [check(usual(guest, rng), guest.key, kind=rng.choice((0x0011, 0x0101, 0x0111, 0x0003, 0x0004, 0x0006, 0x3FFF, 0x4001, 0x8001, 0xC001)))]


@of(CHECKS)
def users(rng, guest):
    theirs, mine = guest.theirs, guest.ufrag
    user = rng.choice(("", ":", theirs, theirs + ":", ":" + mine, theirs + ":" + mine + ":x", mine + ":" + theirs, theirs + ":" + "y" * 500, "z" * 513, "\0" * 8, theirs[:-1] + "!:" + mine, theirs.swapcase() + ":" + mine))
    return [check(attribute(USERNAME, user.encode()) + attribute(PRIORITY, bytes(4)), guest.key)]


@of(CHECKS)
def two_users(rng, guest):
    return [check(rng.choice((guest.user * 2, attribute(USERNAME, b"x:y") + guest.user, guest.user + attribute(USERNAME, b""), b"")) + attribute(PRIORITY, bytes(4)), guest.key)]


@of(CHECKS)
def flipped(rng, guest):
    return [flip(rng, guest.good_check())]


@of(CHECKS)
def random(rng, guest):
    return [bytes([rng.randrange(4)]) + rng.randbytes(rng.choice((0, 1, 18, 19, 20, 40, 500, 1_400)))]


@of(CHECKS)
def large(rng, guest):
    data = check(usual(guest, rng, attribute(0x8022, b"s" * rng.choice((1_000, 1_900, 2_020, 2_100, 9_000, 60_000)))), guest.key)
    return [data[:DATAGRAM_MAX]]


@of(CHECKS)
def empty(rng, guest):
    return [rng.choice((b"", b"\0", b"\xff", b"\0" * 20, b"\x40" * 20))]


# Records of DTLS.

def record(kind, body, version=0xFEFD, epoch=0, sequence=0, length=None):
    return struct.pack("!BHH", kind, version, epoch) + sequence.to_bytes(6, "big") + struct.pack("!H", (len(body) if length is None else length) & 0xFFFF) + body


def fragment(kind, part, total=None, message=0, offset=0, length=None):
    """A fragment of a message of the handshake; what it claims may be something else."""
    total, length = len(part) if total is None else total, len(part) if length is None else length
    return struct.pack("!B", kind) + total.to_bytes(3, "big") + struct.pack("!H", message) + offset.to_bytes(3, "big") + length.to_bytes(3, "big") + part


def hello(guest):
    """The body of a good ClientHello."""
    connection = guest.identity.connection()
    try:
        connection.do_handshake()
    except guests.SSL.WantReadError:
        pass
    return guests.records(connection.bio_read(1 << 16))[0][13 + 12:]


@of(RECORDS)
def noise(rng, guest):
    return [bytes([rng.randrange(20, 64)]) + rng.randbytes(rng.choice((0, 1, 11, 12, 13, 60, 1_400)))]


@of(RECORDS)
def short(rng, guest):
    return [record(22, fragment(1, hello(guest)))[:rng.randrange(1, 26)]]


@of(RECORDS)
def record_claims(rng, guest):
    return [record(22, fragment(1, hello(guest)), length=rng.choice(LENGTHS))]


@of(RECORDS)
def message_claims(rng, guest):
    """Totals, places and lengths of fragments that do not fit together."""
    body = hello(guest)
    total, offset, length = rng.choice(((0xFFFFFF, 0, None), (0, 0, None), (len(body), 0, 0xFFFFFF), (len(body), 0xFFFFFF, None), (len(body), 1, None), (len(body) - 1, 0, None),
                                        (len(body), 0, len(body) + 1), (len(body) + 1, 0, None), (0xFFFFFF, 0xFFFFF0, None), (len(body), len(body), 0)))
    return [record(22, fragment(1, body, total, 0, offset, length))]


@of(RECORDS)
def empty_fragments(rng, guest):
    """Fragments of no bytes, somewhere in a message (CVE-2026-33845)."""
    total = rng.choice((1, 200, 3_000, 0x560F00, 0xFFFFFF))
    return [record(22, fragment(rng.choice((1, 11, 16)), b"", total, rng.choice((0, 0, 1)), rng.choice((1, 5, total - 1, total)), 0), sequence=rng.randrange(50))]


@of(RECORDS)
def other_totals(rng, guest):
    """Fragments of one message that do not agree how long it is (CVE-2026-33846), or that are of two messages of one kind."""
    kind, number = rng.choice((1, 1, 16)), rng.choice((0, 1))
    parts = [fragment(kind, rng.randbytes(10), 200, 0, 0)]
    parts += [fragment(kind, rng.randbytes(1_100), rng.choice((2_000, 60_000)), number, 10 + 1_100 * place) for place in range(rng.choice((1, 6)))]
    return [record(22, part, sequence=place) for place, part in enumerate(parts)]


@of(RECORDS)
def versions(rng, guest):
    return [record(22, fragment(1, hello(guest)), version=rng.choice((0xFEFF, 0xFEFC, 0x0100, 0x0303, 0x0000, 0xFFFF)))]


@of(RECORDS)
def other_epoch(rng, guest):
    return [record(rng.choice((20, 21, 22, 23)), rng.randbytes(rng.choice((0, 8, 16, 17, 40, 500))), epoch=rng.choice((1, 2, 0xFFFF)), sequence=rng.choice((0, 1, (1 << 48) - 1)))]


@of(RECORDS)
def fragments(rng, guest):
    """A ClientHello in parts that overlap, come in another order, or are not all there."""
    body = hello(guest)
    size = rng.choice((7, 40, 90))
    parts = [(at, body[at:at + size + rng.choice((0, 0, 3))]) for at in range(0, len(body), size)]
    rng.shuffle(parts)
    parts = parts[:rng.randrange(1, 6)]
    return [record(22, fragment(1, rng.choice((part, part, rng.randbytes(len(part)))), len(body) if rng.random() < 0.8 else len(body) + rng.randrange(-20, 20), 0, at), sequence=place)
            for place, (at, part) in enumerate(parts)]


@of(RECORDS)
def many_begun(rng, guest):
    """First fragments of messages of sixteen megabytes, of ever other numbers."""
    first = rng.choice((0, 0, 1, 500))
    return [b"".join(record(22, fragment(rng.choice((1, 11, 16)), b"x" * 20, 0xFFFFFF, first + number), sequence=number) for number in range(20)) for _ in range(2)]


@of(RECORDS)
def spoilt_hello(rng, guest):
    return [record(22, fragment(1, flip(rng, hello(guest), rng.choice((1, 2, 5, 40)))))]


@of(RECORDS)
def hello_lengths(rng, guest):
    """Lengths of the session's id, the cookie, the ciphers and the extensions."""
    body = hello(guest)
    head = body[:34]
    made = rng.choice((
        head + b"\xff" + b"\0" * 255 + b"\0\0\2\xc0\x2b\1\0", head + b"\x20", head + b"\0\xff" + b"c" * 255 + b"\0\2\xc0\x2b\1\0", head + b"\0\0\xff\xfe" + b"\xc0\x2b" * 600 + b"\1\0",
        head + b"\0\0\0\0\1\0", head + b"\0\0\0\3\xc0\x2b\xc0\1\0", head + b"\0\0\0\2\xc0\x2b\0", head + b"\0\0\0\2\xc0\x2b\xff" + b"\0" * 255, body[:-1], body[:len(body) // 2],
        head + b"\0\0\0\2\xc0\x2b\1\0\xff\xff", head + b"\0\0\0\2\xc0\x2b\1\0\0\4\0\x0e\xff\xff", head + b"\0\0\0\2\xc0\x2b\1\0\0\x09\0\x0e\0\5\0\2\0\1\xff",
        head + b"\0\0\0\2\xc0\x2b\1\0" + struct.pack("!H", 1_200) + b"\0\x0a\0\0" * 300))
    return [record(22, fragment(1, made))]


@of(RECORDS)
def alerts(rng, guest):
    return [record(21, rng.choice((b"\2\0", b"\1\0", b"\2\x28", b"\1\x64", b"\xff\xff", b"\2", b"", b"\2\0\2\0\2\0", rng.randbytes(40))), epoch=rng.choice((0, 0, 1)), sequence=rng.randrange(1 << 20))]


@of(RECORDS)
def too_early(rng, guest):
    """What has its place later in a handshake, or nowhere."""
    return [record(*rng.choice(((20, b"\1"), (20, b""), (20, b"\1\1"), (23, b"hello"), (24, b"\1\xff\xff"), (25, bytes(30)), (26, b"\0\0"), (22, fragment(16, rng.randbytes(66), message=1)),
                                (22, fragment(11, bytes(3))), (22, fragment(20, rng.randbytes(12))), (22, fragment(15, rng.randbytes(76))))))]


@of(RECORDS)
def of_a_server(rng, guest):
    return [record(22, fragment(rng.choice((0, 2, 3, 4, 12, 13, 14, 254)), rng.randbytes(rng.choice((0, 3, 40)))))]


@of(RECORDS)
def crowd(rng, guest):
    """Many records in one datagram."""
    return [b"".join(record(rng.choice((20, 21, 22, 23)), b"", sequence=number) for number in range(rng.choice((10, 90, 150))))]


@of(RECORDS)
def large_record(rng, guest):
    size = rng.choice((1_600, 2_035, 2_036, 16_384, 16_385, 60_000))
    return [record(rng.choice((22, 23)), rng.choice((fragment(1, rng.randbytes(size - 12)), rng.randbytes(size))))]


@of(RECORDS)
def replayed(rng, guest):
    data = record(22, fragment(1, hello(guest)))
    return [data] * rng.choice((2, 4))


def spoilt_flight(rng, flight):
    """Datagrams in the place of the records of a flight."""
    way = rng.choice(("order", "doubled", "flipped", "cut", "fragmented", "foreign", "renumbered", "longer", "all in one"))
    made = list(flight)
    at = rng.randrange(len(made))
    one = made[at]
    if way == "order":
        rng.shuffle(made)
    elif way == "doubled":
        made = [data for data in made for _ in range(2)]
    elif way == "flipped":
        made[at] = one[:13] + flip(rng, one[13:])
    elif way == "cut":
        made[at] = one[:rng.randrange(1, len(one))]
    elif way == "fragmented" and one[0] == 22 and one[3:5] == b"\0\0" and len(one) > 30:
        kind, total, message, body = one[13], int.from_bytes(one[14:17], "big"), int.from_bytes(one[17:19], "big"), one[25:]
        middle = rng.randrange(1, len(body))
        parts = [(0, body[:middle + rng.choice((0, 1))]), (middle, body[middle:]), (middle, rng.randbytes(len(body) - middle))]
        rng.shuffle(parts)
        sequence = int.from_bytes(one[5:11], "big")
        made[at:at + 1] = [record(kind=22, body=fragment(kind, part, total, message, place), sequence=sequence + 100 + i) for i, (place, part) in enumerate(parts)]
    elif way == "foreign":
        made[at:at] = [record(22, fragment(11, rng.randbytes(300), message=1), sequence=900)]
    elif way == "renumbered" and one[0] == 22 and len(one) > 30:
        made[at] = one[:17] + struct.pack("!H", rng.choice((0, 1, 7, 0xFFFF))) + one[19:]
    elif way == "longer":
        made[at] = one[:11] + struct.pack("!H", (len(one) - 13 + rng.choice((1, 50))) & 0xFFFF) + one[13:]
    else:
        made = [b"".join(made)]
    return made


@of(SEALED_RECORDS)
def sealed_text(rng, guest):
    """Words under encryption that nobody has asked for."""
    guest.dtls.send(rng.randbytes(rng.choice((1, 16, 200, 1_000))))
    return guest.flight()


@of(SEALED_RECORDS)
def sealed_replay(rng, guest):
    guest.dtls.send(b"once")
    return guest.flight() * rng.choice((2, 4))


@of(SEALED_RECORDS)
def sealed_flipped(rng, guest):
    guest.dtls.send(rng.randbytes(50))
    return [flip(rng, one) for one in guest.flight()]


@of(SEALED_RECORDS)
def forged(rng, guest):
    """Of the epoch of the keys, without them."""
    return [record(rng.choice((20, 21, 22, 23, 24)), rng.randbytes(rng.choice((0, 1, 24, 25, 31, 200))), epoch=rng.choice((1, 1, 2)), sequence=rng.choice((0, 5, 1_000, (1 << 48) - 1)))]


@of(SEALED_RECORDS)
def in_the_open(rng, guest):
    """Alerts and greetings that are not encrypted, when all should be."""
    return rng.choice(([record(21, b"\2\x28", sequence=500)], [record(21, b"\1\0", sequence=501)], [record(22, fragment(1, hello(guest)), sequence=502)], [record(22, fragment(0, b""), sequence=503)],
                       [record(20, b"\1", sequence=504)]))


# Packets of sound and picture of the guest, signed.

def packet(rng, guest, payload, kind=0, sequence=None, source=VOICE, first=0x80, marker=0):
    """A packet behind the one before: another one is not opened."""
    return struct.pack("!BBHII", first, marker << 7 | kind, guest.next() if sequence is None else sequence, rng.getrandbits(32), source) + payload


@of(PACKETS)
def extension_claims(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, struct.pack("!HH", rng.choice((0xBEDE, 0x1000, 0)), rng.choice((1, 20, 255, 1_000, 0xFFFF))) + rng.randbytes(rng.choice((0, 3, 4, 160))), first=0x90))]


@of(PACKETS)
def extension_cut(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(rng.choice((0, 1, 2, 3))), first=rng.choice((0x90, 0x9F, 0xB0))))]


@of(PACKETS)
def extension_elements(rng, guest):
    """Elements of an extension whose lengths reach beyond it."""
    body = rng.choice((b"\x1f\0\0\0", b"\xff\xff\xff\xff", b"\0" * 400, b"\x10", b"\x1f" * 8, b"\1\xff\0\0"))
    body += bytes(-len(body) % 4)
    made = packet(rng, guest, struct.pack("!HH", rng.choice((0xBEDE, 0x1000)), len(body) // 4) + body + rng.randbytes(160), first=0x90)
    return [guest.sealer.rtp(made, head=16 + len(body))]


@of(PACKETS)
def contributors(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(rng.choice((0, 4, 59, 60, 61, 200))), first=0x80 | rng.choice((1, 14, 15))))]


@of(PACKETS)
def padding(rng, guest):
    payload = rng.choice((b"", b"\0", b"\xff", bytes(159) + b"\xff", bytes(160), bytes(159) + bytes([160]), bytes(159) + bytes([161]), b"\x0d" * 12))
    return [guest.sealer.rtp(packet(rng, guest, payload, kind=rng.choice((0, 111)), first=0xA0))]


@of(PACKETS)
def all_of_it(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(rng.choice((0, 3, 64, 70, 1_000))), kind=rng.choice((0, 111)), first=0xBF))]


@of(PACKETS)
def no_payload(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, b"", kind=rng.choice((0, 111))))]


@of(PACKETS)
def opus_junk(rng, guest):
    """Opus whose first byte claims frames that are not there."""
    payload = bytes([rng.choice((0x03, 0x7B, 0xFF, 0xFE, 0x02, 0x01, rng.getrandbits(8)))]) + rng.choice((b"", b"\x3f", b"\x7f\xff", b"\xff" * 100, rng.randbytes(rng.choice((1, 60, 1_275)))))
    return [guest.sealer.rtp(packet(rng, guest, payload, kind=111))]


@of(PACKETS)
def every_kind(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(160), kind=rng.choice([*range(64), *range(96, 128)]), marker=rng.getrandbits(1)))]


@of(PACKETS)
def every_version(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(100), first=rng.choice((0x80, 0xBF, 0x8F, 0x81))))[:rng.choice((12, 13, 21, 22, 23, 100))]]


@of(PACKETS)
def every_source(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(160), source=rng.choice((0, 1, 0xFFFFFFFF, rng.getrandbits(32), guest.sources[0]))))]


@of(PACKETS)
def jumps(rng, guest):
    """Sequences that jump back and on, and rounds of their counter that have not been. What follows may be too old."""
    guest.is_spent = True
    sequence = rng.choice((0, 1, guest.sequence - 200, guest.sequence + 2_000, 0x7FFF, 0x8000, 0xFFFF)) & 0xFFFF
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(160), sequence=sequence), turns=rng.choice((0, 0, 1, 0xFFFFFFFF)))]


@of(PACKETS)
def twice(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(160)))] * 2


@of(PACKETS)
def large_packet(rng, guest):
    return [guest.sealer.rtp(packet(rng, guest, rng.randbytes(rng.choice((1_400, 1_900, 2_026, 2_027, 9_000, 60_000))), kind=rng.choice((0, 111))))]


@of(PACKETS)
def spoilt_tag(rng, guest):
    return [flip(rng, guest.sealer.rtp(packet(rng, guest, rng.randbytes(100))))]


@of(PACKETS)
def unsigned(rng, guest):
    return [packet(rng, guest, rng.randbytes(rng.choice((0, 1, 10, 160, 1_400))), kind=rng.choice((0, 111, 96)), first=rng.choice((0x80, 0x90, 0xBF)))]


@of(PACKETS)
def packet_noise(rng, guest):
    return [bytes([rng.randrange(128, 192), rng.choice([*range(64), *range(96, 192), *range(224, 256)])]) + rng.randbytes(rng.choice((0, 1, 9, 10, 11, 20, 21, 500)))]


# Reports, signed.

def report(kind, body, count=0, length=None, first=0x80):
    """A packet of RTCP; the length that it claims may be another one."""
    body += bytes(-len(body) % 4)
    return struct.pack("!BBH", first | count, kind, (len(body) // 4 if length is None else length) & 0xFFFF) + body


def receiver(rng, source, count=1, blocks=1):
    return report(201, struct.pack("!I", 1) + b"".join(struct.pack("!IIIIII", source, rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(32))
                                                       for _ in range(blocks)), count)


def asked(rng, guest):
    return rng.choice((*guest.sources, *guest.sources, 0, 0xFFFFFFFF))


@of(REPORTS)
def report_counts(rng, guest):
    """Counts of blocks that are not there, and blocks that nobody counts."""
    return [guest.sealer.rtcp(receiver(rng, asked(rng, guest), rng.choice((0, 1, 2, 31)), rng.choice((0, 1, 31))))]


@of(REPORTS)
def report_lengths(rng, guest):
    return [guest.sealer.rtcp(report(rng.choice((200, 201, 202, 203, 205, 206)), rng.randbytes(rng.choice((4, 8, 28))), rng.randrange(32), rng.choice((0, 1, 2, 100, 0xFFFF))))]


@of(REPORTS)
def compounds(rng, guest):
    """Many packets in one, the last of which is cut or claims more."""
    one = rng.choice((receiver(rng, asked(rng, guest)), report(201, struct.pack("!I", 1)), report(206, struct.pack("!II", 1, asked(rng, guest)), 1), report(202, b"")))
    made = (one * rng.choice((2, 31, 32, 33, 60)))[:1_400]
    return [guest.sealer.rtcp(made + rng.choice((b"", b"\x80", b"\x81\xc9", b"\x81\xc9\xff\xff", rng.randbytes(7))))]


@of(REPORTS)
def nack_storm(rng, guest):
    """All packets asked for again, at once."""
    source = guest.sources[0] if rng.random() < 0.8 else asked(rng, guest)
    entries = b"".join(struct.pack("!HH", (start + 17 * place) & 0xFFFF, 0xFFFF) for start in [rng.getrandbits(16)] for place in range(rng.choice((1, 16, 300))))
    return [guest.sealer.rtcp(report(201, struct.pack("!I", 1)) + report(205, struct.pack("!II", 1, source) + entries, 1)) for _ in range(rng.choice((1, 3)))]


@of(REPORTS)
def nack_cut(rng, guest):
    return [guest.sealer.rtcp(report(205, struct.pack("!II", 1, asked(rng, guest))[:rng.choice((4, 6, 8))] + rng.randbytes(rng.choice((0, 1, 2, 3, 5))), 1))]


@of(REPORTS)
def picture_storm(rng, guest):
    return [guest.sealer.rtcp(report(206, struct.pack("!II", 1, asked(rng, guest)), 1))] * 2 + [guest.sealer.rtcp(report(206, struct.pack("!II", 1, asked(rng, guest)), 1) * 20)]


@of(REPORTS)
def full_pictures(rng, guest):
    entries = b"".join(struct.pack("!IBBH", asked(rng, guest), rng.getrandbits(8), 0, 0) for _ in range(rng.choice((0, 1, 100))))
    return [guest.sealer.rtcp(report(206, struct.pack("!II", 1, 0) + entries + rng.choice((b"", b"\0\0\0\1")), 4))]


@of(REPORTS)
def estimates(rng, guest):
    """REMB of numbers that are none, for sources that are not there."""
    body = struct.pack("!II", 1, 0) + rng.choice((b"REMB", b"REMB", b"REMC", b"RE")) + bytes([rng.choice((0, 1, 2, 255))]) + rng.choice((b"\xff\xff\xff", b"\0\0\0", b"\xfc\0\0", b"\xff", b""))
    return [guest.sealer.rtcp(report(206, body + struct.pack("!I", asked(rng, guest)) * rng.choice((0, 1, 3)), 15))]


@of(REPORTS)
def transport_feedback(rng, guest):
    return [guest.sealer.rtcp(report(205, struct.pack("!IIHH", 1, asked(rng, guest), rng.getrandbits(16), rng.choice((0, 1, 0xFFFF))) + rng.randbytes(rng.choice((0, 4, 12, 600))), 15))]


@of(REPORTS)
def other_feedback(rng, guest):
    return [guest.sealer.rtcp(report(rng.choice((205, 206)), struct.pack("!II", 1, asked(rng, guest)) + rng.randbytes(rng.choice((0, 4, 40))), rng.randrange(32)))]


@of(REPORTS)
def descriptions(rng, guest):
    """Names that do not end, or claim more than there is."""
    return [guest.sealer.rtcp(report(202, struct.pack("!I", 1) + rng.choice((b"\1\xff", b"\1\0", b"\1\4abcd", b"\1\xff" + b"x" * 255, b"\xff" * 60, b"")), rng.choice((0, 1, 31))))]


@of(REPORTS)
def senders(rng, guest):
    return [guest.sealer.rtcp(report(200, struct.pack("!I", rng.getrandbits(32)) + rng.randbytes(rng.choice((0, 4, 20, 44))), rng.choice((0, 1, 31))))]


@of(REPORTS)
def applications(rng, guest):
    return [guest.sealer.rtcp(report(rng.choice((192, 204, 207, 208, 223)), struct.pack("!I", 1) + rng.randbytes(rng.choice((0, 1, 4, 300, 1_300))), rng.randrange(32)))]


@of(REPORTS)
def report_padding(rng, guest):
    return [guest.sealer.rtcp(report(201, struct.pack("!I", 1) + rng.choice((b"\0\0\0\0", b"\0\0\0\xff", b"\0\0\0\4", b"\0\0\0\3", b"\0\0\0\x0c")), 0, first=0xA0))]


@of(REPORTS)
def report_versions(rng, guest):
    return [guest.sealer.rtcp(receiver(rng, asked(rng, guest)) + report(201, struct.pack("!I", 1), first=rng.choice((0x00, 0x40, 0xC0))))]


@of(REPORTS)
def goodbyes(rng, guest):
    """A source that leaves, among more that are not there, or for a reason that is longer than the packet; the session may end."""
    guest.is_spent = True
    return [guest.sealer.rtcp(report(203, struct.pack("!I", rng.choice((1, VOICE, guest.sources[0]))) * rng.choice((0, 1, 3)) + rng.choice((b"", b"\xff" + b"bye", b"\3bye")), rng.choice((0, 1, 2, 31))))]


@of(REPORTS)
def report_indices(rng, guest):
    """Numbers of the protection that jump, and what is signed and not encrypted."""
    made = receiver(rng, asked(rng, guest))
    index = rng.choice((None, 0, 1, guest.sealer.index + 1_000, 0x7FFFFFFF))
    # Behind the last number nothing is opened any more.
    guest.is_spent = index == 0x7FFFFFFF
    guest.sealer.index += 1_000
    return [guest.sealer.rtcp(made, index=index, encrypt=index is not None)]


@of(REPORTS)
def report_again(rng, guest):
    return [guest.sealer.rtcp(receiver(rng, asked(rng, guest)))] * 2


@of(REPORTS)
def report_tags(rng, guest):
    data = guest.sealer.rtcp(receiver(rng, asked(rng, guest)))
    return [rng.choice((flip(rng, data), data[:-1], data[:-10], data[:-14], data[:12], data[:8], data[:4], data + b"\0"))]


@of(REPORTS)
def report_large(rng, guest):
    return [guest.sealer.rtcp(report(201, struct.pack("!I", 1)) + report(204, rng.randbytes(rng.choice((1_400, 1_996, 2_100, 9_000, 60_000)))))]


@of(REPORTS)
def report_noise(rng, guest):
    return [bytes([rng.randrange(128, 192), rng.randrange(192, 224)]) + rng.randbytes(rng.choice((0, 1, 2, 5, 6, 20, 21, 22, 500)))]


@of(REPORTS)
def report_unsigned(rng, guest):
    return [receiver(rng, asked(rng, guest)) + rng.randbytes(rng.choice((0, 4, 14)))]
