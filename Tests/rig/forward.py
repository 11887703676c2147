#!/usr/bin/python3
"""Forwards TCP connections of this machine to a Unix socket, for players that know none.

    forward.py SOCKET

Prints `ready PORT`; ends with its standard input.
"""

import os
import socket
import sys
import threading


def copy(source, target):
    """Hands on what comes until one side ends."""
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for end, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        try:
            end.shutdown(how)
        except OSError:
            pass


def serve(client, path):
    """One connection."""
    with client, socket.socket(socket.AF_UNIX) as daemon:
        try:
            daemon.connect(path)
        except OSError:
            return
        back = threading.Thread(target=copy, args=(daemon, client), daemon=True)
        back.start()
        copy(client, daemon)
        back.join()


def accept(listener, path):
    """Connections without end."""
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, path), daemon=True).start()


def main():
    """Serves until its standard input ends."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    threading.Thread(target=accept, args=(listener, sys.argv[1]), daemon=True).start()
    print("ready", listener.getsockname()[1], flush=True)
    sys.stdin.read()
    os._exit(0)


main()
