#!/usr/bin/python3
"""Clients of the control interface that never finish what they begin.

  hostile_clients.py --socket PATH [--port PORT] [--camera NAME] [--user NAME] [--group NAME] KIND=COUNT…

With --user and --group they are connections of that user, which has that group and no other: as root alone.

Kinds, each a connection of its own:
  silent       connects and says nothing                (also over --port)
  half         begins a head and stops in it            (also over --port)
  slow-head    a head that drips, a byte every 0.2 s    (also over --port)
  endless-body a body of 200000 bytes that drips
  chunked-body a chunked body that drips and never ends
  forced-body  a GET with a chunked body that never ends
  unread       many questions, of whose answers nothing is read
  export       exports of the last hour, of which only the begin is read
  flood        questions as fast as answers come
  turn         25 connections a second, one behind the other, each with half a question (also over --port)
  gone         as many, each asks for a WebSocket of the live picture and is gone within some milliseconds

Prints `ready` when all of them are under way, and ends with its standard input; then it prints `opened N`, the connections
that it has opened. A connection that is closed by the other end is opened again, so the attack goes on.
"""
import argparse
import datetime
import errno
import grp
import os
import pwd
import random
import select
import socket
import sys
import time

HOST = b" HTTP/1.1\r\nHost: vigil\r\n"
TCP = {"silent", "half", "slow-head", "turn"}
PAUSE = 0.2             # seconds between two turns of the loop
DRIP = {"slow-head": b"y", "endless-body": b" ", "chunked-body": b"1\r\n \r\n", "forced-body": b"1\r\n \r\n"}


def opening(kind, camera):
    """What a client of this kind says first."""
    if kind == "silent":
        return b""
    if kind in ("half", "slow-head", "turn"):
        return b"GET /v1/states" + HOST + b"X: "
    if kind == "gone":
        key = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        return b"GET /v1/cameras/%s/live" % camera.encode() + HOST + key + b"\r\n"
    if kind == "endless-body":
        return b"POST /v1/policies/check" + HOST + b"Content-Length: 200000\r\n\r\n{"
    if kind == "chunked-body":
        return b"POST /v1/policies/check" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    if kind == "forced-body":
        return b"GET /v1/health" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    if kind == "unread":
        return (b"GET /v1/states" + HOST + b"\r\n") * 5000
    if kind == "flood":
        return (b"GET /v1/states" + HOST + b"\r\n") * 20
    if kind == "export":
        now = datetime.datetime.now(datetime.timezone.utc)
        begin, end = ((now - datetime.timedelta(hours=h)).strftime("%Y-%m-%dT%H:%M:%SZ") for h in (1, 0))
        ask = "GET /v1/cameras/%s/export?from=%s&to=%s" % (camera, begin, end)
        return (ask.encode() + HOST + b"\r\n") * 20
    sys.exit("hostile_clients.py: unknown kind %s" % kind)


class Client:
    opened = 0          # connections of all clients

    def __init__(self, kind, place, camera):
        self.kind, self.place, self.camera = kind, place, camera
        self.open()

    def open(self):
        self.connection = None
        family = socket.AF_UNIX if isinstance(self.place, str) else socket.AF_INET
        connection = socket.socket(family)
        connection.settimeout(5)
        try:
            connection.connect(self.place)
        except OSError:
            return
        connection.setblocking(False)
        Client.opened += 1
        self.connection, self.rest, self.read = connection, opening(self.kind, self.camera), 0

    def say(self, more=b""):
        """Says what is left to say, and `more`; opens again where the other end has closed."""
        if self.connection is None:
            return self.open()
        if len(self.rest) < 1 << 16:
            self.rest += more
        try:
            while self.rest:
                self.rest = self.rest[self.connection.send(self.rest):]
        except BlockingIOError:
            pass
        except OSError:
            self.open()

    def turn(self):
        """Opens one connection behind the other, as many as belong into one turn of the loop."""
        for _ in range(int(25 * PAUSE)):
            if self.connection is not None:
                self.connection.close()
            self.open()
            self.say()
            if self.kind == "gone":
                # While the question is being read, mostly.
                time.sleep(random.random() ** 3 * 0.01)

    def hear(self):
        """Notices an end; reads on only where the kind does."""
        if self.connection is None:
            return
        try:
            if self.kind == "flood" or (self.kind == "export" and self.read < 100):
                got = self.connection.recv(65536 if self.kind == "flood" else 100)
                self.read += len(got)
                if self.kind == "flood" and got:
                    self.say(b"GET /v1/states" + HOST + b"\r\n")
            else:
                got = self.connection.recv(1, socket.MSG_PEEK)
            if not got:
                self.connection.close()
                self.open()
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno != errno.EINTR:
                self.connection.close()
                self.open()


def become(user, group):
    """Goes on as another user, for good."""
    os.setgroups([])
    os.setgid(grp.getgrnam(group).gr_gid)
    os.setuid(pwd.getpwnam(user).pw_uid)


def main():
    parser = argparse.ArgumentParser(description="Clients that never finish what they begin.")
    parser.add_argument("--socket", required=True)
    parser.add_argument("--port", type=int)
    parser.add_argument("--camera", default="front")
    parser.add_argument("--user")
    parser.add_argument("--group")
    parser.add_argument("kinds", nargs="+", metavar="KIND=COUNT")
    options = parser.parse_args()
    if options.user:
        become(options.user, options.group or options.user)
    clients = []
    for word in options.kinds:
        kind, _, count = word.partition("=")
        for _ in range(int(count or 1)):
            clients.append(Client(kind, options.socket, options.camera))
            if kind in TCP and options.port:
                clients.append(Client(kind, ("127.0.0.1", options.port), options.camera))
    for client in clients:
        client.say()
    print("ready", flush=True)
    while True:
        if select.select([sys.stdin], [], [], PAUSE)[0] and not sys.stdin.readline():
            print("opened", Client.opened, flush=True)
            return
        for client in clients:
            if client.kind in ("turn", "gone"):
                client.turn()
                continue
            client.hear()
            client.say(DRIP.get(client.kind, b""))


if __name__ == "__main__":
    main()
