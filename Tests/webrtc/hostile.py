#!/usr/bin/env python3
"""Attacks a daemon's WebRTC with what is malformed. For Tests/webrtc/run, which starts it in the networks where it belongs.

    hostile.py offers --place HOST:PORT --token A --token B --camera front --count 300 [--first 0] [--seed 1]
    hostile.py packets --place VIGIL.SOCK --camera gate --home 10.97.0.2 --viewer 10.97.0.2:4711 --count 300 [--first 0] [--seed 1]

`offers` are spoilt offers of browsers (Tests/webrtc/offers). `packets` are so many checks, records of DTLS, packets of RTP and packets
of RTCP each, of guests whose sessions stand, from where they belong, from other addresses, and as if they were from the good viewer. Each
input is drawn by the seed and its number, but for keys and numbers of transactions. Prints one line of JSON: what was sent, what came of it, and `problems`.
"""

import argparse
import collections
import json
import pathlib
import random
import socket
import struct
import time

from guest import SSL, VOICE, Asker, Ended, Guest, Identity
from spoilt_offers import spoilt
import spoilt_packets as packets

HERE = pathlib.Path(__file__).resolve().parent
# How many packets go out until the guest is asked whether its session stands, and the pause behind one: who talks may send 200 in a second.
CHUNK, PAUSE = 10, 0.006
# Of the handshake: records before it, spoilt ones, and records behind one, again and again.
EARLY, SPOILT, SEALED = 15, 5, 10
# How long a spoilt handshake may take, in seconds.
SPOILT_MAX = 0.4
# What fits into a packet of Ethernet with heads, for what is sent as if it were from another address.
FORGED_MAX = 1_400


