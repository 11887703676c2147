"""Offers of browsers, spoilt: each kind makes another body of a good one. For hostile.py."""

import json
import re

# Numbers that are too large, too small, or none.
NUMBERS = ["0", "-1", "255", "256", "65535", "65536", "2147483648", "4294967295", "4294967296", "9223372036854775807",
           "9223372036854775808", "18446744073709551616", "9" * 400, "1e9", "0x60", "+1", "01", "\u0663", "", " "]
PREFIXES = ["v=", "o=", "s=", "t=", "c=", "m=", "m=video", "m=audio", "a=group", "a=ice-ufrag", "a=ice-pwd", "a=fingerprint", "a=setup", "a=mid",
            "a=rtcp-mux", "a=rtpmap", "a=fmtp", "a=rtcp-fb", "a=recvonly", "a=extmap", "a=ice-options", "a=msid-semantic"]
KINDS, BODIES = {}, {}


def kind(function):
    """A way to spoil the lines of an offer: makes lines, a text, or bytes of them."""
    KINDS[function.__name__] = function
    return function


def body(function):
    """A way to spoil the body in JSON."""
    BODIES[function.__name__] = function
    return function


def put(lines, prefix, values):
    """Lines where each that begins so has another value; at the end of the session's part where there is none."""
    found = []
    for line in lines:
        found += [prefix + value for value in values] if line.startswith(prefix) else [line]
    return found if any(line.startswith(prefix) for line in lines) else lines + [prefix + value for value in values]


@kind
def removed(rng, lines):
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        if lines:
            del lines[rng.randrange(len(lines))]
    return lines


@kind
def doubled(rng, lines):
    for _ in range(rng.choice((1, 2, 10))):
        at = rng.randrange(len(lines))
        lines[at:at] = [lines[at]] * rng.choice((1, 2, 100))
    return lines


@kind
def shuffled(rng, lines):
    first = rng.randrange(len(lines))
    part = lines[first:]
    rng.shuffle(part)
    return lines[:first] + part


@kind
def numbers(rng, lines):
    for _ in range(rng.choice((1, 1, 3, 10))):
        at = rng.randrange(len(lines))
        found = list(re.finditer(r"\d+", lines[at]))
        if found:
            one = rng.choice(found)
            lines[at] = lines[at][:one.start()] + rng.choice(NUMBERS) + lines[at][one.end():]
    return lines


@kind
def every_number(rng, lines):
    number = rng.choice(NUMBERS)
    prefix = rng.choice(PREFIXES)
    return [re.sub(r"\d+", number, line) if line.startswith(prefix) else line for line in lines]


@kind
def without(rng, lines):
    prefix = rng.choice(PREFIXES)
    return [line for line in lines if not line.startswith(prefix)]


@kind
def no_ufrag(rng, lines):
    values = rng.choice([[], [""], ["a"], ["abc"], ["a b"], ["\u00e4" * 8], ["x" * 256], ["x" * 257], ["y" * 60_000], ["abcd:efgh"], ["aaaa", "bbbb"], ["ab\0cd"]])
    return put(lines, "a=ice-ufrag:", values)


@kind
def no_password(rng, lines):
    values = rng.choice([[], [""], ["short"], ["x" * 21], ["x" * 256], ["x" * 257], ["y" * 60_000], ["\u00e4" * 30], ["p" * 22, "q" * 22], ["a b" * 10]])
    return put(lines, "a=ice-pwd:", values)


@kind
def fingerprints(rng, lines):
    good = ":".join(["A7"] * 32)
    values = rng.choice([[], [""], ["sha-256"], ["sha-256 "], ["sha-256 " + good[:-3]], ["sha-256 " + good + ":00"], ["sha-256 " + good[:-1]],
                         ["sha-256 " + "GG:" * 31 + "GG"], ["sha-256 " + good.replace(":", "")], ["sha-256 " + good.lower()], ["md5 " + "00:" * 15 + "00"],
                         ["sha-1 " + "00:" * 19 + "00"], ["sha-512 " + good], ["SHA-256 " + good], ["sha-256 " + "00:" * 20_000], ["sha-256 " + good] * 600,
                         ["sha-0 00", "sha-256 " + good], ["sha-256 " + ":" * 64], ["sha-256 " + good + " " + good]])
    return put(lines, "a=fingerprint:", values)


@kind
def candidates(rng, lines):
    count = rng.choice((10, 300, 700, 4_000))
    return lines + ["a=candidate:%d %d udp %d %s %d typ %s" % (
        rng.randrange(1 << 32), rng.randrange(3), rng.randrange(1 << 32), rng.choice(("10.0.0.1", "::1", "x.local", "999.1.1.1", "255.255.255.255", "")),
        rng.randrange(1 << 17), rng.choice(("host", "srflx", "relay", "junk"))) for _ in range(count)]


