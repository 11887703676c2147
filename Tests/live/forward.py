#!/usr/bin/python3
"""Lets players that know TCP only speak to a daemon's control socket, and serves folders beside it; for tests and benches.

  forward.py SOCKET [FOLDER…]
Listens at a free port of 127.0.0.1 and prints it. What is asked below /v1/ goes to the socket byte for byte, answers and
WebSockets too; a POST to /result is printed as one line; / and all else are files below a FOLDER. Ends with its standard input.
"""
import asyncio
import os
import sys

TYPES = {".html": "text/html", ".js": "text/javascript"}


async def pump(reader, writer):
    try:
        while part := await reader.read(1 << 16):
            writer.write(part)
            await writer.drain()
    except OSError:
        pass
    finally:
        try:
            writer.close()
        except OSError:
            pass


async def head_of(reader):
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, OSError):
        return b""


def file_of(folders, target):
    """The file below a folder that is asked for; None where there is none."""
    name = target.split("?")[0].lstrip("/") or "page.html"
    found = [path for path in (os.path.join(folder, name) for folder in folders) if os.path.isfile(path)]
    return found[0] if found and ".." not in name else None


async def local(head, target, path, reader, writer):
    """Answers what is no part of the daemon: a file, a result."""
    if target == "/result":
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        print((await reader.readexactly(length)).decode(), flush=True)
        body, kind, status = b"", "text/plain", "204 No Content"
    elif path is None:
        body, kind, status = b"not found\n", "text/plain", "404 Not Found"
    else:
        body, kind, status = open(path, "rb").read(), TYPES.get(os.path.splitext(path)[1], "text/plain"), "200 OK"
    writer.write(("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (
        status, kind, len(body))).encode() + body)
    await writer.drain()
    writer.close()


async def serve(socket, folders, reader, writer):
    head = await head_of(reader)
    words = head.split(b" ", 2)
    if len(words) < 3:
        return writer.close()
    target = words[1].decode(errors="replace")
    path = file_of(folders, target)
    if path or not target.startswith("/v1/"):
        return await local(head, target, path, reader, writer)
    try:
        there, back = await asyncio.open_unix_connection(socket)
    except OSError:
        return writer.close()
    back.write(head)
    await asyncio.gather(pump(reader, back), pump(there, writer))


async def main():
    socket, folders = sys.argv[1], sys.argv[2:]
    server = await asyncio.start_server(lambda r, w: serve(socket, folders, r, w), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
