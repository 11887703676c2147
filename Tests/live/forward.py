#!/usr/bin/python3
"""Lets players that know TCP only speak to a daemon's control socket, and serves a folder beside it; for tests and benches.

  forward.py SOCKET [FOLDER]
Listens at a free port of 127.0.0.1 and prints it. What is asked below /v1/ goes to the socket byte for byte, answers and
WebSockets too; a POST to /result is printed as one line; all else is a file of FOLDER. Ends with its standard input.
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


async def local(head, target, reader, writer, folder):
    """Answers what is no part of the daemon."""
    if target == "/result":
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        print((await reader.readexactly(length)).decode(), flush=True)
        body, kind, status = b"", "text/plain", "204 No Content"
    else:
        path = os.path.join(folder or "", os.path.basename(target.split("?")[0]) or "page.html")
        found = folder and os.path.isfile(path)
        body = open(path, "rb").read() if found else b"not found\n"
        kind = TYPES.get(os.path.splitext(path)[1], "text/plain") if found else "text/plain"
        status = "200 OK" if found else "404 Not Found"
    writer.write(("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (
        status, kind, len(body))).encode() + body)
    await writer.drain()
    writer.close()


async def serve(socket, folder, reader, writer):
    head = await head_of(reader)
    words = head.split(b" ", 2)
    if len(words) < 3:
        return writer.close()
    target = words[1].decode(errors="replace")
    if not target.startswith("/v1/"):
        return await local(head, target, reader, writer, folder)
    try:
        there, back = await asyncio.open_unix_connection(socket)
    except OSError:
        return writer.close()
    back.write(head)
    await asyncio.gather(pump(reader, back), pump(there, writer))


async def main():
    socket, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    server = await asyncio.start_server(lambda r, w: serve(socket, folder, r, w), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
