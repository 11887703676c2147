"""One camera of the rig, and the thread that sends every camera's units when they are due."""
import heapq
import os
import threading
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, GObject, Gst, GstRtspServer  # noqa: E402

import rtp  # noqa: E402
from session import Faults, Session, Stream, ssrc_of  # noqa: E402

Gst.init(None)      # before the first element class is registered
SEC = 1_000_000_000
LOCK = threading.RLock()     # guards cameras, sessions and the pacer's queue


class Pay(Gst.Bin):
    """Stands where the server expects a payloader: a source of ready-made RTP packets."""

    __gtype_name__ = "VigilRigPay"
    pt = GObject.Property(type=GObject.TYPE_UINT, default=96)
    seqnum = GObject.Property(type=GObject.TYPE_UINT, default=0)
    timestamp = GObject.Property(type=GObject.TYPE_UINT, default=0)

    def __init__(self, number, caps):
        super().__init__(name="pay%d" % number)
        self.source = Gst.ElementFactory.make("appsrc")
        self.source.set_property("is-live", True)
        self.source.set_property("format", Gst.Format.TIME)
        self.source.set_property("caps", Gst.Caps.from_string(caps))
        self.add(self.source)
        self.add_pad(Gst.GhostPad.new("src", self.source.get_static_pad("src")))


class Camera(GstRtspServer.RTSPMediaFactory):
    """One camera: what it plays, how it misbehaves, and its present session."""

    def __init__(self, name, rig):
        super().__init__()
        self.name, self.rig, self.log = name, rig, rig.log
        self.faults, self.switches, self.counts = Faults(), [], {}
        self.source, self.epoch, self.session, self.runs = None, None, None, 0
        self.stalled, self.stopped, self.listener = False, False, None
        self.set_shared(True)
        self.connect("media-configure", Camera.configure)

    def do_create_element(self, _url):
        """A pipeline for a new session: one source of packets for each track."""
        with LOCK:
            self.runs += 1
            self.apply_switches(time.monotonic_ns())
            session = Session(self, self.runs)
            top = Gst.Bin.new(None)
            for number, track in enumerate(self.source.tracks):
                kind = rtp.STATIC_TYPES.get(track.codec, 96 + number) if track.clock_rate == 8_000 else 96 + number
                ssrc = ssrc_of(self.name, track.media, self.runs)
                pay = Pay(number, rtp.caps(track, kind, ssrc))
                top.add(pay)
                session.streams.append(Stream(session, track, pay, kind, ssrc))
            self.session = session
            return top

    def configure(self, media):
        """A gap on each track satisfies the server's preroll, so nothing is sent before PLAY and tracks may be late."""
        session = self.session
        for s in session.streams:
            s.pay.source.send_event(Gst.Event.new_gap(0, 0))

        def on_state(_media, state):
            if state == int(Gst.State.PLAYING):
                self.rig.pacer.begin(session)

        media.connect("new-state", on_state)
        media.connect("unprepared", lambda _media: self.rig.pacer.end(session))

    def apply_switches(self, now):
        """Takes the last switch that is due as the camera's source."""
        while self.switches and self.epoch is not None and now - self.epoch >= self.switches[0][0]:
            self.source = self.switches.pop(0)[1]

    def stall_state(self, now, session):
        """None, or (mode, when to look again, length of the pause)."""
        f = self.faults
        if self.stalled:
            return f.stall_mode, now + 20_000_000, 20_000_000
        if f.stall:
            every, pause = int(f.stall[0] * SEC), int(f.stall[1] * SEC)
            phase = (now - session.began) % (every + pause)
            if phase >= every:
                left = every + pause - phase
                return f.stall_mode, now + left, left
        return None


class Pacer(threading.Thread):
    """Sends every camera's units when they are due; one thread for all."""

    def __init__(self):
        super().__init__(daemon=True)
        self.wake, self.queue, self.count = threading.Condition(LOCK), [], 0

    def begin(self, session):
        """The session's clients play."""
        with LOCK:
            now = time.monotonic_ns()
            session.began = now
            for due, stream in session.begin(now):
                self.put(due, stream)
            if session.camera.log:
                session.camera.log.event(session.camera, "play", now, run=session.run)
            self.wake.notify()

    def end(self, session):
        """The last client has gone."""
        with LOCK:
            if not session.ended and session.camera.log:
                session.camera.log.event(session.camera, "end", time.monotonic_ns(), run=session.run)
            session.ended = True
            if session.camera.session is session:
                session.camera.session = None

    def put(self, due, stream):
        """Queues a stream for its next unit."""
        self.count += 1
        heapq.heappush(self.queue, (due, self.count, stream))

    def run(self):
        with LOCK:
            while True:
                now = time.monotonic_ns()
                if not self.queue or self.queue[0][0] > now:
                    self.wake.wait(min(1.0, (self.queue[0][0] - now) / SEC) if self.queue else None)
                    continue
                self.one(heapq.heappop(self.queue)[2], now)

    def one(self, stream, now):
        """Sends a stream's next unit, or does what the camera's faults say instead."""
        session = stream.session
        camera = session.camera
        if session.ended:
            return
        stall = camera.stall_state(now, session)
        if stall and stall[0] != "lose":
            mode, again, pause = stall
            # One stream of the session measures the pause; the others wait for it.
            if mode == "pause" and stream is session.streams[0]:
                session.zero += pause
            self.put(again, stream)
            return
        if camera.switches and now - camera.epoch >= camera.switches[0][0]:
            if not self.switch(camera, session, now):
                return
        current = stream.cursor.current()
        if current is None:
            return
        send, pts, unit = current
        if session.zero + send > now:       # a pause or a switch has moved it
            self.put(session.zero + send, stream)
            return
        if not stall:
            stream.send(unit, pts, now)
        stream.cursor.advance()
        self.put(session.due(stream), stream)

    def switch(self, camera, session, now):
        """Changes the source of all streams at once; False when that ends the session."""
        camera.apply_switches(now)
        new = camera.source
        if camera.log:
            camera.log.event(camera, "switch", now, file=os.path.basename(new.path))
        # What the SDP says of a track must go on to hold.
        def facts(tracks):
            return [(t.codec, t.clock_rate, t.channels, t.config) for t in tracks]

        if facts(new.tracks) != facts([s.track for s in session.streams]):
            session.ended = True
            GLib.idle_add(camera.rig.drop, camera)
            return False
        base = now - session.zero
        for s in session.streams:
            s.cursor.switch(new, base)
        session.source = new
        return True