@kind
def binary(rng, lines):
    return rng.randbytes(rng.choice((1, 16, 500, 5_000, 65_536)))


@kind
def binary_inside(rng, lines):
    text = bytearray("\r\n".join(lines).encode())
    at = rng.randrange(len(text))
    text[at:at] = rng.choice((rng.randbytes(40), b"\0", b"\0" * 200, b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r", b"\n\n\n"))
    return bytes(text)


@kind
def flipped(rng, lines):
    text = bytearray("\r\n".join(lines).encode())
    for _ in range(rng.choice((1, 3, 30, 300))):
        text[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
    return bytes(text)


@kind
def payload_types(rng, lines):
    types = rng.choice(["", "0", "999", "-1", "128", "255 256", "96 96 96", " ".join(map(str, range(128))), " ".join(map(str, range(129))), "x", "96\t97", "1" * 50])
    return [re.sub(r"^(m=\w+ \S+ \S+).*", r"\1 " + types, line) for line in lines]


@kind
def formats_for_nobody(rng, lines):
    """Formats that are described and not offered, and the other way round."""
    return [re.sub(r"^(a=(?:rtpmap|fmtp|rtcp-fb):)\d+", r"\g<1>%s" % rng.choice(("1", "77", "*", "127", "300")), line) for line in lines]


@kind
def truncated(rng, lines):
    text = "\r\n".join(lines).encode()
    return text[:rng.randrange(len(text))]


@kind
def long(rng, lines):
    """A megabyte, or just what may be."""
    size = rng.choice((65_535, 65_536, 65_537, 262_144, 262_145, 1 << 20))
    text = "\r\n".join(lines).encode()
    filler = rng.choice((b"a=x\r\n", b"a=" + b"y" * 1_000 + b"\r\n", b"\r\n", b"a=rtpmap:96 H264/90000\r\n", b"z"))
    return (text + b"\r\n" + filler * (size // len(filler) + 1))[:size]


@kind
def long_line(rng, lines):
    at = rng.randrange(len(lines))
    lines[at] += rng.choice(("x", " ", ";a=b", ":", ",", " 96", "\u00e4")) * rng.choice((1_000, 10_000, 30_000))
    return lines


@kind
def many_media(rng, lines):
    first = next(place for place, line in enumerate(lines) if line.startswith("m="))
    part = lines[first:]
    return lines[:first] + [line for number in range(rng.choice((2, 4, 16, 17, 60))) for line in (part if rng.random() < 0.5 else part[:1])]


@kind
def other_media(rng, lines):
    medium = rng.choice(("m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "m=video 0 UDP/TLS/RTP/SAVPF 96", "m=video 9 RTP/AVP 96", "m=video 9 TCP/TLS/RTP/SAVPF 96",
                         "m=video", "m=", "m=video 9", "m= 9 UDP/TLS/RTP/SAVPF 96", "m=video 99999 UDP/TLS/RTP/SAVPF 96", "m=video 9/65536 UDP/TLS/RTP/SAVPF 96", "m=text 9 x 1"))
    return [medium if line.startswith("m=video") else line for line in lines]


@kind
def ends_of_lines(rng, lines):
    return rng.choice(("\n", "\r", "\r\r\n", "\n\r", "\r\n\r\n", "\u2028", "\x0b", " ")).join(lines).encode()


@kind
def setups(rng, lines):
    return put(lines, "a=setup:", rng.choice([["active"], ["passive"], ["holdconn"], [""], ["actpass", "passive"], ["ACTPASS"], ["x" * 5_000]]))


@kind
def directions(rng, lines):
    other = rng.choice(("a=sendonly", "a=sendrecv", "a=inactive", "a=recvonly\r\na=sendonly", "a=", "a=RECVONLY"))
    return [other if line in ("a=recvonly", "a=sendrecv") else line for line in lines]


@kind
def parameters(rng, lines):
    value = rng.choice(("packetization-mode=99", "packetization-mode=", "profile-level-id=zzzzzz", "profile-level-id=42", "profile-level-id=" + "f" * 4_000, "=", ";;;;", "a" * 9_000,
                        "packetization-mode=1;packetization-mode=0", "packetization-mode=1;profile-level-id=ffffff", "tx-mode=MRST", ";".join("k%d=v" % i for i in range(2_000))))
    return [re.sub(r"^(a=fmtp:\d+) .*", r"\1 " + value, line) for line in lines]


@kind
def clocks(rng, lines):
    value = rng.choice(("H264", "H264/", "H264/0", "H264/-90000", "H264/4294967296", "/90000", "H264/90000/255", "h264/90000", "H265/90000", "opus/48000/99999999999", "x" * 3_000 + "/1"))
    return [re.sub(r"^(a=rtpmap:\d+) .*", r"\1 " + value, line) for line in lines]


@kind
def extensions(rng, lines):
    at = next(place for place, line in enumerate(lines) if line.startswith("m=")) + 1
    return lines[:at] + ["a=extmap:%s%s urn:x-%d" % (rng.choice(NUMBERS + ["1", "14", "15"]), rng.choice(("", "/sendrecv", "/junk")), i) for i in range(rng.choice((1, 20, 900)))] + lines[at:]


@kind
def mids(rng, lines):
    value = rng.choice(("", "0", "same", "x" * 10_000, "a b", "\u00e4", "../..", "0\0"))
    return put(lines, "a=mid:", [value])


@kind
def groups(rng, lines):
    return put(lines, "a=group:", rng.choice([["BUNDLE"], ["BUNDLE 7 8 9"], ["BUNDLE 0 0 0"], ["LS 0"], ["BUNDLE " + "0 " * 20_000], ["BUNDLE 0", "BUNDLE 1"], [""]]))


@kind
def sources(rng, lines):
    more = ["a=ssrc:%s cname:%s" % (rng.choice(NUMBERS), "c" * rng.choice((0, 10, 300))) for _ in range(rng.choice((1, 50, 150)))]
    return lines + more + ["a=ssrc-group:FID " + " ".join("1" * 5 for _ in range(rng.choice((0, 1, 2_000))))]


@kind
def feedback(rng, lines):
    at = next(place for place, line in enumerate(lines) if line.startswith("a=rtpmap"))
    return lines[:at] + ["a=rtcp-fb:%s %s" % (rng.choice(("*", "96", "999", "")), rng.choice(("nack", "nack pli", "junk " * 100, ""))) for _ in range(rng.choice((5, 300)))] + lines[at:]


@kind
def many_attributes(rng, lines):
    return lines + [rng.choice(("a=", "a", "=", "a=x:", "b=AS:99999999999", "k=clear:x", "z=0 0", "a=ice-lite", "a=end-of-candidates"))] * rng.choice((1, 1_000, 12_000))


@kind
def origin(rng, lines):
    value = rng.choice(("", "-", "- 1 1 IN IP4", "- %s 1 IN IP4 0.0.0.0" % NUMBERS[12], "- 1 1 IN IP6 ::::", "- 1 1 XX YY zz", "a" * 30_000))
    return put(lines, "o=", [value])


@kind
def nothing(rng, lines):
    return rng.choice((b"", b"\r\n", b"v=0", b"v=0\r\n", b"v=1\r\n", b"{}", b"<xml/>", b" "))


@body
def no_json(rng, text):
    return rng.choice((b"", b"{", b"null", b"[]", b"{}", b"\"x\"", b"{\"offer\"}", b"{\"offer\":\"", rng.randbytes(300), b"[" * 50_000, b"{\"offer\":" * 5_000, text.encode()))


@body
def other_types(rng, text):
    return json.dumps({"offer": rng.choice((None, 1, 1e308, True, [text], {"sdp": text}, "", -1))}).encode()


@body
def streams(rng, text):
    return json.dumps({"offer": text, "stream": rng.choice(("", "third", 7, None, [], "main" * 2_000, "MAIN"))}).encode()


@body
def escapes(rng, text):
    return b"{\"offer\":\"" + rng.choice((b"\\ud800", b"\\u0000" * 100, b"\\x", b"\\", b"\xff\xff", b"\x01\x02", b"\\ud83d\\ud83d")) + json.dumps(text)[1:].encode() + b"}"


@body
def twice(rng, text):
    return b"{\"offer\":\"x\",\"offer\":" + json.dumps(text).encode() + b",\"offer\":1}"


@body
def unknown(rng, text):
    return json.dumps({"offer": text[:rng.randrange(len(text))], **{"k%d" % i: i for i in range(rng.choice((1, 1_000)))}}).encode()


def spoilt(rng, number, offers):
    """The request of the offer of this number: its name, the route, the body, and the type of the body."""
    text = offers[rng.randrange(len(offers))]
    names = [*KINDS, *BODIES]
    name = names[number % len(names)]
    if name in BODIES:
        return name, "webrtc", BODIES[name](rng, text), "application/json"
    made = KINDS[name](rng, text.rstrip("\r\n").split("\r\n"))
    if isinstance(made, list):
        made = ("\r\n".join(made) + "\r\n").encode()
    route = "whep" if rng.random() < 0.6 else "webrtc"
    if route == "webrtc":
        return name, route, b"{\"offer\":" + json.dumps(made.decode("utf-8", "surrogateescape"), ensure_ascii=False).encode("utf-8", "surrogateescape") + b"}", "application/json"
    if rng.random() < 0.05:
        return name, route, made, rng.choice((None, "text/plain", "application/json", "application/sdp;" + "x" * 2_000, "\u00e4"))
    return name, route, made, "application/sdp"
