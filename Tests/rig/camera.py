#!/usr/bin/python3
"""IP cameras for tests and benches: media files served as endless live RTSP streams, with faults on demand.

  camera.py --camera front=a.mp4 --camera gate=b.mkv,stamp --log sent.jsonl
prints one line `camera NAME URL` for each, then `ready PORT…`. It ends when stdin ends, or after --for SECONDS.
A camera's first client sees the file from its beginning; whoever comes later sees what the camera sends then.

Options of one camera, after its file, separated by commas:
  audio=FILE        take the audio from this file (also raw .g726le)      no-audio   send no audio
  stamp             give each video frame an SEI with its index           no-in-band parameter sets in the SDP only
  jump-pts=+3600@20s    from 20 s on, timestamps are 3600 s later (repeatable)
  repeat-pts=N      each Nth video frame repeats a timestamp              noise-pts=MS   timestamps wrong by up to MS
  freeze-pts=AT:FOR timestamps stand still                                drift=1.02     the clock runs 2 % fast
  key=first|none    no key frame after the first, or none at all          audio-late=S   audio begins S seconds late
  switch=FILE@20s   other file from 20 s on (repeatable); other codecs drop the clients, as they need a new SDP
  wrap              timestamps wrap 5 s after the start, sequence numbers at once
  stall=EVERY:FOR   send nothing for FOR s after each EVERY s             stall-mode=pause|lose|burst
  udp | tcp         allow this transport only

Commands, one a line, on stdin or on the --control socket; each is answered by one line of JSON:
  stop NAME   start NAME   stall NAME   resume NAME   drop [NAME]   switch NAME FILE   status   quit
With --separate each camera listens on a port of its own, and `stop` closes it (connection refused); without, 404.
"""
import argparse
import json
import os
import signal
import socket
import sys
import threading
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gio, GLib, GstRtsp, GstRtspServer  # noqa: E402

from cameras import LOCK, SEC, Camera, Pacer  # noqa: E402
from session import Log  # noqa: E402
from source import Source  # noqa: E402


