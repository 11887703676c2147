#!/usr/bin/python3
"""Restreams one camera as GStreamer's RTSP server does it: one connection to the camera for all viewers, nothing encoded anew.

  restream.py URL
Prints its own address and then "ready", and ends with its standard input.
"""
import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402


def main():
    """Serves until nobody wants it any more."""
    Gst.init(None)
    server = GstRtspServer.RTSPServer.new()
    server.set_address("127.0.0.1")
    server.set_service("0")
    factory = GstRtspServer.RTSPMediaFactory.new()
    factory.set_launch("( rtspsrc location=%s protocols=tcp latency=0 ! rtph264depay ! h264parse ! "
                       "rtph264pay name=pay0 pt=96 config-interval=-1 )" % sys.argv[1])
    factory.set_shared(True)
    factory.set_latency(0)
    server.get_mount_points().add_factory("/restreamed", factory)
    server.attach(None)
    loop = GLib.MainLoop()
    print("restreamed rtsp://127.0.0.1:%d/restreamed" % server.get_bound_port(), flush=True)
    print("ready", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), loop.quit()), daemon=True).start()
    loop.run()


if __name__ == "__main__":
    main()