class Attack:
    """What is sent, and what came of it."""

    def __init__(self, options):
        self.options = options
        self.told = {"inputs": collections.Counter(), "datagrams": 0, "from": collections.Counter(), "statuses": collections.Counter(), "taken": collections.Counter(),
                     "left": 0, "guests": 0, "ended": collections.Counter(), "handshakes": collections.Counter(), "slowest": 0, "waited": 0, "problems": []}
        self.askers = [Asker(options.place, token) for token in options.token or [None]]

    def problem(self, *words):
        self.told["problems"].append(" ".join(map(str, words)))

    def rng(self, family, number):
        """What the input of this number is drawn from."""
        return random.Random("%d %s %d" % (self.options.seed, family, number))

    def note(self, *words):
        """Keeps what goes out next, for who asks what the daemon ended with."""
        if self.options.trail:
            with open(self.options.trail, "a", encoding="utf-8") as file:
                print(*words, file=file)

    def numbers(self):
        return range(self.options.first, self.options.first + self.options.count)

    def tell(self):
        self.told["slowest"] = max(asker.slowest for asker in self.askers)
        self.told["waited"] = sum(asker.waited for asker in self.askers)
        self.told["guests"] = Guest.made
        print(json.dumps(self.told), flush=True)

    # Offers.

    def offers(self):
        good = [path.read_text().replace("\n", "\r\n") for path in sorted((HERE / "offers").glob("*.sdp"))]
        for number in self.numbers():
            name, route, body, kind = spoilt(self.rng("offers", number), number, good)
            asker = self.askers[number % len(self.askers)]
            self.note("offer", number, name, "of", len(body), "bytes to", route)
            status, fields, text = asker.ask("POST", "/v1/cameras/%s/%s" % (self.options.camera, route), body, kind)
            self.told["inputs"]["offers"] += 1
            self.told["statuses"][status] += 1
            if status == 201:
                self.taken(asker, name, route, fields, text)
            elif not (400 <= status < 500 and is_problem(status, fields, text)):
                self.problem("offer", number, name, "of", len(body), "bytes to", route, "is answered", status, text[:200])

    def taken(self, asker, name, route, fields, text):
        """An offer that was taken: its session is ended, or ends by itself."""
        self.told["taken"][name] += 1
        place = fields.get("location") if route == "whep" else "/v1/sessions/" + json.loads(text)["session"]
        answer = text.decode() if route == "whep" else json.loads(text)["answer"]
        if "a=ice-lite" not in answer or not place:
            self.problem("an offer", name, "is taken with", text[:200])
        if self.told["left"] < self.options.left:
            self.told["left"] += 1
            return
        status, _, text = asker.ask("DELETE", place, kind=None)
        if status not in (200, 404):
            self.problem("the session of an offer", name, "is ended with", status, text[:200])

    # Packets.

    def packets(self):
        self.identity = Identity()
        self.raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        self.controls()
        self.chunks("checks", packets.CHECKS)
        self.records()
        self.chunks("RTP", packets.PACKETS, talks=True)
        self.chunks("RTCP", packets.REPORTS)

    def guest(self, talks=False):
        """One whose session stands; whose sound is wanted."""
        guest = Guest(self.askers[0], self.identity, self.options.camera, self.options.home).connect()
        guest.send(guest.sealer.rtp(packets.packet(random, guest, bytes(160), source=VOICE)))
        if talks and (status := guest.talk()) != 200:
            self.problem("a good guest may not talk:", status)
        return guest

    def controls(self):
        """What is signed here is opened there: a good RTCP BYE ends the session."""
        guest = self.guest()
        guest.send(guest.sealer.rtcp(packets.report(203, struct.pack("!I", VOICE), 1)))
        deadline = time.monotonic() + 10
        while (lives := guest.lives()) and time.monotonic() < deadline:
            pass
        if lives:
            self.problem("a good RTCP BYE does not end the session: what is signed here is not opened")
        guest.end()

    def send(self, guest, data, where, rng):
        self.told["datagrams"] += 1
        self.told["from"][where] += 1
        if where == "guest":
            return guest.send(data)
        host, port = self.options.viewer.split(":") if where == "viewer" else ("10.97.0.%d" % rng.randrange(3, 250), rng.randrange(1, 1 << 16))
        data = data[:FORGED_MAX]
        head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28 + len(data), 0, 0, 64, socket.IPPROTO_UDP, 0, socket.inet_aton(host), socket.inet_aton(guest.place[0]))
        self.raw.sendto(head + struct.pack("!HHHH", int(port), guest.place[1], 8 + len(data), 0) + data, (guest.place[0], 0))
        return None

    def put(self, family, number, table, guest):
        """One input, from where the number says: of nine seven from the guest, one from anywhere, one as if from the good viewer."""
        rng = self.rng(family, number)
        names = list(table)
        where = {3: "elsewhere", 7: "viewer"}.get(number // len(names) % 9, "guest")
        self.told["inputs"][family] += 1
        self.note(family, number, names[number % len(names)], "from", where)
        try:
            made = table[names[number % len(names)]](rng, guest)
        except SSL.Error:  # it is over
            made = []
        for data in made:
            self.send(guest, data, where, rng)

    def stands(self, guest, family):
        """Whether the session of a guest stands; it is forgotten where not."""
        if guest.lives():
            return True
        self.told["ended"][family] += 1
        guest.end()
        return False

    def chunks(self, family, table, talks=False):
        """Inputs to a guest whose session stands, and to the next one where it has ended."""
        guest = None
        for place, number in enumerate(self.numbers()):
            if guest and (guest.is_spent or place % CHUNK == 0) and not self.stands(guest, family):
                guest = None
            if guest and guest.is_spent:
                guest.end()
                guest = None
            guest = guest or self.guest(talks)
            self.put(family, number, table, guest)
            time.sleep(PAUSE)
        if guest and self.stands(guest, family):
            guest.end()

    def records(self):
        """Records before a handshake, handshakes with a flight that is spoilt, and records behind one."""
        guest = None
        for number in self.numbers():
            place = number % (EARLY + SPOILT + SEALED)
            if place < EARLY:
                guest = guest or Guest(self.askers[0], self.identity, self.options.camera, self.options.home).path()
                self.put("DTLS", number, packets.RECORDS, guest)
                if not self.stands(guest, "DTLS"):
                    guest = None
                elif place == EARLY - 1:
                    self.told["handshakes"]["good after junk" if guest.handshake(seconds=3) else "none after junk"] += 1
                    guest.end()
                    guest = None
            elif place < EARLY + SPOILT:
                self.spoil(number)
            else:
                guest = guest or self.guest()
                self.put("DTLS", number, packets.SEALED_RECORDS, guest)
                if not self.stands(guest, "DTLS"):
                    guest = None
        if guest:
            guest.end()

    def spoil(self, number):
        """A handshake of which one flight is spoilt."""
        rng = self.rng("DTLS", number)
        guest = Guest(self.askers[0], self.identity, self.options.camera, self.options.home).path()
        one = rng.choice((0, 1, 1, 2, 2))

        def spoil(flight, records):
            if flight != one:
                return records
            made = packets.spoilt_flight(rng, records)
            self.told["datagrams"] += len(made)
            return made
        self.told["inputs"]["DTLS"] += 1
        self.note("DTLS", number, "flight", one, "of a handshake")
        self.told["handshakes"]["good though spoilt" if guest.handshake(spoil, SPOILT_MAX) else "none as spoilt"] += 1
        guest.end()


def is_problem(status, fields, text):
    """Whether a refusal says what it is, in the form of problems."""
    try:
        told = json.loads(text)
    except ValueError:
        return False
    return fields.get("content-type", "").startswith("application/problem+json") and told["status"] == status and bool(told["title"] and told["detail"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["offers", "packets"])
    parser.add_argument("--place", required=True, type=lambda text: text if "/" in text else (text.split(":")[0], int(text.split(":")[1])), help="the control socket, or host and port")
    parser.add_argument("--token", action="append")
    parser.add_argument("--camera", required=True)
    parser.add_argument("--home", help="this machine's address")
    parser.add_argument("--viewer", help="address and port of the good viewer")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--left", type=int, default=0, help="how many sessions of offers that are taken are left to end by themselves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trail", help="a file for what goes out, before it does")
    attack = Attack(parser.parse_args())
    try:
        getattr(attack, attack.options.what)()
    except (Ended, OSError) as error:
        attack.problem(type(error).__name__, error)
    attack.tell()


main()