class Rig:
    """All cameras, their listeners, and the commands."""

    def __init__(self, options):
        self.options, self.loop, self.cameras, self.paths = options, GLib.MainLoop(), {}, {}
        self.log = Log(options.log, options.tell) if options.log else None
        self.pacer, self.listeners = Pacer(), []

    def listen(self, port):
        """A new RTSP server on `port`, 0 for any; returns it with its source."""
        o, server = self.options, GstRtspServer.RTSPServer.new()
        server.set_address(o.address)
        server.set_service(str(port))
        if o.user or o.tls_cert:
            server.set_auth(self.auth())
        server.connect("client-connected", self.on_client)
        source = server.attach(None)
        if source == 0:
            sys.exit("cannot listen on %s:%s" % (o.address, port))
        listener = {"server": server, "source": source, "port": server.get_bound_port(), "clients": {}}
        self.listeners.append(listener)
        return listener

    def auth(self):
        """Login and TLS as asked for."""
        o, auth = self.options, GstRtspServer.RTSPAuth.new()
        token = GstRtspServer.RTSPToken.new()
        token.set_string(GstRtspServer.RTSP_TOKEN_MEDIA_FACTORY_ROLE, "viewer")
        if not o.user:
            auth.set_default_token(token)
        elif o.digest:
            auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
            auth.add_digest(o.user, o.password, token)
        else:
            auth.add_basic(GstRtspServer.RTSPAuth.make_basic(o.user, o.password), token)
        if o.tls_cert:
            auth.set_tls_certificate(Gio.TlsCertificate.new_from_files(o.tls_cert, o.tls_key))
        return auth

    def on_client(self, _server, client):
        """Over TCP a slow reader must not lose packets silently: the log says what was sent."""
        client.set_property("drop-backlog", False)
        client.connect("describe-request", self.on_request)

    def on_request(self, client, context):
        """Remembers which camera a client asked for, so that one camera's clients can be dropped, and counts connections."""
        with LOCK:
            is_new = client not in self.paths
            self.paths[client] = context.uri.abspath
        if is_new:
            self.connected(context.uri.abspath, "connect")
            client.connect("closed", self.on_closed)

    def on_closed(self, client):
        """A connection that had asked for a camera is gone."""
        with LOCK:
            path = self.paths.pop(client, None)
        if path:
            self.connected(path, "disconnect")

    def connected(self, path, what):
        """Logs that a connection to a camera came or went, and how many there are."""
        camera = self.cameras.get(path.lstrip("/"))
        if camera and self.log:
            with LOCK:
                count = list(self.paths.values()).count(path)
            self.log.event(camera, what, time.monotonic_ns(), connections=count)

    def add(self, text):
        """A camera from its command-line description."""
        spec, *words = text.split(",")
        name, _, path = spec.partition("=")
        if not path or not name or name in self.cameras:
            sys.exit("--camera %s: NAME=FILE with a new name is wanted" % text)
        camera = Camera(name, self)
        options = configure(camera, words)
        camera.source = load(path, options.get("audio") != "none", options.get("audio-file"))
        if self.options.stall and not camera.faults.stall:
            camera.faults.stall = self.options.stall
        camera.faults.wrap |= self.options.wrap
        transport = options.get("transport", self.options.transport)
        if transport:
            camera.set_protocols({"tcp": GstRtsp.RTSPLowerTrans.TCP, "udp": GstRtsp.RTSPLowerTrans.UDP}[transport])
        if self.options.user or self.options.tls_cert:
            permissions = GstRtspServer.RTSPPermissions.new()
            permissions.add_permission_for_role("viewer", GstRtspServer.RTSP_PERM_MEDIA_FACTORY_ACCESS, True)
            permissions.add_permission_for_role("viewer", GstRtspServer.RTSP_PERM_MEDIA_FACTORY_CONSTRUCT, True)
            camera.set_permissions(permissions)
        shared = not self.options.separate
        camera.listener = self.listeners[0] if shared and self.listeners else self.listen(
            self.options.port if shared or not self.listeners else 0)
        camera.listener["server"].get_mount_points().add_factory("/" + name, camera)
        self.cameras[name] = camera
        print("camera %s %s://%s:%d/%s" % (name, "rtsps" if self.options.tls_cert else "rtsp", self.options.address,
                                           camera.listener["port"], name))

    def drop(self, camera=None):
        """Closes the connections of one camera's clients, or of all."""
        chosen = GstRtspServer.RTSPFilterResult
        for listener in [camera.listener] if camera else self.listeners:
            def pick(_server, client):
                mine = camera is None or self.options.separate or self.paths.get(client) == "/" + camera.name
                return chosen.REMOVE if mine else chosen.KEEP
            listener["server"].client_filter(pick)
        return False

    def stop(self, camera):
        """The camera is gone from the network."""
        with LOCK:
            camera.stopped = True
            if camera.session:
                self.pacer.end(camera.session)
        if self.options.separate:
            GLib.source_remove(camera.listener["source"])
            self.drop(camera)
            self.listeners.remove(camera.listener)
        else:
            camera.listener["server"].get_mount_points().remove_factory("/" + camera.name)
            self.drop(camera)

    def start(self, camera):
        """The camera is back, on the same address."""
        camera.stopped = False
        if self.options.separate:
            camera.listener = self.listen(camera.listener["port"])
        camera.listener["server"].get_mount_points().add_factory("/" + camera.name, camera)

    def command(self, line):
        """Does one command in the main loop; the answer as a dictionary."""
        verb, *args = line.split()
        now = time.monotonic_ns()
        if verb == "quit":
            self.loop.quit()
            return {"ok": True}
        if verb == "status":
            return {"ok": True, "monotonic": now / SEC, "cameras": {
                c.name: {"sent": dict(c.counts), "runs": c.runs, "playing": c.session is not None,
                         "stopped": c.stopped, "port": c.listener["port"]} for c in self.cameras.values()}}
        if verb == "drop" and not args:
            self.drop()
            return {"ok": True}
        camera = self.cameras.get(args[0]) if args else None
        if camera is None:
            return {"ok": False, "error": "%s: no such camera or no such command" % line.strip()}
        if verb in ("stop", "start") and camera.stopped == (verb == "stop"):
            return {"ok": False, "error": "%s: it is already so" % line.strip()}
        if verb == "switch" and len(args) == 2:
            with LOCK:
                camera.switches.insert(0, (0, load(args[1], True, None)))
        elif verb in ("stop", "start", "drop"):
            getattr(self, verb)(camera)
        elif verb in ("stall", "resume"):
            camera.stalled = verb == "stall"
        else:
            return {"ok": False, "error": "%s: unknown" % line.strip()}
        if self.log and verb != "switch":
            self.log.event(camera, verb, now)
        return {"ok": True, "monotonic": now / SEC}

    def ask(self, line):
        """Runs a command from another thread and waits for its answer."""
        done, box = threading.Event(), []

        def work():
            try:
                box.append(self.command(line))
            except Exception as error:          # the asker must get an answer whatever goes wrong
                box.append({"ok": False, "error": "%s: %s" % (type(error).__name__, error)})
            done.set()
            return False

        GLib.idle_add(work)
        done.wait()
        return json.dumps(box[0])


SOURCES = {}


def load(path, audio, audio_path):
    """A source, read once however many cameras play it."""
    key = (path, audio, audio_path)
    if key not in SOURCES:
        SOURCES[key] = Source(path, audio, audio_path)
    return SOURCES[key]


def seconds(text):
    """`20`, `20s` or `+3600` as a number."""
    return float(text[:-1] if text.endswith("s") else text)


def pair(text):
    """`A:B` as two numbers of seconds."""
    a, _, b = text.partition(":")
    return seconds(a), seconds(b)


def configure(camera, words):
    """Applies a camera's options; returns those that the caller has to act on."""
    f, rest = camera.faults, {}
    flags = {"stamp": ("stamp", True), "wrap": ("wrap", True), "no-in-band": ("in_band", False)}
    numbers = {"repeat-pts": ("repeat_every", int), "noise-pts": ("noise_ms", float), "drift": ("drift", float),
               "audio-late": ("audio_late", seconds), "freeze-pts": ("freeze", pair), "stall": ("stall", pair),
               "stall-mode": ("stall_mode", str), "key": ("key", str)}
    for word in words:
        key, _, value = word.partition("=")
        if key in flags and not value:
            setattr(f, *flags[key])
        elif key in numbers and value:
            setattr(f, numbers[key][0], numbers[key][1](value))
        elif key == "jump-pts":
            delta, _, at = value.partition("@")
            f.jumps.append((seconds(at), seconds(delta)))
        elif key == "switch":
            path, _, at = value.rpartition("@")
            camera.switches.append((int(seconds(at) * SEC), load(path, True, None)))
        elif key == "audio":
            rest["audio-file"] = value
        elif key == "no-audio":
            rest["audio"] = "none"
        elif key in ("tcp", "udp"):
            rest["transport"] = key
        else:
            sys.exit("camera %s: option %s is unknown; --help lists them" % (camera.name, word))
    if f.key not in ("normal", "first", "none") or f.stall_mode not in ("pause", "lose", "burst"):
        sys.exit("camera %s: key is first or none, stall-mode is pause, lose or burst" % camera.name)
    camera.switches.sort(key=lambda s: s[0])
    return rest


def serve_lines(rig, lines, answer):
    """Answers each command line."""
    for line in lines:
        if line.strip():
            answer(rig.ask(line) + "\n")


def serve_socket(rig, path):
    """Takes commands on a Unix socket, one connection at a time."""
    if os.path.exists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(8)

    def run():
        while True:
            connection, _ = listener.accept()
            with connection, connection.makefile("rw") as stream:
                def answer(text):
                    stream.write(text)
                    stream.flush()
                try:
                    serve_lines(rig, stream, answer)
                except OSError:
                    pass                        # the asker has gone; the next one may come

    threading.Thread(target=run, daemon=True).start()


def serve_stdin(rig):
    """Takes commands on stdin; its end ends the rig unless --for says when."""
    def answer(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    serve_lines(rig, sys.stdin, answer)
    if not rig.options.duration:
        GLib.idle_add(rig.loop.quit)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--camera", action="append", required=True, metavar="NAME=FILE[,OPTION…]")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0: any free port, printed")
    parser.add_argument("--separate", action="store_true", help="a port for each camera")
    parser.add_argument("--user")
    parser.add_argument("--password", default="")
    parser.add_argument("--digest", action="store_true", help="digest login instead of basic")
    parser.add_argument("--tls-cert", help="PEM certificate: the cameras speak RTSPS (see make_tls.sh)")
    parser.add_argument("--tls-key", help="its PEM key")
    parser.add_argument("--transport", choices=("tcp", "udp"), help="allow this one only")
    parser.add_argument("--stall", type=pair, metavar="EVERY:FOR")
    parser.add_argument("--drop-clients", type=seconds, metavar="N", help="close every connection each N s")
    parser.add_argument("--wrap", action="store_true")
    parser.add_argument("--log", help="write what was sent, one JSON line for each unit")
    parser.add_argument("--tell", action="store_true", help="print those lines of the log, too, that tell what happened to a camera")
    parser.add_argument("--control", help="Unix socket for commands")
    parser.add_argument("--for", dest="duration", type=seconds, help="end after so many seconds")
    return parser.parse_args()


def main():
    """Serves until told to end."""
    options = arguments()
    rig = Rig(options)
    for text in options.camera:
        rig.add(text)
    rig.pacer.start()
    if options.control:
        serve_socket(rig, options.control)
    threading.Thread(target=serve_stdin, args=(rig,), daemon=True).start()
    if options.drop_clients:
        GLib.timeout_add(int(options.drop_clients * 1000), lambda: rig.drop() or True)
    if options.duration:
        GLib.timeout_add(int(options.duration * 1000), rig.loop.quit)
    for s in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, s, rig.loop.quit)
    print("ready " + " ".join(str(x["port"]) for x in rig.listeners), flush=True)
    rig.loop.run()
    with LOCK:
        if rig.log:
            rig.log.file.flush()
        sys.stdout.flush()
        os._exit(0)     # pipelines of clients still connected need no orderly end


if __name__ == "__main__":
    main()
